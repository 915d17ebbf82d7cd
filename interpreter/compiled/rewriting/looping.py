"""Loops: sums are added up in the function itself, and what goes through the same list twice goes through it once.

In: the lines of one function. Out: the same function. A list in brackets that loops is a function of its own, which has
to be made and called: more than adding up costs where few things are left of a list. Two loops become one if each does
nothing but sort out things by what is printed on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from cambist.interpreter.compiled.rewriting.keeping import Line

ONE_LOOP = r"(?:(?! for |lambda).)+"
SUMMED = re.compile(rf"^(\w+) = (sum|len)\(\[({ONE_LOOP}) for (v\d+) in (\w+|S\[[^]]*\]) if ({ONE_LOOP})\]\)$")
LOOP = re.compile(r"^for (v\d+) in (\w+):$")
PRINTED = re.compile(r"^if (K\d+)\[(v\d+)\]:$")
GATHERED = re.compile(r"^(\w+)\.append\(([^S]*)\)$")
BEGUN = re.compile(r"^(\w+) = \[\]$")
COUNTED = re.compile(r"^\w+ = len\((\w+)\)$")


def added_up(lines: list[Line]) -> list[Line]:
    return [one for line in lines for one in _added_up(line)]


def _added_up(line: Line) -> Iterator[Line]:
    indent, code, place = line
    found = SUMMED.match(code) if "([" in code else None
    if found is None or re.search(rf"\b{found[1]}\b", code[found.end(1) :]):
        yield line
        return
    name, how, value, item, things, test = found.groups()
    yield indent, f"{name} = 0", place
    yield indent, f"for {item} in {things}:", place
    yield indent + 1, f"if {test}: {name} += {value if how == 'sum' else '1'}", place


@frozen
class _Sorting:
    """A loop that gathers some of the things in a list."""

    item: str
    things: str
    gathered: str
    printed: str  # the table that is asked
    inside: list[Line]


def through_once(lines: list[Line], opposite: Callable[[str, str], bool]) -> list[Line]:
    """`opposite`: whether of two tables one says yes for just those things for which the other says no."""
    out: list[Line] = []
    k = 0
    while k < len(lines):
        first = _sorting(lines, k)
        end = k + 3
        while first and end < len(lines) and lines[end][0] == lines[k][0] and _calm(lines[end][1]):
            end += 1
        second = _sorting(lines, end) if first else None
        between = lines[k + 3 : end]
        if first and second and _apart(first, second, between, lines[end][0] == lines[k][0]):
            out += [line for line in between if BEGUN.match(line[1])]
            own = re.compile(rf"\b{second.item}\b")
            also = [(indent, own.sub(first.item, text), place) for indent, text, place in second.inside]
            if opposite(first.printed, second.printed):
                also[0] = (also[0][0], "else:", also[0][2])
            out += [*lines[k : k + 3], *also, *(line for line in between if not BEGUN.match(line[1]))]
            k = end + 3
        else:
            out.append(lines[k])
            k += 1
    return out


def _sorting(lines: list[Line], k: int) -> _Sorting | None:
    if k + 2 >= len(lines) or not lines[k][1].startswith("for v"):
        return None
    (indent, head, _), (one, test, _), (two, last, _) = lines[k : k + 3]
    loop, printed, gathered = LOOP.match(head), PRINTED.match(test), GATHERED.match(last)
    alone = k + 3 == len(lines) or lines[k + 3][0] <= indent
    if not (loop and printed and gathered and alone) or (one, two) != (indent + 1, indent + 2):
        return None
    if printed[2] != loop[1]:
        return None
    return _Sorting(loop[1], loop[2], gathered[1], printed[1], lines[k + 1 : k + 3])


def _calm(text: str) -> bool:
    return BEGUN.match(text) is not None or COUNTED.match(text) is not None


def _apart(first: _Sorting, second: _Sorting, between: list[Line], beside: bool) -> bool:
    """Whether neither is in the way of the other."""
    begun = {found[1] for _, text, _ in between if (found := BEGUN.match(text))}
    counted = {found[1] for _, text, _ in between if (found := COUNTED.match(text))}
    names = {first.item, first.things, first.gathered, second.item}
    return (
        beside
        and first.things == second.things
        and first.gathered != second.gathered
        and not begun & names
        and second.gathered not in counted
    )
