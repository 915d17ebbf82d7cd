"""The compiled engine plays exactly what the reference plays: shipped games, and rules that a generator makes up."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import cambist
from cambist.dsl.api import check_text, lower
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.machine import Machine
from cambist.interpreter.side_by_side import Differs, Sides
from tests.compiled.author import Author
from tests.harness.fragments import whole
from tests.hostile.generator import Generator
from tests.laws.tables import RULESETS, SHIPPED, SHIPPED_TABLES, TABLES, Table, game

GAMES, LONGEST = 3, 12  # of each game and number of players; answers of a game that are compared one by one
EVERY_TABLE = [Table(name, players) for name in SHIPPED for players in game(name).players]


@pytest.mark.parametrize("table", EVERY_TABLE, ids=str)
def test_shipped_games(table: Table) -> None:
    quick = table.game.machine(table.players, engine="compiled")
    assert isinstance(quick, CompiledMachine) and quick.rules is not None, "every shipped game is compiled"
    sides = Sides(lower(table.game.ruleset, table.players), plain=False, quick=quick)
    assert sides.play(11, GAMES, LONGEST) > GAMES


@pytest.mark.parametrize("table", [t for t in TABLES if t not in SHIPPED_TABLES], ids=str)
def test_small_rulesets(table: Table) -> None:
    sides = Sides(lower(cambist.load(str(RULESETS[table.name])).ruleset, table.players))
    sides.play(5, GAMES, LONGEST)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6))
@example(145_279)  # a track of its own, set and read between two choices
@example(400_167)  # a function is begun anew in the middle of a loop that only transfers
@example(1_001_698)  # nobody is asked for in a test that decides nothing
@example(1_003_654)  # a division by zero of what a table has no entry for
@example(3_500_719)  # one of two ways on ends with a loop
@example(47_534_155)  # some of a bag that was shuffled
@example(77_000_306)  # before a loop, what is worked out is made of what was worked out just before
def test_generated_rules(seed: int) -> None:
    ruleset, _ = check_text(whole(Generator(seed, noise=0.002).ruleset()).text)
    if ruleset is not None:
        Sides(lower(ruleset, 2)).play(seed, 1, 20)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_rules_of_an_author(seed: int, players: int) -> None:
    ruleset, _ = check_text(Author(seed).ruleset())
    if ruleset is not None:
        Sides(lower(ruleset, players)).play(seed, 1, 30)


def test_a_difference_is_found() -> None:
    program = lower(cambist.load("money").ruleset, 3)
    sides = Sides(program, plain=False)
    advance, rules = sides.quick.advance, sides.quick.rules
    assert rules is not None

    def wrong(state, player, answer):  # type: ignore[no-untyped-def]
        advance(state, player, answer)
        state.cells[rules.layout.zones] = [0]

    sides.quick.advance = wrong  # type: ignore[method-assign]
    with pytest.raises(Differs, match=r"after 1 answers, the states \(zones\) differ"):
        sides.play(1, 1)
    assert isinstance(sides.judge, Machine)
