"""The plan of a benchmark, a YAML file: which games have a yardstick, and which are watched while they grow.

In: a path. Out: a `Plan`, or a `UserError` that says what is wrong. The form is in schemas/bench_plan.schema.json.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import frozen

from cambist.dsl.diagnostics import Report
from cambist.dsl.sheets import read_tree
from cambist.dsl.source import SourceFile
from cambist.equivalents import plain
from cambist.files import read_text
from cambist.problems import FOUND, UserError
from cambist.schema_check import problems

USUAL = Path("benchmarks/plan.yaml")  # below the folder one is in


@frozen
class Growth:
    game: str
    option: str  # empty: the number of players grows
    values: tuple[int, ...]


@frozen
class Plan:
    yardsticks: dict[str, tuple[Path, ...]]  # clean Python, the middle of which promises are held against
    most_turns: dict[str, int]  # of the loop a decision: clean Python that takes more is left out
    tuned: dict[str, tuple[Path, ...]]  # the same games in Python tuned by hand, for comparison
    others: str  # the game whose yardstick the others are held against
    crowd: Growth
    growth: tuple[Growth, ...]
    processes: str


def read_plan(path: Path) -> Plan:
    text = read_text(path, "a plan of what to measure")
    report = Report()
    root = read_tree(SourceFile(str(path), text), report)
    remedy = "schemas/bench_plan.schema.json has its form"
    if root is None:
        first = report.sorted()[0]
        raise UserError(f"{path}, line {first.primary.span.line}: {first.message}", remedy, FOUND)
    data = plain(root)
    wrong = problems("bench_plan", data)
    if wrong:
        raise UserError(f"{path}: {wrong[0]}", remedy, FOUND)
    if data["others"] not in data["yardsticks"]:
        raise UserError(f"{path}: `others` names `{data['others']}`, which has no yardstick", remedy, FOUND)
    for part in ("tuned", "most_turns"):
        for game in data.get(part, {}):
            if game not in data["yardsticks"]:
                raise UserError(f"{path}: `{part}` names `{game}`, which has no yardstick", remedy, FOUND)
    return Plan(
        {game: _files(path.parent, files) for game, files in data["yardsticks"].items()},
        data.get("most_turns", {}),
        {game: _files(path.parent, file) for game, file in data.get("tuned", {}).items()},
        data["others"],
        _growth(data["crowd"]),
        tuple(_growth(entry) for entry in data["growth"]),
        data["processes"],
    )


def _files(folder: Path, files: str | list[str]) -> tuple[Path, ...]:
    return tuple(folder / file for file in ([files] if isinstance(files, str) else files))


def _growth(entry: dict[str, Any]) -> Growth:
    return Growth(entry["game"], entry.get("option", ""), tuple(entry.get("values") or entry["players"]))
