"""`cambist simulate`: many random games, what came out and how fast. With --check everything that must hold
is tested.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from shlex import quote
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    engine_option,
    game_argument,
    how_many,
    json_option,
    load,
    players_option,
    read_settings,
    settings_option,
    write_json,
)
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.interpreter.api import Fault, Machine
    from cambist.interpreter.explore import Tally


@click.command("simulate")
@game_argument
@players_option
@click.option("--games", type=click.IntRange(1), default=100, metavar="M", show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@click.option("--check", is_flag=True, help="Test invariants, money and components at every choice.")
@settings_option
@engine_option("compiled")
@json_option
def command(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    check: bool,
    settings: tuple[str, ...],
    engine: str,
    as_json: bool,
) -> int:
    """Play games at random and tell what came out.

    Game number k (from 0) depends on the seed and k alone. Exit code 1 if the rules failed in some game;
    the first such game is shown.
    """
    loaded = load(game)
    machine = loaded.machine(how_many(loaded, players), read_settings(settings), engine)
    begun = perf_counter()
    tally, errors, first = _run(machine, games, seed, check, loaded.title)
    data = _data(machine, tally, games, seed, errors, perf_counter() - begun)
    if check:
        from cambist.interpreter.explore import reachable

        data["reached"] |= {name: tally.seen.get(name, 0) for name in reachable(machine)}
    if as_json:
        write_json(data)
    else:
        _show(data, loaded.title)
    if first is not None:
        again = f"cambist record {quote(game)} --players {machine.program.players} --seed {seed} --game {first[0]}"
        settled = "".join(f" --option {quote(setting)}" for setting in settings)
        _show_fault(first[1], f"{again}{settled} -o FILE")
    return FOUND if errors else 0


def _run(
    machine: Machine, games: int, seed: int, check: bool, title: str
) -> tuple[Tally, int, tuple[int, Fault] | None]:
    """All the games; how many failed, and the first that did."""
    from cambist.interpreter.api import Fault
    from cambist.interpreter.explore import Tally, play_random
    from cambist.interpreter.soundness import Soundness

    sound = Soundness(machine) if check else None
    tally, errors, first = Tally(machine.program.players), 0, None
    for number in _shown_progress(games, title):
        try:
            tally.add(play_random(machine, seed, number, check, sound))
        except Fault as fault:
            errors += 1
            if first is None:
                first = (number, fault)
    return tally, errors, first


def _shown_progress(games: int, title: str) -> Iterator[int]:
    """0 … games-1, with a bar for those who watch."""
    if not sys.stderr.isatty() or games < 2:
        yield from range(games)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    from cambist.dsl.render import printable

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(printable(title)), total=games)
        shown = perf_counter()
        for number in range(games):
            yield number
            if (now := perf_counter()) - shown > 0.1:
                progress.update(task, completed=number + 1)
                shown = now


def _data(machine: Machine, tally: Tally, games: int, seed: int, errors: int, seconds: float) -> dict[str, Any]:
    program = machine.program
    meaning = program.score_meaning
    scale = 1
    if meaning.word == "amount":
        scale = next((f.scale for f in program.accounts if f.unit == meaning.name), 1)
    from cambist.interpreter.values import in_units

    played = tally.games
    return {
        "game": program.game,
        "players": program.players,
        "games": games,
        "seed": seed,
        "decisions": tally.decisions,
        "seconds": round(seconds, 6),
        "games_per_s": round(games / seconds, 2),
        "decisions_per_s": round(tally.decisions / seconds, 2),
        "mean_scores": [round(s / (played * scale), 4) if played else None for s in tally.scores],
        "total_scores": [in_units(s, scale) for s in tally.scores],
        "wins_by_seat": tally.wins,
        "ended_by": dict(sorted(tally.ended_by.items())),
        "errors": errors,
        "reached": {},  # looked for with --check only
    }


def _show(data: dict[str, Any], title: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cambist.dsl.render import printable

    console = Console(highlight=False)
    played = data["games"] - data["errors"]
    console.print(
        Text(f"{printable(title)}: {data['games']:,} games of {data['players']} players, seed {data['seed']}")
    )
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("seat", "mean score", "wins"):
        table.add_column(heading, justify="right")
    for seat, (mean, wins) in enumerate(zip(data["mean_scores"], data["wins_by_seat"], strict=True), 1):
        won = f"{wins} ({wins / played:.1%})" if played else "-"
        table.add_row(str(seat), "-" if mean is None else f"{mean:,.2f}", won)
    console.print(table)
    for reason, count in data["ended_by"].items():
        console.print(Text(f"ended by {printable(reason)}: {count:,}"))
    for name, count in data["reached"].items():
        console.print(Text(f"{printable(name)}: reached in {count:,} of {played:,} games"))
    a_game = data["decisions"] / played if played else 0
    console.print(Text(
        f"{data['decisions']:,} decisions ({a_game:,.0f} a game) in {data['seconds']:.2f} s: "
        f"{data['games_per_s']:,.0f} games/s, {data['decisions_per_s']:,.0f} decisions/s"
    ))  # fmt: skip
    console.print(Text(f"{data['errors']} games failed" if data["errors"] else "no errors"))


def _show_fault(fault: Fault, again: str) -> None:
    from cambist.dsl.render import printable, render

    click.echo(render(fault.diagnostic), err=True)
    click.echo(printable(f"note: `{again}` writes that game down"), err=True)
