"""Combinations by number: one of all ways to choose so many of several things.

Ways to choose from few things are numbered as `itertools` has them. Of more things, the first few are chosen from apart:
then the number tells how many of these, which of these, and which of the others.
"""

from __future__ import annotations

from itertools import combinations, islice
from math import comb

FEW = 10


def split(size: int, many: int, number: int) -> tuple[int, int, int]:
    """How many of the first few are chosen, the number of the way for these, and the number of the way for the rest."""
    most, others = min(FEW, many), size - FEW
    for here in range(max(0, many - others), most):
        beyond = comb(others, many - here)
        ways = comb(FEW, here) * beyond
        if number < ways:
            break
        number -= ways
    else:
        here, beyond = most, comb(others, many - most)
    first, second = divmod(number, beyond)
    return here, first, second


def combination(size: int, many: int, number: int) -> list[int]:
    """The places that are chosen."""
    if size <= FEW:
        return list(next(islice(combinations(range(size), many), number, None)))
    here, first, second = split(size, many, number)
    rest = combination(size - FEW, many - here, second)
    return combination(FEW, here, first) + [FEW + place for place in rest]
