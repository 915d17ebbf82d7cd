"""Conditions of ready-made answers, case by case: lines on the left, the same on the right, and both run."""

from __future__ import annotations

from itertools import product
from textwrap import dedent

import pytest

from cambist.interpreter.compiled.rewriting.cases import by_cases


def _done(body: str) -> str:
    lines = [
        (1, "may = 0", -1),
        *(((len(line) - len(line.lstrip())) // 2, line.strip(), -1) for line in body.split("\n")),
    ]
    return "\n".join("  " * indent + text for indent, text, _ in by_cases(lines, {})[1:])


CASES = {
    "what a variable is equal to": (
        "  if p and (c7 == 0) and x: may += 1\n  if (p and (c7 == 0) or q and (c7 == (-1))) and y: may += 2\n"
        "  if z: may += 4",
        "  if c7 == 0:\n    if p:\n      if x: may += 1\n      if y: may += 2\n"
        "  elif c7 == -1:\n    if q and y: may += 2\n  if z: may += 4",
    ),
    "what it is not": (
        "  if (not (c7 == 1)) and x: may += 1\n  if (c7 == 1): may += 2\n  if z: may += 4",
        "  if c7 == 1:\n    may += 2\n  else:\n    if x: may += 1\n  if z: may += 4",
    ),
    "what is known": (
        "  c7 = 0\n  p = (0 == 1) and (S[3] > 1)\n  c9 = S[9]\n"
        "  if p and x: may += 1\n  if (c7 == 0) and c9: may += 2\n  if (c7 == 1): may += 4",
        "  c9 = S[9]\n  if c9: may += 2",
    ),
    "known, and asked for elsewhere": (
        "  c7 = 0\n  if (c7 == 0) and x: may += 1\n  if (c7 == 0) and y: may += 2\n  if z: may += 4\n  S[7] = c7",
        "  c7 = 0\n  if x: may += 1\n  if y: may += 2\n  if z: may += 4\n  S[7] = c7",
    ),
    "set on another way": (
        "  if a:\n    c7 = 0\n  if (c7 == 0) and x: may += 1\n  if (c7 == 0) and y: may += 2\n  if z: may += 4",
        "  if a:\n    c7 = 0\n  if c7 == 0:\n    if x: may += 1\n    if y: may += 2\n  if z: may += 4",
    ),
    "set again": (
        "  c7 = 0\n  c7 = S[3]\n  if (c7 == 0) and x: may += 1\n  if (c7 == 1): may += 2\n  if z: may += 4",
        "  c7 = 0\n  c7 = S[3]\n  if c7 == 0:\n    if x: may += 1\n  elif c7 == 1:\n    may += 2\n  if z: may += 4",
    ),
    "not compared": ("  if p and x: may += 1\n  if p and y: may += 2\n  if p: may += 4", None),
    "compared once": ("  if p and (c7 == 0): may += 1\n  if p and y: may += 2\n  if p: may += 4", None),
    "more to ask than before": (
        "  if x and (not (c7 == 0)): may += 1\n  if y and (not (c7 == 1)): may += 2\n"
        "  if z and (not (c7 == 2)): may += 4",
        None,
    ),
    "too many cases": ("".join(f"  if (c7 == {k}) and x: may += {1 << k}\n" for k in range(5)) + "  n = 1", None),
    "beginning alike": (
        "  c7 = 0\n  if p and x and (c7 == 0): may += 1\n  if y: may += 2\n  if p and (c7 == 0): may += 4",
        "  if p:\n    if x: may += 1\n    may += 4\n  if y: may += 2",
    ),
    "what calls something": (
        "  if (c7 == 0) and f(x): may += 1\n  if (c7 == 0) and y: may += 2\n  if p: may += 4",
        None,
    ),
    "what may fail is asked before": (
        "  c7 = 1\n  if x[0] and (c7 == 0): may += 1\n  if (c7 == 0) and x[0]: may += 2\n  if z: may += 4",
        "  c7 = 1\n  if x[0] and c7 == 0: may += 1\n  if z: may += 4",
    ),
    "two alone": ("  if (c7 == 0) and x: may += 1\n  if (c7 == 0) and y: may += 2", None),
}
VALUES = (-1, 0, 1, 2)


@pytest.mark.parametrize("name", CASES)
def test_conditions_are_asked_case_by_case(name: str) -> None:
    before, after = CASES[name]
    assert _done(before) == (before if after is None else after)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][1] and "fail" not in name])
def test_cases_give_the_same_bits(name: str) -> None:
    for p, q, c7, rest in product((0, 1), (0, 1), VALUES, product((0, 1), repeat=3)):
        x, y, z = rest
        known = {"p": p, "q": q, "c7": c7, "x": x, "y": y, "z": z, "a": p, "S": [5] * 10, "may": 0}
        found = []
        for text in CASES[name]:
            values = dict(known)
            exec(dedent(text or ""), values)
            found.append(values["may"])
        assert found[0] == found[1], known
