"""Diagnostic -> text with carets, one line, or plain data for JSON. Formats only; the wording is in
messages/."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from cambist.dsl.diagnostics import MOST_SHOWN, Diagnostic, Edit, Label

WIDEST = 160
MOST_MENDED = 6  # lines of a remedy that are shown


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
    if diagnostic.fix is not None:
        out += _mended(diagnostic.fix, gutter)
    out.extend(f"note: {printable(note)}" for note in diagnostic.notes)
    return "\n".join(out)


def _mended(fix: Edit, gutter: int) -> list[str]:
    """The lines as they would be, and what is new in them; for what is only taken out, where it was."""
    file, start = fix.span.file, fix.span.start
    first, last = fix.span.line, file.line_of(fix.span.end)
    if last - first + fix.text.count("\n") > MOST_MENDED:
        return [f"{' ' * gutter} = `cambist check --fix` can do it"]
    before = file.text[file.starts[first - 1] : start]
    text = before + fix.text + file.text[fix.span.end : file.starts[last - 1] + len(file.line_text(last))]
    out = [f"{' ' * gutter} |"]
    for number, line in enumerate(text.split("\n"), first):
        out.append(f"{number:>{gutter}} | {printable(line[:WIDEST]).replace(chr(9), ' ')}".rstrip())
    if "\n" not in fix.text and fix.text.strip() and len(before) + len(fix.text) < WIDEST:
        new = len(fix.text) - len(fix.text.lstrip())
        out.append(f"{' ' * gutter} | {' ' * (len(before) + new)}{'~' * len(fix.text.strip())}")
    return [*out, f"{' ' * gutter} = `cambist check --fix` can do it"]


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
        "fix": None if diagnostic.fix is None else fix_as_data(diagnostic.fix),
    }


def fix_as_data(fix: Edit) -> dict[str, Any]:
    """Where, what stands there and what to put there; columns count from 1, the end is the first that stays."""
    file, end = fix.span.file, fix.span.end
    return {
        "file": file.name,
        "line": fix.span.line,
        "column": fix.span.column,
        "end_line": file.line_of(end),
        "end_column": file.column_of(end),
        "old": fix.span.text,
        "new": fix.text,
    }
