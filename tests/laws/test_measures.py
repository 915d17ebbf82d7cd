"""A `measure` is asked when it says so, of what it says, and changes nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

import cambist
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.explore import play_random
from cambist.interpreter.machine import Machine
from cambist.interpreter.measures import Measures, Sample, measured
from cambist.interpreter.saves import fingerprint

GAME = """\
game tries "Tries"
  players 2..3
  source R "house rules" language en
enum color: red, blue                                               cites R"Parts"
unit coin step 0.5
account bank in coin, unlimited
account purse of each player in coin = 3
variable points: number of each player = 0
variable sold: number of each color = 0

procedure gain(p, n)                                                cites R"Play"
  add n to p.points

phase turn(p)                                                       cites R"Play"
  p chooses
    sell k in color:
      add 1 to k.sold
      transfer 1.5 from bank to p.purse
    pass:
      nothing

phase trying(p)                                                     cites R"Play"
  gain(p, 1)
  tentatively
    gain(p, 5)
    p chooses
      keep: gain(p, 2)
      undo: roll back
  otherwise
    gain(p, 3)

play                                                                cites R"Play"
  each p: turn(p)
  each p: trying(p)

score p = p.points                                                  cites R"End"
winner most score, ties shared                                      cites R"End"

measure money: sum of p.purse for p in players
measure poor of each p at end: p.purse = 3
measure gains after gain(p, n): n
measure earned after turn(p): p.purse - before(p.purse)
measure sold_of of each k in color after sell(p): k.sold
measure points_of of each p, q in others(p) at end: p.points - q.points
"""
KEEP, UNDO = (0,), (1,)
SELL_RED, PASS = (0, 0), (1,)


def played(machine: Machine, answers: list[tuple[int, ...]]) -> list[Sample]:
    following = Measures(machine).follow()
    state = machine.start(seed_of(1), watch=following)
    following.moment(state)
    for answer in answers:
        machine.advance(state, machine.next_decider(state), answer)
        following.moment(state)
    assert state.pending is None
    return following.samples


@pytest.fixture(scope="module")
def machine() -> Machine:
    return cambist.loads(GAME).machine(2)


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "judge"])
def test_each_is_asked_when_it_says_so(machine: Machine, plain: bool) -> None:
    machine = Machine(machine.program, plain)
    samples = played(machine, [SELL_RED, PASS, KEEP, UNDO])
    names = [m.name for m in machine.program.measures]

    def of(name: str) -> list[tuple[tuple[int, ...], int]]:
        return [(s.of, s.value) for s in samples if names[s.measure] == name]

    assert of("money") == [((), 12), ((), 15), ((), 15), ((), 15)]  # half coins; one choice was rolled back
    assert of("poor") == [((0,), 0), ((1,), 1)]
    assert of("earned") == [((), 3), ((), 0)]
    assert of("sold_of") == [((0,), 1), ((1,), 0)]
    assert of("points_of") == [((0, 1), 4), ((1, 0), -4)]
    assert of("gains") == [
        ((), n) for n in (1, 5, 2, 1, 3)
    ]  # the second player took back a gain of five, not that of one


def test_one_number_a_game(machine: Machine) -> None:
    values = measured(machine, played(machine, [PASS, SELL_RED, UNDO, UNDO]))
    assert values == {
        "earned": Fraction(3, 4),
        "gains": Fraction(1 + 3 + 1 + 3, 4),
        "money": (6 + 6 + Fraction(15, 2)) / 3,
        "points_of p1 p2": 0,
        "points_of p2 p1": 0,
        "poor p1": 1,
        "poor p2": 0,
        "sold_of blue": 0,
        "sold_of red": 1,
    }


def test_what_is_never_asked_has_no_number(machine: Machine) -> None:
    assert "sold_of red" not in measured(machine, played(machine, [PASS, PASS, KEEP, KEEP]))


def test_a_taken_back_block_was_not_measured(machine: Machine) -> None:
    following = Measures(machine).follow()
    state = machine.start(seed_of(1), watch=following)
    following.moment(state)
    for _ in range(2):
        machine.advance(state, machine.next_decider(state), PASS)
        following.moment(state)
    before = list(following.samples)
    assert machine.take_back(state)
    gains = [s.value for s in following.samples if machine.program.measures[s.measure].name == "gains"]
    assert gains == [1, 5] and [s for s in before if s in following.samples] == before[: len(before) - 1]


def test_measuring_changes_nothing(machine: Machine) -> None:
    measures = Measures(machine)
    for number in range(5):
        following = measures.follow()
        followed, alone = machine.start(seed_of(number), watch=following), machine.start(seed_of(number))
        rng, other = Source(number), Source(number)
        while followed.pending is not None:
            following.moment(followed)
            player = machine.next_decider(followed)
            machine.advance(followed, player, machine.sample(followed, player, rng))
            machine.advance(alone, player, machine.sample(alone, player, other))
            assert fingerprint(followed) == fingerprint(alone)


def test_laws_do_not_see_measures(machine: Machine) -> None:
    assert machine.program.properties == ()
    assert play_random(machine, 1, 1, check=True).seen == ()
