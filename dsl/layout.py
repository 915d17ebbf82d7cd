"""Rules as they were typed -> the same rules in the one form in which everybody reads them.

In: the text of a file that can be parsed; what the checks say of it does not matter. Out: its canonical text. Lines are
neither broken nor joined: what belongs to one line of the author stays on it. All else follows from the tokens, so
that rules typed in different ways look alike:

- two spaces for each block; a line that goes on stands two deeper if the line above says so (a comma, `=`), four
  if it says so itself (`where`, an operator);
- single blanks between words, none inside brackets and around `..`;
- notes and comments at the end of a line begin in one column, a comment alone where the next line begins;
- in adjoining lines of one kind (zones, variables, options, spaces, columns) what follows the colon is aligned;
- at most one empty line; one around each rule that has lines of its own, and below the head. Examples may stand close.

From `# fmt: off` to `# fmt: on`, both in the first column and between declarations, everything stays as it is.
"""

from __future__ import annotations

import re
from itertools import dropwhile

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Diagnostic, Report, RulesError
from cambist.dsl.parse import parse
from cambist.dsl.reading import LARGEST_FILE, decode
from cambist.dsl.source import SourceFile
from cambist.dsl.spacing import Marks, marks_of, spaced, spaced_note
from cambist.dsl.tokens import CLOSING, LONGEST_LINE, OPENING, LogicalLine, Piece, logical_lines
from cambist.dsl.words import DECLARATION, PATCHING

STEP, GAP = 2, 2
NOTES_AT = 68  # the column of notes and comments, if they fit
MOST_PADDING = 16  # names of very different length are not aligned
ALIGNED = frozenset("zone variable option".split())
WITH_ALIGNED_LINES = frozenset("track show".split())
SET_APART = frozenset("game variant library phase procedure setup play whenever insert example".split())
SAYS_THAT_IT_GOES_ON = frozenset("COMMA SEMICOLON EQUAL".split())
OPERATORS = frozenset("PLUS MINUS STAR SLASH".split())
SUM_WORDS = frozenset(("and", "or"))
OFF, ON = "# fmt: off", "# fmt: on"
TAB_WIDTHS = (2, 4, 8)
COMMENT_ALONE = re.compile(r"^ +#", re.MULTILINE)
LEADING_TABS = re.compile(r"^[ ]*\t[ \t]*", re.MULTILINE)


class Unsafe(Exception):
    """The canonical text is not to be used: it is too large to be read again (`too_large`), or would not say the same,
    which is a fault of Cambist itself."""

    def __init__(self, name: str, too_large: bool = False) -> None:
        super().__init__(f"{name}: {'too large' if too_large else 'not the same'} in canonical form")
        self.too_large = too_large


def formatted(text: str, name: str = "<text>") -> str:
    """The canonical text. Raises RulesError if this is no text of rules."""
    found = decode(name, text.encode("utf-8", "surrogatepass"))
    if isinstance(found, Diagnostic):
        raise RulesError((found,))
    if "\t" in found.text:
        return _without_tabs(found)
    return _formatted(found)


def _formatted(file: SourceFile) -> str:
    report = Report()
    trees = parse(file, report)
    report.stop_if_errors()
    page = Page(file, marks_of(trees))
    comments, text = page.comments(), page.text()
    if len(text.encode()) > LARGEST_FILE or any(len(line) > LONGEST_LINE for line in text.split("\n")):
        raise Unsafe(file.name, too_large=True)
    again = SourceFile(file.name, text)
    if not _same(build(file, report, trees), report, again) or comments != Page(again, Marks()).comments():
        raise Unsafe(file.name)
    return text


def _same(tree: n.Tree, report: Report, again: SourceFile) -> bool:
    """Whether a text says the same as the one that the tree and the report are of."""
    later = Report()
    return build(again, later) == tree and [d.code for d in later.items] == [d.code for d in report.items]


