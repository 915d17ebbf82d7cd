"""The seeded sources, and the only ones. The same on every platform and version of Python.

A game's own source is one integer in its `State`: a hash of it (BLAKE2b) gives the next integer and as many numbers of
32 bits as are wanted at once. Every outcome is handed to the log, and can be taken from a record instead, so that a
recorded game needs no source. Players at random draw from a `Source` of their own, never from the game's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from operator import mod
from random import Random
from struct import Struct

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
BLOCK, FIRST = 64, 8  # bytes of one hash; those of the first that are the next state
FEW = 64  # ways on that players at random draw from with 24 bits


def mix(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


@lru_cache(maxsize=16)
def _run(seed: int) -> int:
    """What all games of a run begin with."""
    return mix((seed + 1) & MASK)


def seed_of(seed: int, game: int = 0) -> int:
    """The start for game number `game` of a run: depends on these two alone."""
    return mix((_run(seed) + (game + 1) * GOLDEN) & MASK)


@cache
def _form(count: int) -> tuple[tuple[bytes, ...], Struct]:
    """What is hashed besides the state for so many numbers, hash after hash, and how the numbers lie in it."""
    blocks = (FIRST + 4 * count + BLOCK - 1) // BLOCK
    return tuple(k.to_bytes(4, "little") for k in range(1, blocks)), Struct(f"<{count}I")


def numbers(state: int, count: int) -> tuple[int, tuple[int, ...]]:
    """The next state, and `count` numbers below 2**32."""
    start = state.to_bytes(8, "little")
    data = blake2b(start).digest()
    more, form = _form(count)
    for block in more:
        data += blake2b(start + block).digest()
    return int.from_bytes(data[:FIRST], "little"), form.unpack_from(data, FIRST)


def shuffled(state: int, things: list[int], count: int) -> tuple[int, list[int]]:
    """The next state, and the first `count` of the things in a random order: one after the other is taken out."""
    state, drawn = numbers(state, count)
    size = len(things)
    return state, [*map(things[:].pop, map(mod, drawn, range(size, size - count, -1)))]


class Source:
    """What players at random draw from: the generator of Python's own `random`, whose bits never change."""

    __slots__ = ("bits",)

    def __init__(self, seed: int) -> None:
        self.bits: Callable[[int], int] = Random(seed_of(seed, 7)).getrandbits

    @classmethod
    def of(cls, bits: Callable[[int], int]) -> Source:
        """One that goes on with the bits of another."""
        new = cls.__new__(cls)
        new.bits = bits
        return new

    @staticmethod
    def wide(n: int) -> int:
        """How many bits a number below n is drawn with: more than it needs, so that the unevenness can't be measured.
        Few ways on need fewer, which Python multiplies quickest: one part in 2**18 is more than of many."""
        return 24 if n <= FEW else 32 if n < 1 << 16 else n.bit_length() + 32

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        if n < 2:
            return 0
        wide = self.wide(n)
        return self.bits(wide) * n >> wide
