"""Every game ends, whoever plays it: at random, always the first answer, always the last, or taking turns at them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import cambist
from cambist.interpreter.choices import Answer
from tests.laws.tables import SHIPPED_TABLES, TABLES, Table, play_on

Bot = Callable[[cambist.Match, int], Answer]
MOST_LISTED = 64


def _first(match: cambist.Match, _: int) -> Answer:
    assert match.choice is not None
    return match.choice.options(limit=1)[0]


def _last(match: cambist.Match, _: int) -> Answer:
    assert match.choice is not None
    return match.choice.options(limit=MOST_LISTED)[-1]


def _in_turn(match: cambist.Match, number: int) -> Answer:
    assert match.choice is not None
    found = match.choice.options(limit=MOST_LISTED)
    return found[number % len(found)]


@pytest.mark.parametrize("bot", (_first, _last, _in_turn))
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_stubborn_players(table: Table, bot: Bot) -> None:
    match = table.start(1)
    while match.choice is not None:
        match.answer(bot(match, len(match.history)))
    _check_end(match)


@pytest.mark.parametrize("table", SHIPPED_TABLES, ids=str)
def test_with_the_options_as_they_are(table: Table) -> None:
    for seed in range(3):
        _check_end(play_on(table.game.start(table.players, seed), seed))


def _check_end(match: cambist.Match) -> None:
    result = match.result
    assert match.over and match.choice is None and result is not None and result.ended_by
    assert len(result.scores) == match.program.players
    assert result.winners and set(result.winners) <= set(range(match.program.players))
    assert match.log_lines()[-1] == f"the game is over: {result.ended_by}"
    with pytest.raises(cambist.Refused):
        match.answer((0,))
