"""A match that was saved, written as JSON, read and restored goes on exactly like one that never was."""

from __future__ import annotations

import json

import pytest

from cambist.schema_check import problems
from tests.laws.tables import TABLES, Table, moments, play_on, save_bytes, told

SAVED = 4  # moments of a game


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_going_on_from_a_save_changes_nothing(table: Table) -> None:
    length = len(play_on(table.start(2), 2).history)
    for moment in moments(table.start(2), 2, every=max(1, length // SAVED)):
        text = json.dumps(moment.save())
        restored = table.game.restore(json.loads(text))
        assert save_bytes(restored) == save_bytes(moment)
        assert restored.view() == moment.view() and restored.fingerprint() == moment.fingerprint()
        assert told(play_on(restored, 9)) == told(play_on(moment.clone(), 9))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_state_is_kept_to_the_letter(table: Table) -> None:
    for moment in moments(table.start(3), 3, every=13):
        data = json.loads(save_bytes(moment))
        assert save_bytes(table.game.restore(data)) == save_bytes(moment)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_save_fits_its_schema(table: Table) -> None:
    for moment in moments(table.start(4), 4, every=60):
        assert not problems("save", json.loads(json.dumps(moment.save())))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_restored_match_tells_its_log(table: Table) -> None:
    match = play_on(table.start(5), 5)
    restored = table.game.restore(match.save())
    assert restored.log_lines() == match.log_lines()
    assert restored.result == match.result
