"""What is compared and then given back is read once: `(v if (S[35 + v] == 0) else S[35 + v])` has a name for the cell.

In: the lines of a function. Out: the same function. Where a list is gone through is left alone: Python allows no such
name there.
"""

from __future__ import annotations

import re

from cambist.interpreter.compiled.rewriting.keeping import Line

TWICE = re.compile(r"\((\w+) if \(([SC]\[\d+ \+ \w+\]) == (\(-\d+\)|\d+)\) else \2\)")


def compared_once(lines: list[Line]) -> list[Line]:
    return [(indent, _once(text) if " else " in text else text, place) for indent, text, place in lines]


def _once(text: str) -> str:
    found, begin, number = [], 0, 0
    for one in TWICE.finditer(text):
        if not _gone_through(text[: one.start()]):
            name, number = f"w{number}_", number + 1
            found += [text[begin : one.start()], f"({one[1]} if ({name} := {one[2]}) == {one[3]} else {name})"]
            begin = one.end()
    return "".join([*found, text[begin:]])


def _gone_through(before: str) -> bool:
    """Whether what follows stands where a list inside of brackets says what it goes through."""
    opened: list[int] = []
    for place, sign in enumerate(before):
        if sign in "([{":
            opened.append(place)
        elif sign in ")]}" and opened:
            opened.pop()
    return bool(opened) and " for " in before[opened[0] :]
