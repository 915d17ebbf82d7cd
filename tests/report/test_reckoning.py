"""The statistics of reports, against values that are known."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cambist.report.reckoning import (
    bins,
    counted_quantiles,
    difference,
    nice_step,
    nice_ticks,
    quantile,
    significant,
    spread,
    wilson,
)


def test_wilson() -> None:
    low, high = wilson(10, 100)
    assert low == pytest.approx(0.0552, abs=1e-4) and high == pytest.approx(0.1744, abs=1e-4)
    assert wilson(0, 10)[0] == pytest.approx(0) and wilson(10, 10)[1] == 1 and wilson(0, 0) == (0, 1)


def test_spread_and_quantiles() -> None:
    found = spread([4, 1, 3, 2])
    assert (found.mean, found.median, found.least, found.most, found.count) == (2.5, 2.5, 1, 4, 4)
    assert found.deviation == pytest.approx(1.29099, abs=1e-5) and found.low < 2.5 < found.high
    assert quantile([0, 10], 0.25) == 2.5 and spread([]).count == 0 and spread([3]).deviation == 0
    assert counted_quantiles(Counter({1: 5, 2: 4, 9: 1}), (0.1, 0.5, 0.9, 1.0)) == [1, 1, 2, 9]


def test_bins_hold_everything_and_read_well() -> None:
    source = random.Random(1)
    values = [source.gauss(0, 40) for _ in range(300)]
    found = bins(values)
    assert sum(count for _, _, count in found) == 300 and 5 < len(found) <= 26
    assert all(low <= high for low, high, _ in found)
    assert bins([1, 1, 3]) == [(1, 2, 2), (2, 3, 0), (3, 4, 1)] and bins([]) == [] and bins([7, 7]) == [(7, 8, 2)]


def test_steps_that_people_like() -> None:
    assert [nice_step(x) for x in (0.03, 0.2, 1.1, 3, 70, 0)] == [pytest.approx(v) for v in (0.05, 0.2, 2, 5, 100, 1)]
    assert nice_ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10] and nice_ticks(3, 3) == [3]


def test_nothing_is_found_where_there_is_nothing() -> None:
    """Fifty figures without a difference, forty times over: any is found in about one of twenty."""
    source, wrong = random.Random(7), 0
    for _ in range(40):
        found = [difference(str(n), *([source.gauss(0, 1) for _ in range(60)] for _ in range(2))) for n in range(50)]
        wrong += bool(significant(found))
    assert wrong <= 7


def test_what_is_there_is_found() -> None:
    source = random.Random(3)
    before = [source.gauss(10, 2) for _ in range(100)]
    found = [difference("moved", before, [v + source.gauss(1, 1) for v in before])]
    found += [difference(str(n), before, [source.gauss(10, 2) for _ in range(100)]) for n in range(50)]
    assert significant(found) == {"moved"}
    assert found[0].low < 1 < found[0].high and found[0].effect == pytest.approx(0.5, abs=0.2)


def test_a_few_pairs_that_differ_mean_little() -> None:
    before = [0.0] * 200
    assert difference("few", before, [1.0] * 4 + [0.0] * 196).chance >= 0.125
    assert difference("none", before, before).chance == 1 and significant([difference("none", before, before)]) == set()
    always = difference("always", before, [1.0] * 200)
    assert always.chance < 1e-50 and always.effect > 1
