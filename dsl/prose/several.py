"""Those of several -> noun phrases: `all q in players where q.bid is not empty` is “the players whose bid is not
empty”."""

from __future__ import annotations

from typing import TypeVar

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.contents import conjuncts
from cambist.dsl.prose.english import a, listed, plural, possessive, relative
from cambist.dsl.prose.marks import bare, clean
from cambist.dsl.prose.voice import SHORT_NAME, Voice
from cambist.dsl.prose.world import Local

S = TypeVar("S", bound="Several")


class Several(Voice):
    def among(self, source: n.Expr | None) -> str:
        """Behind a noun: where one looks for it."""
        match source:
            case None:
                return ""
            case n.Ref() if source.name == "players" or self.world.ruleset.symbols.enum(source.name):
                return ""
            case n.Ref() if source.name == "everything":
                return " of the game"
            case n.Call() if source.name.text == "others" and "others" not in self.locals:
                return f" other than {self.value(source.args[0])}"
            case n.Call() if source.name.text == "around":
                return f", clockwise from {self.value(source.args[0])},"
            case n.Between():
                return f" from {self.value(source)}"
            case n.ListOf():
                return f" ({listed((self.value(item) for item in source.items), 'or')})"
            case _:
                where = self.value(source)
                if where.startswith("all players"):
                    return f"{where.removeprefix('all players')},"
                if bare(where).rpartition(" ")[2] == plural(self.world.noun(self.element_of(source))):
                    return "" if bare(where).startswith("the ") and bare(where).count(" ") == 1 else f" among {where}"
                is_place = self.kind(source).word == "zone" or isinstance(self._variable(source), n.Variable)
                return f" {'in' if is_place else 'among'} {where}"

    def _variable(self, node: n.Expr) -> n.Decl | None:
        return self.world.declared(node.name) if isinstance(node, n.Ref) and node.name not in self.locals else None

    def _other(self, source: n.Expr | None) -> tuple[str, str]:
        """Before a noun and behind it: “other player”, “player other than the leader”."""
        if isinstance(source, n.Call) and source.name.text == "others" and "others" not in self.locals:
            first = source.args[0]
            local = self.locals.get(first.name) if isinstance(first, n.Ref) else None
            if local is not None and (local.full or local.phrase) == "the player":
                return "other ", ""
        return "", self.among(source)

    def noun_for(self, name: str, kind: Kind) -> str:
        """What one of several is called: rows and other groups by the name they have here."""
        if kind.word in ("zone", "list", "unknown") and (len(name) > SHORT_NAME or "_" in name):
            return clean(name.replace("_", " "))
        return self.world.noun(kind)

    def those(self, binder: n.Binder, where: n.Expr | None, several: bool) -> str:
        """“cards in the hand whose value is 5”, “player whose bid is not empty”."""
        kind = self.element(binder)
        noun, tests = self._narrowed(binder, kind, conjuncts(where))
        taken = {local.full or local.phrase for local in self.locals.values()}
        one = self.noun_for(binder.name.text, kind)
        phrase = f"that {one}" if f"that {one}" not in taken else f"that other {one}"
        inside = self.inner({binder.name.text: Local(phrase, kind)})
        other, among = self._other(binder.source)
        shown = other + (plural(noun[0]) if several else noun[0]) + noun[1] + among
        if not tests:
            return shown
        clause = listed(inside.clause(test) for test in tests) if len(tests) > 1 else inside.clause(tests[0])
        return relative(shown, phrase, clause, several, kind.word == "player")

    def _narrowed(self, binder: n.Binder, kind: Kind, tests: list[n.Expr]) -> tuple[tuple[str, str], list[n.Expr]]:
        """A test for a kind of card becomes the noun."""
        for test in tests:
            if isinstance(test, n.Is) and isinstance(test.value, n.Ref) and test.value.name == binder.name.text:
                if self.world.ruleset.symbols.card(test.name.text) is not None:
                    rest = [other for other in tests if other is not test]
                    return (self.world.words(test.name.text), self.fields(test)), rest
        return (self.noun_for(binder.name.text, kind), ""), tests

    def fields(self, node: n.Is) -> str:
        """Behind the name of a card: “ of the color with value 5”."""
        card = self.world.ruleset.symbols.card(node.name.text)
        found = ""
        for cell, item in zip(node.cells, card.fields if card is not None else (), strict=False):
            if isinstance(cell, n.Number) or k.is_numeric(self.kind(cell)) and self.kind(cell) != k.UNKNOWN:
                found += (
                    f" {'and' if ' with ' in found else 'with'} {self.world.words(item.name.text)} {self.value(cell)}"
                )
            else:
                found += f" of {self.value(cell)}"
        return found

    def quantified(self, node: n.Quantified) -> str:
        binders, word = node.binders, node.word
        if word in ("some", "every", "no"):
            return f"whether {self.clause(node)}"
        if word == "all":
            if node.where is None:
                return f"all {self.those(binders[0], None, True)}"
            return f"the {self.those(binders[0], node.where, True)}"
        if word == "count" and len(binders) == 1:
            return f"the number of {self.those(binders[0], node.where, True)}"
        otherwise = f", or {self.value(node.default)} if there is none" if node.default is not None else ""
        inside, shown = self.each_of(binders, node.where)
        if word == "count":
            return f"the number of combinations of {a(shown)}"
        assert node.value is not None
        told = inside.value(node.value)
        whose = f"{possessive(inside.locals[binders[0].name.text].phrase)} "
        if len(binders) == 1 and isinstance(node.value, n.Dot) and told.startswith(whose):
            those = self.those(binders[0], node.where, True)
            lead = {"sum": "total", "most": "highest", "least": "lowest"}[word]
            return f"the {lead} {told[len(whose) :]} of the {those}{otherwise}"
        lead = {"sum": "the sum", "most": "the highest", "least": "the lowest"}[word]
        return f"{lead}, over every {shown}, of {told}{otherwise}"

    def each_of(self: S, binders: tuple[n.Binder, ...], where: n.Expr | None) -> tuple[S, str]:
        """Several binders at once: “player and a color that is not …”."""
        inside, shown = self, list[str]()
        for binder in binders:
            kind = inside.element(binder)
            noun = inside.noun_for(binder.name.text, kind)
            taken = {local.full or local.phrase for local in inside.locals.values()}
            phrase = next(
                (p for p in (f"that {noun}", f"that other {noun}", f"that third {noun}") if p not in taken), noun
            )
            other, among = inside._other(binder.source)
            noun = other + noun
            shown.append((noun if len(shown) == 0 else a(noun)) + among)
            inside = inside.inner({binder.name.text: Local(phrase, kind)})
        text = " and ".join(shown)
        if where is not None:
            text = (
                relative(text, phrase, inside.clause(where))
                if len(binders) == 1
                else f"{text} for which {inside.clause(where)}"
            )
        return inside, text

    def the_one(self, node: n.The) -> str:
        inside, _ = self.each_of((node.binder,), None)
        phrase = inside.locals[node.binder.name.text].phrase
        told = [self.highest(inside, criterion, phrase) for criterion in node.criteria]
        those = self.those(node.binder, node.where, node.policy == "all")
        text = f"the {those} with {told[0]}"
        if len(told) > 1:
            text += "; of those tied with " + ", then ".join(told[1:])
        if node.policy == "all":
            text += " (all that tie)"
        elif node.policy == "first":
            text += " (of those tied the first)"
        return text + (f", or {self.value(node.default)} if there is none" if node.default is not None else "")

    def highest(self, inside: Voice, criterion: n.Criterion, phrase: str) -> str:
        """“the highest number of cards in that player’s hand”."""
        told = inside.value(criterion.value)
        own = f"{possessive(phrase)} "
        plain = not isinstance(criterion.value, (n.Binary, n.IfElse))
        told = told[len(own) :] if plain and told.startswith(own) else told.removeprefix("the ")
        return f"the {'highest' if criterion.most else 'lowest'} {told}"
