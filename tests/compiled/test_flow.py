"""How control goes through compiled rules where Python's forms do not fit: flow.rules has the ways, and both engines go
the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import lower
from cambist.interpreter.compiled.flow import ONCE
from cambist.interpreter.compiled.source import BULK, source_of
from cambist.interpreter.side_by_side import Sides

RULES = Path(__file__).with_name("flow.rules")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_engines_go_the_same_ways(players: int) -> None:
    program = lower(cambist.load(str(RULES)).ruleset, players)
    assert Sides(program).play(5, 8) > 100
    assert Sides(program, plain=False).play(6, 8) > 100


def test_a_turn_of_a_loop_that_is_written_out_may_end_early() -> None:
    text = source_of(lower(cambist.load(str(RULES)).ruleset, 2), BULK).text
    assert text.count(ONCE) >= 2, "one for each player"
