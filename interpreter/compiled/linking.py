"""Expressions compiled one by one, for domains/ and for whoever asks a single function of a position."""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.loading import Loaded
from cambist.interpreter.compiled.source import Source
from cambist.interpreter.evaluate import Eval, Linker


class PositionLinker(Linker):
    """A linker whose expressions read positions."""

    def __init__(self, rules: Loaded) -> None:
        self.rules = rules
        self.e = rules.source.e
        super().__init__(rules.program)

    def expr(self, node: p.Expr) -> Eval:
        text = self.e.text(node, Scope(lambda slot: f"L[{slot}]"))
        return self._made(f"def made(T, L):\n    S = T.cells\n    return {text}\n")

    def _function(self, index: int, function: p.Function) -> Eval:
        def first(state: Any, args: list[Any]) -> Any:
            self.functions[index] = made = self.expr(function.value)
            return made(state, args)

        return first

    def _made(self, text: str) -> Eval:
        rules = self.rules
        rules.source = Source(rules.source.text, rules.source.lines, tuple(self.e.places), rules.plan, self.e)
        self._define()
        made: dict[str, Any] = {}
        exec(compile(text, "<compiled expression>", "exec"), self._space(), made)
        found: Eval = made["made"]
        return found

    def _space(self) -> dict[str, Any]:
        from cambist.interpreter.compiled.source import constant_lines

        space = self.rules.space
        for name, line in constant_lines(self.e):
            if name not in space:
                exec(line, space)
        return space

    def _define(self) -> None:
        """Functions that the expression calls and the module does not have."""
        for name, lines in list(self.e.made.items()):
            if name not in self.rules.space:
                text = "\n".join("    " * indent + line for indent, line, _ in lines)
                exec(compile(text, "<compiled>", "exec"), self._space())
        for index in list(self.e.needed):
            if f"F{index}" in self.rules.space:
                continue
            function = self.program.functions[index]
            self.rules.space[f"F{index}"] = None  # it is being made
            params = "".join(f", a{slot}" for slot in range(function.params))
            text = self.e.text(function.value, Scope(lambda slot: f"a{slot}"))
            self._define()
            exec(compile(f"def F{index}(S{params}):\n    return {text}\n", "<compiled>", "exec"), self._space())
