"""A partition into ordered piles: every thing in exactly one pile, order in a pile counts, order of piles does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cambist.interpreter.domains.picking import Picking, Rng, Value
from cambist.interpreter.state import State

GUIDED, TRIES = 4, 200


class Arrangement(Picking):
    def values(self, state: State, local: list[Any]) -> Iterator[Value]:
        items = list(self.source(state, local))
        seen = set()
        for piles in _arrangements(items):
            self.searched(state)
            alike = tuple(sorted(tuple(self.key(state, item) for item in pile) for pile in piles))
            if alike not in seen and self.accepted_piles(state, local, piles):
                seen.add(alike)
                yield piles

    def accepted_piles(self, state: State, local: list[Any], piles: Value) -> bool:
        local[self.slot] = [list(pile) for pile in piles]
        if self.tries >= 0:
            self.count()
        return self.accept is None or self.accept(state, local)

    def contains(self, state: State, local: list[Any], value: Value) -> str | None:
        if not isinstance(value, tuple) or not all(isinstance(pile, tuple) and pile for pile in value):
            return f"`{self.pick.name}` is a list of piles, none of them empty"
        if not all(type(item) is int for pile in value for item in pile):
            return f"`{self.pick.name}` is a list of piles of cards"
        if sorted(item for pile in value for item in pile) != sorted(self.source(state, local)):
            return f"`{self.pick.name}` must have each thing in exactly one pile"
        return None

    def sample(self, state: State, local: list[Any], rng: Rng) -> Value:
        """One thing after the other: into a pile, or a pile of its own.

        First so that what lies there always holds: a condition on each pile leaves few arrangements of many. Where that
        does not lead to an answer, without looking before the end.
        """
        items = list(self.source(state, local))
        for _ in range(GUIDED):
            value = self._guided(state, local, rng, items[:])
            if value is not None:
                return value
        for _ in range(TRIES):
            piles: list[list[int]] = []
            for item in items:
                place = rng.below(len(piles) + 1)
                if place == len(piles):
                    piles.append([item])
                else:
                    piles[place].insert(rng.below(len(piles[place]) + 1), item)
            value = tuple(sorted(tuple(pile) for pile in piles))
            if self.accepted_piles(state, local, value):
                return value
        return next(self.values(state, local), None)

    def _guided(self, state: State, local: list[Any], rng: Rng, items: list[int]) -> Value:
        """Things in any order, each to a place where the condition holds for those laid so far; None in a dead end."""
        piles: list[list[int]] = []
        while items:
            item = items.pop(rng.below(len(items)))
            places = list(range(len(piles) + 1))
            while places:
                place = places.pop(rng.below(len(places)))
                if place == len(piles):
                    tried = [*piles, [item]]
                else:
                    depth = rng.below(len(piles[place]) + 1)
                    pile = [*piles[place][:depth], item, *piles[place][depth:]]
                    tried = [*piles[:place], pile, *piles[place + 1 :]]
                if self.accepted_piles(state, local, tuple(tuple(pile) for pile in tried)):
                    piles = tried
                    break
            else:
                return None
        value = tuple(sorted(tuple(pile) for pile in piles))
        return value if self.accepted_piles(state, local, value) else None

    def shrink(self, value: Value) -> Iterator[Value]:
        alone = tuple(sorted((item,) for pile in value for item in pile))
        if alone != value:
            yield alone


def _arrangements(items: list[int]) -> Iterator[Value]:
    """Every arrangement once: the piles sorted, so that their order makes no difference."""
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for piles in _arrangements(rest):
        yield tuple(sorted(((first,), *piles)))
        for index, pile in enumerate(piles):
            others = piles[:index] + piles[index + 1 :]
            for place in range(len(pile) + 1):
                yield tuple(sorted((pile[:place] + (first,) + pile[place:], *others)))
