"""What is of each two things is shown as a table: a column for each member, a row for each other owner."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

import cambist
from cambist.table import table

RULES = """\
game barter "Barter"
  players 2..3
  source R "house rules" language en
enum good: salt, silk
enum town: York, Ghent
enum lot: first_lot, second_lot
card voucher: good
card slip: lot
deck vouchers of voucher
  3 voucher each
deck slips of slip
  1 slip each
zone stall: bag of each player, good, seen by all
zone mixed: bag of each town, good, seen by all
unit penny of each good step 0.5
account mint of each good in penny, unlimited
account purse of each player, good in penny = 1.5
track price of each town, good: 0, 1, 2, 5
variable wanted: number of each good = 4
variable bidder: player of each lot = nobody
play
  set price(York, silk) to 5
  set first_lot.bidder to last of players
  each v in vouchers where v is voucher silk: move v to stall(first of players, silk)
  move vouchers to mixed(Ghent, salt)
  each p
    p chooses
      go: nothing
score p = 0
winner most score, ties shared
"""


def _shown(rules: str) -> list[str]:
    out = StringIO()
    match = cambist.loads(rules).start(2, 1)
    Console(file=out, width=100, color_system=None).print(table(match, 0))
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_a_column_for_each_member() -> None:
    lines = _shown(RULES)
    assert "salt silk" in lines
    assert "price York · 5" in lines, "a town without any price has no row"
    assert lines[lines.index("purse p1 1.5 1.5") + 1] == "p2 1.5 1.5"
    assert "wanted 4 4" in lines, "what is of each member alone is one row"
    assert lines[lines.index("stall p1 · 3") + 1] == "p2 · ·", "equal cards are counted"


def test_cards_that_differ_are_named() -> None:
    changed = RULES.replace("  move vouchers to mixed(Ghent, salt)\n", "  move everything to mixed(Ghent, salt)\n")
    assert any("mixed Ghent, salt" in line and "voucher silk" in line for line in _shown(changed))


def test_what_a_card_bears_is_told_with_the_card() -> None:
    lines = _shown(RULES)
    assert any("slip first_lot (bidder p2)" in line for line in lines)
    assert not any(line.startswith("bidder") for line in lines)


def test_what_is_shown_otherwise_is_not_told_twice() -> None:
    show = "show market for g in good instead of stall\n  in_stalls of each p: size of stall(p, g)\n"
    lines = _shown(RULES + show)
    assert "silk 3 0" in lines and not any(line.startswith("stall") for line in lines)
