"""Answers and refusals: data only.

An answer is a tuple: the number of the branch, then one value for each of its picks (an integer; a tuple of them for
`some of` and `any order of`; a tuple of tuples for an arrangement).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from cambist.dsl.program import At, Choice

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


def zones_of_picked(choice: Choice, answer: Answer, where: list[int]) -> tuple[int, ...]:
    """The zones of all cards that an answer names: who sees these may know which they are. `where`: of components."""
    picks = choice.branches[answer[0]].picks
    named = [value for pick, value in zip(picks, answer[1:], strict=True) if pick.meaning.word == "card"]
    return tuple(dict.fromkeys(where[card] for card in _flat(named) if card >= 0))


def _flat(values: Any) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value
        else:
            yield from _flat(value)
