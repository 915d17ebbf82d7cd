"""What turns the expressions of a program into Python functions, once for a program. Each form of an expression has one
function in `FORMS`, which evaluate.py and evaluate_folds.py fill.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.printed import Printed
from cambist.interpreter.state import State

Eval = Callable[[State, list[Any]], Any]
FORMS: dict[type, Callable[[Linker, Any], Eval]] = {}


class Linker:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.functions: list[Eval] = []
        self.kinds = [c.kind for c in program.components]
        self.printed = Printed(program)
        for index, function in enumerate(program.functions):
            self.functions.append(self._function(index, function))

    # ---- functions

    def _function(self, index: int, function: p.Function) -> Eval:
        """The body is linked on first use: functions may stand in any order."""
        linker = self
        body: Eval | None = None

        def first(state: State, args: list[Any]) -> Any:
            nonlocal body
            if body is None:
                body = linker.expr(function.value)
                linker.functions[index] = body
            return body(state, args)

        return first

    def collector(self, plan: p.Choice) -> Callable[[State, list[Any]], list[Any]] | None:
        """A quicker way to list the answers of a choice, if there is one."""
        return None

    def expr(self, node: p.Expr) -> Eval:
        return FORMS[type(node)](self, node)

    def optional(self, node: p.Expr | None) -> Eval | None:
        return None if node is None else self.expr(node)
