"""Choices with all that follows from their answers -> Python: with answers at random, for whole games; or with the
answer that is given, for games step by step.

In whole random games nobody looks at a game between two choices. So a function begins at a choice that games begin
with, and goes on through everything that follows, around and around; where two ways meet that Python's forms can't
bring together, another function begins. Step by step, a function goes from an answer up to the next choice. Functions
have the numbers of those that stop at choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.asks import REFUEL, Asking, one_by_one
from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.flow import Function, Promote
from cambist.interpreter.compiled.layout import CONTROL, DECISIONS, FORCED
from cambist.interpreter.compiled.listing import flat
from cambist.interpreter.compiled.plan import TAKE, TRY, Plan, plain_name, plain_some
from cambist.interpreter.compiled.rewriting.keeping import kept, mentioned, owned, private, spare
from cambist.interpreter.compiled.statements import before_return, placed
from cambist.interpreter.compiled.ways import Node, Ways
from cambist.interpreter.compiled.writer import Line, Writer

LEADING = (p.IAsk, p.IAskSealed)
TURNS_OF_GAME = 1_000_000  # of a loop with choices in it, all of them without an answer


class Through:
    """The graph of control that goes through procedures that several places run. Its leaders are the choices."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.leaders: dict[Node, int] = {}
        self.known: dict[Node, list[Node]] = {}
        self.straight: set[Node] = set()  # leaders whose functions do not go around
        for node in self.first(plan):
            self.lead(node)

    def first(self, plan: Plan) -> list[Node]:
        """The leaders to begin with: all choices."""
        return [
            plan.node(q, pc)
            for q in sorted(plan.running - plan.plain)
            for pc, one in enumerate(plan.codes[q])
            if isinstance(one, LEADING)
        ]

    def lead(self, node: Node) -> None:
        """One more leader: with its number, or a new one."""
        numbers = [*self.plan.leaders.values(), *self.leaders.values()]
        self.leaders.setdefault(node, self.plan.leaders.get(node, max(numbers) + 1))

    def leave(self, node: Node) -> str:
        return f"return {self.leaders[node]}"

    def next(self, node: Node) -> list[Node]:
        if node not in self.known:
            self.known[node] = self._next(node)
        return self.known[node]

    def _next(self, node: Node) -> list[Node]:
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


class Whole(Through):
    """The same for whole games: only the choices that a game can begin with are leaders."""

    def first(self, plan: Plan) -> list[Node]:
        found: dict[Node, None] = {}
        todo = [plan.beginning]
        seen: set[Node] = set()
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            if isinstance(plan.codes[node[0]][node[1]], LEADING):
                found[node] = None
            else:
                todo += self.next(node)
        return list(found)


class Stopping(Through):
    """The same for functions that stop at the next choice."""

    def leave(self, node: Node) -> str:
        number = self.leaders[node]
        return f"return ask_{number}(S, X)" if asks_somebody(self.plan, node) else f"return {number}"


class Answering(Writer):
    """Writes choices as their answers at random."""

    through = True

    def __init__(self, e: Expressions, plan: Plan, graph: Through) -> None:
        super().__init__(e, plan, told=False)
        self.graph = graph

    def by_branch(self, asking: Asking) -> bool:
        return asking.by_branch

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
            if not call.results:
                self.put(indent, "pass")
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
        return f"place < size{number}" if self.by_branch(asking) else f"branch == {number}"

    def asked_one_by_one(self, q: int, one: p.ITakeAnswer) -> tuple[int, ...]:
        asked = [n for n in self.plan.codes[q] if isinstance(n, p.IAskSealed) and n.answers_slot == one.answers_slot]
        if len(asked) != 1 or not one_by_one(self.e, asked[0], self.plan.program.choices[one.choice]):
            return ()
        deciders = asked[0].deciders
        return deciders.values if isinstance(deciders, p.EList) else ()

    def _without_answer(self, node: Node) -> list[Node]:
        """Where control can go from here if nobody decides anything."""
        q, pc, part = node
        one = self.plan.codes[q][pc]
        if not isinstance(one, p.IAsk):
            return self.graph.next(node)
        otherwise = self.plan.program.choices[one.choice].otherwise
        return [] if part or otherwise < 0 else [self.plan.node(q, otherwise)]

    def limit(self, node: Node, inside: set[Node]) -> tuple[str, str]:
        """Decisions are counted: a loop of which no turn goes without one ends by that. A loop that goes on for a whole
        game may have many more turns than one between two choices."""
        if node not in Ways(node, lambda n: [to for to in self._without_answer(n) if to in inside]).loops():
            return "", ""
        if any(isinstance(self.plan.codes[q][pc], LEADING) for q, pc, _ in inside):
            return self.most_turns(node, str(TURNS_OF_GAME))
        return super().limit(node, inside)

    def _before(self, asking: Asking, number: int, indent: int) -> None:
        """What comes before the question whether it is this branch: the draw, for the first of them."""
        if number == 0:
            asking.draw_one(indent)
        elif self.by_branch(asking):
            self.put(indent, f"place -= size{number - 1}")

    def _taken(self, asking: Asking, number: int, indent: int) -> None:
        branches = asking.plan.branches
        if number == len(branches) - 1:
            self._before(asking, number, indent)
        picks = branches[number].picks
        self.giver = f"_{asking.number}" if asking.in_variables else ""
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


