"""Where the time of games goes: lines of the rules by the time they took and how often they ran.

In: a program. Out: a machine that plays as the plain interpreter does and keeps a clock, and, after games were played
on it, a `Line` for every line that ran. A line's time is its own: what a definition takes that it uses is the
definition's, unless it is so small that it is written out where it is used. The work of finding what may be answered is
the line's that asks. What no line did is the machine's.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from attrs import define, frozen

from cambist.dsl import program as p
from cambist.interpreter.api import Machine
from cambist.interpreter.steps import STEPS

Key = tuple[str, int]  # file, line
MACHINE: Key = ("", 0)


@frozen
class Line:
    file: str
    line: int
    text: str
    seconds: float
    times: int  # how often the busiest part of it ran


@define
class _Cost:
    text: str
    nanoseconds: int = 0
    parts: list[int] | None = None  # how often each instruction, definition or choice of the line ran


class Profile:
    def __init__(self, program: p.Program) -> None:
        self.machine = Machine(program, plain=True)
        self.costs: dict[Key, _Cost] = {MACHINE: _Cost("", parts=[])}
        self.stack: list[_Cost] = [self.costs[MACHINE]]
        self.since = perf_counter_ns()
        self._steps(program)
        self._definitions(program)
        self._choices(program)

    def play(self, games: Callable[[Machine], None]) -> None:
        """Whatever is played on the machine in the meantime is counted."""
        self.since = perf_counter_ns()
        try:
            games(self.machine)
        finally:
            self._switch(self.costs[MACHINE])
            del self.stack[1:]

    def lines(self) -> list[Line]:
        """The most costly first."""
        found = [
            Line(file, line, cost.text, cost.nanoseconds / 1e9, max(cost.parts or [0]))
            for (file, line), cost in self.costs.items()
            if (file, line) != MACHINE and any(cost.parts or [])
        ]
        return sorted(found, key=lambda line: (-line.seconds, line.file, line.line))

    @property
    def seconds(self) -> float:
        return sum(cost.nanoseconds for cost in self.costs.values()) / 1e9

    # ---- every part of a line is wrapped

    def _steps(self, program: p.Program) -> None:
        linker = self.machine.linker
        for number, procedure in enumerate(program.procedures):
            at = procedure.at
            steps = linker.link(procedure, STEPS)
            for place, node in enumerate(procedure.code):
                at = getattr(node, "at", at)  # a jump is a part of what stands before it
                steps[place] = self._timed(steps[place], at)
            self.machine.codes[number] = steps

    def _definitions(self, program: p.Program) -> None:
        functions = self.machine.linker.functions
        for number, function in enumerate(program.functions):
            functions[number] = self._timed(_Linked(functions, number), function.at)

    def _choices(self, program: p.Program) -> None:
        for number, choice in enumerate(program.choices):
            domain: Any = self.machine.linker.domain(number)
            domain.sample = self._timed(domain.sample, choice.at)

    def _timed(self, run: Callable[..., Any], at: Any) -> Callable[..., Any]:
        cost = self._cost(at)
        if cost is None:
            return run
        assert cost.parts is not None
        parts, part = cost.parts, len(cost.parts)
        parts.append(0)
        stack = self.stack

        def timed(*args: Any) -> Any:
            parts[part] += 1
            self._switch(stack[-1])
            stack.append(cost)
            try:
                return run(*args)
            finally:
                self._switch(cost)
                stack.pop()

        return timed

    def _switch(self, cost: _Cost) -> None:
        """The time since the last switch was this one's."""
        now = perf_counter_ns()
        cost.nanoseconds += now - self.since
        self.since = now

    def _cost(self, at: Any) -> _Cost | None:
        if not isinstance(at, p.At) or not at.span.file.text:
            return None
        key = (at.span.file.name, at.span.line)
        if key not in self.costs:
            self.costs[key] = _Cost(at.span.file.line_text(at.span.line).strip(), parts=[])
        return self.costs[key]


class _Linked:
    """A definition that is linked when it is first used, and then puts itself into the list: its place is kept."""

    def __init__(self, functions: list[Any], number: int) -> None:
        self.functions, self.number, self.body = functions, number, functions[number]

    def __call__(self, state: Any, local: list[Any]) -> Any:
        kept = self.functions[self.number]
        value = self.body(state, local)
        if self.functions[self.number] is not kept:
            self.body, self.functions[self.number] = self.functions[self.number], kept
        return value
