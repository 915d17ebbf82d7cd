"""The lowered form: names are slots, domains are plans, everything is integers. THE border with interpreter/.

A `Program` is one ruleset for one number of players and one setting of its options. Values at run time: a
number, a yes or no, an amount (counted in its unit's smallest step), a player, an enum member, a component
and a zone are integers; nobody is NOBODY; several things are a list. Expressions (`E…`) have no effect.
Instructions (`I…`) stand in the flat code of a procedure and name their successors by index, so that a frame
is a procedure, an index and a list of local values.
"""

from __future__ import annotations

from math import prod

from attrs import field, frozen

from cambist.dsl.source import NOWHERE, Span

NOBODY = -1_000_000  # far outside every list, so that using it where something must be is found out at once
MISSING = -(2**62)  # a table has nothing at this key


@frozen
class Because:
    """Why a rule is as it is: citations, assumptions, errata, in the order they stand."""

    cites: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [f"cites {c}" for c in self.cites] + [f"assumed because {a}" for a in self.assumed]
        return "; ".join(said)


@frozen
class At:
    """The place of a rule: file, line, column, and why it holds."""

    span: Span = field(default=NOWHERE, eq=False, repr=False)
    because: Because = Because()


# ---- expressions


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


@frozen
class ETable:
    table: int
    key: Expr
    at: At = At()


@frozen
class EOp:
    op: str  # + - * /down /up min max = != < <= > >=
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


Expr = (
    EConst | EList | ELocal | EVar | ESpace | EAccount | EContents | EAttr | ETable | EOp | EAnd |
    EOr | ENot | EIf | EMember | EInZone | EIsCard | ESize | EEnd | ERest | EItems | ERange |
    EAround | ECall | EFold | EBest
)  # fmt: skip

# ---- choices


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


# ---- instructions


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

# ---- tables


@frozen
class Meaning:
    """How an integer is written: number, amount of a unit, flag, enum, player, card, zone, text."""

    word: str
    name: str = ""
    inner: Meaning | None = None  # of a list


@frozen
class Component:
    kind: int
    fields: tuple[int, ...]  # in the order of the kind's attributes
    home: int  # the zone it starts in


@frozen
class CardKind:
    name: str
    attrs: tuple[tuple[str, int, Meaning], ...]  # name, attribute table, how it is written


@frozen
class ZoneFamily:
    name: str
    base: int
    owners: tuple[Meaning, ...]
    sizes: tuple[int, ...]
    order: str  # pile queue row bag
    capacity: int  # -1: none
    seen_by: str
    count_hidden: bool
    until_revealed: bool

    @property
    def count(self) -> int:
        return prod(self.sizes)


@frozen
class AccountFamily:
    name: str
    base: int
    owners: tuple[Meaning, ...]
    sizes: tuple[int, ...]
    unit: str
    scale: int
    start: Expr | None
    negative: bool
    unlimited: bool
    seen_by: str

    @property
    def count(self) -> int:
        return prod(self.sizes)


@frozen
class VarFamily:
    name: str
    base: int
    owners: tuple[Meaning, ...]
    sizes: tuple[int, ...]
    meaning: Meaning
    start: Expr | None
    track: int  # the table of spaces; -1: a plain variable
    seen_by: str

    @property
    def count(self) -> int:
        return prod(self.sizes)


@frozen
class Procedure:
    name: str
    word: str
    params: int
    locals: int
    local_names: tuple[str, ...]
    code: tuple[Instr, ...]
    digest: str
    at: At = At()


@frozen
class Function:
    name: str
    params: int
    locals: int
    value: Expr
    at: At = At()


@frozen
class Trigger:
    enters: bool
    family: int
    procedure: int
    owners: int  # how many owners of the zone it is told
    where: Expr | None  # over locals: component, owners


@frozen
class Property:
    word: str
    name: str
    function: int
    at: At = At()


@frozen
class Fact:
    word: str  # holds, claim, set, set_account, learns, asked, over
    expr: Expr | None = None
    value: Expr | None = None
    things: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = ()  # count, kind, (attribute, value)
    seat: int = -1
    text: str = ""
    at: At = At()


@frozen
class Act:
    seat: int
    answer: str
    refused: bool
    because: str
    at: At = At()


@frozen
class Example:
    title: str
    players: tuple[int, ...]  # allowed numbers of players
    names: tuple[str, ...]  # seats 0, 1, …
    options: tuple[tuple[str, int], ...]
    procedure: int  # the phase it is in, -1: none
    args: tuple[Expr, ...]
    locals: int
    given: tuple[Fact, ...]
    steps: tuple[Act | Fact, ...]
    at: At = At()


@frozen
class Program:
    game: str
    title: str
    players: int
    options: tuple[tuple[str, int], ...]
    digest: str
    enums: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[CardKind, ...]
    components: tuple[Component, ...]
    attrs: tuple[tuple[int, ...], ...]  # attribute -> component -> value
    classes: tuple[int, ...]  # component -> class of equal components
    tables: tuple[tuple[int, ...], ...]
    table_names: tuple[str, ...]
    zones: tuple[ZoneFamily, ...]
    accounts: tuple[AccountFamily, ...]
    variables: tuple[VarFamily, ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    choices: tuple[Choice, ...]
    triggers: tuple[Trigger, ...]
    properties: tuple[Property, ...]
    setup: int  # procedure, -1: none
    play: int
    score: int  # function of a player
    ranking: tuple[tuple[bool, int], ...]  # most?, function of a player and the score
    score_meaning: Meaning
    examples: tuple[Example, ...]
    sources: tuple[tuple[str, str, str], ...]  # short name, file, language
