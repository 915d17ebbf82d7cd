"""Cells that a function reads several times are kept in Python's own variables, which are much faster to read.

In: the lines of one function. Out: the same function. What is written to such a cell is written to both. Only cells
with a number that nothing can change in another way: locals of procedures, and in functions that list answers all.
Among functions that nobody looks in between (`private`), what only one reads is not written to the cell at all.
"""

from __future__ import annotations

import re

Line = tuple[int, str, int]  # indent, text, number of the place

CELL = re.compile(r"\bS\[(\d+)\]")
STORED = re.compile(r"^S\[(\d+)\] (\+?)= ")
CHANGED = re.compile(r"^S\[(\d+)\] [-|^]= ")
CHAINED = re.compile(r"^S\[(\d+)\] = S\[[^=]*\] = |^S\[(\d+)\], ")
INSIDE = re.compile(r": S\[(\d+)\] [-+|^]?= ")
SLICE = re.compile(r"^S\[(\d+):(\d+)\] = ")
OWNED = re.compile(r"\bS\[(\d+) \+ (c\d+)\]")
OFTEN = 2  # reads that make it worth while


def kept(lines: list[Line], first: int, last: int) -> list[Line]:
    """`first`, `last`: the cells that may be kept, the last excluded. The first line is the head of the function."""
    reads: dict[int, int] = {}
    begun: dict[int, bool] = {}  # whether the first mention is a write that always happens
    never: set[int] = set()
    for indent, text, _ in lines[1:]:
        if "S[" not in text:
            continue
        stored = None
        if "= " in text:
            slice_found, chained, changed = SLICE.match(text), CHAINED.match(text), CHANGED.match(text)
            if slice_found:
                never |= set(range(int(slice_found[1]), int(slice_found[2])))
            if chained:
                never |= {int(found[1]) for found in CELL.finditer(text)}
            never |= {int(changed[1])} if changed else set()
            never |= {int(found[1]) for found in INSIDE.finditer(text)}
            stored = STORED.match(text)
        for found in CELL.finditer(text):
            cell = int(found[1])
            if not first <= cell < last:
                continue
            if stored and found.start() == 0:
                again = any(int(other[1]) == cell for other in CELL.finditer(text, found.end()))
                begun.setdefault(cell, indent == 1 and not stored[2] and not again)
                reads[cell] = reads.get(cell, 0) + bool(stored[2])
            else:
                begun.setdefault(cell, False)
                reads[cell] = reads.get(cell, 0) + 1
    chosen = {cell for cell, count in reads.items() if count >= OFTEN and cell not in never}
    if not chosen:
        return lines
    mentions = _mentions(lines)
    unread = [cell for cell in sorted(chosen) if not begun[cell] and not _begun(lines, mentions[cell])]
    first = min(mentions[cell][0][0] for cell in chosen)
    while first > 1 and (lines[first][0] > 1 or lines[first][1].startswith(("else", "elif", "except"))):
        first -= 1  # the statement in which one of them is needed first: the function may be left before it
    out = [*lines[:first], *((1, f"c{cell} = S[{cell}]", lines[0][2]) for cell in unread)]
    return out + [(indent, _rewritten(text, chosen), place) for indent, text, place in lines[first:]]


def owned(lines: list[Line], cell: int) -> list[Line]:
    """In a function that lists the answers of the player in a cell: what is that player's own is read once, too."""
    variable = f"c{cell}"
    reads: dict[str, int] = {}
    for _, text, _ in lines:
        for found in OWNED.finditer(text):
            if found[2] == variable:
                reads[found[0]] = reads.get(found[0], 0) + 1
    names = {text: f"{variable}_{k}" for k, (text, count) in enumerate(reads.items()) if count >= OFTEN}
    if not names:
        return lines
    place = next(k for k, line in enumerate(lines) if line[1].startswith(f"{variable} = ")) + 1
    begun = [(1, f"{name} = {text}", lines[place - 1][2]) for text, name in names.items()]
    while place < len(lines) and re.match(r"c\d+ = S\[", lines[place][1]):
        place += 1
    rest = [(i, OWNED.sub(lambda f: names.get(f[0], f[0]), text), at) for i, text, at in lines[place:]]
    return [*lines[:place], *begun, *rest]


def _rewritten(text: str, chosen: set[int]) -> str:
    def variable(found: re.Match[str]) -> str:
        return f"c{found[1]}" if int(found[1]) in chosen else found[0]

    if "S[" not in text:
        return text
    stored = STORED.match(text)
    if stored is None or int(stored[1]) not in chosen:
        if stored is not None:
            return text[: stored.end()] + CELL.sub(variable, text[stored.end() :])
        return CELL.sub(variable, text)
    value = CELL.sub(variable, text[stored.end() :])
    cell = stored[1]
    if stored[2]:
        return f"c{cell} = S[{cell}] = c{cell} + {value}"
    return f"c{cell} = S[{cell}] = {value}"


