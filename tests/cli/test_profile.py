"""`cambist profile`: lines of the rules by time and by times run."""

from __future__ import annotations

from pathlib import Path

import cambist
from cambist.interpreter.explore import Played, play_random
from cambist.profiling import Profile
from tests.cli.running import GAME, run, tender


def test_times_are_those_of_the_rules(tmp_path: Path) -> None:
    rules = tender(tmp_path)
    ran = run("profile", rules, "--players", "3", "--games", "5", "--option", "rounds=4", "--json")
    data = ran.data("profile")
    lines = {line["text"].split("  ")[0]: line for line in data["lines"]}
    assert lines["shuffle box"]["times"] == 5
    assert lines["move cards to p.bid"]["times"] == 5 * 4 * 3  # games, rounds, players
    assert lines["p chooses"]["times"] >= 5 * 4 * 3
    assert 0 < sum(line["share"] for line in data["lines"]) <= 1
    assert [line["seconds"] for line in data["lines"]] == sorted(
        (line["seconds"] for line in data["lines"]), reverse=True
    )
    busiest = run("profile", rules, "--games", "2", "--by", "times", "--json").data("profile")["lines"]
    assert [line["times"] for line in busiest] == sorted((line["times"] for line in busiest), reverse=True)


def test_definitions_have_lines_of_their_own() -> None:
    lines = run("profile", GAME, "--players", "4", "--games", "2", "--json").data("profile")["lines"]
    (kept,) = (line for line in lines if line["text"].startswith("define kept(v)"))
    assert kept["times"] == 2 * 3 * 4 * 7  # games, deals, players, currencies


def test_people_see_the_rules(tmp_path: Path) -> None:
    ran = run("profile", tender(tmp_path), "--games", "2", "--top", "3")
    assert ran.code == 0 and "times run" in ran.out and "more lines" in ran.out and "the machine itself" in ran.out
    assert ran.out.count("tender.rules:") == 3 and "cites" not in ran.out


def test_the_clock_changes_no_game(tmp_path: Path) -> None:
    machine = cambist.load(tender(tmp_path)).machine(3)
    played: list[Played] = []
    Profile(machine.program).play(lambda timed: played.extend(play_random(timed, 1, k) for k in range(5)))
    assert played == [play_random(machine, 1, k) for k in range(5)]


def test_a_slow_line_stands_on_top(tmp_path: Path) -> None:
    counted = "let n = count of c in everything, d in everything, e in everything where c.value < d.value"
    slow = tender(tmp_path, ("  shuffle box\n", f"  shuffle box\n  {counted}\n  if n < 0: limit never\n"))
    lines = run("profile", slow, "--games", "1", "--json").data("profile")["lines"]
    assert lines[0]["text"].startswith("let n = count of c") and lines[0]["share"] > 0.3
