"""Expressions: what has a value and changes nothing."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.nodes.notes import Name, span_field
from cambist.dsl.source import Span


@frozen
class Number:
    value: str  # as written, sign included
    span: Span = span_field()


@frozen
class Text:
    value: str
    span: Span = span_field()


@frozen
class Truth:
    value: bool
    span: Span = span_field()


@frozen
class Ref:
    name: str
    span: Span = span_field()


@frozen
class Call:
    name: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Dot:
    owner: Expr
    name: Name
    args: tuple[Expr, ...] = ()
    span: Span = span_field()


@frozen
class Index:
    table: Expr
    key: Expr
    span: Span = span_field()


@frozen
class ListOf:
    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Between:
    low: Expr
    high: Expr
    step: Expr | None
    span: Span = span_field()


@frozen
class Binary:
    op: str  # + - * / = != < <= > >= and or in
    left: Expr
    right: Expr
    rounding: Literal["", "down", "up"] = ""
    span: Span = span_field()


@frozen
class Negate:
    value: Expr
    span: Span = span_field()


@frozen
class Not:
    value: Expr
    span: Span = span_field()


@frozen
class IfElse:
    then: Expr
    test: Expr
    other: Expr
    span: Span = span_field()


@frozen
class Is:
    """`x is note k 20`: a card of that kind with these fields; or a definition, a state, another value."""

    value: Expr
    name: Name
    cells: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Prefix:
    word: Literal["size", "first", "last", "rest"]
    value: Expr
    span: Span = span_field()


@frozen
class Binder:
    name: Name
    source: Expr | None  # None: the players
    span: Span = span_field()


@frozen
class Quantified:
    """sum, count, most, least, all, some, every, no."""

    word: Literal["sum", "count", "most", "least", "all", "some", "every", "no"]
    value: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    default: Expr | None = None
    span: Span = span_field()


@frozen
class Criterion:
    most: bool
    value: Expr
    span: Span = span_field()


@frozen
class The:
    binder: Binder
    where: Expr | None
    criteria: tuple[Criterion, ...]
    policy: Literal["", "all", "first"]
    default: Expr | None
    span: Span = span_field()


Expr = (
    Number | Text | Truth | Ref | Call | Dot | Index | ListOf | Between | Binary | Negate | Not |
    IfElse | Is | Prefix | Quantified | The
)  # fmt: skip
