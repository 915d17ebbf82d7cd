"""The few kinds of plots that the pages are made of. In: numbers with names. Out: an `<svg>`, see svg.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from cambist.report.svg import Axis, Plot, number, percent

ROW = 20  # height of one bar among many
BAR = 0.36  # half its width, the next one being 1 away


@frozen
class Estimate:
    """A value with the interval it may lie in."""

    name: str
    value: float
    low: float
    high: float
    told: str = ""


@frozen
class Pair:
    name: str
    first: float
    second: float


def columns(title: str, x: str, y: str, found: Sequence[Estimate], expected: float | None = None) -> str:
    """Shares with their intervals, side by side; `expected` is a line across."""
    top = max([e.high for e in found] + [expected or 0]) * 1.08
    plot = Plot(title, Axis(x, -0.6, len(found) - 0.4, [e.name for e in found]), Axis(y, 0, top, written=percent))
    for place, one in enumerate(found):
        told = one.told or f"{one.name}: {percent(one.value)} ({percent(one.low)} to {percent(one.high)})"
        plot.box(place - BAR, place + BAR, 0, one.value, "bar", told)
        plot.line([(place, one.low), (place, one.high)], "whisker", told)
    if expected is not None:
        told = f"a fair share: {percent(expected)}"
        plot.line([(-0.6, expected), (len(found) - 0.4, expected)], "expected", told)
    return plot.drawn()


def histogram(
    title: str, x: str, y: str, bins: Sequence[Sequence[float]], span: tuple[float, float] | None = None
) -> str:
    """How often each range of values came up; whole numbers one by one stand in the middle of their bar.

    `span`: from where to where the axis goes, to compare with another.
    """
    if not bins:
        return ""
    single = all(high - low == 1 for low, high, _ in bins) and all(low == int(low) for low, _, _ in bins)
    shift = 0.5 if single else 0.0
    top = max(count for _, _, count in bins)
    first, last = span or (bins[0][0], bins[-1][1])
    plot = Plot(title, Axis(x, first - shift, last - shift), Axis(y, 0, top * 1.05))
    for low, high, count in bins:
        here = number(low) if single else f"{number(low)} to {number(high)}"
        gap = (high - low) * 0.05
        if count:
            plot.box(low + gap - shift, high - gap - shift, 0, count, "bar", f"{here}: {number(count)}")
    return plot.drawn()


def bars(
    title: str,
    x: str,
    y: str,
    found: Sequence[tuple[str, float]],
    written: Callable[[float], str] = number,
    width: int = 520,
) -> str:
    """Many named values below one another."""
    top = max((value for _, value in found), default=0) * 1.12 or 1
    plot = _rows(title, x, y, [name for name, _ in found], 0, top, width, written)
    for place, (name, value) in enumerate(found):
        plot.box(0, value, place - BAR, place + BAR, "bar", f"{name}: {written(value)}")
        plot.words(value, place, written(value), "small", (5, 3.5))
    return plot.drawn()


def pairs(title: str, x: str, y: str, found: Sequence[Pair], names: tuple[str, str], width: int = 520) -> str:
    """Two values of each, as two dots on a line."""
    top = max((max(pair.first, pair.second) for pair in found), default=0) * 1.08 or 1
    plot = _rows(title, x, y, [pair.name for pair in found], 0, top, width, number)
    for place, pair in enumerate(found):
        plot.line([(pair.first, place), (pair.second, place)], "between")
        plot.dot(pair.second, place, "dot two", f"{pair.name}, {names[1]}: {number(pair.second)}")
        plot.dot(pair.first, place, "dot one", f"{pair.name}, {names[0]}: {number(pair.first)}")
    return plot.drawn()


def ranges(title: str, x: str, y: str, found: Sequence[tuple[str, Sequence[float]]], width: int = 520) -> str:
    """Of each, five values: four fifths of all lie on the line, half of them in the box, the median is the dot."""
    low = min((values[0] for _, values in found), default=0)
    high = max((values[-1] for _, values in found), default=1)
    room = (high - low) * 0.04
    plot = _rows(title, x, y, [name for name, _ in found], low - room, high + room, width, number)
    for place, (name, (tenth, quarter, half, three, ninetieth)) in enumerate(found):
        told = f"{name}: median {number(half)}, most between {number(tenth)} and {number(ninetieth)}"
        plot.line([(tenth, place), (ninetieth, place)], "whisker", told)
        if three > quarter:
            plot.box(quarter, three, place - BAR / 2, place + BAR / 2, "bar", told)
        plot.dot(half, place, "dot two", told)
    return plot.drawn()


def changes(title: str, x: str, y: str, found: Sequence[Estimate], width: int = 520) -> str:
    """Differences with their intervals around a line at nothing."""
    far = max([abs(v) for e in found for v in (e.low, e.high)] or [1]) * 1.1 or 1
    plot = _rows(title, x, y, [e.name for e in found], -far, far, width, number)
    plot.line([(0, -0.6), (0, len(found) - 0.4)], "expected", "no difference")
    for place, one in enumerate(found):
        plot.line([(one.low, place), (one.high, place)], "whisker", one.told)
        plot.dot(one.value, place, "dot one", one.told)
    return plot.drawn()


def bands(title: str, x: str, y: str, at: Sequence[Sequence[float]], width: int = 300, height: int = 190) -> str:
    """A value over time: the median as a line, half and four fifths of the games as bands around it."""
    last = len(at) - 1
    low, high = min(values[0] for values in at), max(values[-1] for values in at)
    room = (high - low) * 0.05
    plot = Plot(title, Axis(x, 0, 100), Axis(y, low - room if low else 0, high + room), width, height)
    times = [100 * place / last for place in range(last + 1)]
    for (lower, upper), look in (((0, 4), "band wide"), ((1, 3), "band close")):
        above = [(t, values[upper]) for t, values in zip(times, at, strict=True)]
        below = [(t, values[lower]) for t, values in zip(times, at, strict=True)]
        plot.area(above + below[::-1], look)
    told = f"{title}: median {number(at[0][2])} at the beginning, {number(at[-1][2])} at the end"
    plot.line([(t, values[2]) for t, values in zip(times, at, strict=True)], "median", told)
    return plot.drawn()


def _rows(
    title: str,
    x: str,
    y: str,
    names: Sequence[str],
    low: float,
    high: float,
    width: int,
    written: Callable[[float], str],
) -> Plot:
    height = 26 + 44 + ROW * max(len(names), 1)
    return Plot(title, Axis(x, low, high, written=written), Axis(y, -0.6, len(names) - 0.4, names), width, height)
