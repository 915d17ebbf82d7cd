"""The same seed and the same answers are the same game; another seed is another."""

from __future__ import annotations

import pytest

from tests.laws.tables import TABLES, Table, play_on, state_bytes, told


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_same_seed_same_game(table: Table) -> None:
    assert told(play_on(table.start(1), 1)) == told(play_on(table.start(1), 1))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_looking_changes_nothing(table: Table) -> None:
    """Asking for options, samples, refusals, views and logs leaves no trace in the game."""
    quiet, watched = table.start(2), table.start(2)
    play_on(quiet, 2)
    for player, answer in quiet.history:
        choice = watched.choice
        assert choice is not None
        before = state_bytes(watched)
        choice.options(player, limit=5)
        choice.sample(by=player)
        assert choice.refusal(answer, player) is None
        watched.view(player)
        assert state_bytes(watched) == before
        watched.answer(answer, player)
    assert told(watched) == told(quiet)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_another_seed_another_game(table: Table) -> None:
    assert len({state_bytes(table.start(seed)) for seed in range(20)}) > 1
