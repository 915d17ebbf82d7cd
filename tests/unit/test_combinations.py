"""Some of several things at random: every way has one number, and both engines take the same way."""

from __future__ import annotations

from math import comb

import pytest

from cambist.interpreter.chance import Source
from cambist.interpreter.combinations import FEW, combination
from cambist.interpreter.compiled.runtime import Bits, Sums, any_of, some_of, taken


@pytest.mark.parametrize("size", [0, 1, 5, FEW, FEW + 1, FEW + 3])
def test_every_way_has_one_number(size: int) -> None:
    for many in range(size + 1):
        if comb(size, many) <= 500:
            ways = [tuple(combination(size, many, number)) for number in range(comb(size, many))]
            assert len(set(ways)) == len(ways)
            assert all(
                list(way) == sorted(set(way)) and len(way) == many and set(way) <= {*range(size)} for way in ways
            )


@pytest.mark.parametrize("size", [0, 1, 2, 7, FEW, FEW + 1, 2 * FEW + 5])
def test_the_quick_way_is_the_plain_one(size: int) -> None:
    things = [3 * k + 1 for k in range(size)]
    plain, quick, bounded = Source(size), Source(size), Source(size)
    for _ in range(60):
        many = plain.below(size + 1)
        places = combination(size, many, plain.below(comb(size, many)))
        chosen = [things[place] for place in places]
        rest = [thing for thing in things if thing not in chosen]
        assert any_of(things, quick.bits) == (chosen, rest)
        assert some_of(things, 0, size, bounded.bits) == (chosen, rest)


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


def test_what_is_remembered_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cambist.interpreter.compiled.runtime.REMEMBERED", 2)
    lists, sums = Bits(), Sums((1, 2, 4, 8))
    for number in (0b101, 0b11, 0b1000, 0b101, 0b1111):
        assert lists[number] == [c for c in range(4) if number >> c & 1]
        assert sums[number] == number
        assert len(lists) <= 2 and len(sums) <= 2
