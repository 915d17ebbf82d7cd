"""Cells that were just read or written are not read again: what is in them is taken from a variable.

In: the lines of one function, and which cells a computed number can mean. Out: the same function. A line is followed by
the next, a block is left for what comes behind it; what holds on every way to a line is known there. At the head and
the end of a loop nothing is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import define, frozen

from cambist.interpreter.compiled.keeping import Line
from cambist.interpreter.compiled.layout import Layout

NAME = r"(?:[cr]\d+|[a-z]\w*_\d+)"  # variables that are no names of loops inside of an expression
CELL = re.compile(rf"\bS\[(?:(\d+)(?: \+ ({NAME}))?|i)\]")
STORED = re.compile(rf"\bS\[(?:(\d+)(?: \+ ({NAME}))?|i|(\d*)[^=:]*?)\] [-+|^]?= ")
WRITES = re.compile(r" [-+|^]?= ")
WHOLE = re.compile(r"^(\w+) = (S\[[^]]*\])$")  # a variable that is what is in a cell
NAMED = re.compile(r"((?:\b\w+, )*\b\w+) (?::?=|[-+|^*]=) |^for ([\w, ]+) in |^\[([\w, ]+)\] = ")
ONE_NAME = re.compile(r"(\w+) [-+|^*]?= ")
SLICED = re.compile(r"\bS\[\d*:")
COPIED = re.compile(rf"^({NAME}) = ({NAME})$")
NUMBERED = re.compile(rf"^i = \d+ \+ {NAME}$")
SET = re.compile(r"^(S\[[^]]*\]) = (?:(\w+) = )?")
CHANGED = re.compile(r"^(S\[[^]]*\]) ([-+|^])= ")
CALLED = re.compile(r"\b(\w+)\(S\b")
HARMLESS = re.compile(r"permuted|spend|F\d+|list_\d+|remembered_\d+|sources|depths")  # they write to no cell named here
MOVES = ("take", "taken")  # they write to zones
MAYBE = re.compile(r" and | or | if | else |lambda| for |: |\b(?:no_entry|look_up|divide|times|none|within|best)\(")
LEAVES = re.compile(r"(?:^|: )(?:continue|break|return|raise)\b")
COMPOUND = re.compile(r"(?:if|elif|else|try|except|for|while)\b")
INSIDE = re.compile(r"[\[({].* for |lambda")
CONSTANT = re.compile(r"\(?-?\d+\)?")

Key = tuple[int, str]  # the number of a cell, and what is added to it


@frozen
class Said:
    """What matters of a line, whatever is known where it stands."""

    code: str
    note: str
    block: bool  # whether it has lines of its own
    compound: str  # the word that it begins with, if it is not a plain statement
    leaves: bool  # whether nothing comes after it, or after its own statement
    names: tuple[str, ...]  # variables that it changes
    writes: tuple[str, ...]  # cells that it changes
    everything: bool  # whether it may change any cell
    moves: bool  # or any zone
    reads: bool  # whether it can do with variables instead of cells
    sure: tuple[str, ...]  # cells that it surely reads


@lru_cache(maxsize=20_000)
def said(text: str) -> Said:
    code, mark, note = text.partition("  # ")
    found = COMPOUND.match(code)
    compound = found[0] if found else ""
    block, leaves = code.endswith(":"), LEAVES.search(code) is not None
    names: list[str] = []
    if "= " in code or compound == "for":
        simple = ONE_NAME.match(code)
        if simple and code.count("= ") == 1:
            names.append(simple[1])
        else:
            names = [name for one in NAMED.finditer(code) for name in (one[1] or one[2] or one[3]).split(", ")]
    if "S" not in code:
        return Said(code, mark + note, block, compound, leaves, (*names,), (), False, False, False, ())
    writes: list[str] = []
    everything, moves = ":" in code and SLICED.search(code) is not None, False
    for stored in STORED.finditer(code) if "] " in code and "= " in code else ():
        if stored[3] is None:
            writes.append(stored[0][: stored[0].index("]") + 1])
        else:
            everything = True
    for called in CALLED.findall(code) if "(S" in code else ():
        moves = moves or called in MOVES
        everything = everything or not (called in MOVES or HARMLESS.fullmatch(called))
    sure: list[str] = []
    reads = "S[" in code and not INSIDE.search(code)
    if compound in ("", "if") and "S[" in code and not (leaves and not compound or ":= " in code or WHOLE.match(code)):
        maybe = MAYBE.search(code, 3)
        cells = CELL.finditer(code, 0, maybe.start() if maybe else len(code))
        sure = [one[0] for one in cells if not WRITES.match(code, one.end())]
    return Said(
        code, mark + note, block, compound, leaves, (*names,), (*writes,), everything, moves, reads, (*sure,)
    )  # fmt: skip


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
            _, text, place = self.lines[k]
            line = said(text)
            if line.compound == "if":
                k, known = self.branches(k, indent, known)
            elif line.compound and line.block:
                self.out.append(self.lines[k])  # a loop, or what comes after one: nothing is known
                k, _ = self.block(k + 1, indent + 1, None)
                known, self.number = None, ""
            else:
                if line.compound in ("for", "while"):
                    self.forget(line, known)
                if line.compound:
                    self.out.append((indent, self.replaced(line, known) + line.note, place))
                    self.forget(line, known)
                else:
                    self.plain(line, indent, place, known)
                    known = None if line.leaves else known
                k += 1
        return k, known

    def branches(self, k: int, indent: int, known: Known) -> tuple[int, Known | None]:
        """An `if` with all that belongs to it."""
        ends: list[Known | None] = []
        number, other = self.number, False  # whether there is an `else`
        while k < len(self.lines) and self.lines[k][0] == indent:
            place, line = self.lines[k][2], said(self.lines[k][1])
            if line.compound != "if" if not ends else line.compound not in ("elif", "else"):
                break
            self.number = number
            self.read_before(line, indent, place, known)
            self.out.append((indent, self.replaced(line, known) + line.note, place))
            inside = known.copy()
            k += 1
            if line.block:
                self.forget(line, known)  # names that a condition gives
                self.forget(line, inside)
                k, end = self.block(k, indent + 1, inside)
            else:
                self.forget(line, inside)
                end = None if line.leaves else inside
            ends.append(end)
            other = line.compound == "else"
        if not other:
            ends.append(known)
        self.number = ""
        found: Known | None = None
        for end in ends:
            found = end if found is None else found if end is None else found.and_of(end)
        return k, found

    def plain(self, line: Said, indent: int, place: int, known: Known) -> None:
        code = line.code
        if self.number and code == f"i = {self.number}":
            return
        self.read_before(line, indent, place, known)
        changed = CHANGED.match(code) if line.writes else None
        stored = SET.match(code) if line.writes else None
        if changed:
            code = self._changed(line, changed, known)
        elif stored and CELL.fullmatch(stored[1]):
            code = self._stored(line, stored, known)
        else:
            whole = WHOLE.match(code) if line.reads else None
            key = self.key(whole[2], known) if whole else None
            new = key is not None and key not in known.cells
            code = self.replaced(line, known)
            self.forget(line, known)
            copied = COPIED.match(code)
            if copied:
                known.same[copied[1]] = known.same.get(copied[2], copied[2])
            elif whole and key is not None and new and whole[1] != key[1]:
                known.cells[key] = (whole[1], -1)
            if NUMBERED.match(code):
                self.number = code[4:]
        self.out.append((indent, code + line.note, place))

    # ---- writing

    def _changed(self, line: Said, changed: re.Match[str], known: Known) -> str:
        """`S[5] += x` where it is known what is in the cell: that is not read."""
        key, value = self.key(changed[1], known), self.replaced(line, known)[changed.end() :]
        new = key is None or key not in known.cells
        before = None if key is None else self.use(key, known)
        self.forget(line, known)
        if key is None or new:
            return line.code[: changed.end()] + value
        name = self.begun(key, known)
        if not name and before is None:
            return line.code[: changed.end()] + value
        value = value if re.fullmatch(r"\w+", value) else f"({value})"
        return f"{f'{name} = ' if name else ''}{changed[1]} = {before or changed[1]} {changed[2]} {value}"

    def _stored(self, line: Said, stored: re.Match[str], known: Known) -> str:
        key, text = self.key(stored[1], known), self.replaced(line, known)
        value = text[stored.end() :]
        self.forget(line, known)
        if key is None:
            return text
        if stored[2] or re.fullmatch(NAME, value) or CONSTANT.fullmatch(value):
            known.cells[key] = (stored[2] or value, -1)
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

    def replaced(self, line: Said, known: Known) -> str:
        """A line with variables instead of cells. What a loop inside of an expression reads would cost more so."""
        code = line.code
        if not line.reads or not known.cells:
            return code

        def variable(found: re.Match[str]) -> str:
            if WRITES.match(code, found.end()):
                return found[0]
            key = self.key(found[0], known)
            return (self.use(key, known) if key is not None else None) or found[0]

        return CELL.sub(variable, code)

    def read_before(self, line: Said, indent: int, place: int, known: Known) -> None:
        """Lines before this one that put what it surely reads into variables."""
        for cell in line.sure:
            key = self.key(cell, known)
            if key is not None and key not in known.cells:
                name = self.begun(key, known, 1)
                if name:
                    self.out.append((indent, f"{name} = {cell}", place))

    # ---- forgetting

    def forget(self, line: Said, known: Known) -> None:
        """What a line changes is not known any more."""
        for name in line.names:
            if known.cells or known.same or self.number:
                self._renamed(name, known)
        if line.everything:
            known.cells.clear()
        for cell in line.writes if known.cells else ():
            key = self.key(cell, known)
            if key is None:
                known.cells.clear()
            else:
                self._written(key, known)
        if line.moves:
            self._written((self.layout.zones, "?"), known)

    def _renamed(self, name: str, known: Known) -> None:
        for key in [key for key, (variable, _) in known.cells.items() if name in (variable, key[1])]:
            del known.cells[key]
        if known.same:
            for copy in [copy for copy, one in known.same.items() if name in (copy, one)]:
                del known.same[copy]
        if self.number and (self.number.endswith(f" {name}") or name == "i"):
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
