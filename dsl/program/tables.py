"""Tables of the program: components, families of places, rules, examples, and the whole."""

from __future__ import annotations

from math import prod
from typing import Any

from attrs import frozen

from cambist.dsl.program.expressions import Expr
from cambist.dsl.program.instructions import Choice, Instr
from cambist.dsl.program.places import At, Meaning


@frozen
class Component:
    kind: int
    fields: tuple[int | tuple[int, ...], ...]  # in the order of the kind's attributes
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
    kinds: str = ""  # the enum whose members its unit comes in: these never mix

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
    starts: tuple[int, ...] = ()  # of a track: the place of each marker; empty: all where `start` says

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
    meanings: tuple[Meaning, ...] = ()  # of its parameters


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
    """A law. Its functions take the state before (if it `compares`), then what stands behind `after` or `for`."""

    word: str  # invariant, reachable
    name: str
    function: int  # -1: there is one for each of the procedures
    at: At = At()
    moment: str = "always"  # always, after, end
    compares: bool = False  # with the choice before; behind `after`, with the beginning of what has ended
    procedures: tuple[tuple[int, int], ...] = ()  # those it is asked after, each with its function
    action: str = ""  # the branch it is asked after
    params: int = 0
    leads_to: int = -1  # function: whenever the first holds, this one does so then or later
    binders: tuple[int, ...] = ()  # of each binder, the function of those before it that gives its things

    @property
    def plain(self) -> bool:
        """Whether one state tells: it is asked everywhere and compares with nothing."""
        return self.moment == "always" and not self.compares and self.leads_to < 0


@frozen
class Asked:
    """One way to ask for a measure. Its functions take the state before (if it compares), then what the procedure was
    run with or who chose the branch, then what it is of."""

    procedure: int  # whose end asks for it, -1: none
    function: int
    binders: tuple[int, ...] = ()  # of each binder, the function of those before it that gives its things


@frozen
class Measure:
    """A value for those who compare games: in which states it is asked, of what, and how it is written."""

    name: str
    moment: str  # always, after, end
    compares: bool
    action: str  # the branch it is asked after
    params: int
    meaning: Meaning  # a number, an amount or a flag
    of: tuple[Meaning, ...]  # what it is of, as far as it is `of each`
    ways: tuple[Asked, ...]  # behind `after`, one for each way its procedure is run
    at: At = At()


@frozen
class Shown:
    name: str
    function: int  # of the owner, a row's thing, a column's thing, as far as there are such
    meaning: Meaning
    each: int  # the function that gives the things of several columns, -1: it is one column
    heading: Meaning | None  # how one of those is written


@frozen
class Show:
    """What is worked out for the eyes of players."""

    name: str
    owned: bool  # one for each player, who is the first argument of all functions
    rows: int  # the function that gives the rows' things, -1: it is one row
    meaning: Meaning | None  # how one of them is written
    columns: tuple[Shown, ...]
    instead: tuple[str, ...]  # families that need not be listed
    seen_by: str


@frozen
class Fact:
    word: str  # holds, holds in order, claim, set, set_account, learns, asked, over, winner, no winner, chance
    expr: Expr | None = None
    value: Expr | None = None
    things: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = ()  # count, kind, (attribute, value)
    seat: int = -1
    text: str = ""
    at: At = At()
    scale: int = 1  # steps of the unit in which a claim compares amounts


@frozen
class Act:
    seat: int
    answer: str
    refused: bool
    because: str
    at: At = At()
    if_legal: bool = False


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
    flags: tuple[str, ...]  # options that are on or off
    enums: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[CardKind, ...]
    components: tuple[Component, ...]
    attrs: tuple[tuple[Any, ...], ...]  # attribute -> component -> a number, or a list of them
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
    measures: tuple[Measure, ...]
    shows: tuple[Show, ...]
    setup: int  # procedure, -1: none
    play: int
    score: int  # function of a player
    ranking: tuple[tuple[bool, int], ...]  # most?, function of a player and the score
    score_meaning: Meaning
    estimate: int  # function of a player: how well one stands before the end; -1: the score says it
    examples: tuple[Example, ...]
    sources: tuple[tuple[str, str, str], ...]  # short name, file, language
    texts: tuple[str, ...] = ()  # what a value that is a text says, by its number
