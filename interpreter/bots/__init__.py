"""Players for any ruleset: `random`, `greedy` and `mcts:N`. They see a seat, never a state (seat.py).

Whatever a bot draws comes from the source it is given: the same seat and source, the same answer.
"""

from __future__ import annotations

from typing import Protocol

from cambist.interpreter.bots.at_random import Random
from cambist.interpreter.bots.greedy import Greedy
from cambist.interpreter.bots.search import Search
from cambist.interpreter.bots.seat import Seat as Seat
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer

NAMES = ("random", "greedy", "mcts:100")
MOST_PLAYOUTS = 99_999


class Bot(Protocol):
    name: str

    def answer(self, seat: Seat, rng: Source) -> Answer: ...


class NoSuchBot(ValueError):
    """A name that no bot has."""


def bot_of(name: str) -> Bot:
    word, _, number = name.partition(":")
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    if word == "mcts" and number.isdecimal() and number[0] != "0" and int(number) <= MOST_PLAYOUTS:
        return Search(int(number))
    raise NoSuchBot(f"there is no bot `{name}`")
