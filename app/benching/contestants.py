"""What takes part: a game's machine, or a yardstick, clean Python of the same game written by hand.

Both do the same things: play whole random games, play step by step, clone, list what may be answered. A yardstick is a
Python file with a class `Game(players, seed)` (`legal_actions()`, `apply(action)`, `clone()`) and a function
`random_game(players, seed)` that gives `scores` and `decisions`. `Game.card_by_card` is true where several cards are
chosen one after the other, which is one choice here.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import tracemalloc
from pathlib import Path
from types import ModuleType
from typing import Any

from cambist.benching.clock import Turn
from cambist.interpreter.api import Machine, Match
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.layout import OFFERS
from cambist.interpreter.compiled.position import Position
from cambist.interpreter.explore import bot_source, play_random
from cambist.interpreter.limits import STEPS_TO_LIST
from cambist.interpreter.state import State
from cambist.problems import FOUND, UserError

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


class Yardstick:
    """A game written by hand."""

    def __init__(self, path: Path, players: int) -> None:
        self.module = _module(path)
        self.players = players
        self.next = 0
        self._positions: list[Any] = []

    def whole(self, count: int) -> float:
        decisions = 0
        for seed in range(self.next, self.next + count):
            decisions += self.module.random_game(self.players, seed).decisions
        self.next += count
        return max(1, decisions)

    def clones(self, count: int) -> float:
        positions = self.positions()
        for _ in range(count):
            for game in positions:
                game.clone()
        return count * len(positions)

    def listings(self, count: int) -> float:
        positions = [game for game in self.positions() if not getattr(game, "card_by_card", False)]
        for _ in range(count):
            for game in positions:
                game.legal_actions()
        return max(1, count * len(positions))

    def positions(self) -> list[Any]:
        if not self._positions:
            game, rng, seen = self.module.Game(self.players, SEED), random.Random(SEED), []
            while actions := game.legal_actions():
                seen.append(game.clone())
                game.apply(rng.choice(actions))
            self._positions = [seen[len(seen) * k // POSITIONS] for k in range(POSITIONS)]
        return self._positions

    def outcomes(self, games: int) -> list[Any]:
        return [self.module.random_game(self.players, seed) for seed in range(games)]


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise UserError(f"there is no yardstick `{path}`", "name a Python file")
    spec = importlib.util.spec_from_file_location(f"cambist_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"`{path}` does not run: {type(error).__name__}: {error}", "mend it first", FOUND) from None
    if not hasattr(module, "Game") or not hasattr(module, "random_game"):
        raise UserError(
            f"`{path}` is no yardstick",
            "it needs a class `Game(players, seed)` and `random_game(players, seed)`",
            FOUND,
        )
    return module


__all__ = ["Rules", "Turn", "Yardstick"]
