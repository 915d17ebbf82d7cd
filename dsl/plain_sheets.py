"""A sheet in its usual form -> its nodes, without a reader of YAML: that one takes most of the time of a sheet.

In: the text of a sheet. Out: exactly the nodes that the reader of YAML leads to (a test holds them against each other),
or None as soon as anything is other than usual: then that reader is asked, and it alone says what is wrong. Usual are
tables and lists, written line by line or between brackets on one line, of plain words, numbers and texts in double
quotes, and a folded text (`>-`).
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from attrs import frozen

from cambist.dsl.source import SourceFile, Span

DEEPEST, MOST_SIGNS = 16, 50_000
DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,8})\.[0-9]{1,9}")  # what is read as a fraction, where that is a number
USUAL = re.compile(r"[\n -~]*")  # all that may stand in such a text
IDLE = re.compile(r" *(?:#.*)?")  # a line that says nothing
REST = re.compile(r" *(?: #.*)?")  # what may follow on the line of a value
BEGIN = re.compile(r"( *)(?:(- +)|([A-Za-z_][A-Za-z0-9_]*):(?: +(?=[^ #])| *(?= #|$)))", re.MULTILINE)
FOLDED = re.compile(r">- *")
SCALAR = re.compile(
    r"""(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<decimal>-?[0-9]+\.[0-9]+)|(?P<whole>-?(?:0|[1-9][0-9]{0,17}))
    |"(?P<text>[^"\\\n]*)" """,
    re.VERBOSE,
)
KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*): +")
NEXT, TABLE_ENDS, LIST_ENDS = re.compile(r" *, *"), re.compile(r" *\}"), re.compile(r" *\]")
NOTHING = frozenset(("null",))  # words that are no words
TRUTH = {"true": True, "false": False}


@frozen
class Node:
    """A piece of the sheet: a table (pairs of key and value), a list, or a word or number."""

    value: dict[str, tuple[Node, Node]] | list[Node] | int | str | bool | Fraction
    span: Span


class _Unusual(Exception):
    """Something that is left to the reader of YAML."""


def usual(file: SourceFile, fractions: bool) -> Node | None:
    """The sheet, if all of it is usual. `fractions`: 1.5 is a number, too."""
    if len(file.text) > MOST_SIGNS or USUAL.fullmatch(file.text) is None:
        return None
    try:
        return _Reader(file, fractions).whole()
    except _Unusual:
        return None


