"""Every component lies in exactly one zone, and `where` says in which."""

from __future__ import annotations

import pytest

from cambist.interpreter.events import Moved, RolledBack, Shuffled
from tests.laws.checks import misplaced, unsorted_bags
from tests.laws.tables import TABLES, Table, moments, play_on


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_in_every_state(table: Table) -> None:
    for seed in range(3):
        for moment in moments(table.start(seed), seed):
            assert not misplaced(moment.program, moment.state)
            assert not unsorted_bags(moment.program, moment.state)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_log_tells_of_every_move(table: Table) -> None:
    match = play_on(table.start(6), 6)
    if any(isinstance(event, RolledBack) for event in match.log):
        return  # what was rolled back stands in the log too
    where = match.machine.blank(0).where
    for event in match.log:
        if isinstance(event, Moved):
            assert [where[c] for c in event.components] == list(event.sources)
            for component in event.components:
                where[component] = event.to
    assert where == match.state.where


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_shuffle_loses_nothing(table: Table) -> None:
    for event in play_on(table.start(7), 7).log:
        if isinstance(event, Shuffled):
            assert sorted(event.order) == list(range(len(event.order)))
