"""`cambist strength`: games between two bots, seats rotated and deals paired, and which of them is the stronger."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    engine_option,
    game_argument,
    json_option,
    load,
    read_settings,
    settings_option,
    write_json,
)
from cambist.problems import INTERRUPTED, UserError

if TYPE_CHECKING:
    from cambist.strength import Duel, KeptDuels


@click.command("strength")
@game_argument
@click.option("--pair", default="greedy,random", metavar="A,B", show_default=True, help="The two bots.")
@click.option("--players", type=int, metavar="N", help="How many play. [default: as few as the game allows]")
@click.option("--games", type=click.IntRange(1), default=60, metavar="M", show_default=True, help="At least so many.")
@click.option("--seed", type=SEED, default=1, metavar="S", show_default=True, help="The same seed, the same games.")
@settings_option
@engine_option("compiled")
@click.option("--resume", is_flag=True, help="Keep each deal in .cambist/ and go on from there.")
@json_option
def command(
    game: str,
    pair: str,
    players: int | None,
    games: int,
    seed: int,
    settings: tuple[str, ...],
    engine: str,
    resume: bool,
    as_json: bool,
) -> int:
    """Tell which of two bots is the stronger.

    Every deal is played as often as there are seats: A sits on each of them once, copies of B on the others. The
    rate is A's part of the wins, with its 95 % interval; between equals it is one in N.
    """
    from cambist.seating import read_seats
    from cambist.strength import Duel, KeptDuels

    names = read_seats(pair)
    if len(names) != 2:
        raise UserError(f"--pair names {len(names)} bots", "name two: --pair mcts:50,greedy")
    loaded = load(game)
    count = loaded.players[0] if players is None else players
    if count < 2:
        if loaded.players[-1] < 2:
            raise UserError(f"`{loaded.name}` is for one player", "strength is measured between two")
        count = 2
    duel = Duel(loaded.machine(count, read_settings(settings), engine), names[0], names[1], seed)
    kept = KeptDuels(Path(".cambist"), duel) if resume else None
    stopped = _play(duel, games, kept)
    if as_json:
        write_json(duel.data())
    elif duel.dealt:
        _show(duel.data(), loaded.title)
    return INTERRUPTED if stopped else 0


def _play(duel: Duel, games: int, kept: KeptDuels | None) -> bool:
    """Whether somebody has stopped it; what is done stays."""
    wanted = -(-games // duel.players)
    del duel.dealt[wanted:]
    try:
        while len(duel.dealt) < wanted:
            duel.play()
            if kept is not None:
                kept.write()
            if sys.stderr.isatty():
                click.echo(f"\r{duel.games} games, {duel.rate:.0%} ", nl=False, err=True)
    except KeyboardInterrupt:
        return True
    finally:
        if sys.stderr.isatty():
            click.echo("\r\033[K", nl=False, err=True)
    return False


def _show(data: dict[str, Any], title: str) -> None:
    from cambist.dsl.render import printable

    first, second = data["first"], data["second"]
    click.echo(printable(f"{title}: {first} against {second}, {data['players']} players, {data['games']} games"))
    interval = f"95 %: {data['low']:.1%} to {data['high']:.1%}"
    click.echo(f"{first} wins {data['rate']:.1%} ({interval}); equals win {data['even']:.1%}")
    mine, theirs = data["mean_scores"]
    click.echo(f"mean scores: {mine:,.1f} and {theirs:,.1f}")
    verdicts = {
        "first": f"{first} is the stronger",
        "second": f"{second} is the stronger",
        "neither": "neither is shown to be the stronger: play more games",
    }
    click.echo(verdicts[data["verdict"]])
