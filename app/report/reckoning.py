"""The few statistics that the pages need. In: numbers. Out: numbers; the same on every platform.

Sums are exact (`fsum`), so that the order of games makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, fsum, log2, log10, sqrt
from statistics import NormalDist

from attrs import frozen

NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)
MOST_BINS = 24


@frozen
class Spread:
    """How numbers are spread: the mean with its 95 % interval, and what a tenth, half … of them do not exceed."""

    count: int
    mean: float
    low: float
    high: float
    deviation: float
    least: float
    tenth: float
    quarter: float
    median: float
    three_quarters: float
    ninetieth: float
    most: float


def mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    return sqrt(fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


# Student's factors for two to ten, of which no formula comes near
T95 = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622)


def t95(count: int) -> float:
    """Student's factor for the 95 % interval of the mean of so many: few of them tell less than they seem to."""
    free = count - 1
    if free < 1:
        return 0.0
    if free <= len(T95):
        return T95[free - 1]
    z = Z95
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free * free)


def spread(values: Sequence[float]) -> Spread:
    ordered = sorted(values) or [0.0]
    middle, about = mean(ordered), deviation(ordered)
    margin = t95(len(ordered)) * about / sqrt(len(ordered))
    tenth, quarter, half, three, ninetieth = (quantile(ordered, share) for share in (0.1, 0.25, 0.5, 0.75, 0.9))
    return Spread(
        len(values), middle, middle - margin, middle + margin, about,
        ordered[0], tenth, quarter, half, three, ninetieth, ordered[-1],
    )  # fmt: skip


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that so large a share does not exceed, between two of them if need be."""
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def counted_quantiles(counts: Mapping[int, int], shares: Sequence[float]) -> list[int]:
    """The same of values that are counted."""
    total, ordered = sum(counts.values()), sorted(counts.items())
    found = []
    for share in shares:
        wanted, so_far = share * (total - 1), 0
        for value, count in ordered:
            so_far += count
            if so_far > wanted:
                found.append(value)
                break
    return found


def wilson(successes: float, count: int, z: float = Z95) -> tuple[float, float]:
    """Between which shares the true one lies, after so many of so many."""
    if not count:
        return 0.0, 1.0
    share = successes / count
    about = share + z * z / (2 * count)
    margin = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    below = 1 + z * z / count
    return max(0.0, (about - margin) / below), min(1.0, (about + margin) / below)


def bins(values: Sequence[float], most: int = MOST_BINS) -> list[tuple[float, float, int]]:
    """From, to (not included) and how many, in steps that people like to read; a few whole numbers stay apart."""
    if not values:
        return []
    low, high = min(values), max(values)
    step = nice_step((high - low) / most)
    if all(v == int(v) for v in values):
        step = max(1.0, step)
    first = floor(low / step)
    last = floor(high / step)
    counts = [0] * (last - first + 1)
    for value in values:
        counts[floor(value / step) - first] += 1
    return [((first + i) * step, (first + i + 1) * step, count) for i, count in enumerate(counts)]


def nice_step(step: float) -> float:
    """1, 2 or 5 times a power of ten, not below."""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    for factor in (1, 2, 5, 10):
        if step <= factor * power * (1 + 1e-9):
            return factor * power
    raise AssertionError("ten powers are enough")


def nice_ticks(low: float, high: float, count: int = 5) -> list[float]:
    step = nice_step((high - low) / count if high > low else 1.0)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


@frozen
class Difference:
    """What a figure is in two rulesets whose games were played in pairs."""

    name: str
    before: float
    after: float
    low: float  # of the difference, 95 %
    high: float
    chance: float  # how likely so large a difference is if there is none, before the guard
    effect: float  # the difference in deviations of the figure itself: large is what one would notice

    @property
    def change(self) -> float:
        return self.after - self.before


def difference(name: str, before: Sequence[float], after: Sequence[float]) -> Difference:
    """Of pairs. If only few pairs differ, a sign test says how little that means."""
    steps = [b - a for a, b in zip(before, after, strict=True)]
    change, about = mean(steps), deviation(steps)
    error = about / sqrt(len(steps)) if steps else 0.0
    differing = sum(step != 0 for step in steps)
    likely = 1.0
    if differing:
        likely = 2 * NORMAL.cdf(-abs(change) / error) if error else 0.0
        likely = min(1.0, max(likely, 2.0 ** (1 - differing)))
    usual = sqrt((deviation(before) ** 2 + deviation(after) ** 2) / 2)
    effect = abs(change) / usual if usual else float(change != 0) * 10
    margin = t95(len(steps)) * error
    low, high = change - margin, change + margin
    return Difference(name, mean(before), mean(after), low, high, likely, effect)


def games_needed(figures: int, level: float = 0.05) -> int:
    """The fewest pairs in which one of so many figures can differ by more than chance explains."""
    return 1 + ceil(log2(max(1, figures) / level))


def significant(found: Sequence[Difference], level: float = 0.05) -> set[str]:
    """Holm's guard: that any of these is there by chance alone is as unlikely as one would be."""
    ordered = sorted(found, key=lambda d: d.chance)
    kept: set[str] = set()
    for place, one in enumerate(ordered):
        if one.chance > level / (len(ordered) - place):
            break
        kept.add(one.name)
    return kept
