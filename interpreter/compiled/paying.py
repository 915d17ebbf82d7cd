"""What could run for longer than anybody waits: loops within loops, definitions that call others again and again.

In: a lowered program. Out: the procedures in which turns of loops are counted, and the procedures and definitions that
count each call of theirs. Most games need none of it: bounds that are known beforehand keep them far from the limit.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.walking import every_node
from cambist.interpreter.compiled.ways import Node, Ways
from cambist.interpreter.limits import STEPS_PER_DECISION

if TYPE_CHECKING:
    from cambist.interpreter.compiled.knowing import Knowing

MANY_TURNS = 5_000_000  # of a loop with all that it runs, at most: counted beyond that
MANY_CALLS = 16  # that one call of a definition or a procedure makes, all in all
ASKING = (p.IAsk, p.IAskSealed)


class Paying:
    def __init__(self, knowing: Knowing) -> None:
        self.program, self.knowing = knowing.program, knowing
        self.turns: dict[int, int] = {}  # procedure -> the most turns of loops in it
        self.long: set[int] = set()  # procedures with loops that may take more than MANY_TURNS, and what these run
        self.asks: dict[int, bool] = {}  # procedure -> whether it or what it runs asks somebody

    @cached_property
    def procedures(self) -> frozenset[int]:
        """Those in which turns of loops are counted."""
        for q in range(len(self.program.procedures)):
            self._turns(q)
        return frozenset(self.long)

    @cached_property
    def definitions(self) -> frozenset[int]:
        """Those that count each call of theirs."""
        values = [function.value for function in self.program.functions]
        return _busy([[x.function for x in every_node(value) if isinstance(x, p.ECall)] for value in values])

    @cached_property
    def running(self) -> frozenset[int]:
        """The procedures that count each time they are run."""
        codes = [procedure.code for procedure in self.program.procedures]
        return _busy([[one.procedure for one in code if isinstance(one, p.ICall)] for code in codes])

    def _asks(self, q: int) -> bool:
        if q not in self.asks:
            code = self.program.procedures[q].code
            self.asks[q] = any(
                isinstance(one, ASKING) or (isinstance(one, p.ICall) and self._asks(one.procedure)) for one in code
            )
        return self.asks[q]

    def _turns(self, q: int) -> int:
        if q not in self.turns:
            code = self.program.procedures[q].code
            begin = (q, -1, 0)
            nodes = [(q, k, 0) for k in range(len(code))]
            ways = Ways(begin, lambda node: self._next(node) if node != begin else nodes)
            self.turns[q] = self._within(ways, set(nodes))
        return self.turns[q]

    def _within(self, ways: Ways, nodes: set[Node]) -> int:
        """The most turns that a part of a procedure takes."""
        loops = ways.loops(nodes)
        found = sum(self._turns(one.procedure) for one in self._code(nodes - loops.keys()) if isinstance(one, p.ICall))
        for whole in {id(whole): whole for whole in loops.values()}.values():
            most = self._most(whole)
            turns = most * (1 + self._within(ways, whole - {min(whole)}))
            if most > 1 and turns > MANY_TURNS:
                self._lasts(min(whole)[0], whole)
            found += turns
        return found

    def _lasts(self, q: int, whole: set[Node]) -> None:
        self.long.add(q)
        todo = [one.procedure for one in self._code(whole) if isinstance(one, p.ICall)]
        while todo:
            run = todo.pop()
            if run not in self.long:
                self.long.add(run)
                todo += [one.procedure for one in self.program.procedures[run].code if isinstance(one, p.ICall)]

    def _most(self, whole: set[Node]) -> int:
        """How often a loop goes around until it ends or asks somebody."""
        inside = self._code(whole)
        if any(isinstance(one, ASKING) or (isinstance(one, p.ICall) and self._asks(one.procedure)) for one in inside):
            return 1
        head = self.program.procedures[min(whole)[0]].code[min(whole)[1]]
        if isinstance(head, p.IEachNext):
            begins = [one for one in self.program.procedures[min(whole)[0]].code if isinstance(one, p.IEachStart)]
            of_these = [one.items for one in begins if one.list_slot == head.list_slot]
            return max((self.knowing.longest(items, {}) for items in of_these), default=STEPS_PER_DECISION)
        return STEPS_PER_DECISION

    def _code(self, nodes: set[Node]) -> list[Any]:
        return [self.program.procedures[q].code[pc] for q, pc, _ in nodes]

    def _next(self, node: Node) -> list[Node]:
        q, pc, _ = node
        one: Any = self.program.procedures[q].code[pc]
        match one:
            case p.IJump():
                to = [one.to]
            case p.IUnless():
                to = [pc + 1, one.to]
            case p.IEachNext():
                to = [pc + 1, one.exit]
            case p.IAsk() | p.ITakeAnswer():
                plan = self.program.choices[one.choice]
                to = [branch.target for branch in plan.branches]
                to += [plan.otherwise] if plan.otherwise >= 0 else []
            case p.ITentative():
                to = [pc + 1, one.otherwise]
            case p.IReturn() | p.IEndGame() | p.IRollBack():
                to = []
            case _:
                to = [pc + 1]
        return [(q, k, 0) for k in to if k < len(self.program.procedures[q].code)]


def _busy(calls: list[list[int]]) -> frozenset[int]:
    """Those of which one call makes many others. `calls`: of each, whom it calls; none calls itself."""
    made: dict[int, int] = {}

    def count(index: int) -> int:
        if index not in made:
            made[index] = 1 + sum(map(count, calls[index]))
        return made[index]

    return frozenset(index for index in range(len(calls)) if count(index) > MANY_CALLS)
