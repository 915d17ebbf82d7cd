"""Sequence, jumps, loops, calls, the end of the game; variables and tracks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.events import Changed, Ended, Entered, Marked
from cambist.interpreter.limits import FRAMES, LARGEST_NUMBER
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import SWITCH, Step, StepLinker


def _set_local(linker: StepLinker, node: p.ISetLocal, here: int) -> Step:
    slot, value, following, at = node.slot, linker.expr(node.value), linker.after(here), node.at

    def step(state: State, local: list[Any]) -> int:
        found = value(state, local)
        if type(found) is list:
            found = found[:]
        elif not -LARGEST_NUMBER < found < LARGEST_NUMBER:
            raise faults.bad_number(at, "the number is too large")
        local[slot] = int(found) if type(found) is bool else found
        return following

    return step


def _set_var(linker: StepLinker, node: p.ISetVar, here: int) -> Step:
    index, value, following, at, add = (
        linker.expr(node.index),
        linker.expr(node.value),
        linker.after(here),
        node.at,
        node.add,
    )

    def step(state: State, local: list[Any]) -> int:
        cell, found = index(state, local), value(state, local)
        if add:
            found += state.vars[cell]
        if type(found) is list:
            found = found[:]
        elif not -LARGEST_NUMBER < found < LARGEST_NUMBER:
            raise faults.bad_number(at, "the number is too large")
        else:
            found = int(found)
        state.vars[cell] = found
        if state.log is not None:
            state.log.append(Changed(cell, found, at))
        return following

    return step


def _set_space(linker: StepLinker, node: p.ISetSpace, here: int) -> Step:
    index, value, following, at = linker.expr(node.index), linker.expr(node.value), linker.after(here), node.at
    spaces = linker.program.tables[node.table]
    places = {v: i for i, v in enumerate(spaces)}
    last, by = len(spaces) - 1, node.by

    def step(state: State, local: list[Any]) -> int:
        cell, found = index(state, local), value(state, local)
        if by:
            place = min(max(state.vars[cell] + found, 0), last)
        else:
            place = places.get(found, -1)
            if place < 0:
                raise faults.no_space(at, str(found))
        state.vars[cell] = place
        if state.log is not None:
            state.log.append(Changed(cell, place, at))
        return following

    return step


def _jump(linker: StepLinker, node: p.IJump, here: int) -> Step:
    to = linker.settled(node.to)
    return lambda state, local: to


def _unless(linker: StepLinker, node: p.IUnless, here: int) -> Step:
    test, following, to = linker.expr(node.test), linker.after(here), linker.settled(node.to)
    return lambda state, local: following if test(state, local) else to


def _each_start(linker: StepLinker, node: p.IEachStart, here: int) -> Step:
    items, many, index, following = linker.expr(node.items), node.list_slot, node.index_slot, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        local[many] = items(state, local)[:]
        local[index] = 0
        return following

    return step


def _each_next(linker: StepLinker, node: p.IEachNext, here: int) -> Step:
    many, index, slot, leave, following = (
        node.list_slot,
        node.index_slot,
        node.slot,
        linker.settled(node.exit),
        linker.after(here),
    )

    def step(state: State, local: list[Any]) -> int:
        items, at = local[many], local[index]
        if at >= len(items):
            local[many] = 0
            return leave
        local[slot] = items[at]
        local[index] = at + 1
        return following

    return step


def _call(linker: StepLinker, node: p.ICall, here: int) -> Step:
    procedure, args, results = node.procedure, [linker.expr(a) for a in node.args], node.results
    following, at = linker.after(here), node.at
    room = linker.rooms[procedure][len(args) :]
    phase = linker.program.procedures[procedure].word == "phase"

    def step(state: State, local: list[Any]) -> int:
        frames = state.frames
        if len(frames) >= FRAMES:
            raise faults.too_deep(at, FRAMES)
        values = []
        for arg in args:
            value = arg(state, local)
            values.append(value[:] if type(value) is list else value)
        frames[-1][1] = following
        frames.append([procedure, 0, values + room, results])
        if phase and state.log is not None:
            state.log.append(Entered(procedure, tuple(values), at))
        return SWITCH

    return step


def forget(state: State) -> None:
    """Tentative blocks of frames that are gone are over."""
    while state.tentative and state.tentative[-1][0] > len(state.frames):
        state.tentative.pop()


def _return(linker: StepLinker, node: p.IReturn, here: int) -> Step:
    values = [linker.expr(v) for v in node.values]

    def step(state: State, local: list[Any]) -> int:
        frames = state.frames
        if not values:
            frames.pop()
            if state.tentative:
                forget(state)
            return SWITCH
        found = [v(state, local) for v in values]
        frame = frames.pop()
        forget(state)
        if frame[3]:
            below = frames[-1][2]
            for slot, value in zip(frame[3], found, strict=True):
                below[slot] = value[:] if type(value) is list else value
        return SWITCH

    return step


def _end_game(linker: StepLinker, node: p.IEndGame, here: int) -> Step:
    reason, at = node.reason, node.at

    def step(state: State, local: list[Any]) -> int:
        state.ended = reason
        state.frames.clear()
        state.tentative.clear()
        if state.log is not None:
            state.log.append(Ended(reason, at))
        return SWITCH

    return step


def _require(linker: StepLinker, node: p.IRequire, here: int) -> Step:
    test, text, at, following = linker.expr(node.test), node.text, node.at, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        if not test(state, local):
            raise faults.require_failed(at, text)
        return following

    return step


def _mark(linker: StepLinker, node: p.IMark, here: int) -> Step:
    name, limit, at, following = node.name, node.limit, node.at, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        counts = state.limits if limit else state.marks
        counts[name] = counts.get(name, 0) + 1
        if state.log is not None:
            state.log.append(Marked(name, limit, at))
        return following

    return step


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {
    p.ISetLocal: _set_local,
    p.ISetVar: _set_var,
    p.ISetSpace: _set_space,
    p.IJump: _jump,
    p.IUnless: _unless,
    p.IEachStart: _each_start,
    p.IEachNext: _each_next,
    p.ICall: _call,
    p.IReturn: _return,
    p.IEndGame: _end_game,
    p.IRequire: _require,
    p.IMark: _mark,
}
