"""Moves, through the zones' one door, and the triggers they pull; reveal and hide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.events import Revealed
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import SWITCH, Step, StepLinker
from cambist.interpreter.zones import ZoneRules, draw, move


def _move(linker: StepLinker, node: p.IMove, here: int) -> Step:
    what, to, rules, end, at, following = (
        linker.expr(node.what),
        linker.expr(node.to),
        linker.zone_rules,
        node.end,
        node.at,
        linker.after(here),
    )
    single, triggers = node.single, bool(linker.triggers)

    def step(state: State, local: list[Any]) -> int:
        found = what(state, local)
        components = [found] if single else found
        zone = to(state, local)
        if not triggers:
            move(state, rules, components, zone, end, at)
            return following
        sources = [state.where[c] for c in components]
        moved = move(state, rules, components, zone, end, at)
        state.frames[-1][1] = following
        return SWITCH if linker.pull_triggers(state, moved, sources, zone) else following

    return step


def draw_top(
    state: State, rules: ZoneRules, wanted: int, pile: int, zone: int, end: str, fill: bool, at: p.At
) -> list[int]:
    """So many from the top; with `fill`, until the other zone has so many, as far as it goes."""
    there = len(state.zones[pile])
    if fill:
        wanted = min(max(wanted - len(state.zones[zone]), 0), there)
    elif wanted > there:
        raise faults.too_few(at, wanted, there)
    return draw(state, rules, wanted, pile, zone, end, at) if wanted > 0 else []


def _draw(linker: StepLinker, node: p.IDrawTop, here: int) -> Step:
    count, source, to = linker.expr(node.count), linker.expr(node.source), linker.expr(node.to)
    rules, end, at, following, fill = linker.zone_rules, node.end, node.at, linker.after(here), node.fill
    triggers = bool(linker.triggers)

    def step(state: State, local: list[Any]) -> int:
        wanted, pile, zone = count(state, local), source(state, local), to(state, local)
        moved = draw_top(state, rules, wanted, pile, zone, end, fill, at)
        if triggers and moved:
            state.frames[-1][1] = following
            if linker.pull_triggers(state, moved, [pile] * len(moved), zone):
                return SWITCH
        return following

    return step


def _reveal(linker: StepLinker, node: p.IReveal, here: int) -> Step:
    zones, shown, at, following = linker.expr(node.zones), node.shown, node.at, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        found = zones(state, local)
        if shown:
            state.revealed.update(found)
            state.tentative.clear()
        else:
            state.revealed.difference_update(found)
        if state.log is not None:
            state.log.append(Revealed(tuple(found), shown, at))
        return following

    return step


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {
    p.IMove: _move,
    p.IDrawTop: _draw,
    p.IReveal: _reveal,
}
