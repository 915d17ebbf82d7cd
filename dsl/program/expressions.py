"""Expressions of the program: no effect, one value."""

from __future__ import annotations

from attrs import field, frozen

from cambist.dsl.program.places import At


@frozen
class EConst:
    value: int


@frozen
class EList:
    """Values known beforehand: the players, an enum, a written list."""

    values: tuple[int, ...]


@frozen
class ELocal:
    slot: int


@frozen
class EVar:
    """A variable, or the position on a track: one cell of the state."""

    index: Expr


@frozen
class ESpace:
    """The value of a place on a track."""

    table: int
    position: Expr


@frozen
class EAccount:
    index: Expr


@frozen
class EContents:
    zone: Expr


@frozen
class EAttr:
    attr: int
    component: Expr
    at: At = field(default=At(), eq=False)  # the same is read wherever it stands


@frozen
class ETable:
    table: int
    key: Expr
    at: At = At()


@frozen
class EOp:
    op: str  # + - * join /down /up min max = != < <= > >=
    left: Expr
    right: Expr
    at: At = At()


@frozen
class EAnd:
    left: Expr
    right: Expr


@frozen
class EOr:
    left: Expr
    right: Expr


@frozen
class ENot:
    value: Expr


@frozen
class EIf:
    test: Expr
    then: Expr
    other: Expr


@frozen
class EMember:
    value: Expr
    items: Expr


@frozen
class EInZone:
    component: Expr
    zone: Expr


@frozen
class EIsCard:
    """A component of one of these kinds whose attributes have these values."""

    component: Expr
    kinds: tuple[int, ...]
    tests: tuple[tuple[int, Expr], ...]


@frozen
class ESize:
    items: Expr


@frozen
class EEnd:
    """The first or the last of several; a fault if there is none."""

    items: Expr
    last: bool
    at: At = At()


@frozen
class ERest:
    items: Expr


@frozen
class EItems:
    """A list written out."""

    values: tuple[Expr, ...]


@frozen
class ERange:
    low: Expr
    high: Expr
    step: Expr
    at: At = At()


@frozen
class EAround:
    """All players clockwise from one; without that one if `others`."""

    player: Expr
    others: bool


@frozen
class ECall:
    function: int
    args: tuple[Expr, ...]


@frozen
class Loop:
    """One binder: the local that runs through the items."""

    slot: int
    items: Expr


@frozen
class EFold:
    op: str  # sum count all some every no most least
    loops: tuple[Loop, ...]
    where: Expr | None
    value: Expr | None
    default: Expr | None
    at: At = At()


@frozen
class EBest:
    """Those with the most (or least) by several criteria; one of them, or all tied."""

    loop: Loop
    where: Expr | None
    criteria: tuple[tuple[bool, Expr], ...]
    policy: str  # "" (must be decided), first, all
    default: Expr | None
    at: At = At()


@frozen
class EBefore:
    """What a value was in an earlier state, which a local holds; in laws only."""

    state: int
    value: Expr


Expr = (
    EConst | EList | ELocal | EVar | ESpace | EAccount | EContents | EAttr | ETable | EOp | EAnd |
    EOr | ENot | EIf | EMember | EInZone | EIsCard | ESize | EEnd | ERest | EItems | ERange |
    EAround | ECall | EFold | EBest | EBefore
)  # fmt: skip
