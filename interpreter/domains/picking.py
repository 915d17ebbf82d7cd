"""What all picks share: the things to pick from, and which of them are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.evaluate import Eval, Linker
from cambist.interpreter.limits import STEPS_PER_DECISION, VALUES_TO_LOOK
from cambist.interpreter.state import State

Value = Any
Test = Callable[[State, list[Any]], bool]


class Rng(Protocol):
    def below(self, n: int) -> int: ...


class Tried(Exception):
    """Too many values were tried."""


def within_budget(state: State, picks: Iterable[Picking], ask: Callable[[], bool], otherwise: bool) -> bool:
    """What `ask` finds out, or `otherwise` if it tries too many values; the decision's own steps are not touched."""
    fuel, state.fuel = state.fuel, STEPS_PER_DECISION
    for pick in picks:
        pick.tries = VALUES_TO_LOOK
    try:
        return ask()
    except Tried:
        return otherwise
    finally:
        state.fuel = fuel
        for pick in picks:
            pick.tries = -1


class Picking:
    """One pick of a branch. `accept` tests the whole answer once this value is in its slot (only for the last pick)."""

    def __init__(self, linker: Linker, pick: p.Pick, at: p.At) -> None:
        self.pick, self.at = pick, at
        self.slot = pick.slot
        self.source: Eval = linker.expr(pick.source)
        self.least = linker.optional(pick.least)
        self.most = linker.optional(pick.most)
        self.accept: Test | None = None
        self.tries = -1  # how many values may still be tried; -1: any number
        self.classes = linker.program.classes
        self.card = pick.meaning.word == "card"
        owned = [f for f in linker.program.variables if f.owners and f.owners[-1].word == "card"]
        self.bases = [f.base for f in owned if len(f.owners) == 1]

    def key(self, state: State, value: int) -> Any:
        """Equal keys: nobody can tell the two apart."""
        if not self.card or value < 0:
            return value
        return self.look(value, state.where, state.vars)

    def look(self, value: int, where: list[int], values: list[Any]) -> Any:
        """What can be told of a component, where components and variables are as given."""
        if not self.card or value < 0:
            return value
        return (self.classes[value], where[value], *[values[base + value] for base in self.bases])

    def accepted(self, state: State, local: list[Any], value: Value) -> bool:
        local[self.slot] = list(value) if isinstance(value, tuple) else value
        if self.tries >= 0:
            self.count()
        return self.accept is None or self.accept(state, local)

    def count(self) -> None:
        if self.tries == 0:
            raise Tried
        self.tries -= 1

    def searched(self, state: State) -> None:
        """One more of many ways is looked at: there may be more of them than anybody can wait for."""
        state.fuel -= 1
        if state.fuel < 0:
            raise faults.too_many_steps(self.at, STEPS_PER_DECISION)

    # one shape a file overrides these

    def possible(self, state: State, local: list[Any]) -> bool:
        return next(self.values(state, local), None) is not None

    def values(self, state: State, local: list[Any]) -> Iterator[Value]:
        raise NotImplementedError

    def contains(self, state: State, local: list[Any], value: Value) -> str | None:
        raise NotImplementedError

    def sample(self, state: State, local: list[Any], rng: Rng) -> Value:
        raise NotImplementedError

    def several(self, state: State, local: list[Any]) -> bool:
        """Whether there are at least two values, equal components once; yes if that would take too long to tell."""
        found = self.values(state, local)
        return within_budget(
            state, (self,), lambda: next(found, None) is not None and next(found, None) is not None, True
        )

    def varies(self, state: State, local: list[Any]) -> bool:
        """Whether there are several values by number, whatever conditions say of them."""
        return len(self.source(state, local)) > 1

    def shrink(self, value: Value) -> Iterator[Value]:
        return iter(())
