"""Bots answer by what their player may know: legal, the same for the same source, and the same when only what is hidden
from them is different."""

from __future__ import annotations

from itertools import islice

import pytest

import cambist
from cambist.interpreter.bots import bot_of
from cambist.interpreter.bots.seat import Seat, World
from cambist.interpreter.bots.standing import WHOLE, Standing
from tests.laws.tables import SHIPPED_TABLES, TABLES, Table, game, is_variant, moments

SMALLEST = [t for t in TABLES if 1 < t.players == t.game.players[0] and not is_variant(t.name)]
BOTS = ("random", "greedy", "mcts:2")


def _moments(table: Table) -> list[cambist.Match]:
    """Two choices with something to choose from."""
    several = (m for m in moments(table.start(2), 2, 9) if m.choice is not None and len(m.choice.options(limit=2)) > 1)
    return [match.clone() for match in islice(several, 2)]


@pytest.mark.parametrize("table", SMALLEST, ids=str)
def test_nothing_hidden_decides_an_answer(table: Table) -> None:
    for match in _moments(table):
        assert match.choice is not None
        seat = match.choice.player
        other = match.resample(seat, cambist.Source(1))
        for name in BOTS:
            answers = [bot_of(name).answer(Seat(one, seat), cambist.Source(3)) for one in (match, match, other)]
            assert match.choice.refusal(answers[0], seat) is None
            assert answers[0] == answers[1], f"{name}: another answer by the same source"
            assert answers[0] == answers[2], f"{name}: it has seen what is hidden"


def test_a_seat_has_no_way_to_the_state() -> None:
    match = SHIPPED_TABLES[0].start(1)
    assert match.choice is not None
    seat = Seat(match, match.choice.player)
    told = [name for name in dir(seat) if not name.startswith("_")]
    assert told == ["imagine", "options", "player", "players", "sample", "view"]
    world = seat.imagine(cambist.Source(1))
    assert isinstance(world, World) and world.state is not match.state


@pytest.mark.parametrize("table", SMALLEST, ids=str)
def test_rewards_are_parts_of_a_whole(table: Table) -> None:
    standing = Standing(table.game.machine(table.players, table.options))
    for match in _moments(table):
        assert all(0 <= reward <= WHOLE for reward in standing.rewards(match.state))


@pytest.mark.parametrize("name", ["strongroom", "bazaar", "dividends"])
def test_both_engines_deal_and_answer_alike(name: str) -> None:
    players = game(name).players[0]
    one, other = (game(name).start(players, 4, engine=engine) for engine in ("reference", "compiled"))
    for number in range(12):
        choice = one.choice
        if choice is None:
            break
        if number % 4 == 0:
            dealt = [match.resample(choice.player, cambist.Source(number)).state for match in (one, other)]
            assert dealt[0].zones == dealt[1].zones and dealt[0].accounts == dealt[1].accounts
            assert dealt[0].vars == dealt[1].vars
            answers = [bot_of("mcts:2").answer(Seat(m, choice.player), cambist.Source(5)) for m in (one, other)]
            assert answers[0] == answers[1]
        answer = choice.sample(cambist.Source(number))
        one.answer(answer)
        other.answer(answer)
