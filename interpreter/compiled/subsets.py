"""Some of several things, drawn at random together with the rest: as domains/subset.py draws, told by the same numbers.

In: a list and a source of bits. Out: two new lists, each in the order of the first one. For every way to choose from
few things there are two getters, of the chosen and of the rest; they are made when so many things are first met.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

from cambist.interpreter.chance import FEW, Source
from cambist.interpreter.combinations import EVEN, any_places, evenly, some_places

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


def any_of(left: list[int], bits: Bits32) -> Parted:
    """Any of the things, which lie in order, as in a bag."""
    size = len(left)
    if not EVEN < size < FEW:
        return any_of_row(left, bits)
    many = bits(24) * (size + 1) >> 24
    rest, out = left[:], []
    for among in range(size, max(many, size - many), -1):
        out.append(rest.pop(bits(24) * among >> 24))
    out.sort()
    return (out, rest) if 2 * many <= size else (rest, out)


def any_of_row(left: list[int], bits: Bits32) -> Parted:
    """Any of the things, in whatever order they lie."""
    return _parted(left, any_places(len(left), Source.of(bits).below))


def some_of(left: list[int], least: int, most: int, bits: Bits32) -> Parted | None:
    """Some between two bounds; None if they leave nothing."""
    if least > most:
        return None
    return _parted(left, some_places(len(left), least, most, Source.of(bits).below))


def as_drawn(answer: tuple[Any, ...]) -> tuple[Any, ...]:
    """An answer that was given, as whole games draw it: with where the things came from and what stayed, which is not
    known."""
    return (answer[0], [*answer[1]], None, None) if len(answer) == 2 else answer


def _parted(left: list[int], places: list[int]) -> Parted:
    return [left[place] for place in places], [left[place] for place in range(len(left)) if place not in places]


def _apart(size: int, places: tuple[int, ...]) -> Apart:
    return _getter(places), _getter(tuple(k for k in range(size) if k not in places))


@cache
def _getter(places: tuple[int, ...]) -> Getter:
    """Each is made once, whatever the number of things: there are few, and the processor has them at hand."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0, 0))  # a list, too
