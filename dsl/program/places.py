"""Constants of the program, places in the rules and why they hold, how integers are written."""

from __future__ import annotations

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


@frozen
class Meaning:
    """How an integer is written: number, amount of a unit, flag, enum, player, card, zone, text."""

    word: str
    name: str = ""
    inner: Meaning | None = None  # of a list
