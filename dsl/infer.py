"""A kind for every expression of every rule: names, kinds and units are judged here.

In: the symbols of a ruleset. Out: `Inferred`, with one `Instance` of each definition, phase and procedure
for each combination of parameter kinds it is used with (as with templates: no annotations, yet every use is
checked). After it, every name is declared and every kind known, or the report says where not. Laws of the
whole ruleset are in checks/.
"""

from __future__ import annotations

from attrs import frozen

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.infer_names import Instance, Key, law_key
from cambist.dsl.infer_statements import StatementInferer
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import descend

DEEPEST_CALLS = 32


@frozen
class Inferred:
    instances: dict[Key, Instance]
    singles: dict[int, Instance]  # id of a declaration that has no parameters of its own -> its instance
    used: frozenset[str]


def infer(symbols: Symbols, report: Report) -> Inferred:
    return Inferer(symbols, report).run()


class Inferer(StatementInferer):
    def __init__(self, symbols: Symbols, report: Report) -> None:
        super().__init__(symbols, report)
        self.lets: set[Span] = set()  # where locals were made by `let`
        self.singles: dict[int, Instance] = {}
        self.chooser: Scope | None = None

    def run(self) -> Inferred:
        symbols = self.symbols
        for decl in symbols.globals.values():
            self.declaration(decl)
        for word in ("setup", "play"):
            if word in symbols.procedures:
                self.procedure(symbols.procedures[word].span, word, ())
        for other in symbols.others:
            self.other(other)
        reached = {name for name, _ in self.instances}
        for decl in symbols.globals.values():
            if isinstance(decl, n.Define) and decl.name.text not in reached:
                unknown = tuple(k.UNKNOWN for _ in decl.params)
                self._instance(decl.span, decl.name.text, decl, decl.params, unknown)
        for name, procedure in symbols.procedures.items():
            if name not in reached:
                self.procedure(procedure.span, name, tuple(k.UNKNOWN for _ in procedure.params))
        for other in symbols.others:
            if isinstance(other, n.Property) and other.after is not None:
                self._law_after(other, other.after)
        return Inferred(self.instances, self.singles, frozenset(self.used))

    # ---- instances

    def call(self, span: Span, name: str, args: tuple[Kind, ...], declared: Span | None) -> Kind:
        decl = self.symbols.globals[name]
        assert isinstance(decl, n.Define)
        self.used.add(name)
        instance = self._instance(span, name, decl, decl.params, args)
        return instance.results[0] if instance and instance.results else k.UNKNOWN

    def procedure(self, span: Span, name: str, args: tuple[Kind, ...]) -> tuple[Kind, ...]:
        decl = self.symbols.procedures[name]
        self.used.add(name)
        instance = self._instance(span, name, decl, decl.params, args)
        return instance.results if instance else ()

    def _instance(
        self,
        span: Span,
        name: str,
        decl: n.Define | n.Procedure,
        params: tuple[n.Name, ...],
        args: tuple[Kind, ...],
    ) -> Instance | None:
        if name in self.running:
            chain = (*self.running[self.running.index(name) :], name)
            self.report.add(say.calls_itself(span, chain))
            return None
        if len(self.running) >= DEEPEST_CALLS:
            self.report.add(say.too_deep(span, "calls", DEEPEST_CALLS))
            return None
        if len(args) != len(params):
            self._wrong_number(span, name, len(params), len(args), decl.span)
            return None
        key = (name, args)
        if key in self.instances:
            return self.instances[key]
        instance = Instance(key, decl)
        self.instances[key] = instance
        outer, outer_example, outer_law = self.current, self.in_example, self.in_law
        self.current, self.in_example, self.in_law = instance, False, False
        self.running.append(name)
        for again in (False, True):
            scope = Scope()
            for param, kind in zip(params, args, strict=True):
                self.declare(param, kind, scope)
            instance.params = dict(scope.kinds)
            if isinstance(decl, n.Define):
                instance.results = (self.value(decl.value, scope),)
            else:
                self.block(decl.body, scope)
            if again or not instance.refined:
                break
            instance.results = ()  # once more, now that the kinds of all locals are known
        self.running.pop()
        self.current, self.in_example, self.in_law = outer, outer_example, outer_law
        return instance

    def _wrong_number(self, span: Span, name: str, expected: int, found: int, declared: Span | None) -> None:
        """Told where it is asked; but if a variant has replaced what its base asks, there."""
        own = self.symbols.game.span.file
        if declared is not None and declared.file is own and span.file is not own:
            self.report.add(say.base_gives_others(declared, name, expected, found, span))
        else:
            self.report.add(say.wrong_number_of_arguments(span, name, expected, found, declared))

    # ---- what is not called by name

    def other(self, decl: n.Decl) -> None:
        self._single(decl)
        scope = Scope()
        match decl:
            case n.Score() | n.Estimate():
                self.declare(decl.player, k.PLAYER, scope)
                self.numeric(decl.value, scope)
            case n.Winner():
                score = self.symbols.one(n.Score)
                player = score.player.text if isinstance(score, n.Score) else "p"
                scope.kinds |= {player: k.PLAYER, "score": k.NUMBER}
                for criterion in decl.criteria:
                    self.numeric(criterion.value, scope)
            case n.Property():
                if decl.after is None:
                    self._law(decl, scope)
            case n.Whenever():
                self._whenever(decl, scope)
            case n.Show():
                self._show(decl, scope)
            case n.Example():
                self.in_example = True
                self._example(decl, scope)
                self.in_example = False
            case _:
                pass

    def _law(self, decl: n.Property, scope: Scope) -> None:
        self.in_law = True
        for binder in decl.binders:
            self.bind(binder, scope)
        if decl.word == "measure":
            self._measured(decl.value, scope)
        else:
            for value in (decl.value, decl.leads_to):
                if value is not None:
                    self.condition(value, scope)
        self.in_law = False

    def _measured(self, value: n.Expr, scope: Scope) -> None:
        found = self.value(value, scope)
        if found.word != "flag" and not k.is_numeric(found):
            why = "a measure is a number, an amount or a flag"
            self.report.add(say.wrong_kind(value.span, "a number", str(found), why))

    def _law_after(self, decl: n.Property, after: n.Name) -> None:
        """Once for every combination of kinds that the phase or procedure is run with; a branch knows who chose it."""
        name = after.text
        ways: list[tuple[Kind, ...]] = [kinds for called, kinds in self.instances if called == name]
        if name not in self.symbols.procedures:
            branches = _branches(self.symbols)
            if name not in branches:
                known = [p for p in self.symbols.procedures if p not in ("setup", "play")]
                self.report.add(say.unknown_name(after.span, name, known + sorted(branches)))
            ways = [(k.PLAYER,)[: len(decl.params)]]
        for kinds in ways:
            if len(kinds) != len(decl.params):
                declared = self.symbols.procedures.get(name)
                wanted = 1 if declared is None else len(kinds)
                span = None if declared is None else declared.span
                self._wrong_number(after.span, name, wanted, len(decl.params), span)
                return
            instance = self.instances[law_key(decl, kinds)] = Instance(law_key(decl, kinds), decl)
            self.current, scope = instance, Scope()
            for param, kind in zip(decl.params, kinds, strict=True):
                self.declare(param, kind, scope)
            self._law(decl, scope)

    def _show(self, decl: n.Show, scope: Scope) -> None:
        if decl.player is not None:
            self.declare(decl.player, k.PLAYER, scope)
        outside = scope.inner()
        if decl.rows is not None:
            self.bind(decl.rows, scope)
        self._no_name_twice([column.name for column in decl.columns])
        for column in decl.columns:
            inside = scope.inner()
            if column.each is not None:
                if column.each.source is not None:
                    self.elements(column.each.source, outside)  # the columns are the same in every row
                self.bind(column.each, inside)
            self.expr(column.value, inside)
        for name in decl.instead:
            if not isinstance(self.symbols.globals.get(name.text), (n.Zone, n.Deck, n.Account, n.Variable, n.Track)):
                self.report.add(say.unknown_name(name.span, name.text, self.symbols.dot_names()))
        self._seen(decl.seen, decl.player is not None)

    def _whenever(self, decl: n.Whenever, scope: Scope) -> None:
        self.declare(decl.component, k.CARD, scope)
        zone = self.symbols.globals.get(decl.zone.text)
        if not isinstance(zone, (n.Zone, n.Deck)):
            zones = [name for name, d in self.symbols.globals.items() if isinstance(d, (n.Zone, n.Deck))]
            self.report.add(say.unknown_name(decl.zone.span, decl.zone.text, zones))
            return
        self.used.add(decl.zone.text)
        owners = zone.owners if isinstance(zone, n.Zone) else ()
        if decl.owners and len(decl.owners) != len(owners):
            self.report.add(
                say.wrong_number_of_owners(
                    decl.zone.span, decl.zone.text, [o.text for o in owners], len(decl.owners), zone.name.span
                )
            )
        for name, owner in zip(decl.owners, owners, strict=False):
            self.declare(name, self.owner_kind(owner), scope)
        if decl.where is not None:
            self.condition(decl.where, scope)
        self.block(decl.body, scope)

    def _example(self, decl: n.Example, scope: Scope) -> None:
        for clause in decl.clauses:
            for fact in clause.facts:
                match fact:
                    case n.Named():
                        for name in fact.names:
                            self.declare(name, k.PLAYER, scope)
                    case n.InPhase():
                        if not (isinstance(fact.call, n.Ref) and fact.call.name == "play"):  # the whole game
                            self.run_target(fact.call, scope)
                    case n.WithOption():
                        option = self.symbols.globals.get(fact.name.text)
                        if isinstance(option, n.Option):
                            self.option_value(option, fact.value)
                        else:
                            options = [o for o, d in self.symbols.globals.items() if isinstance(d, n.Option)]
                            self.report.add(say.unknown_name(fact.name.span, fact.name.text, options))
                    case n.Holds():
                        self.place(fact.zone, scope)
                        for thing in fact.things:
                            self._thing(thing)
                    case n.Learns():
                        self.expect(n.Ref(fact.player.text, fact.player.span), scope, k.PLAYER)
                    case n.Chance():
                        for value in fact.values:
                            self.value(value, scope)
                    case n.Claim():
                        self.condition(fact.value, scope)
            for act in clause.acts:
                self.expect(n.Ref(act.player.text, act.player.span), scope, k.PLAYER)

    def _thing(self, thing: n.Thing) -> None:
        card = self.symbols.card(thing.card.text)
        if card is None:
            cards = [c for c, d in self.symbols.globals.items() if isinstance(d, n.Card)]
            self.report.add(say.unknown_name(thing.card.span, thing.card.text, cards))
            return
        if len(thing.cells) > len(card.fields):
            self.report.add(
                say.too_many_fields(
                    thing.cells[len(card.fields)].span, card.name.text, len(card.fields), card.name.span
                )
            )
        for cell, item in zip(thing.cells, card.fields, strict=False):
            if isinstance(cell, n.EachCell):
                continue
            written = cell.items if isinstance(cell, n.ListOf) else (cell,)
            wrong = [x for x in written if isinstance(x, n.Ref) and x.name not in self.symbols.members]
            if wrong:
                enum = self.symbols.enum(item.kind.text)
                members = [m.text for m in enum.members] if enum is not None else []
                self.report.add(say.unknown_name(wrong[0].span, wrong[0].name, members))
                continue
            self.expect(cell, Scope(), self.field_kind(item), f"the field `{item.name.text}`")


def _branches(symbols: Symbols) -> set[str]:
    """The labels of all branches that players choose from."""
    rules = [d for d in (*symbols.procedures.values(), *symbols.others) if isinstance(d, (n.Procedure, n.Whenever))]
    return {b.label.text for b in descend(tuple(rules)) if isinstance(b, n.Branch) and b.label.text}
