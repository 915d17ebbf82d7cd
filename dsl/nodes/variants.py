"""What a variant says: which game it changes, and the changes to its labelled parts."""

from __future__ import annotations

from attrs import frozen

from cambist.dsl.nodes.declarations import Source
from cambist.dsl.nodes.expressions import Expr, Text
from cambist.dsl.nodes.notes import Name, Notes, span_field
from cambist.dsl.nodes.tree import Decl
from cambist.dsl.source import Span


@frozen
class Variant:
    name: Name
    base: Name
    title: str
    players: tuple[int, int] | None  # those of the base, if it says nothing
    sources: tuple[Source, ...]
    renames: tuple[tuple[Name, Name], ...]
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
    span: Span = span_field()


@frozen
class Replace:
    decls: tuple[Decl, ...]
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
    label_span: Span = span_field()
    span: Span = span_field()


Patch = SetPart | Replace | AddPart | Remove


@frozen
class Tree:
    """One file."""

    decls: tuple[Decl, ...]
    variant: Variant | None = None
    patches: tuple[Patch, ...] = ()
    span: Span = span_field()
