"""What a step remembers is never seen: a game goes on alike with the answer drawn there and with an equal one."""

from __future__ import annotations

import pytest

import cambist
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.saves import save_state


@pytest.mark.parametrize("game", ["money", "buy_low_sell_high", "palmyra"])
def test_an_answer_that_was_not_drawn_here_does_the_same(game: str) -> None:
    machine = cambist.load(game).machine(4, engine="compiled")
    assert isinstance(machine, CompiledMachine)
    state, rng = machine.start(seed_of(5, 0)), Source(5)
    player, drawn, before = machine.next_decider(state), 0, state.clone()
    while player >= 0 and drawn < 60:
        answer = machine.sample(state, player, rng)
        if drawn % 3 == 0:
            machine.sample(state, player, rng)  # remembered last, and not given
        equal = tuple((*part,) if isinstance(part, tuple) else part for part in answer)
        drawn += any(isinstance(part, tuple) for part in answer)
        machine.advance(before, player, equal)  # where nothing was drawn
        player = machine.advance(state, player, answer)
        assert machine.next_decider(before) == player
        assert save_state(machine.program, before) == save_state(machine.program, state)
    assert drawn
