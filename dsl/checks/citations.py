"""Sources and their sections exist. When strict: every rule and every number is cited or assumed, every section with
a rule in it is cited, and a variant with its own rulebook says where inherited rules stand in it.

A note covers what stands in its statement and what is nested below it; a note on a declaration covers all
of it. The numbers 0 and 1 need none of their own.
"""

from __future__ import annotations

import re
from typing import Any

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import children, descend

RULES = (
    n.Procedure, n.Whenever, n.Score, n.Winner, n.Deck, n.Enum, n.Option, n.Table, n.Track, n.Property, n.Example, n.Use
)  # fmt: skip
NUMBERED = re.compile(r"§\d+")
FREE = frozenset(("0", "1", "-1"))


def check_sources(ruleset: CheckedRuleset, report: Report) -> None:
    known = {s.name.text: s for s in ruleset.game.sources}
    own = ruleset.file.name
    for source in known.values():
        for section in source.headings:
            for cite in section.stands_for:
                if cite.span.file.name == own:
                    _exists(cite, known, report)
    for node in ruleset.noted:
        for note in node.notes:
            if isinstance(note, n.Cite) and note.span.file.name == own:
                _exists(note, known, report)
        _alternatives(node, report)


def _exists(cite: n.Cite, known: dict[str, n.Source], report: Report) -> None:
    source = known.get(cite.source)
    if source is None:
        report.add(say.unknown_source(cite.span, cite.source, known))
        return
    number = int(cite.place[1:]) if NUMBERED.fullmatch(cite.place) else None
    if number is not None and source.sections and not source.sections[0] <= number <= source.sections[1]:
        report.add(say.no_such_section(cite.span, number, *source.sections, source.span))
    elif source.headings:
        found = next((s for s in source.headings if s.is_place(cite.place)), None)
        if found is None:
            titles = [s.title for s in source.headings]
            report.add(say.no_such_heading(cite.span, cite.place, cite.source, titles))
        elif found.no_rule:
            report.add(say.section_has_rule(cite.span, found.title, found.span))


def _alternatives(node: Any, report: Report) -> None:
    """`or 2, 5` needs one number on its line that they could replace."""
    for note in node.notes:
        if isinstance(note, n.Assumed) and note.others:
            line = note.span.line
            numbers = [x for x in descend(node) if isinstance(x, n.Number) and x.span.line == line]
            if len(numbers) != 1:
                report.add(say.which_value(note.span, [x.span for x in numbers]))


def check_sections(ruleset: CheckedRuleset, report: Report) -> None:
    """Every section is cited or has its reason; an inherited citation has its place in the own rulebook."""
    own = ruleset.file.name
    sources = [s for s in ruleset.game.sources if s.span.file.name == own]
    places: dict[tuple[str, str], n.Cite] = {}
    for node in ruleset.noted:
        for note in node.notes:
            if isinstance(note, n.Cite):
                places.setdefault((note.source, note.place), note)
    for source in sources:
        for section in source.headings:
            cited = any(name == source.name.text and section.is_place(place) for name, place in places)
            if not cited and not section.no_rule:
                report.add(say.section_uncited(section.span, section.title))
    names = {s.name.text for s in sources}
    for (name, place), note in places.items():
        if sources and name not in names and note.span.file.name != own:
            report.add(say.section_unmapped(sources[0].span, place, name, note.span))


def check(ruleset: CheckedRuleset, report: Report) -> None:
    check_sections(ruleset, report)
    sources = [s.name.text for s in ruleset.game.sources]
    source = sources[0] if sources else ""
    for decl in ruleset.decls:
        if ruleset.game.library or isinstance(decl, (n.Game, n.Unit)):
            continue
        if decl.span.file.name != ruleset.file.name:
            _put_in(decl, ruleset.file.name, source, report)
            continue
        if decl.notes or isinstance(decl, n.Property) and decl.word == "measure":
            continue
        if isinstance(decl, RULES) and not _all_noted(decl):
            what = f"`{decl.span.text}`"
            report.add(say.no_citation(decl.span, what, source))
            continue
        _numbers(decl, source, report)


def _put_in(node: Any, own: str, source: str, report: Report) -> None:
    """Lines that a variant has put into a rule of its base, cards into a deck: the base's note does not cover them."""
    for child in children(node):
        if not isinstance(child, n.Row | n.Branch | n.Stmt):
            continue
        if child.span.file.name != own:
            _put_in(child, own, source, report)
        elif not child.notes:
            report.add(say.no_citation(child.span, f"`{child.span.text}`", source))


def _all_noted(decl: Any) -> bool:
    """A declaration without a note of its own may have one on each of its lines."""
    body = decl.rows if isinstance(decl, n.Deck) else getattr(decl, "body", ())
    return bool(body) and any(getattr(x, "notes", ()) for x in descend(decl))


def _numbers(node: Any, source: str, report: Report) -> None:
    """Numbers below that no note covers; notes cover the line they stand on and what is nested below."""
    if getattr(node, "notes", ()):
        return
    if isinstance(node, n.Number) and node.value.lstrip("-") not in FREE:
        report.add(say.no_citation(node.span, f"the number {node.value}", source))
    for child in children(node):
        if not isinstance(child, (n.Cite, n.Assumed, n.Erratum)):
            _numbers(child, source, report)
