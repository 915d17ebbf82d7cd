"""`cambist bench`: how fast games are, beside hand-written Python where there is some."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cambist.commands.arguments import Number, how_many, json_option, write_json
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.benching.plan import Plan
    from cambist.game import Game


@click.command("bench", short_help="Measure how fast games are.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--rounds", type=click.IntRange(1), default=5, metavar="N", show_default=True, help="The median counts.")
@click.option(
    "--seconds", type=Number(0, min_open=True), default=0.1, metavar="S", show_default=True,
    help="CPU time of each turn.",
)  # fmt: skip
@click.option("--plan", metavar="FILE", help="What to measure besides. [default: benchmarks/plan.yaml, if it is there]")
@click.option("--baseline", metavar="FILE", help="Compare with this; exit code 1 if a ratio is a fifth worse.")
@click.option(
    "--write-baseline",
    metavar="[FILE]",
    is_flag=False,
    flag_value="benchmarks/baseline.json",
    help="Write the ratios of this run. [benchmarks/baseline.json]",
)
@click.option(
    "--readme", metavar="[FILE]", is_flag=False, flag_value="README.md",
    help="Write the table between its marks in this file. [README.md]",
)  # fmt: skip
@json_option
def command(
    games: tuple[str, ...],
    rounds: int,
    seconds: float,
    plan: str | None,
    baseline: str | None,
    write_baseline: str | None,
    readme: str | None,
    as_json: bool,
) -> int:
    """Measure games (all that are shipped, if none is named): whole random games, answer by answer, clones,
    options, saves, loading, memory, with both engines, on one core.

    A plan names yardsticks, the same games written by hand in clean Python, which take turns with ours:
    their ratios are held against what is promised. It may name tuned ones, too: ratios against them are told
    beside. Exit code 1 if a promise is missed or a ratio is worse than the baseline's by more than a fifth.
    """
    from cambist.benching import report
    from cambist.benching.bench import Bench
    from cambist.game import shipped

    before = None
    if baseline is not None and (write_baseline is None or Path(baseline).exists()):
        before = report.read_baseline(Path(baseline))
    if readme is not None:
        report.around_table(Path(readme))  # whatever is wrong is told before anything is measured
    bench = Bench(games or shipped(), _players, rounds, seconds, _plan(plan), _say)
    data = bench.measured()
    if as_json:
        write_json(data)
    else:
        report.show(data)
    wrong = [f"missed: {line}" for line in report.missed(data)]
    if before is not None:
        wrong += [f"worse than before: {line}" for line in report.regressions(before, data)]
    if write_baseline is not None:
        report.write_baseline(Path(write_baseline), data)
    if readme is not None:
        report.write_readme(Path(readme), data)
    for line in wrong:
        click.echo(line, err=True)
    return FOUND if wrong else 0


def _players(game: Game) -> int:
    return how_many(game, None)


def _plan(named: str | None) -> Plan | None:
    from cambist.benching.plan import USUAL, read_plan

    if named is not None:
        return read_plan(Path(named))
    return read_plan(USUAL) if USUAL.exists() else None


def _say(what: str) -> None:
    """What is measured now, for those who watch."""
    if sys.stderr.isatty():
        click.echo(f"measuring: {what}", err=True)
