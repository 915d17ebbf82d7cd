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

RULES = Path(__file__).with_name("flow.rules").read_text("utf-8")
HAGGLE = """
phase haggle(p)                                                     cites R"Turn"
  tentatively
    p chooses
      offer: add 1 to p.mark
      forget: roll back

play """
BACK = RULES.replace("\nplay ", HAGGLE).replace("    give\n", "    give\n    each p: haggle(p)\n")
"""The same with something that is rolled back: then whole games can go on from every choice."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", [RULES, BACK], ids=["forth", "back"])
def test_both_engines_go_the_same_ways(rules: str, players: int) -> None:
    program = lower(cambist.loads(rules).ruleset, players)
    assert Sides(program).play(5, 8) > 100
    assert Sides(program, plain=False).play(6, 8) > 100


def test_a_turn_of_a_loop_that_is_written_out_may_end_early() -> None:
    text = source_of(lower(cambist.loads(RULES).ruleset, 2), BULK).text
    assert text.count(ONCE) >= 2, "one for each player"
