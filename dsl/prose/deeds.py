"""Simple statements -> sentences: `transfer 5 from p.cash to bank` is “the player pays 5 coins to the bank”.

A deed has somebody who does it, if one player gives or gets something by it; else it is told to the table: “shuffle the
stock”. What holds blocks of statements is told in statements.py.
"""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.prose.conditions import Clauses
from cambist.dsl.prose.english import listed, plural, times
from cambist.dsl.prose.marks import clean

Told = (
    n.Move | n.Fill | n.Transfer | n.Let | n.Draw | n.Set | n.Add | n.Shift | n.Shuffle | n.Reveal | n.Return |
    n.Leave | n.EndGame | n.RollBack | n.Nothing | n.Require | n.Mark | n.Run
)  # fmt: skip


@frozen
class Deed:
    """With `who`, a verb in the plain form and what follows; without, the whole sentence stands in `rest`."""

    who: n.Expr | None
    verb: str
    rest: str

    def third(self) -> str:
        head, _, more = self.verb.partition(" ")
        verb = (
            f"{head[:-1]}ies" if head.endswith("ry") else f"{head}es" if head.endswith(("s", "sh", "x")) else f"{head}s"
        )
        return f"{verb} {more}".strip()


class Deeds(Clauses):
    def deed(self, node: Told) -> Deed:
        match node:
            case n.Move():
                return self._move(node)
            case n.Fill():
                return self._fill(node)
            case n.Transfer():
                return self._transfer(node)
            case n.Let() | n.Draw():
                return Deed(None, "", self.let(node))
            case n.Set():
                return Deed(None, "", self._set(node))
            case n.Add():
                return self._add(node)
            case n.Shift():
                return Deed(None, "", self._shift(node))
            case n.Shuffle():
                return Deed(None, "shuffle", self.value(node.zone))
            case n.Reveal():
                return Deed(None, "reveal" if node.shown else "hide", self.value(node.zone))
            case n.Return():
                return Deed(None, "", self._return(node))
            case n.Leave():
                return Deed(None, "", "this ends the repetition")
            case n.EndGame():
                return Deed(None, "", f"the game ends: {clean(node.reason)}" if node.reason else "the game ends")
            case n.RollBack():
                return Deed(None, "", "all of this is taken back, as if it had not been done")
            case n.Nothing():
                return Deed(None, "", "nothing happens")
            case n.Require():
                return Deed(None, "", f"here it is certain that {self.clause(node.test)}")
            case n.Mark():
                told = "an agreed limit, not the usual course of the game" if node.limit else "worth remembering"
                return Deed(None, "", f"this is {told}: {self.world.name(node.name.text)}")
            case n.Run():
                return self.run(node.target)
            case _ as never:
                assert_never(never)

    def said(self, deed: Deed) -> str:
        """A sentence that does not yet begin with a capital."""
        if deed.who is None:
            return f"{deed.verb} {deed.rest}".strip()
        return f"{self.value(deed.who)} {deed.third()} {deed.rest}".strip()

    # ---- who has it

    def _player_of(self, node: n.Expr | None) -> n.Expr | None:
        """The player to whom a zone or an account belongs."""
        match node:
            case n.Dot() if self.kind(node.owner).word == "player":
                return node.owner
            case n.Call() if node.args and self.kind(node.args[0]).word == "player":
                decl = self.world.declared(node.name.text)
                return node.args[0] if isinstance(decl, (n.Zone, n.Account)) else None
            case n.Prefix():
                return self._player_of(node.value)
            case n.Quantified() if node.word == "all":
                return self._player_of(node.binders[0].source)
            case _:
                return None

    def _about(self, who: n.Expr | None) -> Deeds:
        """A voice that says “their” of this player."""
        return self.as_subject(who.name if isinstance(who, n.Ref) else None)

    # ---- components

    def _how_many(self, node: n.Expr, place: n.Expr) -> str:
        noun = self.card_in(place)
        told = self.value(node)
        if not told.isdecimal():
            return f"as many {plural(noun)} as {told}"
        return f"{told} {noun}" if told == "1" else f"{told} {plural(noun)}"

    def things(self, node: n.Expr) -> str:
        """What is moved: all of a zone, some cards, one card."""
        kind = self.kind(node)
        return f"everything from {self.value(node)}" if kind.word == "zone" else self.value(node)

    def _move(self, node: n.Move) -> Deed:
        getter, giver = self._player_of(node.to), self._player_of(node.source or node.what)
        who = getter or giver
        voice = self._about(who)
        if node.source is not None:
            what = f"{voice._how_many(node.what, node.source)} from {voice.value(node.source)}"
        else:
            what = voice.things(node.what)
        what += "," if ", except" in what else ""
        place = voice.value(node.to)
        where = {"": "to", "start": "to the start of", "end": "to the end of"}[node.end]
        if getter is not None:
            return Deed(who, "take", f"{what} {'into' if not node.end else where} {place}")
        return Deed(
            who,
            "put" if giver is not None else "move",
            f"{what} {'into' if giver is not None and not node.end else where} {place}",
        )

    def _fill(self, node: n.Fill) -> Deed:
        who = self._player_of(node.zone)
        voice = self._about(who)
        size = voice._how_many(node.size, node.source)
        rest = f"{voice.value(node.zone)} up to {size} from {voice.value(node.source)}, as far as there are any"
        return Deed(who, "fill", rest)

    # ---- money

    def account(self, node: n.Expr) -> n.Account | None:
        name = node.name.text if isinstance(node, (n.Dot, n.Call)) else node.name if isinstance(node, n.Ref) else ""
        decl = self.world.declared(name)
        return decl if isinstance(decl, n.Account) else None

    def _side(self, node: n.Expr, drop: bool) -> str:
        """One side of a transfer; of a unit that comes in kinds the kind is told with the amount."""
        decl = self.account(node)
        if decl is None:
            return self.value(node)
        owners = (node.owner, *node.args) if isinstance(node, n.Dot) else node.args if isinstance(node, n.Call) else ()
        kept = owners[:-1] if drop else owners
        return self.owned(decl, kept) if kept else f"the {self.world.name(decl.name.text)}"

    def _transfer(self, node: n.Transfer) -> Deed:
        giver, getter = self._player_of(node.source), self._player_of(node.to)
        who = giver or getter
        voice = self._about(who)
        decl = self.account(node.source) or self.account(node.to)
        unit = decl.unit.text if decl is not None and decl.unit is not None else ""
        drop = bool(self.world.ruleset.symbols.unit_kinds(unit)) if unit else False
        amount = voice.value(node.amount)
        if isinstance(node.amount, n.Number) and unit and not drop:
            noun = self.world.words(unit)
            amount += f" {noun if node.amount.value == '1' else plural(noun)}"
        if drop:
            last = node.source if giver is None else node.to
            owners = last.args if isinstance(last, (n.Dot, n.Call)) else ()
            kind = f" in {voice.value(owners[-1])}" if owners else ""
            amount += "" if amount.endswith(kind) else kind
        if giver is not None:
            return Deed(
                who, "pay", f"{amount}{self._which(giver, node.source)} to {voice._receiver(node.to, getter, drop)}"
            )
        if getter is not None:
            return Deed(who, "get", f"{amount}{self._which(getter, node.to)} from {voice._side(node.source, drop)}")
        return Deed(None, "", f"{amount} goes from {self._side(node.source, drop)} to {self._side(node.to, drop)}")

    def _which(self, who: n.Expr, node: n.Expr) -> str:
        """Which of a player’s accounts, if a player has several."""
        owned = [
            d
            for d in self.world.ruleset.symbols.globals.values()
            if isinstance(d, n.Account) and [o.text for o in d.owners][:1] == ["player"]
        ]
        decl = self.account(node)
        return f" ({self.world.name(decl.name.text)})" if len(owned) > 1 and decl is not None else ""

    def _receiver(self, node: n.Expr, getter: n.Expr | None, drop: bool) -> str:
        return self.value(getter) if getter is not None else self._side(node, drop)

    # ---- names and variables

    def let(self, node: n.Let | n.Draw) -> str:
        """Told in the voice that knows the new names already."""
        raise AssertionError("told by Teller, which makes the names")

    def _set(self, node: n.Set) -> str:
        target, value = node.target, node.value
        if isinstance(target, n.Ref) and target.name in self.locals:
            if isinstance(value, n.Call) and value.name.text == "next" and value.args == (target,):
                return f"{self.value(target)} is now the next one, clockwise"
            return f"{self.value(target)} is now {self.value(value)}"
        if isinstance(value, n.Truth):
            return self._flagged(target, value.value)
        told = self.value(target)
        if isinstance(value, n.Ref) and value.name == "nobody":
            if isinstance(target, n.Dot):
                return f"{self.value(target.owner)} has no {self.world.words(target.name.text)} any more"
            return f"nobody is {told} any more" if isinstance(target, n.Ref) else f"{told} is nobody any more"
        if isinstance(value, n.ListOf) and not value.items:
            return f"empty {told}"
        if self.kind(target).word in ("player", "enum", "card"):
            if isinstance(target, n.Ref):
                return f"{self.value(value)} is now {self.world.name(target.name)}"
            return f"{self.value(value)} becomes {told}"
        return f"set {told} to {self.value(value)}"

    def _flagged(self, target: n.Expr, yes: bool) -> str:
        if isinstance(target, n.Ref):
            told = self.world.name(target.name)
            return f"note {told}" if yes else f"strike out {told}"
        name = self.world.name(target.name.text) if isinstance(target, (n.Dot, n.Call)) else self.value(target)
        owners = (target.owner, *target.args) if isinstance(target, n.Dot) else getattr(target, "args", ())
        who = self.value(owners[0]) if owners else self.value(target)
        more = f" for {listed(self.value(owner) for owner in owners[1:])}" if len(owners) > 1 else ""
        return f"mark {who} {name}{more}" if yes else f"{who} is no longer marked {name}{more}"

    def _add(self, node: n.Add) -> Deed:
        who = self._player_of(node.target) if isinstance(node.target, n.Dot) else None
        who = who if isinstance(who, n.Ref) else None
        voice = self._about(who)
        value, target = node.value, voice.value(node.target)
        if isinstance(value, n.Number) and value.value.startswith("-"):
            return Deed(who, "take", f"{value.value[1:]} off {target}")
        if isinstance(value, n.Negate):
            return Deed(who, "take", f"{voice.value(value.value)} off {target}")
        return Deed(who, "add", f"{voice.value(value)} to {target}")

    def _shift(self, node: n.Shift) -> str:
        what, by = self.value(node.target), node.by
        number = (
            by.value
            if isinstance(by, n.Number)
            else by.value.value
            if isinstance(by, n.Negate) and isinstance(by.value, n.Number)
            else ""
        )
        if number:
            down = isinstance(by, n.Negate) or number.startswith("-")
            steps = number.lstrip("+-")
            return f"move the marker of {what} {'down' if down else 'up'} by {steps} space{'' if steps == '1' else 's'}"
        return f"move the marker of {what} by {self.value(by)} spaces (a negative number: down)"

    # ---- where to go on

    def _return(self, node: n.Return) -> str:
        if not node.values:
            return "this part ends here"
        return f"the result is {listed(self.value(value) for value in node.values)}"

    def run(self, target: n.Expr) -> Deed:
        """Another part of the rules, by its name, with what it is carried out with."""
        name = target.name.text if isinstance(target, n.Call) else target.name if isinstance(target, n.Ref) else ""
        args = target.args if isinstance(target, n.Call) else ()
        if not name:
            return Deed(None, "", self.value(target))
        who = args[0] if args and self.kind(args[0]).word == "player" else None
        voice = self._about(who)
        decl = self.world.ruleset.symbols.procedures.get(name)
        told = voice.with_names(args, decl.params if decl is not None else ())[0 if who is None else 1 :]
        what = self.world.phase(name) + (f" with {listed(told)}" if told else "")
        return Deed(who, "carry out", what)

    def how_often(self, node: n.Expr) -> str:
        return times(self.value(node))
