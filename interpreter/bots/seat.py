"""What a bot is given: its seat at the table, as a person has it, and worlds that it may imagine.

A `Seat` tells what its player sees, what is asked and what may be answered. `imagine` gives a `World`: a whole game
that this player cannot tell from the true one (resample.py), to try things in. The true state is not to be had from
here, so that no bot can look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.interpreter.api import Match, Options
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State


class World:
    """A game in somebody's head: it can be tried in, and nobody plays it."""

    __slots__ = ("machine", "state")

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self.state = state

    def clone(self) -> World:
        return World(self.machine, self.state.clone())

    @property
    def over(self) -> bool:
        return self.machine.waiting(self.state) < 0

    @property
    def depth(self) -> int:
        """How many procedures run, one in the other."""
        return self.machine.depth(self.state)

    @property
    def decider(self) -> int:
        return self.machine.next_decider(self.state)

    def sample(self, player: int, rng: Source) -> Answer:
        return self.machine.sample(self.state, player, rng)

    def answer(self, player: int, answer: Answer) -> None:
        self.machine.advance(self.state, player, answer)


class Seat:
    __slots__ = ("_imagine", "_options", "_sample", "_view", "player", "players")

    def __init__(self, match: Match, player: int) -> None:
        choice = match.choice
        assert choice is not None and player in choice.deciders
        resampler = None

        def imagine(rng: Source) -> World:
            nonlocal resampler
            if resampler is None:
                resampler = match.resampler(player)
            return World(match.machine, resampler.draw(rng))

        self.player = player
        self.players = match.program.players
        self._imagine: Callable[[Source], World] = imagine
        self._options: Callable[[int], Options] = lambda limit: choice.options(player, limit)
        self._sample: Callable[[Source], Answer] = lambda rng: choice.sample(rng, player)
        self._view: Callable[[], dict[str, Any]] = lambda: match.view(player)

    def view(self) -> dict[str, Any]:
        """All that this player sees, the choice included."""
        return self._view()

    def options(self, limit: int) -> Options:
        """What may be answered, equal things once; `complete` is False when there is more than the limit."""
        return self._options(limit)

    def sample(self, rng: Source) -> Answer:
        """A random answer, as random players give it."""
        return self._sample(rng)

    def imagine(self, rng: Source) -> World:
        """A world that may be the true one, as far as this player can tell."""
        return self._imagine(rng)
