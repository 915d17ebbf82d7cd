"""The written Python for people: where a line comes from another line of the rules than the one above it, it says so.

In: a module as it is compiled. Out: the same with comments.
"""

from __future__ import annotations

from functools import cache

from cambist.dsl import program as p
from cambist.interpreter.compiled.source import Source


def shown(source: Source) -> str:
    lines, before = [], ""
    for text, number in zip(source.text.split("\n"), source.lines[1:], strict=False):
        place = _told(source.places[number]) if number >= 0 else ""
        lines.append(f"{text}  # {place}" if place not in ("", before) else text)
        before = place if text else ""
    return "\n".join(lines) + "\n"


def _told(at: p.At) -> str:
    """A name of letters and a number."""
    return f"{_plain(at.span.file.name)}:{at.span.line}"


@cache
def _plain(name: str) -> str:
    return "".join(c for c in name.replace("\\", "/").rsplit("/", 1)[-1] if c.isalnum() or c in "._-")
