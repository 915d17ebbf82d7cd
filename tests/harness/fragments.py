"""A few lines of rules -> a whole ruleset: the stub around them, without what they bring themselves.

Explanations of codes and the cases of the specification show only the lines they are about. `whole` puts
stub.rules around them. A procedure of the fragment that takes players, numbers or colors is run by the stub's
`play`, so that it counts as reached; a phase is not. A fragment with a `game`, a `variant`, a `library` or no
declaration at all stands alone.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from attrs import frozen

STUB = Path(__file__).with_name("stub.rules")
HERE = "# the fragment stands here"
ARGUMENTS = {"p": "p", "q": "next(p)", "n": "1", "m": "2", "i": "red", "z": "shelf"}
PROCEDURE = re.compile(r"procedure +(\w+)(?:\(([^)]*)\))?", re.ASCII)


@frozen
class Whole:
    text: str
    first_line: int  # of the fragment, counted from 1


@cache
def _stub() -> tuple[str, str]:
    before, after = STUB.read_text("utf-8").split(HERE + "\n")
    return before, after


def whole(fragment: str) -> Whole:
    words = _words(fragment)
    if not words or set(words) & {"game", "library", "variant"}:
        return Whole(fragment, 1)
    before, after = _stub()
    own = set(words)
    kept = [part for part in _parts(after) if part.split()[0] not in own]
    text = before + fragment.rstrip("\n") + "\n" + "".join(kept)
    if "play" not in own:
        text = text.replace("  set leader to nobody\n", "  set leader to nobody\n" + _runs(fragment))
    return Whole(text, before.count("\n") + 1)


def _words(fragment: str) -> list[str]:
    """The words that open a declaration."""
    return re.findall(r"^([a-z]+)\b", fragment, re.MULTILINE)


def _parts(text: str) -> list[str]:
    """The declarations of a text, each with what is indented below it."""
    return re.findall(r"^\S.*\n(?:[ ]+.*\n)*", text, re.MULTILINE)


def _runs(fragment: str) -> str:
    lines = ""
    for name, params in PROCEDURE.findall(fragment):
        names = [x.strip() for x in params.split(",") if x.strip()]
        if all(x in ARGUMENTS for x in names):
            call = f"{name}({', '.join(ARGUMENTS[x] for x in names)})" if names else name
            lines += f"  each p: {call}\n"
    return lines
