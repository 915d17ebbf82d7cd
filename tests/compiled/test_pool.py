"""An account that nobody looks at is worked out, and what everybody sees of it is what the reference keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.interpreter.chance import Source
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.source import BULK, SILENT, source_of

RULES = """
game paying "Paying"
  players 2..3
  source R "house rules" language en

unit coin
account bank in coin, unlimited
account cash of each player in coin = 10, may be negative
variable rich: number = 0

play cites R"Play"
  each round in 1..4, p
    p chooses
      pay: transfer 3 from p.cash to bank
      take: transfer 2 from bank to p.cash
      give: transfer 1 from p.cash to next(p).cash
    LOOK

score p = p.cash cites R"Play"
winner most score, ties shared cites R"Play"
"""
UNSEEN = RULES.replace("LOOK", "add 0 to rich")
LOOKED_AT = RULES.replace("LOOK", "if bank > 5: add 1 to rich")


def _game(folder: Path, text: str) -> cambist.Game:
    path = folder / "paying.rules"
    path.write_text(text, encoding="utf-8")
    return cambist.load(str(path))


@pytest.mark.parametrize(("text", "kept"), [(UNSEEN, False), (LOOKED_AT, True)])
def test_it_is_kept_only_where_a_rule_looks_at_it(tmp_path: Path, text: str, kept: bool) -> None:
    machine = _game(tmp_path, text).machine(2, engine="compiled")
    assert isinstance(machine, CompiledMachine) and machine.rules is not None
    layout = machine.rules.layout
    assert (layout.pool < 0) == kept
    for kind in (SILENT, BULK):
        assert (f"S[{layout.accounts}]" in source_of(machine.program, kind).text) == kept


@pytest.mark.parametrize("text", [UNSEEN, LOOKED_AT])
def test_everybody_sees_what_the_reference_keeps(tmp_path: Path, text: str) -> None:
    game = _game(tmp_path, text)
    quick, plain = (game.start(players=3, seed=5, engine=engine) for engine in ("compiled", "reference"))
    rng = Source(3)
    while (choice := plain.choice) is not None:
        answer = choice.sample(rng)
        quick.answer(answer)
        plain.answer(answer)
        assert quick.save() == plain.save() and quick.view(0) == plain.view(0)
        assert sum(quick.state.accounts) == 30, "money is only moved"
        assert game.restore(quick.save()).save() == quick.save()
    assert quick.result == plain.result


def test_it_is_right_whatever_somebody_has_put_into_accounts(tmp_path: Path) -> None:
    game = _game(tmp_path, UNSEEN)
    machine = game.machine(3, engine="compiled")
    state = game.start(players=3, seed=5, engine="reference").state
    state.accounts[:] = [7, 3, -4, 10]  # as examples do
    position = machine.adopt(state)
    assert position is not state and position.accounts == [7, 3, -4, 10]
    machine.advance(position, 0, (0,))
    assert position.accounts == [10, 0, -4, 10] and machine.plain(position).accounts == [10, 0, -4, 10]
