"""move(): the only function that changes where a component is. Every component stays in exactly one zone."""

from __future__ import annotations

from cambist.dsl.program import At, Program
from cambist.interpreter import faults
from cambist.interpreter.events import Moved
from cambist.interpreter.state import State


class ZoneRules:
    """What the door must know of each zone, by its number."""

    __slots__ = ("bag", "capacity", "family", "limited", "names", "pile")

    def __init__(self, program: Program) -> None:
        self.bag: list[bool] = []
        self.pile: list[bool] = []
        self.capacity: list[int] = []
        self.family: list[int] = []
        self.names: list[str] = []
        for index, family in enumerate(program.zones):
            for _ in range(family.count):
                self.bag.append(family.order == "bag")
                self.pile.append(family.order == "pile")
                self.capacity.append(family.capacity)
                self.family.append(index)
                self.names.append(family.name)
        self.limited = any(c >= 0 for c in self.capacity)


def move(state: State, rules: ZoneRules, components: list[int], to: int, end: str, at: At) -> list[int]:
    """Take the components from wherever they lie and lay them into `to`; returns them as they were moved.

    In a bag order carries no meaning (it is kept sorted, so that it can tell nothing); on a pile new ones lie on top.
    """
    if not components:
        return components
    zones, where = state.zones, state.where
    source = where[components[0]]
    target = zones[to]
    if components is zones[source]:
        if components is target:
            return []
        moved = components[:]
    else:
        moved = components
        if len(moved) > 1 and len(set(moved)) < len(moved):
            components = moved = list(dict.fromkeys(moved))  # a thing named twice is moved once
    if state.log is not None:
        come = [c for c in moved if where[c] != to]
        if come:
            sources = tuple([where[c] for c in come])
            places = tuple([zones[z].index(c) for c, z in zip(come, sources, strict=True)])
            state.log.append(Moved(tuple(come), sources, to, at, places))
    if moved is not components:
        components.clear()
    else:
        for component in moved:
            zones[where[component]].remove(component)
    for component in moved:
        where[component] = to
    if rules.bag[to]:
        target.extend(moved)
        target.sort()
    elif end == "start" or (end == "" and rules.pile[to]):
        target[:0] = moved
    else:
        target.extend(moved)
    if rules.limited and 0 <= rules.capacity[to] < len(target):
        raise faults.zone_full(at, f"`{rules.names[to]}`", rules.capacity[to])
    return moved


def draw(state: State, rules: ZoneRules, count: int, source: int, to: int, end: str, at: At) -> list[int]:
    """The first `count` of a zone."""
    return move(state, rules, state.zones[source][:count], to, end, at)
