"""Some of several things at random: every way has one number, and both engines take the same way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt

import pytest

from cambist.interpreter.chance import FEW, Source
from cambist.interpreter.combinations import EVEN, any_places, evenly
from cambist.interpreter.compiled.runtime import Bits, Sums, below, left_of, taken
from cambist.interpreter.compiled.subsets import any_of, any_of_row, some_of


@pytest.mark.parametrize("size", [0, 1, 2, 5, 7])
def test_every_number_of_things_is_as_likely(size: int) -> None:
    ways = evenly(size)
    often = Counter(len(way) for way in ways)
    assert set(ways) == {way for many in range(size + 1) for way in combinations(range(size), many)}
    assert len(often) == size + 1 and len(set(often.values())) == 1
    for many in range(size + 1):
        assert len(set(Counter(way for way in ways if len(way) == many).values())) == 1


@pytest.mark.parametrize("size", [EVEN + 1, 13, 22, 40])
def test_so_it_is_of_many_things(size: int) -> None:
    source, games = Source(size), 4_000
    often = Counter(len(any_places(size, source.below)) for _ in range(games))
    expected = games / (size + 1)
    chi = sum((often[many] - expected) ** 2 / expected for many in range(size + 1))
    assert chi < size + 6 * sqrt(2 * size)


def test_of_many_things_each_way_is_as_likely() -> None:
    size, games = EVEN + 1, 60_000
    source = Source(3)
    ways = [tuple(any_places(size, source.below)) for _ in range(games)]
    for many in (2, size - 2):  # the chosen are taken out, or the others
        often = Counter(way for way in ways if len(way) == many)
        expected = often.total() / comb(size, many)
        chi = sum((count - expected) ** 2 / expected for count in often.values())
        assert len(often) == comb(size, many) and abs(chi - comb(size, many)) < 4 * sqrt(2 * comb(size, many))


@pytest.mark.parametrize("size", [0, 1, 2, 7, EVEN, EVEN + 1, 16, FEW - 1, FEW, 70])
def test_the_quick_way_is_the_plain_one(size: int) -> None:
    things = [3 * k + 1 for k in range(size)]
    plain, quick = Source(size), Source(size)
    for _ in range(60):
        chosen = [things[place] for place in any_places(size, plain.below)]
        rest = [thing for thing in things if thing not in chosen]
        assert any_of(things, quick.bits) == (chosen, rest)
        backwards = things[::-1]
        chosen = [backwards[place] for place in any_places(size, plain.below)]
        assert any_of_row(backwards, quick.bits) == (chosen, [thing for thing in backwards if thing not in chosen])
    assert plain.below(1 << 40) == quick.below(1 << 40)  # so many bits were drawn


@pytest.mark.parametrize("numbers", [2, 64, 65, 65_535, 65_536, 1 << 50])
def test_compiled_rules_draw_as_a_source_does(numbers: int) -> None:
    plain, quick = Source(numbers), Source(numbers)
    for _ in range(20):
        assert plain.below(numbers) == below(numbers, quick.bits) < numbers


def test_between_bounds() -> None:
    source = Source(1)
    assert some_of([1, 2], 3, 2, source.bits) is None
    for _ in range(40):
        found = some_of([1, 2, 3, 4, 5], 2, 3, source.bits)
        assert found is not None
        chosen, rest = found
        assert 2 <= len(chosen) <= 3 and sorted(chosen + rest) == [1, 2, 3, 4, 5]


def test_many_components_are_taken_from_wherever_they_lie() -> None:
    cells = [[*range(20)], [20, 21, 22], 1 << 23 | 1 << 24]
    assert taken(cells, [*range(15), 21, 24, 21], 0, 0, 3) == [*range(15), 21, 24]
    assert cells == [[15, 16, 17, 18, 19], [20, 22], 1 << 23]
    with pytest.raises(IndexError):
        taken(cells, [15, 15, 99], 0, 0, 3)


@pytest.mark.parametrize("many", [0, 3, 15, 20])
def test_what_is_left_of_a_zone(many: int) -> None:
    lying = [*range(19, -1, -1)]
    moved = lying[-many:] if many else []
    assert left_of(lying, moved) == [c for c in lying if c not in moved]
    assert len(lying) == 20


def test_what_is_remembered_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cambist.interpreter.compiled.runtime.REMEMBERED", 2)
    lists, sums = Bits(), Sums((1, 2, 4, 8))
    for number in (0b101, 0b11, 0b1000, 0b101, 0b1111):
        assert lists[number] == [c for c in range(4) if number >> c & 1]
        assert sums[number] == number
        assert len(lists) <= 2 and len(sums) <= 2
