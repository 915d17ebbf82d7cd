"""In every state that is not the end somebody is asked, and everybody who is asked has a legal answer."""

from __future__ import annotations

import pytest

from tests.laws.checks import no_answer
from tests.laws.tables import TABLES, Table, moments


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_in_every_state(table: Table) -> None:
    for seed in range(3):
        for moment in moments(table.start(seed), seed):
            assert (moment.choice is None) == moment.over == (moment.result is not None)
            assert not no_answer(moment)
            if moment.choice is not None:
                assert moment.choice.deciders, "nobody is asked"
                assert set(moment.choice.deciders) <= set(range(table.players))
