"""How exact amounts are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cambist.interpreter.values import in_units


@pytest.mark.parametrize(
    "steps, scale, text",
    [
        (3, 1, "3"),
        (-2, 1, "-2"),
        (3, 2, "1.5"),
        (-3, 2, "-1.5"),
        (-1, 2, "-0.5"),
        (4, 2, "2"),
        (0, 2, "0"),
        (1, 4, "0.25"),
        (101, 100, "1.01"),
        (10**17 + 1, 10, "10000000000000000.1"),
    ],
)
def test_written(steps: int, scale: int, text: str) -> None:
    assert in_units(steps, scale) == text


@given(st.integers(-(10**18), 10**18), st.sampled_from([1, 2, 4, 5, 8, 10, 20, 100, 1000]))
def test_what_is_written_is_exact(steps: int, scale: int) -> None:
    assert Fraction(in_units(steps, scale)) == Fraction(steps, scale)