def _without_tabs(file: SourceFile) -> str:
    """Tabs are no layout: they become blanks, if it does not matter how many."""
    results: dict[str, str] = {}  # where a comment alone stands may depend on it: that says nothing
    for width in TAB_WIDTHS if LEADING_TABS.search(file.text) else TAB_WIDTHS[:1]:
        text = LEADING_TABS.sub(lambda m, width=width: m.group().replace("\t", " " * width), file.text)  # type: ignore[misc]
        try:
            found = _formatted(SourceFile(file.name, _blanks_for_tabs(text)))
        except RulesError:
            continue
        results.setdefault(COMMENT_ALONE.sub("#", found), found)
    if len(results) == 1:
        return results.popitem()[1]
    report = Report()
    parse(file, report)
    report.stop_if_errors()
    return _formatted(file)


def _blanks_for_tabs(text: str) -> str:
    """Between words only: texts and comments keep theirs."""
    lines = []
    for line in text.split("\n"):
        out, inside = "", False
        for index, character in enumerate(line):
            if character == "#" and not inside:
                out += line[index:]
                break
            inside ^= character == '"'
            out += " " if character == "\t" and not inside else character
        lines.append(out)
    return "\n".join(lines)


# ---- what stands on each line


@define
class Row:
    """One line as it was typed. A row without a line of rules is empty or holds a comment alone."""

    number: int
    column: int  # where its text begins
    comment: str = ""
    comment_column: int = 0
    line: LogicalLine | None = None
    starts: bool = False  # the first of its logical line
    depth: int = 0
    pieces: list[Piece] = field(factory=list)
    note: str = ""
    indent: int = 0  # the canonical one
    head: str = ""  # up to the colon behind which things are aligned
    code: str = ""
    tail: str = ""  # the end of a section's line

    @property
    def empty(self) -> bool:
        return self.line is None and not self.comment


