"""One stretch of pieces -> its text with the blanks it should have, however it was written.

In: raw pieces (tokens.py) and what their trees say of them. Out: text. Knows nothing of lines and columns
(layout.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from cambist.dsl.diagnostics import Report
from cambist.dsl.notes import read_notes
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import PIECE, Piece

CLINGS_TO_WHAT_IS_BEFORE = frozenset("COMMA SEMICOLON COLON RPAR RSQB RBRACE DOT DOTDOT PARAGRAPH".split())
CLINGS_TO_WHAT_FOLLOWS = frozenset("LPAR LSQB LBRACE DOT DOTDOT PARAGRAPH".split())
SIGNS = frozenset(("PLUS", "MINUS"))
SIGNED = frozenset(("signed", "minus", "word"))
WITH_BRACKET = {"call": "LPAR", "dot": "LPAR", "params": "LPAR", "show": "LPAR", "index": "LSQB"}
NOTE_WORDS = frozenset("cites assumed erratum because per or".split())


@define
class Marks:
    """Offsets of pieces whose blanks depend on what they are there."""

    signs: set[int] = field(factory=set)  # a sign that belongs to its number, not between two
    close: set[int] = field(factory=set)  # stands right behind the name before it
    tails: set[int] = field(factory=set)  # where the end of a section's line begins, which is set apart like a note


def marks_of(trees: Iterable[Any]) -> Marks:
    found = Marks()
    for tree in trees:
        for part in tree.iter_subtrees():
            _mark(part, found)
    return found


def _mark(part: Any, found: Marks) -> None:
    name = str(part.data)
    tokens = [child for child in part.children if hasattr(child, "type")]
    if name in SIGNED:
        found.signs |= {t.start_pos for t in tokens if t.type in SIGNS}
    elif name in WITH_BRACKET:
        found.close |= {t.start_pos for t in tokens if t.type == WITH_BRACKET[name]}
    elif name == "reference":
        found.close |= {t.start_pos for t in tokens if t.type == "STRING"}
    elif name == "section":
        found.tails |= {t.start_pos for t in tokens if t.type == "FOR"}
    elif name == "no_rule":
        found.tails.add(tokens[0].start_pos)


def spaced(pieces: list[Piece], marks: Marks) -> str:
    out = pieces[0].text if pieces else ""
    for before, piece in zip(pieces, pieces[1:], strict=False):
        near = (
            piece.type in CLINGS_TO_WHAT_IS_BEFORE
            or before.type in CLINGS_TO_WHAT_FOLLOWS
            or before.start in marks.signs
            or piece.start in marks.close
        )
        out += piece.text if near else f" {piece.text}"
    return out


def spaced_note(note: str) -> str:
    """A note with single blanks; one that cannot be read, or would be read otherwise, as it is."""
    pieces: list[Piece] = []
    at = 0
    while at < len(note):
        match = PIECE.match(note, at)
        if match is None and note[at] != "\t":
            return note
        if match is not None and match.lastgroup != "space":
            pieces.append(Piece(str(match.lastgroup), match.group(), at))
        at = match.end() if match is not None else at + 1
    marks = Marks({p.start for p in pieces if p.type in SIGNS})
    for before, piece in zip(pieces, pieces[1:], strict=False):
        if piece.type == "STRING" and before.type == "NAME" and before.text not in NOTE_WORDS:
            marks.close.add(piece.start)
    text = spaced(pieces, marks)
    return text if _read(text) == _read(note) else note


def _read(note: str) -> tuple[Any, int]:
    report = Report()
    return read_notes(note, Span(SourceFile("", note), 0, len(note)), report), len(report.items)
