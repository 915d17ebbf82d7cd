"""Answers that are refused, and the reason a player reads: turn.txt has one a line, `legal` where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cambist

HERE = Path(__file__).parent


def test_reasons(golden: Callable[[Path, str], None]) -> None:
    match = cambist.load(str(HERE / "turn.rules")).start(seed=1)
    lines = []
    for line in (HERE / "turn.txt").read_text("utf-8").splitlines():
        answer = line.partition(" ->")[0]
        assert match.choice is not None
        refusal = match.choice.refusal(answer)
        lines.append(f"{answer} -> {'legal' if refusal is None else refusal}")
    golden(HERE / "turn.txt", "\n".join(lines))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (7, "an answer is a list, not int"),
        (None, "an answer is a list"),
        ({"a": 1}, "an answer is a list"),
        ([99], "there is no such branch"),
        ([0, 0], "`affordable` does not hold"),
    ],
)
def test_plain_data(answer: object, reason: str) -> None:
    match = cambist.load(str(HERE / "turn.rules")).start(seed=1)
    assert match.choice is not None
    assert reason in str(match.choice.refusal(answer))


def test_who_is_not_asked_and_when_it_is_over() -> None:
    match = cambist.load(str(HERE / "turn.rules")).start(seed=1)
    before = match.fingerprint()
    with pytest.raises(cambist.Refused, match="not this player's choice"):
        match.answer("pass", by=1)
    assert match.fingerprint() == before
    match.answer("pass")
    match.answer("pass")
    with pytest.raises(cambist.Refused, match="the game is over"):
        match.answer("pass")
