"""The tables that a ruleset shows of a state, in words. All that is in them is seen by all: the checks ensure it."""

from __future__ import annotations

from typing import Any

from cambist.dsl.program import Shown
from cambist.interpreter.describe import Words
from cambist.interpreter.faults import Fault
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State


def tables(machine: Machine, words: Words, state: State) -> dict[str, Any]:
    """By name: the headings (a name, or a name and what it is of), and each row with its name and its cells."""
    found: dict[str, Any] = {}
    for show in machine.program.shows:
        things = machine.call(state, show.rows, [])
        headings: list[list[str]] = []
        rows: list[list[str]] = [[words.value(show.meaning, thing)] for thing in things]
        for column in show.columns:
            each: list[list[Any]] = [[]]
            if column.each >= 0:
                each = [[other] for other in machine.call(state, column.each, [])]
            for other in each:
                named = [words.value(column.heading, o) for o in other if column.heading is not None]
                headings.append([column.name, *named])
                for row, thing in zip(rows, things, strict=True):
                    row.append(_cell(machine, words, state, column, [thing, *other]))
        found[show.name] = {"columns": headings, "rows": rows}
    return found


def _cell(machine: Machine, words: Words, state: State, column: Shown, things: list[Any]) -> str:
    try:
        return words.value(column.meaning, machine.call(state, column.function, things))
    except Fault:  # a table that is only looked at stops no game
        return "?"
