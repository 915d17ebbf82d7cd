"""`cambist profile`: which lines of the rules take the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    game_argument,
    how_many,
    json_option,
    load,
    players_option,
    read_settings,
    settings_option,
    write_json,
)

if TYPE_CHECKING:
    from cambist.profiling import Line

ORDERS = ("time", "times")
WIDTH = 110  # of a table that goes into a file


@click.command("profile", short_help="Tell which lines of the rules take the time.")
@game_argument
@players_option
@click.option("--games", type=click.IntRange(1), default=20, metavar="M", show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@click.option("--top", type=click.IntRange(1), default=15, metavar="N", show_default=True, help="So many lines.")
@click.option(
    "--by", type=click.Choice(ORDERS), default="time", show_default=True, help="What to sort by: time, or times run."
)
@settings_option
@json_option
def command(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    top: int,
    by: str,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play random games and tell which lines of the rules took the time, and how often each ran.

    A line's time is its own: what a definition takes that it uses is the definition's. Finding out what may
    be answered is the work of the line that asks. Measured with the plain interpreter.
    """
    from cambist.interpreter.explore import play_random
    from cambist.profiling import Profile

    loaded = load(game)
    program = loaded.machine(how_many(loaded, players), read_settings(settings)).program
    profile = Profile(program)

    def play(machine: Any) -> None:
        for number in range(games):
            play_random(machine, seed, number)

    profile.play(play)
    lines = profile.lines()
    if by == "times":
        lines.sort(key=lambda line: (-line.times, -line.seconds))
    data = {
        "game": program.game,
        "players": program.players,
        "games": games,
        "seed": seed,
        "seconds": round(profile.seconds, 6),
        "lines": [_data(line, profile.seconds) for line in lines],
    }
    if as_json:
        write_json(data)
    else:
        _show(data, loaded.title, top)
    return 0


def _data(line: Line, seconds: float) -> dict[str, Any]:
    return {
        "file": line.file,
        "line": line.line,
        "text": line.text,
        "share": round(line.seconds / seconds, 6) if seconds else 0,
        "seconds": round(line.seconds, 6),
        "times": line.times,
    }


def _show(data: dict[str, Any], title: str, top: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cambist.dsl.render import printable

    console = Console(highlight=False)
    rows = [_row(line) for line in data["lines"][:top]]
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    left = max(30, console.width - sum(max(9, *(len(row[place]) for row in rows)) for place in range(4)) - 14)
    console.print(
        Text(f"{printable(title)}: {data['games']:,} games of {data['players']} players, {data['seconds']:.2f} s")
    )
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("time", "times run", "µs each"):
        table.add_column(heading, justify="right")
    for heading in ("where", "rule"):
        table.add_column(heading)
    for *parts, rule in rows:
        table.add_row(*map(Text, parts), Text(rule if len(rule) <= left else f"{rule[: left - 1]}…"))
    console.print(table)
    shown = sum(line["share"] for line in data["lines"][:top])
    rest = len(data["lines"]) - top
    if rest > 0:
        more = sum(line["share"] for line in data["lines"]) - shown
        console.print(Text(f"{rest} more lines: {more:.1%}"))
    console.print(Text(f"the machine itself: {1 - sum(line['share'] for line in data['lines']):.1%}"))


def _row(line: dict[str, Any]) -> tuple[str, ...]:
    from cambist.dsl.render import printable

    each = line["seconds"] / line["times"] * 1e6 if line["times"] else 0
    where = printable(f"{line['file'].rsplit('/', 1)[-1]}:{line['line']}")
    return f"{line['share']:.1%}", f"{line['times']:,}", f"{each:,.1f}", where, _rule(line["text"])


def _rule(text: str) -> str:
    """A line without its note."""
    from cambist.dsl.render import printable

    for note in ("  cites", "  assumed", "  #"):
        text = text.split(note)[0]
    return printable(text.strip())
