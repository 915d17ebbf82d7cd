"""Functions as compiled rules have them, written as text: two blanks a level, the cells those of a game for four."""

from __future__ import annotations

from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.layout import Layout
from cambist.interpreter.compiled.rewriting.keeping import Line
from tests.laws.tables import game


def _layout() -> Layout:
    machine = game("buy_low_sell_high").machine(4, engine="compiled")
    assert isinstance(machine, CompiledMachine) and machine.rules is not None
    return machine.rules.layout


LAYOUT = _layout()
PILE, CHART, HOLD, HAND, PLAYED, EVENTS, ASIDE, CASH, CELL = 15, 16, 19, 23, 27, 28, 29, 31, 35
LOCALS = 204  # where locals of procedures begin


def lines_of(text: str) -> list[Line]:
    return [((len(line) - len(line.lstrip())) // 2, line.strip(), -1) for line in text.strip("\n").split("\n")]


def text_of(lines: list[Line]) -> str:
    return "\n".join("  " * indent + text for indent, text, _ in lines)
