"""Cells that were just read or written are not read again: what is in them is taken from a variable.

In: the lines of one function, and which cells a computed number can mean. Out: the same function. A line is followed by
the next, a block is left for what comes behind it; what holds on every way to a line is known there. At the head and
the end of a loop nothing is.
"""

from __future__ import annotations

import re

from attrs import define

from cambist.interpreter.compiled.layout import Layout
from cambist.interpreter.compiled.rewriting.capturing import INSIDE
from cambist.interpreter.compiled.rewriting.keeping import Line

NAME = r"(?:[cr]\d+|[a-z]\w*_\d+)"  # variables that are no names of loops inside of an expression
CELL = re.compile(rf"\bS\[(?:(\d+)(?: \+ ({NAME}))?|i)\]")
STORES = re.compile(r"\] [-+|^]?= ")
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
HARMLESS = re.compile(r"permuted|spend|[FG]\d+|list_\d+|sources|depths")  # they write to no cell named here
MOVES = ("take", "taken")  # they write to zones
MAYBE = re.compile(r" and | or | if | else |lambda| for |: |\b(?:no_entry|look_up|divide|times|none|within|best)\(")

LEAVES = re.compile(r"(?:^|: )(?:continue|break|return|raise)\b")
COMPOUND = re.compile(r"(?:if|elif|else|try|except|for|while)\b")
OPEN = re.compile(r"<(\d+)\|([^>]*)>")
ITSELF = re.compile(r"if (\w+) is \1: (.+)")  # what it asks is known
CONSTANT = re.compile(r"\(?-?\d+\)?")

Key = tuple[int, str]  # the number of a cell, and what is added to it


@define
class Said:
    """What matters of a line, whatever is known where it stands."""

    code: str
    block: bool  # whether it has lines of its own
    compound: str  # the word that it begins with, if it is not a plain statement
    leaves: bool  # whether nothing comes after it, or after its own statement
    names: tuple[str, ...]  # variables that it changes
    writes: tuple[str, ...]  # cells that it changes
    everything: bool  # whether it may change any cell
    moves: bool  # or any zone
    reads: bool  # whether it can do with variables instead of cells
    sure: tuple[str, ...]  # cells that it surely reads
    changed: re.Match[str] | None = None  # `S[5] += ...`
    stored: re.Match[str] | None = None  # `S[5] = ...`
    whole: re.Match[str] | None = None  # `x = S[5]`


def said(code: str) -> Said:
    found = COMPOUND.match(code)
    compound = found[0] if found else ""
    block, leaves = code.endswith(":"), LEAVES.search(code) is not None
    names: list[str] = []
    if "= " in code or compound == "for":
        simple = ONE_NAME.match(code)
        if simple and code.count("= ") == 1:
            names.append(simple[1])
        elif compound or ":= " in code or code.startswith("["):
            names = [name for one in NAMED.finditer(code) for name in (one[1] or one[2] or one[3]).split(", ")]
        else:
            names = [name for part in code.split(" = ")[:-1] for name in part.split(", ")]
    if "S" not in code:
        return Said(code, block, compound, leaves, (*names,), (), False, False, False, ())
    writes: list[str] = []
    everything, moves = ":" in code and SLICED.search(code) is not None, False
    for stores in STORES.finditer(code) if "] " in code and "= " in code else ():
        cell = _ended(code, stores.start())
        if CELL.fullmatch(cell):
            writes.append(cell)
        elif cell:
            everything = True
    for called in CALLED.findall(code) if "(S" in code else ():
        moves = moves or called in MOVES
        everything = everything or not (called in MOVES or HARMLESS.fullmatch(called))
    sure: list[str] = []
    reads = "S[" in code and not INSIDE.search(code)
    whole = WHOLE.match(code) if reads else None
    if compound in ("", "if") and "S[" in code and not (leaves and not compound or ":= " in code or whole):
        maybe = MAYBE.search(code, 3)
        cells = CELL.finditer(code, 0, maybe.start() if maybe else len(code))
        sure = [one[0] for one in cells if not WRITES.match(code, one.end())]
    put = SET.match(code) if writes else None
    return Said(
        code, block, compound, leaves, (*names,), (*writes,), everything, moves, reads, (*sure,),
        CHANGED.match(code) if writes else None,
        put if put and CELL.fullmatch(put[1]) else None,
        whole,
    )  # fmt: skip


