"""The compiled expressions agree with the plain evaluator: same choices, same answers, same states, same result."""

from __future__ import annotations

import pytest

import cambist
from cambist.dsl.api import lower
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.machine import Machine
from cambist.interpreter.saves import save_state
from tests.laws.tables import SHIPPED_TABLES

CASES = [(table.name, table.players) for table in SHIPPED_TABLES]


@pytest.mark.parametrize(("name", "players"), CASES)
def test_side_by_side(name: str, players: int) -> None:
    program = lower(cambist.load(name).ruleset, players)
    plain, quick = Machine(program, plain=True), Machine(program)
    for game in range(3):
        first, second = plain.start(seed_of(3, game)), quick.start(seed_of(3, game))
        one, two = Source(game), Source(game)
        answers = 0
        while first.pending is not None and answers < 250:
            assert second.pending is not None
            player = plain.next_decider(first)
            assert player == quick.next_decider(second)
            if answers % 5 == 0:
                assert save_state(program, first) == save_state(program, second)
                listed = list(plain.domain(first).raw(first, plain.locals_for(first, player)))
                assert listed == list(quick.domain(second).raw(second, quick.locals_for(second, player)))
            answer = plain.sample(first, player, one)
            assert answer == quick.sample(second, player, two)
            plain.advance(first, player, answer)
            quick.advance(second, player, answer)
            answers += 1
        assert save_state(program, first) == save_state(program, second)
        if first.pending is None:
            assert plain.scores(first) == quick.scores(second)
