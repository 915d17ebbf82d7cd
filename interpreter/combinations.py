"""Some of several things at random, as numbers tell it: which places of a list are chosen.

Ways to choose from few things are numbered, so that one number tells all. Of more things, or between two bounds, a
number tells how many are chosen, and then one after the other is taken out: the chosen ones, or the others if those are
fewer. If any number of things can be chosen, all numbers are as likely.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb, lcm

EVEN = 11  # of so many things one number tells how many and which


@cache
def evenly(size: int) -> list[tuple[int, ...]]:
    """All ways to choose any of few things, each so often that all numbers of things are as likely."""
    often = lcm(*(comb(size, many) for many in range(size + 1)))
    return [
        places
        for many in range(size + 1)
        for places in combinations(range(size), many)
        for _ in range(often // comb(size, many))
    ]


def any_places(size: int, below: Callable[[int], int]) -> list[int]:
    """The places of any of so many things."""
    if size <= EVEN:
        ways = evenly(size)
        return [*ways[below(len(ways))]]
    return places_of(size, below(size + 1), below)


def some_places(size: int, least: int, most: int, below: Callable[[int], int]) -> list[int]:
    """The places of some of them between two bounds: all numbers of things are as likely, and more than the most are
    the most."""
    return places_of(size, min(most, least + below(size - least + 1)), below)


def places_of(size: int, many: int, below: Callable[[int], int]) -> list[int]:
    """So many places, all ways to choose them as likely."""
    left = list(range(size))
    out = sorted([left.pop(below(among)) for among in range(size, max(many, size - many), -1)])
    return out if 2 * many <= size else left
