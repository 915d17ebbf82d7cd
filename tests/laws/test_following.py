"""Laws of a ruleset are asked when they say so, of the states they speak of, and change nothing."""

from __future__ import annotations

import pytest

import cambist
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.explore import play_random, reached
from cambist.interpreter.faults import Fault
from cambist.interpreter.laws import Laws
from cambist.interpreter.machine import Machine
from cambist.interpreter.saves import fingerprint
from cambist.interpreter.soundness import Soundness

GAME = """\
game turns "Turns"
  players 2..3
  source R "house rules" language en
enum suit: clubs, hearts                                            cites R"Parts"
card slip: suit, value: number
deck box of slip                                                    cites R"Parts"
  4 slip each 2
zone hand: bag of each player, seen by owner
zone table_top: row, seen by all
variable points: number of each player = 0
variable tries: number of each player = 0
variable round: number = 0
variable busy: flag = no

setup                                                               cites R"Parts"
  each p: move 2 from box to p.hand

procedure gain(p, n)                                                cites R"Play"
  add n to p.points

phase turn(p)                                                       cites R"Play"
  p chooses
    take:
      gain(p, 1)
    pass:
      nothing
  add 1 to round

phase trying(p)                                                     cites R"Play"
  tentatively
    gain(p, 5)
    p chooses
      keep: add -4 to p.points
      undo: roll back
  otherwise
    nothing
  add 1 to p.tries

phase laying                                                        cites R"Play"
  set busy to yes
  secretly each p
    p chooses
      lay c in p.hand:
        move c to table_top
      rest:
        nothing
  set busy to no

phase last(p)                                                       cites R"Play"
  p chooses
    stop: end game because "stopped"
    go:   nothing
  add 1 to round

play                                                                cites R"Play"
  repeat 2 times
    each p: turn(p)
  each p: trying(p)
  laying
  each p: last(p)

score p = p.points                                                  cites R"End"
winner most score, ties shared                                      cites R"End"
"""

HOLD = [
    "dealt after setup: every p where size of p.hand = 2",
    "all_turns after play: round >= 2 * size of players",
    "rounds: round never decreases",
    "one_by_one: round <= before(round) + 1",
    "a_turn after turn(p): p.points <= before(p.points) + 1 and round = before(round) + 1",
    "gained after gain(p, n): p.points = before(p.points) + n",
    "took after take(p): p.points = before(p.points) + 1 or round >= 2 * size of players",
    "tried after trying(p): p.points in [before(p.points), before(p.points) + 1] and p.tries = 1",
    "laid after lay(p): size of p.hand = size of before(p.hand) - 1",
    "not_busy after laying: not busy",
    "done at end: not busy and (every p where size of p.hand >= 1)",
    "rests: whenever busy leads to not busy",
    "each_tries: whenever p.tries = 0 leads to p.tries = 1 for p in players",
    "box_stays: box never changes",
    "lasted after last(p): round = before(round) + 1",
]
BREAK = [
    ("dealt after setup: every p where size of p.hand = 1", "dealt` does not hold after `setup`"),
    ("all_turns after play: round < 2", "all_turns` does not hold after `play`"),
    ("stays: round never changes", "stays` does not hold"),
    ("down: round never increases", "down` does not hold"),
    ("hands: p.hand never changes for p in players", "hands` does not hold"),
    ("hands: sum of size of p.hand for p in players never decreases", "hands` does not hold"),
    ("a_turn after turn(p): p.points = before(p.points)", "a_turn` does not hold after `turn`"),
    ("gained after gain(p, n): p.points = n", "gained` does not hold after `gain`"),
    ("took after take(p): p.points = before(p.points)", "took` does not hold after `take`"),
    ("passed after pass: round = before(round)", "passed` does not hold after `pass`"),
    ("tried after trying(p): p.points = before(p.points)", "tried` does not hold after `trying`"),
    ("laid after lay(p): p.hand = before(p.hand)", "laid` does not hold after `lay`"),
    ("over at end: busy", "over` does not hold at the end"),
    ("back: whenever p.tries = 1 leads to p.tries = 0 for p in players", "back` does not hold: what it promised after"),
    ("only_hearts: whenever busy leads to (every c in table_top where c is slip hearts) and table_top is not empty",
     "only_hearts` does not hold: what it promised after"),
]  # fmt: skip


def machine_with(*laws: str, players: int = 3, word: str = "invariant") -> Machine:
    text = GAME + "".join(f'{word} {law}\n  cites R"Play"\n' for law in laws)
    return cambist.loads(text).machine(players)


def test_what_is_true_holds() -> None:
    for players in (2, 3):
        machine = machine_with(*HOLD, players=players)
        sound = Soundness(machine)
        for number in range(60):
            play_random(machine, 5, number, check=True, sound=sound)


