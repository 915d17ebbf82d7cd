"""Answers and refusals: data only.

An answer is a tuple: the number of the branch, then one value for each of its picks (an integer; a tuple of them for
`some of` and `any order of`; a tuple of tuples for an arrangement).
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from cambist.dsl.program import At

Answer = tuple[Any, ...]


@frozen
class Refusal:
    """Why an answer is not legal: the rule that refuses it, in words, with its place and citation."""

    rule: str
    reason: str
    at: At = At()

    def __str__(self) -> str:
        why = str(self.at.because)
        return f"{self.reason} ({why})" if why else self.reason


DEEPEST = 4  # an answer, an arrangement in it, its piles


def as_answer(value: Any, depth: int = 0) -> Answer:
    """Plain JSON data (lists) as an answer (tuples)."""
    if depth >= DEEPEST:
        raise TypeError("an answer is not nested that deeply")
    if isinstance(value, (list, tuple)):
        return tuple(as_answer(v, depth + 1) if isinstance(v, (list, tuple)) else v for v in value)
    raise TypeError(f"an answer is a list, not {type(value).__name__}")
