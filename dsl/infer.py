"""A kind for every expression of every rule: names, kinds and units are judged here.

In: the symbols of a ruleset. Out: `Inferred`, with one `Instance` of each definition, phase and procedure
for each combination of parameter kinds it is used with (as with templates: no annotations, yet every use is
checked). After it, every name is declared and every kind known, or the report says where not. Laws of the
whole ruleset are in checks/.
"""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.infer_declarations import DeclarationInferer
from cambist.dsl.infer_expressions import Instance, Key, law_key, param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, Symbols
from cambist.dsl.walk import descend

DEEPEST_CALLS = 32


@frozen
class Inferred:
    instances: dict[Key, Instance]
    singles: dict[int, Instance]  # id of a declaration that has no parameters of its own -> its instance
    used: frozenset[str]


def infer(symbols: Symbols, report: Report) -> Inferred:
    return Inferer(symbols, report).run()


class Inferer(DeclarationInferer):
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

    # ---- statements

    def block(self, body: tuple[n.Stmt, ...], scope: Scope) -> None:
        for statement in body:
            self.statement(statement, scope)

    def place(self, node: n.Expr, scope: Scope) -> None:
        found = self.expr(node, scope)
        if found.word not in ("zone", "unknown"):
            self.report.add(say.not_a_place(node.span, str(found)))

    def purse(self, node: n.Expr, scope: Scope) -> Kind:
        found = self.expr(node, scope)
        if found.word not in ("account", "unknown"):
            owned = [a for a in self.symbols.globals.values() if isinstance(a, n.Account)]
            names = [f"{node.span.text}.{a.name.text}" for a in owned if a.owners and found == k.PLAYER]
            example = (names + [a.name.text for a in owned if not a.owners] + ["bank"])[0]
            self.report.add(say.not_an_account(node.span, str(found), example, len(names) == 1))
            return k.UNKNOWN
        return found

    def target(self, node: n.Expr, scope: Scope) -> Kind:
        """Something that can be set: a local, a variable, a track."""
        found = self.expr(node, scope)
        if isinstance(node, n.Ref) and scope.kind(node.name) is not None:
            return found
        decl = self._reached(node, scope)
        if isinstance(decl, (n.Variable, n.Track)) or found == k.UNKNOWN:
            return found
        instead = {
            "account": "write `transfer … from … to …`",
            "zone": "write `move … to …`",
        }.get(found.word, "set a `variable`, or name a value with `let`")
        if isinstance(decl, n.Option):
            instead = "an option is the same for the whole game: set a `variable` that begins with it"
        self.report.add(say.cannot_set(node.span, str(found), instead))
        return k.UNKNOWN

    def _reached(self, node: n.Expr, scope: Scope) -> n.Decl | None:
        """What a name, a dot or a call leads to; None if that is a local or a field of a card."""
        match node:
            case n.Ref() if scope.kind(node.name) is None:
                return self.symbols.globals.get(node.name)
            case n.Call():
                return self.symbols.globals.get(node.name.text)
            case n.Dot() if not self.symbols.is_field(node.name.text, self.current.of(node.owner)):
                return self.symbols.globals.get(node.name.text)
            case _:
                return None

    def _refine(self, node: n.Expr, kind: Kind, scope: Scope) -> None:
        """A local that began as a written number or as nobody takes the kind it is first set to."""
        if isinstance(node, n.Ref):
            home = scope.find(node.name)
            if home is not None and (home.kinds[node.name].word in ("nobody", "number") and kind.word != "unknown"):
                before = home.kinds[node.name]
                home.kinds[node.name] = k.joined(before, kind)
                if before.word == "number" and home.kinds[node.name].word == "amount":
                    self.current.refined[home.spans[node.name]] = home.kinds[node.name]

    def run_target(self, node: n.Expr, scope: Scope) -> tuple[Kind, ...]:
        """The procedure a statement runs; its results."""
        name = node.name if isinstance(node, n.Ref) else ""
        span = node.span
        exprs: tuple[n.Expr, ...] = ()
        if isinstance(node, n.Call):
            name, exprs, span = node.name.text, node.args, node.name.span
        if name not in self.symbols.procedures or name in ("setup", "play"):
            known = [p for p in self.symbols.procedures if p not in ("setup", "play")]
            if name in BUILT_IN_FUNCTIONS or isinstance(self.symbols.globals.get(name), n.Define):
                self.report.add(say.does_nothing(span, name))
            elif not name:
                if self.expr(node, scope) != k.UNKNOWN:
                    self.report.add(say.does_nothing(span, node.span.text))
            else:
                self.report.add(say.unknown_name(span, name, known))
            return ()
        args = tuple(param_kind(self.expr(e, scope)) for e in exprs)
        return self.procedure(span, name, args)

    def statement(self, node: n.Stmt, scope: Scope) -> None:
        match node:
            case n.Move():
                self._move(node, scope)
            case n.Fill():
                self.place(node.zone, scope)
                self.expect(node.size, scope, k.NUMBER)
                self.place(node.source, scope)
            case n.Transfer():
                self._transfer(node, scope)
            case n.Let():
                self._let(node, scope)
            case n.Draw():
                inner = self.elements(node.source, scope)
                if node.count is not None:
                    self.expect(node.count, scope, k.NUMBER)
                self.declare(node.name, k.several(inner) if node.count is not None else inner, scope)
            case n.Set():
                wanted = self.target(node.target, scope)
                if wanted.word == "number" and self._is_let(node.target, scope):
                    found = self.numeric(node.value, scope)
                else:
                    found = self.expect(node.value, scope, wanted)
                self._on_the_track(self._reached(node.target, scope), node.value)
                self._refine(node.target, found, scope)
            case n.Add():
                wanted = self.target(node.target, scope)
                if wanted.word == "list":
                    self.expect(node.value, scope, wanted.of or k.UNKNOWN, "one more of the list")
                    return
                found = self.numeric(node.value, scope)
                if not k.is_numeric(wanted):
                    self.report.add(say.wrong_kind(node.target.span, "a number or a list", str(wanted)))
                elif k.as_value(wanted).word == found.word == "amount":
                    self._units(node.target, k.as_value(wanted), node.value, found)
                self._refine(node.target, found, scope)
            case n.Shift():
                self._shift(node, scope)
            case n.Shuffle():
                self.place(node.zone, scope)
            case n.Reveal():
                self._reveal(node, scope)
            case n.Return():
                found_kinds = tuple(self.value(v, scope) for v in node.values)
                self._returned(node, found_kinds)
            case n.Require():
                self.condition(node.test, scope)
            case n.Run():
                self.run_target(node.target, scope)
            case n.Each():
                inside = scope.inner()
                for binder in node.binders:
                    self.bind(binder, inside)
                if node.where is not None:
                    self.condition(node.where, inside)
                self.block(node.body, inside)
            case n.If():
                for test, body in node.arms:
                    self.condition(test, scope)
                    self.block(body, scope.inner())
                self.block(node.other, scope.inner())
            case n.Repeat():
                self._repeat(node, scope)
            case n.Choose():
                self.choose(node, scope)
            case n.Secretly():
                self._secretly(node, scope)
            case n.Tentatively():
                self.block(node.body, scope.inner())
                self.block(node.otherwise or (), scope.inner())
            case n.Leave() | n.EndGame() | n.RollBack() | n.Nothing() | n.Mark():
                pass
            case _:
                assert_never(node)

    def _returned(self, node: n.Return, found: tuple[Kind, ...]) -> None:
        """Every `return` of a procedure gives as many values, of the same kinds."""
        first = self.current.results
        if not first:
            self.current.results = found
        elif found and len(found) != len(first):
            self.report.add(say.wrong_number_of_results(node.span, "", len(found), len(first)))
        elif found:
            for value, kind, other in zip(node.values, found, first, strict=True):
                if not k.agree(kind, other):
                    why = "another `return` gives " + str(other)
                    self.report.add(say.wrong_kind(value.span, str(other), str(kind), why))
            self.current.results = tuple(k.joined(a, b) for a, b in zip(first, found, strict=True))

    def _both(self, source: n.Expr, to: n.Expr, scope: Scope, word: str) -> bool:
        """Whether a statement has the wrong verb: both its ends fit the other one."""
        return self.expr(source, scope).word == self.expr(to, scope).word == word

    def _move(self, node: n.Move, scope: Scope) -> None:
        if node.source is not None:
            if self._both(node.source, node.to, scope, "account"):
                self.report.add(say.money_moved(node.span))
                return
            self.expect(node.what, scope, k.NUMBER, "how many")
            self.place(node.source, scope)
        else:
            found = self.expr(node.what, scope)
            inner = k.element(found) or found
            if not k.agree(inner, k.CARD):
                self.report.add(say.wrong_kind(node.what.span, "cards", str(found)))
        self.place(node.to, scope)

    def _transfer(self, node: n.Transfer, scope: Scope) -> None:
        if self._both(node.source, node.to, scope, "zone"):
            self.report.add(say.components_transferred(node.span, node.to.span))
            return
        amount = self.numeric(node.amount, scope)
        source, to = self.purse(node.source, scope), self.purse(node.to, scope)
        if source.word == to.word == "account" and source.name != to.name and source.name and to.name:
            self.report.add(say.wrong_unit(node.to.span, to.name, source.name, node.source.span))
        if amount.word == "amount" and source.word == "account" and amount.name != source.name and source.name:
            self.report.add(say.wrong_unit(node.amount.span, amount.name, source.name, node.source.span))

    def _let(self, node: n.Let, scope: Scope) -> None:
        value = node.value
        name = value.name.text if isinstance(value, n.Call) else value.name if isinstance(value, n.Ref) else ""
        if name in self.symbols.procedures and scope.kind(name) is None:
            before = len(self.report.items)
            results = self.run_target(value, scope)
            if len(results) != len(node.names) and len(self.report.items) == before:
                span = node.names[0].span.to(node.names[-1].span)
                self.report.add(say.wrong_number_of_results(span, name, len(results), len(node.names)))
            for index, item in enumerate(node.names):
                self.declare(item, results[index] if index < len(results) else k.UNKNOWN, scope)
            return
        kind = self.expr(value, scope)
        if len(node.names) > 1:
            span = node.names[0].span.to(node.names[-1].span)
            self.report.add(say.wrong_number_of_results(span, "", 1, len(node.names)))
            for extra in node.names[1:]:
                self.declare(extra, k.UNKNOWN, scope)
        first = node.names[0]
        self.lets.add(first.span)
        kind = self.current.refined.get(first.span, kind if kind.literal else k.as_value(kind))
        self.declare(first, kind, scope)

    def _is_let(self, node: n.Expr, scope: Scope) -> bool:
        """A local made by `let`, whose kind may still change from a number to an amount."""
        return isinstance(node, n.Ref) and scope.span(node.name) in self.lets

    def _shift(self, node: n.Shift, scope: Scope) -> None:
        found = self.expr(node.target, scope)
        self.expect(node.by, scope, k.NUMBER, "how many spaces")
        if not isinstance(self._reached(node.target, scope), n.Track) and found != k.UNKNOWN:
            self.report.add(
                say.wrong_kind(node.target.span, "a place on a track", str(found), "`shift` moves along a track")
            )

    def _reveal(self, node: n.Reveal, scope: Scope) -> None:
        """`reveal p.bid`, or `reveal bid` for those of everybody."""
        if isinstance(node.zone, n.Ref) and scope.kind(node.zone.name) is None:
            decl = self.symbols.globals.get(node.zone.name)
            if isinstance(decl, n.Zone):
                self.used.add(node.zone.name)
                return
        self.place(node.zone, scope)

    def _repeat(self, node: n.Repeat, scope: Scope) -> None:
        if node.times is not None:
            self.expect(node.times, scope, k.NUMBER, "how many times")
        if node.test_first is not None:
            self.condition(node.test_first, scope)
        inside = scope.inner()
        self.block(node.body, inside)
        if node.until is not None:
            self.condition(node.until, inside)

    def choose(self, node: n.Choose, scope: Scope) -> None:
        who = self.expr(node.who, scope)
        if not k.agree(who, k.PLAYER):
            self.report.add(say.not_a_player(node.who.span, str(who)))
        elif who == k.UNKNOWN and isinstance(node.who, n.Ref):
            self.report.lost.add(f"what {node.who.name} sees")  # nobody knows
        if node.otherwise is not None:
            self.block(node.otherwise, scope.inner())
        for branch in node.branches:
            inside = scope.inner() if node.named else scope
            self.picks(branch, inside)
            self.block(branch.body, inside)

    def picks(self, branch: n.Branch, inside: Scope) -> None:
        for pick in branch.picks:
            inner = self.elements(pick.source, inside)
            for bound in (pick.least, pick.most):
                if bound is not None:
                    self.expect(bound, inside, k.NUMBER)
            shaped = {"in": inner, "some": k.several(inner), "order": k.several(inner)}
            self.declare(pick.name, shaped.get(pick.shape, k.several(k.several(inner))), inside)
        for test in (branch.where, branch.such_that):
            if test is not None:
                self.condition(test, inside)

    def _secretly(self, node: n.Secretly, scope: Scope) -> None:
        inside = scope.inner()
        self.bind(node.binder, inside)
        choose = node.choose
        if (
            not isinstance(choose, n.Choose)
            or not isinstance(choose.who, n.Ref)
            or choose.who.name != node.binder.name.text
        ):
            self.report.add(say.secret_without_choice(choose.span, node.binder.name.text))
            return
        self.choose(choose, inside)
        self.block(node.body, inside)


def _branches(symbols: Symbols) -> set[str]:
    """The labels of all branches that players choose from."""
    rules = [d for d in (*symbols.procedures.values(), *symbols.others) if isinstance(d, (n.Procedure, n.Whenever))]
    return {b.label.text for b in descend(tuple(rules)) if isinstance(b, n.Branch) and b.label.text}
