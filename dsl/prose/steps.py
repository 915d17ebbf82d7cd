"""Steps: sentences with further steps inside them, with the author’s comments and the marks of notes.

What all of statements.py and choices.py needs to make one; neither blocks nor choices are told here.
"""

from __future__ import annotations

import re
from typing import Literal, TypeGuard, get_args

from attrs import define, frozen

from cambist.dsl import nodes as n
from cambist.dsl.prose.deeds import Deeds, Told
from cambist.dsl.prose.english import remarked
from cambist.dsl.prose.marks import bare, marked
from cambist.dsl.prose.world import run_name
from cambist.dsl.source import Span

DEEPEST_TOLD = 4  # procedures told inside one another
SIMPLE = get_args(Told)
LETTER = re.compile(r"(?<![\w’'`-])[b-hj-z](?![\w’'`-])")  # `a` and `I` are words


@frozen
class Step:
    text: str
    inside: tuple[Step, ...] = ()
    style: Literal["steps", "options"] = "steps"  # of what is inside


def is_simple(node: object) -> TypeGuard[Told]:
    return isinstance(node, SIMPLE)


@define
class Sentences(Deeds):
    told: n.Notes = ()  # notes that stand at the heading
    running: tuple[str, ...] = ()  # procedures that are being told inside one another

    def tell(self, body: tuple[n.Stmt, ...]) -> tuple[Step, ...]:
        raise AssertionError("told in statements.py")

    def finish(self, text: str, node: n.Stmt, with_comment: bool = True) -> str:
        """A whole sentence, with the author’s comment and the marks of its notes."""
        comment = self.world.comments.beside(node.span) if with_comment else ""
        return self.noted(text, comment, node.notes)

    def in_words(self, comment: str) -> str:
        """A comment that speaks of `q` means what `q` is called here."""

        def said(word: re.Match[str]) -> str:
            local = self.locals.get(word.group())
            return word.group() if local is None or local.phrase in ("they", "") else bare(local.phrase)

        return LETTER.sub(said, comment)

    def noted(self, text: str, comment: str, notes: n.Notes) -> str:
        comment = self.in_words(comment)
        marks = self.world.notes.mark(notes, self.told)
        return remarked(text, comment) + marks

    def head(self, text: str, node: n.Stmt, body: tuple[n.Stmt, ...], alone: str = "") -> Step:
        """What opens a block: with one simple statement in one sentence, else with steps inside."""
        short = self.in_one(body)
        inner_line = body[0].span.line if body else 0
        comment = self.world.comments.beside(node.span) if inner_line != node.span.line else ""
        if short:
            told, more = short
            return Step(
                self.noted(
                    f"{text}{alone or ','} {told}",
                    ", ".join(c for c in (comment, more) if c),
                    self.all_notes(node, body),
                )
            )
        return Step(self.noted(f"{text.rstrip(',')}:", comment, node.notes), self.tell(body))

    def all_notes(self, node: n.Stmt, body: tuple[n.Stmt, ...]) -> n.Notes:
        return tuple(dict.fromkeys((*node.notes, *(note for one in body for note in one.notes))))

    def in_one(self, body: tuple[n.Stmt, ...]) -> tuple[str, str] | None:
        """A body that fits into the sentence above it, and its comment."""
        if len(body) != 1 or not is_simple(body[0]) or isinstance(body[0], (n.Let, n.Draw)):
            return None
        if self.told_here(run_name(body[0])):
            return None
        return self.said(self.deed(body[0])), self.world.comments.beside(body[0].span)

    def told_here(self, name: str) -> bool:
        decl = self.world.ruleset.symbols.procedures.get(name)
        return (
            decl is not None
            and decl.word == "procedure"
            and self.world.called.get(name) == 1
            and name not in self.running
            and len(self.running) < DEEPEST_TOLD
        )


def as_name(phrase: str) -> str:
    """Where a local is introduced it stands out."""
    return phrase if bare(phrase) != phrase else marked("name", phrase)


def line_above(span: Span) -> Span:
    """Where `else` or `otherwise` stands: on the line of its one statement, or on the one above."""
    file = span.file
    line = span.line
    text = file.line_text(line).lstrip()
    if text.startswith(("else", "otherwise")) or line < 2:
        return span
    start = file.starts[line - 2]
    return Span(file, start, start)
