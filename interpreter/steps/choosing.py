"""Asking: a pending choice is data; the machine stops until its answers are in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.state import Pending, State
from cambist.interpreter.steps.linking import SWITCH, Step, StepLinker

NO_ANSWER = -1  # stands for a branch where a sealed choice offered a player nothing


def seen_by(local: list[Any], slot: int, player: int) -> list[Any]:
    """A copy of the locals as they are for one decider."""
    copy = local[:]
    copy[slot] = player
    return copy


def _ask(linker: StepLinker, node: p.IAsk, here: int) -> Step:
    choice, who, plan = node.choice, linker.expr(node.who), linker.program.choices[node.choice]
    domain = linker.domain(choice) if plan.otherwise >= 0 else None
    otherwise, players, at = plan.otherwise, linker.program.players, node.at

    def step(state: State, local: list[Any]) -> int:
        if domain is not None:
            if domain.flat:
                quick = domain.quick  # compiled, it leaves the locals alone
                found = domain.raw(state, local[:]) if quick is None else quick(state, local)
                if not found:
                    return otherwise
                state.offers = found
            elif not domain.possible(state, local[:]):
                return otherwise
        state.frames[-1][1] = here
        player = who(state, local)
        if not 0 <= player < players:
            raise faults.nothing_there(at)
        state.pending = Pending(choice, [player], [None])
        return SWITCH

    return step


def _ask_sealed(linker: StepLinker, node: p.IAskSealed, here: int) -> Step:
    choice, deciders, slot, following = node.choice, linker.expr(node.deciders), node.deciders_slot, linker.after(here)
    answers, plan = node.answers_slot, linker.program.choices[node.choice]
    who_slot = plan.who_slot
    domain = linker.domain(choice) if plan.otherwise >= 0 else None

    def step(state: State, local: list[Any]) -> int:
        found = list(dict.fromkeys(deciders(state, local)))
        local[slot] = found
        able = found
        if domain is not None:
            able = [player for player in found if domain.possible(state, seen_by(local, who_slot, player))]
        local[answers] = [[NO_ANSWER] for _ in found]
        if not able:
            return following
        state.frames[-1][1] = here
        state.pending = Pending(choice, able[:], [None] * len(able))
        return SWITCH

    return step


def _take_answer(linker: StepLinker, node: p.ITakeAnswer, here: int) -> Step:
    plan, answers, index = linker.program.choices[node.choice], node.answers_slot, node.index_slot
    slots = [[pick.slot for pick in branch.picks] for branch in plan.branches]
    targets = [branch.target for branch in plan.branches]
    otherwise = plan.otherwise

    def step(state: State, local: list[Any]) -> int:
        answer = local[answers][local[index] - 1]
        if answer[0] == NO_ANSWER:
            return otherwise
        place(local, slots[answer[0]], answer)
        return targets[int(answer[0])]

    return step


def place(local: list[Any], slots: list[int], answer: Any) -> None:
    """The values of an answer into the locals of its picks."""
    for slot, value in zip(slots, answer[1:], strict=True):
        if type(value) is int:
            local[slot] = value
        else:
            local[slot] = [v if type(v) is int else list(v) for v in value]


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {
    p.IAsk: _ask,
    p.IAskSealed: _ask_sealed,
    p.ITakeAnswer: _take_answer,
}