class Taking(Answering):
    """Writes what follows from an answer that was given, up to the next choice."""

    def __init__(self, e: Expressions, plan: Plan, graph: Through) -> None:
        super().__init__(e, plan, graph)
        self.remembers = True

    def _before(self, asking: Asking, number: int, indent: int) -> None:
        if number == 0 and len(asking.plan.branches) > 1:
            self.put(indent, "branch = answer[0]")

    def _taken(self, asking: Asking, number: int, indent: int) -> None:
        for line in placed(self, asking.plan, number):
            self.put(indent, line)
        if self.latest is not None:
            self.put(indent, f"kept = S[{self.e.layout.rests(self.e.program.players)} + player]")

    def by_branch(self, asking: Asking) -> bool:
        return False


def at_random(e: Expressions, plan: Plan) -> tuple[list[list[Line]], dict[int, str]]:
    """The functions that play on at random, and their names by number."""
    graph = Through(plan) if plan.rolls_back else Whole(plan)
    written = _written(graph, lambda node: _playing(e, plan, graph, node))
    if not plan.rolls_back:
        made = [[line] for lines in e.made.values() for line in lines]
        written = private(written, _private_cells(e, plan) - mentioned(made))
    return written, {number: f"play_{number}" for number in graph.leaders.values()}


def by_answer(e: Expressions, plan: Plan) -> tuple[list[Line], dict[int, str], dict[int, str]]:
    """The functions that go on from an answer to the next choice, by the number of the choice that was answered; and
    those that they go on with besides the functions of leaders, by number."""
    graph = Stopping(plan)
    asks = dict(graph.leaders)
    written = _written(graph, lambda node: _stepping(e, plan, graph, node))
    more = {number: f"on_{number}" for node, number in graph.leaders.items() if node not in plan.leaders}
    takes = {number: f"take_{number}" for node, number in asks.items() if asks_somebody(plan, node)}
    return together(tidied(e, [lines for lines in written if lines])), takes, more


Written = tuple[list[Line], set[Node]]  # a function, and the nodes in it


def _written(graph: Through, function: Callable[[Node], Written]) -> list[list[Line]]:
    """The functions of all leaders. A new leader makes only those be written anew that went through it, and these after
    all others, since others may find more leaders in them."""
    found: dict[Node, Written] = {}
    todo = dict.fromkeys(graph.leaders)
    while todo:
        node = next(iter(todo))
        del todo[node]
        try:
            found[node] = function(node)
        except Promote as promote:
            q, pc, part = leader = promote.node
            todo[node] = None
            if part and isinstance(graph.plan.codes[q][pc], p.IAsk):  # inside of a choice
                leader = (q, pc, 0)
                if leader in graph.leaders and node not in graph.straight:
                    graph.straight.add(node)
                    continue
            graph.lead(leader)
            gone = [one for one, (_, through) in found.items() if leader in through]
            todo |= dict.fromkeys([*gone, leader])
            for one in gone:
                del found[one]
    return [found[node][0] for node in graph.leaders]


def tidied(e: Expressions, written: list[list[Line]]) -> list[list[Line]]:
    """Functions with locals in variables, and without lines that do nothing."""
    return [spare(kept(lines, e.layout.locals_begin, e.layout.locals_end)) for lines in written]


def together(functions: list[list[Line]]) -> list[Line]:
    return [line for function in functions for line in (*function, (0, "", -1), (0, "", -1))]


def single_cells(e: Expressions) -> set[int]:
    """Cells that are never named by a computed number: counts of decisions, what there is only one of, locals, and what
    is remembered."""
    program, layout = e.program, e.layout
    found = {DECISIONS, FORCED, *range(layout.locals_begin, layout.size)}
    for begin, families in ((layout.accounts, program.accounts), (layout.vars, program.variables)):
        found |= {begin + family.base for family in families if family.count == 1}
    return found


def _playing(e: Expressions, plan: Plan, graph: Through, node: Node) -> Written:
    w = Answering(e, plan, graph)
    w.at_random = True
    return _function(w, graph, node, f"play_{graph.leaders[node]}(S, X)")


def _stepping(e: Expressions, plan: Plan, graph: Through, node: Node) -> Written:
    w, number = Taking(e, plan, graph), graph.leaders[node]
    q, pc, _ = node
    one = plan.codes[q][pc]
    head = f"take_{number}(S, player, answer, X=None)"
    if isinstance(one, p.IAskSealed):
        return _function(w, graph, plan.node(q, pc + 1), head, lambda: Asking(w, node).given(1))
    if isinstance(one, p.IAsk):
        return _function(w, graph, graph.next((q, pc, 0))[-1], head, lambda: w.put(1, REFUEL))
    if plan.leaders.get(node) == number:
        return [], set()  # there is a function for it
    return _function(w, graph, node, f"on_{number}(S, X)")


def _function(w: Writer, graph: Through, node: Node, head: str, before: Callable[[], None] | None = None) -> Written:
    w.enter(node)
    w.put(0, f"def {head}:")
    w.put(1, f'"""{plain_name(w.plan.program.procedures[node[0]].name)}"""')
    if before is not None:
        before()
    function = Function(graph, w)
    function.begin(node, node not in graph.straight)
    return w.lines, function.done


def asks_somebody(plan: Plan, node: Node) -> bool:
    return isinstance(plan.codes[node[0]][node[1]], (p.IAsk, p.IAskSealed)) and node[2] == 0


def _private_cells(e: Expressions, plan: Plan) -> set[int]:
    """Locals of procedures that nothing but compiled functions reads: not those whose choices are left to domains/."""
    found: set[int] = set()
    for q in plan.running - plan.plain:
        asks = [one for one in plan.codes[q] if isinstance(one, (p.IAsk, p.IAskSealed))]
        choices = [plan.program.choices[one.choice] for one in asks]
        if all(flat(choice) or (choice.otherwise < 0 and plain_some(choice) is not None) for choice in choices):
            found |= set(e.layout.locals[q].values())
    return found
