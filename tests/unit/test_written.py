"""What `dsl/written.py` writes is read as the same again: every expression and statement of the shipped rulesets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from cambist.dsl import nodes as n
from cambist.dsl import written
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import SourceFile
from cambist.dsl.walk import descend, shape

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path for folder in ("games", "dsl/library") for path in (ROOT / folder).rglob("*.rules"))
ODD = (
    "-(-3) - (2 - 1) * (4 + 5) / 2 rounded up",
    "not (a and b or c) and not (x in [1, 2] or y not in 1..9 by 2)",
    "(1 if a else 2) if (b or c) else 3 if d else 4",
    "(count of p) + (sum of (most of x.value for x in p.hand, or 0 if none) for p in players where not p is q)",
    "f((some c in shelf where c is chip red -3), (first of (rest of hand)).value, bonus[1 + 2])",
    "the p in players where p.cash > 0 with most p.cash, then least size of p.hand, ties to first",
    "(the p in players with least -p.cash, all tied) is empty",
)


def _read(text: str) -> n.Tree:
    report = Report()
    found = build(SourceFile("x", text), report)
    assert not report.has_errors, text
    return found


def _decls(path: Path) -> tuple[n.Decl, ...]:
    tree = _read(path.read_text("utf-8"))
    return (*tree.decls, *(decl for change in tree.patches for decl in getattr(change, "decls", ())))


def _statements(path: Path) -> Iterator[n.Stmt]:
    for node in descend(_decls(path)):
        if isinstance(node, n.Simple):
            yield node


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_rules_are_written_as_they_were_read(path: Path) -> None:
    values = [d.value for d in _decls(path) if isinstance(d, (n.Define, n.Property, n.Score))]
    text = "".join(f"define x{k} = {written.expression(value)}\n" for k, value in enumerate(values))
    assert [shape(d.value) for d in _read(text).decls if isinstance(d, n.Define)] == [shape(v) for v in values]
    simple = list(_statements(path))
    text = "play\n  nothing\n" + "".join(f"  {written.statement(one)}\n" for one in simple)
    (play,) = _read(text).decls
    assert isinstance(play, n.Procedure)
    assert [shape(one) for one in play.body[1:]] == [shape(attrs.evolve(one, notes=())) for one in simple]


@pytest.mark.parametrize("text", ODD)
def test_parentheses(text: str) -> None:
    (before,) = _read(f"define x = {text}\n").decls
    assert isinstance(before, n.Define)
    (after,) = _read(f"define x = {written.expression(before.value)}\n").decls
    assert isinstance(after, n.Define) and shape(after.value) == shape(before.value)
