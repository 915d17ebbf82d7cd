"""What the documents show works: the reference's blocks, the README's snippet."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lark import Lark, logger

import cambist
from cambist.dsl.api import check_text
from cambist.dsl.render import render_all
from cambist.interpreter.explore import play_random
from cambist.interpreter.rule_tests import run_examples

ROOT = Path(__file__).parents[2]
STUB = (ROOT / "tests" / "harness" / "stub.rules").read_text("utf-8")
REFERENCE = (ROOT / "dsl" / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```rules\n(.*?)```", REFERENCE, re.S)


def on_stub(fragment: str) -> str:
    """The fragment inside the small game it is written for; its own `play` takes the place of the stub's."""
    if fragment.startswith("game "):
        return fragment
    head, tail = STUB.split("# the fragment stands here")
    if re.search(r"^play\b", fragment, re.M):
        tail = re.sub(r"^play.*?\n(?=score)", "", tail, flags=re.S | re.M)
    return head + fragment + tail


def tried(text: str, name: str) -> None:
    ruleset, report = check_text(text, name)
    wrong = [d for d in report.sorted() if d.severity == "error"]
    assert ruleset is not None and not wrong, render_all(wrong)
    game = cambist.Game(ruleset)
    for outcome in run_examples(game.machine, game.players):
        assert outcome.passed, f"{outcome.title}: {outcome.reason}"
    for players in game.players:
        for number in range(5):
            play_random(game.machine(players), 1, number, check=True)


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block {i + 1}" for i in range(len(BLOCKS))])
def test_every_block_of_the_reference_runs(block: str) -> None:
    tried(on_stub(block), "dsl/README.md")


def test_the_game_in_the_readme_plays() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```rules\n(.*?)```", readme, re.S)
    tried(block, "README.md")
    _, report = check_text(block, "README.md", strict=True)
    assert not report.items


def test_the_python_snippet_of_the_readme_runs() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    snippet, _ = re.findall(r"```python\n(.*?)```", readme, re.S)
    done = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3


def test_the_tests_of_the_readme_pass(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    _, snippet = re.findall(r"```python\n(.*?)```", readme, re.S)
    (tmp_path / "test_money.py").write_text(snippet, "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_money.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    text = (ROOT / "dsl" / "grammar.lark").read_text("utf-8")
    logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger="lark"):
            Lark(text, parser="lalr", lexer="basic", start="declaration", debug=True)
    finally:
        logger.setLevel(logging.CRITICAL)
    assert "conflict" not in caplog.text.lower()


def test_the_grammar_prints_on_three_pages() -> None:
    lines = (ROOT / "dsl" / "grammar.lark").read_text("utf-8").splitlines()
    rules = [line for line in lines if line.strip() and not line.startswith(("//", "%declare"))]
    assert len(rules) <= 200
