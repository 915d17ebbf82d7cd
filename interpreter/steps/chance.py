"""Shuffles and draws: answers of the chance player, from the state's own source or from a record.

Each is a barrier that no tentative block can be rolled back over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.chance import shuffled
from cambist.interpreter.events import Drawn, Shuffled
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import Step, StepLinker


def permutation(state: State, size: int, count: int) -> list[int]:
    """The first `count` of a random order of 0 … size-1."""
    if state.recorded is not None:
        if not state.recorded:
            raise faults.broken_machine("the record has no more chance outcomes")
        outcome = state.recorded.pop(0)
        if len(outcome) != count or len(set(outcome)) != count or not all(0 <= o < size for o in outcome):
            raise faults.broken_machine("a recorded chance outcome does not fit what chance decides here")
        return outcome
    state.rng, places = shuffled(state.rng, list(range(size)), count)
    return places


def granted(state: State, items: list[Any], count: int) -> list[int] | None:
    """The places of what an example says chance gives; None if that is not among the items: the wish stays open."""
    places: list[int] = []
    for value in state.wished[:count]:
        place = next((i for i, item in enumerate(items) if item == value and i not in places), -1)
        if place < 0:
            return None
        places.append(place)
    del state.wished[:count]
    return places if len(places) == count else None


def _shuffle(linker: StepLinker, node: p.IShuffle, here: int) -> Step:
    zone, at, following = linker.expr(node.zone), node.at, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        number = zone(state, local)
        lying = state.zones[number]
        order = permutation(state, len(lying), len(lying))
        state.zones[number] = [lying[i] for i in order]
        state.tentative.clear()
        if state.log is not None:
            state.log.append(Shuffled(number, tuple(order), at))
        return following

    return step


def _random(linker: StepLinker, node: p.IRandom, here: int) -> Step:
    items, count, slot, at, following = (
        linker.expr(node.items),
        linker.optional(node.count),
        node.slot,
        node.at,
        linker.after(here),
    )

    def step(state: State, local: list[Any]) -> int:
        found = items(state, local)
        wanted = 1 if count is None else count(state, local)
        if wanted > len(found) or wanted < 0:
            raise faults.too_few(at, wanted, len(found))
        outcome = granted(state, found, wanted) if state.wished else None
        if outcome is None:
            outcome = permutation(state, len(found), wanted)
        drawn = [found[i] for i in outcome]
        local[slot] = drawn[0] if count is None else sorted(drawn)
        state.tentative.clear()
        if state.log is not None:
            state.log.append(Drawn(tuple(outcome), len(found), tuple(drawn), node.meaning, at))
        return following

    return step


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {p.IShuffle: _shuffle, p.IRandom: _random}
