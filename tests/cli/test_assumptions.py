"""`cambist assumptions`: the other values of what is assumed, and what they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.running import run

RULES = """\
game guess "Guess"
  players 2..3
  source R "house rules" language en

option turns: 1..3 = 2                                              assumed because "how often is not said"
variable points: number of each player = 0
define most_points = 6                                              assumed because "not printed" or 4, 60
define unused_most = 9                                              assumed because "not printed" or 7
define told = 5                                                     assumed because "a guess" or 4

play                                                                cites R"Play"
  repeat turns times
    each p
      p chooses n in 1..4
      add n to p.points
      if p.points > most_points: set p.points to 0

score p = p.points + min(unused_most, 0)                            cites R"End"
winner most score, ties shared                                      assumed because "a tie is not discussed"

example "five"                                                      cites R"Play"
  given player a
  then told = 5
"""


def _found(folder: Path, *words: str) -> dict[str, Any]:
    path = folder / "guess.rules"
    path.write_text(RULES, "utf-8")
    data = run("assumptions", str(path), "--games", "40", "--seed", "1", *words, "--json").data("assumptions")
    return {one["rule"]: one for one in data["assumptions"]}


def test_what_other_values_change(tmp_path: Path) -> None:
    found = _found(tmp_path)
    low, high = found["define most_points"]["alternatives"]
    assert found["define most_points"]["value"] == "6"
    assert (
        low["winner_changed"] > 0 and f"changes the winner in {low['winner_changed'] * 100 / 40:.0f} %" in low["says"]
    )
    assert high["games_changed"] > 0
    (unused,) = found["define unused_most"]["alternatives"]
    assert unused["says"] == "changes nothing" and unused["games_changed"] == 0
    (told,) = found["define told"]["alternatives"]
    assert told["breaks"] == ["five"] and told["says"] == 'breaks example "five"'


def test_an_assumed_option_is_set_to_its_neighbours(tmp_path: Path) -> None:
    turns = _found(tmp_path)["option turns"]
    assert turns["value"] == "2" and [one["value"] for one in turns["alternatives"]] == ["1", "3"]
    assert all(one["games_changed"] == 40 for one in turns["alternatives"])


def test_what_names_no_other_values_is_listed(tmp_path: Path) -> None:
    assert _found(tmp_path)["winner"]["alternatives"] == []
    ran = run("assumptions", str(tmp_path / "guess.rules"), "--games", "5")
    assert ran.code == 0
    assert "no other values are named for 1 of 5" in ran.out and "a tie is not discussed" in ran.out
    assert "  4: " in ran.out and "  60: " in ran.out


def test_the_same_seed_the_same_answer(tmp_path: Path) -> None:
    assert _found(tmp_path) == _found(tmp_path)
    assert _found(tmp_path, "--players", "3") != _found(tmp_path, "--players", "2")


def test_shipped_games() -> None:
    data = run("assumptions", "money", "--games", "2", "--json").data("assumptions")
    (quiet,) = (one for one in data["assumptions"] if one["alternatives"])
    assert quiet["value"] == "40" and [one["value"] for one in quiet["alternatives"]] == ["20", "80"]


def test_wrong_usage(tmp_path: Path) -> None:
    assert run("assumptions", "money", "--players", "9").code == 2
    assert run("assumptions", "no_such_game").code == 2
