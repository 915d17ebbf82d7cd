"""Combinations by number: one of all ways to choose so many of several things, or any of them.

Ways to choose from few things are numbered as `itertools` has them. Of more things, the first few are chosen from
apart: then the number tells how many of these, which of these, and which of the others.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import combinations, islice
from math import comb, lcm

FEW = 12
EVEN = 11  # of so many things one number tells how many and which


@cache
def splits(size: int, many: int) -> tuple[list[int], list[tuple[int, int, int]]]:
    """By how many of the first few are chosen: the numbers at which that ends; then how many these are, at which number
    it begins, and the ways for the rest."""
    ends, parts, begin = [], [], 0
    for here in range(max(0, many - (size - FEW)), min(FEW, many) + 1):
        beyond = comb(size - FEW, many - here)
        parts.append((here, begin, beyond))
        begin += comb(FEW, here) * beyond
        ends.append(begin)
    return ends, parts


def split(size: int, many: int, number: int) -> tuple[int, int, int]:
    """How many of the first few are chosen, the number of the way for these, and the number of the way for the rest."""
    ends, parts = splits(size, many)
    here, begin, beyond = parts[bisect_right(ends, number)]
    return here, (number - begin) // beyond, (number - begin) % beyond


def combination(size: int, many: int, number: int) -> list[int]:
    """The places that are chosen."""
    if size <= FEW:
        return list(next(islice(combinations(range(size), many), number, None)))
    here, first, second = split(size, many, number)
    rest = combination(size - FEW, many - here, second)
    return combination(FEW, here, first) + [FEW + place for place in rest]


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
