"""Every code is shown once in full: the wrong ruleset in CODE.rules, what a person reads in CODE.txt.

Where one code has several wordings, more files have a word behind the code: E0009_column.rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cambist.dsl.api import check_file
from cambist.dsl.messages import CODES
from cambist.dsl.messages.registry import blocks
from cambist.dsl.parse import grammar
from cambist.dsl.render import as_data, render_all

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CASES = sorted(path.stem for path in HERE.glob("[EW]0*.rules"))
STRICT = {"E0401", "E0405", "E0413"}  # told only when asked for
LARGE = "E0002"  # a file of this size is made when it is needed


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the paths in the recorded texts are relative to it


@pytest.mark.parametrize("case", CASES)
def test_rendering(case: str, golden: Callable[[Path, str], None]) -> None:
    code = case.split("_")[0]
    _, report = check_file(f"tests/diagnostics/{case}.rules", strict=code in STRICT)
    found = report.sorted()
    assert {d.code for d in found} == {code}
    golden(HERE / f"{case}.txt", render_all(found))
    for diagnostic in found:
        assert as_data(diagnostic)["line"] >= 1


def test_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]) -> None:
    (tmp_path / "large.rules").write_text("# nothing but remarks\n" * 20_000)
    monkeypatch.chdir(tmp_path)
    _, report = check_file("large.rules")
    golden(HERE / f"{LARGE}.txt", render_all(report.sorted()))


def test_no_code_lacks_a_recorded_text() -> None:
    assert {case.split("_")[0] for case in CASES} | {LARGE} == set(CODES)
    assert {path.stem for path in HERE.glob("[EW]0*.txt")} == {*CASES, LARGE}


@pytest.mark.parametrize("path", sorted(HERE.glob("[EW]0*.txt")), ids=lambda path: path.stem)
def test_wording(path: Path) -> None:
    """One line, lower case, no full stop; a caret; something to do about it; nothing of the parser."""
    for text in path.read_text("utf-8").split("\n\n"):
        first, _, rest = text.partition("\n")
        message = first.partition(": ")[2]
        assert re.fullmatch(r"(error|warning)\[[EW]\d{4}\]: .+", first)
        assert not message[0].isupper() and not message.endswith(".")
        assert path.stem == LARGE or re.search(r"^ *\| *\^+", rest, re.MULTILINE)
        assert "\nhelp: " in rest
        assert_no_terminal(text)


def assert_no_terminal(text: str) -> None:
    shown = re.sub(r"^ *\d+ \| .*$", "", text, flags=re.MULTILINE)  # the author's own lines may say what they like
    assert not set(re.findall(r"[A-Z_$][A-Z_]{2,}", shown)) & {"$END", *(t.name for t in grammar().terminals)}


def test_blocks_of_an_explanation() -> None:
    text = "What it is.\n\nMore.\n\nWrong:\n    a\n      b\nRight:\n    c\n"
    assert blocks(text) == {"Wrong": "a\n  b\n", "Right": "c\n"}
