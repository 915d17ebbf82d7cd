"""What is wrong, as data: no wording here (see messages/), no printing (see render.py).

A `Report` collects diagnostics of all passes, silences repeats at one place, sorts by position and caps.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from cambist.dsl.source import Span

Severity = Literal["error", "warning", "fault"]
MOST_SHOWN, MOST_TOLD = 40, 200


@frozen
class Label:
    span: Span
    text: str = ""


@frozen
class Edit:
    """A mechanical remedy: put `text` where `span` is."""

    span: Span
    text: str


@frozen
class Diagnostic:
    code: str
    message: str
    primary: Label
    others: tuple[Label, ...] = ()
    help: str = ""
    notes: tuple[str, ...] = ()
    fix: Edit | None = None
    severity: Severity = "error"
    once: str = ""  # what is told once only, wherever it is met again
    about: str = ""  # the name that is missing, so that one whose declaration could not be read stays silent
    if_right: bool = False  # told only where nothing is wrong: a line that is wrong may be the one that matters

    @property
    def line(self) -> tuple[str, int]:
        return self.primary.span.file.name, self.primary.span.line


class RulesError(Exception):
    """Carries the diagnostics of text that cannot become a game."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(f"{d.code} {d.message}" for d in diagnostics[:3]))
        self.diagnostics = diagnostics


@define
class Report:
    """The one place all passes write to. Nobody is told that something is missing which could not be read."""

    items: list[Diagnostic] = field(factory=list)
    lost: set[str] = field(factory=set)  # names in declarations, lines and modules that could not be read
    meant: set[str] = field(factory=set)  # names that stand there misspelt: nobody complains that nothing uses them
    too_much: bool = False  # a file so long or so deep that its parts cannot be told apart
    _seen: set[tuple[str, str, int]] = field(factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic.about and {diagnostic.about, diagnostic.about.partition(".")[0]} & self.lost:
            return
        span = diagnostic.primary.span
        key = (diagnostic.code, span.file.name, span.start)
        if diagnostic.once:
            key = (diagnostic.code, diagnostic.once, -1)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(diagnostic)
            if diagnostic.fix is not None and diagnostic.about:
                self.meant.add(diagnostic.fix.text)
            if len(self.items) >= MOST_TOLD:
                raise RulesError(self.sorted())  # enough to begin with; looking for more takes ever longer

    def add_where_silent(self, later: Report) -> None:
        """What another report says of lines that this one has nothing against: one mistake is told once."""
        told = {d.line for d in self.items if d.severity == "error"}
        wrong = told | {d.line for d in later.items if d.severity == "error"}
        for diagnostic in later.items:
            if diagnostic.line not in (told if diagnostic.severity == "error" else wrong):
                self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        told = [d for d in self.items if not d.if_right] if self.has_errors else self.items
        return tuple(sorted(told, key=lambda d: (d.primary.span.file.name, d.primary.span.start, d.code)))

    def stop_if_errors(self) -> None:
        if self.has_errors:
            raise RulesError(self.sorted())
