"""What a view says of a card, and nothing that is not so."""

from __future__ import annotations

import pytest

import cambist

RULES = """\
game shelf "Shelf"
  players 2..2
  source R "house rules" language en
card share: number_on: number
card event: number_on: number
deck box of share, event
  1 share 1
  1 event 2
unit crown
track price of each share in crown: 2, 3, 4
zone row_of_both: row, seen by all
play
  each c in box where c is share
    set c.price to 3
    move c to row_of_both
  move box to row_of_both
  each p
    p chooses
      go: nothing
score p = 0
winner most score, ties shared
"""


def test_a_space_on_a_track_is_told_of_the_cards_that_have_one() -> None:
    zones = cambist.loads(RULES).start(2).view()["zones"]
    assert zones["row_of_both"]["cards"] == ["share 1 (price 3)", "event 2"]


def test_what_belongs_to_the_member_that_a_card_bears_is_told_with_it() -> None:
    rules = """\
game lots "Lots"
  players 2..2
  source R "house rules" language en
enum letter: A, B
enum metal: gold, tin
card lot: letter
deck row_of_lots of lot
  1 lot each
unit ounce of each metal step 0.5
account vault of each metal in ounce, unlimited
account price of each letter, metal in ounce
variable buyer: player of each letter = nobody
variable sold: flag of each letter = no
play
  transfer 1.5 from vault(gold) to price(A, gold)
  transfer 2 from vault(tin) to price(A, tin)
  set A.buyer to first of players
  set A.sold to yes
  each p
    p chooses
      go: nothing
score p = 0
winner most score, ties shared
"""
    view = cambist.loads(rules).start(2).view()
    assert view["zones"]["row_of_lots"]["cards"] == ["lot A (buyer p1, sold, price 1.5 gold and 2 tin)", "lot B"]
    assert view["accounts"]["price(A, gold)"] == "1.5"


def test_which_card_was_picked_is_told_to_those_who_see_it() -> None:
    rules = """\
game stall "Stall"
  players 2..2
  source R "house rules" language en
card lot: number_on: number
deck box of lot
  1 lot 1
  1 lot 2
  1 lot 3
zone shelf: row, seen by all
zone hand: bag of each player, seen by owner
play
  move 1 from box to shelf
  each p: move 1 from box to p.hand
  each p
    p chooses c in shelf
    otherwise: nothing
  each p
    p chooses c in p.hand
    otherwise: nothing
score p = 0
winner most score, ties shared
"""
    match = cambist.loads(rules).start(2, seed=1)
    while not match.over:
        assert match.choice is not None
        match.answer(match.choice.options()[0])
    for seat in range(2):
        chosen, told = (
            [line.removesuffix(" (the only answer)") for line in lines if " chooses " in line]
            for lines in (match.log_lines(), match.log_lines(seat))
        )
        hidden = {3 - seat: f"p{2 - seat} chooses …"}  # what the other one has picked in hand
        assert told == [hidden.get(number, line) for number, line in enumerate(chosen)]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_text_that_is_shown_is_told_as_it_is_written(engine: str) -> None:
    rules = RULES.replace(
        "play\n",
        """show mood: "lively" if size of row_of_both > 0 else "calm"
show luck(p): "rich" if p = first of players else "poor"
play
""",
        1,
    )
    shown = cambist.loads(rules).start(2, engine=engine).view()["tables"]
    assert [shown[name]["rows"] for name in ("mood", "p1.luck", "p2.luck")] == [
        [["", "lively"]], [["", "rich"]], [["", "poor"]],
    ]  # fmt: skip
