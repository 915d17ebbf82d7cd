"""What a view says of a card, and nothing that is not so."""

from __future__ import annotations

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
