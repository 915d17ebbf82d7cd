"""Edits applied to text, and where what stands in the changed text stood before.

In: a text and `Edit`s whose spans count in it. Out: the text after them. It judges no edit: whether one is a remedy is
for messages/ and parse.py to say, whether a file is better for it for those who write files.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.source import SourceFile, Span


def chosen(edits: Iterable[Edit]) -> list[Edit]:
    """Those that do not touch one another, in order; of two that do, the one that begins first."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if not found or edit.span.start > found[-1].span.end:
            found.append(edit)
    return found


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits that do not touch one another; from the back, so that no place moves."""
    for edit in reversed(chosen(edits)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@define
class Patched:
    """A text that was changed, with the place in the first one of every character and of the end."""

    text: str
    places: list[int] = field()
    changed: bool = False

    @places.default
    def _as_it_stands(self) -> list[int]:
        return list(range(len(self.text) + 1))

    def change(self, edits: Iterable[Edit]) -> None:
        """Edits whose spans count in the text as it is now."""
        for edit in reversed(chosen(edits)):
            start, end = edit.span.start, edit.span.end
            first, behind = self.places[start], self.places[end]
            around = max(edit.text.find(self.text[start:end]), 0)  # what is put into brackets stays where it was
            self.places[start:end] = [min(first + max(i - around, 0), behind) for i in range(len(edit.text))]
            self.text = self.text[:start] + edit.text + self.text[end:]
            self.changed = True

    def place(self, offset: int) -> int:
        return self.places[min(offset, len(self.places) - 1)]

    def original(self, diagnostic: Diagnostic, file: SourceFile) -> Diagnostic:
        """The same said of the first text."""

        def span(span: Span) -> Span:
            start, end = self.place(span.start), self.place(span.end)
            return Span(file, start, max(end, start + (span.end > span.start)))

        fix = diagnostic.fix
        return evolve(
            diagnostic,
            primary=Label(span(diagnostic.primary.span), diagnostic.primary.text),
            others=tuple(Label(span(other.span), other.text) for other in diagnostic.others),
            fix=fix and Edit(Span(file, self.place(fix.span.start), self.place(fix.span.end)), fix.text),
        )