# A value that can be left out: working it out changes nothing.
TAME = re.compile(r"[\w\s+()-]*(S\[\d+\][\w\s+()-]*)*|\[[(),\s\d]*((chosen|left|rest)\d+[(),\s\d]*)+\]")
SAME = re.compile(r"^(c\d+) = \1$")


def private(functions: list[list[Line]], cells: set[int]) -> list[list[Line]]:
    """What one function alone reads, always after it was written there, becomes a variable of that function; what none
    reads is not written. `cells`: those that nothing outside of these functions reads."""
    mentions = [_mentions(lines) for lines in functions]
    unread, owners = set(), {}
    for cell in cells:
        readers = [k for k, found in enumerate(mentions) if any(not stored for _, stored in found.get(cell, ()))]
        if not readers:
            unread.add(cell)
        elif len(readers) == 1 and _begun(functions[readers[0]], mentions[readers[0]][cell]):
            owners[cell] = readers[0]
    return [_without(lines, k, unread, owners) for k, lines in enumerate(functions)]


def mentioned(functions: list[list[Line]]) -> set[int]:
    """The cells that any of these functions mentions."""
    return {int(found[1]) for lines in functions for _, text, _ in lines for found in CELL.finditer(text)}


def _mentions(lines: list[Line]) -> dict[int, list[tuple[int, bool]]]:
    """Cell -> the lines that mention it, and whether that is a plain write."""
    found: dict[int, list[tuple[int, bool]]] = {}
    for k, (_, text, _) in enumerate(lines):
        if "S[" not in text:
            continue
        slice_found, stored = SLICE.match(text), STORED.match(text)
        if slice_found:
            for cell in range(int(slice_found[1]), int(slice_found[2])):
                found.setdefault(cell, []).append((k, True))
        plain = stored is not None and not stored[2] and not CHAINED.match(text)
        for one in CELL.finditer(text):
            found.setdefault(int(one[1]), []).append((k, plain and one.start() == 0))
    return found


def _begun(lines: list[Line], mentions: list[tuple[int, bool]]) -> bool:
    """Whether all that is read was written before, in the same block or around it."""
    writes = [k for k, stored in mentions if stored and not SLICE.match(lines[k][1])]
    reads = [k for k, stored in mentions if not stored]
    if not writes or reads[0] <= writes[0]:
        return False
    first = writes[0]
    end = next((k for k in range(first, len(lines)) if lines[k][0] < lines[first][0]), len(lines))
    return reads[-1] < end and not any(first < k < reads[-1] and SLICE.match(lines[k][1]) for k, _ in mentions)


def _without(lines: list[Line], number: int, unread: set[int], owners: dict[int, int]) -> list[Line]:
    out: list[Line] = []
    idle = unread | {cell for cell, owner in owners.items() if owner != number}
    gone = unread | set(owners)

    def variable(found: re.Match[str]) -> str:
        return f"c{found[1]}" if owners.get(int(found[1])) == number else found[0]

    for indent, text, place in lines:
        if "S[" not in text:
            if not SAME.match(text):
                out.append((indent, text, place))
            continue
        stored, slice_found = STORED.match(text), SLICE.match(text)
        nothing = slice_found is not None and set(range(int(slice_found[1]), int(slice_found[2]))) <= gone
        if stored and int(stored[1]) in idle and not CHAINED.match(text):
            nothing = bool(TAME.fullmatch(text[stored.end() :])) and not INSIDE.search(text)
        if nothing:
            out.append((indent, "pass", place))
            continue
        inner = INSIDE.search(text)
        if inner and int(inner[1]) in idle and TAME.fullmatch(text[inner.end() :]):
            out.append((indent, "pass", place))
            continue
        text = CELL.sub(variable, text)
        if not SAME.match(text):
            out.append((indent, text, place))
    return out


def spare(lines: list[Line]) -> list[Line]:
    """Without lines that do nothing, where something else stands in the same block."""
    out: list[Line] = []
    for k, (indent, text, place) in enumerate(lines):
        idle = SAME.match(text) or text == "pass"
        before = out[-1] if out else (0, ":", -1)
        begins = before[0] < indent  # the first line of a block
        ends = k + 1 == len(lines) or lines[k + 1][0] < indent
        if not idle or (begins and ends):
            out.append((indent, text, place))
    return out
