"""Functions that others end with are written where they are called: a call takes as long as a dozen simple lines.

In: all functions that play step by step. Out: the same, in which a choice that is come to is asked at the place that
leads there, and its answers are listed where it is asked. Only short ones, and not at too many places: text must be
compiled before the first game begins.
"""

from __future__ import annotations

import re
from collections import Counter

from cambist.interpreter.compiled.keeping import Line

ASKED = re.compile(r"^return (ask_\d+)\(S, X\)")
LISTED = re.compile(r"^offers = (list_\d+)\(S\)$")
LONGEST = 32  # lines of a function that is written elsewhere
MOST = 128  # lines that all places together may have more by it


def in_place(lines: list[Line]) -> list[Line]:
    bodies = _bodies(lines)
    for name, body in bodies.items():
        if name.startswith("ask_"):
            bodies[name] = _with(body, LISTED, bodies)
    places = Counter(
        found[1] for _, text, _ in lines if text.startswith("return ask_") and (found := ASKED.match(text))
    )
    short = {
        name: bodies[name]
        for name, count in places.items()
        if len(bodies[name]) <= LONGEST and len(bodies[name]) * count <= MOST
    }
    out: list[Line] = []
    for line in lines:
        if not line[1].startswith(("return ask_", "offers = list_")):
            out.append(line)
            continue
        found, listed = ASKED.match(line[1]), LISTED.match(line[1])
        if listed and len(bodies[listed[1]]) <= LONGEST:
            out += bodies[listed[1]][:-1]
        elif found and found[1] in short:
            out += [(line[0] + indent - 1, text, place) for indent, text, place in short[found[1]]]
        else:
            out.append(line)
    return out


def _bodies(lines: list[Line]) -> dict[str, list[Line]]:
    """Name -> the lines of a function that asks or lists."""
    found: dict[str, list[Line]] = {}
    body: list[Line] = []
    for line in lines:
        if not line[0] and line[1].startswith("def "):
            body = []
            name = line[1][4 : line[1].index("(")]
            if name.startswith(("ask_", "list_")):
                found[name] = body
        elif line[0]:
            body.append(line)
    return found


def _with(body: list[Line], call: re.Pattern[str], bodies: dict[str, list[Line]]) -> list[Line]:
    """A body with what it calls at its beginning written out, up to the line that gives the result back."""
    found = call.match(body[0][1])
    if found is None or len(bodies[found[1]]) + len(body) > LONGEST:
        return body
    return [*bodies[found[1]][:-1], *body[1:]]
