"""Declarations: what stands in the first column."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.nodes.expressions import Binder, Criterion, Expr, ListOf, Number, Ref, Text, Truth
from cambist.dsl.nodes.notes import Cite, Name, Notes, span_field
from cambist.dsl.nodes.statements import Stmt
from cambist.dsl.source import Span


@frozen
class Section:
    """A heading of a rulebook; in a variant, the headings of the base's rulebook that it stands for."""

    title: str
    number: int | None
    stands_for: tuple[Cite, ...]
    no_rule: str  # why nothing cites it; empty when something should
    span: Span = span_field()

    def is_place(self, place: str) -> bool:
        return place == self.title or (self.number is not None and place == f"§{self.number}")


@frozen
class Source:
    name: Name
    file: str
    language: str
    sections: tuple[int, int] | None  # the first and the last number, where they are cited by number
    headings: tuple[Section, ...] = ()
    span: Span = span_field()


@frozen
class Game:
    name: Name
    title: str
    library: bool
    players: tuple[int, int] | None
    sources: tuple[Source, ...]
    needs: tuple[Name, ...]  # a library: what the ruleset that uses it must have
    offers: tuple[Name, ...]  # a library: what it gives
    notes: Notes = ()
    players_span: Span = span_field()
    span: Span = span_field()


@frozen
class Use:
    module: Name
    bindings: tuple[tuple[Name, Name], ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Enum:
    name: Name
    members: tuple[Name, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Field:
    name: Name
    kind: Name
    default: Number | None
    several: bool = False  # `list of …`
    span: Span = span_field()


@frozen
class Card:
    name: Name
    fields: tuple[Field, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class EachCell:
    span: Span = span_field()


Cell = Number | Ref | Truth | EachCell | ListOf


@frozen
class Row:
    count: int
    card: Name
    cells: tuple[Cell, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Seen:
    by: str = "all"  # all, owner, nobody
    count_hidden: bool = False
    until_revealed: bool = False
    span: Span = span_field()


@frozen
class Deck:
    name: Name
    cards: tuple[Name, ...]
    sheet: Text | None
    rows: tuple[Row, ...]
    seen: Seen
    notes: Notes = ()
    span: Span = span_field()
    less: tuple[Row, ...] = ()  # what a variant takes out of the rows and the sheet


@frozen
class Condition:
    """`long requires rounds > 3`: if the option is one of these, that holds of the options (`excludes`: does not)."""

    requires: bool
    when: Expr | None  # a value or a range of numbers; None: whatever it is, and of a flag if it is set
    test: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Option:
    name: Name
    meaning: str  # what it is about, in the author's words; may be empty
    low: Number | None
    high: Number | None
    values: tuple[Name, ...]  # neither these nor a range: a flag
    default: Expr
    conditions: tuple[Condition, ...] = ()
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Table:
    name: Name
    by: Name | None
    entries: tuple[tuple[Number | None, Number], ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Unit:
    name: Name
    owners: tuple[Name, ...]  # an enum: what is counted in it is of one member or another, and these never mix
    step: str
    notes: Notes = ()
    step_span: Span = span_field()
    span: Span = span_field()


@frozen
class Account:
    name: Name
    owners: tuple[Name, ...]
    unit: Name | None
    start: Expr | None
    negative: bool
    unlimited: bool
    seen: Seen
    notes: Notes = ()
    span: Span = span_field()


@frozen
class KindName:
    name: Name
    of: KindName | None = None
    span: Span = span_field()


@frozen
class Variable:
    name: Name
    kind: KindName
    owners: tuple[Name, ...]
    start: Expr | None
    seen: Seen
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Band:
    name: Name
    low: Number
    high: Number
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Track:
    name: Name
    owners: tuple[Name, ...]
    unit: Name | None
    values: tuple[Number, ...]
    start: Number | None
    sheet: Text | None  # where each of its own start is written
    bands: tuple[Band, ...]
    notes: Notes = ()
    span: Span = span_field()
    starts: tuple[tuple[tuple[Name, ...], Number], ...] = ()  # what the sheet says: of which, the space


@frozen
class Zone:
    name: Name
    order: Name  # pile, queue, row, bag
    owners: tuple[Name, ...]
    capacity: Expr | None
    seen: Seen
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Define:
    name: Name
    params: tuple[Name, ...]
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Procedure:
    """`phase`, `procedure`, `setup` and `play`."""

    word: Literal["phase", "procedure", "setup", "play"]
    name: Name
    params: tuple[Name, ...]
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Whenever:
    component: Name
    enters: bool
    zone: Name
    owners: tuple[Name, ...]
    where: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Score:
    player: Name
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Estimate:
    """How well a player stands before the end: a guide for bots, no rule."""

    player: Name
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Winner:
    criteria: tuple[Criterion, ...]
    shared: bool
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Property:
    """`invariant` (holds in every game), `reachable` (some game gets there) or `measure` (a value for those who
    compare games), and in which states of a game it is asked.

    With `leads_to`: whenever the value holds, that holds there or later, for each of what the binders run through.
    A measure has a value for each of what its binders run through.
    """

    word: Literal["invariant", "reachable", "measure"]
    name: Name
    value: Expr
    moment: Literal["always", "after", "end"] = "always"
    after: Name | None = None  # a phase, a procedure or a branch
    params: tuple[Name, ...] = ()  # what its parameters are called here
    leads_to: Expr | None = None
    binders: tuple[Binder, ...] = ()
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Shown:
    """One value of what is shown; with `each`, one for every member of a list."""

    name: Name
    each: Binder | None
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Show:
    """What is worked out for the eyes of players: of the table or of each player, once or a row for each of several."""

    name: Name
    player: Name | None
    rows: Binder | None
    columns: tuple[Shown, ...]
    instead: tuple[Name, ...]  # what need not be listed beside it
    seen: Seen
    notes: Notes = ()
    span: Span = span_field()
