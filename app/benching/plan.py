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
    yardsticks: dict[str, Path]  # clean Python, which promises are held against
    tuned: dict[str, Path]  # the same games in Python tuned by hand, for comparison
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
    for game in data.get("tuned", {}):
        if game not in data["yardsticks"]:
            raise UserError(f"{path}: `tuned` names `{game}`, which has no yardstick", remedy, FOUND)
    return Plan(
        {game: path.parent / file for game, file in data["yardsticks"].items()},
        {game: path.parent / file for game, file in data.get("tuned", {}).items()},
        data["others"],
        _growth(data["crowd"]),
        tuple(_growth(entry) for entry in data["growth"]),
        data["processes"],
    )


def _growth(entry: dict[str, Any]) -> Growth:
    return Growth(entry["game"], entry.get("option", ""), tuple(entry.get("values") or entry["players"]))
