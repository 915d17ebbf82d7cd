"""The plan of a compilation: procedures that run through without asking, the calls of the others, and the graph of
control over all of them.

A procedure that neither asks anybody nor ends the game is a plain function with Python's own variables. The others are
cut into functions at their leaders; their locals lie in cells, so that the game can stop at every choice.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from cambist.dsl import program as p
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.limits import FRAMES

STOPPING = (p.IAsk, p.IAskSealed, p.IEndGame, p.ITentative, p.IRollBack, p.IKeep)
START = -1  # the caller of a procedure that the game begins with
IN, OUT, TRY, TAKE = 1, 2, 10, 1_000  # parts of loops (next thing, none left) and of sealed answers (which, its values)


class NotCompiled(Exception):
    """Something rare that the reference machine plays instead; says what."""


@frozen
class Call:
    """One place that runs a procedure: where it goes on, which locals get the results."""

    caller: int
    pc: int
    following: int
    results: tuple[int, ...]


class Plan:
    def __init__(self, program: p.Program, demoted: frozenset[int] = frozenset()) -> None:
        self.program = program
        self.codes: list[tuple[Any, ...]] = [procedure.code for procedure in program.procedures]
        if program.triggers:
            raise NotCompiled("triggers")
        self.running = self._reached()
        known: dict[int, bool] = {}
        self.plain = {q for q in self.running if q not in demoted and self._runs_through(q, known)}
        self.plain -= {program.play, program.setup}
        self.calls: dict[int, list[Call]] = {q: [] for q in self.running}
        for q in sorted(self.running - self.plain):
            for pc, node in enumerate(self.codes[q]):
                if isinstance(node, p.ICall) and node.procedure not in self.plain:
                    self.calls[node.procedure].append(Call(q, pc, self.after(q, pc), node.results))
        if program.setup >= 0:
            self.calls[program.setup].append(Call(program.play, START, 0, ()))
        self.rolls_back = any(isinstance(node, p.IRollBack) for q in self.running for node in self.codes[q])
        self.tentative = any(isinstance(node, p.ITentative) for q in self.running for node in self.codes[q])
        self.noted: dict[tuple[int, int], p.At] = {}  # instructions -> where they stand
        self.values: dict[tuple[int, int], set[int] | None] = {}  # locals -> all numbers they can be, see numbered.py
        self._next: dict[Node, list[Node]] = {}  # asked again and again while functions are written
        self._arrivals: dict[int, frozenset[int]] = {}
        self.leaders: dict[Node, int] = {}
        for node in self._first_leaders():
            self.leaders.setdefault(node, len(self.leaders))

    # ---- which procedures there are

    def _reached(self) -> set[int]:
        deepest: dict[int, int] = {}
        todo = [(q, 1) for q in (self.program.play, self.program.setup) if q >= 0]
        while todo:
            q, depth = todo.pop()
            if depth > FRAMES:
                raise NotCompiled("calls nested too deeply")
            if depth > deepest.get(q, 0):
                deepest[q] = depth
                todo += [(n.procedure, depth + 1) for n in self.codes[q] if isinstance(n, p.ICall)]
        return set(deepest)

    def _runs_through(self, q: int, known: dict[int, bool]) -> bool:
        if q not in known:
            known[q] = not any(
                isinstance(node, STOPPING)
                or (isinstance(node, p.ICall) and not self._runs_through(node.procedure, known))
                for node in self.codes[q]
            )
        return known[q]

    # ---- control

    def settled(self, q: int, pc: int) -> int:
        seen = set()
        code = self.codes[q]
        while pc not in seen and isinstance(code[pc], p.IJump):
            seen.add(pc)
            pc = code[pc].to
        return pc

    def after(self, q: int, pc: int) -> int:
        return self.settled(q, pc + 1)

    def node(self, q: int, pc: int, part: int = 0) -> Node:
        return (q, self.settled(q, pc) if part == 0 else pc, part)

    @property
    def beginning(self) -> Node:
        """Where games begin."""
        return self.node(self.program.setup if self.program.setup >= 0 else self.program.play, 0)

    def _first_leaders(self) -> list[Node]:
        found: list[Node] = []
        for q in sorted(self.running - self.plain):
            if q in (self.program.play, self.program.setup) or len(self.calls[q]) > 1:
                found.append(self.node(q, 0))
                found += [self.node(call.caller, call.following) for call in self.calls[q]]
            for pc, node in enumerate(self.codes[q]):
                match node:
                    case p.IAsk():
                        plan = self.program.choices[node.choice]
                        found.append(self.node(q, pc))
                        found += [self.node(q, branch.target) for branch in plan.branches]
                        if plan.otherwise >= 0:
                            found.append(self.node(q, plan.otherwise))
                    case p.IAskSealed():
                        found += [self.node(q, pc), self.node(q, pc + 1)]
                    case p.IShuffle() | p.IRandom() if q in (self.program.play, self.program.setup):
                        found.append(self.node(q, pc))  # up to the first of them all games are the same
                    case p.ITentative():
                        found += [self.node(q, pc), self.node(q, node.otherwise)]
                    case _:
                        pass
        return found

    def leave(self, node: Node) -> str:
        return f"return {self.leaders[node]}"

    def next(self, node: Node) -> list[Node]:
        """Where control can go from here without stopping; the first of two if the test holds."""
        found = self._next.get(node)
        if found is None:
            found = self._next[node] = self._following(node)
        return found

    def _following(self, node: Node) -> list[Node]:
        q, pc, part = node
        one: Any = self.codes[q][pc]
        match one:
            case p.IUnless():
                return [self.node(q, pc + 1), self.node(q, one.to)]
            case p.IEachNext():
                if part == 0:
                    return [(q, pc, IN), (q, pc, OUT)]
                return [self.node(q, pc + 1 if part == IN else one.exit)]
            case p.ITakeAnswer():
                return self._take(q, pc, part, self.program.choices[one.choice])
            case p.IAsk() | p.IAskSealed() | p.IEndGame() | p.IRollBack():
                return []
            case p.ICall() if one.procedure not in self.plain:
                return [] if len(self.calls[one.procedure]) > 1 else [self.node(one.procedure, 0)]
            case p.IReturn():
                if q in self.plain or len(self.calls[q]) != 1:
                    return []
                (call,) = self.calls[q]
                return [self.node(call.caller, call.following)]
            case _:
                return [self.node(q, pc + 1)]

    def _take(self, q: int, pc: int, part: int, plan: p.Choice) -> list[Node]:
        """First whether there is no answer, then branch after branch."""
        if part >= TAKE:
            return [self.node(q, plan.branches[part - TAKE].target)]
        last = len(plan.branches) - 1
        if part == 0 and plan.otherwise >= 0:
            return [self.node(q, plan.otherwise), self._try(q, pc, 0, last)]
        if part == 0:
            return [self._try(q, pc, 0, last)]
        number = part - TRY
        return [(q, pc, TAKE + number), self._try(q, pc, number + 1, last)]

    def _try(self, q: int, pc: int, number: int, last: int) -> Node:
        return (q, pc, TAKE + number) if number == last else (q, pc, TRY + number)

    def parts_of(self, node: Node, plan: p.Choice) -> list[Node]:
        """The ways on from a choice that is answered on the spot, as those of an answer that is taken."""
        return self._take(*node, plan)

    def at(self, q: int, pc: int) -> p.At:
        """The place of an instruction, or of the nearest before it that has one."""
        for index in range(pc, -1, -1):
            found: p.At | None = getattr(self.codes[q][index], "at", None)
            if found is not None:
                return found
        return self.program.procedures[q].at

    def written_by(self, q: int, pc: int) -> tuple[int, ...]:
        return written(self, q, pc)

    def list_of(self, q: int, what: p.Expr) -> tuple[int, ...]:
        """The things of a list that the rules name; or of a local that is always that list."""
        if isinstance(what, p.EList):
            return what.values
        if not isinstance(what, p.ELocal) or what.slot < self.program.procedures[q].params:
            return ()
        writes = [one for pc, one in enumerate(self.codes[q]) if what.slot in written(self, q, pc)]
        if len(writes) != 1 or not isinstance(writes[0], p.ISetLocal) or writes[0].value == what:
            return ()
        return self.list_of(q, writes[0].value)

    def arrivals(self, q: int) -> frozenset[int]:
        """The instructions of a procedure that something comes to besides the one before."""
        if q not in self._arrivals:
            self._arrivals[q] = _arrivals(self, q)
        return self._arrivals[q]

    def stored(self, q: int) -> list[int]:
        """The locals that instructions of a procedure write into; the others stay 0."""
        return sorted({slot for pc in range(len(self.codes[q])) for slot in written(self, q, pc)})


def written(plan: Plan, q: int, pc: int) -> tuple[int, ...]:
    """The locals that one instruction writes into."""
    one = plan.codes[q][pc]
    match one:
        case p.ISetLocal() | p.IRandom():
            return (one.slot,)
        case p.IEachStart():
            return (one.list_slot, one.index_slot)
        case p.IEachNext():
            return (one.list_slot, one.index_slot, one.slot)
        case p.ICall():
            return tuple(one.results)
        case p.IAsk() | p.ITakeAnswer():
            return tuple(pick.slot for b in plan.program.choices[one.choice].branches for pick in b.picks)
        case p.IAskSealed():
            return (one.deciders_slot, one.answers_slot)
        case _:
            return ()


def _arrivals(plan: Plan, q: int) -> frozenset[int]:
    found: set[int] = set()
    for one in plan.codes[q]:
        match one:
            case p.IJump() | p.IUnless():
                found.add(one.to)
            case p.IEachNext():
                found.add(one.exit)
            case p.ITentative():
                found.add(one.otherwise)
            case p.IAsk() | p.ITakeAnswer():
                choice = plan.program.choices[one.choice]
                found |= {choice.otherwise, *(branch.target for branch in choice.branches)}
            case _:
                pass
    return frozenset(found)


def plain_some(choice: p.Choice) -> p.Pick | None:
    """The pick of a choice that is nothing but some of several things, under no condition."""
    (branch, *more) = choice.branches
    if more or len(branch.picks) != 1 or branch.where or branch.such_that or branch.picks[0].shape != "some":
        return None
    pick: p.Pick = branch.picks[0]
    return pick


def plain_name(text: str) -> str:
    """A name of the rules as a part of a Python name: nothing else gets into the source."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:40]
