"""A choice answered step by step, for people: which branch, then pick by pick, card by card; never into a
dead end.

In: a match and the seat that decides. Out: what may come next after what was picked so far. A step is offered
only if a legal answer still follows, as far as that can be told within the steps allowed for listing. Nothing
is answered here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cambist.interpreter.answers import Unclear, read_several
from cambist.interpreter.api import Match
from cambist.interpreter.choices import Answer
from cambist.interpreter.domains.alternatives import LinkedBranch, put
from cambist.interpreter.domains.picking import Picking
from cambist.interpreter.domains.subset import DONE, Subset
from cambist.interpreter.faults import Fault
from cambist.interpreter.limits import STEPS_TO_LIST

T = TypeVar("T")


class Stepwise:
    def __init__(self, match: Match, player: int) -> None:
        self.match = match
        self.player = player
        self.domain = match.machine.domain(match.state)
        self.branches: list[LinkedBranch] = self.domain.branches

    def _within_budget(self, ask: Callable[[], T], otherwise: T) -> T:
        """What cannot be told within the steps for listing is answered with `otherwise`."""
        self.match.state.fuel = STEPS_TO_LIST
        try:
            return ask()
        except Fault as fault:
            if fault.diagnostic.code != "R0101":
                raise
            return otherwise

    def _locals(self, branch: LinkedBranch, so_far: tuple[Any, ...]) -> list[Any]:
        local = self.match.machine.locals_for(self.match.state, self.player)
        for pick, value in zip(branch.picks, so_far, strict=False):
            put(local, pick.slot, value)
        return local

    def answers(self, branch: LinkedBranch, limit: int) -> list[Answer] | None:
        """All answers of a branch, equal components once; None if there are more than `limit`."""
        found: list[Answer] = []

        def collect() -> list[Answer] | None:
            for answer in branch.values(self.match.state, self._locals(branch, ())):
                if len(found) == limit:
                    return None
                found.append(answer)
            return found

        return self._within_budget(collect, None)

    def possible(self, branch: LinkedBranch) -> bool:
        return self._within_budget(lambda: branch.possible(self.match.state, self._locals(branch, ())), True)

    def values(self, branch: LinkedBranch, so_far: tuple[Any, ...], limit: int) -> list[Any]:
        """What the next pick may be, so that the picks after it have something left."""
        state, depth = self.match.state, len(so_far)
        pick = branch.picks[depth]
        offered: list[Any] = []

        def collect() -> list[Any]:
            for value in pick.values(state, self._locals(branch, so_far)):
                if self._completable(branch, (*so_far, value)):
                    offered.append(value)
                    if len(offered) >= limit:
                        break
            return offered

        return self._within_budget(collect, offered)

    def _completable(self, branch: LinkedBranch, so_far: tuple[Any, ...]) -> bool:
        depth = len(so_far)
        if depth == len(branch.picks):
            return True  # the last pick offers only what the whole answer may be
        values: Iterator[Any] = branch.picks[depth].values(self.match.state, self._locals(branch, so_far))
        return any(self._completable(branch, (*so_far, value)) for value in values)

    # ---- some of several things, one by one

    def items(self, pick: Picking, branch: LinkedBranch, so_far: tuple[Any, ...]) -> list[int]:
        return list(pick.source(self.match.state, self._locals(branch, so_far)))

    def named(self, pick: Picking, items: list[int], text: str) -> list[int]:
        """The things that a text names; none if it names anything else."""
        try:
            return read_several(text, items, pick.pick.meaning, self.match.words, pick.pick.name)
        except Unclear:
            return []

    def bounds(self, pick: Subset, branch: LinkedBranch, so_far: tuple[Any, ...]) -> tuple[int, int]:
        _, least, most = pick.bounds(self.match.state, self._locals(branch, so_far))
        return least, most

    def offers(
        self, pick: Subset, branch: LinkedBranch, so_far: tuple[Any, ...], chosen: tuple[int, ...]
    ) -> tuple[list[int], bool]:
        """What may be added to what is chosen, and whether that may be all."""
        state, local = self.match.state, self._locals(branch, so_far)
        everything = [*(i for i in self.items(pick, branch, so_far) if i not in chosen), DONE]
        found = self._within_budget(lambda: pick.offers(state, local, chosen), everything)
        return [item for item in found if item != DONE], DONE in found

    def equal(self, pick: Picking, items: list[int]) -> list[list[int]]:
        """Things that nobody can tell apart, together."""
        groups: dict[Any, list[int]] = {}
        for item in items:
            groups.setdefault(pick.key(self.match.state, item), []).append(item)
        return list(groups.values())
