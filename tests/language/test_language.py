"""The specification, run: every block of rules in the Markdown files of this folder is as right or wrong as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file, check_text
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.render import render
from cambist.interpreter.rule_tests import run_examples
from tests.harness.cases import Case, read_cases
from tests.harness.fragments import whole

HERE = Path(__file__).parent
CASES = [case for path in sorted(HERE.glob("*.md")) for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = whole(case.text)
    if case.files:
        monkeypatch.chdir(tmp_path)
        for name, text in case.files.items():
            Path(name).write_text(text, "utf-8")
        Path("case.rules").write_text(made.text, "utf-8")
        ruleset, report = check_file("case.rules", case.strict)
    else:
        ruleset, report = check_text(made.text, "case.rules", case.strict)
    compare(case, report, made.first_line)
    if ruleset is not None:
        game = cambist.Game(ruleset)
        outcomes = run_examples(game.machine, game.players)
        assert [f"{o.title}: {o.reason}" for o in outcomes if not o.passed] == []


def compare(case: Case, report: Report, first_line: int) -> None:
    wants_warnings = any(e.code.startswith("W") for e in case.expected)
    told = [(*place_of(d, first_line), d) for d in report.sorted() if d.severity == "error" or wants_warnings]
    found = [x for x in told if x[1] > 0 or x[2].code != "W0501"]  # not all of the stub is used by a fragment
    shown = "\n".join(render(d) for _, _, d in found)
    expected = sorted((e.file, e.line, e.code) for e in case.expected)
    assert sorted((file, line, d.code) for file, line, d in found) == expected, shown
    for one in case.expected:
        here = [d for file, line, d in found if (file, line, d.code) == (one.file, one.line, one.code)]
        assert any(one.text in text for d in here for text in texts_of(d)), f"{one.text!r} in:\n{shown}"


def place_of(diagnostic: Diagnostic, first_line: int) -> tuple[str, int]:
    span = diagnostic.primary.span
    return ("", span.line - first_line + 1) if span.file.name == "case.rules" else (span.file.name, span.line)


def texts_of(diagnostic: Diagnostic) -> list[str]:
    labels = [label.text for label in (diagnostic.primary, *diagnostic.others)]
    return [diagnostic.message, diagnostic.help, *labels]
