"""What a run with --out has played so far, kept beside the file that it will write, so that a stopped run can go on.

In: the cells of a run, then what is done, in any order. Out: the games of every cell by number, and those that are
missing. The file grows by a line for each task; a last line that was cut off is left out, and its games are played
again. A file of other rules, another seed or another grid is refused, and so is a damaged one: nothing is counted that
cannot be trusted.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from attrs import define, field

from cambist.interpreter.explore import Played
from cambist.problems import FOUND, UserError
from cambist.simulation.work import Cell, Done

FORM = 1
ENDING = ".unfinished"
Games = dict[int, "Played | str"]  # by number; the code of its fault for a game that failed


def place(out: Path) -> Path:
    return out.with_name(out.name + ENDING)


def head_of(cells: Sequence[Cell]) -> dict[str, Any]:
    """What makes two runs one: the number of games is not part of it."""
    return {
        "simulate": FORM,
        "game": cells[0].program.game,
        "seed": cells[0].seed,
        "check": cells[0].check,
        "seats": list(cells[0].seats),
        "measures": cells[0].measures,
        "cells": [[c.program.players, dict(c.program.options), c.program.digest] for c in cells],
    }


@define
class Unfinished:
    """The file, open for more."""

    path: Path
    stream: TextIO
    games: list[Games] = field(factory=list)  # of each cell, what was there when it was opened

    def keep(self, done: Done) -> None:
        rows = [_row(game) for game in done.games]
        text = json.dumps([done.task.cell, done.task.first, rows], ensure_ascii=False, separators=(",", ":"))
        self.stream.write(f"{_sum(text)} {text}\n")
        self.stream.flush()

    def close(self) -> None:
        self.stream.close()

    def remove(self) -> None:
        self.close()
        self.path.unlink(missing_ok=True)


def begin(path: Path, cells: Sequence[Cell]) -> Unfinished:
    """A new run. What an earlier one has left is not thrown away unasked."""
    if path.exists():
        raise UserError(
            f"a stopped run has left `{path}`", "go on with it by --resume, or remove that file to begin anew"
        )
    stream = path.open("x", encoding="utf-8", newline="\n")
    stream.write(json.dumps(head_of(cells), ensure_ascii=False, sort_keys=True) + "\n")
    stream.flush()
    return Unfinished(path, stream, [{} for _ in cells])


def go_on(path: Path, cells: Sequence[Cell]) -> Unfinished:
    """The run that was stopped; a new one if there is none."""
    if not path.exists():
        return begin(path, cells)
    games, whole = read(path, cells)
    stream = path.open("r+", encoding="utf-8", newline="\n")
    stream.seek(whole)
    stream.truncate()  # the line that was being written when the run was stopped
    return Unfinished(path, stream, games)


def read(path: Path, cells: Sequence[Cell]) -> tuple[list[Games], int]:
    """The games of every cell, and how many bytes of the file are whole lines."""
    games: list[Games] = [{} for _ in cells]
    whole = 0
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.endswith(b"\n"):
                break
            try:
                text = line.decode("utf-8")
                if number == 1:
                    _same_run(path, json.loads(text), cells)
                else:
                    _add(games, text.rstrip("\n"))
            except (ValueError, KeyError, IndexError, TypeError):
                raise _damaged(path, number) from None
            whole += len(line)
    if not whole:
        raise _damaged(path, 1)
    return games, whole


def missing(games: Games, count: int) -> list[range]:
    """The numbers below `count` that are not there, as few ranges as possible."""
    found: list[range] = []
    start = 0
    for number in sorted(n for n in games if n < count):
        if number > start:
            found.append(range(start, number))
        start = number + 1
    if start < count:
        found.append(range(start, count))
    return found


def _damaged(path: Path, line: int) -> UserError:
    return UserError(
        f"`{path}`, line {line} is damaged or not of a stopped run", "remove that file and begin anew", FOUND
    )


def _same_run(path: Path, head: Any, cells: Sequence[Cell]) -> None:
    ours = head_of(cells)
    if not isinstance(head, dict) or set(head) != set(ours):
        raise ValueError
    words = {
        "simulate": "version", "game": "game", "seed": "seed", "check": "use of --check", "seats": "--seats",
        "measures": "use of --measures",
    }  # fmt: skip
    for key, word in words.items():
        if head[key] != ours[key]:
            raise UserError(
                f"`{path}` was left by a run with another {word}", "repeat what that run was given, or remove the file"
            )
    if [cell[:2] for cell in head["cells"]] != [cell[:2] for cell in ours["cells"]]:
        raise UserError(
            f"`{path}` was left by a run with other players or options",
            "repeat what that run was given, or remove the file",
        )
    if head["cells"] != ours["cells"]:
        raise UserError(f"the rules have changed since the run that left `{path}`", "remove that file and begin anew")


def _sum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


def _row(game: Played | str) -> Any:
    if isinstance(game, str):
        return game
    measured = [[name, value.numerator, value.denominator] for name, value in game.measured]
    return [game.scores, game.winners, game.decisions, game.ended_by, game.limits, game.seen, game.marks, measured]


def _add(games: list[Games], line: str) -> None:
    check, _, text = line.partition(" ")
    if check != _sum(text):
        raise ValueError
    cell, first, rows = json.loads(text)
    for number, row in enumerate(rows, first):
        games[cell][number] = row if isinstance(row, str) else _played(*row)


def _played(
    scores: list[int],
    winners: list[int],
    decisions: int,
    ended_by: str,
    limits: list[str],
    seen: list[str],
    marks: Any,
    measured: Any,
) -> Played:
    told = tuple((name, times) for name, times in marks)
    values = tuple((name, Fraction(above, below)) for name, above, below in measured)
    return Played(tuple(scores), tuple(winners), decisions, ended_by, tuple(limits), tuple(seen), told, values)


def every(games: list[Games], count: int) -> Iterator[tuple[int, int, Played | str]]:
    """Cell by cell, game by game."""
    for cell, of_cell in enumerate(games):
        for number in range(count):
            yield cell, number, of_cell[number]
