"""No zone ever holds more than its `at most` allows."""

from __future__ import annotations

import pytest

from tests.laws.checks import overfull
from tests.laws.tables import TABLES, Table, moments


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_in_every_state(table: Table) -> None:
    for seed in range(3):
        for moment in moments(table.start(seed), seed):
            assert not overfull(moment.program, moment.state)


def test_some_zone_has_a_capacity_that_is_reached() -> None:
    reached = set()
    for table in TABLES:
        for family in table.start(0).program.zones:
            if family.capacity >= 0:
                for moment in moments(table.start(1), 1):
                    sizes = [len(moment.state.zones[family.base + place]) for place in range(family.count)]
                    if family.capacity in sizes:
                        reached.add(table.name)
    assert reached
