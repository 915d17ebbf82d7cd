"""Every shipped game is checked without a complaint, and all examples that stand in its rules hold."""

from __future__ import annotations

import pytest

import cambist
from cambist.dsl.api import check_file
from cambist.dsl.finding import library_folder, shipped
from cambist.interpreter.explore import play_random, reachable
from cambist.interpreter.rule_tests import run_examples

GAMES = shipped()
LIBRARY = {path.stem: path for path in sorted(library_folder().glob("*.rules"))}
AT_LEAST = {
    "money": 10,
    "buy_low_sell_high": 14,
    "dividends": 30,
    "for_ex": 40,
    "venture": 30,
}  # examples; a game that is not named here has at least one


@pytest.mark.parametrize("name", GAMES)
def test_the_strict_check_is_silent(name: str) -> None:
    _, report = check_file(str(GAMES[name]), strict=True)
    assert [f"{d.code} {d.message}" for d in report.sorted()] == []


@pytest.mark.parametrize("name", GAMES)
def test_all_examples_hold(name: str) -> None:
    game = cambist.load(name)
    outcomes = run_examples(game.machine, game.players)
    assert [f"{o.title}: {o.reason}" for o in outcomes if not o.passed] == []
    assert len(outcomes) >= AT_LEAST.get(name, 1)
    assert len({o.title for o in outcomes}) == len(outcomes), "two examples have one title"


@pytest.mark.parametrize("name", GAMES)
def test_what_can_happen_does_happen(name: str) -> None:
    """Each `reachable` of a game is seen in some of a few random games."""
    game = cambist.load(name)
    wanted = set(reachable(game.machine(game.players[0])))
    for seed in range(30):
        if not wanted:
            return
        machine = game.machine(game.players[seed % len(game.players)])
        wanted -= set(play_random(machine, 0, seed, check=True).seen)
    assert not wanted


@pytest.mark.parametrize("name", LIBRARY)
def test_all_examples_of_the_library_hold(name: str) -> None:
    game = cambist.load(str(LIBRARY[name]))
    outcomes = run_examples(game.machine, game.players)
    assert outcomes and [f"{o.title}: {o.reason}" for o in outcomes if not o.passed] == []
