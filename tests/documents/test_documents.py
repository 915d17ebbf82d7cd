"""What the documents say of the whole: the reference names every word, and the grammar is small and clear."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from lark import Lark, logger

from cambist.dsl.api import check_text

ROOT = Path(__file__).parents[2]


def test_the_game_in_the_readme_cites_all_it_says() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```rules\n(.*?)```", readme, re.S)
    _, report = check_text(block, "README.md", strict=True)
    assert not report.items


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
