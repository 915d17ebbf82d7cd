"""What a difference is, as data: a sentence for people, and what stands on both sides with its place and its reason."""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.register import reasons, rule_name
from cambist.dsl.source import Span
from cambist.dsl.walk import descend

Kind = Literal["changed", "added", "removed", "moved", "renamed"]
GROUPS = ("players", "names", "components", "set-up", "turn", "markets", "scoring", "options", "shown")
TESTS = "tests"  # examples, laws, what bots are told: no rules
LONGEST = 90  # a text that is shown within a sentence


@frozen
class Side:
    text: str
    span: Span
    because: tuple[str, ...]


@frozen
class Change:
    group: str
    kind: Kind
    part: str  # `phase deal`, by the name that it has in the second ruleset if it is there
    sentence: str
    before: Side | None
    after: Side | None


@frozen
class Told:
    """A difference within one part, before it is known where it stands: texts and nodes of both sides."""

    kind: Kind
    sentence: str
    before: str | None = None
    after: str | None = None
    a: Any = None  # the node, if it is not the whole part
    b: Any = None


@frozen
class Pair:
    """One part as both rulesets have it, or one of them."""

    group: str
    a: n.Decl | None
    b: n.Decl | None

    @property
    def part(self) -> str:
        found = self.b if self.b is not None else self.a
        assert found is not None
        return rule_name(found)

    def change(self, told: Told) -> Change:
        before = None if self.a is None or told.before is None else _side(told.before, told.a, self.a)
        after = None if self.b is None or told.after is None else _side(told.after, told.b, self.b)
        return Change(self.group, told.kind, self.part, told.sentence, before, after)


def _side(text: str, node: Any, decl: n.Decl) -> Side:
    span = getattr(node, "span", decl.span)
    if not span.file.text:
        span = decl.span
    return Side(text, span, tuple(reasons(_notes(node, span, decl))))


def _notes(node: Any, span: Span, decl: n.Decl) -> n.Notes:
    """What justifies it: the notes on its own line, of the node itself, or of the whole part."""
    every = [note for one in descend(decl) for note in getattr(one, "notes", ())]
    here = [x for x in every if x.span.file is span.file and x.span.line == span.line]
    return tuple(dict.fromkeys(here)) or getattr(node, "notes", ()) or getattr(decl, "notes", ())


def code(text: str) -> str:
    """A text of the language within a sentence; a very long one is cut."""
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + '…'}`"


def value(text: str) -> str:
    """A plain number stands in a sentence as it is."""
    return text if text.lstrip("-").replace(".", "", 1).isdigit() else code(text)


def subject(decl: n.Decl) -> str:
    """The part as a sentence names it."""
    match decl:
        case n.Procedure(word="setup"):
            return "the set-up"
        case n.Procedure(word="play"):
            return "the course of the game"
        case n.Procedure():
            return f"the {decl.word} `{decl.name.text}`"
        case n.Whenever():
            verb = "enters" if decl.enters else "leaves"
            return f"what happens whenever something {verb} `{decl.zone.text}`"
        case n.Score() | n.Estimate() | n.Winner():
            return f"the {type(decl).__name__.lower()}"
        case n.Example():
            return f'the example "{decl.title}"'
        case n.Use():
            return f"the module `{decl.module.text}`"
        case n.Property() | n.Game():
            return f"`{decl.name.text}`"
        case _:
            return f"`{decl.name.text}`"
