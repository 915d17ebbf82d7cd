"""Two engines, one game: the compiled rules beside the plain interpreter, which is the judge.

In: a program, how many games. Out: how many answers were compared, or the first difference. At every choice who
decides, all that may be answered, the state as it would be saved and what happened are compared, and so is how games
end that are played without stopping, from their beginning and from the middle.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from attrs import frozen

from cambist.dsl import program as p
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.position import Position
from cambist.interpreter.explore import play_random
from cambist.interpreter.faults import Fault
from cambist.interpreter.limits import STEPS_TO_LIST
from cambist.interpreter.machine import Machine
from cambist.interpreter.saves import save_state
from cambist.interpreter.state import State

LISTED = 60  # answers of a choice that are listed
TOO_MANY_STEPS = "R0101"
SEVENTH = 7  # every so often the game goes on as a copy, through a state of the other machine


@frozen
class Difference:
    game: int
    answers: int  # given before
    what: str
    reference: str
    compiled: str

    def __str__(self) -> str:
        return (
            f"game {self.game}, after {self.answers} answers, the {self.what} differ: "
            f"{self.reference[:300]} (reference), {self.compiled[:300]} (compiled)"
        )


class Differs(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


class Sides:
    """Both machines of a program; `judge` is the plain one."""

    def __init__(self, program: p.Program, plain: bool = True, quick: CompiledMachine | None = None) -> None:
        self.program = program
        self.judge = Machine(program, plain=plain)
        self.quick = quick or CompiledMachine(program)
        self.game = self.answers = self.compared = 0

    def play(self, seed: int, games: int, longest: int = 10**9) -> int:
        """The answers compared. Raises Differs."""
        for self.game in range(games):
            self.answers = 0
            self._steps(seed, told=self.game % 2 == 1, longest=longest)
            self._same("results of whole games", *(self._whole(m, seed) for m in (self.judge, self.quick)))
        return self.compared

    def _same(self, what: str, reference: Any, compiled: Any) -> None:
        if reference != compiled:
            raise Differs(Difference(self.game, self.answers, what, repr(reference), repr(compiled)))

    def _whole(self, machine: Machine, seed: int) -> Any:
        try:
            return play_random(machine, seed, self.game)
        except Fault as fault:
            return fault.diagnostic.code, _place(fault)

    def _steps(self, seed: int, told: bool, longest: int) -> None:
        """One game, a choice at a time. `told`: with a log."""
        logs: tuple[list[Any] | None, list[Any] | None] = ([], []) if told else (None, None)
        start = seed_of(seed, self.game)
        first = self._tried(self.judge.start, start, logs[0])
        second = self._tried(self.quick.start, start, logs[1])
        sources = Source(start), Source(start)
        while isinstance(first, State) and isinstance(second, State):
            self._compare(first, second, logs)
            if first.pending is None or self.answers >= longest:
                return
            player = self.judge.next_decider(first)
            self._same("deciders", player, self.quick.next_decider(second))
            self._same("answers possible", *self._listed(first, second, player))
            one = self._tried(self.judge.sample, first, player, sources[0])
            two = self._tried(self.quick.sample, second, player, sources[1])
            self._same("answers drawn", one, two)
            if not isinstance(one, tuple) or type(one[0]) is not int:
                return  # the same fault
            if self.answers % SEVENTH == 0:
                second = self._through(second, logs[1])
                ends = (self._played_out(m, s, start) for m, s in ((self.judge, first), (self.quick, second)))
                self._same("ends of a copy", *ends)
            self.answers += 1
            self.compared += 1
            first = self._tried(self._advanced, self.judge, first, player, one)
            second = self._tried(self._advanced, self.quick, second, player, two)
        self._same("faults", first, second)

    def _played_out(self, machine: Machine, state: State, seed: int) -> Any:
        """How a copy ends that is played on at random: the game itself must not feel it."""
        copy = state.clone()
        decisions = self._tried(machine.play_out, copy, Source(seed))
        return (decisions, save_state(self.program, copy)) if isinstance(decisions, int) else decisions

    def _advanced(self, machine: Machine, state: State, player: int, answer: Any) -> State:
        machine.advance(state, player, answer)
        return state

    def _tried(self, run: Any, *args: Any) -> Any:
        """What it gives, or the fault as a pair that can be compared."""
        try:
            return run(*args)
        except Fault as fault:
            return (fault.diagnostic.code, _place(fault))

    def _compare(self, first: State, second: State, logs: tuple[list[Any] | None, list[Any] | None]) -> None:
        one, two = save_state(self.program, first), save_state(self.program, second)
        for key in one:
            self._same(f"states ({key})", one[key], two[key])
        self._same("logs", *logs)
        if first.pending is None:
            scores = self._tried(self.judge.scores, first)
            self._same("scores", scores, self._tried(self.quick.scores, second))
            if isinstance(scores, list):
                self._same("winners", self.judge.winners(first, scores), self.quick.winners(second, scores))

    def _listed(self, first: State, second: State, player: int) -> tuple[Any, Any]:
        found = []
        for machine, state in ((self.judge, first), (self.quick, second)):
            state.fuel = STEPS_TO_LIST
            domain, local = machine.domain(state), machine.locals_for(state, player)
            if domain.flat:
                found.append(self._tried(domain.raw, state, local))
            else:
                found.append(self._some(domain, state, local))
        if not domain.flat:
            return _as_far_as_both(*found)
        if self.quick.domain(second).flat and isinstance(second, Position):
            quick = self._tried(self.quick.answers, second, player)
            self._same("answers listed", found[0], quick)
        return found[0], found[1]

    def _some(self, domain: Any, state: State, local: list[Any]) -> tuple[list[Any], Any]:
        """The first answers, and the fault that ended the search for more."""
        listed: list[Any] = []
        try:
            listed.extend(islice(domain.values(state, local), LISTED))
        except Fault as fault:
            return listed, (fault.diagnostic.code, _place(fault))
        return listed, None

    def _through(self, state: State, log: list[Any] | None) -> State:
        """The same game as a copy that was a state of the reference machine in between."""
        if not isinstance(state, Position):
            return state
        copy = self.quick.adopt(state.clone().thaw())
        copy.log = log
        return copy


def _as_far_as_both(one: tuple[list[Any], Any], other: tuple[list[Any], Any]) -> tuple[Any, Any]:
    """An engine may give up a search that takes too many steps before the other does; what both found is compared."""
    (first, why), (second, why_not) = one, other
    if (why or why_not) and {why, why_not} <= {None, (TOO_MANY_STEPS, "")}:
        many = min(len(first), len(second))
        return first[:many], second[:many]
    return one, other


def _place(fault: Fault) -> str:
    """Where it happened; a loop without end is found out at different turns."""
    return "" if fault.diagnostic.code == TOO_MANY_STEPS else str(fault.at.span)
