"""Which of two bots is the stronger: games between them, seats rotated, the same deals for every seat.

In: a machine, two names, a seed. Out: of each deal the part of its games that the first has won, and from those a rate
with its 95 % interval. A deal is played as often as there are seats: the first bot sits on each of them once, copies of
the second on all others, so that neither seats nor luck of the deal favour one. Results are kept on disk if asked, so
that a run which was stopped goes on; they are forgotten when the rules or the bots change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib import resources
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

from attrs import define, field, frozen

from cambist.files import write_whole
from cambist.interpreter.api import Machine
from cambist.interpreter.bots import bot_of
from cambist.interpreter.bots.tables import play_seated
from cambist.interpreter.values import in_units
from cambist.schema_check import problems

SURE = 1.96  # standard errors to either side


@frozen
class Dealt:
    """One deal, played once for each seat of the first bot."""

    won: float  # its part of the wins, a shared win divided
    scores: tuple[int, int]  # of the first bot, and of all others: the sum over these games
    seconds: float


@define
class Duel:
    machine: Machine
    first: str
    second: str
    seed: int
    dealt: list[Dealt] = field(factory=list)

    @property
    def players(self) -> int:
        return self.machine.program.players

    @property
    def games(self) -> int:
        return len(self.dealt) * self.players

    @property
    def even(self) -> float:
        """The rate of equals."""
        return 1 / self.players

    @property
    def rate(self) -> float:
        return sum(one.won for one in self.dealt) / max(1, self.games)

    def play(self) -> None:
        """The next deal."""
        number, begun = len(self.dealt), perf_counter()
        won, mine, theirs = 0.0, 0, 0
        for seat in range(self.players):
            bots = [bot_of(self.first if place == seat else self.second) for place in range(self.players)]
            played = play_seated(self.machine, self.seed, number, bots)
            won += (seat in played.winners) / len(played.winners)
            mine += played.scores[seat]
            theirs += sum(played.scores) - played.scores[seat]
        self.dealt.append(Dealt(won, (mine, theirs), round(perf_counter() - begun, 3)))

    def interval(self) -> tuple[float, float]:
        """Where the rate lies with 95 %: by how the deals differ; if they do not, as for single games (Wilson)."""
        shares = [one.won / self.players for one in self.dealt]
        count = len(shares)
        spread = sqrt(sum((s - self.rate) ** 2 for s in shares) / (count - 1)) if count > 1 else 0.0
        if spread:
            reach = SURE * spread / sqrt(count)
            return max(0.0, self.rate - reach), min(1.0, self.rate + reach)
        games, square = max(1, self.games), SURE * SURE
        middle = (self.rate + square / (2 * games)) / (1 + square / games)
        reach = SURE * sqrt(self.rate * (1 - self.rate) / games + square / (4 * games * games)) / (1 + square / games)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def data(self) -> dict[str, Any]:
        low, high = self.interval()
        program = self.machine.program
        scale = next((f.scale for f in program.accounts if f.unit == program.score_meaning.name), 1)
        totals = [sum(one.scores[side] for one in self.dealt) for side in (0, 1)]
        seats = [self.games, self.games * (self.players - 1)]
        return {
            "game": program.game,
            "players": self.players,
            "options": dict(program.options),
            "first": self.first,
            "second": self.second,
            "seed": self.seed,
            "games": self.games,
            "rate": round(self.rate, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "even": round(self.even, 4),
            "verdict": "first" if low > self.even else "second" if high < self.even else "neither",
            "mean_scores": [float(in_units(round(t / max(1, n)), scale)) for t, n in zip(totals, seats, strict=True)],
            "seconds": round(sum(one.seconds for one in self.dealt), 1),
        }


class KeptDuels:
    """The deals of a duel on disk; a file that is damaged or of other rules or bots is not used."""

    def __init__(self, folder: Path, duel: Duel) -> None:
        program = duel.machine.program
        what = (program.digest, program.players, duel.first, duel.second, duel.seed, _bots())
        name = hashlib.sha256(repr(what).encode()).hexdigest()[:16]
        self.duel = duel
        self.path = folder / f"strength-{program.game}-{name}.json"
        for won, mine, theirs, seconds in self._read():
            duel.dealt.append(Dealt(won, (mine, theirs), seconds))

    def _read(self) -> Iterator[tuple[float, int, int, float]]:
        try:
            data = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return
        if not problems("strength_kept", data):
            yield from data["deals"]

    def write(self) -> None:
        deals = [[one.won, *one.scores, one.seconds] for one in self.duel.dealt]
        self.path.parent.mkdir(exist_ok=True)
        write_whole(self.path, json.dumps({"strength": 1, "deals": deals}) + "\n")


DECIDING = ("bots", "domains", "chance.py", "combinations.py", "knowledge.py", "open_cells.py", "resample.py")


def _bots() -> str:
    """A digest of all that decides what bots answer. Not of the engines: the same rules are the same games on each."""
    found = hashlib.sha256()
    folder = resources.files("cambist.interpreter")
    for part in DECIDING:
        files = [folder / part] if part.endswith(".py") else list((folder / part).iterdir())
        for file in sorted(files, key=lambda one: one.name):
            if file.name.endswith(".py"):
                found.update(file.read_bytes())
    return found.hexdigest()
