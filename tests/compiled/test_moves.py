"""How the compiled engine takes things out of zones: moves.rules has the ways, and both engines do the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import lower
from cambist.interpreter.compiled.source import BULK, source_of
from cambist.interpreter.side_by_side import Sides

RULES = Path(__file__).with_name("moves.rules")


@pytest.mark.parametrize("players", [2, 3])
def test_both_engines_move_the_same(players: int) -> None:
    program = lower(cambist.load(str(RULES)).ruleset, players)
    assert Sides(program).play(5, 6) > 60
    assert Sides(program, plain=False).play(6, 6) > 60


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("to the end of where it lies", "lying.append(c)"),
        ("from where those who call have it, which is asked first", "if c in lying:"),
        ("and then looked for there before anywhere else", "else: take(S, c, K"),
        ("all that lies there may be chosen", "list0 = S["),
    ],
)
def test_what_is_written(form: str, written: str) -> None:
    text = source_of(lower(cambist.load(str(RULES)).ruleset, 2), BULK).text
    assert written in text, form
    assert "stored(" not in text, "the first of a pile is a component: a number within bounds"