class _Reader:
    def __init__(self, file: SourceFile, fractions: bool) -> None:
        self.file, self.text, self.fractions = file, file.text, fractions
        self.starts = (*file.starts, len(self.text) + 1)
        self.line = 0  # the one that is to be read next
        self._idle()

    def whole(self) -> Node:
        if self._indent() != 0:
            raise _Unusual
        found = self._block(0, 1)
        if self.line + 1 < len(self.starts):
            raise _Unusual
        return found

    # ---- lines

    def _idle(self) -> None:
        """On to the next line that says something."""
        while self.line + 1 < len(self.starts):
            if IDLE.fullmatch(self.text, self.starts[self.line], self._end()) is None:
                return
            self.line += 1

    def _end(self) -> int:
        return self.starts[self.line + 1] - 1

    def _indent(self) -> int:
        """How far the line at hand is indented; -1 behind the last one."""
        if self.line + 1 >= len(self.starts):
            return -1
        start = self.at = self.starts[self.line]
        while self.text.startswith(" ", self.at):
            self.at += 1
        return self.at - start

    def _block(self, indent: int, depth: int) -> Node:
        """A table or a list that begins with the line at hand, written line by line."""
        if depth > DEEPEST:
            raise _Unusual
        begin = self.starts[self.line] + indent
        listed = self.text.startswith("- ", begin)
        items: list[Node] = []
        table: dict[str, tuple[Node, Node]] = {}
        while True:
            found = BEGIN.match(self.text, self.starts[self.line], self._end())
            if found is None or (found[2] is not None) != listed:
                raise _Unusual
            if listed:
                items.append(self._value(found.end(), indent, depth))
            else:
                name = found[3]
                if name in table or name in TRUTH or name in NOTHING:
                    raise _Unusual
                key = Node(name, Span(self.file, found.start(3), found.end(3)))
                table[name] = (key, self._value(found.end(), indent, depth))
            after = self._indent()
            if after != indent:
                break
        if after > indent:
            raise _Unusual
        end = len(self.text) if after < 0 else self.starts[self.line] + after
        return Node(items if listed else table, Span(self.file, begin, end))

    def _value(self, at: int, indent: int, depth: int) -> Node:
        """What stands from here to the end of the line, or in the lines below it."""
        end = self._end()
        if REST.fullmatch(self.text, at, end) is not None:
            self.line += 1
            self._idle()
            below = self._indent()
            if below <= indent:
                raise _Unusual
            return self._block(below, depth + 1)
        if FOLDED.fullmatch(self.text, at, end) is not None:
            return self._folded(at, indent)
        found, at = self._part(at, depth + 1)
        if REST.fullmatch(self.text, at, end) is None:
            raise _Unusual
        self.line += 1
        self._idle()
        return found

    def _folded(self, begin: int, indent: int) -> Node:
        lines: list[str] = []
        self.line += 1
        column = self._indent()
        while column > indent and self._indent() == column:
            text = self.text[self.at : self._end()]
            if not text or text[-1] == " ":
                raise _Unusual
            lines.append(text)
            self.line += 1
        after = self._indent()
        end = self.starts[self.line] if after >= 0 else len(self.text)
        if not lines or after > indent:
            raise _Unusual
        if 0 <= after and IDLE.fullmatch(self.text, end, self._end()) is not None:
            if end != len(self.text):
                raise _Unusual
            self.line += 1
        return Node(" ".join(lines), Span(self.file, begin, end))

    # ---- within a line

    def _part(self, at: int, depth: int) -> tuple[Node, int]:
        """What begins here, and where it ends."""
        sign = self.text[at : at + 1]
        if sign == "{" or sign == "[":
            if depth > DEEPEST:
                raise _Unusual
            return self._table(at, depth) if sign == "{" else self._list(at, depth)
        found = SCALAR.match(self.text, at)
        if found is None:
            raise _Unusual
        end = found.end()
        kind, text = found.lastgroup, found[0]
        value: int | str | bool | Fraction
        if kind == "word":
            value = TRUTH.get(text, text)
            if text in NOTHING:
                raise _Unusual
        elif kind == "whole":
            value = int(text)
        elif kind == "text":
            value = found["text"]
        elif self.fractions and DECIMAL.fullmatch(text):
            value = Fraction(text)
        else:
            raise _Unusual
        return Node(value, Span(self.file, at, end)), end

    def _table(self, begin: int, depth: int) -> tuple[Node, int]:
        text, at = self.text, begin + 1
        table: dict[str, tuple[Node, Node]] = {}
        while True:
            found = KEY.match(text, at)
            if found is None or found[1] in table or found[1] in TRUTH or found[1] in NOTHING:
                raise _Unusual
            key = Node(found[1], Span(self.file, at, found.end(1)))
            value, at = self._part(found.end(), depth + 1)
            table[found[1]] = (key, value)
            more = NEXT.match(text, at)
            if more is None:
                return self._closed(table, TABLE_ENDS, begin, at)
            at = more.end()

    def _list(self, begin: int, depth: int) -> tuple[Node, int]:
        text, at = self.text, begin + 1
        items: list[Node] = []
        while True:
            value, at = self._part(at, depth + 1)
            items.append(value)
            more = NEXT.match(text, at)
            if more is None:
                return self._closed(items, LIST_ENDS, begin, at)
            at = more.end()

    def _closed(self, value: Any, closing: re.Pattern[str], begin: int, at: int) -> tuple[Node, int]:
        found = closing.match(self.text, at)
        if found is None:
            raise _Unusual
        return Node(value, Span(self.file, begin, max(found.end() - 1, begin + 1))), found.end()
