"""All mistakes of a file are told in one run, each at its own word, and none twice.

The files stand in several/, with what is told of them beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cambist.dsl.api import check_file
from cambist.dsl.render import render_all
from tests.diagnostics.test_goldens import assert_no_terminal

HERE = Path(__file__).parent / "several"
ROOT = HERE.parents[2]
FILES = sorted(path.stem for path in HERE.glob("*.rules"))
MISTAKES = {
    "choices": 6,
    "components": 9,
    "examples": 9,
    "five_mistakes": 5,
    "head": 5,
    "kinds": 13,
    "laws": 11,
    "layout": 7,
    "modules": 6,
    "money": 11,
    "names": 11,
    "notes": 6,
    "statements": 9,
}


@pytest.mark.parametrize("name", FILES)
def test_every_mistake_is_told(name: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ruleset, report = check_file(f"tests/diagnostics/several/{name}.rules")
    text = render_all(report.sorted())
    golden(HERE / f"{name}.txt", text)
    assert ruleset is None and len(report.sorted()) == MISTAKES[name]
    assert_no_terminal(text)


def test_five_mistakes_point_at_their_words() -> None:
    _, report = check_file(str(HERE / "five_mistakes.rules"))
    assert [(d.code, d.primary.span.text) for d in report.sorted()] == [
        ("E0103", "wieght"),
        ("E0303", "p chooses"),
        ("E0009", "form"),
        ("E0101", "depoe"),
        ("E0301", "winner"),
    ]
