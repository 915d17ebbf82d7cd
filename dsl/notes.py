"""The text of a note -> `Cite`, `Assumed`, `Erratum`, or `Against`, the mark of a variant's change. Only their form is
judged here."""

from __future__ import annotations

import re

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import Span

SPACE = r"[ \t]*"
REFERENCE = re.compile(rf'([A-Za-z_][A-Za-z0-9_]*){SPACE}(?:"([^"]*)"|§{SPACE}(\d+))')
ASSUMED = re.compile(
    rf'assumed{SPACE}because{SPACE}"([^"]*)"(?:{SPACE}per{SPACE}"([^"]*)")?'
    rf"(?:{SPACE}or{SPACE}((?:-?[A-Za-z0-9_.]+)(?:{SPACE},{SPACE}-?[A-Za-z0-9_.]+)*))?"
)
ERRATUM = re.compile(rf'erratum{SPACE}"([^"]*)"{SPACE}because{SPACE}"([^"]*)"')
AGAINST = re.compile(rf"against{SPACE}([b-t]{{4}})(?![A-Za-z0-9_])")
CITES = re.compile(rf"cites{SPACE}")
QUOTED = re.compile(r"'[^'\n\"]*'|[“„][^”“\n\"]*[”“]|«[^»\n\"]*»|‘[^’\n\"]*’")
GAP = re.compile(rf"{SPACE},?{SPACE}")


def read_notes(text: str, span: Span, report: Report) -> tuple[n.Note | n.Against, ...]:
    """All notes of one stretch: `cites R"A", R"B" assumed because "…"`."""
    found: list[n.Note | n.Against] = []
    at = 0

    def place(start: int, end: int) -> Span:
        return Span(span.file, span.start + start, span.start + end)

    while at < len(text):
        if match := CITES.match(text, at):
            at = match.end()
            any_reference = False
            while reference := REFERENCE.match(text, at):
                if reference.group(1) in ("assumed", "erratum", "against"):
                    break
                any_reference = True
                heading, section = reference.group(2), reference.group(3)
                where = place(reference.start(), reference.end())
                found.append(n.Cite(reference.group(1), heading if section is None else f"§{section}", where))
                at = GAP.match(text, reference.end()).end()  # type: ignore[union-attr]
            if not any_reference:
                report.add(say.bad_note(place(at, len(text)), *_why_no_reference(text[at:])))
                break
        elif match := ASSUMED.match(text, at):
            others = tuple(v.strip() for v in (match.group(3) or "").split(",") if v.strip())
            found.append(n.Assumed(match.group(1), match.group(2) or "", others, place(*match.span())))
            at = match.end()
        elif match := AGAINST.match(text, at):
            found.append(n.Against(match.group(1), place(*match.span())))
            at = match.end()
        elif match := ERRATUM.match(text, at):
            found.append(n.Erratum(match.group(1), match.group(2), place(*match.span())))
            at = match.end()
        else:
            report.add(say.bad_note(place(at, len(text)), *_why(text[at:])))
            break
        at = GAP.match(text, at).end()  # type: ignore[union-attr]
    return tuple(found)


def _why(text: str) -> tuple[str, str | None]:
    """What is wrong with a note that begins like one, and the right one where that is certain."""
    if (mended := _with_quotes(text)) is not None:
        return "other quotes", mended
    if text.count('"') % 2:
        return "a quote is never closed", f'{text}"' if text.count('"') == 1 else None
    if text.startswith("assumed"):
        behind = text.removeprefix("assumed").strip()
        if behind.startswith("because"):
            return "the reason stands in quotes", None
        return "`because` should follow", f"assumed because {behind}" if behind.startswith('"') else None
    if text.startswith("erratum"):
        return "what is wrong stands in quotes, then `because` and what holds instead", None
    if text.startswith("against"):
        return "a mark of four letters should follow; `cambist accept` writes it", None
    return "not a form of `cites`, `assumed` or `erratum`", None


def _why_no_reference(text: str) -> tuple[str, str | None]:
    if (mended := _with_quotes(text)) is not None:
        return "other quotes", mended
    if text.count('"') % 2:
        return "a quote is never closed", f'{text}"' if text.count('"') == 1 else None
    bare = re.fullmatch(r"([A-Z][A-Za-z0-9_]*)[ ]+([A-Za-z][^,\"§]*)", text)
    meant = f'{bare.group(1)}"{bare.group(2)}"' if bare else None
    return 'a source and a heading should follow, as in R"Heading"', meant


def _with_quotes(text: str) -> str | None:
    """The text with plain quotes instead of typographic ones, if it has such pairs only."""
    mended = QUOTED.sub(lambda match: f'"{match.group()[1:-1].strip()}"', text)
    return mended if mended != text and mended.count('"') % 2 == 0 else None
