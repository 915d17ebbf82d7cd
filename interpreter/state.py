"""State: one value of plain data, integers and lists of integers. Cloned cheaply, never aliased.

`log`, `watch`, `recorded`, `wished`, `offers` and `fuel` are not part of the game: where events go, who follows its
laws, where chance outcomes come from when a record is replayed or an example says them, answers already found, the
steps left until the next decision.
"""

from __future__ import annotations

from typing import Any, Protocol

from cambist.dsl.program import Program
from cambist.interpreter.limits import STEPS_FOR_SETUP

Locals = list[Any]  # integers, lists of integers, answers
Frame = list[Any]  # procedure, place in its code, locals, where results go


class Pending:
    """A choice that waits: which one, who decides, what is in already (sealed: several deciders)."""

    __slots__ = ("answers", "choice", "deciders")

    def __init__(self, choice: int, deciders: list[int], answers: list[Any]) -> None:
        self.choice = choice
        self.deciders = deciders
        self.answers = answers


class Watch(Protocol):
    """Who is told what no single state shows: laws.py."""

    tests: bool  # whether rules are tested, not only played: what a card does not have is a fault then

    def runs(self, state: State) -> None:
        """The machine is about to run."""

    def switched(self, state: State, frame: Frame) -> None:
        """This frame ran until it ran another, returned, ended the game or asked somebody."""

    def answered(self, player: int, label: str) -> None:
        """Somebody chose that branch."""

    def rolled_back(self, state: State) -> None:
        """All is again as it was when a tentative block began."""


class State:
    __slots__ = (
        "accounts", "decisions", "ended", "frames", "fuel", "limits", "log", "marks", "offers", "pending", "recorded",
        "revealed", "rng", "tentative", "vars", "watch", "where", "wished", "zones",
    )  # fmt: skip

    zones: list[list[int]]  # zone -> components, the first is the top
    where: list[int]  # component -> zone
    accounts: list[int]
    vars: list[Any]  # variables, and positions on tracks
    revealed: set[int]  # zones that show what `until revealed` hides
    frames: list[Frame]
    pending: Pending | None
    rng: int
    ended: str  # why the game is over; empty while it goes on
    marks: dict[str, int]
    limits: dict[str, int]  # assumed limits that were reached
    decisions: int  # answers given so far, those taken back not counted
    tentative: list[list[Any]]  # what open tentative blocks roll back to
    fuel: int
    offers: list[Any] | None  # the answers found while asking whether there are any
    log: list[Any] | None
    watch: Watch | None
    recorded: list[list[int]] | None
    wished: list[Any]  # what an example wants the next draws to give

    def clone(self) -> State:
        new = State.__new__(State)
        new.zones = [z[:] for z in self.zones]
        new.where = self.where[:]
        new.accounts = self.accounts[:]
        new.vars = self.vars[:]  # lists in variables and locals are replaced, never changed, so sharing them is safe
        new.revealed = set(self.revealed) if self.revealed else set()
        new.frames = [[f[0], f[1], f[2][:], f[3]] for f in self.frames]
        waiting = self.pending
        new.pending = None if waiting is None else Pending(waiting.choice, waiting.deciders[:], waiting.answers[:])
        new.rng = self.rng
        new.ended = self.ended
        new.marks = dict(self.marks) if self.marks else {}
        new.limits = dict(self.limits) if self.limits else {}
        new.decisions = self.decisions
        new.tentative = [t[:] for t in self.tentative] if self.tentative else []
        new.fuel = self.fuel
        new.offers = None
        new.log = new.watch = None
        new.recorded = None
        new.wished = []
        return new


def blank(program: Program, rng: int) -> State:
    """Everything at home, nothing begun."""
    state = State()
    count = sum(f.count for f in program.zones)
    state.zones = [[] for _ in range(count)]
    state.where = [c.home for c in program.components]
    for index, component in enumerate(program.components):
        state.zones[component.home].append(index)
    state.accounts = [0] * sum(f.count for f in program.accounts)
    state.vars = [0] * sum(f.count for f in program.variables)
    state.revealed = set()
    state.frames = []
    state.pending = None
    state.rng = rng
    state.ended = ""
    state.marks = {}
    state.limits = {}
    state.decisions = 0
    state.tentative = []
    state.fuel = STEPS_FOR_SETUP
    state.offers = None
    state.log = state.watch = None
    state.recorded = None
    state.wished = []
    return state
