"""Python by hand that takes part: the same games, to hold the rules against.

In: Python files. Each has a class `Game(players, seed)` (`legal_actions()`, `apply(action)`, `clone()`) and a function
`random_game(players, seed)` that gives `scores` and `decisions`. `Game.card_by_card` is true where several cards are
chosen one after the other, which is one choice here.

How quick a single clean program is depends on its author's habits. So there may be several, and the yardstick of what
is played is their median, or a limit if that is quicker: slow programs do not help. Of what is copied and listed there
is no limit, and the quickest counts.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen

from cambist.benching.contestants import POSITIONS, SEED
from cambist.problems import FOUND, UserError

CLEAN, TUNED = "clean", "tuned"  # as one writes it, and as it was made quick


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


def median_within(paces: Sequence[Sequence[float]], most: Sequence[float] | None) -> list[float]:
    """Of several versions' paces by round, the median of each round, or `most` if that is less."""
    middles = [statistics.median(ones) for ones in zip(*paces, strict=True)]
    return middles if most is None else [min(pair) for pair in zip(middles, most, strict=True)]


def quickest(paces: Sequence[Sequence[float]]) -> list[float]:
    return [min(ones) for ones in zip(*paces, strict=True)]
