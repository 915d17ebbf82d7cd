"""The parser's tables are worked out beforehand, because that takes longer than checking a game; they are current."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from cambist.dsl import grammar_tables
from cambist.dsl.parse import digest, grammar, packed, unpacked, worked_out

FILE = Path(__file__).parents[2] / "dsl" / "grammar_tables.py"
PAGE = '''"""The tables of the parser, worked out from grammar.lark. Made by `make golden`; do not edit."""

DIGEST = "{digest}"
TABLES = """
{tables}
"""
'''


def grammar_text() -> str:
    return resources.files("cambist.dsl").joinpath("grammar.lark").read_text("utf-8")


def test_the_tables_are_of_this_grammar(request: pytest.FixtureRequest) -> None:
    text = grammar_text()
    if request.config.getoption("--update") and grammar_tables.DIGEST != digest(text):
        tables = "\n".join(wrap(packed(worked_out(text)), 116))
        FILE.write_text(PAGE.format(digest=digest(text), tables=tables), "utf-8")
        return
    assert grammar_tables.DIGEST == digest(text), "run `make golden`"


def test_unpacked_tables_are_what_is_worked_out() -> None:
    """The same rules, the same states and what may follow in each, whatever numbers they have."""
    fresh = worked_out(grammar_text())
    again = unpacked(packed(fresh))
    for parser in (again, grammar()):
        assert {str(rule) for rule in parser.rules} == {str(rule) for rule in fresh.rules}
        assert {t.name for t in parser.terminals} == {t.name for t in fresh.terminals}
        for start in ("declaration",):
            here: Any = parser.parse_interactive("", start=start)
            there: Any = fresh.parse_interactive("", start=start)
            assert set(here.choices()) == set(there.choices())
