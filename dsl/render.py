"""Diagnostic -> text with carets, one line, or plain data for JSON. Formats only; the wording is in
messages/."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from cambist.dsl.diagnostics import MOST_SHOWN, Diagnostic, Label

WIDEST = 160


def printable(text: str) -> str:
    """Rulesets are untrusted: control and direction characters never reach a terminal."""
    return "".join(c if c == "\t" or unicodedata.category(c)[0] != "C" else "?" for c in text)


def _excerpt(label: Label, mark: str) -> list[str]:
    span = label.span
    line = span.file.line_text(span.line)
    column = span.column
    first = max(0, column - 1 - WIDEST // 2) if len(line) > WIDEST else 0
    shown = printable(line[first : first + WIDEST]).replace("\t", " ")
    width = max(1, min(span.end - span.start, len(line) - column + 1))
    width = max(1, min(width, WIDEST - (column - 1 - first)))
    under = " " * (column - 1 - first) + mark * width
    return [shown, f"{under} {label.text}".rstrip()]


def render(diagnostic: Diagnostic) -> str:
    primary = diagnostic.primary.span
    labels = [(diagnostic.primary, "^")] + [(other, "-") for other in diagnostic.others]
    labels.sort(
        key=lambda item: (item[0].span.file.name != primary.file.name, item[0].span.file.name, item[0].span.line)
    )
    gutter = max(len(str(label.span.line)) for label, _ in labels)
    blank = " " * gutter + " |"
    out = [f"{diagnostic.severity}[{diagnostic.code}]: {printable(diagnostic.message)}"]
    out.append(" " * gutter + f"--> {printable(str(primary))}")
    if primary.file.text:
        out.append(blank)
        shown = (primary.file.name, 0)
        for label, mark in labels:
            place = (label.span.file.name, label.span.line)
            if place[0] != shown[0]:
                out.append(" " * gutter + f"::: {printable(str(label.span))}")
            code, under = _excerpt(label, mark)
            if place != shown:
                out.append(f"{label.span.line:>{gutter}} | {code}".rstrip())
            out.append(f"{blank} {under}")
            shown = place
        out.append(blank)
    if diagnostic.help:
        out.append(f"help: {printable(diagnostic.help)}")
    out.extend(f"note: {printable(note)}" for note in diagnostic.notes)
    return "\n".join(out)


def render_all(diagnostics: Sequence[Diagnostic]) -> str:
    shown = [render(d) for d in diagnostics[:MOST_SHOWN]]
    if len(diagnostics) > MOST_SHOWN:
        shown.append(f"and {len(diagnostics) - MOST_SHOWN} more")
    return "\n\n".join(shown)


def as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    span = diagnostic.primary.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": span.file.name,
        "line": span.line,
        "column": span.column,
        "text": diagnostic.primary.text,
        "help": diagnostic.help,
    }
