"""Taking back the operations of a tentative block gives the state before it; the history then is of what was kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cambist
from tests.laws.tables import RULESETS, TABLES, Table, moments, play_on, state_bytes

TENTATIVE = [t for t in TABLES if "\n  tentatively" in RULESETS[t.name].read_text("utf-8")]
WANTED, RARELY = 6, 60  # choices of a game that are tried: the first ones, then one in so many


def _taken_back(table: Table, seed: int) -> Iterator[tuple[bytes, cambist.Match]]:
    """At each choice inside a tentative block: the state when the block was begun, and a match that went back to it."""
    begun, block, seen = b"", -1, 0
    for moment in moments(table.start(seed), seed):
        if moment.state.tentative:
            since = moment.state.tentative[-1][-1]  # the answers before it began: blocks may follow each other
            if not begun or since != block:
                begun, block = state_bytes(moment), since
            elif (seen := seen + 1) <= WANTED or seen % RARELY == 0:
                match = moment.clone()
                assert match.take_back()
                yield begun, match
        else:
            begun = b""


def test_some_ruleset_has_a_tentative_block() -> None:
    assert TENTATIVE


@pytest.mark.parametrize("table", TENTATIVE, ids=str)
def test_the_state_is_as_before_the_block(table: Table) -> None:
    found = 0
    for begun, match in _taken_back(table, 1):
        found += 1
        assert _without_count(state_bytes(match)) == _without_count(begun)
    assert found


def _without_count(state: bytes) -> bytes:
    """How many decisions were taken is no part of what is taken back."""
    before, _, after = state.partition(b'"decisions": ')
    return before + after[after.index(b",") :]


@pytest.mark.parametrize("table", TENTATIVE, ids=str)
def test_it_goes_on_to_an_end(table: Table) -> None:
    for _, match in _taken_back(table, 2):
        assert play_on(match, 3).over


@pytest.mark.parametrize("table", TENTATIVE, ids=str)
def test_the_history_still_leads_to_the_state(table: Table) -> None:
    for _, match in _taken_back(table, 3):
        assert _without_count(state_bytes(match.undo(0))) == _without_count(state_bytes(match))


@pytest.mark.parametrize("table", TENTATIVE, ids=str)
def test_a_save_made_afterwards_tells_the_same_log(table: Table) -> None:
    for _, match in _taken_back(table, 4):
        restored = table.game.restore(match.save())
        play_on(restored, 5)
        play_on(match, 5)
        assert state_bytes(restored) == state_bytes(match)
        assert restored.log_lines() == match.log_lines()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_outside_a_block_there_is_nothing_to_take_back(table: Table) -> None:
    for moment in moments(table.start(5), 5, every=19):
        if not moment.state.tentative:
            before = state_bytes(moment)
            assert not moment.take_back()
            assert state_bytes(moment) == before
