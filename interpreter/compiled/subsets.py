"""Some of several things, drawn at random together with the rest: as domains/subset.py draws, told by the same numbers.

In: a list and a source of bits. Out: two new lists, each in the order of the first one. For every way to choose from
few things there is a function that takes a list apart; they are made when so many things are first met.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb
from operator import itemgetter
from typing import Any

from cambist.interpreter.chance import FEW as FEW_BITS
from cambist.interpreter.chance import Source
from cambist.interpreter.combinations import EVEN, FEW, evenly, split, splits

Bits32 = Callable[[int], int]  # so many random bits
Parted = tuple[list[int], list[int]]  # the chosen, the rest
Apart = Callable[[list[int]], Parted]
WRITTEN = 7  # of so many things every way is written out; of more, that would take longer than it saves


class Evenly(dict[int, tuple[int, int, list[Apart]]]):
    """By how many things there are: the bits of a number, how many numbers, and for each how a list is taken apart."""

    def __missing__(self, size: int) -> tuple[int, int, list[Apart]]:
        numbered = evenly(size)
        functions = _functions(size, list(dict.fromkeys(numbered)))
        self[size] = found = (_wide(len(numbered)), len(numbered), [functions[places] for places in numbered])
        return found


EVENLY = Evenly()


def any_of(left: list[int], bits: Bits32) -> Parted:
    """Any of the things."""
    size = len(left)
    if size <= EVEN:
        wide, count, apart = EVENLY[size]
        return apart[bits(wide) * count >> wide if size else 0](left)
    return _drawn(left, Source.of(bits).below(size + 1), bits)


def some_of(left: list[int], least: int, most: int, bits: Bits32) -> Parted | None:
    """Some between two bounds; None if they leave nothing."""
    if least > most:
        return None
    return _drawn(left, min(most, least + Source.of(bits).below(len(left) - least + 1)), bits)


def _drawn(left: list[int], many: int, bits: Bits32) -> Parted:
    """So many of them."""
    size = len(left)
    ways, wide = _counted(size, many)
    number = bits(wide) * ways >> wide if ways > 1 else 0
    if size <= FEW:
        return _ways(size, many)[number](left)
    ends, parts = splits(size, many)
    here, begin, beyond = parts[bisect_right(ends, number)]
    first, second = divmod(number - begin, beyond)
    return _both(left, here, first, many - here, second)


def _both(left: list[int], here: int, first: int, beyond: int, second: int) -> Parted:
    """Some of the first few, and some of the others."""
    chosen, rest = _ways(FEW, here)[first](left[:FEW])
    others = left[FEW:]
    if len(others) <= FEW:
        more, fewer = _ways(len(others), beyond)[second](others)
    else:
        here, first, second = split(len(others), beyond, second)
        more, fewer = _both(others, here, first, beyond - here, second)
    return chosen + more, rest + fewer


@cache
def _counted(size: int, many: int) -> tuple[int, int]:
    """How many ways there are, and the bits that one of them is drawn with."""
    ways = comb(size, many)
    return ways, _wide(ways)


def _wide(numbers: int) -> int:
    """As `Source.below` draws."""
    return 24 if numbers <= FEW_BITS else 32 if numbers < 1 << 16 else numbers.bit_length() + 32


@cache
def _ways(size: int, many: int) -> list[Apart]:
    """What takes a list apart, for all ways to choose so many of so few things."""
    ways = list(combinations(range(size), many))
    functions = _functions(size, ways)
    return [functions[places] for places in ways]


def _functions(size: int, ways: list[tuple[int, ...]]) -> dict[tuple[int, ...], Apart]:
    if size > WRITTEN or not size:
        return {places: _getting(places, _others(size, places)) for places in ways}
    names = [f"x{k}" for k in range(size)]
    lines = []
    for number, places in enumerate(ways):
        chosen, rest = (", ".join(names[k] for k in part) for part in (places, _others(size, places)))
        lines.append(f"def f{number}(L):\n [{', '.join(names)}] = L\n return [{chosen}], [{rest}]\n")
    space: dict[str, Any] = {}
    exec("".join(lines), space)  # text made of numbers alone
    return {places: space[f"f{number}"] for number, places in enumerate(ways)}


def _others(size: int, places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(k for k in range(size) if k not in places)


def _getting(chosen: tuple[int, ...], rest: tuple[int, ...]) -> Apart:
    one, other = _getter(chosen), _getter(rest)
    return lambda left: ([*one(left)], [*other(left)])


def _getter(places: tuple[int, ...]) -> Any:
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0, 0))  # a list, too
