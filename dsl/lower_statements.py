"""Statements -> flat code with jumps. One `Code` per procedure."""

from __future__ import annotations

from typing import Any, Protocol, assert_never

import attrs
from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.infer_names import Instance, param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.lower_expressions import (
    LARGEST_WRITTEN_OUT,
    MOST_WRITTEN_OUT,
    ExpressionLowerer,
    Frame,
    World,
    because,
)
from cambist.dsl.walk import descend


class ProcedureWorld(World, Protocol):
    watched: set[str]  # procedures that laws are asked after: their ends must be told apart

    def procedure(self, name: str, kinds: tuple[Kind, ...]) -> int: ...
    def add_choice(self, choice: p.Choice) -> int: ...
    def set_choice(self, index: int, choice: p.Choice) -> None: ...
    def meaning(self, kind: Kind) -> p.Meaning: ...
    def family(self, name: str) -> tuple[int, ...]: ...


class FunctionWorld(ProcedureWorld, Protocol):
    """Also what is asked of states without being part of the rules: laws, what is shown."""

    def add_function(self, function: p.Function) -> int: ...
    def make_function(
        self,
        name: str,
        params: tuple[str, ...],
        value: n.Expr,
        instance: Instance,
        notes: n.Notes,
        decl: n.Decl,
    ) -> p.Function: ...


@define
class LoopPlace:
    """A loop being lowered: the jumps that leave it, and how many tentative blocks were open when it
    began."""

    exits: list[int] = field(factory=list)
    tentative: int = 0


