"""Money of a unit is neither made nor lost: in every state all accounts together hold what they held at first."""

from __future__ import annotations

import pytest

from cambist.interpreter.events import RolledBack, Transferred
from tests.laws.checks import money_by_unit, overdrawn
from tests.laws.tables import TABLES, Table, moments, play_on


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_in_every_state(table: Table) -> None:
    for seed in range(3):
        match = table.start(seed)
        total = money_by_unit(match.program, match.machine.blank(0))
        for moment in moments(match, seed):
            assert money_by_unit(moment.program, moment.state) == total
            assert not overdrawn(moment.program, moment.state)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_log_tells_of_every_transfer(table: Table) -> None:
    match = play_on(table.start(5), 5)
    if any(isinstance(event, RolledBack) for event in match.log):
        return  # what was rolled back stands in the log too
    accounts = match.machine.blank(0).accounts
    for event in match.log:
        if isinstance(event, Transferred):
            accounts[event.source] -= event.amount
            accounts[event.to] += event.amount
    assert accounts == match.state.accounts


def test_some_game_has_two_units() -> None:
    assert any(len(money_by_unit(m.program, m.state)) > 1 for m in (table.start(0) for table in TABLES))
