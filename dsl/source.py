"""Where text comes from and where things stand in it.

In: a name and the decoded text of one file. Out: `Span`s that every later stage carries along, and the
line and column that people read. Imports nothing of the project; knows nothing of the language.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import field, frozen


@frozen
class SourceFile:
    """One text with a name to show. `lines` excludes the line ends."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        found = [0]
        position = self.text.find("\n")
        while position >= 0:
            found.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(found)

    def line_of(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def column_of(self, offset: int) -> int:
        return offset - self.starts[self.line_of(offset) - 1] + 1

    def line_text(self, line: int) -> str:
        if not 1 <= line <= len(self.starts):
            return ""
        start = self.starts[line - 1]
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@frozen
class Span:
    """A stretch of one file, offsets counted in characters, the end excluded."""

    file: SourceFile = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.file.line_of(self.start)

    @property
    def column(self) -> int:
        return self.file.column_of(self.start)

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        return Span(self.file, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}:{self.column}"


NOWHERE = Span(SourceFile("<built in>", ""), 0, 0)