class Page:
    def __init__(self, file: SourceFile, marks: Marks) -> None:
        self.file, self.marks = file, marks
        self.levels: dict[int, list[int]] = {}  # the columns of the blocks a line stands in, by its first row's number
        self.rows = self._read()

    def _read(self) -> list[Row]:
        rows = []
        for number in range(1, len(self.file.starts) + 1):
            text = self.file.line_text(number)
            stripped = text.lstrip(" \t")
            rows.append(Row(number, len(text) - len(stripped)))
        stack = [0]
        for line in logical_lines(self.file, Report()):
            while line.indent < stack[-1]:
                stack.pop()
            if line.indent > stack[-1]:
                stack.append(line.indent)
            self._place(line, rows, len(stack) - 1)
            self.levels[self.file.line_of(line.pieces[0].start)] = list(stack)
        for row in rows:
            self._find_comment(row)
        return rows

    def _place(self, line: LogicalLine, rows: list[Row], depth: int) -> None:
        for piece in (*line.pieces, *line.notes):
            row = rows[self.file.line_of(piece.start) - 1]
            row.line, row.depth = line, depth
            if piece.type == "NOTE":
                row.note = piece.text
            else:
                row.pieces.append(piece)
        rows[self.file.line_of(line.pieces[0].start) - 1].starts = True

    def _find_comment(self, row: Row) -> None:
        start = self.file.starts[row.number - 1]
        text = self.file.line_text(row.number)
        end = row.pieces[-1].end - start if row.pieces else 0
        if row.note:
            end = text.index(row.note, end) + len(row.note)
        rest = text[end:]
        row.comment = rest.strip()
        row.comment_column = end + len(rest) - len(rest.lstrip())

    def comments(self) -> list[str]:
        return [row.comment for row in self.rows if row.comment]

    # ---- the canonical text

    def text(self) -> str:
        self._indent_lines()
        self._align()
        self._place_comments()
        rows = self._with_empty_lines()
        lines = [self._written(row) for row in rows]
        return "\n".join(lines) + "\n" if lines else ""

    def _indent_lines(self) -> None:
        rows = [row for row in self.rows if row.line is not None]
        for index, row in enumerate(rows):
            if row.starts:
                last = next((i for i in range(index + 1, len(rows)) if rows[i].starts), len(rows))
                self._indent_line(rows[index:last])
            code, tail = row.pieces, []
            for at, piece in enumerate(row.pieces):
                if piece.start in self.marks.tails and at:
                    code, tail = row.pieces[:at], row.pieces[at:]
            row.code, row.tail = spaced(code, self.marks), spaced(tail, self.marks)
            row.note = spaced_note(row.note)

    def _indent_line(self, rows: list[Row]) -> None:
        """The rows of one logical line: how deep each stands."""
        base = rows[0].depth * STEP
        rows[0].indent = base
        coded = [row for row in rows if row.pieces]
        terms = _begins_terms(coded)
        opened: list[tuple[int, bool]] = []  # of each open bracket: where its row begins, whether it ended that row
        inner = STEP
        above: Row | None = None
        for row in coded:
            first = row.pieces[0]
            if above is not None:
                if first.type in CLOSING and opened:
                    row.indent = opened[-1][0]
                elif opened and opened[-1][1]:
                    row.indent = opened[-1][0] + STEP
                elif terms and not opened:
                    row.indent = base + (STEP if _is_term(row) else 2 * STEP)
                    inner = 2 * STEP
                elif above.pieces[-1].type in SAYS_THAT_IT_GOES_ON:
                    row.indent = base + STEP
                    inner = 2 * STEP
                else:
                    row.indent = base + 2 * STEP
            for piece in row.pieces:
                if piece.type in OPENING:
                    opened.append((row.indent, piece is row.pieces[-1]))
                elif piece.type in CLOSING and opened:
                    opened.pop()
            above = row
        for row in rows:
            if not row.pieces:
                row.indent = base + inner

    def _align(self) -> None:
        run: list[Row] = []
        kind = ""
        word = ""  # of the declaration
        for row in self.rows:
            if row.line is None:
                run, kind = self._aligned(run), ""
            elif row.starts:
                if row.depth == 0:
                    word = _word(row.line)
                here = _kind(row, word)
                if here != kind:
                    run = self._aligned(run)
                kind = here
                at = _colon(row) if here else 0
                if 0 < at < len(row.pieces):
                    row.head = spaced(row.pieces[:at], self.marks)
                    run.append(row)
        self._aligned(run)

    def _aligned(self, run: list[Row]) -> list[Row]:
        widths = [len(row.head) for row in run]
        if len(run) > 1 and max(widths) - min(widths) <= MOST_PADDING:
            for row in run:
                row.code = row.head.ljust(max(widths)) + row.code[len(row.head) :]
        return []

    def _place_comments(self) -> None:
        """Comments that stand alone: under one at the end of a line, or where the next line begins."""
        following: Row | None = None
        below: dict[int, Row | None] = {}
        for row in reversed(self.rows):
            below[row.number] = following
            following = row if row.line is not None else following
        above: Row | None = None  # the last with rules
        levels = [0]
        hanging: tuple[int, int] | None = None  # the column of the comment above, and its canonical one
        for row in self.rows:
            if row.line is not None:
                above, levels = row, self.levels.get(row.number, levels)
                hanging = (row.comment_column, self._comment_at(row)) if row.comment else None
            elif row.empty:
                hanging = None
            elif hanging is not None and hanging[0] == row.column:
                row.indent = hanging[1]
            else:
                row.indent = _comment_indent(row, above, below[row.number], levels)
                hanging = None

    def _comment_at(self, row: Row) -> int:
        return len(self._before_comment(row)) if row.comment else 0

    def _with_empty_lines(self) -> list[Row]:
        """The rows to write, empty ones where they should be."""
        out: list[Row] = []
        between: list[Row] = []  # comments and empty rows since the last line of rules
        above: Row | None = None
        word = ""
        starts = [row for row in self.rows if row.starts]
        with_lines = {row.number for row, after in zip(starts, starts[1:], strict=False) if after.depth > row.depth}
        for row in self.rows:
            if row.line is None:
                between.append(row)
                continue
            if not row.starts:
                between = [r for r in between if not r.empty]
            elif above is not None and row.depth > above.depth:
                between = list(dropwhile(lambda r: r.empty, between))
            elif row.depth == 0:
                here = _word(row.line) if row.number in with_lines else ""
                if above is not None and {here, word} & SET_APART and not (here == word == "example"):
                    between = _with_an_empty_row(between, row)
                word = here
            out += _single(between, first=above is None)
            out.append(row)
            between, above = [], row
        out += _single(between, first=above is None)
        return self._left_alone(out)

    def _left_alone(self, rows: list[Row]) -> list[Row]:
        """With the rows from OFF to ON as they were typed."""
        off = False
        typed: dict[int, Row] = {}
        for row in self.rows:
            if row.line is None and row.comment in (OFF, ON) and row.column == row.indent == 0:
                off = row.comment == OFF
            elif off:
                typed[row.number] = Row(row.number, 0, code=self.file.line_text(row.number).rstrip())
        kept = [row for row in rows if abs(row.number) not in typed]
        out = sorted((*kept, *typed.values()), key=lambda row: (abs(row.number), row.number)) if typed else rows
        while out and out[-1].empty and not out[-1].code:
            out.pop()
        return out

    def _written(self, row: Row) -> str:
        return self._before_comment(row) + row.comment

    def _before_comment(self, row: Row) -> str:
        text = " " * row.indent + row.code if row.code else ""
        for part in (row.tail, row.note):
            text = _in_column(text, row.indent) + part if part else text
        return _in_column(text, row.indent) if row.comment else text


