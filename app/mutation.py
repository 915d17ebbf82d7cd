"""Who notices a change to the rules? Examples, random games, recorded games, in the order of what they cost.

In: what was gathered of a ruleset, and its recorded games. Out: a `Verdict` for each change. The rules as they are must
pass all of it, too. A changed game cannot go on for ever: the machine counts steps and decisions, a random game may be
ten times as long as the longest before it, and each change has so many seconds of CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from time import process_time
from typing import Any

from attrs import frozen

from cambist.dsl import api as dsl
from cambist.dsl import settings
from cambist.dsl.diagnostics import RulesError
from cambist.dsl.mutants import Mutant, applied
from cambist.game import Game
from cambist.interpreter.api import Fault, Machine
from cambist.interpreter.explore import play_random
from cambist.interpreter.laws import Following
from cambist.interpreter.limits import DECISIONS_PER_GAME
from cambist.interpreter.rule_tests import run_example
from cambist.interpreter.soundness import Soundness
from cambist.interpreter.state import State
from cambist.playthroughs import Playthrough
from cambist.problems import FOUND, UserError

REFUSED, SAME, EQUIVALENT, KILLED, SURVIVED = "refused", "same", "equivalent", "killed", "survived"
EXAMPLE, RANDOM, PLAYTHROUGH, TIME = "example", "random games", "playthrough", "time"
ROUNDS = 2  # random games for each number of players that is tried
LONGER = 10  # times the longest game of the rules as they are
CAP = 60.0  # seconds of CPU for one change


@frozen
class Verdict:
    outcome: str
    by: str = ""  # who noticed
    detail: str = ""

    @property
    def counts(self) -> bool:
        return self.outcome in (KILLED, SURVIVED)


class _OutOfTime(Exception):
    pass


class _Watched(Soundness):
    """Tests what must hold, and stops a game that goes on and on."""

    def __init__(self, machine: Machine, longest: int, deadline: float) -> None:
        super().__init__(machine)
        self.longest = longest
        self.deadline = deadline
        self.states = 0

    def check(self, state: State, following: Following | None = None) -> None:
        self.states += 1
        if self.states > self.longest or process_time() > self.deadline:
            raise _OutOfTime
        super().check(state, following)


class Judge:
    """`quick`: each example once, and nothing else."""

    def __init__(
        self, gathered: dsl.Gathered, game: Game, playthroughs: Sequence[Playthrough], quick: bool = False
    ) -> None:
        self.gathered = gathered
        self.playthroughs = playthroughs
        self.quick = quick
        self.game = game
        self.examples = self.game.machine(self.game.players[0]).program.examples
        self.order = list(range(len(self.examples)))
        self.trusted: set[str | bool] = set()  # what the rules as they are have passed: else it notices everything

    def _trust_examples(self, quick: bool) -> None:
        if quick not in self.trusted:
            title = self._examples(self.game, quick)
            if title:
                raise UserError(f'the example "{title}" fails already', "`cambist test` tells why", FOUND)
            self.trusted.add(quick)

    @cached_property
    def longest(self) -> int:
        """How many states a random game may have."""
        longest = 1
        for machine, number in self._tables(self.game):
            sound = _Watched(machine, DECISIONS_PER_GAME, process_time() + 10 * CAP)
            try:
                play_random(machine, 0, number, True, sound)
            except Fault as fault:
                why = f"{fault.diagnostic.code} {fault.diagnostic.message}"
                raise UserError(f"random games fail already: {why}", "`cambist test` tells more", FOUND) from None
            longest = max(longest, sound.states)
        return LONGER * longest + 100

    def _trust(self, one: Playthrough) -> None:
        if one.name not in self.trusted:
            differs = one.differs(self.game)
            if differs:
                raise UserError(f"a recorded game goes otherwise already: {differs}", "record it again", FOUND)
            self.trusted.add(one.name)

    def judge(self, mutant: Mutant) -> Verdict:
        try:
            return self._judged(mutant)
        except _OutOfTime:
            return Verdict(KILLED, TIME, "the game goes on and on")
        except RulesError:
            return Verdict(REFUSED)  # it does not lower for some number of players

    def _judged(self, mutant: Mutant) -> Verdict:
        deadline = process_time() + CAP
        ruleset = dsl.check_gathered(applied(self.gathered, mutant))
        if ruleset is None:
            return Verdict(REFUSED)
        game = Game(ruleset, self.game.set_to)
        if self._is_same(game):
            return Verdict(SAME)
        for quick in (True, False):
            self._trust_examples(quick)
            title = self._examples(game, quick, deadline)
            if title:
                return Verdict(KILLED, EXAMPLE, title)
            if self.quick:
                return Verdict(SURVIVED)
        longest = self.longest
        for machine, number in self._tables(game):
            try:
                play_random(machine, 0, number, True, _Watched(machine, longest, deadline))
            except Fault as fault:
                return Verdict(KILLED, RANDOM, f"{fault.diagnostic.code} {fault.diagnostic.message}")
        for one in self.playthroughs:
            if process_time() > deadline:
                raise _OutOfTime
            self._trust(one)
            differs = one.differs(game)
            if differs:
                return Verdict(KILLED, PLAYTHROUGH, differs)
        return Verdict(SURVIVED)

    def _is_same(self, game: Game) -> bool:
        """Whether the programs are equal, for all numbers of players and the ends of all options."""
        fewest = self.game.players[0]
        if game.machine(fewest).program != self.game.machine(fewest).program:  # this one is needed in any case
            return False
        for one in _settings(self.game):
            for players in self.game.players:
                old, new = self.game.machine(players, one), dsl.lower(game.ruleset, players, game.settle(one))
                if new != old.program:
                    return False
        return True

    def _examples(self, game: Game, quick: bool, deadline: float = float("inf")) -> str:
        """The title of the first that fails. One that has noticed something is asked sooner the next time."""
        for position, index in enumerate(self.order):
            if process_time() > deadline:
                raise _OutOfTime
            outcome = run_example(game.for_example, index, self._example(game, index), quick)
            if not outcome.passed:
                self.order.insert(position // 2, self.order.pop(position))
                return outcome.title
        return ""

    def _example(self, game: Game, index: int) -> Any:
        return game.machine(game.players[0]).program.examples[index]

    def _tables(self, game: Game) -> Iterator[tuple[Machine, int]]:
        """The smallest, a middle and the largest number of players, and the numbers of the games they play."""
        allowed = game.players
        for players in sorted({allowed[0], allowed[len(allowed) // 2], allowed[-1]}):
            for number in range(ROUNDS):
                yield game.machine(players), number


def _settings(game: Game) -> Iterator[dict[str, Any]]:
    """As it is set, and with one option set otherwise: to an end of its range, or any of its names."""
    yield game.set_to
    for name, option in game.options.items():
        for value in settings.bounds(option) or settings.allowed(option):
            one = {**game.set_to, name: settings.written(value)}
            if game.allows(one):
                yield one
