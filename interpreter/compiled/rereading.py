"""Cells that were just read or written are not read again: what is in them is taken from a variable.

In: the lines of one function, and which cells a computed number can mean. Out: the same function. A line is followed by
the next, a block is left for what comes behind it; what holds on every way to a line is known there. At the head and
the end of a loop nothing is.
"""

from __future__ import annotations

import re

from attrs import define

from cambist.interpreter.compiled.keeping import Line
from cambist.interpreter.compiled.layout import Layout

NAME = r"(?:[cr]\d+|[a-z]\w*_\d+)"  # variables that are no names of loops inside of an expression
CELL = re.compile(rf"\bS\[(?:(\d+)(?: \+ ({NAME}))?|i)\]")
NUMBERED = re.compile(rf"^i = (\d+) \+ ({NAME})$")
STORED = re.compile(rf"\bS\[(?:(\d+)(?: \+ ({NAME}))?|i|(\d*)[^=:]*?)\] [-+|^]?= ")
WHOLE = re.compile(r"^(\w+) = (S\[[^]]*\])$")  # a variable that is what is in a cell
NAMED = re.compile(r"((?:\b\w+, )*\b\w+) (?::?=|[-+|^*]=) |^for ([\w, ]+) in |^\[([\w, ]+)\] = ")
COPIED = re.compile(rf"^({NAME}) = ({NAME})$")
SET = re.compile(r"^(S\[[^]]*\]) = (?:(\w+) = )?")
CHANGED = re.compile(r"^(S\[[^]]*\]) ([-+|^])= ")
CALLED = re.compile(r"\b(\w+)\(S\b")
HARMLESS = re.compile(r"permuted|spend|F\d+|list_\d+|remembered_\d+|sources|depths")  # they write to no cell named here
MOVES = re.compile(r"take|taken")  # they write to zones
MAYBE = re.compile(r" and | or | if | else |lambda| for |: |\b(?:no_entry|look_up|divide|times|none|within|best)\(")
LEAVES = re.compile(r"(?:^|: )(?:continue|break|return|raise)\b")
INSIDE = re.compile(r"[\[({].* for ")
COMPOUND = re.compile(r"(?:if|elif|else|try|except|for|while)\b")

Key = tuple[int, str]  # the number of a cell, and what is added to it


@define
class Known:
    """What is in cells, on one way through a function."""

    cells: dict[Key, tuple[str, int]]  # the variable, and the number of the reading
    same: dict[str, str]  # variables that are copies of others

    def copy(self) -> Known:
        return Known(dict(self.cells), dict(self.same))

    def and_of(self, other: Known) -> Known:
        cells = {key: one for key, one in self.cells.items() if other.cells.get(key) == one}
        return Known(cells, {name: one for name, one in self.same.items() if other.same.get(name) == one})


def read_once(lines: list[Line], layout: Layout) -> list[Line]:
    """The first line is the head of the function."""
    if sum(text.count("S[") for _, text, _ in lines) < 2:
        return lines
    counting = _Reading(lines, layout, None)
    worth = {number for number, (often, least) in counting.often.items() if often >= least}
    return _Reading(lines, layout, worth).out


