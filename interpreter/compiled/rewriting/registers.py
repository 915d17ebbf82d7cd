"""Cells that stand for one thing alone are Python's own variables while a function of whole random games runs.

In: the functions that play on at random, and all others of the module. Out: the former, with `r5` instead of `S[5]`
between the first line and every `return`, where it is written back. Only for cells that nothing reads or writes in
another way meanwhile: no function that is called mentions them, and no computed number of a cell can be theirs.
"""

from __future__ import annotations

import re

from cambist.interpreter.compiled.rewriting.keeping import CELL, Line

CALLED = re.compile(r"\b([A-Za-z_]\w*)\(S\b")
COMPUTED = re.compile(r"\bS\[(\d+) \+ ")
WRITTEN = re.compile(r"(?:^|: )S\[(\d+)\] (?:[-+|^]?=) |(?:^|: |= )S\[(\d+)\] = ")
WHOLE = re.compile(r"\bS\[:|\b(?:rolled_back|sampled|possible)\(")
SLICE = re.compile(r"\bS\[(\d+):(\d+)\]")
CHANGED = re.compile(r"S\[(\d+)\] [-+]= |S\[(\d+)\] = .*S\[\2\]")
OFTEN = 2  # mentions in loops that are worth a line at the beginning and one at the end


def in_registers(functions: list[list[Line]], others: list[Line], single: set[int]) -> list[list[Line]]:
    """`single`: the cells that no computed number is meant for."""
    known = _functions([*others, *(line for lines in functions for line in lines)])
    texts = [text for lines in (others, *functions) for _, text, _ in lines]
    computed = {int(found[1]) for text in texts for found in COMPUTED.finditer(text)}
    return [_changed(lines, known, single - computed) for lines in functions]


def _functions(lines: list[Line]) -> dict[str, list[str]]:
    """Name -> what the function says."""
    found: dict[str, list[str]] = {}
    for indent, text, _ in lines:
        if text.startswith("def ") and not indent:
            name = text[4 : text.index("(")]
            found[name] = []
        elif indent:
            found[name].append(text)
    return found


def _changed(lines: list[Line], known: dict[str, list[str]], single: set[int]) -> list[Line]:
    own = [text for _, text, _ in lines[1:]]
    if any(_leaves_inside(text) for text in own):
        return lines
    called, whole = _called(own, known)
    if whole:
        return lines
    elsewhere = {int(found[1]) for text in called for found in CELL.finditer(text)}
    for found in (one for text in called for one in SLICE.finditer(text)):
        elsewhere |= set(range(int(found[1]), int(found[2])))
    often = _often(lines)
    chosen = {cell for cell, count in often.items() if cell in single - elsewhere and count >= OFTEN}
    if not chosen:
        return lines
    written = {int(found[1] or found[2]) for text in own for found in WRITTEN.finditer(text)} & chosen
    written |= {cell for text in own for cell in _emptied(text)} & chosen
    out, rest = [lines[0]], lines[1:]
    if rest and rest[0][1].startswith('"""'):
        out.append(rest.pop(0))
    out += [(1, f"r{cell} = S[{cell}]", lines[0][2]) for cell in sorted(chosen)]
    for indent, text, place in rest:
        if text.startswith("return "):
            out += [(indent, f"S[{cell}] = r{cell}", place) for cell in sorted(written)]
        emptied = [cell for cell in _emptied(text) if cell in chosen]
        if emptied:
            out.append((indent, " = ".join([*(f"r{cell}" for cell in emptied), "0"]), place))
            if len(emptied) == len(_emptied(text)):
                continue
        out.append((indent, CELL.sub(lambda f: f"r{f[1]}" if int(f[1]) in chosen else f[0], text), place))
    return out


def _emptied(text: str) -> range:
    """The locals that a line sets to 0, several at once."""
    found = SLICE.match(text)
    return range(int(found[1]), int(found[2])) if found and "] = K" in text else range(0)


def _often(lines: list[Line]) -> dict[int, int]:
    """How often cells are mentioned where it may happen again and again; what is changed is read and written."""
    found: dict[int, int] = {}
    around: list[int] = []  # the depths of the loops around a line
    for indent, text, _ in lines:
        while around and indent <= around[-1]:
            around.pop()
        if around:
            for one in CELL.finditer(text):
                found[int(one[1])] = found.get(int(one[1]), 0) + 1
            for one in CHANGED.finditer(text):
                found[int(one[1] or one[2])] += 1
        if text.startswith(("while ", "for ")):
            around.append(indent)
    return found


def _leaves_inside(text: str) -> bool:
    """Whether a line may leave the function behind a condition of its own."""
    return "return " in text and not text.startswith(("return", '"""'))


def _called(texts: list[str], known: dict[str, list[str]]) -> tuple[list[str], bool]:
    """All that is said in functions that are called, and by those; and whether any of it looks at all cells."""
    found: list[str] = []
    names: set[str] = set()
    todo = texts
    whole = any(WHOLE.search(text) for text in texts)
    while todo:
        more = {f[1] for text in todo for f in CALLED.finditer(text)} - names
        names |= more
        todo = [text for name in more for text in known.get(name, ())]
        found += todo
    return found, whole or any(WHOLE.search(text) for text in found)
