"""Tentative blocks: what to roll back to is itself part of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.events import RolledBack
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import SWITCH, Step, StepLinker


def remember(state: State, depth: int, again: int, otherwise: int) -> list[Any]:
    frame = state.frames[-1]
    values = [v if type(v) is int else v[:] for v in state.vars]
    return [
        depth,
        again,
        otherwise,
        frame[2][:],
        [z[:] for z in state.zones],
        state.where[:],
        state.accounts[:],
        values,
        sorted(state.revealed),
        sorted(state.marks.items()),
        sorted(state.limits.items()),
        state.decisions,
    ]


def restore(state: State, kept: list[Any], place: int) -> None:
    """Back to what `kept` remembers, going on at `place` of its frame."""
    depth, _, _, local, zones, where, accounts, values, revealed, marks, limits, _ = kept
    del state.frames[depth:]
    frame = state.frames[-1]
    frame[1], frame[2] = place, local[:]
    state.zones = [z[:] for z in zones]
    state.where = where[:]
    state.accounts = accounts[:]
    state.vars = [v if type(v) is int else v[:] for v in values]
    state.revealed = set(revealed)
    state.marks = dict(marks)
    state.limits = dict(limits)


def _tentative(linker: StepLinker, node: p.ITentative, here: int) -> Step:
    otherwise, following = node.otherwise, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        state.tentative.append(remember(state, len(state.frames), here, otherwise))
        return following

    return step


def _keep(linker: StepLinker, node: p.IKeep, here: int) -> Step:
    following = linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        if state.tentative and state.tentative[-1][0] == len(state.frames):
            state.tentative.pop()
        return following

    return step


def _roll_back(linker: StepLinker, node: p.IRollBack, here: int) -> Step:
    at = node.at

    def step(state: State, local: list[Any]) -> int:
        if not state.tentative:
            raise faults.nothing_to_roll_back(at)
        kept = state.tentative.pop()
        restore(state, kept, kept[2])
        if state.log is not None:
            state.log.append(RolledBack(at, tuple(state.where)))
        if state.watch is not None:
            state.watch.rolled_back(state)
        return SWITCH

    return step


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {
    p.ITentative: _tentative,
    p.IKeep: _keep,
    p.IRollBack: _roll_back,
}