class StatementLowerer(ExpressionLowerer):
    world: ProcedureWorld

    def __init__(self, world: ProcedureWorld, name: str, instance: Instance, notes: n.Notes) -> None:
        super().__init__(world)
        self.name = name
        self.frame = Frame(instance, because=because(notes))
        self.code: list[p.Instr] = []
        self.loops: list[LoopPlace] = []
        self.tentative = 0
        self.choices = 0

    # ---- code

    def emit(self, instruction: p.Instr) -> int:
        self.code.append(instruction)
        return len(self.code) - 1

    @property
    def here(self) -> int:
        return len(self.code)

    def patch(self, index: int, **changes: Any) -> None:
        self.code[index] = attrs.evolve(self.code[index], **changes)

    def block(self, body: tuple[n.Stmt, ...]) -> None:
        self.frame.enter()
        skips: list[int] = []
        for statement in body:
            self.statement(statement, skips)
        for jump in skips:
            self.patch(jump, to=self.here)
        self.frame.leave()

    # ---- statements

    def statement(self, node: n.Stmt, skips: list[int]) -> None:
        outer = self.frame.because
        if node.notes and not (isinstance(node, n.Repeat) and node.until is not None):
            self.frame.because = because(node.notes)
        at = self.at(node)
        match node:
            case n.Move():
                self._move(node, at)
            case n.Fill():
                source, to = self.expr(node.source), self.expr(node.zone)
                self.emit(p.IDrawTop(self.expr(node.size), source, to, "", True, at))
            case n.Transfer():
                self._transfer(node, at)
            case n.Let():
                self._let(node, at)
            case n.Draw():
                items = self.items(node.source)
                drawn = k.element(self.kind(node.source)) or k.UNKNOWN
                count = None if node.count is None else self.expr(node.count)
                self.emit(p.IRandom(self.frame.new(node.name.text), count, items, self.world.meaning(drawn), at))
            case n.Set():
                self._set(node.target, node.value, False, at)
            case n.Add():
                self._set(node.target, node.value, True, at)
            case n.Shift():
                index, table = self._space(node.target)
                self.emit(p.ISetSpace(index, table, self.expr(node.by), True, at))
            case n.Shuffle():
                self.emit(p.IShuffle(self.expr(node.zone), at))
            case n.Reveal():
                self.emit(p.IReveal(self._zones(node.zone), node.shown, at))
            case n.Return():
                self.emit(p.IReturn(tuple(self.expr(v) for v in node.values), at))
            case n.Leave():
                self._leave()
            case n.EndGame():
                self.emit(p.IEndGame(node.reason or "the rules end the game", at))
            case n.RollBack():
                self.emit(p.IRollBack(at))
            case n.Nothing():
                pass
            case n.Require():
                self.emit(p.IRequire(self.expr(node.test), node.test.span.text, at))
            case n.Mark():
                self.emit(p.IMark(node.name.text, node.limit, at))
            case n.Run():
                name, args = _target(node.target)
                self._run(name, args, (), at)
            case n.Each():
                self._each(node, node.binders, at)
            case n.If():
                self._if(node, at)
            case n.Repeat():
                self._repeat(node, at)
            case n.Choose():
                self._choose(node, skips, at)
            case n.Secretly():
                self._secretly(node, at)
            case n.Tentatively():
                self._tentatively(node, at)
            case _:
                assert_never(node)
        self.frame.because = outer

    def _move(self, node: n.Move, at: p.At) -> None:
        to = self.expr(node.to)
        if node.source is not None:
            self.emit(p.IDrawTop(self.expr(node.what), self.expr(node.source), to, node.end, False, at))
            return
        single = k.element(self.kind(node.what)) is None
        what = self.expr(node.what) if single else self.items(node.what)
        self.emit(p.IMove(what, single, to, node.end, at))

    def _account(self, node: n.Expr) -> p.Expr:
        found = self.owned_args(node)
        assert found is not None
        return self.index_of(*found)

    def _transfer(self, node: n.Transfer, at: p.At) -> None:
        amount = self.expr(node.amount, self.kind(node.source))
        self.emit(p.ITransfer(amount, self._account(node.source), self._account(node.to), at))

    def _let(self, node: n.Let, at: p.At) -> None:
        name, args = _target(node.value) if isinstance(node.value, (n.Ref, n.Call)) else ("", ())
        if name in self.world.symbols.procedures and self.frame.slot(name) is None:
            lowered = tuple(self.expr(a) for a in args)
            kinds = tuple(param_kind(self.kind(a)) for a in args)
            slots = tuple(self.frame.new(item.text) for item in node.names)
            self.emit(p.ICall(self.world.procedure(name, kinds), lowered, slots, at))
            return
        value = self.expr(node.value, self.frame.instance.refined.get(node.names[0].span))
        if k.element(self.kind(node.value)) is not None and self.kind(node.value).word == "list":
            value = self.items(node.value)
        self.emit(p.ISetLocal(self.frame.new(node.names[0].text), value, at))

    def _set(self, target: n.Expr, value: n.Expr, add: bool, at: p.At) -> None:
        kind = k.as_value(self.kind(target))
        if kind.word == "list" and add:  # one more at its end
            lowered: p.Expr = p.EOp("join", self.items(target), p.EItems((self.expr(value, kind.of),)), at)
            add = False
        else:
            lowered = self.items(value) if kind.word == "list" else self.expr(value, kind)
        if isinstance(target, n.Ref):
            slot = self.frame.slot(target.name)
            if slot is not None:
                if add:
                    lowered = p.EOp("+", p.ELocal(slot), lowered, at)
                self.emit(p.ISetLocal(slot, lowered, at))
                return
        found = self.owned_args(target)
        assert found is not None
        decl, args = found
        index = self.index_of(decl, args)
        if isinstance(decl, n.Track):
            space = p.ESpace(self.world.table(decl.name.text), p.EVar(index))
            if add:
                lowered = p.EOp("+", space, lowered, at)
            self.emit(p.ISetSpace(index, self.world.table(decl.name.text), lowered, False, at))
        else:
            self.emit(p.ISetVar(index, lowered, add, at))

    def _space(self, node: n.Expr) -> tuple[p.Expr, int]:
        found = self.owned_args(node)
        assert found is not None
        return self.index_of(*found), self.world.table(found[0].name.text)

    def _zones(self, node: n.Expr) -> p.Expr:
        if isinstance(node, n.Ref) and self.frame.slot(node.name) is None:
            return p.EList(self.world.family(node.name))
        return p.EItems((self.expr(node),))

    def _run(self, name: str, args: tuple[n.Expr, ...], results: tuple[int, ...], at: p.At) -> None:
        kinds = tuple(param_kind(self.kind(a)) for a in args)
        lowered = tuple(self.expr(a) for a in args)
        decl = self.world.symbols.procedures[name]
        apart = bool(results) or name in self.world.watched or self.frame.depth >= MOST_WRITTEN_OUT
        if not apart and can_be_written_out(decl):
            self._written_out(decl, self.world.instance((name, kinds)), lowered, at)
        else:
            self.emit(p.ICall(self.world.procedure(name, kinds), lowered, results, at))

    def _written_out(self, decl: n.Procedure, instance: Instance, values: tuple[p.Expr, ...], at: p.At) -> None:
        """A small procedure's statements in place of the call: same effect, no frame."""
        outer, loops = self.frame, self.loops
        self.frame = Frame(
            instance, outer.names, because=because(decl.notes) if decl.notes else outer.because, depth=outer.depth + 1
        )
        self.frame.written_out = outer.written_out
        self.frame.written_out.add(decl.name.text)
        self.loops = []
        for param, value in zip(decl.params, values, strict=True):
            if isinstance(value, (p.ELocal, p.EConst)):
                self.frame.values[param.text] = value
            else:
                self.emit(p.ISetLocal(self.frame.new(param.text), value, at))
        self.block(decl.body)
        self.frame, self.loops = outer, loops

    def _leave(self) -> None:
        loop = self.loops[-1]
        for _ in range(self.tentative - loop.tentative):
            self.emit(p.IKeep())
        loop.exits.append(self.emit(p.IJump(-1)))

    def _loop_ends(self) -> None:
        for jump in self.loops.pop().exits:
            self.patch(jump, to=self.here)

    def _each(self, node: n.Each, binders: tuple[n.Binder, ...], at: p.At) -> None:
        self.loops.append(LoopPlace(tentative=self.tentative))
        self.frame.enter()
        self._each_nested(node, binders, at)
        self.frame.leave()
        self._loop_ends()

    def _each_nested(self, node: n.Each, binders: tuple[n.Binder, ...], at: p.At) -> None:
        if not binders:
            skip = -1 if node.where is None else self.emit(p.IUnless(self.expr(node.where), -1, at))
            self.block(node.body)
            if skip >= 0:
                self.patch(skip, to=self.here)
            return
        binder = binders[0]
        items = self.source(binder.source)
        many, index = self.frame.hidden("each"), self.frame.hidden("each at")
        self.emit(p.IEachStart(items, many, index, at))
        top = self.emit(p.IEachNext(many, index, self.frame.new(binder.name.text), -1))
        self._each_nested(node, binders[1:], at)
        self.emit(p.IJump(top))
        self.patch(top, exit=self.here)

    def _if(self, node: n.If, at: p.At) -> None:
        ends = []
        for test, body in node.arms:
            skip = self.emit(p.IUnless(self.expr(test), -1, at))
            self.block(body)
            ends.append(self.emit(p.IJump(-1)))
            self.patch(skip, to=self.here)
        self.block(node.other)
        for jump in ends:
            self.patch(jump, to=self.here)

    def _repeat(self, node: n.Repeat, at: p.At) -> None:
        self.loops.append(LoopPlace(tentative=self.tentative))
        if node.times is not None:
            many, index, each = (self.frame.hidden(w) for w in ("times", "times at", "time"))
            times = p.ERange(p.EConst(1), self.expr(node.times), p.EConst(1), at)
            self.emit(p.IEachStart(times, many, index, at))
            top = self.emit(p.IEachNext(many, index, each, -1))
            self.block(node.body)
            self.emit(p.IJump(top))
            self.patch(top, exit=self.here)
        else:
            top = self.here
            leave = -1 if node.test_first is None else self.emit(p.IUnless(self.expr(node.test_first), -1, at))
            self.frame.enter()
            skips: list[int] = []
            for statement in node.body:
                self.statement(statement, skips)
            for jump in skips:
                self.patch(jump, to=self.here)
            if node.until is not None:
                self.emit(p.IUnless(self.expr(node.until), top, self.at(node.until, node.notes)))
            else:
                self.emit(p.IJump(top))
            self.frame.leave()
            if leave >= 0:
                self.patch(leave, to=self.here)
        self._loop_ends()

    # ---- choices

    def _choose(self, node: n.Choose, skips: list[int], at: p.At) -> None:
        index = self._new_choice(at)
        self.emit(p.IAsk(index, self.expr(node.who), at))
        self._branches(node, index, -1, skips, at)

    def _new_choice(self, at: p.At) -> int:
        self.choices += 1
        return self.world.add_choice(p.Choice(f"{self.name}/{self.choices}", (), -1, -1, at))

    def _branches(self, node: n.Choose, index: int, who_slot: int, skips: list[int], at: p.At) -> None:
        """Each branch's plan and code; a nameless one goes on with the rest of its block."""
        name = f"{self.name}/{self.choices}"
        otherwise = -1
        ends: list[int] = []
        if node.otherwise is not None:
            otherwise = self.here
            self.block(node.otherwise)
            (ends if node.named else skips).append(self.emit(p.IJump(-1)))
        branches = []
        for branch in node.branches:
            if node.named:
                self.frame.enter()
            outer = self.frame.because
            if branch.notes:
                self.frame.because = because(branch.notes)
            plan = self._branch(branch, at)
            branches.append(attrs.evolve(plan, target=self.here))
            if node.named:
                self.block(branch.body)
                self.frame.leave()
                ends.append(self.emit(p.IJump(-1)))
            self.frame.because = outer
        for jump in ends:
            self.patch(jump, to=self.here)
        self.world.set_choice(index, p.Choice(name, tuple(branches), who_slot, otherwise, at))

    def _branch(self, branch: n.Branch, at: p.At) -> p.Branch:
        picks = []
        for pick in branch.picks:
            source = self.items(pick.source)
            least = None if pick.least is None else self.expr(pick.least)
            if pick.shape == "some" and least is None and not pick.possibly_none:
                least = p.EConst(1)
            most = None if pick.most is None else self.expr(pick.most)
            inner = k.element(self.kind(pick.source)) or k.UNKNOWN
            meaning = self.world.meaning(inner)
            picks.append(
                p.Pick(self.frame.new(pick.name.text), pick.name.text, pick.shape, source, least, most, meaning)
            )
        where = self._tests(branch.where)
        such_that = self._tests(branch.such_that)
        place = p.At(branch.span, self.frame.because)
        return p.Branch(branch.label.text, tuple(picks), where, such_that, -1, place)

    def _tests(self, test: n.Expr | None) -> tuple[p.Test, ...]:
        """The parts joined by `and`, each with the name of the definition it asks, or its own words."""
        if test is None:
            return ()
        if isinstance(test, n.Binary) and test.op == "and":
            return (*self._tests(test.left), *self._tests(test.right))
        name = " ".join(test.span.text.split())
        notes = self.frame.because
        inner = test.value if isinstance(test, n.Not) else test
        if isinstance(inner, (n.Call, n.Is, n.Ref)):
            called = inner.name if isinstance(inner, n.Ref) else inner.name.text
            decl = self.world.symbols.globals.get(called)
            if isinstance(decl, n.Define):
                name = called
                notes = because(decl.notes) if decl.notes else notes
        return (p.Test(self.expr(test), name, p.At(test.span, notes)),)

    def _secretly(self, node: n.Secretly, at: p.At) -> None:
        choose = node.choose
        assert isinstance(choose, n.Choose)
        self.frame.enter()
        deciders_items = self.source(node.binder.source)
        deciders, answers, index = (self.frame.hidden(w) for w in ("deciders", "answers", "decider at"))
        who = self.frame.new(node.binder.name.text)
        choice = self._new_choice(at)
        self.emit(p.IAskSealed(choice, deciders_items, deciders, answers, at))
        self.emit(p.IEachStart(p.ELocal(deciders), deciders, index, at))
        top = self.emit(p.IEachNext(deciders, index, who, -1))
        self.emit(p.ITakeAnswer(choice, answers, index))
        skips: list[int] = []
        self._branches(choose, choice, who, skips, at)
        for statement in node.body:
            self.statement(statement, skips)
        for jump in skips:
            self.patch(jump, to=self.here)
        self.emit(p.IJump(top))
        self.patch(top, exit=self.here)
        self.frame.leave()

    def _tentatively(self, node: n.Tentatively, at: p.At) -> None:
        begin = self.emit(p.ITentative(-1, at))
        self.tentative += 1
        self.block(node.body)
        self.tentative -= 1
        self.emit(p.IKeep())
        done = self.emit(p.IJump(-1))
        self.patch(begin, otherwise=self.here)
        self.block(node.otherwise or ())
        self.patch(done, to=self.here)


def can_be_written_out(decl: n.Procedure) -> bool:
    """Small, asks nobody, returns nothing, sets none of its parameters."""
    if decl.word != "procedure":
        return False
    params = {param.text for param in decl.params}
    size = 0
    for node in descend(decl.body):
        size += 1
        if isinstance(node, (n.Return, n.Choose, n.Secretly, n.Tentatively, n.RollBack)):
            return False
        if isinstance(node, (n.Set, n.Add)) and isinstance(node.target, n.Ref) and node.target.name in params:
            return False
    return size <= LARGEST_WRITTEN_OUT


def _target(node: n.Expr) -> tuple[str, tuple[n.Expr, ...]]:
    if isinstance(node, n.Call):
        return node.name.text, node.args
    assert isinstance(node, n.Ref)
    return node.name, ()
