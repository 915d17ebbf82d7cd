"""Statements: what is moved, set, asked and run, and of which kinds. A part of infer.py's pass."""

from __future__ import annotations

from typing import assert_never

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.infer_declarations import DeclarationInferer
from cambist.dsl.infer_names import param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS


class StatementInferer(DeclarationInferer):
    lets: set[Span]  # where locals were made by `let`
    chooser: Scope | None

    def procedure(self, span: Span, name: str, args: tuple[Kind, ...]) -> tuple[Kind, ...]:
        """What running a procedure gives: infer.py makes an instance of it."""
        raise NotImplementedError

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
            if name in BUILT_IN_FUNCTIONS or isinstance(self.symbols.globals.get(name), n.Define):
                self.report.add(say.does_nothing(span, name))
            elif not name:
                if self.expr(node, scope) != k.UNKNOWN:
                    self.report.add(say.does_nothing(span, node.span.text))
            else:
                others = self.symbols.procedures.items()
                known = {p: len(decl.params) for p, decl in others if p not in ("setup", "play")}
                self.unknown_call(span, name, known, len(exprs))
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
                value = k.as_value(wanted)
                if not k.is_numeric(wanted):
                    self.report.add(say.wrong_kind(node.target.span, "a number or a list", str(wanted)))
                elif value.word == found.word == "amount":
                    self._units(node.target, value, node.value, found)
                elif found.word == "amount" and not self._is_let(node.target, scope):
                    self.report.add(say.wrong_kind(node.value.span, str(value), str(found)))
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
        labels: dict[str, n.Name] = {}
        for branch in node.branches:
            first = labels.setdefault(branch.label.text, branch.label)
            if node.named and first is not branch.label:
                help = "rename one of them: an answer is told by the name of its branch"
                self.report.add(say.declared_twice(branch.label.span, branch.label.text, first.span, help))
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
