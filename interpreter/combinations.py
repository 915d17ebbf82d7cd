"""Combinations by number: the k-th of all ways to choose so many of several things, in the order of `itertools`."""

from __future__ import annotations

from math import comb


def combination(size: int, many: int, number: int) -> list[int]:
    """The places that are chosen."""
    found, place = [], 0
    while many:
        with_this = comb(size - place - 1, many - 1)  # ways that begin with this place
        if number < with_this:
            found.append(place)
            many -= 1
        else:
            number -= with_this
        place += 1
    return found
