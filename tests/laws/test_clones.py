"""A clone is the same game, and what happens to one of the two does not touch the other."""

from __future__ import annotations

import pytest

from tests.laws.tables import TABLES, Table, moments, play_on, state_bytes, told


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_playing_a_clone_leaves_the_original_alone(table: Table) -> None:
    for moment in moments(table.start(1), 1, every=17):
        before = told(moment)
        copy = moment.clone()
        assert told(copy) == before
        play_on(copy, 8)
        assert told(moment) == before


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_playing_the_original_leaves_a_clone_alone(table: Table) -> None:
    kept = [(m.clone(), state_bytes(m), len(m.log)) for m in moments(table.start(2), 2, every=11)]
    for copy, state, lines in kept:
        assert state_bytes(copy) == state
        assert len(copy.log) == lines


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_clones_go_on_alike(table: Table) -> None:
    for moment in moments(table.start(3), 3, every=29):
        assert told(play_on(moment.clone(), 4)) == told(play_on(moment.clone(), 4))
