"""Every shipped game is checked without a complaint, and all examples that stand in its rules hold."""

from __future__ import annotations

import pytest

import cambist
from cambist.dsl.api import check_file
from cambist.dsl.imports import library_folder, shipped
from cambist.interpreter.rule_tests import run_examples

GAMES = shipped()
LIBRARY = {path.stem: path for path in sorted(library_folder().glob("*.rules"))}
AT_LEAST = {"money": 10, "buy_low_sell_high": 14, "venture": 30}  # examples; of a game that is not named one will do


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
    wanted = {one.name for one in game.machine(game.players[0]).program.properties if one.word == "reachable"}
    for seed in range(30):
        match = game.start(game.players[seed % len(game.players)], seed)
        rng = cambist.Source(seed)
        while wanted and match.choice is not None:
            match.answer(match.choice.sample(rng))
            wanted -= {
                one.name
                for one in match.program.properties
                if one.name in wanted and match.machine.holds(match.state, one.function)
            }
        if not wanted:
            return
    assert not wanted


@pytest.mark.parametrize("name", LIBRARY)
def test_all_examples_of_the_library_hold(name: str) -> None:
    game = cambist.load(str(LIBRARY[name]))
    outcomes = run_examples(game.machine, game.players)
    assert outcomes and [f"{o.title}: {o.reason}" for o in outcomes if not o.passed] == []
