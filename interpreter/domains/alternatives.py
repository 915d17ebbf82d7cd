"""Tagged alternatives of records with dependent fields: the whole answer to one choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.choices import Answer, Refusal
from cambist.interpreter.domains.arrangement import Arrangement
from cambist.interpreter.domains.one_of import OneOf
from cambist.interpreter.domains.order import Order
from cambist.interpreter.domains.picking import Picking, Rng, within_budget
from cambist.interpreter.domains.subset import Subset
from cambist.interpreter.evaluate import Eval, Linker
from cambist.interpreter.state import State

SHAPES: dict[str, type[Picking]] = {"in": OneOf, "some": Subset, "order": Order, "arrangement": Arrangement}


class LinkedBranch:
    def __init__(self, linker: Linker, number: int, branch: p.Branch) -> None:
        self.number = number
        self.branch = branch
        self.picks = [SHAPES[pick.shape](linker, pick, branch.at) for pick in branch.picks]
        self.tests: list[tuple[Eval, p.Test]] = [
            (linker.expr(test.test), test) for test in (*branch.where, *branch.such_that)
        ]
        self.flat = all(isinstance(pick, OneOf) for pick in self.picks)
        self.accept = self._accept()
        if self.picks and self.tests:
            self.picks[-1].accept = self.accept

    def _accept(self) -> Callable[[State, list[Any]], bool]:
        tests = [test for test, _ in self.tests]
        if not tests:
            return lambda state, local: True
        if len(tests) == 1:
            (only,) = tests
            return lambda state, local: bool(only(state, local))

        def accept(state: State, local: list[Any]) -> bool:
            for test in tests:
                if not test(state, local):
                    return False
            return True

        return accept

    def collect(self, state: State, local: list[Any], out: list[Answer]) -> None:
        """Every answer of a flat branch, equal components apart."""
        number, accept, picks = self.number, self.accept, self.picks
        if not picks:
            if accept(state, local):
                out.append((number,))
        elif len(picks) == 1:
            slot = picks[0].slot
            free = not self.tests
            for value in picks[0].source(state, local):
                local[slot] = value
                if free or accept(state, local):
                    out.append((number, value))
        else:
            self._collect(state, local, out, (number,), 0)

    def _collect(self, state: State, local: list[Any], out: list[Answer], so_far: Answer, depth: int) -> None:
        if depth == len(self.picks):
            if self.accept(state, local):
                out.append(so_far)
            return
        pick = self.picks[depth]
        for value in pick.source(state, local)[:]:
            local[pick.slot] = value
            self._collect(state, local, out, (*so_far, value), depth + 1)

    def values(self, state: State, local: list[Any]) -> Iterator[Answer]:
        """Every answer, equal components once."""
        yield from self._values(state, local, (self.number,), 0)

    def _values(self, state: State, local: list[Any], so_far: Answer, depth: int) -> Iterator[Answer]:
        if depth == len(self.picks):
            if self.picks or self.accept(state, local):
                yield so_far
            return
        pick = self.picks[depth]
        for value in pick.values(state, local):
            put(local, pick.slot, value)
            yield from self._values(state, local, (*so_far, value), depth + 1)

    def possible(self, state: State, local: list[Any]) -> bool:
        if len(self.picks) == 1:
            return self.picks[0].possible(state, local)
        return next(self.values(state, local), None) is not None

    def refusal(self, state: State, local: list[Any], answer: Answer) -> Refusal | None:
        at = self.branch.at
        if len(answer) != len(self.picks) + 1:
            return Refusal("form", f"this answer needs {len(self.picks)} values, not {len(answer) - 1}", at)
        for pick, value in zip(self.picks, answer[1:], strict=True):
            reason = pick.contains(state, local, value)
            if reason is not None:
                return Refusal(pick.pick.name, reason, at)
            put(local, pick.slot, value)
        for test, plan in self.tests:
            if not test(state, local):
                return Refusal(plan.rule, f"`{plan.rule}` does not hold", plan.at)
        return None

    def sample(self, state: State, local: list[Any], rng: Rng) -> Answer | None:
        answer: Answer = (self.number,)
        for pick in self.picks:
            value = pick.sample(state, local, rng)
            if value is None:
                return None
            put(local, pick.slot, value)
            answer = (*answer, value)
        return answer


class LinkedChoice:
    """All of a choice's operations. `local` is a copy of the frame's locals: it is scribbled on."""

    def __init__(self, linker: Linker, plan: p.Choice) -> None:
        self.plan = plan
        self.branches = [LinkedBranch(linker, i, b) for i, b in enumerate(plan.branches)]
        self.flat = all(b.flat for b in self.branches)
        self.quick = linker.collector(plan)
        self.was_open = True  # whether the last sample had at least two answers to choose from, by number if they go on

    def possible(self, state: State, local: list[Any]) -> bool:
        return any(branch.possible(state, local) for branch in self.branches)

    def raw(self, state: State, local: list[Any]) -> list[Answer]:
        """The answers of all flat branches, equal components apart: each as likely as the others."""
        if self.quick is not None:
            return self.quick(state, local)
        out: list[Answer] = []
        for branch in self.branches:
            if branch.flat:
                branch.collect(state, local, out)
        return out

    def values(self, state: State, local: list[Any]) -> Iterator[Answer]:
        for branch in self.branches:
            yield from branch.values(state, local)

    def refusal(self, state: State, local: list[Any], answer: Answer) -> Refusal | None:
        if not answer or type(answer[0]) is not int or not 0 <= answer[0] < len(self.branches):
            return Refusal("form", "there is no such branch", self.plan.at)
        return self.branches[answer[0]].refusal(state, local, answer)

    def sample(self, state: State, local: list[Any], rng: Rng) -> Answer | None:
        """Step by step: first which answer (a branch whose picks go on counts once), then its further steps."""
        if self.flat:
            first = self.raw(state, local) if state.offers is None else state.offers
            self.was_open = len(first) > 1
            return first[rng.below(len(first))] if first else None
        if len(self.branches) == 1:
            (only,) = self.branches
            self.was_open = any(pick.varies(state, local) for pick in only.picks)
            return only.sample(state, local, rng)
        first = self.raw(state, local)
        further = [b for b in self.branches if not b.flat and b.possible(state, local)]
        if not first and not further:
            return None
        self.was_open = len(first) + len(further) > 1 or any(p.varies(state, local) for b in further for p in b.picks)
        place = rng.below(len(first) + len(further))
        return first[place] if place < len(first) else further[place - len(first)].sample(state, local, rng)

    def single(self, state: State, local: list[Any]) -> bool:
        """Whether nothing else can be answered, as far as that can be told."""
        if len(self.branches) == 1 and len(self.branches[0].picks) == 1:
            return not self.branches[0].picks[0].several(state, local)
        found = self.values(state, local)
        picks = [pick for branch in self.branches for pick in branch.picks]
        return not within_budget(
            state, picks, lambda: next(found, None) is not None and next(found, None) is not None, True
        )

    def shrink(self, answer: Answer) -> Iterator[Answer]:
        """Simpler answers of the same form; the caller asks which of them are legal."""
        if answer[0] > 0:
            yield (0,)
        for index, pick in enumerate(self.branches[answer[0]].picks, 1):
            for simpler in pick.shrink(answer[index]):
                yield (*answer[:index], simpler, *answer[index + 1 :])


def put(local: list[Any], slot: int, value: Any) -> None:
    """A value into its local; lists of lists for arrangements."""
    if type(value) is tuple:
        local[slot] = [list(v) if type(v) is tuple else v for v in value]
    else:
        local[slot] = value
