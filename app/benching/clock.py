"""CPU time on one core, of contestants that take turns: machines are noisy, ratios in one run are not.

In: what each contestant does in one turn, and how much work that is. Out: seconds for each unit of work, by round.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import process_time
from typing import TypeVar

K = TypeVar("K")
Turn = Callable[[int], float]
"""Does so much work, and tells how many units it was (decisions, clones, lines)."""

SETTLING = 0.02  # seconds of work from which the pace is known
MOST = 1 << 24
PARTS = 8  # of a turn


def cpu(run: Callable[[], object]) -> float:
    begun = process_time()
    run()
    return process_time() - begun


def paces(contestants: Mapping[K, Turn], rounds: int, seconds: float) -> dict[K, list[float]]:
    """CPU seconds a unit of each contestant, in each round. Its work in a round takes about `seconds`, in parts between
    which the others have theirs: a machine that becomes slower in the middle does so for all of them."""
    sizes = {name: _size(turn, seconds) for name, turn in contestants.items()}
    found: dict[K, list[float]] = {name: [] for name in contestants}
    gc.collect()
    gc.freeze()  # what is there by now need not be looked through again and again
    try:
        for _ in range(rounds):
            spent, units = dict.fromkeys(contestants, 0.0), dict.fromkeys(contestants, 0.0)
            for part in range(PARTS):
                for name, turn in contestants.items():
                    size = sizes[name] * (part + 1) // PARTS - sizes[name] * part // PARTS
                    if not size:
                        continue
                    gc.collect()  # nobody pays for what others left behind
                    begun = process_time()
                    units[name] += turn(size)
                    spent[name] += process_time() - begun
            for name in contestants:
                found[name].append(spent[name] / units[name])
    finally:
        gc.unfreeze()
    return found


def _size(turn: Turn, seconds: float) -> int:
    """How much work takes about so long. What is made once at the beginning does not count."""
    turn(1)
    size = 1
    while True:
        spent = cpu(partial(turn, size))
        if spent >= min(SETTLING, seconds) or size >= MOST:
            return max(1, min(MOST, round(size * seconds / max(spent, 1e-9))))
        size *= 4


def middle(values: Sequence[float]) -> float:
    return statistics.median(values)


def ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """The median over the rounds, each held against the other of the same round."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
