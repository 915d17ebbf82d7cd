"""Why: the rule that asks, and the rules behind what happened last, with their places and citations."""

from __future__ import annotations

from cambist.interpreter.api import Match
from cambist.interpreter.views import log_lines

EVENTS = 12  # so many are looked at


def reasons(match: Match, player: int) -> list[str]:
    """What a player may know of it, in lines."""
    lines = []
    choice = match.choice
    if choice is not None and match.state.pending is not None:
        at = match.program.choices[match.state.pending.choice].at
        lines.append(f"asked is {match.words.player(player)}, by {at.span}:")
        lines.append(f"    {at.span.file.line_text(at.span.line).strip()}")
        lines.append(f"    {choice.why}" if choice.why else "    (neither cited nor assumed)")
    told = _last_lines(match, player)
    if told:
        lines.append("before that:")
        lines += told
    return lines


def _last_lines(match: Match, player: int) -> list[str]:
    """The last events with their reasons. What may be told depends on what was revealed before."""
    log = match.log
    found: list[str] = []
    known = len(log_lines(match.program, match.words, log[:-EVENTS], player)) if len(log) > EVENTS else 0
    for index in range(max(0, len(log) - EVENTS), len(log)):
        lines = log_lines(match.program, match.words, log[: index + 1], player)
        if len(lines) > known:
            at = log[index].at
            why = str(at.because)
            place = f"  [{at.span}{'; ' if why else ''}{why}]" if at.span.file.text else ""
            found.append(f"    {lines[-1]}{place}")
        known = len(lines)
    return found
