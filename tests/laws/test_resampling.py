"""`match.resample(seat)`: all that the seat may know stays, all else is dealt out anew, and it is a game to go on with.

Tried at a few choices of a random game of everything that is shipped, for one seat after the other and a spectator.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice

import pytest

import cambist
from cambist.interpreter.knowledge import Knowledge
from tests.laws.checks import misplaced, money_by_unit, overdrawn, overfull
from tests.laws.tables import TABLES, Table, moments, play_on, state_bytes

DISTANCE, WANTED = 17, 4  # choices from one moment to the next, and how many are looked at in a game
WORLDS = 5
ONE_EACH = list({table.name: table for table in TABLES if table.players < 6}.values())


@cache
def _some(table: Table) -> list[tuple[int, cambist.Match]]:
    """A few moments, each with a seat: one after the other, the first is a spectator."""
    found = [match.clone() for match in islice(moments(table.start(1), 1, DISTANCE), WANTED)]
    return [(number % (table.players + 1) - 1, match) for number, match in enumerate(found)]


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_another_world_for_a_seat(table: Table) -> None:
    for seat, match in _some(table):
        before, seen = state_bytes(match), json.dumps(match.view(seat), sort_keys=True)
        lines, money = match.log_lines(seat), money_by_unit(match.program, match.state)
        rng = cambist.Source(seat + 2)
        worlds = [match.resample(seat, rng) for _ in range(WORLDS)]
        for world in worlds:
            assert json.dumps(world.view(seat), sort_keys=True) == seen
            assert world.log_lines(seat) == lines
            assert not misplaced(world.program, world.state)
            assert not overdrawn(world.program, world.state)
            assert not overfull(world.program, world.state)
            assert money_by_unit(world.program, world.state) == money
        assert state_bytes(match) == before, "the true game is untouched"
        _everything_hidden_moves(match, seat, worlds)


def _everything_hidden_moves(match: cambist.Match, seat: int, worlds: list[cambist.Match]) -> None:
    """Each place of a hidden card whose kinds are several holds more than one of them; what is known stays."""
    known = Knowledge(match.program, seat)
    known.hear(match.log)
    assert known.fits(match.state)
    classes = match.program.classes
    for zone, cards in enumerate(match.state.zones):
        if known.open[zone] or any(zone in group for group in known.unclear):
            continue
        may_be = [{c for c in range(len(classes)) if known.may_be[card] >> c & 1} for card in cards]
        assert all(card in these for card, these in zip(cards, may_be, strict=True)), "truth is possible"
        for world in worlds:
            assert len(world.state.zones[zone]) == len(cards)
            if not known.bags[zone]:
                assert all(c in these for c, these in zip(world.state.zones[zone], may_be, strict=True))
        possible = set().union(*(these for these in may_be if len(these) > 1))
        free = len(possible) - len(cards) if known.bags[zone] else sum(len(these) > 1 for these in may_be)
        if free > 2 and len({classes[c] for c in possible}) > 2:  # fewer may well fall alike a few times
            assert len({tuple(classes[c] for c in world.state.zones[zone]) for world in worlds}) > 1
    assert len({world.state.rng for world in worlds}) == len(worlds)


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_nothing_hidden_decides_what_is_dealt(table: Table) -> None:
    """From a world that the seat cannot tell from the true one, the same source deals the same."""
    for seat, match in _some(table):
        other = match.resample(seat, cambist.Source(1))
        again = [world.resample(seat, cambist.Source(2)) for world in (match, other)]
        assert again[0].state.zones == again[1].state.zones
        assert again[0].state.where == again[1].state.where
        bank = {f.base + i for f in match.program.accounts if f.unlimited for i in range(f.count)}
        kept = [[a for i, a in enumerate(world.state.accounts) if i not in bank] for world in again]
        assert kept[0] == kept[1]


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_it_can_be_played_on(table: Table) -> None:
    match = [match for _, match in _some(table) if match.choice is not None][-1]
    assert match.choice is not None
    seat = match.choice.player  # in the middle of another's phase, its notes may not fit a new hand
    world = match.resample(seat, cambist.Source(3))
    assert play_on(world, 4).result is not None
    assert world.view(seat) == world.resample(seat, cambist.Source(5)).view(seat)
