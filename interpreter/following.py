"""Somebody who follows one game from outside: hears what no single state shows, and remembers what was before.

In: what the machine tells (as the `watch` of the state: procedures that begin and end, branches that are chosen, blocks
that are rolled back) and the game's states at its choices and at its end (`moment`). Out: calls of `ended` and `asked`,
which those who follow for a purpose write: laws.py, measures.py. What was is kept here, as clones: a state knows
nothing of it, and a game that nobody follows pays nothing.

`before` is the choice before; for a procedure that has ended, its beginning. What is rolled back was not. A phase that
`end game` cuts short has not ended.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from attrs import define, field, frozen

from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import Frame, State

Values = tuple[Any, ...]
Chosen = list[tuple[int, str]]  # who chose which branch


@frozen
class Running:
    """A procedure that runs: what it was run with, and how all stood then if somebody asks for it."""

    frame: Frame
    args: Values
    began: State | None


@define
class Kept:
    """What a rolled back block goes back to."""

    state: State | None
    more: Any


@define
class Follower:
    tests = False  # whether rules are tested, and not only played

    machine: Machine
    told_of: Collection[int]  # procedures whose end is asked about
    compared: Collection[int]  # those of which the beginning is asked, too
    keeps: bool  # whether the choice before is asked for
    _kept: list[Kept] = field(factory=list, init=False)  # by the number of tentative blocks that were open
    _running: list[Running] = field(factory=list, init=False)  # one for each frame
    _chosen: Chosen = field(factory=list, init=False)  # since the moment before

    # ---- what the machine tells

    def runs(self, state: State) -> None:
        for frame in state.frames[len(self._running) :]:
            procedure = frame[0]
            args: Values = ()
            if procedure in self.told_of:
                args = tuple(frame[2][: self.machine.program.procedures[procedure].params])
            self._running.append(Running(frame, args, state.clone() if procedure in self.compared else None))

    def switched(self, state: State, frame: Frame) -> None:
        running = self._running
        if len(state.frames) < len(running):
            returned = running[-1] if running[-1].frame is frame and not state.ended else None
            del running[len(state.frames) :]
            if returned is not None and returned.frame[0] in self.told_of:
                self.ended(state, returned.frame[0], returned.args, returned.began or state)
        self.runs(state)

    def answered(self, player: int, label: str) -> None:
        self._chosen.append((player, label))

    def rolled_back(self, state: State) -> None:
        del self._running[len(state.frames) :]
        del self._kept[len(state.tentative) + 1 :]
        self._chosen.clear()
        self.go_back(state, self._kept[-1].more if self._kept else None)

    def moment(self, state: State) -> None:
        """Somebody is asked, or the game is over."""
        if state.pending is not None and any(answer is not None for answer in state.pending.answers):
            return  # some of several sealed answers are in: nothing has happened yet
        earlier = self._kept[-1].state if self._kept else None
        chosen, self._chosen = self._chosen, []
        self.asked(state, earlier or state, chosen)
        self._keep(state)

    def _keep(self, state: State) -> None:
        """For the next moment, and for a block that is rolled back before it."""
        depth = len(state.tentative)
        kept = Kept(state.clone() if self.keeps else None, self.kept())
        while len(self._kept) < depth:
            self._kept.append(self._kept[-1] if self._kept else kept)
        self._kept[depth:] = [kept]

    # ---- for those who follow

    def ended(self, state: State, procedure: int, args: Values, began: State) -> None:
        """A procedure has returned that one is told of."""

    def asked(self, state: State, before: State, chosen: Chosen) -> None:
        """All that is in this state was reached by these choices."""

    def kept(self) -> Any:
        """What to go back to, besides the state."""

    def go_back(self, state: State, kept: Any) -> None:
        """A block was rolled back; what was kept at the last moment before it, None if there was none."""

    def ask(self, state: State, before: State | None, function: int, values: Values) -> Any:
        """A function of the program, about this state and, if given, an earlier one."""
        left = state.fuel
        if before is not None:
            before.fuel = STEPS_PER_DECISION
        found = self.machine.call(state, function, list(values) if before is None else [before, *values])
        state.fuel = left  # a rule that runs too long is found all the same
        return found
