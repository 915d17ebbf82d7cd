"""Whole random games -> Python: a choice, its answer at random and what follows from it are one function.

Nobody looks at a game between two choices of such play. So a function goes from one choice through all that its answers
lead to, up to the next choice, and around again where that is the same one. What only one function reads is not written
down in cells. Functions have the numbers of those that stop at choices: play can begin at any choice.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.asks import REFUEL, Asking, flat
from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.flow import Function, Node, Promote
from cambist.interpreter.compiled.keeping import kept, owned, private, spare
from cambist.interpreter.compiled.layout import CONTROL
from cambist.interpreter.compiled.plan import TAKE, TRY, Plan, plain_name, plain_some
from cambist.interpreter.compiled.statements import Line, Writer, before_return, placed

LEADING = (p.IAsk, p.IAskSealed, p.ITentative)


class Through:
    """The graph of control that does not stop at choices, nor where a procedure is run from several places. Its leaders
    are the choices."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.leaders: dict[Node, int] = {}
        for q in sorted(plan.running - plan.plain):
            for pc, one in enumerate(plan.codes[q]):
                if isinstance(one, LEADING):
                    self.lead(plan.node(q, pc))
                if isinstance(one, p.ITentative):
                    self.lead(plan.node(q, one.otherwise))

    def lead(self, node: Node) -> None:
        """One more leader: with its number, or a new one."""
        numbers = [*self.plan.leaders.values(), *self.leaders.values()]
        self.leaders.setdefault(node, self.plan.leaders.get(node, max(numbers) + 1))

    def next(self, node: Node) -> list[Node]:
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        match one:
            case p.IAsk():
                return self.plan.parts_of(node, self.plan.program.choices[one.choice])
            case p.IAskSealed():
                return [self.plan.node(q, pc + 1)]
            case p.ICall() if one.procedure not in self.plan.plain:
                return [self.plan.node(one.procedure, 0)]
            case p.IReturn() if q not in self.plan.plain and len(self.plan.calls[q]) > 1:
                return self._back(q, pc, part)
            case _:
                return self.plan.next(node)

    def _back(self, q: int, pc: int, part: int) -> list[Node]:
        """To whoever called: call after call is asked."""
        calls = self.plan.calls[q]
        if part >= TAKE:
            call = calls[part - TAKE]
            return [self.plan.node(call.caller, call.following)]
        number = part - TRY if part else 0
        last = number + 2 == len(calls)
        return [(q, pc, TAKE + number), (q, pc, TAKE + number + 1 if last else TRY + number + 1)]


class Answering(Writer):
    """Writes choices as their answers at random."""

    def _asking(self, node: Node) -> Asking:
        return Asking(self, (node[0], node[1], 0))

    def write(self, node: Node, indent: int) -> None:
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        if isinstance(one, p.IAskSealed):
            self.enter(node)
            self._asking(node).sealed_at_random(indent)
        elif isinstance(one, p.IAsk):
            self.enter(node)
            asking = self._asking(node)
            if part == 0:
                self._listed(asking, indent)
            else:
                self._taken(asking, part - TAKE, indent)
        elif isinstance(one, p.IReturn) and part >= TAKE:
            self.enter(node)
            call = self.plan.calls[q][part - TAKE]
            for k, slot in enumerate(call.results):
                self.put(indent, f"{self.cell_of(call.caller, slot)} = found[{k}]")
        else:
            super().write(node, indent)

    def branch(self, node: Node, indent: int) -> str:
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        if isinstance(one, p.IReturn):
            self.joined()
            self.enter(node)
            if part == 0:
                for line in before_return(self, one, q):
                    self.put(indent, line)
            return f"S[{self.e.layout.returns[q]}] == {part - TRY if part else 0}"
        if not isinstance(one, p.IAsk):
            return super().branch(node, indent)
        self.enter(node)
        asking = self._asking(node)
        if part == 0:
            self._listed(asking, indent)
            return asking.nothing
        number = part - TRY
        self._before(asking, number, indent)
        return f"place < size{number}" if asking.by_branch else f"branch == {number}"

    def limited(self, node: Node) -> bool:
        """Decisions are counted: a loop through a choice ends by that."""
        return not isinstance(self.plan.codes[node[0]][node[1]], p.IAsk)

    def _before(self, asking: Asking, number: int, indent: int) -> None:
        """What comes before the question whether it is this branch: the draw, for the first of them."""
        if number == 0:
            asking.drawn(indent)
        elif asking.by_branch:
            self.put(indent, f"place -= size{number - 1}")

    def _taken(self, asking: Asking, number: int, indent: int) -> None:
        branches = asking.plan.branches
        if number == len(branches) - 1:
            self._before(asking, number, indent)
        picks = branches[number].picks
        if not asking.by_branch:
            for line in placed(self, asking.plan, number):
                self.put(indent, line)
        elif len(picks) == 1:
            self.put(indent, f"{self.local(picks[0].slot)} = list{number}[place]")
        elif picks:
            self.put(indent, f"answer = list{number}[place]")
            for k, pick in enumerate(picks):
                self.put(indent, f"{self.local(pick.slot)} = answer[{k}]")

    def _listed(self, asking: Asking, indent: int) -> None:
        """The lines that list the answers; what they read several times is read once."""
        begin = len(self.lines)
        self.put(indent, REFUEL)
        asking.listed(indent)
        lines = [(i - indent + 1, text, place) for i, text, place in self.lines[begin:]]
        del self.lines[begin:]
        lines = kept([(0, "", -1), *lines], CONTROL, self.e.layout.locals_end)
        who = asking.one.who
        if isinstance(who, p.ELocal):
            lines = owned(lines, self.e.layout.locals[asking.q][who.slot])
        self.lines += [(i + indent - 1, text, place) for i, text, place in lines[1:]]


def fused(e: Expressions, plan: Plan) -> tuple[list[Line], dict[int, str]]:
    """The functions, and their names by number."""
    graph = Through(plan)
    while True:
        try:
            written = [_function(e, plan, graph, node) for node in graph.leaders]
        except Promote as promote:
            graph.lead(promote.node)
            continue
        break
    if not plan.tentative:
        written = private(written, _private_cells(e, plan))
    functions = [spare(kept(lines, e.layout.locals_begin, e.layout.locals_end)) for lines in written]
    lines = [line for function in functions for line in (*function, (0, "", -1), (0, "", -1))]
    return lines, {number: f"play_{number}" for number in graph.leaders.values()}


def _function(e: Expressions, plan: Plan, graph: Through, node: Node) -> list[Line]:
    w = Answering(e, plan, False)
    w.at_random = True
    w.enter(node)
    w.put(0, f"def play_{graph.leaders[node]}(S, X):")
    w.put(1, f'"""{plain_name(plan.program.procedures[node[0]].name)}"""')
    Function(graph, w).begin(node)
    return w.lines


def _private_cells(e: Expressions, plan: Plan) -> set[int]:
    """Locals of procedures that nothing but compiled functions reads: not those whose choices are left to domains/."""
    found: set[int] = set()
    for q in plan.running - plan.plain:
        asks = [one for one in plan.codes[q] if isinstance(one, (p.IAsk, p.IAskSealed))]
        choices = [plan.program.choices[one.choice] for one in asks]
        if all(flat(choice) or (choice.otherwise < 0 and plain_some(choice) is not None) for choice in choices):
            found |= set(e.layout.locals[q].values())
    return found
