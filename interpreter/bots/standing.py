"""How well everybody stands in a state: what bots want more of.

In: a machine, a state. Out: a number for each player, more is better: the ruleset's `estimate` while the game goes on
(the score, if there is none), the score when it is over; turned round where the least score wins. And a reward for
each: half of it for the players that are left behind, half for the distance; when the game is over, the places are
nearly all of it.
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.faults import Fault
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State

WON = 1_000_000  # how many times what a place is worth is more than any lead
WHOLE = 1_000_000  # a reward is a part of it: whole numbers are the same everywhere
HALF, NEARLY_ALL = WHOLE // 2, WHOLE * 4 // 5  # of it for the place, while the game goes on and at its end


class Standing:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.program: p.Program = machine.program
        self.players = range(self.program.players)
        self.sign = self._sign()
        self.apart = self.seen = 0  # how far apart players were in all, and in how many cases

    def _sign(self) -> int:
        """1 if more of the score wins, -1 if less: asked of the first criterion that looks at it."""
        state = self.machine.blank(0)
        for most, function in self.program.ranking:
            try:
                low, high = (self.machine.call(state, function, [0, score]) for score in (0, 1))
            except Fault:  # there is nothing to ask it of yet
                continue
            if low != high:
                return 1 if (high > low) == most else -1
        return 1

    def _over(self, state: State) -> bool:
        return self.machine.waiting(state) < 0

    def values(self, state: State) -> list[int]:
        machine, function = self.machine, self.program.estimate
        if function >= 0 and not self._over(state):
            return [self.sign * int(machine.call(state, function, [player])) for player in self.players]
        try:
            return [self.sign * score for score in machine.scores(state)]
        except Fault:  # a score need not be there before the end: it says nothing
            return [0 for _ in self.players]

    def lead(self, state: State, player: int) -> int:
        """Of one player, less the best of the others; when the game is over, to have won it counts for more."""
        values = self.values(state)
        ahead = values[player] - _best_of_others(values, player)
        if self._over(state):
            places = self._places(state, values)
            ahead += WON * (places[player] - _best_of_others(places, player))
        return ahead

    def rewards(self, state: State) -> list[int]:
        """For each player, from nothing to WHOLE."""
        values = self.values(state)
        places = self._places(state, values)
        part = NEARLY_ALL if self._over(state) else HALF
        if self._over(state):  # nobody who is behind in the end has more than those before
            values = [min(v for v, other in zip(values, places, strict=True) if other >= place) for place in places]
        best, second = sorted([*values, min(values)], reverse=True)[:2]
        gaps = [value - (second if value == best and values.count(best) == 1 else best) for value in values]
        self.apart += sum(abs(gap) for gap in gaps)
        self.seen += len(gaps)
        scale = max(1, self.apart // self.seen)
        rest = (WHOLE - part) // 2
        return [
            part * place // WHOLE + rest + rest * gap // (abs(gap) + scale)
            for place, gap in zip(places, gaps, strict=True)
        ]

    def _places(self, state: State, values: list[int]) -> list[int]:
        """For each player the part of the others that are behind, half for those level."""
        keys: list[tuple[int, ...]] = [(value,) for value in values]
        if self._over(state):
            scores = [self.sign * value for value in values]
            try:
                keys = [
                    tuple(
                        (1 if most else -1) * int(self.machine.call(state, function, [q, scores[q]]))
                        for most, function in self.program.ranking
                    )
                    for q in self.players
                ]
            except Fault:  # a tie is broken by something that is not there: the scores alone count
                pass
        others = max(1, len(keys) - 1)
        return [WHOLE * (2 * sum(k < key for k in keys) + keys.count(key) - 1) // (2 * others) for key in keys]


def _best_of_others(values: list[int], player: int) -> int:
    return max((value for other, value in enumerate(values) if other != player), default=0)
