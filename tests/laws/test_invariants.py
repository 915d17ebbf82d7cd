"""The invariants of each ruleset hold in every state of every game."""

from __future__ import annotations

import pytest

from cambist.interpreter.explore import play_random
from cambist.interpreter.soundness import Soundness
from tests.laws.checks import broken_invariants
from tests.laws.tables import TABLES, Table, moments


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_at_every_choice(table: Table) -> None:
    for moment in moments(table.start(11), 11):
        assert not broken_invariants(moment)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_in_many_games(table: Table) -> None:
    """`play_random` with all checks on raises a fault that names what is broken."""
    machine = table.game.machine(table.players, table.options)
    sound = Soundness(machine)
    for number in range(25):
        play_random(machine, 1, number, check=True, sound=sound)


@pytest.mark.parametrize("name", sorted({table.name for table in TABLES}))
def test_there_is_one(name: str) -> None:
    program = next(t for t in TABLES if t.name == name).start(0).program
    assert any(one.word == "invariant" for one in program.properties)
