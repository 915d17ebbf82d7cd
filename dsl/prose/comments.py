"""What the author says beside the rules: comments by their place. In: the texts of files, as spans know them. Out:
sentences.

A comment at the end of a line belongs to what begins on it, lines of comment alone to the declaration below them,
and the comment at the top of a file to the whole. Headings (`# ---- a turn`) and instructions to the formatter say
nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import define, field

from cambist.dsl.prose.marks import clean
from cambist.dsl.source import SourceFile, Span

QUOTED = re.compile(r'"[^"]*"')
HEADING = re.compile(r"^-{3,}\s*(.*?)\s*-*$")
SAYS_MORE = 7  # words of a heading that explains something
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def comment_at(file: SourceFile, line: int) -> str:
    """What stands behind `#` on this line."""
    text = file.line_text(line)
    code = QUOTED.sub(lambda quoted: "_" * len(quoted.group()), text)
    at = code.find("#")
    return text[at + 1 :].strip() if at >= 0 else ""


def _alone(file: SourceFile, line: int) -> bool:
    return file.line_text(line).lstrip().startswith("#")


def _says_nothing(comment: str) -> bool:
    return not comment or bool(HEADING.match(comment)) or comment.startswith("fmt:") or not re.search(r"\w", comment)


@define
class Comments:
    renames: Mapping[str, str] = field(factory=dict)  # a variant's words for those of its base
    own_file: str = ""  # where the words are new already

    def said(self, file: SourceFile, text: str) -> str:
        """As a reader of this ruleset understands it: names as words, under their new names."""
        if file.name != self.own_file:
            text = WORD.sub(lambda word: self.renames.get(word.group(), word.group()), text)
        text = re.sub(r"`([^`]*)`", lambda code: code.group(1), text)
        return clean(re.sub(r"(?<=\w)_(?=\w)", " ", text))

    def beside(self, span: Span) -> str:
        """At the end of the line on which something begins."""
        file, line = span.file, span.line
        if _alone(file, line):
            return ""
        comment = comment_at(file, line)
        return "" if _says_nothing(comment) else self.said(file, comment)

    def of(self, span: Span) -> str:
        """All that is said on the lines of something, and in lines of comment right above it."""
        file = span.file
        found: list[str] = []
        above = span.line - 1
        while above >= 1 and _alone(file, above):
            found.insert(0, comment_at(file, above))
            above -= 1
        if above < 1:
            found = []  # the top of the file speaks of the whole
        last = file.line_of(max(span.start, span.end - 1))
        for line in range(span.line, last + 1):
            if not _alone(file, line):
                found.append(comment_at(file, line))
        return self.said(file, _together([text for text in found if not _says_nothing(text)]))

    def of_declaration(self, span: Span) -> str:
        """Of a declaration without statements: above it, and at the ends of all its lines."""
        file, last = span.file, span.line
        while file.line_text(last + 1).startswith(" ") and file.line_text(last + 1).strip():
            last += 1
        return self.of(Span(file, span.start, max(span.start, file.starts[last - 1])))

    def top(self, file: SourceFile) -> str:
        """What a file begins with."""
        found, line = list[str](), 1
        while _alone(file, line):
            found.append(comment_at(file, line))
            line += 1
        return self.said(file, _together([text for text in found if not _says_nothing(text)]))

    def heading(self, span: Span) -> str:
        """The heading (`# ---- a turn: trade, then cards`) above something, if it says more than a name."""
        file, line = span.file, span.line
        while line >= 1:
            found = HEADING.match(comment_at(file, line)) if _alone(file, line) else None
            if found:
                return self.said(file, found.group(1)) if len(found.group(1).split()) >= SAYS_MORE else ""
            line -= 1
        return ""


def _together(texts: list[str]) -> str:
    return " ".join(texts)
