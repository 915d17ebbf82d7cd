"""`cambist compare`: plays two rulesets in pairs of games and tells what the second changes."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    how_many,
    json_option,
    load_set,
    players_option,
    seats_option,
    settings_option,
    settled_words,
    who_plays,
    write_json,
)
from cambist.commands.diff import compared
from cambist.commands.report import told_of_failed
from cambist.problems import FOUND, UserError

if TYPE_CHECKING:
    from cambist.game import Game
    from cambist.interpreter.gathering import Gathered
    from cambist.report.data import Setting

NAME = 24  # columns that the name of a figure needs beside its numbers


@click.command("compare", short_help="Play two rulesets in pairs and tell what the second changes.")
@click.argument("a", metavar="GAME")
@click.argument("b", metavar="OTHER")
@players_option
@seats_option
@click.option("--games", type=click.IntRange(2), default=200, metavar="M", show_default=True, help="How many of each.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, metavar="J", show_default=True,
    help="Processes that play. The result is the same.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Where to write a page (HTML). [default: only the screen]")
@settings_option
@json_option
def command(
    a: str,
    b: str,
    players: int | None,
    seats: str | None,
    games: int,
    seed: int,
    jobs: int,
    output: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play both rulesets, game by game with the same seeds, and tell what is different in OTHER: who wins, scores,
    length, what is used, the measures of both, each with a 95 % interval, sorted by what changed most. What chance
    alone explains is not called a change, however many figures are looked at. On top stands what is different in the
    rules, as `cambist diff` tells it.

    Settings of options stand behind a colon: `cambist compare money money:deals=5`.

    Exit code 1 if the rules failed in some game.
    """
    from cambist.files import must_be_writable, write_whole
    from cambist.report.compare_page import compare_page
    from cambist.report.comparing import compare_data, rules_data
    from cambist.report.data import report_data

    if output is not None:
        must_be_writable(Path(output))
    sides = [load_set(name, settings) for name in (a, b)]
    names = _who_plays(sides, players, seats)
    count = len(names)
    (first, one), (second, two) = (_played(game, names, games, seed, jobs) for game in sides)
    data = compare_data(first, second, one, two) | {"rules": rules_data(compared(*sides))}
    if output is not None:
        settled = "".join(f" --option {quote(setting)}" for setting in settings)
        who = f"--seats {','.join(names)}" if seats else f"--players {count}"
        made_by = f"cambist compare {quote(a)} {quote(b)} {who} --games {games} --seed {seed}{settled}"
        write_whole(Path(output), compare_page(data, report_data(first, one), report_data(second, two), made_by))
    if as_json:
        write_json(data)
    else:
        _show(data)
        if output is not None:
            click.echo(f"the page is in {output}", err=True)
    failed = [told_of_failed(found, game, count, seed, settings) for game, found in ((a, one), (b, two))]
    return FOUND if any(failed) else 0


def _who_plays(games: list[Game], players: int | None, seats: str | None) -> tuple[str, ...]:
    """As many as both can have."""
    if players is not None or seats is not None:
        return [who_plays(game, players, seats) for game in games][0]
    both = [n for n in games[0].players if n in games[1].players]
    if not both:
        for_whom = " and ".join(f"{game.title} is for {game.players[0]} to {game.players[-1]}" for game in games)
        raise UserError(f"no number of players fits both: {for_whom}", "compare rulesets that as many can play")
    comfortable = how_many(games[0], None)
    return ("random",) * (comfortable if comfortable in both else both[-1])


def _played(game: Game, seats: tuple[str, ...], games: int, seed: int, jobs: int) -> tuple[Setting, Gathered]:
    from cambist.report.data import Setting
    from cambist.report.playing import gather
    from cambist.simulation.progress import shown_progress

    program = game.machine(len(seats)).program
    with shown_progress(game.title, games, 0) as heard:
        gathered = gather(program, seats, seed, games, jobs, heard)
    words = settled_words(game, program.options)
    return Setting(game, program, words, seats, games, seed), gathered


def _show(data: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cambist.dsl.render import printable
    from cambist.report.compare_page import HEADS, MOST_ROWS, changes, row, summary

    console = Console(highlight=False)
    for text in summary(data):
        console.print(Text(printable(text)))
    shown = changes(data)[:MOST_ROWS]
    if not shown:
        return
    rows = [[printable(cell) for cell in row(figure)] for figure in shown]
    console.print()
    numbers = [max(map(len, column)) for column in list(zip(HEADS, *rows, strict=True))[1:]]
    if console.width < NAME + sum(numbers) + 3 * len(numbers):  # no table could name its rows
        for name, *cells in rows:
            console.print(Text(name))
            told = ", ".join(f"{head} {cell}" for head, cell in zip(HEADS[1:], cells, strict=True))
            console.print(Text(f"  {told}"), soft_wrap=False)
        return
    table = Table(show_edge=False, pad_edge=False)
    for place, heading in enumerate(HEADS):
        table.add_column(heading, justify="right" if place else "left", no_wrap=bool(place))
    for cells in rows:
        table.add_row(*map(Text, cells))
    console.print(table)
