"""Which lines of the rules are at work: a machine that notes every instruction it runs.

In: a program. Out: a machine (the plain one, whose instructions are not joined) and, after games were played on it, the
lines that ran and those that never did. Lines of definitions and of library modules count where they are used.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.machine import Machine
from cambist.interpreter.steps import Step

Line = tuple[str, int]  # file, line


class Coverage:
    def __init__(self, program: p.Program) -> None:
        self.machine = Machine(program, plain=True)
        self.lines: dict[Line, str] = {}  # every line with a statement, and what stands there
        self.ran: set[Line] = set()
        for number, procedure in enumerate(program.procedures):
            code = self.machine.codes[number]
            for place, node in enumerate(procedure.code):
                at: Any = getattr(node, "at", None)
                if isinstance(node, p.IReturn) and at == procedure.at:
                    continue  # the end of a procedure, which one that loops for ever never sees
                if isinstance(at, p.At) and at.span.file.text and not at.span.file.name.startswith("library/"):
                    line = (at.span.file.name, at.span.line)
                    self.lines.setdefault(line, at.span.file.line_text(at.span.line).strip())
                    code[place] = self._noting(code[place], line)

    def _noting(self, step: Step, line: Line) -> Step:
        ran = self.ran

        def noted(state: Any, local: list[Any]) -> int:
            ran.add(line)
            return step(state, local)

        return noted

    def never_ran(self) -> list[tuple[str, int, str]]:
        return [(file, line, text) for (file, line), text in sorted(self.lines.items()) if (file, line) not in self.ran]
