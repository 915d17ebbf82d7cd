"""Some of several things, drawn at random together with the rest: as domains/subset.py draws, told by the same numbers.

In: a list and a source of bits. Out: two new lists, each in the order of the first one. For every way to choose from
few things there are two getters, of the chosen and of the rest; they are made when so many things are first met.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import combinations, compress
from operator import itemgetter, not_
from typing import Any

from cambist.interpreter.chance import Source
from cambist.interpreter.combinations import EVEN, HALVES, evenly, halved, some_places, words

Bits32 = Callable[[int], int]  # so many random bits
Parted = tuple[list[int], list[int]]  # the chosen, the rest
Getter = Callable[[list[int]], Any]  # some things of a list, one after the other
Apart = tuple[Getter, Getter]  # the chosen, the rest


EVENLY: list[Any] = [None] * (EVEN + 1)
"""By how many things there are: the bits of a number, how many numbers, and for each how a list is taken apart."""


def evened(size: int) -> tuple[int, int, list[Apart]]:
    numbered = evenly(size)
    ways = {places: _apart(size, places) for places in dict.fromkeys(numbered)}
    EVENLY[size] = found = (Source.wide(len(numbered)), len(numbered), [ways[places] for places in numbered])
    return found


HALVED: list[Any] = [None] * (HALVES + 1)
"""The same half by half: the bits of a number, how many numbers, and what a number says of how many are chosen of each
half."""


def in_halves(size: int) -> tuple[int, int, list[int], list[Any]]:
    count, ends, parts = halved(size)
    half, found = size // 2, []
    for one, other, begin, often in parts:
        ways = _ways(size - half, other)
        found.append((begin, often, _ways(half, one), ways, len(ways)))
    HALVED[size] = kept = (Source.wide(count), count, ends, found)
    return kept


def any_of(left: list[int], bits: Bits32) -> Parted:
    """Any of the things."""
    size = len(left)
    if EVEN < size <= HALVES:
        wide, count, ends, parts = HALVED[size] or in_halves(size)
        number = bits(wide) * count >> wide
        begin, often, ones, others, many = parts[bisect_right(ends, number)]
        first, last = divmod((number - begin) // often, many)
        one, two = ones[first]
        three, four = others[last]
        second = left[size // 2 :]  # so that getters serve for both halves
        return [*one(left), *three(second)], [*two(left), *four(second)]
    if not size:
        return [], []
    if size <= EVEN:
        wide, count, apart = EVENLY[size] or evened(size)
        one, other = apart[bits(wide) * count >> wide]
        return [*one(left)], [*other(left)]
    bound, *numbers = words(bits(32 * size + 65) >> 33, size + 1)  # below a power of two
    below_it = [number < bound for number in numbers]
    return [*compress(left, below_it)], [*compress(left, map(not_, below_it))]


def some_of(left: list[int], least: int, most: int, bits: Bits32) -> Parted | None:
    """Some between two bounds; None if they leave nothing."""
    if least > most:
        return None
    size = len(left)
    places = some_places(size, least, most, Source.of(bits).below)
    return [left[place] for place in places], [left[place] for place in range(size) if place not in places]


@cache
def _ways(size: int, many: int) -> list[Apart]:
    """What takes a list apart, for all ways to choose so many of so few things."""
    return [_apart(size, places) for places in combinations(range(size), many)]


def _apart(size: int, places: tuple[int, ...]) -> Apart:
    return _getter(places), _getter(tuple(k for k in range(size) if k not in places))


@cache
def _getter(places: tuple[int, ...]) -> Getter:
    """Each is made once, whatever the number of things: there are few, and the processor has them at hand."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0, 0))  # a list, too
