"""Examples -> plans that the interpreter can run: what is given, who answers what, what must hold then."""

from __future__ import annotations

from typing import Any, Protocol

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl import settings
from cambist.dsl.infer_names import param_kind
from cambist.dsl.lower_expressions import ExpressionLowerer, Frame, because
from cambist.dsl.lower_statements import ProcedureWorld


class ExampleWorld(ProcedureWorld, Protocol):
    pass


class ExampleLowerer(ExpressionLowerer):
    world: ExampleWorld

    def __init__(self, world: ExampleWorld, decl: n.Example) -> None:
        super().__init__(world)
        self.decl = decl
        self.frame = Frame(world.ruleset.inferred.singles[id(decl)], because=because(decl.notes))

    def example(self) -> p.Example:
        decl = self.decl
        names: list[str] = []
        exactly = False
        facts = [fact for clause in decl.clauses for fact in clause.facts]
        for fact in facts:
            if isinstance(fact, n.Named):
                names += [name.text for name in fact.names]
                exactly = exactly or fact.exactly
        for name in names:
            self.frame.new(name)
        options = tuple((f.name.text, self._option(f)) for f in facts if isinstance(f, n.WithOption))
        given: list[p.Fact] = []
        steps: list[p.Act | p.Fact] = []
        procedure = -1
        args: tuple[p.Expr, ...] = ()
        for clause in decl.clauses:
            for fact in clause.facts:
                if isinstance(fact, n.InPhase):
                    procedure, args = self._phase(fact.call)
                elif not isinstance(fact, (n.Named, n.WithOption)):
                    lowered = self._fact(fact, clause.word == "given")
                    if clause.word == "given" and not any(isinstance(s, p.Act) for s in steps):
                        given.append(lowered)
                    else:
                        steps.append(lowered)
            for act in clause.acts:
                why = clause.because.text if clause.because is not None else ""
                seat = names.index(act.player.text) if act.player.text in names else 0
                steps.append(p.Act(seat, act.answer, clause.word == "refused", why, p.At(act.span), act.if_legal))
        allowed = tuple(c for c in self.world.ruleset.players if (c == len(names) if exactly else c >= len(names)))
        at = p.At(decl.span, because(decl.notes))
        return p.Example(
            decl.title,
            allowed,
            tuple(names),
            options,
            procedure,
            args,
            len(self.frame.names),
            tuple(given),
            tuple(steps),
            at,
        )

    def _option(self, fact: n.WithOption) -> int:
        option = self.world.ruleset.options[fact.name.text]
        return settings.number(option, settings.plain_value(fact.value))

    def _phase(self, node: n.Expr) -> tuple[int, tuple[p.Expr, ...]]:
        name = node.name.text if isinstance(node, n.Call) else node.name if isinstance(node, n.Ref) else ""
        args = node.args if isinstance(node, n.Call) else ()
        kinds = tuple(param_kind(self.kind(a)) for a in args)
        return self.world.procedure(name, kinds), tuple(self.expr(a) for a in args)

    def _fact(self, fact: n.Fact, given: bool) -> p.Fact:
        at = p.At(fact.span)
        match fact:
            case n.Holds():
                things = tuple(self._thing(thing) for thing in fact.things)
                word = "holds in order" if fact.in_order else "holds"
                return p.Fact(word, self.expr(fact.zone), things=things, text=fact.span.text, at=at)
            case n.Learns():
                slot = self.frame.slot(fact.player.text)
                return p.Fact("learns", p.ELocal(slot or 0), text=fact.span.text, at=at)
            case n.Chance():
                drawn = p.EItems(tuple(self.expr(value) for value in fact.values))
                return p.Fact("chance", drawn, text=fact.span.text, at=at)
            case n.Claim(value=n.Is(name=n.Name(text="asked")) as asked):
                return p.Fact("asked", self.expr(asked.value), text=fact.span.text, at=at)
            case n.Claim(value=n.Is(name=n.Name(text="winner")) as winner):
                return p.Fact("winner", self.expr(winner.value), text=fact.span.text, at=at)
            case n.Claim(value=n.Not(value=n.Is(name=n.Name(text="winner")) as winner)):
                return p.Fact("no winner", self.expr(winner.value), text=fact.span.text, at=at)
            case n.Claim(value=n.Is(name=n.Name(text="over"))):
                return p.Fact("over", text=fact.span.text, at=at)
            case n.Claim(value=n.Binary(op="=", left=left, right=right)) if given and self.owned_args(left) is not None:
                return self._given(left, right, fact.span.text, at)
            case n.Claim():
                return p.Fact("claim", self.expr(fact.value), text=fact.span.text, at=at, scale=self._scale(fact.value))
            case _:
                raise AssertionError(f"not a fact: {fact}")

    def _scale(self, claim: n.Expr) -> int:
        """The steps of the unit that two amounts are in; 1 if these are none."""
        sides = (claim.left, claim.right) if isinstance(claim, n.Binary) else ()
        units = [kind.name for kind in (k.as_value(self.kind(side)) for side in sides) if kind.word == "amount"]
        return self.world.scale(units[0]) if units else 1

    def _given(self, left: n.Expr, right: n.Expr, text: str, at: p.At) -> p.Fact:
        found = self.owned_args(left)
        assert found is not None
        decl, args = found
        index = self.index_of(decl, args)
        kind = k.as_value(self.kind(left))
        value = self.items(right) if kind.word == "list" else self.expr(right, kind)
        if isinstance(decl, n.Account):
            return p.Fact("account", index, value, text=text, at=at)
        if isinstance(decl, n.Track):
            table = self.world.table(decl.name.text)
            return p.Fact("space", index, value, seat=table, text=text, at=at)
        return p.Fact("set", index, value, text=text, at=at)

    def _thing(self, thing: n.Thing) -> tuple[int, int, tuple[tuple[int, Any], ...]]:
        card = self.world.symbols.card(thing.card.text)
        assert card is not None
        tests = []
        for cell, item in zip(thing.cells, card.fields, strict=False):
            if isinstance(cell, n.EachCell):
                continue
            value = self.expr(cell)
            assert isinstance(value, (p.EConst, p.EList))
            known = value.value if isinstance(value, p.EConst) else list(value.values)
            tests.append((self.world.attr(item.name.text), known))
        return thing.count, self.world.card_kind(thing.card.text), tuple(tests)
