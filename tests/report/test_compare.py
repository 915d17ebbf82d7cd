"""`cambist compare` finds what a changed rule does, and nothing where nothing changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from cambist.report.reckoning import t95
from tests.cli.running import COMMAND, Ran, run

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


def test_who_scores_nothing_counts() -> None:
    """The mean of a player is that of all players: the same as of the same games in a report."""
    few = ("--players", "4", "--seed", "0", "--games", "20")
    figures = run("compare", "money", "money:deals=1", *few, "--json").data("compare")["figures"]
    after = {figure["name"]: figure["after"] for figure in figures}
    seats = [after[f"score/p{seat}"] for seat in range(1, 5)]
    assert abs(after["score/all"] - sum(seats) / 4) < 1e-9
    assert after["score/all"] < 100, "somebody has nothing in most of these games"


def test_too_few_games_are_said_to_be_too_few() -> None:
    told = run("compare", "money", "money:deals=1", "--games", "5")
    words = " ".join(told.out.split())
    assert told.code == 0 and "5 pairs of games are too few to tell" in words and "Nothing differs" not in words


def test_intervals_of_few_are_wide() -> None:
    """As a table of Student's distribution has them."""
    for pairs, factor in ((2, 12.706), (5, 2.776), (11, 2.228), (31, 2.042), (121, 1.980)):
        assert abs(t95(pairs) - factor) < 0.004
    assert t95(1) == 0.0


def test_a_narrow_screen_names_every_figure() -> None:
    words = [*COMMAND, "compare", "money", "money:deals=1", "--games", "20", "--players", "3"]
    told = subprocess.run(words, env={**os.environ, "COLUMNS": "40"}, capture_output=True, text=True, check=True).stdout
    assert "…" not in told and "answers in a game\n  A " in told and max(map(len, told.split("\n"))) <= 40