def _ended(code: str, end: int) -> str:
    """The cell whose number's bracket closes there, whatever stands in it; nothing if that is no cell."""
    depth, begin = 1, end
    while depth and begin:
        begin -= 1
        depth += {"]": 1, "[": -1}.get(code[begin], 0)
    return code[begin - 1 : end + 1] if code[begin - 1 : begin] == "S" else ""


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


def read_once(lines: list[Line], layout: Layout, heard: dict[str, Said]) -> list[Line]:
    """The first line is the head of the function. `heard`: what was found out of lines, for all functions of a
    module."""
    return _Reading(lines, layout, heard).written()


@define
class Draft:
    """A line that depends on which readings turn out to be worth a variable. Where it has `<5|S[3]>`, it means the
    variable of reading 5, or that cell."""

    indent: int
    text: str
    place: int
    reading: int = -1  # one that begins here
    alone: bool = False  # the line is there for that reading only
    changed: tuple[str, str, str] | None = None  # instead of the text: the cell, what was in it, the sign


class _Reading:
    """One walk, that counts how often each reading is used again; then those that are get variables."""

    def __init__(self, lines: list[Line], layout: Layout, heard: dict[str, Said]) -> None:
        self.lines, self.layout, self.heard = lines, layout, heard
        self.often: list[int] = []  # reading -> how often it is used, less what makes it worth a line
        self.number = ""  # what `i` is
        self.out: list[Line | Draft] = [lines[0]]
        end, _ = self.block(1, 1, Known({}, {}))
        self.out += lines[end:]  # what stands behind the function

    def written(self) -> list[Line]:
        found: list[Line] = []
        for line in self.out:
            if not isinstance(line, Draft):
                found.append(line)
                continue
            begins = line.reading >= 0 and self.often[line.reading] >= 0
            if line.alone and not begins:
                continue
            text = self._settled(line.text)
            if line.changed:
                text = self._settled_change(text, line.changed, begins)
            found.append((line.indent, f"z{line.reading} = {text}" if begins else text, line.place))
        return found

    def _settled(self, text: str) -> str:
        if "|S[" not in text:
            return text
        return OPEN.sub(lambda found: f"z{found[1]}" if self.often[int(found[1])] >= 0 else found[2], text)

    def _settled_change(self, value: str, changed: tuple[str, str, str], begins: bool) -> str:
        cell, before, sign = changed
        before = self._settled(before)
        if before == cell and not begins:
            return f"{cell} {sign}= {value}"
        if not re.fullmatch(r"\w+", value):
            value = f"({value})"
        return f"{cell} = {before} {sign} {value}"

    def block(self, k: int, indent: int, known: Known | None) -> tuple[int, Known | None]:
        """The lines of a block; what follows it, and what is known there. None: it is left elsewhere."""
        while k < len(self.lines) and self.lines[k][0] >= indent:
            known = known or Known({}, {})
            _, text, place = self.lines[k]
            line = self.said(text)
            if line.compound == "if":
                k, known = self.branches(k, indent, known)
            elif line.compound and line.block:
                self.out.append(self.lines[k])  # a loop, or what comes after one: nothing is known
                k, _ = self.block(k + 1, indent + 1, None)
                known, self.number = Known({}, {}), ""
            else:
                if line.compound in ("for", "while"):
                    self.forget(line, known)
                if line.compound:
                    self.put(indent, self.replaced(line, known), place)
                    self.forget(line, known)
                else:
                    self.plain(line, indent, place, known)
                    known = None if line.leaves else known
                k += 1
        return k, known

    def branches(self, k: int, indent: int, known: Known) -> tuple[int, Known | None]:
        """An `if` with all that belongs to it."""
        if self.of_course(k, indent, known):
            below, then, _ = self.lines[k + 1] if k + 1 < len(self.lines) else (0, "", -1)
            return k + 1 + (below == indent and then.startswith("else:")), known
        ends: list[Known | None] = []
        number, other = self.number, False  # whether there is an `else`
        while k < len(self.lines) and self.lines[k][0] == indent:
            place, line = self.lines[k][2], self.said(self.lines[k][1])
            if line.compound != "if" if not ends else line.compound not in ("elif", "else"):
                break
            self.number = number
            self.read_before(line, indent, place, known)
            self.put(indent, self.replaced(line, known), place)
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

    def of_course(self, k: int, indent: int, known: Known) -> bool:
        """Whether a question in one line, with an `else` in one line or none, is not asked: the answer is known."""
        _, text, place = self.lines[k]
        found = ITSELF.fullmatch(self.replaced(self.said(text), known)) if " is " in text else None
        below, then, _ = self.lines[k + 1] if k + 1 < len(self.lines) else (0, "", -1)
        more = below == indent and (then.startswith("elif ") or then == "else:" or then.startswith("else:  #"))
        if found is None or more:
            return False
        self.plain(self.said(found[2]), indent, place, known)
        return True

    def said(self, text: str) -> Said:
        found = self.heard.get(text)
        if found is None:
            found = self.heard[text] = said(text)
        return found

    def put(self, indent: int, text: str, place: int) -> None:
        self.out.append(Draft(indent, text, place) if "|S[" in text else (indent, text, place))

    def plain(self, line: Said, indent: int, place: int, known: Known) -> None:
        code = line.code
        if self.number and code == f"i = {self.number}":
            return
        self.read_before(line, indent, place, known)
        if line.changed:
            self._changed(line, line.changed, indent, place, known)
        elif line.stored:
            self._stored(line, line.stored, indent, place, known)
        else:
            whole = line.whole
            key = self.key(whole[2], known) if whole else None
            new = key is not None and key not in known.cells
            if whole and key is not None and known.cells.get(key) == (whole[1], -1):
                return  # it has it already
            code = self.replaced(line, known)
            self.forget(line, known)
            copied = COPIED.match(code)
            if copied:
                known.same[copied[1]] = known.same.get(copied[2], copied[2])
            elif whole and key is not None and new and whole[1] != key[1]:
                known.cells[key] = (whole[1], -1)
            if NUMBERED.match(code):
                self.number = code[4:]
            self.put(indent, code, place)

    # ---- writing

    def _changed(self, line: Said, changed: re.Match[str], indent: int, place: int, known: Known) -> None:
        """`S[5] += x` where it is known what is in the cell: that is not read."""
        key, code = self.key(changed[1], known), self.replaced(line, known)
        before = None if key is None else self.use(key, known, changed[1])
        self.forget(line, known)
        if key is None:
            self.put(indent, code, place)
            return
        value, change = code[changed.end() :], (changed[1], before or changed[1], changed[2])
        self.out.append(Draft(indent, value, place, self.begun(key, known), False, change))

    def _stored(self, line: Said, stored: re.Match[str], indent: int, place: int, known: Known) -> None:
        key, text = self.key(stored[1], known), self.replaced(line, known)
        value, reading = text[stored.end() :], -1
        self.forget(line, known)
        if key is not None and (stored[2] or re.fullmatch(NAME, value) or CONSTANT.fullmatch(value)):
            known.cells[key] = (stored[2] or value, -1)
        elif key is not None:
            reading = self.begun(key, known)
        self.out.append(Draft(indent, text, place, reading))

    # ---- reading

    def key(self, cell: str, known: Known) -> Key | None:
        found = CELL.fullmatch(cell)
        if found is None:
            return None
        if found[1] is None:
            base, _, name = self.number.partition(" + ")
            return (int(base), known.same.get(name, name)) if name else None
        return int(found[1]), known.same.get(found[2], found[2]) if found[2] else ""

    def begun(self, key: Key, known: Known, read: int = 0) -> int:
        """A new reading of a cell, or, `read` 0, a writing."""
        self.often.append(-read - (1 if key[1] else 2))
        known.cells[key] = ("", len(self.often) - 1)
        return len(self.often) - 1

    def use(self, key: Key, known: Known, cell: str) -> str | None:
        found = known.cells.get(key)
        if found is None:
            return None
        name, number = found
        if number < 0:
            return name
        self.often[number] += 1
        return f"<{number}|{cell}>"

    def replaced(self, line: Said, known: Known) -> str:
        """A line with variables instead of cells. What a loop inside of an expression reads would cost more so."""
        code = line.code
        if not line.reads or not known.cells:
            return code

        def variable(found: re.Match[str]) -> str:
            if WRITES.match(code, found.end()):
                return found[0]
            key = self.key(found[0], known)
            return (self.use(key, known, found[0]) if key is not None else None) or found[0]

        return CELL.sub(variable, code)

    def read_before(self, line: Said, indent: int, place: int, known: Known) -> None:
        """Lines before this one that put what it surely reads into variables."""
        for cell in line.sure:
            key = self.key(cell, known)
            if key is not None and key not in known.cells:
                self.out.append(Draft(indent, cell, place, self.begun(key, known, 1), True))

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
