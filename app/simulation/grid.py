"""A sweep: `--players 2..4 --option NAME=1..5 --option NAME=a,b` as the list of its cells, in the order of a table.

In: what was typed. Out: numbers of players and settings of the options, every combination of them once. A range is
written with two dots, a list with commas; a single value is a list of one.
"""

from __future__ import annotations

import re
from itertools import product

from attrs import frozen

from cambist.problems import UserError

MOST_CELLS = 1_000
NUMBER = re.compile(r"-?[0-9]{1,18}")
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")


@frozen
class Point:
    """One cell, as it was typed."""

    players: int | None  # None: whatever is comfortable
    settings: dict[str, str]


def points(players: str | None, settings: dict[str, str]) -> list[Point]:
    counts: list[int | None] = [None] if players is None else [_count(text) for text in values(players, "--players")]
    axes = [values(text, f"--option {name}") for name, text in settings.items()]
    size = len(counts)
    for axis in axes:
        size *= len(axis)
    if size > MOST_CELLS:
        raise UserError(
            f"that are {size:,} combinations, more than {MOST_CELLS:,}", "sweep over fewer values at a time"
        )
    return [Point(count, dict(zip(settings, chosen, strict=True))) for count in counts for chosen in product(*axes)]


def values(text: str, what: str) -> list[str]:
    """`2..4`, `a,b,c` or one value."""
    found: list[str] = []
    for part in text.split(","):
        part = part.strip()
        span = RANGE.fullmatch(part)
        if span is None:
            found.append(part)
            continue
        low, high = int(span[1]), int(span[2])
        if high < low:
            raise UserError(f"{what}: `{part}` runs backwards", f"write `{high}..{low}`")
        if high - low >= MOST_CELLS:
            raise UserError(f"{what}: `{part}` are more than {MOST_CELLS:,} values", "sweep over fewer")
        found += [str(number) for number in range(low, high + 1)]
    for value in found:
        if not value:
            raise UserError(f"{what}: a value is missing in `{text}`", "write `2..4` for a range, `2,4` for a list")
    seen: dict[str, str] = {}
    for value in found:
        before = seen.setdefault(str(int(value)) if NUMBER.fullmatch(value) else value, value)
        if before is not value:
            same = "" if before == value else f", as `{before}`"
            raise UserError(f"{what}: `{value}` stands there twice{same}", "give each value once")
    return found


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise UserError(
            f"--players: `{text}` is no number of players", "write `3`, `2..4` for a range or `2,4` for a list"
        )
    return int(text)
