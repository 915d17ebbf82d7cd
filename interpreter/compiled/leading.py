"""Which places begin a function of their own: a plan with all its leaders.

Every function is gone through as it will be written, without writing it. Where Python's forms do not fit, the place
becomes a leader (or a plain function becomes one that is cut at leaders), and what contains it is gone through again.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.flow import Each, Function, Node, Promote
from cambist.interpreter.compiled.plan import Plan
from cambist.interpreter.compiled.statements import Writer


class Bare:
    """The graph of a plain function: it has no leaders."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.leaders: dict[Node, int] = {}

    def next(self, node: Node) -> list[Node]:
        return self.plan.next(node)


class _Nothing:
    """For a writer that needs no expressions."""

    def fresh(self, name: str) -> str:
        return name


class Sketch(Writer):
    """Decides what a writer decides, and writes nothing."""

    def __init__(self, plan: Plan, names: dict[int, str] | None = None) -> None:
        nothing: Any = _Nothing()
        super().__init__(nothing, plan, False, names)

    def put(self, indent: int, text: str) -> None:
        pass

    def enter(self, node: Node) -> None:
        self.q = node[0]

    def local(self, slot: int) -> str:
        return ""

    def text(self, node: p.Expr) -> str:
        return ""

    def write(self, node: Node, indent: int) -> None:
        pass

    def branch(self, node: Node, indent: int) -> str:
        return ""

    def turn(self, each: Each, value: int | None, inside: set[Node]) -> None:
        pass

    def end(self, each: Each, indent: int) -> None:
        if ", given in " in each.head:
            self.answering = -1


def planned(program: p.Program) -> Plan:
    demoted: frozenset[int] = frozenset()
    while True:
        plan = Plan(program, demoted)
        try:
            for q in sorted(plan.plain):
                names = dict.fromkeys(range(program.procedures[q].locals), "")
                Function(Bare(plan), Sketch(plan, names)).begin(plan.node(q, 0))
        except Promote as promote:
            demoted |= {promote.node[0]}
            continue
        _promote(plan)
        return plan


def _promote(plan: Plan) -> None:
    sketched: dict[Node, set[Node]] = {}  # leader -> all that its function contains
    while True:
        left = [node for node in plan.leaders if node not in sketched]
        if not left:
            return
        for node in left:
            function = Function(plan, Sketch(plan))
            contains = set() if asks(plan, node) else set(function.reach(node, set()))
            try:
                if contains:
                    function.begin(node)
            except Promote as promote:
                plan.leaders.setdefault(promote.node, len(plan.leaders))
                sketched = {leader: inside for leader, inside in sketched.items() if promote.node not in inside}
                break
            sketched[node] = contains


def asks(plan: Plan, node: Node) -> bool:
    """Whether somebody is asked there: its functions are written in another way."""
    return node[2] == 0 and isinstance(plan.codes[node[0]][node[1]], (p.IAsk, p.IAskSealed))
