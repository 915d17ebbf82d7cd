"""Sources exist; and, when strict, every rule and every number is cited or assumed.

A note covers what stands in its statement and what is nested below it; a note on a declaration covers all
of it. The numbers 0 and 1 need none of their own.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import children, descend

RULES = (n.Procedure, n.Whenever, n.Score, n.Winner, n.Deck, n.Enum, n.Option, n.Table, n.Track, n.Example, n.Use)
FREE = frozenset(("0", "1", "-1"))


def check_sources(ruleset: CheckedRuleset, report: Report) -> None:
    known = {s.name.text: s for s in ruleset.game.sources}
    own = ruleset.file.name
    for node in descend(ruleset.decls):
        for note in getattr(node, "notes", ()):
            if not isinstance(note, n.Cite) or note.span.file.name != own:
                continue
            source = known.get(note.source)
            if source is None:
                report.add(say.unknown_source(note.span, note.source, known))
            elif source.sections and note.place.startswith("§"):
                low, high = source.sections
                if not low <= int(note.place[1:]) <= high:
                    report.add(say.no_such_section(note.span, int(note.place[1:]), low, high, source.span))
        _alternatives(node, report)


def _alternatives(node: Any, report: Report) -> None:
    """`or 2, 5` needs one number on its line that they could replace."""
    for note in getattr(node, "notes", ()):
        if isinstance(note, n.Assumed) and note.others:
            line = note.span.line
            numbers = [x for x in descend(node) if isinstance(x, n.Number) and x.span.line == line]
            if len(numbers) != 1:
                report.add(say.which_value(note.span, [x.span for x in numbers]))


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for decl in ruleset.decls:
        if decl.span.file.name != ruleset.file.name or isinstance(decl, (n.Game, n.Unit)):
            continue
        if ruleset.game.library:
            continue
        if decl.notes:
            continue
        if isinstance(decl, RULES) and not _all_noted(decl):
            what = f"`{decl.span.text}`"
            report.add(say.no_citation(decl.span, what))
            continue
        _numbers(decl, report)


def _all_noted(decl: Any) -> bool:
    """A declaration without a note of its own may have one on each of its lines."""
    body = decl.rows if isinstance(decl, n.Deck) else getattr(decl, "body", ())
    return bool(body) and any(getattr(x, "notes", ()) for x in descend(decl))


def _numbers(node: Any, report: Report) -> None:
    """Numbers below that no note covers; notes cover the line they stand on and what is nested below."""
    if getattr(node, "notes", ()):
        return
    if isinstance(node, n.Number) and node.value.lstrip("-") not in FREE:
        report.add(say.no_citation(node.span, f"the number {node.value}"))
    for child in children(node):
        if not isinstance(child, (n.Cite, n.Assumed, n.Erratum)):
            _numbers(child, report)
