"""The tour in examples/ and what is ported there: rulesets in order; transcripts and a script that go as written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file
from cambist.interpreter.rule_tests import run_examples
from cambist.transcripts import recorded, replayed

EXAMPLES = Path(__file__).parents[2] / "examples"
RULESETS = sorted(EXAMPLES.glob("*.rules"))
PORTED = sorted(EXAMPLES.glob("ported/*.rules"))
SEED = 3
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


def _start(path: Path) -> cambist.Match:
    game = cambist.load(str(path))
    return game.start(seed=SEED, seats=NAMES[: min(3, game.players[-1])])


@pytest.mark.parametrize("path", [*RULESETS, *PORTED], ids=lambda path: path.stem)
def test_a_ruleset_is_in_order(path: Path) -> None:
    ruleset, report = check_file(str(path), strict=True)
    assert ruleset is not None and not report.items
    game = cambist.load(str(path))
    outcomes = run_examples(game.machine, game.players)
    assert outcomes and [f"{o.title}: {o.reason}" for o in outcomes if not o.passed] == []
    assert any(one.word == "invariant" for one in game.machine(game.players[0]).program.properties)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_ruleset_is_short(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert 20 <= len(lines) <= 90
    assert max(map(len, lines)) <= 130


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_its_transcript_goes_as_it_did(
    path: Path, golden: Callable[[Path, str], None], request: pytest.FixtureRequest
) -> None:
    written = path.with_suffix(".txt")
    if request.config.getoption("--update"):
        golden(written, recorded(_start(path), SEED, told=1000))
    assert written.exists(), f"{written.name} is missing: run `make golden` and read what it writes"
    text = written.read_text("utf-8")
    assert replayed(_start(path), text, SEED, told=1000) == text


@pytest.mark.parametrize("path", PORTED, ids=lambda path: path.stem)
def test_a_ported_rulebook_is_one_page_and_its_headings_are_those_of_the_rules(path: Path) -> None:
    lines = path.with_suffix(".txt").read_text("utf-8").splitlines()
    assert len(lines) <= 45
    below = lines[1:]  # without the title
    headings = [line for line in below if line and not line.startswith(" ") and line != lines[1]]
    (source,) = cambist.load(str(path)).ruleset.game.sources
    assert [section.title for section in source.headings] == headings


def test_the_tour_is_numbered() -> None:
    assert [path.name[:3] for path in RULESETS] == [f"{number:02}_" for number in range(1, len(RULESETS) + 1)]


def test_the_script_prints_what_it_did(golden: Callable[[Path, str], None], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "embed.py")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    golden(EXAMPLES / "embed.txt", done.stdout)


def test_the_script_shows_the_whole_door() -> None:
    text = (EXAMPLES / "embed.py").read_text("utf-8")
    shown = (
        "load start choice options sample refusal answer view clone save restore log_lines result undo Refused".split()
    )
    assert [name for name in shown if f".{name}" not in text] == []
