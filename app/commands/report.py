"""`cambist report`: plays many games of one ruleset and writes a page about them."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from cambist.commands.arguments import (
    SEED,
    game_argument,
    json_option,
    load,
    players_option,
    seats_option,
    settings_option,
    settled_words,
    who_plays,
    write_json,
)
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.interpreter.gathering import Gathered

MANY = 300  # games that are worth a second process


@click.command("report", short_help="Play many games and write a page about what they are like.")
@game_argument
@players_option
@seats_option
@click.option("--games", type=click.IntRange(1), default=200, metavar="M", show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="J", show_default="two for many games, if there are two cores",
    help="Processes that play. The result is the same.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Where to write the page (HTML). [default: only a summary]")
@settings_option
@json_option
def command(
    game: str,
    players: int | None,
    seats: str | None,
    games: int,
    seed: int,
    jobs: int | None,
    output: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play many games and tell what they are like: who wins from which seat, scores, length, choices, how often each
    action, card and market is used, prices and money over time, the ruleset's own measures, and rules never used.

    The page is one file that needs nothing else. Exit code 1 if the rules failed in some game.
    """
    from cambist.files import must_be_writable, write_whole
    from cambist.report.data import Setting, report_data
    from cambist.report.playing import gather
    from cambist.report.report_page import report_page
    from cambist.report.sentences import summary
    from cambist.simulation.progress import shown_progress

    if output is not None:
        must_be_writable(Path(output))
    loaded = load(game, settings)
    names = who_plays(loaded, players, seats)
    machine, count = loaded.machine(len(names)), len(names)
    with shown_progress(loaded.title, games, 0) as heard:
        several = 2 if games >= MANY and (os.cpu_count() or 1) > 1 else 1
        gathered = gather(machine.program, names, seed, games, jobs or several, heard)
    words = settled_words(loaded, machine.program.options)
    data = report_data(Setting(loaded, machine.program, words, names, games, seed), gathered)
    if output is not None:
        settled = "".join(f" --option {quote(setting)}" for setting in settings)
        who = f"--seats {','.join(names)}" if seats else f"--players {count}"
        made_by = f"cambist report {quote(game)} {who} --games {games} --seed {seed}{settled}"
        write_whole(Path(output), report_page(data, made_by))
    if as_json:
        write_json(data)
    else:
        _show(summary(data), output)
    return FOUND if told_of_failed(gathered, game, count, seed, settings) else 0


def told_of_failed(gathered: Gathered, game: str, players: int, seed: int, settings: tuple[str, ...]) -> bool:
    """Whether the rules failed in some game; the first such game is named, with the way to look at it."""
    for number, fault in sorted(gathered.failed.items())[:1]:
        from cambist.dsl.render import printable

        settled = "".join(f" --option {quote(setting)}" for setting in settings)
        again = f"cambist record {quote(game)} --players {players} --seed {seed} --game {number}{settled} -o FILE"
        click.echo(printable(f"error: {len(gathered.failed)} games failed; game {number}: {fault}"), err=True)
        click.echo(printable(f"help: `{again}` writes that game down"), err=True)
    return bool(gathered.failed)


def _show(sentences: list[str], output: str | None) -> None:
    from cambist.dsl.render import printable

    for sentence in sentences:
        click.echo(printable(sentence))
    if output is None:
        click.echo("note: `-o report.html` writes a page with plots", err=True)
    else:
        size = Path(output).stat().st_size if Path(output).is_file() else 0
        click.echo(f"the page is in {output} ({size // 1024 + 1} KB)", err=True)
