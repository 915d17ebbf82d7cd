"""The tree: one frozen class per thing the grammar can say, each with its place. Data only; no judgement.

Three families: `Decl` (what stands in the first column), `Stmt`, `Expr`. Spans take no part in comparisons,
so that two trees are equal when they say the same.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from cambist.dsl.source import NOWHERE, Span


def _span() -> Span:
    return field(eq=False, repr=False, default=NOWHERE)


# ---- notes


@frozen
class Cite:
    source: str
    place: str  # a heading or `§4`
    span: Span = _span()


@frozen
class Assumed:
    because: str
    per: str = ""
    others: tuple[str, ...] = ()  # alternatives, as written
    span: Span = _span()


@frozen
class Erratum:
    wrong: str
    because: str
    span: Span = _span()


Note = Cite | Assumed | Erratum
Notes = tuple[Note, ...]


@frozen
class Name:
    text: str
    span: Span = _span()


# ---- expressions


@frozen
class Number:
    value: str  # as written, sign included
    span: Span = _span()


@frozen
class Text:
    value: str
    span: Span = _span()


@frozen
class Truth:
    value: bool
    span: Span = _span()


@frozen
class Ref:
    name: str
    span: Span = _span()


@frozen
class Call:
    name: Name
    args: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Dot:
    owner: Expr
    name: Name
    args: tuple[Expr, ...] = ()
    span: Span = _span()


@frozen
class Index:
    table: Expr
    key: Expr
    span: Span = _span()


@frozen
class ListOf:
    items: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Between:
    low: Expr
    high: Expr
    step: Expr | None
    span: Span = _span()


@frozen
class Binary:
    op: str  # + - * / = != < <= > >= and or in
    left: Expr
    right: Expr
    rounding: Literal["", "down", "up"] = ""
    span: Span = _span()


@frozen
class Negate:
    value: Expr
    span: Span = _span()


@frozen
class Not:
    value: Expr
    span: Span = _span()


@frozen
class IfElse:
    then: Expr
    test: Expr
    other: Expr
    span: Span = _span()


@frozen
class Is:
    """`x is note k 20`: a card of that kind with these fields; or a definition, a state, another value."""

    value: Expr
    name: Name
    cells: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Prefix:
    word: Literal["size", "first", "last", "rest"]
    value: Expr
    span: Span = _span()


@frozen
class Binder:
    name: Name
    source: Expr | None  # None: the players
    span: Span = _span()


@frozen
class Quantified:
    """sum, count, most, least, all, some, every, no."""

    word: Literal["sum", "count", "most", "least", "all", "some", "every", "no"]
    value: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    default: Expr | None = None
    span: Span = _span()


@frozen
class Criterion:
    most: bool
    value: Expr
    span: Span = _span()


@frozen
class The:
    binder: Binder
    where: Expr | None
    criteria: tuple[Criterion, ...]
    policy: Literal["", "all", "first"]
    default: Expr | None
    span: Span = _span()


Expr = (
    Number | Text | Truth | Ref | Call | Dot | Index | ListOf | Between | Binary | Negate | Not |
    IfElse | Is | Prefix | Quantified | The
)  # fmt: skip

# ---- statements


@frozen
class Move:
    what: Expr
    source: Expr | None  # with a source, `what` is how many to draw from its top
    to: Expr
    end: Literal["", "start", "end"]  # "": on top of a pile, behind the others elsewhere
    notes: Notes = ()
    span: Span = _span()


@frozen
class Fill:
    zone: Expr
    size: Expr
    source: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Transfer:
    amount: Expr
    source: Expr
    to: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Let:
    names: tuple[Name, ...]
    value: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Draw:
    """`let x = random of S` (one) or `let xs = random 2 of S` (a list)."""

    name: Name
    count: Expr | None
    source: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Set:
    target: Expr
    value: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Add:
    value: Expr
    target: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Shift:
    target: Expr
    by: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Shuffle:
    zone: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Reveal:
    zone: Expr
    shown: bool  # False: hide
    notes: Notes = ()
    span: Span = _span()


@frozen
class Return:
    values: tuple[Expr, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Leave:
    notes: Notes = ()
    span: Span = _span()


@frozen
class EndGame:
    reason: str
    notes: Notes = ()
    span: Span = _span()


@frozen
class RollBack:
    notes: Notes = ()
    span: Span = _span()


@frozen
class Nothing:
    notes: Notes = ()
    span: Span = _span()


@frozen
class Require:
    test: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Mark:
    name: Name
    limit: bool  # an assumed limit was reached
    notes: Notes = ()
    span: Span = _span()


@frozen
class Run:
    target: Expr  # Ref or Call
    notes: Notes = ()
    span: Span = _span()


@frozen
class Each:
    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class If:
    arms: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    other: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Repeat:
    """`repeat N times`, `repeat … until`, `repeat … forever` and `while` (the test before the body)."""

    times: Expr | None
    until: Expr | None
    test_first: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Pick:
    name: Name
    shape: Literal["in", "some", "order", "arrangement"]
    source: Expr
    least: Expr | None = None
    most: Expr | None = None
    possibly_none: bool = False
    span: Span = _span()


@frozen
class Branch:
    label: Name
    picks: tuple[Pick, ...]
    where: Expr | None
    such_that: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Choose:
    """Either branches, or one nameless branch whose picks hold from there on."""

    who: Expr
    branches: tuple[Branch, ...]
    named: bool
    otherwise: tuple[Stmt, ...] | None
    notes: Notes = ()
    span: Span = _span()


@frozen
class Secretly:
    binder: Binder
    choose: Stmt
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Tentatively:
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] | None
    notes: Notes = ()
    span: Span = _span()


Simple = (
    Move | Fill | Transfer | Let | Draw | Set | Add | Shift | Shuffle | Reveal | Return | Leave |
    EndGame | RollBack | Nothing | Require | Mark | Run
)  # fmt: skip
Stmt = Simple | Each | If | Repeat | Choose | Secretly | Tentatively

# ---- declarations


@frozen
class Source:
    name: Name
    file: str
    language: str
    sections: tuple[int, int] | None
    span: Span = _span()


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
    players_span: Span = _span()
    span: Span = _span()


@frozen
class Use:
    module: Name
    bindings: tuple[tuple[Name, Name], ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Enum:
    name: Name
    members: tuple[Name, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Field:
    name: Name
    kind: Name
    default: Number | None
    span: Span = _span()


@frozen
class Card:
    name: Name
    fields: tuple[Field, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class EachCell:
    span: Span = _span()


Cell = Number | Ref | EachCell


@frozen
class Row:
    count: int
    card: Name
    cells: tuple[Cell, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Seen:
    by: str = "all"  # all, owner, nobody
    count_hidden: bool = False
    until_revealed: bool = False
    span: Span = _span()


@frozen
class Deck:
    name: Name
    cards: tuple[Name, ...]
    sheet: Text | None
    rows: tuple[Row, ...]
    seen: Seen
    notes: Notes = ()
    span: Span = _span()


@frozen
class Option:
    name: Name
    low: Number | None
    high: Number | None
    values: tuple[Name, ...]
    default: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Table:
    name: Name
    by: Name | None
    entries: tuple[tuple[Number | None, Number], ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Unit:
    name: Name
    step: str
    notes: Notes = ()
    step_span: Span = _span()
    span: Span = _span()


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
    span: Span = _span()


@frozen
class KindName:
    name: Name
    of: KindName | None = None
    span: Span = _span()


@frozen
class Variable:
    name: Name
    kind: KindName
    owners: tuple[Name, ...]
    start: Expr | None
    seen: Seen
    notes: Notes = ()
    span: Span = _span()


@frozen
class Band:
    name: Name
    low: Number
    high: Number
    notes: Notes = ()
    span: Span = _span()


@frozen
class Track:
    name: Name
    owners: tuple[Name, ...]
    unit: Name | None
    values: tuple[Number, ...]
    start: Number | None
    bands: tuple[Band, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Zone:
    name: Name
    order: Name  # pile, queue, row, bag
    owners: tuple[Name, ...]
    capacity: Expr | None
    seen: Seen
    notes: Notes = ()
    span: Span = _span()


@frozen
class Define:
    name: Name
    params: tuple[Name, ...]
    value: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Procedure:
    """`phase`, `procedure`, `setup` and `play`."""

    word: Literal["phase", "procedure", "setup", "play"]
    name: Name
    params: tuple[Name, ...]
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Whenever:
    component: Name
    enters: bool
    zone: Name
    owners: tuple[Name, ...]
    where: Expr | None
    body: tuple[Stmt, ...]
    notes: Notes = ()
    span: Span = _span()


@frozen
class Score:
    player: Name
    value: Expr
    notes: Notes = ()
    span: Span = _span()


@frozen
class Winner:
    criteria: tuple[Criterion, ...]
    shared: bool
    notes: Notes = ()
    span: Span = _span()


@frozen
class Property:
    """`invariant` (holds in every state) or `reachable` (some game gets there)."""

    word: Literal["invariant", "reachable"]
    name: Name
    value: Expr
    notes: Notes = ()
    span: Span = _span()


# ---- examples


@frozen
class Named:
    names: tuple[Name, ...]
    exactly: bool  # `players a, b, c`: these are all
    span: Span = _span()


@frozen
class InPhase:
    call: Expr
    span: Span = _span()


@frozen
class WithOption:
    name: Name
    value: Expr
    span: Span = _span()


@frozen
class Thing:
    count: int
    card: Name
    cells: tuple[Cell, ...]
    span: Span = _span()


@frozen
class Holds:
    zone: Expr
    things: tuple[Thing, ...]
    span: Span = _span()


@frozen
class Learns:
    player: Name
    span: Span = _span()


@frozen
class Claim:
    value: Expr
    span: Span = _span()


Fact = Named | InPhase | WithOption | Holds | Learns | Claim


@frozen
class Act:
    player: Name
    answer: str
    span: Span = _span()


@frozen
class Clause:
    word: Literal["given", "when", "then", "refused"]
    facts: tuple[Fact, ...] = ()
    acts: tuple[Act, ...] = ()
    because: Name | None = None
    notes: Notes = ()
    span: Span = _span()


@frozen
class Example:
    title: str
    clauses: tuple[Clause, ...]
    notes: Notes = ()
    span: Span = _span()


Decl = (
    Game | Use | Enum | Card | Deck | Option | Table | Unit | Account | Variable | Track | Zone |
    Define | Procedure | Whenever | Score | Winner | Property | Example
)  # fmt: skip


@frozen
class Tree:
    """One file."""

    decls: tuple[Decl, ...]
    span: Span = _span()
