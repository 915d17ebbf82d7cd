"""Rulesets with tokens and lines swapped, dropped, doubled and put elsewhere: what typing and pasting do to a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]|\n *| +')
Change = Callable[[list[str], int, int], None]


def _drop(parts: list[str], i: int, j: int) -> None:
    del parts[i]


def _swap(parts: list[str], i: int, j: int) -> None:
    parts[i], parts[j] = parts[j], parts[i]


def _double(parts: list[str], i: int, j: int) -> None:
    parts.insert(i, parts[i])


def _overwrite(parts: list[str], i: int, j: int) -> None:
    parts[i] = parts[j]


def _indent(parts: list[str], i: int, j: int) -> None:
    parts[i] = " " * (1 + j % 3) + parts[i] if j % 2 else parts[i][1:]


TO_TOKENS: tuple[Change, ...] = (_drop, _swap, _double, _overwrite)
TO_LINES: tuple[Change, ...] = (*TO_TOKENS, _indent)


def mutated(text: str, random: Random) -> str:
    """The text after one to five changes."""
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        by_token = random.random() < 0.5
        parts = TOKEN.findall(text) if by_token else text.split("\n")
        change = random.choice(TO_TOKENS if by_token else TO_LINES)
        change(parts, random.randrange(len(parts)), random.randrange(len(parts)))
        text = ("" if by_token else "\n").join(parts) or "\n"
    return text
