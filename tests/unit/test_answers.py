"""Answers as people type them."""

from __future__ import annotations

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
        assert "not offered" in str(refused)
    else:
        raise AssertionError("`oran` could be `Oran` or `ORAN`")
