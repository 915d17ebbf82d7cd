"""What bots want, on rules made for it: more of the score, or less where the least wins; what an estimate says."""

from __future__ import annotations

import pytest

import cambist
from cambist.interpreter.bots import NoSuchBot, bot_of
from cambist.interpreter.bots.search import _Tree
from cambist.interpreter.bots.seat import Seat
from cambist.interpreter.bots.standing import WHOLE, Standing

GAME = """
game shop "Shop"
  players 2..2
  source R "rules" language en
card slip: value: number
deck box of slip, seen by all
  1 slip 1
  1 slip 2
  1 slip 3
  1 slip 4
zone hand: bag of each player, seen by owner
variable points: number of each player = 0
variable debt: number of each player = 0
phase turn(p)                                                       cites R"Play"
  p chooses
    take n in 0..5: add n to p.points
    borrow: lend(p)
phase lend(p)                                                       cites R"Play"
  p chooses much in 1..9
  otherwise: return
  add much to p.points
  add 3 * much to p.debt
phase cards(p)                                                      cites R"Play"
  p chooses mine: some of box, at most 2, possibly none
  move mine to p.hand
play                                                                cites R"Play"
  each p: turn(p)
  each p: cards(p)
  each p: add (sum of c.value for c in p.hand) - p.debt to p.points
score p = p.points                                                  cites R"Play"
winner {most} score, ties shared                                    cites R"Play"
{estimate}
"""
GUIDE = "estimate p = p.points - p.debt + (sum of c.value for c in p.hand)"


def _played(name: str, most: str = "most", estimate: str = GUIDE) -> list[str]:
    match = cambist.loads(GAME.replace("{most}", most).replace("{estimate}", estimate)).start(2, 1)
    told: list[str] = []
    while (choice := match.choice) is not None:
        answer = bot_of(name).answer(Seat(match, choice.player), cambist.Source(len(told)))
        told.append(choice.text(answer))
        match.answer(answer)
    return told


def test_greedy_takes_what_is_worth_most() -> None:
    assert _played("greedy") == ["take 5", "take 5", "slip 3, slip 4", "slip 1, slip 2"]


def test_without_an_estimate_the_score_alone_counts() -> None:
    """And what it will cost is not seen: the further parts of an answer are chosen greedily, too."""
    assert _played("greedy", estimate="")[:3] == ["borrow", "9", "borrow"]


def test_where_the_least_wins_less_is_better() -> None:
    assert _played("greedy", most="least", estimate="")[:2] == ["take 0", "take 0"]


def test_a_searching_bot_sees_what_comes() -> None:
    assert _played("mcts:30", estimate="")[0].startswith("take")


SPREE = """
game spree "Spree"
  players 2..2
  source R "rules" language en
variable points: number of each player = 0
variable due: number = 0
phase turn(p)                                                       cites R"Play"
  set due to 0
  repeat
    p chooses
      take where due < 22
        add 1 to p.points
        add 2 to due
      settle: leave
  forever
  add 0 - due to p.points
play                                                                cites R"Play"
  repeat 3 times
    each p: turn(p)
score p = p.points                                                  cites R"Play"
winner most score, ties shared                                      cites R"Play"
"""


@pytest.mark.parametrize(("name", "first"), [("greedy", "take"), ("mcts:8", "settle")])
def test_a_searching_bot_looks_on_until_a_turn_is_paid_for(name: str, first: str) -> None:
    """However long it is: eleven times something may be taken in a turn that costs twice as much at its end."""
    match = cambist.loads(SPREE).start(2, 1)
    assert match.choice is not None
    answer = bot_of(name).answer(Seat(match, match.choice.player), cambist.Source(1))
    assert match.choice.text(answer) == first


def test_playouts_stop_where_the_player_is_asked_again() -> None:
    match = cambist.loads(SPREE).start(2, 1)
    assert match.choice is not None
    player = match.choice.player
    tree = _Tree(Seat(match, player), cambist.Source(1))
    for number in range(6):
        for answer in tree.root:
            world, luck = tree.world(number)
            tree.playout(answer, world, luck)
            assert world.over or world.decider == player
            assert max(world.machine.scores(world.state)) <= 0  # everything that was taken is paid for


def test_places_and_distances_make_the_reward() -> None:
    match = cambist.loads(GAME.replace("{most}", "most").replace("{estimate}", GUIDE)).start(2, 1)
    standing = Standing(match.machine)
    assert standing.rewards(match.state) == [WHOLE // 2, WHOLE // 2]
    match.answer("take 5")
    ahead, behind = standing.rewards(match.state)
    assert ahead > WHOLE * 6 // 10 and WHOLE - 1 <= ahead + behind <= WHOLE


@pytest.mark.parametrize("name", ["you", "", "mcts", "mcts:", "mcts:0", "mcts:-3", "mcts:x", "mcts:1000000", "Greedy"])
def test_no_such_bot(name: str) -> None:
    with pytest.raises(NoSuchBot):
        bot_of(name)
