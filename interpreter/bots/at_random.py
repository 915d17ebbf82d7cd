"""The random bot: step by step, each step even over what is offered."""

from __future__ import annotations

from cambist.interpreter.bots.seat import Seat
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer


class Random:
    name = "random"

    def answer(self, seat: Seat, rng: Source) -> Answer:
        return seat.sample(rng)
