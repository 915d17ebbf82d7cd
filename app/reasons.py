"""Why: the rule that asks, and the rules behind what happened last, with their places and citations."""

from __future__ import annotations

from pathlib import PurePath

from cambist.dsl.program import At
from cambist.interpreter.api import Match
from cambist.interpreter.views import log_lines

EVENTS = 12  # so many are looked at


def reasons(match: Match, player: int) -> list[tuple[str, str]]:
    """What happened last and what is asked, each with the rule behind it; only what the player may know."""
    found = _last_lines(match, player)
    if match.state.pending is not None:
        at = match.program.choices[match.state.pending.choice].at
        rule = at.span.file.line_text(at.span.line).split("#")[0].split("  cites")[0].strip()
        found.append((f"{match.words.player(player)} must decide: {rule}", _reason(at)))
    return found


def _last_lines(match: Match, player: int) -> list[tuple[str, str]]:
    """The last events with their reasons. What may be told depends on what was revealed before."""
    log = match.log
    found: list[tuple[str, str]] = []
    known = len(log_lines(match.program, match.words, log[:-EVENTS], player)) if len(log) > EVENTS else 0
    for index in range(max(0, len(log) - EVENTS), len(log)):
        lines = log_lines(match.program, match.words, log[: index + 1], player)
        if len(lines) > known:
            found.append((lines[-1], _reason(log[index].at)))
        known = len(lines)
    return found


def _reason(at: At) -> str:
    why = str(at.because) or "neither cited nor assumed"
    return f"{PurePath(at.span.file.name).name}:{at.span.line}, {why}" if at.span.file.text else ""
