"""What must be true of a single state, written anew and not borrowed from the interpreter. Each gives what is wrong."""

from __future__ import annotations

from collections import Counter

from cambist.dsl import program as p
from cambist.interpreter.api import Match
from cambist.interpreter.state import State


def money_by_unit(program: p.Program, state: State) -> dict[tuple[str, str], int]:
    """What lies in all accounts of a unit together. A family that has an account for each member of an enum with the
    name of its unit has as many units as the enum has members."""
    totals: Counter[tuple[str, str]] = Counter()
    for family in program.accounts:
        places = [[]] if not family.sizes else _coordinates(family.sizes)
        for place, coordinates in enumerate(places):
            member = ""
            for owner, coordinate in zip(family.owners, coordinates, strict=True):
                if owner.word == "enum" and owner.name == family.unit:
                    member = str(coordinate)
            totals[family.unit, member] += state.accounts[family.base + place]
    return dict(totals)


def _coordinates(sizes: tuple[int, ...]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for size in sizes:
        found = [[*before, place] for before in found for place in range(size)]
    return found


def overdrawn(program: p.Program, state: State) -> list[str]:
    return [
        family.name
        for family in program.accounts
        for index in range(family.base, family.base + family.count)
        if state.accounts[index] < 0 and not family.negative and not family.unlimited
    ]


def misplaced(program: p.Program, state: State) -> list[str]:
    """Components that are not in exactly one zone, or not in the one where they are looked for."""
    wrong = []
    lying = Counter(component for zone in state.zones for component in zone)
    for component in range(len(program.components)):
        if lying[component] != 1:
            wrong.append(f"component {component} lies in {lying[component]} places")
        elif component not in state.zones[state.where[component]]:
            wrong.append(f"component {component} is looked for in zone {state.where[component]}")
    wrong += [f"there is no component {c}" for c in lying if not 0 <= c < len(program.components)]
    return wrong


def overfull(program: p.Program, state: State) -> list[str]:
    return [
        family.name
        for family in program.zones
        for zone in range(family.base, family.base + family.count)
        if 0 <= family.capacity < len(state.zones[zone])
    ]


def unsorted_bags(program: p.Program, state: State) -> list[str]:
    """The order in a bag must tell nothing."""
    return [
        family.name
        for family in program.zones
        if family.order == "bag"
        for zone in range(family.base, family.base + family.count)
        if state.zones[zone] != sorted(state.zones[zone])
    ]


def broken_invariants(match: Match) -> list[str]:
    return [
        one.name
        for one in match.program.properties
        if one.word == "invariant" and one.plain and not match.machine.holds(match.state, one.function)
    ]


def no_answer(match: Match) -> list[int]:
    """Seats that are asked and have nothing to answer."""
    choice = match.choice
    return [] if choice is None else [seat for seat in choice.deciders if not choice.options(seat, limit=1)]
