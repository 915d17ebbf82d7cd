"""Every fault that rules can raise while a game runs is shown once in full, with its place in the rules.

R01xx.rules is played with a fixed seed and random answers until it faults; R01xx.txt is what a person reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cambist
from cambist.dsl.program import At
from cambist.dsl.render import render
from cambist.dsl.source import SourceFile, Span
from cambist.interpreter.explore import play_random
from cambist.interpreter.faults import EXPLANATIONS, broken_law, broken_machine

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CASES = sorted(path.stem for path in HERE.glob("R01*.rules"))
OF_THE_MACHINE = {
    "R0121": "told by `cambist verify`, of a game that could go on",
    "R0116": "money or components made or lost, which no rules can bring about",
}


@pytest.mark.parametrize("case", CASES)
def test_rendering(case: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = cambist.load(f"tests/diagnostics/{case}.rules")
    with pytest.raises(cambist.Fault) as caught:
        if case.startswith(("R0115", "R0122")):
            play_random(game.machine(2), 1, 0, check=True)
        match = game.start(players=2, seed=1)
        source = cambist.Source(1)
        while match.choice is not None:
            match.answer(match.choice.sample(source))
    assert caught.value.diagnostic.code == case.split("_")[0]
    golden(HERE / f"{case}.txt", render(caught.value.diagnostic))


@pytest.mark.parametrize("code", sorted(OF_THE_MACHINE))
def test_rendering_of_what_no_rules_bring_about(code: str, golden: Callable[[Path, str], None]) -> None:
    """Made here as the machine makes them, since no ruleset of this folder could be played until they come."""
    text = "play\n  transfer 1 from bank to first of players\n"
    at = At(Span(SourceFile("market.rules", text), 7, 15))
    made = {"R0116": broken_machine("3 coins were lost"), "R0121": broken_law(at, "the same answer gave two games")}
    assert made[code].diagnostic.code == code
    golden(HERE / "of_the_machine" / f"{code}.txt", render(made[code].diagnostic))


def test_no_fault_lacks_a_recorded_text() -> None:
    assert {case.split("_")[0] for case in CASES} | set(OF_THE_MACHINE) == set(EXPLANATIONS)
    assert {path.stem for path in HERE.glob("R01*.txt")} == set(CASES)
    assert {path.stem for path in HERE.glob("of_the_machine/*.txt")} == set(OF_THE_MACHINE)


@pytest.mark.parametrize("path", sorted(HERE.glob("R01*.txt")), ids=lambda path: path.stem)
def test_wording(path: Path) -> None:
    first, _, rest = path.read_text("utf-8").partition("\n")
    assert re.fullmatch(r"fault\[R\d{4}\]: .*[^.]", first)
    assert f"--> tests/diagnostics/{path.stem}.rules:" in rest
    assert re.search(r"^ *\| *\^+", rest, re.MULTILINE)
