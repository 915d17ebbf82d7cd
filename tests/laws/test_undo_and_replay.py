"""Playing the history again gives the same game; undoing gives the game as it was, and redoing the game as it is."""

from __future__ import annotations

import pytest

from cambist.interpreter.api import Match
from cambist.interpreter.events import Drawn, Shuffled
from tests.laws.tables import TABLES, Table, moments, play_on, told


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_history_is_the_game(table: Table) -> None:
    match = play_on(table.start(1), 1)
    assert told(match.replayed(match.history)) == told(match)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_undo_is_exact(table: Table) -> None:
    match, earlier = table.start(2), []
    for moment in moments(match, 2, every=23):
        earlier.append((len(moment.history), told(moment)))
    end = told(match)
    for length, then in earlier:
        undone = match.undo(len(match.history) - length)
        assert told(undone) == then
        for player, answer in match.history[length:]:
            undone.answer(answer, player)
        assert told(undone) == end
    assert told(match) == end


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_undoing_everything_is_the_start(table: Table) -> None:
    match = play_on(table.start(3), 3)
    start = told(table.start(3))
    assert told(match.undo(len(match.history))) == start
    assert told(match.undo(len(match.history) + 5)) == start


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_match_restored_in_the_middle_can_be_undone_too(table: Table) -> None:
    match = table.start(4)
    restored = [table.game.restore(m.save()) for m in moments(match, 4, every=31)]
    for one in restored[1:]:
        assert told(one.undo(1)) == told(match.replayed(match.history[: len(one.history) - 1]))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_recorded_game_needs_no_generator(table: Table) -> None:
    """Chance outcomes in the log are enough: with another seed and the outcomes of the record it is the same game."""
    match = play_on(table.start(5), 5)
    recorded = [
        list(e.order if isinstance(e, Shuffled) else e.outcome) for e in match.log if isinstance(e, (Shuffled, Drawn))
    ]
    again = Match.start(match.machine, 777, recorded=recorded)
    for player, answer in match.history:
        again.answer(answer, player)
    assert again.log_lines() == match.log_lines() and again.result == match.result