def _in_column(text: str, indent: int) -> str:
    """Filled up to where a note or a comment begins."""
    if not text:
        return " " * indent
    return text.ljust(NOTES_AT) if len(text) < NOTES_AT else text + " " * GAP


def _word(line: LogicalLine) -> str:
    """The word of a declaration; what a variant does to lines of a rule counts as an insertion."""
    word = line.pieces[0].text
    if word not in PATCHING or len(line.pieces) < 2:
        return word
    patched = line.pieces[1].text
    return "insert" if word == "replace" and patched not in DECLARATION else patched


def _kind(row: Row, word: str) -> str:
    """What a row is aligned with: rows of the same kind."""
    first = row.pieces[0].text
    if row.depth == 0:
        return f"{first} {word}" if word in ALIGNED and first != "remove" else ""
    return word if word in WITH_ALIGNED_LINES and row.depth == 1 else ""


def _colon(row: Row) -> int:
    """How many pieces there are up to the colon of a short head; 0 if it is none to align."""
    for at, piece in enumerate(row.pieces):
        if piece.type == "COLON":
            return at + 1
        if piece.text == "of":  # `cards of each p:` is no name
            return 0
    return 0


def _begins_terms(rows: list[Row]) -> bool:
    """Whether a sum stands below its `=`, one term a row."""
    return len(rows) > 2 and rows[0].pieces[-1].type == "EQUAL" and any(_is_term(row) for row in rows[2:])


def _is_term(row: Row) -> bool:
    return row.pieces[0].type in OPERATORS or row.pieces[0].text in SUM_WORDS


def _comment_indent(row: Row, above: Row | None, below: Row | None, levels: list[int]) -> int:
    if below is not None and not below.starts:
        return below.indent
    floor = below.depth if below is not None else 0
    if above is None or floor >= above.depth:
        return floor * STEP
    depth = max((at for at, column in enumerate(levels) if column <= row.column), default=0)
    return max(depth, floor) * STEP


def _single(rows: list[Row], first: bool) -> list[Row]:
    """Never two empty rows in sequence, none at the beginning of the file."""
    out: list[Row] = []
    for row in rows:
        if not row.empty or (out and not out[-1].empty) or (not out and not first):
            out.append(row)
    return out


def _with_an_empty_row(between: list[Row], below: Row) -> list[Row]:
    """Before the comments that go with the row below; the new row has the number of what follows it, negative."""
    if any(row.empty for row in between):
        return between
    at = next((i for i, row in enumerate(between) if row.indent == 0), len(between))
    follows = between[at] if at < len(between) else below
    return [*between[:at], Row(-follows.number, 0), *between[at:]]
