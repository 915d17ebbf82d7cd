"""What is printed on cards in a unit with steps, or as yes or no, is told everywhere as rules write it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run

RULES = """\
game bonds "Bonds"
  players 2..2
  source R "house rules" language en
unit pound step 0.25
card charter: bold: flag, cost: pound
deck box of charter
  2 charter yes 2.5
  3 charter no 1
play
  shuffle box
  each p
    p chooses
      buy: nothing
      wait: nothing
score p = 0
winner most score, ties shared
"""


def test_amounts_and_flags_of_cards(tmp_path: Path) -> None:
    base, variant, dearer = (tmp_path / f"{name}.rules" for name in ("bonds", "fewer", "dearer"))
    base.write_text(RULES)
    dearer.write_text(RULES.replace("2.5", "3.25"))
    fewer = 'remove 1 charter no 1 from box  assumed because "one is lost"\n'
    variant.write_text(f'variant fewer of bonds "Fewer"\n{fewer}')
    flat = run("flatten", str(variant)).out
    assert "  2 charter yes 2.5\n" in flat and "  2 charter no 1\n" in flat
    assert run("flatten", str(variant), "--compare", "2").code == 0
    told = run("diff", str(base), str(dearer)).out
    assert "charter yes 2.5" in told and "charter yes 3.25" in told
    assert "| no | 3 | – |" in run("rulebook", str(base)).out and "2.5" in run("rulebook", str(base)).out
