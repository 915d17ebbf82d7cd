"""The answers that bots try: legal, different, as many as wanted; those beside a good one, too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cambist
from cambist.interpreter.bots.candidates import candidates, neighbours
from cambist.interpreter.bots.seat import World
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.domains.subset import Subset

LIMIT = 12


def worlds(game: str, engine: str) -> Iterator[tuple[World, int]]:
    """One of each choice of a random game."""
    machine = cambist.load(game).machine(2, engine=engine)
    state, rng = machine.start(seed_of(1, 0)), Source(1)
    seen: set[int] = set()
    while state.pending is not None and len(seen) < 8:
        player = machine.next_decider(state)
        if machine.waiting(state) not in seen:
            seen.add(machine.waiting(state))
            yield World(machine, state.clone()), player
        machine.advance(state, player, machine.sample(state, player, rng))


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_candidates_are_legal(engine: str) -> None:
    looked_beside = 0
    for world, player in worlds("venture", engine):
        found = candidates(world, player, Source(2), LIMIT)
        assert 1 <= len(found) <= LIMIT and len(set(found)) == len(found)
        assert all(world.machine.refusal(world.state, player, answer) is None for answer in found)
        picks = world.machine.domain(world.state).branches[found[0][0]].picks
        if any(isinstance(pick, Subset) for pick in picks):
            near = neighbours(world, player, found[0], Source(3), LIMIT)
            assert found[0] not in near
            assert all(world.machine.refusal(world.state, player, answer) is None for answer in near)
            looked_beside += len(near)
    assert looked_beside


def test_both_engines_find_the_same() -> None:
    pairs = zip(worlds("venture", "compiled"), worlds("venture", "reference"), strict=True)
    for (one, player), (other, same) in pairs:
        assert player == same
        assert {*candidates(one, player, Source(4), 6)} == {*candidates(other, player, Source(4), 6)}
