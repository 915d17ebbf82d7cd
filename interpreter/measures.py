"""What the author of a ruleset wants measured: every `measure`, followed through one game.

In: a machine, and one game as following.py tells it. Out: `samples`, each value with what it is of and when it was
asked, and `measured`, one number a game for each measure: its value at the end, or the mean of all times it was asked.
Amounts are in steps of their unit, a flag is 0 or 1. What was rolled back was not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attrs import frozen

from cambist.dsl.program import Asked, Measure
from cambist.interpreter.describe import Words
from cambist.interpreter.following import Chosen, Follower, Values
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State


@frozen
class Sample:
    measure: int
    of: Values  # the things that stand behind `of each`
    value: int
    answers: int  # given so far


class Measures:
    """What a program's measures need, worked out once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.all = machine.program.measures
        self.after: dict[int, list[tuple[int, Asked]]] = {}
        for number, measure in enumerate(self.all):
            for way in measure.ways:
                if way.procedure >= 0:
                    self.after.setdefault(way.procedure, []).append((number, way))
        self.compared = {
            procedure
            for procedure, asked in self.after.items()
            if any(self.all[number].compares for number, _ in asked)
        }
        self.keeps = any(m.compares and any(way.procedure < 0 for way in m.ways) for m in self.all)

    def follow(self) -> Measuring:
        return Measuring(self)


class Measuring(Follower):
    """Give it to `Machine.start` as its watch, then call `moment` at each choice and at the end."""

    def __init__(self, measures: Measures) -> None:
        super().__init__(measures.machine, measures.after, measures.compared, measures.keeps)
        self.measures = measures
        self.samples: list[Sample] = []
        self._open: list[tuple[Any, int]] = []  # each open tentative block, and how many samples there were before it
        self._then: list[Any] = []  # those that were open at the moment before

    def ended(self, state: State, procedure: int, args: Values, began: State) -> None:
        for number, way in self.measures.after[procedure]:
            self._measure(state, number, way, args, began)

    def asked(self, state: State, before: State, chosen: Chosen) -> None:
        over = state.pending is None
        self._after_branches(state, before, chosen)
        for number, measure in enumerate(self.measures.all):
            if measure.moment == "always" or (measure.moment == "end" and over):
                self._measure(state, number, measure.ways[0], (), before)
        self._then = list(state.tentative)

    def _after_branches(self, state: State, before: State, chosen: Chosen) -> None:
        """What was chosen was chosen before the blocks that were begun since: it stays if they are rolled back."""
        count = len(self.samples)
        for number, measure in enumerate(self.measures.all):
            for player, label in chosen:
                if measure.action and label == measure.action:
                    self._measure(state, number, measure.ways[0], (player,)[: measure.params], before)
        begun = sum(1 for now, then in zip(self._open, self._then, strict=False) if now[0] is then)
        if begun < len(self._open) and len(self.samples) > count:
            taken, place = self.samples[count:], self._open[begun][1]
            del self.samples[count:]
            self.samples[place:place] = taken
            self._open[begun:] = [(block, mark + len(taken)) for block, mark in self._open[begun:]]

    def runs(self, state: State) -> None:
        self._notice_blocks(state)
        super().runs(state)

    def switched(self, state: State, frame: list[Any]) -> None:
        self._notice_blocks(state)
        super().switched(state, frame)

    def _notice_blocks(self, state: State) -> None:
        known = 0
        for (block, _), now in zip(self._open, state.tentative, strict=False):
            if block is not now:
                break
            known += 1
        del self._open[known:]
        self._open.extend((block, len(self.samples)) for block in state.tentative[known:])

    def go_back(self, state: State, kept: Any) -> None:
        for _, before in self._open[len(state.tentative) :][:1]:
            del self.samples[before:]
        del self._open[len(state.tentative) :]

    # ---- measuring

    def _measure(self, state: State, number: int, way: Asked, given: Values, before: State) -> None:
        measure = self.measures.all[number]
        earlier = before if measure.compares else None
        for of in self._bound(state, way, given, earlier):
            value = int(self.ask(state, earlier, way.function, (*given, *of)))
            self.samples.append(Sample(number, of, value, state.decisions))

    def _bound(
        self, state: State, way: Asked, given: Values, earlier: State | None, of: Values = ()
    ) -> Iterator[Values]:
        if len(of) == len(way.binders):
            yield of
            return
        for thing in self.ask(state, earlier, way.binders[len(of)], (*given, *of)):
            yield from self._bound(state, way, given, earlier, (*of, thing))


def measured(machine: Machine, samples: list[Sample]) -> dict[str, Fraction]:
    """One number for each measure and what it is of, called as `column` says: the mean of its samples, in units.

    A measure that was never asked in this game (its phase did not end) has none.
    """
    words = Words(machine.program, [f"p{seat + 1}" for seat in range(machine.program.players)])
    found: dict[str, list[Fraction]] = {}
    for sample in samples:
        measure = machine.program.measures[sample.measure]
        value = Fraction(sample.value, scale_of(measure, words))
        found.setdefault(column(measure, sample.of, words), []).append(value)
    return {name: sum(values, Fraction(0)) / len(values) for name, values in sorted(found.items())}


def scale_of(measure: Measure, words: Words) -> int:
    return words.scales.get(measure.meaning.name, 1) if measure.meaning.word == "amount" else 1


def column(measure: Measure, of: Values, words: Words) -> str:
    """`length`, `length p1`, `height red`: what a measure is called where it is a column among others."""
    return " ".join(
        [measure.name, *(words.value(meaning, thing) for meaning, thing in zip(measure.of, of, strict=True))]
    )
