"""Another state that one player cannot tell from the true one: what is hidden is dealt out anew.

In: a state, what the seat knows of the cards (knowledge.py), a source. Out: a new state in which

- in the place of every card that the seat does not see lies one of those that it may be, evenly over all ways to deal
  them (as far as that is drawn quickly: where sets of possible cards overlap, by many random exchanges);
- numbers of cards that the seat cannot count are divided anew among the zones they may lie in;
- sealed answers of others are drawn anew, among those that are legal in the new state;
- money that the seat neither sees nor can work out (open_cells.py) is anything up to twice the most that the seat sees
  or that was there at the start, out of or into the bank; where there is no bank, what is hidden is divided anew;
- hidden variables that the seat cannot work out are exchanged among their hidden owners; one that has a single hidden
  owner, and few values by its kind, takes any of them;
- chance falls anew.

The new state depends on what the seat knows and on the source, never on what is hidden (but for the last line but one:
which values are hidden counts as known). What it does not do: constraints that only rules imply (why a player
answered like that), and values that a running phase keeps in its own names. Those stay, so that in the middle of
another player's phase the rules may find a hand that does not fit what the phase has noted of it.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from cambist.dsl import program as p
from cambist.interpreter.chance import Source
from cambist.interpreter.faults import Fault
from cambist.interpreter.knowledge import Knowledge
from cambist.interpreter.machine import Machine
from cambist.interpreter.open_cells import open_cells
from cambist.interpreter.state import State
from cambist.interpreter.views import sees

EXCHANGES = 6  # for each card, to make overlapping sets even
Slot = tuple[int, int]  # zone, place in it
Secret = tuple[list[p.AccountFamily], list[p.VarFamily]]
_SECRET: WeakKeyDictionary[Machine, Secret] = WeakKeyDictionary()


class Resampler:
    """Deals out anew for one seat at one moment, as often as it is asked."""

    def __init__(self, machine: Machine, state: State, knowledge: Knowledge) -> None:
        self.machine = machine
        self.program = machine.program
        self.state = machine.plain(state)
        self.knowledge = knowledge
        self.seat = knowledge.seat
        self.secret = _secret(machine)
        self.slots: list[Slot] = []
        self.sets: list[int] = []
        self._gather()

    def _gather(self) -> None:
        """The places of hidden cards, in an order that tells nothing: where there is none, by what they may be."""
        known = self.knowledge
        groups = {min(group): sorted(group) for group in known.unclear}
        blurred = set().union(*known.unclear)
        for first in range(len(self.state.zones)):
            if known.open[first] or (first in blurred and first not in groups):
                continue
            zones = groups.get(first, [first])
            lying = [(zone, place, card) for zone in zones for place, card in enumerate(self.state.zones[zone])]
            sets = [known.may_be[card] for _, _, card in lying]
            if known.bags[first] or len(zones) > 1:
                sets.sort()
            self.slots += [(zone, place) for zone, place, _ in lying]
            self.sets += sets

    def draw(self, rng: Source) -> State:
        return self.draw_knowing(rng)[0]

    def draw_knowing(self, rng: Source) -> tuple[State, Knowledge]:
        """A new state, and what the seat knows of its cards."""
        state = self.state.clone()
        state.rng = rng.below(1 << 62)
        dealt = self._deal(state, rng)
        for zones in self.knowledge.unclear:
            self._divide(state, sorted(zones), rng)
        for account in self.secret[0]:
            self._money(state, account, rng)
        for variable in self.secret[1]:
            self._values(state, variable, rng)
        self._answers(state, rng)
        known = self.knowledge.copy()
        for card, may_be in zip(dealt, self.sets, strict=True):
            known.may_be[card] = may_be
        known.where = state.where[:]
        return self.machine.adopt(state), known

    # ---- cards

    def _deal(self, state: State, rng: Source) -> list[int]:
        dealt = matching(self.sets, rng)
        instead: dict[int, int] = {}  # card -> the one that now lies in its place
        bags: dict[int, list[int]] = {}
        for (zone, place), card in zip(self.slots, dealt, strict=True):
            instead[self.state.zones[zone][place]] = card
            state.zones[zone][place] = card
            state.where[card] = zone
            if self.knowledge.bags[zone]:
                bags.setdefault(zone, state.zones[zone])
        for cards in bags.values():
            cards.sort()
        state.tentative = [self._remembered(kept, instead) for kept in state.tentative]
        return dealt

    def _remembered(self, kept: list[Any], instead: dict[int, int]) -> list[Any]:
        """What an open tentative block rolls back to, with the same cards exchanged."""
        zones = [[instead.get(card, card) for card in zone] for zone in kept[4]]
        for zone, cards in enumerate(zones):
            if self.knowledge.bags[zone]:
                cards.sort()
        where = kept[5][:]
        for zone, cards in enumerate(zones):
            for card in cards:
                where[card] = zone
        return [*kept[:4], zones, where, *kept[6:]]

    def _divide(self, state: State, zones: list[int], rng: Source) -> None:
        """Cards that nobody has counted, each to any of the zones with room for it."""
        cards = sorted(card for zone in zones for card in state.zones[zone])
        room = {zone: self.knowledge.families[zone][0].capacity for zone in zones}
        for zone in zones:
            state.zones[zone] = []
        for card in shuffled(cards, rng):
            free = [zone for zone in zones if not 0 <= room[zone] <= len(state.zones[zone])]
            zone = free[rng.below(len(free))]
            state.zones[zone].append(card)
            state.where[card] = zone
        for zone in zones:
            if self.knowledge.bags[zone]:
                state.zones[zone].sort()

    # ---- money and variables

    def _hidden(self, family: p.AccountFamily | p.VarFamily) -> list[int]:
        return [family.base + i for i in range(family.count) if not sees(family, i, self.seat, False)]

    def _money(self, state: State, family: p.AccountFamily, rng: Source) -> None:
        cells, accounts, rules = self._hidden(family), state.accounts, self.machine.linker.account_rules
        start = self.machine.blank(0).accounts
        for unit in sorted({rules.unit[cell] for cell in cells}):
            here = [cell for cell in cells if rules.unit[cell] == unit]
            banks = [f.base + i for f in self.program.accounts if f.unlimited for i in range(f.count)]
            bank = next((cell for cell in banks if rules.unit[cell] == unit), None)
            if bank is None:
                for cell, amount in zip(here, portions(sum(accounts[c] for c in here), len(here), rng), strict=True):
                    accounts[cell] = amount
                continue
            seen = [i for i in range(family.base, family.base + family.count) if i not in cells]
            most = max([1, *(abs(accounts[i]) for i in seen), *(abs(start[i]) for i in here)])
            for cell in here:
                amount = rng.below(2 * most + 1)
                accounts[bank] += accounts[cell] - amount
                accounts[cell] = amount

    def _values(self, state: State, family: p.VarFamily, rng: Source) -> None:
        cells = self._hidden(family)
        if len(cells) > 1:
            values = sorted((state.vars[cell] for cell in cells), key=repr)
            for cell, value in zip(cells, shuffled(values, rng), strict=True):
                state.vars[cell] = value
        elif cells:
            count = self._few(family)
            if count:
                state.vars[cells[0]] = rng.below(count)

    def _few(self, family: p.VarFamily) -> int:
        """How many values a variable may have, if its kind says so."""
        if family.track >= 0:
            return len(self.program.tables[family.track])
        match family.meaning.word:
            case "flag":
                return 2
            case "player":
                return self.program.players
            case "enum":
                return len(dict(self.program.enums)[family.meaning.name])
            case _:
                return 0

    # ---- answers

    def _answers(self, state: State, rng: Source) -> None:
        pending = state.pending
        if pending is None:
            return
        for number, decider in enumerate(pending.deciders):
            if pending.answers[number] is not None and decider != self.seat:
                try:
                    pending.answers[number] = self.machine.sample(state, decider, rng)
                except Fault:  # nothing to answer in this state: the answer stays
                    continue


def _secret(machine: Machine) -> Secret:
    """The families that not everybody can work out: found once for each machine."""
    if machine not in _SECRET:
        program = machine.program
        accounts, variables = open_cells(program)
        hidden = [f for f in program.accounts if f.name not in accounts and not f.unlimited]
        _SECRET[machine] = hidden, [f for f in program.variables if f.name not in variables]
    return _SECRET[machine]


def shuffled(items: list[Any], rng: Source) -> list[Any]:
    found = items[:]
    for last in range(len(found) - 1, 0, -1):
        other = rng.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def portions(total: int, count: int, rng: Source) -> list[int]:
    """So much in so many parts, all ways alike; what is owed (less than nothing) likewise."""
    sign, total = (-1, -total) if total < 0 else (1, total)
    cuts = sorted(rng.below(total + 1) for _ in range(count - 1))
    return [sign * (b - a) for a, b in zip([0, *cuts], [*cuts, total], strict=True)]


def matching(sets: list[int], rng: Source) -> list[int]:
    """A card for each place out of its set, every card once. The sets are such that there is a way."""
    groups: dict[int, list[int]] = {}
    for place, cards in enumerate(sets):
        groups.setdefault(cards, []).append(place)
    found = [-1] * len(sets)
    taken: dict[int, int] = {}  # card -> place

    def settle(place: int, tried: set[int]) -> bool:
        for card in shuffled(_members(sets[place]), rng):
            if card in tried:
                continue
            tried.add(card)
            holder = taken.get(card)
            if holder is None or settle(holder, tried):
                taken[card], found[place] = place, card
                return True
        return False

    for cards in sorted(groups, key=lambda c: (c.bit_count(), c)):
        places = groups[cards]
        left = [card for card in _members(cards) if card not in taken]
        if len(left) >= len(places):
            for place, card in zip(places, shuffled(left, rng), strict=False):
                taken[card], found[place] = place, card
            continue
        for place in places:
            if not settle(place, set()):
                raise AssertionError("the true cards are a way to deal")
    free = [place for place, cards in enumerate(sets) if cards.bit_count() > 1]
    if len(groups) > 1 and len(free) > 1:
        for _ in range(EXCHANGES * len(free)):
            a, b = free[rng.below(len(free))], free[rng.below(len(free))]
            if sets[a] >> found[b] & 1 and sets[b] >> found[a] & 1:
                found[a], found[b] = found[b], found[a]
    return found


def _members(cards: int) -> list[int]:
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found
