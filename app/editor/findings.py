"""Diagnostics of the checker -> those of the protocol, and their remedies -> code actions.

What is wrong in another file (a base, a library, a sheet) is shown where this file names it, with the place itself as
related information.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.source import Span
from cambist.editor.documents import Known
from cambist.editor.positions import Places

SOURCE = "cambist"
SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


def findings(known: Known, places: Places, warnings: bool = True) -> list[lsp.Diagnostic]:
    return [
        finding(known, diagnostic, places)
        for diagnostic in known.diagnostics
        if warnings or diagnostic.severity != "warning"
    ]


def finding(known: Known, diagnostic: Diagnostic, places: Places) -> lsp.Diagnostic:
    primary = diagnostic.primary
    labels = list(diagnostic.others)
    message = diagnostic.message
    span = primary.span
    if span.file.name != known.file.name:
        labels.insert(0, Label(span, primary.text or diagnostic.message))
        message = f"{message} (in {span.file.name}, line {span.line})"
        span = named_by(known, span)
    elif primary.text:
        message = f"{message}\n{primary.text}"
    if diagnostic.help:
        message += f"\nhelp: {diagnostic.help}"
    for note in diagnostic.notes:
        message += f"\nnote: {note}"
    return lsp.Diagnostic(
        range=places.range(at_least_one(span)),
        message=message,
        severity=SEVERITIES.get(diagnostic.severity, lsp.DiagnosticSeverity.Error),
        code=diagnostic.code,
        source=SOURCE,
        related_information=_related(known, labels, places) or None,
    )


def at_least_one(span: Span) -> Span:
    """A span that an editor can underline; never beyond the end of the text."""
    if span.end > span.start or not span.file.text:
        return span
    return Span(span.file, max(0, span.start - 1) if span.start >= len(span.file.text) else span.start, span.start + 1)


def named_by(known: Known, span: Span) -> Span:
    """Where this file names the file that a span is in: `use`, `variant … of`, a deck's sheet, else its first line."""
    shown = span.file.name
    for decl in known.tree.decls:
        if isinstance(decl, n.Use) and shown.endswith(f"/{decl.module.text}.rules"):
            return decl.module.span
        if isinstance(decl, (n.Deck, n.Track)) and decl.sheet is not None and shown.endswith(decl.sheet.value):
            return decl.sheet.span
    for change in known.tree.patches:
        if isinstance(change, n.SetPart) and change.sheet is not None and shown.endswith(change.sheet.value):
            return change.sheet.span
    if known.tree.variant is not None:
        return known.tree.variant.base.span
    use = next((d for d in known.tree.decls if isinstance(d, n.Use)), None)
    if use is not None and "library/" in shown:
        return use.module.span
    end = known.file.text.find("\n")
    return Span(known.file, 0, end if end > 0 else len(known.file.text))


def _related(known: Known, labels: list[Label], places: Places) -> list[lsp.DiagnosticRelatedInformation]:
    found = []
    for label in labels:
        path = known.place_of(label.span)
        if path is not None:
            text = label.text or "here"
            found.append(lsp.DiagnosticRelatedInformation(places.location(path, label.span), text))
    return found


def actions(known: Known, wanted: lsp.Range, places: Places) -> list[lsp.CodeAction]:
    """The remedies that lie in a range, and one action for all of them."""
    found: list[lsp.CodeAction] = []
    edits: list[lsp.TextEdit] = []
    for diagnostic in known.diagnostics:
        fix = diagnostic.fix
        path = None if fix is None else known.place_of(fix.span)
        if fix is None or path is None or fix.span.file.name != known.file.name:
            continue
        edit = lsp.TextEdit(places.range(fix.span), fix.text)
        edits.append(edit)
        shown = finding(known, diagnostic, places)
        if _touch(shown.range, wanted) or _touch(edit.range, wanted):
            found.append(
                lsp.CodeAction(
                    title=_title(diagnostic),
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[shown],
                    is_preferred=True,
                    edit=lsp.WorkspaceEdit(changes={places.uri(path): [edit]}),
                )
            )
    apart = _apart(edits)
    if len(apart) > 1:
        found.append(
            lsp.CodeAction(
                title=f"Mend all that can be mended ({len(apart)})",
                kind=lsp.CodeActionKind.SourceFixAll,
                edit=lsp.WorkspaceEdit(changes={places.uri(known.path): apart}),
            )
        )
    return found


def _title(diagnostic: Diagnostic) -> str:
    fix = diagnostic.fix
    assert fix is not None
    text, old = fix.text.strip(), fix.span.text.strip()
    if len(text) > 60 or "\n" in text or "\n" in old or len(old) > 60:
        return f"Mend {diagnostic.code}: {diagnostic.message}"
    if not old:
        return f"Write `{text}` here" if text else "Put it on a place of its own"
    return f"Write `{text}` instead of `{old}`" if text else f"Leave out `{old}`"


def _touch(one: lsp.Range, other: lsp.Range) -> bool:
    return _pair(one.start) <= _pair(other.end) and _pair(other.start) <= _pair(one.end)


def _pair(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


def _apart(edits: list[lsp.TextEdit]) -> list[lsp.TextEdit]:
    """Those that do not overlap, the first of each place."""
    kept: list[lsp.TextEdit] = []
    for edit in sorted(edits, key=lambda e: (_pair(e.range.start), _pair(e.range.end))):
        if not kept or _pair(kept[-1].range.end) <= _pair(edit.range.start):
            kept.append(edit)
    return kept
