"""The list of codes: each message function registers here with its code; its docstring is what `explain`
prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from textwrap import dedent
from typing import TypeVar

from attrs import frozen

CODES: dict[str, Code] = {}
MOST_COMPARED = 200


@frozen
class Code:
    code: str
    name: str  # the function's name with dashes: what is wrong, not the cure
    text: str  # the explanation, with a `Wrong:` and a `Right:` block


F = TypeVar("F", bound=Callable[..., object])


def code(number: str) -> Callable[[F], F]:
    def register(function: F) -> F:
        assert number not in CODES, f"{number} is taken by {CODES[number].name}"
        CODES[number] = Code(number, function.__name__.replace("_", "-"), _explanation(function.__doc__ or ""))
        return function

    return register


def _explanation(text: str) -> str:
    """A docstring without its indentation. (`inspect.getdoc` would turn tabs in an example into spaces.)"""
    first, _, rest = text.partition("\n")
    return f"{first.strip()}\n{dedent(rest)}".strip()


def blocks(text: str) -> dict[str, str]:
    """The indented blocks of an explanation by their heading: {"Wrong": …, "Right": …}."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in text.splitlines():
        if line in ("Wrong:", "Right:"):
            heading = line[:-1]
            found[heading] = []
        elif heading and (line.startswith("    ") or not line.strip()):
            found[heading].append(line[4:])
        else:
            heading = ""
    return {name: "\n".join(lines).strip("\n") + "\n" for name, lines in found.items()}


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The one that is meant for certain: a slip of the fingers away, and no other is as near."""
    found: list[tuple[int, str]] = []
    most = 1 if len(name) < 8 else 2
    known = {c for c in candidates if c != name and abs(len(c) - len(name)) <= most and len(c) > 2}
    if len(known) > MOST_COMPARED:  # comparing takes time: only what begins alike
        known = {c for c in known if c[0] == name[0]}
    if len(known) > MOST_COMPARED:
        return ""
    for candidate in sorted(known):
        slips = 0 if candidate.lower() == name.lower() else _slips(name, candidate, most)
        if slips <= most:
            found.append((slips, candidate))
    found.sort()
    if not found or (len(found) > 1 and found[0][0] == found[1][0]):
        return ""
    return found[0][1]


def _slips(a: str, b: str, most: int) -> int:
    """How many letters were left out, put in, changed or swapped with their neighbour; more than `most` is all one."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            step = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                step = min(step, earlier[j - 2] + 1)
            row.append(step)
        if min(row) > most:
            return most + 1
    return row[-1]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    known = sorted(set(candidates))
    if len(known) > MOST_COMPARED:  # comparing takes time: only what begins alike and is about as long
        known = [c for c in known if c[:1] == name[:1] and abs(len(c) - len(name)) < 3][:MOST_COMPARED]
    close = get_close_matches(name, known, n=1, cutoff=0.7)
    return f"did you mean `{close[0]}`?" if close else ""


def listed(names: Iterable[str], most: int = 6) -> str:
    ordered = sorted(set(names))
    shown = ", ".join(f"`{n}`" for n in ordered[:most])
    return shown + (f" and {len(ordered) - most} more" if len(ordered) > most else "")
