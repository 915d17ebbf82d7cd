"""Some of several things at random, as numbers tell it: which places of a list are chosen.

Ways to choose from few things are numbered, so that one number tells all; of up to twice as many, each half has its
numbered ways. Of more things, each gets a number of its own: those with a number below a random bound are chosen, or
those with the smallest numbers. If the bound can be anything, all numbers of chosen things are as likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import combinations, islice
from math import comb, lcm
from struct import Struct

EVEN = 11  # of so many things one number tells how many and which
HALVES = 2 * EVEN  # and of so many, half by half


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


@cache
def halved(size: int) -> tuple[int, list[int], list[tuple[int, int, int, int]]]:
    """How many numbers tell the ways to choose any of two halves; where the numbers end that choose so many of the one
    and so many of the other; and of each of these how many, where they begin, and how often a way stands there."""
    half = size // 2
    often = lcm(*(comb(size, many) for many in range(size + 1)))
    ends, parts, begin = [], [], 0
    for one in range(half + 1):
        for other in range(size - half + 1):
            each = often // comb(size, one + other)
            parts.append((one, other, begin, each))
            begin += comb(half, one) * comb(size - half, other) * each
            ends.append(begin)
    return begin, ends, parts


def of_halves(size: int, number: int) -> list[int]:
    """The places that are chosen."""
    _, ends, parts = halved(size)
    one, other, begin, each = parts[bisect_right(ends, number)]
    half = size // 2
    first, second = divmod((number - begin) // each, comb(size - half, other))
    chosen = nth(half, one, first)
    return [*chosen, *(half + place for place in nth(size - half, other, second))]


def nth(size: int, many: int, number: int) -> tuple[int, ...]:
    """A way to choose so many of few things, by its number."""
    return next(islice(combinations(range(size), many), number, None))


@cache
def _form(count: int) -> Struct:
    return Struct(f"<{count}I")


def words(number: int, count: int) -> tuple[int, ...]:
    """The parts of a number below 2**(32 * count)."""
    return _form(count).unpack(number.to_bytes(4 * count, "little"))


def smallest(numbers: tuple[int, ...], many: int) -> list[int]:
    """The places of the smallest ones."""
    return sorted(sorted(range(len(numbers)), key=numbers.__getitem__)[:many])


def any_places(size: int, below: Callable[[int], int]) -> list[int]:
    """The places of any of so many things."""
    if size <= EVEN:
        ways = evenly(size)
        return [*ways[below(len(ways))]]
    if size <= HALVES:
        return of_halves(size, below(halved(size)[0]))
    bound, *numbers = words(below(1 << 32 * (size + 1)), size + 1)
    return [place for place, number in enumerate(numbers) if number < bound]


def some_places(size: int, least: int, most: int, below: Callable[[int], int]) -> list[int]:
    """The places of some of them between two bounds: all numbers of things are as likely, and more than the most are
    the most."""
    many = min(most, least + below(size - least + 1))
    return smallest(words(below(1 << 32 * size), size), many)
