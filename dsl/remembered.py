"""Declarations that were parsed before: while an author types in one, the others need not be parsed again.

In: the tokens of a declaration, and the tree that the parser made of them. Out: the same tree for the same tokens,
moved to where they stand now. Nodes take their numbers along when they are built, so that the tree may move later.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from attrs import define, field

Key = tuple[Any, ...]


@define
class Parsed:
    """A tree and all in it that knows its place."""

    tree: Any
    at: int
    tokens: list[Any]
    metas: list[Any]

    def moved(self, at: int) -> Any:
        by = at - self.at
        if by:
            for place in (*self.tokens, *self.metas):
                place.start_pos += by
                place.end_pos += by
            self.at = at
        return self.tree


@define
class Memory:
    """The declarations of the latest text of one file."""

    known: dict[Key, Parsed] = field(factory=dict)
    used: dict[Key, int] = field(factory=dict)  # where each stands in the text that is parsed now

    def find(self, tokens: list[Any]) -> Any | None:
        if not tokens:
            return None
        key, at = _key(tokens)
        found = self.known.get(key)
        if found is None or self.used.setdefault(key, at) != at:
            return None  # one that stands there twice has two trees
        return found.moved(at)

    def keep(self, tokens: list[Any], tree: Any) -> None:
        if not tokens:
            return
        key, at = _key(tokens)
        if self.used.setdefault(key, at) == at:
            metas = [part.meta for part in tree.iter_subtrees() if not part.meta.empty]
            self.known[key] = Parsed(tree, at, list(tokens), metas)


def _key(tokens: list[Any]) -> tuple[Key, int]:
    """What the tokens are, and how they stand to each other; and where."""
    at = tokens[0].start_pos or 0
    return tuple((t.type, t.value, (t.start_pos or 0) - at) for t in tokens), at


_MEMORY: ContextVar[Memory | None] = ContextVar("declarations parsed before", default=None)


def remembered() -> Memory | None:
    return _MEMORY.get()


@contextmanager
def remembering(memory: Memory) -> Iterator[None]:
    """While it lasts, one text is parsed; what was parsed before helps, and afterwards only what it has is known."""
    memory.used.clear()
    before = _MEMORY.set(memory)
    try:
        yield
    finally:
        _MEMORY.reset(before)
        memory.known = {key: parsed for key, parsed in memory.known.items() if key in memory.used}
