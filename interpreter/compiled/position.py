"""A game in the compiled engine: one flat list of cells. Reads like a `State`: zones, accounts, frames and the rest are
made from the cells when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cambist.interpreter.compiled.layout import (
    ANSWERS,
    DECIDERS,
    DECISIONS,
    ENDED,
    FUEL,
    LIMITS,
    MARKS,
    OFFERS,
    OVER,
    REVEALED,
    RNG,
    TENTATIVE,
    WAITS,
    WHO,
)  # fmt: skip
from cambist.interpreter.state import Pending, State

if TYPE_CHECKING:
    from cambist.interpreter.compiled.loading import Loaded


class Position(State):
    """What is assigned to in a `State` by those who only play (log, fuel) can be assigned to; the rest is read."""

    __slots__ = ("cells", "lies", "placed", "rules")

    lies: dict[str, list[Any]] | None  # while nothing changes: where components are, and variables
    placed: tuple[list[Any], list[int]] | None  # zones, and where components are when these lie so

    def __init__(self, rules: Loaded, cells: list[Any]) -> None:
        self.rules = rules
        self.cells = cells
        self.log = self.watch = self.recorded = self.lies = self.placed = None

    def clone(self) -> Position:
        new: Position = Position.__new__(Position)
        new.rules = self.rules
        new.cells = self.cells[:]
        new.log = new.recorded = new.watch = new.lies = None
        new.placed = self.placed
        return new

    def still(self) -> Position:
        """The same for as long as nothing changes: domains ask for one component after the other."""
        self.lies = {}
        return self

    def thaw(self) -> State:
        """The same game as the reference machine has it."""
        state = State()
        state.zones, state.where, state.accounts = self.zones, self.where[:], self.accounts
        state.vars = [value[:] if type(value) is list else value for value in self.vars]
        state.revealed, state.frames, state.pending = self.revealed, self.frames, self.pending
        state.rng, state.ended, state.marks, state.limits = self.rng, self.ended, self.marks, self.limits
        state.decisions, state.tentative, state.fuel, state.offers = self.decisions, self.tentative, self.fuel, None
        state.log, state.watch, state.recorded, state.wished = self.log, None, self.recorded, []
        return state


# ---- as a state has it: what is read is made from the cells


def _pending(it: Position) -> Pending | None:
    cells = it.cells
    if cells[WAITS] == OVER:
        return None
    choice = it.rules.asks[cells[WAITS]].choice
    if cells[WHO] >= 0:
        return Pending(choice, [cells[WHO]], [None])
    return Pending(choice, cells[DECIDERS][:], cells[ANSWERS][:])


def _frames(it: Position) -> list[list[Any]]:
    waits = it.cells[WAITS]
    return [] if waits == OVER else it.rules.frames(it.cells, waits)


def _where(it: Position) -> list[int]:
    layout = it.rules.layout
    zones = it.cells[layout.zones : layout.accounts]
    if it.placed is None or it.placed[0] != zones:  # lists in cells are replaced, never changed
        it.placed = (zones, layout.where(it.cells))
    return it.placed[1]


def _vars(it: Position) -> list[Any]:
    if it.lies is None:
        return it.cells[it.rules.layout.vars : it.rules.layout.locals_begin]
    if "vars" not in it.lies:
        it.lies["vars"] = it.cells[it.rules.layout.vars : it.rules.layout.locals_begin]
    return it.lies["vars"]


READ: dict[str, Callable[[Position], Any]] = {
    "zones": lambda it: it.rules.layout.lying(it.cells),
    "where": _where,
    "accounts": lambda it: it.rules.layout.held(it.cells),
    "vars": _vars,
    "revealed": lambda it: set(it.cells[REVEALED]),
    "frames": _frames,
    "pending": _pending,
    "ended": lambda it: it.cells[ENDED],
    "marks": lambda it: dict(it.cells[MARKS]),
    "limits": lambda it: dict(it.cells[LIMITS]),
    "decisions": lambda it: it.cells[DECISIONS],
    "tentative": lambda it: [it.rules.remembered(kept) for kept in it.cells[TENTATIVE]],
    "offers": lambda it: it.cells[OFFERS],
    "wished": lambda it: [],
}
WRITTEN = {"rng": RNG, "fuel": FUEL}  # cells that those who only play may set


def _cell(number: int) -> property:
    def write(it: Position, value: Any) -> None:
        it.cells[number] = value

    return property(lambda it: it.cells[number], write)


for _name, _read in READ.items():
    setattr(Position, _name, property(_read))
for _name, _number in WRITTEN.items():
    setattr(Position, _name, _cell(_number))
