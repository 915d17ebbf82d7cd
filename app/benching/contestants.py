"""What takes part by its rules: a game's machine plays whole random games, plays step by step, clones, lists what may
be answered. Python by hand does the same in yardsticks.py.
"""

from __future__ import annotations

import tracemalloc

from cambist.benching.clock import Turn
from cambist.interpreter.api import Machine, Match
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.layout import OFFERS
from cambist.interpreter.compiled.position import Position
from cambist.interpreter.explore import bot_source, play_random
from cambist.interpreter.limits import STEPS_TO_LIST
from cambist.interpreter.state import State

POSITIONS = 32  # of one game, evenly spread
COPIES = 200
SEED = 1


class Rules:
    """A game by its rules."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.next = 0  # number of the next game: no game is played twice
        self._positions: list[State] = []

    def whole(self, count: int) -> float:
        """So many games to their end; the decisions in them."""
        decisions = 0
        for number in range(self.next, self.next + count):
            decisions += play_random(self.machine, SEED, number).decisions
        self.next += count
        return max(1, decisions)

    def steps(self, count: int) -> float:
        """The same games, answer by answer."""
        machine, answers = self.machine, 0
        for number in range(self.next, self.next + count):
            state, rng = machine.start(seed_of(SEED, number)), bot_source(SEED, number)
            sample, advance = machine.sample, machine.advance
            player = machine.next_decider(state)
            while player >= 0:
                player = advance(state, player, sample(state, player, rng))
                answers += 1
        self.next += count
        return max(1, answers)

    def clones(self, count: int) -> float:
        positions = self.positions()
        for _ in range(count):
            for state in positions:
                state.clone()
        return count * len(positions)

    def listings(self, count: int) -> float:
        """What may be answered, where one thing is chosen; of `some of`, whole answers are too many for anybody."""
        machine = self.machine
        positions = [state for state in self.positions() if machine.domain(state).flat]
        if isinstance(machine, CompiledMachine):
            answers, next_decider = machine.listed, machine.next_decider
            listed = [(state, state.cells[OFFERS]) for state in positions if isinstance(state, Position)]
            for _ in range(count):
                for position, offers in listed:
                    answers(position, next_decider(position))
                    position.cells[OFFERS] = offers  # listed anew the next time, unless coming there has listed it
        else:
            for _ in range(count):
                for state in positions:
                    player = machine.next_decider(state)
                    state.fuel = STEPS_TO_LIST
                    machine.domain(state).raw(state, machine.locals_for(state, player))
        return max(1, count * len(positions))

    def saves(self, count: int) -> float:
        match = _halfway(self.machine)
        for _ in range(count):
            match.save()
        return count

    def memory(self) -> float:
        """Bytes of a game in progress."""
        state = self.positions()[POSITIONS // 2]
        tracemalloc.start()
        try:
            copies = [state.clone() for _ in range(COPIES)]
            return tracemalloc.get_traced_memory()[0] / len(copies)
        finally:
            tracemalloc.stop()

    def positions(self) -> list[State]:
        if not self._positions:
            machine, seen = self.machine, []
            state, rng = machine.start(seed_of(SEED, 0)), Source(SEED)
            while not state.ended:
                seen.append(state.clone())
                player = machine.next_decider(state)
                machine.advance(state, player, machine.sample(state, player, rng))
            self._positions = [seen[len(seen) * k // POSITIONS] for k in range(POSITIONS)]
        return self._positions


def _halfway(machine: Machine) -> Match:
    whole = play_random(machine, SEED, 0).decisions
    match, rng = Match.start(machine, SEED), Source(SEED)
    for _ in range(whole // 2):
        choice = match.choice
        if choice is None:
            break
        match.answer(choice.sample(rng))
    return match


__all__ = ["Rules", "Turn"]
