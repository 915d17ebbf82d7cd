"""`cambist compare` finds what a changed rule does, and nothing where nothing changed."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Ran, run

HERE = Path(__file__).parent


def compared(other: str, games: int, *more: str) -> Ran:
    few = ("--players", "3", "--option", "deals=1", "--seed", "1", "--games", str(games))
    return run("compare", "money", str(HERE / other), *few, *more)


def test_a_doubled_bonus_is_found_first() -> None:
    data = compared("double_bonus.rules", 40, "--json").data("compare")
    first = data["figures"][0]
    assert first["name"] == "measure/bonuses" and first["beyond_chance"]
    assert first["after"] == 2 * first["before"] > 0 and first["low"] > 0
    names = [figure["name"] for figure in data["figures"] if figure["beyond_chance"]]
    assert "score/all" in names and "length/decisions" not in names


def test_an_identical_copy_changes_nothing() -> None:
    told = compared("same_money.rules", 8)
    words = " ".join(told.out.split())
    assert told.code == 0 and "Nothing differs by more than chance explains" in words
    assert "all games went exactly the same way" in words
