"""Examples: what is given, who answers what, what must hold then."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.nodes.declarations import Cell
from cambist.dsl.nodes.expressions import Expr
from cambist.dsl.nodes.notes import Name, Notes, span_field
from cambist.dsl.source import Span


@frozen
class Named:
    names: tuple[Name, ...]
    exactly: bool  # `players a, b, c`: these are all
    span: Span = span_field()


@frozen
class InPhase:
    call: Expr
    span: Span = span_field()


@frozen
class WithOption:
    name: Name
    value: Expr
    span: Span = span_field()


@frozen
class Thing:
    count: int
    card: Name
    cells: tuple[Cell, ...]
    span: Span = span_field()


@frozen
class Holds:
    zone: Expr
    things: tuple[Thing, ...]
    in_order: bool = False
    span: Span = span_field()


@frozen
class Learns:
    player: Name
    span: Span = span_field()


@frozen
class Chance:
    """What the next draws give, one after the other."""

    values: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Claim:
    value: Expr
    span: Span = span_field()


Fact = Named | InPhase | WithOption | Holds | Learns | Chance | Claim


@frozen
class Act:
    player: Name
    answer: str
    if_legal: bool  # `may choose`: nothing happens where it is refused
    span: Span = span_field()


@frozen
class Clause:
    word: Literal["given", "when", "then", "refused"]
    facts: tuple[Fact, ...] = ()
    acts: tuple[Act, ...] = ()
    because: Name | None = None
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Example:
    title: str
    clauses: tuple[Clause, ...]
    notes: Notes = ()
    span: Span = span_field()
