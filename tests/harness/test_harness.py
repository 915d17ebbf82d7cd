"""The readers that the other tests trust."""

from __future__ import annotations

from pathlib import Path

import pytest

from cambist.dsl.api import check_text
from tests.harness.cases import Expectation, expectations, read_cases
from tests.harness.fragments import whole


def test_the_stub_alone_is_right() -> None:
    ruleset, report = check_text(whole("variable rounds: number = 0\ndefine far = rounds > 0\n").text, strict=True)
    assert ruleset is not None and {d.code for d in report.items} == {"W0501"}
    assert [d.about for d in report.items] == ["bank", "stock", "hand", "shelf", "far"]


def test_a_fragment_keeps_its_lines() -> None:
    made = whole("zone tray: row, seen by all\nzone lid: row, seen by all\n")
    assert made.text.splitlines()[made.first_line - 1] == "zone tray: row, seen by all"
    assert "\nplay " in made.text and "\nscore p" in made.text


def test_a_fragment_brings_its_own_parts() -> None:
    made = whole("play\n  shuffle box\nscore q = 0\n")
    assert made.text.count("\nplay") == 1 and made.text.count("\nscore") == 1 and "\nwinner" in made.text


def test_procedures_are_run_with_what_they_take() -> None:
    made = whole("procedure one\n  nothing\nprocedure two(p, q, n)\n  nothing\nprocedure three(odd)\n  nothing\n")
    assert "  each p: one\n  each p: two(p, next(p), 1)\n" in made.text
    assert "three(" not in made.text.replace("procedure three(odd)", "")


@pytest.mark.parametrize("text", ['game g "G"\n', 'library l "L"\n', "# a remark\n", ""])
def test_what_stands_alone(text: str) -> None:
    assert whole(text).text == text and whole(text).first_line == 1


def test_cases_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.md"
    path.write_text(
        '# First\nprose\n```rules\nzone a: row  # error: [E0101] "x"; [E0102] "y"\n```\n'
        '## Second\n```yaml name=a.yaml\nsheet: 1\n```\n```rules strict\nplay\n#^ warning: [W0501] "never"\n```\n'
    )
    one, two = read_cases(path)
    assert (one.heading, one.files, one.strict) == ("First", {}, False)
    assert one.expected == (Expectation("", 1, "E0101", "x"), Expectation("", 1, "E0102", "y"))
    assert (two.heading, two.files, two.strict) == ("Second", {"a.yaml": "sheet: 1\n"}, True)
    assert two.expected == (Expectation("", 1, "W0501", "never"),)
    assert str(two) == "some.md:10 Second"


@pytest.mark.parametrize("line", ["x # error [E0101]", "x # error: E0101", 'x # error: [E0101] "a", [E0102] "b"'])
def test_an_expectation_that_cannot_be_read(line: str) -> None:
    with pytest.raises(ValueError, match="not an expectation"):
        expectations(line)


def test_an_unknown_fence(tmp_path: Path) -> None:
    path = tmp_path / "some.md"
    path.write_text("```rule\nx\n```\n")
    with pytest.raises(ValueError, match="neither"):
        read_cases(path)
