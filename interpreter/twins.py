"""Another world that looks the same to one player: what is hidden from that player changes places, nothing else does.

In: a match, a seat (-1: a spectator), a source. Out: a clone in which hidden cards have changed places among hidden
zones, hidden money and numbers have changed hands, sealed answers of others are other ones and chance falls
differently. Whatever that player can be told must be the same in both worlds; who compares is not decided here.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.api import Match
from cambist.interpreter.chance import Source
from cambist.interpreter.faults import Fault
from cambist.interpreter.views import sees

Family = p.ZoneFamily | p.AccountFamily | p.VarFamily


def twin(match: Match, seat: int, rng: Source) -> Match:
    other = match.clone()
    _cards(other, seat, rng)
    _money(other, seat, rng)
    _numbers(other, seat, rng)
    _answers(other, seat, rng)
    other.state.rng = rng.below(1 << 62)
    return other


def shuffled(items: list[Any], rng: Source) -> list[Any]:
    found = items[:]
    for last in range(len(found) - 1, 0, -1):
        other = rng.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def _hidden(family: Family, seat: int, match: Match) -> list[int]:
    """The cells of a family that the player does not see."""
    revealed = match.state.revealed if isinstance(family, p.ZoneFamily) and family.until_revealed else set()
    return [
        family.base + place
        for place in range(family.count)
        if not sees(family, place, seat, family.base + place in revealed)
    ]


def _cards(other: Match, seat: int, rng: Source) -> None:
    """Cards of one deck change places among hidden zones; each zone keeps its size."""
    state, program = other.state, other.program
    hidden = [zone for family in program.zones for zone in _hidden(family, seat, other)]
    homes = sorted({program.components[c].home for zone in hidden for c in state.zones[zone]})
    for home in homes:
        places = [
            (zone, index)
            for zone in hidden
            for index, component in enumerate(state.zones[zone])
            if program.components[component].home == home
        ]
        cards = shuffled([state.zones[zone][index] for zone, index in places], rng)
        for (zone, index), card in zip(places, cards, strict=True):
            state.zones[zone][index] = card
            state.where[card] = zone
    for family in program.zones:
        if family.order == "bag":
            for zone in range(family.base, family.base + family.count):
                state.zones[zone].sort()


def _money(other: Match, seat: int, rng: Source) -> None:
    """Hidden money goes to other hidden accounts of the same family, or to an unlimited one of its unit."""
    accounts = other.state.accounts
    banks = [f for f in other.program.accounts if f.unlimited and f.count == 1]
    for family in other.program.accounts:
        cells = [] if family.unlimited else _hidden(family, seat, other)
        bank = [b.base for b in banks if b.unit == family.unit]
        for index in cells:
            targets = [i for i in (*cells, *bank) if i != index]
            if targets and accounts[index] > 0 and len(family.sizes) <= 1:
                amount = rng.below(accounts[index] + 1)
                accounts[index] -= amount
                accounts[targets[rng.below(len(targets))]] += amount


def _numbers(other: Match, seat: int, rng: Source) -> None:
    for family in other.program.variables:
        cells = _hidden(family, seat, other)
        values = shuffled([other.state.vars[index] for index in cells], rng)
        for index, value in zip(cells, values, strict=True):
            other.state.vars[index] = value


def _answers(other: Match, seat: int, rng: Source) -> None:
    """Sealed answers of others are other ones, legal in that world."""
    pending, choice = other.state.pending, other.choice
    if pending is None or choice is None:
        return
    for number, decider in enumerate(pending.deciders):
        if pending.answers[number] is not None and decider != seat:
            try:
                pending.answers[number] = choice.sample(rng, decider)
            except Fault:  # that player has nothing to answer in this world: the answer stays
                continue
