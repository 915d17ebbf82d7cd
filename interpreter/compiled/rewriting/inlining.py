"""Functions that others end with are written where they are called: a call takes as long as a dozen simple lines.

In: all functions that play step by step. Out: the same, in which a choice that is come to is asked at the place that
leads there, and its answers are listed where it is asked. Only short ones, and not at too many places: text must be
compiled before the first game begins.
"""

from __future__ import annotations

import re
from collections import Counter

from cambist.interpreter.compiled.rewriting.keeping import Line

CALLS = {"list_": re.compile(r"^offers = (list_\d+)\(S\)$"), "ask_": re.compile(r"^return (ask_\d+)\(S, X\)")}
LONGEST = 32  # lines of a function that is written elsewhere
MOST = 128  # lines that all places of one together may have more by it


def in_place(lines: list[Line]) -> list[Line]:
    for kind, call in CALLS.items():
        lines = _written_out(lines, kind, call)
    return lines


def _written_out(lines: list[Line], kind: str, call: re.Pattern[str]) -> list[Line]:
    """All functions, with the short ones of this kind where they are called."""
    bodies = _bodies(lines, kind)
    calls = [call.match(text) if kind in text else None for _, text, _ in lines]
    places = Counter(found[1] for found in calls if found)
    out: list[Line] = []
    for line, found in zip(lines, calls, strict=True):
        body = bodies[found[1]] if found else []
        if not found or len(body) > LONGEST or len(body) * places[found[1]] > MOST:
            out.append(line)
        else:
            out += [(line[0] + indent - 1, text, place) for indent, text, place in body]
    return out


def _bodies(lines: list[Line], kind: str) -> dict[str, list[Line]]:
    """Name -> the lines of a function of this kind, without the one that gives back what is in `offers`."""
    found: dict[str, list[Line]] = {}
    body: list[Line] = []
    for line in lines:
        if not line[0] and line[1].startswith("def "):
            body = []
            if line[1].startswith(f"def {kind}"):
                found[line[1][4 : line[1].index("(")]] = body
        elif line[0] and line[1] != "return offers":
            body.append(line)
    return found
