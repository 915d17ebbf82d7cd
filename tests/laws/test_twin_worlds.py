"""What a player is shown never depends on what is hidden from that player.

At a choice of a random game a second world is made that agrees with the first in everything a player may know and
differs in what is hidden: cards change places among the zones the player cannot look into, hidden money and hidden
numbers change hands, sealed answers are other ones, chance will fall differently. Everything the player (or a
spectator, who has no seat) can be told must be the same in both: the view, what is offered, why an answer is refused,
and the log.
Who sees what is worked out here anew, from the declarations alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

import cambist
from cambist.dsl import program as p
from cambist.interpreter import events as e
from cambist.interpreter.views import log_lines
from tests.laws.tables import TABLES, Table, moments, play_on, state_bytes

SPECTATOR = -1
WANTED = 12  # choices looked at in a game


def _owners(place: int, sizes: tuple[int, ...]) -> list[int]:
    coordinates = []
    for size in reversed(sizes):
        coordinates.append(place % size)
        place //= size
    return coordinates[::-1]


def _shown(family: p.ZoneFamily | p.AccountFamily | p.VarFamily, place: int, seat: int) -> bool:
    """By what is declared, before anything is revealed."""
    if family.seen_by == "owner":
        owners = zip(family.owners, _owners(place, family.sizes), strict=True)
        return any(owner.word == "player" and number == seat for owner, number in owners)
    return family.seen_by == "all"


def _hidden_zones(match: cambist.Match, seat: int) -> list[int]:
    return [
        family.base + place
        for family in match.program.zones
        for place in range(family.count)
        if not _shown(family, place, seat)
        and not (family.until_revealed and family.base + place in match.state.revealed)
    ]


def _hidden_cells(families: tuple[Any, ...], seat: int) -> list[tuple[Any, int]]:
    return [(f, f.base + place) for f in families for place in range(f.count) if not _shown(f, place, seat)]


def _seats(table: Table) -> list[int]:
    return [*range(table.players), SPECTATOR]


def _some(table: Table, seed: int) -> Iterator[cambist.Match]:
    length = len(play_on(table.start(seed), seed).history)
    yield from moments(table.start(seed), seed, every=max(1, length // WANTED))


# ---- the other world


def twin(match: cambist.Match, seat: int, rng: random.Random) -> cambist.Match:
    other = match.clone()
    _swap_cards(other, seat, rng)
    _swap_money(other, seat, rng)
    _swap_numbers(other, seat, rng)
    _other_answers(other, seat, rng)
    other.state.rng = rng.getrandbits(64)
    return other


def _swap_cards(other: cambist.Match, seat: int, rng: random.Random) -> None:
    """Cards of one deck change places among the zones that are hidden from the seat; each zone keeps its size."""
    state, components = other.state, other.program.components
    hidden = _hidden_zones(other, seat)
    for home in {components[c].home for zone in hidden for c in state.zones[zone]}:
        places = [(zone, i) for zone in hidden for i, c in enumerate(state.zones[zone]) if components[c].home == home]
        cards = [state.zones[zone][i] for zone, i in places]
        rng.shuffle(cards)
        for (zone, i), card in zip(places, cards, strict=True):
            state.zones[zone][i] = card
            state.where[card] = zone
    bags = [z for f in other.program.zones if f.order == "bag" for z in range(f.base, f.base + f.count)]
    for zone in set(bags) & set(hidden):
        state.zones[zone].sort()


def _swap_money(other: cambist.Match, seat: int, rng: random.Random) -> None:
    """Hidden money goes to other hidden accounts of its unit, or to the bank, whose money nobody counts."""
    accounts = other.state.accounts
    cells = _hidden_cells(other.program.accounts, seat)
    banks = [(f, f.base) for f in other.program.accounts if f.unlimited and f.count == 1]
    for family, index in cells:
        if family.unlimited or accounts[index] <= 0:
            continue
        targets = [
            i for f, i in (*cells, *banks) if f.unit == family.unit and f.count in (1, family.count) and i != index
        ]
        if targets:
            amount = rng.randint(0, accounts[index])
            accounts[index] -= amount
            accounts[rng.choice(targets)] += amount


def _swap_numbers(other: cambist.Match, seat: int, rng: random.Random) -> None:
    """The values of one hidden variable change owners."""
    for family in other.program.variables:
        cells = [index for f, index in _hidden_cells((family,), seat)]
        values = [other.state.vars[index] for index in cells]
        rng.shuffle(values)
        for index, value in zip(cells, values, strict=True):
            other.state.vars[index] = value


def _other_answers(other: cambist.Match, seat: int, rng: random.Random) -> None:
    """Sealed answers of others are other ones, legal in that world."""
    pending, choice = other.state.pending, other.choice
    if pending is None or choice is None:
        return
    for number, decider in enumerate(pending.deciders):
        if pending.answers[number] is not None and decider != seat:
            pending.answers[number] = choice.sample(rng, decider)


# ---- the laws


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_views_are_the_same_in_both_worlds(table: Table) -> None:
    different = False
    for moment in _some(table, 1):
        for seat in _seats(table):
            seen = json.dumps(moment.view(seat), sort_keys=True)
            rng = random.Random(seat)
            for _ in range(2):
                other = twin(moment, seat, rng)
                different = different or state_bytes(other) != state_bytes(moment)
                assert json.dumps(other.view(seat), sort_keys=True) == seen
    assert different, "the twins are all alike"


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_offered_is_the_same_in_both_worlds(table: Table) -> None:
    for moment in _some(table, 2):
        if moment.choice is None:
            continue
        for seat in moment.choice.deciders:
            offered = moment.choice.options(seat, limit=200)
            others = [moment.choice.sample(cambist.Source(n), s) for n, s in enumerate(moment.choice.deciders)]
            wrong = [(0,), (99,), (0, 0), (0, (0, 1)), *others]
            refused = [moment.choice.refusal(answer, seat) for answer in wrong]
            for number in range(2):
                choice = twin(moment, seat, random.Random(number)).choice
                assert choice is not None and choice.deciders == moment.choice.deciders
                again = choice.options(seat, limit=200)
                assert again == offered and again.complete == offered.complete
                assert [choice.text(a) for a in again] == [moment.choice.text(a) for a in offered]
                assert [choice.refusal(answer, seat) for answer in wrong] == refused


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_sealed_answer_shows_nothing(table: Table) -> None:
    """Whatever the first of several secret deciders answers, the others see and read the same."""
    for moment in moments(table.start(3), 3):
        choice = moment.choice
        if choice is None or not choice.sealed or len(choice.deciders) != table.players:
            continue
        for decider in choice.deciders[:2]:
            worlds = []
            for number in range(4):
                world = moment.clone()
                world.answer(choice.sample(cambist.Source(number), decider), decider)
                worlds.append(world)
            for seat in _seats(table):
                if seat != decider:
                    told = [(w.view(seat), w.log_lines(seat)) for w in worlds]
                    assert all(one == told[0] for one in told)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_view_names_just_the_cards_in_plain_sight(table: Table) -> None:
    for moment in _some(table, 4):
        for seat in _seats(table):
            hidden = set(_hidden_zones(moment, seat))
            zones = moment.view(seat)["zones"]
            for number, name in enumerate(moment.words.zone_names):
                cards = [moment.words.card(c) for c in moment.state.zones[number]]
                if number in hidden:
                    assert "cards" not in zones[name]
                else:
                    assert [shown.split(" (")[0] for shown in zones[name]["cards"]] == cards


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_count_of_a_zone_is_shown_unless_it_is_hidden(table: Table) -> None:
    for moment in _some(table, 5):
        for seat in _seats(table):
            hidden = set(_hidden_zones(moment, seat))
            zones = moment.view(seat)["zones"]
            for family in moment.program.zones:
                for number in range(family.base, family.base + family.count):
                    secret = number in hidden and family.count_hidden
                    assert ("count" in zones[moment.words.zone_names[number]]) != secret


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_log_is_the_same_in_both_worlds(table: Table) -> None:
    """Every event with all that is hidden from the seat replaced reads the same."""
    match = play_on(table.start(6), 6)
    for seat in _seats(table):
        told = match.log_lines(seat)
        for number in range(3):
            retold = list(_retold(match, seat, random.Random(number)))
            assert log_lines(match.program, match.words, retold, seat) == told


def _retold(match: cambist.Match, seat: int, rng: random.Random) -> Iterator[e.Event]:
    """The log of another world. What is revealed is followed along, so that who sees what at that moment is known."""
    program, revealed = match.program, set[int]()
    components = range(len(program.components))
    zones = [(f, place) for f in program.zones for place in range(f.count)]

    def seen(zone: int) -> bool:
        family, place = zones[zone]
        return _shown(family, place, seat) or (family.until_revealed and zone in revealed)

    for event in match.log:
        match event:
            case e.Moved():
                places = (event.to, *event.sources)
                if not any(seen(zone) or not zones[zone][0].count_hidden for zone in places):
                    continue  # from one place to another that tell neither what nor how many they hold
                if not seen(event.to):
                    moved = [
                        c if seen(source) else rng.choice(components)
                        for c, source in zip(event.components, event.sources, strict=True)
                    ]
                    event = evolve(event, components=tuple(moved))
            case e.Shuffled():
                event = evolve(event, order=tuple(rng.sample(event.order, len(event.order))))
            case e.Drawn():
                event = evolve(event, outcome=tuple(rng.randrange(event.out_of) for _ in event.outcome))
            case e.Transferred():
                if any(
                    index in {i for _, i in _hidden_cells(program.accounts, seat)} for index in (event.source, event.to)
                ):
                    event = evolve(event, amount=event.amount + rng.randrange(5))
            case e.Changed():
                if event.index in {index for _, index in _hidden_cells(program.variables, seat)}:
                    event = evolve(event, value=0)
            case e.Revealed():
                revealed = revealed | set(event.zones) if event.shown else revealed - set(event.zones)
            case e.Answered():
                if event.sealed or not all(seen(zone) for zone in event.lay_in):
                    event = _other_answer(program, event, seat, rng)
            case _:
                pass
        yield event


def _other_answer(program: p.Program, event: e.Answered, seat: int, rng: random.Random) -> e.Answered:
    """A sealed answer of somebody else is any other. An open one with cards that are out of sight keeps its branch:
    such cards are seen, if at all, where they then lie."""
    if event.player == seat:
        return event
    choice = program.choices[event.choice]
    value = {"in": 0, "some": (0,), "order": (0, 1), "arrangement": ((0, 1),)}
    number = rng.randrange(len(choice.branches)) if event.sealed else event.answer[0]
    picks = choice.branches[number].picks
    return evolve(event, answer=(number, *(value[pick.shape] for pick in picks)), forced=event.forced)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_line_of_the_log_names_no_card_that_is_out_of_sight(table: Table) -> None:
    match = play_on(table.start(7), 7)
    program, words, sight = match.program, match.words, match.clone()
    for seat in _seats(table):
        told_before: list[e.Event] = []
        sight.state.revealed = set()
        for event in match.log:
            if isinstance(event, e.Revealed):
                told_before.append(event)
                sight.state.revealed -= set(event.zones)
                sight.state.revealed |= set(event.zones) if event.shown else set()
            if not isinstance(event, e.Moved):
                continue
            hidden = set(_hidden_zones(sight, seat))
            moved = zip(event.components, event.sources, strict=True)
            allowed = [words.card(c) for c, source in moved if event.to not in hidden or source not in hidden]
            lines = log_lines(program, words, [*told_before, event], seat)
            for line in lines[len(told_before) :]:
                named = line.split(": ", 1)[1].split(", ")
                assert all(name in allowed or name.split(" ")[0].isdigit() for name in named), line


def test_something_is_hidden_in_every_way() -> None:
    """The tables above hold something of each kind, so that no law is empty."""
    programs = [table.start(0).program for table in TABLES]
    assert any(f.seen_by == "owner" for program in programs for f in program.accounts)
    assert any(f.seen_by == "owner" for program in programs for f in program.variables)
    assert any(f.until_revealed for program in programs for f in program.zones)
    assert any(f.count_hidden for program in programs for f in program.zones)
