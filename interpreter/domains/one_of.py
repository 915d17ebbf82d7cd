"""One of several things, or a number of a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cambist.interpreter.domains.picking import Picking, Rng, Value
from cambist.interpreter.state import State


class OneOf(Picking):
    def raw(self, state: State, local: list[Any]) -> list[int]:
        return self.source(state, local)  # type: ignore[no-any-return]

    def values(self, state: State, local: list[Any]) -> Iterator[Value]:
        seen = set()
        for value in list(self.raw(state, local)):
            key = self.key(state, value)
            if key not in seen and self.accepted(state, local, value):
                seen.add(key)
                yield value

    def contains(self, state: State, local: list[Any], value: Value) -> str | None:
        if type(value) is not int or value not in self.raw(state, local):
            return f"that is not one of those `{self.pick.name}` may be"
        return None

    def sample(self, state: State, local: list[Any], rng: Rng) -> Value:
        found = [v for v in self.raw(state, local) if self.accepted(state, local, v)]
        return found[rng.below(len(found))] if found else None

    def shrink(self, value: Value) -> Iterator[Value]:
        if value > 0:
            yield 0
            yield value // 2
            yield value - 1
