"""What a ruleset wants shown of a state, in words, for the eyes of one player: the checks ensure that nothing hidden
from that player goes into it."""

from __future__ import annotations

from typing import Any

from cambist.dsl.program import Show, Shown
from cambist.interpreter.describe import Words
from cambist.interpreter.faults import Fault
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State

NOBODYS = -1


def tables(machine: Machine, words: Words, state: State, player: int) -> dict[str, Any]:
    """By name: whose it is, the headings (a name, or a name and what it is of), each row with its name and cells."""
    found: dict[str, Any] = {}
    for show in machine.program.shows:
        for owner in range(machine.program.players) if show.owned else (NOBODYS,):
            if show.seen_by == "all" or (show.seen_by == "owner" and owner == player):
                name = f"{words.player(owner)}.{show.name}" if show.owned else show.name
                found[name] = _table(machine, words, state, show, [owner] if show.owned else [])
    return found


def _table(machine: Machine, words: Words, state: State, show: Show, owner: list[int]) -> dict[str, Any]:
    things = [[thing] for thing in machine.call(state, show.rows, owner)] if show.rows >= 0 else [[]]
    rows = [["".join(words.told(show.meaning, t) for t in thing if show.meaning)] for thing in things]
    headings: list[list[str]] = []
    for column in show.columns:
        each: list[list[Any]] = [[]]
        if column.each >= 0:
            each = [[other] for other in machine.call(state, column.each, owner)]
        for other in each:
            named = [words.value(column.heading, o) for o in other if column.heading is not None]
            headings.append([column.name, *named])
            for row, thing in zip(rows, things, strict=True):
                row.append(_cell(machine, words, state, column, [*owner, *thing, *other]))
    return {"owner": words.player(owner[0]) if owner else None, "columns": headings, "rows": rows}


def _cell(machine: Machine, words: Words, state: State, column: Shown, things: list[Any]) -> str:
    try:
        return words.told(column.meaning, machine.call(state, column.function, things))
    except Fault:  # a table that is only looked at stops no game
        return "?"
