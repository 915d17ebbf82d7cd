"""The marks of a variant's changes, written anew: `against mdkt` at the end of the line where each begins.

In: a variant's file. Out: its text with a mark for every change of a part that is there, and what has changed. Whether
the rules are right is not asked, but they must be readable, and every change must find its part. The layout is kept if
it was that of `cambist fmt`.
"""

from __future__ import annotations

from attrs import frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Edit, Report, RulesError
from cambist.dsl.finding import find
from cambist.dsl.fixes import applied
from cambist.dsl.imports import gather
from cambist.dsl.layout import formatted
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import tokenize


@frozen
class Accepted:
    line: int
    part: str
    before: str  # the mark that stood there
    mark: str


def accepted(path: str) -> tuple[str, list[Accepted]]:
    report = Report()
    place = find(path, report)
    gathered = None if place is None else gather(place, path, report)
    others = [d for d in report.sorted() if d.severity == "error" and d.code != CHANGED]
    if gathered is None or others:
        raise RulesError(tuple(others) or report.sorted())
    file = gathered.file
    edits, changes = [], []
    for marked in gathered.marks:
        change = marked.change
        against = None if isinstance(change, n.AddPart) else change.against
        before = "" if against is None else against.mark
        if before == marked.mark:
            continue
        written = f"against {marked.mark}"
        span = _line_end(file, change.span.start) if against is None else against.span
        edits.append(Edit(span, f"  {written}" if against is None else written))
        changes.append(Accepted(change.span.line, marked.part, before, marked.mark))
    text = applied(file.text, edits)
    if formatted(file.text, file.name) == file.text:
        text = formatted(text, file.name)
    return text, changes


CHANGED = say.CODES["E0420"].code


def _line_end(file: SourceFile, start: int) -> Span:
    """Behind the logical line that begins here and its notes, before a comment."""
    tokens = tokenize(file, Report())
    end = next(token.start_pos or 0 for token in tokens if token.type == "_NL" and (token.start_pos or 0) > start)
    return Span(file, end, end)
