"""Python by hand that takes part: the same games, to hold the rules against.

In: Python files. Each has a class `Game(players, seed)` (`legal_actions()`, `apply(action)`, `clone()`) and a function
`random_game(players, seed)` that gives `scores` and `decisions`. `Game.card_by_card` is true where several cards are
chosen one after the other, which is one choice here.

Of a game there may be several clean versions. How quick a single one is depends on its author's habits, so the one in
the middle is the yardstick, found anew in each run.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen

from cambist.benching.contestants import POSITIONS, SEED
from cambist.problems import FOUND, UserError

CLEAN, TUNED = "clean", "tuned"  # as it is read best, and as it runs best


@frozen
class Which:
    """One version of a game."""

    game: str
    kind: str
    name: str  # of its file


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
    spec = importlib.util.spec_from_file_location(f"cambist_{path.parent.name}_{path.stem}", path)
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


def in_the_middle(turns: Mapping[Which, float], most: float | None) -> Which:
    """Of several versions, by the turns of a loop that a decision takes, the median; of an even number the quicker of
    the two in the middle. Those that take more than `most` are left out, unless all do."""
    able = [which for which, value in turns.items() if most is None or value <= most] or list(turns)
    return sorted(able, key=turns.__getitem__)[(len(able) - 1) // 2]
