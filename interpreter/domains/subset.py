"""Some of several things: any number of them between two bounds. Answered at once or one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from cambist.interpreter.combinations import any_places, some_places
from cambist.interpreter.domains.picking import Picking, Rng, Value, within_budget
from cambist.interpreter.limits import LISTED_ANSWERS
from cambist.interpreter.state import State

DONE = -1


class Subset(Picking):
    def bounds(self, state: State, local: list[Any]) -> tuple[list[int], int, int]:
        items = list(self.source(state, local))
        least = 0 if self.least is None else max(0, self.least(state, local))
        most = len(items) if self.most is None else min(len(items), self.most(state, local))
        return items, least, most

    def possible(self, state: State, local: list[Any]) -> bool:
        items, least, most = self.bounds(state, local)
        if self.accept is None:
            return least <= most
        return self._may_be_all(state, local, items, least, most) or next(self.values(state, local), None) is not None

    def _may_be_all(self, state: State, local: list[Any], items: list[int], least: int, most: int) -> bool:
        """Whether all of it is an answer: then whatever is chosen so far, one can go on to that."""
        return least <= len(items) <= most and self.accepted(state, local, tuple(sorted(items)))

    def varies(self, state: State, local: list[Any]) -> bool:
        items, least, most = self.bounds(state, local)
        return most > 0 and least <= most and not least == most == len(items)

    def several(self, state: State, local: list[Any]) -> bool:
        items, least, most = self.bounds(state, local)
        if self.accept is None:
            return self.varies(state, local)
        whole = self._may_be_all(state, local, items, least, most)
        if whole and len(items) > least:
            everything = sorted(items)
            for index in range(len(everything)):
                if self.accepted(state, local, tuple(everything[:index] + everything[index + 1 :])):
                    return True
        found = self.values(state, local)
        return within_budget(
            state, (self,), lambda: next(found, None) is not None and next(found, None) is not None, not whole
        )

    def values(self, state: State, local: list[Any]) -> Iterator[Value]:
        """Smallest first; equal components count once."""
        items, least, most = self.bounds(state, local)
        yield from self._extensions(state, local, items, (), least, most)

    def _extensions(
        self, state: State, local: list[Any], items: list[int], chosen: tuple[int, ...], least: int, most: int
    ) -> Iterator[Value]:
        """All legal answers that begin with `chosen`, in the order of the classes, shortest first."""
        groups: dict[Any, list[int]] = {}
        for item in items:
            if item not in chosen:
                groups.setdefault(self.key(state, item), []).append(item)
        classes = list(groups.values())
        for size in range(max(least, len(chosen)), most + 1):
            for more in _multisets(classes, 0, size - len(chosen)):
                self.searched(state)
                value = tuple(sorted((*chosen, *more)))
                if self.accepted(state, local, value):
                    yield value

    def contains(self, state: State, local: list[Any], value: Value) -> str | None:
        items, least, most = self.bounds(state, local)
        name = self.pick.name
        if not isinstance(value, tuple) or not all(type(v) is int for v in value):
            return f"`{name}` is a list"
        if len(set(value)) != len(value):
            return f"something stands twice in `{name}`"
        if not set(value) <= set(items):
            return f"not all of that may be in `{name}`"
        if len(value) < least:
            return f"at least {least} for `{name}`"
        if len(value) > most:
            return f"at most {most} for `{name}`"
        return None

    def offers(self, state: State, local: list[Any], chosen: tuple[int, ...], whole: bool | None = None) -> list[int]:
        """The next step: what may be added (every component apart), or DONE; never into a dead end.

        `whole`: whether all of it is known to be an answer, or known not to be one.
        """
        items, least, most = self.bounds(state, local)
        found = [DONE] if len(chosen) >= least and self.accepted(state, local, tuple(sorted(chosen))) else []
        if len(chosen) >= most:
            return found
        left = [item for item in items if item not in chosen]
        if self.accept is None:
            return left + found if len(chosen) + len(left) >= least else found
        if self._may_be_all(state, local, items, least, most) if whole is None else whole:
            return left + found
        for item in left:
            further = self._extensions(state, local, items, (*chosen, item), least, most)
            if next(islice(further, LISTED_ANSWERS), None) is not None:
                found.insert(-1 if DONE in found else len(found), item)
        return found

    def sample(self, state: State, local: list[Any], rng: Rng) -> Value:
        if self.accept is None:
            return self._sample_plain(state, local, rng)
        chosen: tuple[int, ...] = ()
        whole = self._may_be_all(state, local, *self.bounds(state, local))
        while True:
            offered = self.offers(state, local, chosen, whole)
            if not offered:
                return None
            step = offered[rng.below(len(offered))]
            if step == DONE:
                return tuple(sorted(chosen))
            chosen = (*chosen, step)

    def _sample_plain(self, state: State, local: list[Any], rng: Rng) -> Value:
        """The same without a condition to look ahead for: every number of things is as likely."""
        left, least, most = self.bounds(state, local)
        if least > most:
            return None
        if self.least is None and self.most is None:
            places = any_places(len(left), rng.below)
        else:
            places = some_places(len(left), least, most, rng.below)
        return tuple(sorted([left[place] for place in places]))

    def shrink(self, value: Value) -> Iterator[Value]:
        if value:
            yield ()
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]


def _multisets(classes: list[list[int]], first: int, size: int) -> Iterator[tuple[int, ...]]:
    if size == 0:
        yield ()
        return
    for index in range(first, len(classes)):
        group = classes[index]
        for take in range(min(size, len(group)), 0, -1):
            for more in _multisets(classes, index + 1, size - take):
                yield (*group[:take], *more)
