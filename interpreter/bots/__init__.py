"""Players for any ruleset: `random`, `greedy` and `mcts:N`. They see a seat, never a state (seat.py).

Whatever a bot draws comes from the source it is given: the same seat and source, the same answer.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Protocol

from cambist.interpreter.bots.at_random import Random
from cambist.interpreter.bots.greedy import Greedy
from cambist.interpreter.bots.search import Search
from cambist.interpreter.bots.seat import Seat
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer

NAMES = ("random", "greedy", "mcts:100")
MOST_PLAYOUTS = 100_000


class Bot(Protocol):
    name: str

    def answer(self, seat: Seat, rng: Source) -> Answer: ...


class NoSuchBot(ValueError):
    """A name that no bot has; `meant` is the nearest that one has, or empty."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no bot `{name}`")
        self.meant = next(iter(get_close_matches(name, NAMES, 1, 0.5)), "")


def bot_of(name: str) -> Bot:
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    word, _, number = name.partition(":")
    if word == "mcts" and number.isdecimal() and 0 < int(number) <= MOST_PLAYOUTS:
        return Search(int(number))
    raise NoSuchBot(name)
