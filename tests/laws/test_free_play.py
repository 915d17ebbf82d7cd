"""All laws of a single state at once, over games that Hypothesis plays: it finds a short game that breaks one.

The only freedom is which of the listed answers is given, so that simpler means fewer choices and earlier answers.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.laws import checks
from tests.laws.tables import TABLES, Table, save_bytes

LISTED = 40
CHOICES = 40


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_any_game_is_sound(table: Table) -> None:
    @settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32), st.lists(st.integers(0, LISTED - 1), max_size=CHOICES))
    def played(seed: int, picks: list[int]) -> None:
        match = table.start(seed)
        total = checks.money_by_unit(match.program, match.machine.blank(0))
        for pick in picks:
            choice = match.choice
            if choice is None:
                break
            listed = choice.options(limit=LISTED)
            match.answer(listed[pick % len(listed)])
            assert checks.money_by_unit(match.program, match.state) == total
            assert not checks.overdrawn(match.program, match.state)
            assert not checks.misplaced(match.program, match.state)
            assert not checks.overfull(match.program, match.state)
            assert not checks.unsorted_bags(match.program, match.state)
            assert not checks.broken_invariants(match)
            assert not checks.no_answer(match)
        assert save_bytes(table.game.restore(match.save())) == save_bytes(match)

    played()
