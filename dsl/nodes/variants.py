"""What a variant says: which game it changes, and the changes to its labelled parts."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.nodes.declarations import Row, Source
from cambist.dsl.nodes.expressions import Expr, Text
from cambist.dsl.nodes.notes import Name, Notes, span_field
from cambist.dsl.nodes.statements import Branch, Stmt
from cambist.dsl.nodes.tree import Decl
from cambist.dsl.source import Span


@frozen
class Against:
    """A short fingerprint of the part that a change was written for."""

    mark: str
    span: Span = span_field()


@frozen
class Stacked:
    """Another variant of the same base, whose changes are made too; `after` one that may touch the same parts."""

    name: Name
    after: Name | None
    span: Span = span_field()


@frozen
class Variant:
    name: Name
    base: Name
    title: str
    players: tuple[int, int] | None  # those of the base, if it says nothing
    sources: tuple[Source, ...]
    renames: tuple[tuple[Name, Name], ...]
    stack: tuple[Stacked, ...] = ()
    notes: Notes = ()
    players_span: Span = span_field()
    span: Span = span_field()


@frozen
class SetPart:
    """`set bonus to 0, 1, 2`, `set rounds to 2: 7, 3: 9`, `set box from "chips.yaml"`."""

    name: Name
    values: tuple[tuple[Expr | None, Expr], ...]
    sheet: Text | None
    notes: Notes = ()
    against: Against | None = None
    span: Span = span_field()


@frozen
class Replace:
    decls: tuple[Decl, ...]
    against: Against | None = None
    span: Span = span_field()


@frozen
class AddPart:
    decls: tuple[Decl, ...]
    span: Span = span_field()


@frozen
class Remove:
    word: str
    label: str  # a name, or the title of an example
    notes: Notes = ()
    against: Against | None = None
    label_span: Span = span_field()
    span: Span = span_field()


@frozen
class Cards:
    """`add 2 coin 5 to box`, `remove 1 coin from box`."""

    how: Literal["add", "remove"]
    row: Row
    deck: Name
    against: Against | None = None
    span: Span = span_field()


@frozen
class Lines:
    """Lines of a rule: `insert after bidding in rounds`, `replace keep in exchange`, `remove last x in rounds`."""

    how: Literal["before", "after", "start", "end", "replace", "remove"]
    which: Literal["", "first", "last", "each"]  # of several that are named alike
    anchor: Name | None  # what the line calls or makes, or the label of a branch; None at the start or end
    rule: Name
    body: tuple[Stmt, ...]
    branches: tuple[Branch, ...]
    notes: Notes = ()
    against: Against | None = None
    span: Span = span_field()


Patch = SetPart | Replace | AddPart | Remove | Cards | Lines


@frozen
class Tree:
    """One file."""

    decls: tuple[Decl, ...]
    variant: Variant | None = None
    patches: tuple[Patch, ...] = ()
    span: Span = span_field()
