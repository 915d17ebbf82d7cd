"""The seeded source, and the only one: a 64-bit counter with a mixing function (splitmix64), its state one integer.

The same on every platform and version of Python. Every outcome is handed to the log, and can be taken from a record
instead, so that a recorded game needs no generator.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def seed_of(seed: int, game: int = 0) -> int:
    """The start for game number `game` of a run: depends on these two alone."""
    return mix((mix((seed + 1) & MASK) + (game + 1) * GOLDEN) & MASK)


class Source:
    """A small generator of its own, for bots and tests. The game's own state is an integer in `State`."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed_of(seed, 7)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; n is far below 2**64, so the tiny unevenness can't be measured."""
        self.state = s = (self.state + GOLDEN) & MASK
        s = ((s ^ (s >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        s = ((s ^ (s >> 27)) * 0x94D049BB133111EB) & MASK
        return ((s ^ (s >> 31)) * n) >> 64


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number from 0 to n - 1."""
    state = (state + GOLDEN) & MASK
    return state, (mix(state) * n) >> 64
