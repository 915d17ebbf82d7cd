"""Statements: what changes the game, and choices."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.nodes.expressions import Binder, Expr
from cambist.dsl.nodes.notes import Name, Notes, span_field
from cambist.dsl.source import Span


@frozen
class Move:
    what: Expr
    source: Expr | None  # with a source, `what` is how many to draw from its top
    to: Expr
    end: Literal["", "start", "end"]  # "": on top of a pile, behind the others elsewhere
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Fill:
    zone: Expr
    size: Expr
    source: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Transfer:
    amount: Expr
    source: Expr
    to: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Let:
    names: tuple[Name, ...]
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Draw:
    """`let x = random of S` (one) or `let xs = random 2 of S` (a list)."""

    name: Name
    count: Expr | None
    source: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Set:
    target: Expr
    value: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Add:
    value: Expr
    target: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Shift:
    target: Expr
    by: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Shuffle:
    zone: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Reveal:
    zone: Expr
    shown: bool  # False: hide
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Return:
    values: tuple[Expr, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Leave:
    notes: Notes = ()
    span: Span = span_field()


@frozen
class EndGame:
    reason: str
    notes: Notes = ()
    span: Span = span_field()


@frozen
class RollBack:
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Nothing:
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Require:
    test: Expr
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Mark:
    name: Name
    limit: bool  # an assumed limit was reached
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Run:
    target: Expr  # Ref or Call
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Each:
    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class If:
    arms: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    other: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Repeat:
    """`repeat N times`, `repeat … until`, `repeat … forever` and `while` (the test before the body)."""

    times: Expr | None
    until: Expr | None
    test_first: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Pick:
    name: Name
    shape: Literal["in", "some", "order", "arrangement"]
    source: Expr
    least: Expr | None = None
    most: Expr | None = None
    possibly_none: bool = False
    span: Span = span_field()


@frozen
class Branch:
    label: Name
    picks: tuple[Pick, ...]
    where: Expr | None
    such_that: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Choose:
    """Either branches, or one nameless branch whose picks hold from there on."""

    who: Expr
    branches: tuple[Branch, ...]
    named: bool
    otherwise: tuple[Stmt, ...] | None
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Secretly:
    binder: Binder
    choose: Stmt
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = span_field()


@frozen
class Tentatively:
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] | None
    notes: Notes = ()
    span: Span = span_field()


Simple = (
    Move | Fill | Transfer | Let | Draw | Set | Add | Shift | Shuffle | Reveal | Return | Leave |
    EndGame | RollBack | Nothing | Require | Mark | Run
)  # fmt: skip
Stmt = Simple | Each | If | Repeat | Choose | Secretly | Tentatively
