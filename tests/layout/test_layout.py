"""What the canonical form promises: however rules are typed they become the same text, and nothing is lost."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cambist.dsl import nodes as n
from cambist.dsl.api import Unsafe, formatted
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report, RulesError
from cambist.dsl.source import SourceFile
from tests.hostile.mutations import mutated
from tests.layout.retyping import comments, retyped, with_remarks

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path for folder in ("games", "examples", "dsl/library") for path in (ROOT / folder).rglob("*.rules"))
SMALL = [path for path in SHIPPED if path.stat().st_size < 8_000]
FAST = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**32)


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _tree(text: str) -> n.Tree:
    report = Report()
    found = build(SourceFile("x", text.removeprefix("\ufeff").replace("\r\n", "\n")), report)
    assert not report.has_errors
    return found


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _cases() -> list[tuple[str, str, str]]:
    found = []
    for part in (Path(__file__).parent / "cases.md").read_text("utf-8").split("\n## ")[1:]:
        blocks = re.findall(r"```rules\n(.*?)```", part, re.DOTALL)
        found.append((part.split("\n")[0], blocks[0], blocks[-1]))
    return found


@pytest.mark.parametrize(("typed", "canonical"), [case[1:] for case in _cases()], ids=[case[0] for case in _cases()])
def test_a_case(typed: str, canonical: str) -> None:
    assert formatted(typed) == canonical
    assert formatted(canonical) == canonical


@pytest.mark.parametrize("path", [path for path in SHIPPED if path not in SMALL], ids=_shown)
def test_a_large_file_typed_anew(path: Path) -> None:
    random = Random(path.name)
    typed = retyped(_text(path), random)
    assert typed != _text(path) and formatted(typed) == _text(path)


@FAST
@given(st.sampled_from(SMALL), SEEDS)
def test_however_it_is_typed_it_looks_the_same(path: Path, seed: int) -> None:
    typed = retyped(_text(path), Random(seed))
    assert _tree(typed) == _tree(_text(path))
    assert formatted(typed) == _text(path)


@FAST
@given(st.sampled_from(SMALL), SEEDS)
def test_comments_anywhere_survive_and_nothing_else_changes(path: Path, seed: int) -> None:
    random = Random(seed)
    typed = with_remarks(retyped(_text(path), random).replace("\r\n", "\n"), random)
    found = formatted(typed)
    assert comments(found) == comments(typed)
    assert _tree(found) == _tree(_text(path))
    assert formatted(found) == found
    assert not any(line != line.rstrip() for line in found.split("\n"))
    assert found.endswith("\n") and "\n\n\n" not in found and not found.startswith("\n")


@FAST
@given(st.sampled_from(SMALL), SEEDS)
def test_what_is_mutilated_is_formatted_or_refused(path: Path, seed: int) -> None:
    typed = mutated(_text(path), Random(seed))
    try:
        found = formatted(typed)
    except RulesError as error:
        assert error.diagnostics
        return
    assert formatted(found) == found and comments(found) == comments(typed)


@settings(FAST, max_examples=200)
@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_any_text_is_formatted_or_refused(text: str) -> None:
    try:
        found = formatted(text)
    except RulesError as error:
        assert error.diagnostics
    else:
        assert formatted(found) == found


def test_a_form_that_says_something_else_is_never_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from cambist.dsl import layout

    monkeypatch.setattr(layout, "spaced", lambda pieces, marks: " ".join(p.text for p in pieces).replace("- 1", "- 2"))
    with pytest.raises(Unsafe):
        formatted("define x(a) = a - 1\n")
