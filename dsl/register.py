"""A checked ruleset -> what justifies it: the sections of its rulebooks with the rules that cite them, its
assumptions and errata. Data only; nothing is judged here (checks/citations.py does that).

A variant with a rulebook of its own answers for that one alone; its base answers for the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from attrs import field, frozen

from cambist.dsl import nodes as n
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.source import Span
from cambist.dsl.walk import descend

Note = TypeVar("Note", bound=n.Note)


@frozen
class Noted(Generic[Note]):
    rule: str  # what carries the note: `phase trade`, `example "…"`
    note: Note
    span: Span  # of the note


@frozen
class Cited:
    source: n.Source
    section: n.Section
    rules: tuple[Noted[n.Note], ...]

    @property
    def missing(self) -> bool:
        return not self.rules and not self.section.no_rule


@frozen
class Register:
    sections: tuple[Cited, ...]
    elsewhere: tuple[Noted[n.Cite], ...] = field(factory=tuple)  # citations of places that no section declares
    assumptions: tuple[Noted[n.Assumed], ...] = field(factory=tuple)
    errata: tuple[Noted[n.Erratum], ...] = field(factory=tuple)


def register(ruleset: CheckedRuleset) -> Register:
    notes = list(_notes(ruleset))
    own = [s for s in ruleset.game.sources if s.span.file.name == ruleset.file.name and s.headings]
    sections = []
    known: set[int] = set()
    for source in own or ruleset.game.sources:
        for section in source.headings:
            rules = tuple(x for x in notes if _cites(x.note, source, section))
            known |= {id(x) for x in rules}
            sections.append(Cited(source, section, rules))
    return Register(
        tuple(sections),
        tuple(Noted(x.rule, x.note, x.span) for x in notes if isinstance(x.note, n.Cite) and id(x) not in known),
        (
            *(Noted(x.rule, x.note, x.span) for x in notes if isinstance(x.note, n.Assumed)),
            *_guessed_cards(ruleset),
        ),
        tuple(Noted(x.rule, x.note, x.span) for x in notes if isinstance(x.note, n.Erratum)),
    )


def _guessed_cards(ruleset: CheckedRuleset) -> Iterator[Noted[n.Assumed]]:
    """Decks whose sheets say of some cards that nothing tells them."""
    for decl in ruleset.decls:
        if isinstance(decl, n.Deck):
            cards = [made for made in ruleset.components if made.deck == decl.name.text]
            for reason in dict.fromkeys(made.assumed for made in cards if made.assumed):
                count = sum(made.assumed == reason for made in cards)
                note = n.Assumed(f"{count} of {len(cards)} cards: {reason}", "", (), decl.span)
                yield Noted(rule_name(decl), note, decl.span)


def _cites(note: n.Note, source: n.Source, section: n.Section) -> bool:
    return isinstance(note, n.Cite) and note.source == source.name.text and section.is_place(note.place)


def _notes(ruleset: CheckedRuleset) -> Iterator[Noted[n.Note]]:
    """Every note once, with the declaration it stands in; the rules of a module have the note of their `use`."""
    seen: set[tuple[str, int, str]] = set()
    for decl in sorted(ruleset.decls, key=lambda d: not isinstance(d, n.Use)):
        for node in descend(decl):
            for note in getattr(node, "notes", ()):
                place = note.place if isinstance(note, n.Cite) else ""
                key = (note.span.file.name, note.span.start, place)
                if key not in seen:
                    seen.add(key)
                    yield Noted(rule_name(decl), note, note.span)


def reasons(notes: n.Notes) -> list[str]:
    """Why a rule is so, in few words: `M"The end"`, `assumed: not printed`."""
    found = []
    for note in notes:
        match note:
            case n.Cite():
                found.append(
                    f"{note.source}{note.place}" if note.place.startswith("§") else f'{note.source}"{note.place}"'
                )
            case n.Assumed():
                found.append(f"assumed: {note.because}")
            case n.Erratum():
                found.append(f"erratum: {note.because}")
    return found


def rule_name(decl: n.Decl) -> str:
    match decl:
        case n.Game():
            return f"game {decl.name.text}"
        case n.Use():
            return f"use {decl.module.text}"
        case n.Example():
            return f'example "{decl.title}"'
        case n.Score() | n.Estimate() | n.Winner():
            return type(decl).__name__.lower()
        case n.Whenever():
            verb = "enters" if decl.enters else "leaves"
            return f"whenever {decl.component.text} {verb} {decl.zone.text}"
        case n.Procedure():
            return decl.word if decl.word in ("setup", "play") else f"{decl.word} {decl.name.text}"
        case n.Property():
            return f"{decl.word} {decl.name.text}"
        case _:
            return f"{type(decl).__name__.lower()} {decl.name.text}"
