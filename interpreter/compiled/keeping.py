"""Cells that a function reads several times are kept in Python's own variables, which are much faster to read.

In: the lines of one function. Out: the same function. What is written to such a cell is written to both. Only cells
with a number that nothing can change in another way: locals of procedures, and in functions that list answers all.
"""

from __future__ import annotations

import re

Line = tuple[int, str, int]

CELL = re.compile(r"\bS\[(\d+)\]")
STORED = re.compile(r"^S\[(\d+)\] (\+?)= ")
CHANGED = re.compile(r"^S\[(\d+)\] [-|^]= ")
CHAINED = re.compile(r"^S\[(\d+)\] = S\[|^S\[(\d+)\], ")
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
        code = text.partition("  # ")[0]
        slice_found, chained = SLICE.match(code), CHAINED.match(code)
        if slice_found:
            never |= set(range(int(slice_found[1]), int(slice_found[2])))
        if chained:
            never |= {int(found[1]) for found in CELL.finditer(code)}
        changed = CHANGED.match(code)
        never |= {int(changed[1])} if changed else set()
        never |= {int(found[1]) for found in INSIDE.finditer(code)}
        stored = STORED.match(code)
        for found in CELL.finditer(code):
            cell = int(found[1])
            if not first <= cell < last:
                continue
            if stored and found.start() == 0:
                again = any(int(other[1]) == cell for other in CELL.finditer(code, found.end()))
                begun.setdefault(cell, indent == 1 and not stored[2] and not again)
                reads[cell] = reads.get(cell, 0) + bool(stored[2])
            else:
                begun.setdefault(cell, False)
                reads[cell] = reads.get(cell, 0) + 1
    chosen = {cell for cell, count in reads.items() if count >= OFTEN and cell not in never}
    if not chosen:
        return lines
    out = [lines[0]]
    rest = lines[1:]
    if rest and rest[0][1].startswith('"""'):
        out.append(rest.pop(0))
    out += [(1, f"c{cell} = S[{cell}]", lines[0][2]) for cell in sorted(chosen) if not begun[cell]]
    return out + [(indent, _rewritten(text, chosen), place) for indent, text, place in rest]


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

    stored = STORED.match(text)
    if stored is None or int(stored[1]) not in chosen:
        if stored is not None:
            return text[: stored.end()] + CELL.sub(variable, text[stored.end() :])
        return CELL.sub(variable, text)
    value = CELL.sub(variable, text[stored.end() :])
    cell = stored[1]
    if stored[2]:
        code, mark, note = value.partition("  # ")
        return f"c{cell} = S[{cell}] = c{cell} + {code}{mark}{note}"
    return f"c{cell} = S[{cell}] = {value}"
