"""All of several things, in any order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from cambist.interpreter.domains.picking import Picking, Rng, Value
from cambist.interpreter.state import State


class Order(Picking):
    def values(self, state: State, local: list[Any]) -> Iterator[Value]:
        seen = set()
        for value in permutations(list(self.source(state, local))):
            self.searched(state)
            key = tuple(self.key(state, item) for item in value)
            if key not in seen and self.accepted(state, local, value):
                seen.add(key)
                yield value

    def contains(self, state: State, local: list[Any], value: Value) -> str | None:
        if not isinstance(value, tuple) or not all(type(v) is int for v in value):
            return f"`{self.pick.name}` is a list"
        if sorted(value) != sorted(self.source(state, local)):
            return f"`{self.pick.name}` must have each of them once"
        return None

    def sample(self, state: State, local: list[Any], rng: Rng) -> Value:
        if self.accept is not None:
            found = list(self.values(state, local))
            return found[rng.below(len(found))] if found else None
        left = list(self.source(state, local))
        return tuple(left.pop(rng.below(len(left))) for _ in range(len(left)))

    def shrink(self, value: Value) -> Iterator[Value]:
        if list(value) != sorted(value):
            yield tuple(sorted(value))
