"""The games of a run as a Parquet file, one row a game. The only file that knows polars.

In: cells and their games. Out: a file, written whole or not at all, and the same bytes for the same games whoever
played them. Scores are whole numbers, or exact decimals where the unit has steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cambist.dsl import program as p
from cambist.files import must_be_writable, replacing
from cambist.interpreter.values import in_units
from cambist.problems import UserError
from cambist.simulation.unfinished import Games, every
from cambist.simulation.work import Cell

ENDING = ".parquet"
ROWS_A_GROUP = 100_000  # fixed, so that the bytes do not depend on the machine


def writable(out: Path) -> None:
    """Says at once what would go wrong only when everything is played."""
    if out.suffix != ENDING:
        raise UserError(f"`{out}` does not end in `{ENDING}`", f"--out writes Parquet: name it `{out.stem}{ENDING}`")
    if find_spec("polars") is None:
        raise UserError("--out needs polars, which is not installed", "pip install 'cambist[tables]'")
    must_be_writable(out)


def write(
    out: Path, cells: Sequence[Cell], words: Sequence[dict[str, int | str]], games: list[Games], count: int
) -> None:
    """`words`: the options of each cell as people write them."""
    import polars as pl

    measures = _measures(games)
    columns, schema = _empty(cells, words, [*measures.values()])
    for cell, number, game in every(games, count):
        _add_row(columns, cells[cell].program, words[cell], cells[cell].seed, number, game, measures)
    frame = pl.DataFrame(columns, schema=schema)
    with replacing(out) as path:
        frame.write_parquet(path, row_group_size=ROWS_A_GROUP, statistics=True)


def _empty(
    cells: Sequence[Cell], words: Sequence[dict[str, int | str]], measures: list[str]
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    import polars as pl

    program = cells[0].program
    scale = scale_of(program)
    digits = _digits(scale)
    schema: dict[str, Any] = {"game": pl.String, "players": pl.Int16}
    for name, value in words[0].items():
        schema[f"option_{name}"] = pl.Int64 if isinstance(value, int) else pl.String
    schema |= {
        "seed": pl.Int64,
        "number": pl.Int64,
        "decisions": pl.Int32,
        "scores": pl.List(pl.Int64 if scale == 1 else pl.Decimal(38, digits)),
        "winners": pl.List(pl.Int16),
        "seat": pl.Int16,
        "ended_by": pl.String,
    }
    schema |= {name: pl.Int32 for cell in cells for name in _counted(cell.program)}
    schema |= dict.fromkeys(measures, pl.Float64)  # means of a game, which need not end after the point
    return {name: [] for name in schema}, schema


def _add_row(
    columns: dict[str, list[Any]],
    program: p.Program,
    words: dict[str, int | str],
    seed: int,
    number: int,
    game: Any,
    measures: dict[str, str],
) -> None:
    row: dict[str, Any] = {"game": program.game, "players": program.players, "seed": seed, "number": number}
    row |= {f"option_{name}": value for name, value in words.items()}
    if isinstance(game, str):
        row["ended_by"] = f"fault {game}"
    else:
        scale = scale_of(program)
        scores = game.scores if scale == 1 else [Decimal(in_units(score, scale)) for score in game.scores]
        seats = [seat + 1 for seat in game.winners]
        row |= {
            "decisions": game.decisions,
            "scores": list(scores),
            "winners": seats,
            "seat": seats[0] if len(seats) == 1 else None,
            "ended_by": game.ended_by,
        }
        row |= dict.fromkeys(_counted(program), 0)
        row |= {f"limit_{name}": 1 for name in game.limits} | {f"mark_{name}": times for name, times in game.marks}
        row |= {measures[name]: float(value) for name, value in game.measured}
    for name, column in columns.items():
        column.append(row.get(name))


def _measures(games: list[Games]) -> dict[str, str]:
    """A column for every `measure`, of each thing it is of, if they were taken. Where two would have one column, the
    later name has a number behind it."""
    played = [game for of_cell in games for game in of_cell.values() if not isinstance(game, str)]
    found: dict[str, str] = {}
    for name in sorted({name for game in played for name, _ in game.measured}):
        column = alone = "measure_" + name.replace(" ", "_")
        number = 1
        while column in found.values():
            number += 1
            column = f"{alone}_{number}"
        found[name] = column
    return found


def _counted(program: p.Program) -> list[str]:
    """A column for everything that the rules mark, and for every assumed limit."""
    found = {
        f"{'limit' if node.limit else 'mark'}_{node.name}"
        for procedure in program.procedures
        for node in procedure.code
        if isinstance(node, p.IMark)
    }
    return sorted(found)


def scale_of(program: p.Program) -> int:
    """Steps in a unit of the score."""
    meaning = program.score_meaning
    if meaning.word != "amount":
        return 1
    return next((f.scale for f in program.accounts if f.unit == meaning.name), 1)


def _digits(scale: int) -> int:
    """After the point, of the smallest step."""
    _, _, behind = in_units(1, scale).partition(".")
    return len(behind)
