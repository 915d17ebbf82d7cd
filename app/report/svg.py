"""A drawing surface for plots: two axes with names, ticks that people like to read, marks with a text to hover over.

In: what is drawn, in the plot's own numbers. Out: one `<svg>`. No script, no style of its own (page.py has the
classes), everything that comes from outside escaped. Every plot has a title and a name on each of its two axes: without
them it cannot be made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from cambist.report.reckoning import nice_ticks

LETTER = 6.1  # width of one, about, in the size of labels
MOST_LETTERS = 34


def number(value: float) -> str:
    """`1,200`, `3`, `0.25`: as many digits as one reads."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    digits = 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 3
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    value = share * 100
    return f"{value:.0f} %" if value >= 10 or value == int(value) else f"{value:.1f} %"


def short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


class Axis:
    """From which number to which, with a name; `names` stand instead of ticks at 0, 1, 2 …"""

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        names: Sequence[str] | None = None,
        written: Callable[[float], str] = number,
    ) -> None:
        assert label, "an axis has a name"
        self.label = label
        self.low, self.high = (low, high) if high > low else (low - 0.5, low + 0.5)
        self.names = names
        self.written = written

    def ticks(self, count: int) -> list[tuple[float, str]]:
        if self.names is not None:
            return [(float(place), name) for place, name in enumerate(self.names)]
        return [(tick, self.written(tick)) for tick in nice_ticks(self.low, self.high, count)]


class Plot:
    def __init__(self, title: str, x: Axis, y: Axis, width: int = 430, height: int = 250) -> None:
        self.title, self.x, self.y = title, x, y
        self.width, self.height = width, height
        longest = max((len(short(text)) for _, text in y.ticks(5)), default=1)
        self.left = (26 if y.names is None else 10) + round(longest * LETTER) + 8
        self.right, self.top, self.bottom = width - 12, 12 if y.names is None else 26, height - 44
        self.parts: list[str] = []

    # ---- where things are

    def across(self, value: float) -> float:
        return self.left + (value - self.x.low) / (self.x.high - self.x.low) * (self.right - self.left)

    def down(self, value: float) -> float:
        """Numbers go up; names are read from the top."""
        share = (value - self.y.low) / (self.y.high - self.y.low)
        if self.y.names is not None:
            return self.top + share * (self.bottom - self.top)
        return self.bottom - share * (self.bottom - self.top)

    # ---- what is drawn

    def box(self, x0: float, x1: float, y0: float, y1: float, look: str, told: str) -> None:
        left, right = sorted((self.across(x0), self.across(x1)))
        top, bottom = sorted((self.down(y0), self.down(y1)))
        at = f'x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 0.5):.1f}" height="{max(bottom - top, 0.5):.1f}"'
        self.parts.append(f'<rect class="{look}" {at}>{_told(told)}</rect>')

    def line(self, points: Sequence[tuple[float, float]], look: str, told: str = "") -> None:
        self.parts.append(f'<polyline class="{look}" points="{self._points(points)}">{_told(told)}</polyline>')

    def area(self, points: Sequence[tuple[float, float]], look: str, told: str = "") -> None:
        self.parts.append(f'<polygon class="{look}" points="{self._points(points)}">{_told(told)}</polygon>')

    def dot(self, x: float, y: float, look: str, told: str) -> None:
        at = f'cx="{self.across(x):.1f}" cy="{self.down(y):.1f}" r="4.5"'
        self.parts.append(f'<circle class="{look}" {at}>{_told(told)}</circle>')

    def words(self, x: float, y: float, text: str, look: str = "small", shift: tuple[float, float] = (0, 0)) -> None:
        at = f'x="{self.across(x) + shift[0]:.1f}" y="{self.down(y) + shift[1]:.1f}"'
        self.parts.append(f'<text class="{look}" {at}>{escape(text)}</text>')

    def _points(self, points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{self.across(x):.1f},{self.down(y):.1f}" for x, y in points)

    # ---- the whole

    def drawn(self) -> str:
        head = f'<svg class="plot" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        title = f"<title>{escape(self.title)}</title>"
        return f'{head} role="img">{title}{"".join([*self._axes(), *self.parts])}</svg>'

    def _axes(self) -> list[str]:
        found = []
        several = max(2, round((self.right - self.left) / 70))
        for value, text in self.x.ticks(several):
            x = self.across(value)
            if self.x.names is None:
                found.append(f'<path class="grid" d="M{x:.1f} {self.top}V{self.bottom}"/>')
            found.append(f'<text class="tick middle" x="{x:.1f}" y="{self.bottom + 16}">{escape(short(text))}</text>')
        for value, text in self.y.ticks(5):
            y = self.down(value)
            if self.y.names is None:
                found.append(f'<path class="grid" d="M{self.left} {y:.1f}H{self.right}"/>')
            whole = _told(text) if short(text) != text else ""
            at = f'x="{self.left - 6}" y="{y + 3.5:.1f}"'
            found.append(f'<text class="tick end" {at}>{escape(short(text))}{whole}</text>')
        found.append(f'<path class="line" d="M{self.left} {self.top}V{self.bottom}H{self.right}"/>')
        middle = (self.left + self.right) / 2
        found.append(f'<text class="axis middle" x="{middle:.1f}" y="{self.height - 8}">{escape(self.x.label)}</text>')
        if self.y.names is not None:
            found.append(f'<text class="axis" x="4" y="12">{escape(self.y.label)}</text>')
        else:
            up = (self.top + self.bottom) / 2
            turn = f'x="{-up:.1f}" y="12" transform="rotate(-90)"'
            found.append(f'<text class="axis middle" {turn}>{escape(self.y.label)}</text>')
        return found


def _told(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""