class _Reading:
    """One walk. The first counts how often each reading would be used again; the second writes those that are."""

    def __init__(self, lines: list[Line], layout: Layout, worth: set[int] | None) -> None:
        self.lines, self.layout, self.worth = lines, layout, worth
        self.often: dict[int, tuple[int, int]] = {}  # reading -> how often it is used, and must be to be worth a line
        self.number = ""  # what `i` is
        self.out: list[Line] = [lines[0]]
        end, _ = self.block(1, 1, Known({}, {}))
        self.out += lines[end:]  # what stands behind the function

    def block(self, k: int, indent: int, known: Known | None) -> tuple[int, Known | None]:
        """The lines of a block; what follows it, and what is known there. None: it is left elsewhere."""
        while k < len(self.lines) and self.lines[k][0] >= indent:
            known = known or Known({}, {})
            text = self.lines[k][1]
            if text.startswith("if "):
                k, known = self.branches(k, indent, known)
            elif COMPOUND.match(text) and text.partition("  # ")[0].endswith(":"):
                self.out.append(self.lines[k])  # a loop, or what comes after one: nothing is known
                k, _ = self.block(k + 1, indent + 1, None)
                known, self.number = None, ""
            elif COMPOUND.match(text):
                if text.startswith(("for ", "while ")):
                    self.forget(text, known)
                self.out.append((indent, self.replaced(text, known), self.lines[k][2]))
                self.forget(text, known)
                k += 1
            else:
                self.plain(self.lines[k], known)
                known = None if LEAVES.match(text) else known
                k += 1
        return k, known

    def branches(self, k: int, indent: int, known: Known) -> tuple[int, Known | None]:
        """An `if` with all that belongs to it."""
        ends: list[Known | None] = []
        number, open_end = self.number, True
        while k < len(self.lines) and self.lines[k][0] == indent:
            text = self.lines[k][1]
            first = text.startswith("if ")
            if first and ends or not text.startswith(("if ", "elif ", "else")):
                break
            if first:
                self.read_before(self.lines[k], known)
            self.out.append((indent, self.replaced(text, known), self.lines[k][2]))
            code, inside = text.partition("  # ")[0], known.copy()
            self.number = number
            if code.endswith(":"):
                self.forget(code, known)  # names that a condition gives
                self.forget(code, inside)
                k, end = self.block(k + 1, indent + 1, inside)
            else:
                self.forget(code, inside)
                k, end = k + 1, None if LEAVES.search(code) else inside
            ends.append(end)
            open_end = open_end and not text.startswith("else")
        if open_end:
            ends.append(known)
        self.number = ""
        found: Known | None = None
        for end in ends:
            found = end if found is None else found if end is None else found.and_of(end)
        return k, found

    def plain(self, line: Line, known: Known) -> None:
        indent, text, place = line
        code, mark, note = text.partition("  # ")
        if code == f"i = {self.number}" and self.number:
            return
        self.read_before(line, known)
        changed, stored = CHANGED.match(code), SET.match(code)
        if changed:
            code = self._changed(code, changed, known)
        elif stored and CELL.fullmatch(stored[1]):
            code = self._stored(code, stored, known)
        else:
            whole = WHOLE.match(code)
            key = self.key(whole[2], known) if whole else None
            new = key is not None and key not in known.cells
            code = self.replaced(code, known)
            self.forget(code, known)
            copied, numbered = COPIED.match(code), NUMBERED.match(code)
            if copied:
                known.same[copied[1]] = known.same.get(copied[2], copied[2])
            elif whole and key is not None and new and whole[1] != key[1]:
                known.cells[key] = (whole[1], -1)
            if numbered:
                self.number = code[4:]
        self.out.append((indent, f"{code}{mark}{note}", place))

    # ---- writing

    def _changed(self, code: str, changed: re.Match[str], known: Known) -> str:
        """`S[5] += x` where it is known what is in the cell: that is not read."""
        key, value = self.key(changed[1], known), self.replaced(code[changed.end() :], known)
        new = key is None or key not in known.cells
        before = None if key is None else self.use(key, known)
        self.forget(code, known)
        if key is None or new:
            return code[: changed.end()] + value
        name = self.begun(key, known)
        if not name and before is None:
            return code[: changed.end()] + value
        value = value if re.fullmatch(r"\w+", value) else f"({value})"
        return f"{f'{name} = ' if name else ''}{changed[1]} = {before or changed[1]} {changed[2]} {value}"

    def _stored(self, code: str, stored: re.Match[str], known: Known) -> str:
        key, value = self.key(stored[1], known), self.replaced(code[stored.end() :], known)
        text = code[: stored.end()] + value
        self.forget(code, known)
        if key is None:
            return text
        name = stored[2] or (value if re.fullmatch(NAME, value) else "")
        if name:
            known.cells[key] = (name, -1)
            return text
        if re.fullmatch(r"\(?-?\d+\)?|\[\]", value):
            if value != "[]":
                known.cells[key] = (value, -1)
            return text
        name = self.begun(key, known)
        return f"{name} = {text}" if name else text

    # ---- reading

    def key(self, cell: str, known: Known) -> Key | None:
        found = CELL.fullmatch(cell)
        if found is None:
            return None
        if found[1] is None:
            base, _, name = self.number.partition(" + ")
            return (int(base), known.same.get(name, name)) if name else None
        return int(found[1]), known.same.get(found[2], found[2]) if found[2] else ""

    def begun(self, key: Key, known: Known, read: int = 0) -> str:
        """A new reading of a cell, or, `read` 0, a writing: the variable, if it is worth one."""
        number = len(self.often)
        self.often[number] = (0, read + (1 if key[1] else 2))
        name = f"z{number}"
        known.cells[key] = (name, number)
        return name if self.worth is None or number in self.worth else ""

    def use(self, key: Key, known: Known) -> str | None:
        found = known.cells.get(key)
        if found is None:
            return None
        name, number = found
        if number < 0:
            return name
        often, least = self.often[number]
        self.often[number] = often + 1, least
        return name if self.worth is None or number in self.worth else None

    def replaced(self, text: str, known: Known) -> str:
        """A line with variables instead of cells. What a loop inside of an expression reads would cost more so."""
        code, mark, note = text.partition("  # ")
        if "S[" not in code or "lambda" in code or INSIDE.search(code):
            return text

        def variable(found: re.Match[str]) -> str:
            if re.match(r" [-+|^]?= ", code[found.end() : found.end() + 4]):
                return found[0]
            key = self.key(found[0], known)
            return (self.use(key, known) if key is not None else None) or found[0]

        return CELL.sub(variable, code) + mark + note

    def read_before(self, line: Line, known: Known) -> None:
        """Lines before this one that put what it surely reads into variables."""
        indent, text, place = line
        code = text.partition("  # ")[0]
        if code.startswith("return") or WHOLE.match(code) or ":= " in code:
            return
        maybe = MAYBE.search(code, 3)
        for found in CELL.finditer(code, 0, maybe.start() if maybe else len(code)):
            key = self.key(found[0], known)
            if key is None or key in known.cells or re.match(r" [-+|^]?= ", code[found.end() :]):
                continue
            name = self.begun(key, known, 1)
            if name:
                self.out.append((indent, f"{name} = {found[0]}", place))

    # ---- forgetting

    def forget(self, text: str, known: Known) -> None:
        """What a line changes is not known any more."""
        code = text.partition("  # ")[0]
        for found in NAMED.finditer(code):
            for name in (found[1] or found[2] or found[3]).split(", "):
                self._renamed(name, known)
        for found in STORED.finditer(code):
            key = self.key(found[0][: found[0].index("]") + 1], known) if found[3] is None else None
            if key is None:
                known.cells.clear()
            else:
                self._written(key, known)
        for found in CALLED.finditer(code):
            if MOVES.fullmatch(found[1]):
                self._written((self.layout.zones, "?"), known)
            elif not HARMLESS.fullmatch(found[1]):
                known.cells.clear()
        if re.search(r"\bS\[\d*:", code):
            known.cells.clear()

    def _renamed(self, name: str, known: Known) -> None:
        for key, (variable, _) in [*known.cells.items()]:
            if name in (variable, key[1]):
                del known.cells[key]
        for copy, one in [*known.same.items()]:
            if name in (copy, one):
                del known.same[copy]
        if self.number.endswith(f" {name}") or name == "i":
            self.number = ""

    def _written(self, key: Key, known: Known) -> None:
        begin, end = self._reach(key)
        for other in [*known.cells]:
            low, high = self._reach(other)
            if low < end and begin < high:
                del known.cells[other]

    def _reach(self, key: Key) -> tuple[int, int]:
        """The cells that may be meant."""
        cell, name = key
        return (cell, cell + 1) if not name else self.layout.reach(cell)
