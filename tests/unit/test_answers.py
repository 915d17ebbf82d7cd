"""Answers as people type them."""

from __future__ import annotations

import pytest

import cambist

RULES = """\
game ports "Ports"
  players 2..2
  source R "house rules" language en
enum port: Oran, oran_east, ORAN
variable chosen: port = nobody
play
  each p
    p chooses to_sail_to in port
    set chosen to to_sail_to
score p = 0
winner most score, ties shared
"""


def test_large_and_small_letters_are_alike_where_only_one_is_meant() -> None:
    match = cambist.loads(RULES).start(2)
    match.answer("Oran_East")
    assert match.view()["variables"]["chosen"] == "oran_east"
    match = cambist.loads(RULES).start(2)
    match.answer("ORAN")
    assert match.view()["variables"]["chosen"] == "ORAN"


def test_what_could_be_two_is_refused() -> None:
    match = cambist.loads(RULES).start(2)
    try:
        match.answer("oran")
    except cambist.Refused as refused:
        assert "`oran` fits several for `to_sail_to`; which one? `Oran`, `ORAN`" in str(refused)
    else:
        raise AssertionError("`oran` could be `Oran` or `ORAN`")


CARDS = """\
game rack "Rack"
  players 2..2
  source R "house rules" language en
enum color: red, blue
card chip: color, value: number
deck box of chip, seen by all
  2 chip red 5
  1 chip red 7
  2 chip blue 1
zone shelf: row, seen by all
zone taken: row, seen by all
play
  move box to shelf
  let p = first of players
  p chooses
    take c in shelf: move c to taken
    sweep cards: some of shelf, possibly none: move cards to taken
score p = 0
winner most score, ties shared
"""


def _taken(answer: str) -> list[str]:
    match = cambist.loads(CARDS).start(2)
    match.answer(answer)
    return [str(card) for card in match.view()["zones"]["taken"]["cards"]]


@pytest.mark.parametrize("answer", ["take chip red 7", "take chip blue", "take CHIP BLUE 1", "sweep chip red 5"])
def test_a_card_is_named_as_far_as_needed(answer: str) -> None:
    """Of cards that are alike any will do."""
    assert len(_taken(answer)) == 1


def test_cards_that_are_alike_are_counted() -> None:
    assert len(_taken("sweep 2 chip blue, 2 chip red 5")) == 4


@pytest.mark.parametrize("answer", ["take chip red", "take chip", "sweep chip blue, chip red", "sweep 2 chip red"])
def test_words_that_fit_different_cards_take_none_of_them(answer: str) -> None:
    with pytest.raises(cambist.Refused, match="which one. .*`chip red 5`, `chip red 7`"):
        _taken(answer)