@pytest.mark.parametrize(("law", "message"), BREAK, ids=[law.partition(":")[0] for law, _ in BREAK])
@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "judge"])
def test_what_is_false_breaks(law: str, message: str, plain: bool) -> None:
    machine = Machine(machine_with(law).program, plain)
    with pytest.raises(Fault) as caught:
        for number in range(40):
            play_random(machine, 5, number, check=True)
    assert message in caught.value.diagnostic.message
    assert caught.value.diagnostic.code == "R0115"


def test_what_is_rolled_back_was_not() -> None:
    """A block that is undone lowers the points it gave; no law is broken by that, and what it promised is not owed."""
    machine = machine_with(
        "points_up: every p where p.points + 4 >= before(p.points)",
        "kept after keep(p): p.points = before(p.points) - 4",
        "undone after undo(p): no",
        "promised: whenever p.points >= 5 leads to p.points >= 5 and p.tries > 0 for p in players",
    )
    answers = {"turn": (1,), "trying": (1,), "laying": (1,), "last": (1,)}
    following = Laws(machine).follow()
    state = machine.start(seed_of(1), watch=following)
    following.moment(state)
    while state.pending is not None:
        phase = machine.program.procedures[state.frames[-1][0]].name
        machine.advance(state, machine.next_decider(state), answers[phase])
        following.moment(state)
    assert state.ended and all(score == 0 for score in machine.scores(state))


def test_taking_back_is_no_step_either() -> None:
    machine = machine_with("never: every p where p.points >= before(p.points)")
    following = Laws(machine).follow()
    state = machine.start(seed_of(1), watch=following)
    following.moment(state)
    while machine.program.procedures[state.frames[-1][0]].name != "trying":
        machine.advance(state, machine.next_decider(state), (1,))
        following.moment(state)
    assert machine.take_back(state)
    following.moment(state)


def test_a_phase_that_the_end_of_the_game_cuts_short_has_not_ended() -> None:
    play_random(machine_with("lasted after last(p): round = before(round) + 1"), 0, 0, check=True)
    ends = set()
    machine = machine_with("lasted after last(p): round = before(round) + 1")
    for number in range(20):
        ends.add(play_random(machine, 0, number, check=True).ended_by)
    assert "stopped" in ends


def test_following_changes_nothing() -> None:
    machine = machine_with(*HOLD)
    sound = Soundness(machine)
    for number in range(10):
        following = sound.follow()
        followed, alone = machine.start(seed_of(number), watch=following), machine.start(seed_of(number))
        rng, other = Source(number), Source(number)
        while followed.pending is not None:
            sound.check(followed, following)
            player = machine.next_decider(followed)
            machine.advance(followed, player, machine.sample(followed, player, rng))
            machine.advance(alone, player, machine.sample(alone, player, other))
            assert fingerprint(followed) == fingerprint(alone)
        sound.check(followed, following)


def test_rates() -> None:
    laws = ("somebody_stops at end: round < 7", "never: round > 99", "taken after take(p): p.points = 2", "always: yes")
    machine = machine_with(*laws, word="reachable")
    found = reached(machine, 3, 50)
    assert found["never"] == 0 and found["always"] == 50
    assert 0 < found["taken"] < 50 and 0 < found["somebody_stops"] <= 50
    assert reached(machine, 3, 50) == found


def test_several_can_be_gathered() -> None:
    broken: dict[str, Fault] = {}
    machine = machine_with(
        "one: round = 0", "two after turn(p): round = 0", "three at end: round = 0", "fine: round >= 0"
    )
    play_random(machine, 1, 0, check=True, broken=broken)
    assert sorted(broken) == ["one", "three", "two"]
    assert all("in game 0, seed 1" in fault.diagnostic.notes[-1] for fault in broken.values())


def test_examples_ask_what_compares() -> None:
    from cambist.interpreter.rule_tests import run_examples

    text = GAME + (
        'example "taking"                                            cites R"Play"\n'
        "  given player p; phase is turn(p)\n  when p chooses take\n  then p.points = 1\n"
    )
    assert all(one.passed for one in run_examples(cambist.loads(text).machine, range(2, 4)))
    for law in (
        "after turn(p): p.points = before(p.points)",
        ": p.points never changes for p",
        "after take(p): p.points = 0",
    ):
        wrong = cambist.loads(text + f'invariant wrong {law} cites R"Play"\n'.replace("wrong :", "wrong:"))
        (outcome,) = run_examples(wrong.machine, range(2, 4))
        assert not outcome.passed and "the invariant `wrong` does not hold" in outcome.reason
