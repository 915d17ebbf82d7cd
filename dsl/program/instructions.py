"""Choices and the instructions of procedures."""

from __future__ import annotations

from attrs import frozen

from cambist.dsl.program.expressions import Expr
from cambist.dsl.program.places import At, Meaning


@frozen
class Pick:
    slot: int
    name: str
    shape: str  # in, some, order, arrangement
    source: Expr  # the things; for a range an ERange
    least: Expr | None
    most: Expr | None
    meaning: Meaning  # how a value is written


@frozen
class Test:
    """One part of a condition, with the name people read when it fails."""

    test: Expr
    rule: str
    at: At = At()


@frozen
class Branch:
    label: str  # empty: the only one
    picks: tuple[Pick, ...]
    where: tuple[Test, ...]
    such_that: tuple[Test, ...]
    target: int  # where to go on
    at: At = At()


@frozen
class Choice:
    name: str  # phase and number: stays the same when rules elsewhere change
    branches: tuple[Branch, ...]
    who_slot: int  # sealed: the local that is each decider in turn; otherwise -1
    otherwise: int  # where to go on if there is no answer; -1: there always is one
    at: At = At()


@frozen
class IMove:
    what: Expr
    single: bool
    to: Expr
    end: str  # start, end, or "" for what is usual of the zone
    at: At = At()


@frozen
class IDrawTop:
    """Move so many from the top of a zone; `fill`: until the other has so many, as far as it goes."""

    count: Expr
    source: Expr
    to: Expr
    end: str
    fill: bool
    at: At = At()


@frozen
class ITransfer:
    amount: Expr
    source: Expr
    to: Expr
    at: At = At()


@frozen
class ISetLocal:
    slot: int
    value: Expr
    at: At = At()


@frozen
class ISetVar:
    index: Expr
    value: Expr
    add: bool
    at: At = At()


@frozen
class ISetSpace:
    """Put the marker on the space of that value, or `by` so many spaces on, stopping at the ends."""

    index: Expr
    table: int
    value: Expr
    by: bool
    at: At = At()


@frozen
class IShuffle:
    zone: Expr
    at: At = At()


@frozen
class IRandom:
    slot: int
    count: Expr | None
    items: Expr
    meaning: Meaning  # how what is drawn is written
    at: At = At()


@frozen
class IReveal:
    zones: Expr  # a list of zones
    shown: bool
    at: At = At()


@frozen
class IJump:
    to: int


@frozen
class IUnless:
    test: Expr
    to: int
    at: At = At()


@frozen
class IEachStart:
    items: Expr
    list_slot: int
    index_slot: int
    at: At = At()


@frozen
class IEachNext:
    list_slot: int
    index_slot: int
    slot: int
    exit: int


@frozen
class ICall:
    procedure: int
    args: tuple[Expr, ...]
    results: tuple[int, ...]
    at: At = At()


@frozen
class IReturn:
    values: tuple[Expr, ...]
    at: At = At()


@frozen
class IAsk:
    choice: int
    who: Expr
    at: At = At()


@frozen
class IAskSealed:
    choice: int
    deciders: Expr
    deciders_slot: int
    answers_slot: int
    at: At = At()


@frozen
class ITakeAnswer:
    """Unpack the next sealed answer and go to its branch."""

    choice: int
    answers_slot: int
    index_slot: int


@frozen
class IEndGame:
    reason: str
    at: At = At()


@frozen
class IRequire:
    test: Expr
    text: str
    at: At = At()


@frozen
class IMark:
    name: str
    limit: bool
    at: At = At()


@frozen
class ITentative:
    """Remember the state; `otherwise` is where a roll back goes."""

    otherwise: int
    at: At = At()


@frozen
class IKeep:
    """The tentative block is done: forget the remembered state."""


@frozen
class IRollBack:
    at: At = At()


Instr = (
    IMove | IDrawTop | ITransfer | ISetLocal | ISetVar | ISetSpace | IShuffle | IRandom | IReveal |
    IJump | IUnless | IEachStart | IEachNext | ICall | IReturn | IAsk | IAskSealed | ITakeAnswer |
    IEndGame | IRequire | IMark | ITentative | IKeep | IRollBack
)  # fmt: skip
