"""`cambist assumptions`: tries the other values of what is assumed and says which of them change anything."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    game_argument,
    how_many,
    json_option,
    load,
    players_option,
    settings_option,
    write_json,
)

if TYPE_CHECKING:
    from cambist.assuming import Alternative, Assumption


@click.command("assumptions", short_help="Try the other values of what is assumed: what changes?")
@game_argument
@players_option
@click.option("--games", type=click.IntRange(1), default=100, metavar="N", show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@settings_option
@json_option
def command(game: str, players: int | None, games: int, seed: int, settings: tuple[str, ...], as_json: bool) -> None:
    """Put the other values of every `assumed because … or A, B` into the rules, one at a time, run the examples, play
    each random game with both, and say what changes. An assumed option is set to its neighbours. What names no other
    values is listed as such.
    """
    from cambist.assuming import Trial
    from cambist.dsl import api as dsl

    loaded = load(game, settings)
    gathered, _ = dsl.gathered(game)
    seats = how_many(loaded, players)
    trial = Trial(gathered, loaded, seats, games, seed)
    found = []
    for one in trial.assumptions():
        found.append(one)
        if sys.stderr.isatty():
            click.echo(f"\r{len(found)} assumptions ", err=True, nl=False)
    if sys.stderr.isatty():
        click.echo("\r" + " " * 30 + "\r", err=True, nl=False)
    if as_json:
        told = [_data(one) for one in found]
        write_json({"game": loaded.name, "players": seats, "games": games, "seed": seed, "assumptions": told})
    else:
        _show(loaded.title, seats, games, found)


def _data(one: Assumption) -> dict[str, Any]:
    return {
        "rule": one.noted.rule,
        "file": one.noted.span.file.name,
        "line": one.noted.span.line,
        "because": one.note.because,
        "value": one.value,
        "alternatives": [_alternative(other) for other in one.alternatives],
    }


def _alternative(other: Alternative) -> dict[str, Any]:
    return {
        "value": other.value,
        "refused": other.refused,
        "same_program": other.same_program,
        "breaks": list(other.breaks),
        "games_changed": other.changed,
        "winner_changed": other.winner,
        "failed": other.failed,
        "says": other.says,
    }


def _show(title: str, players: int, games: int, found: list[Assumption]) -> None:
    from cambist.dsl.render import printable

    def say(text: str) -> None:
        click.echo(printable(text))

    tried = [one for one in found if one.alternatives]
    for one in tried:
        place = f"{one.noted.span.file.name}:{one.noted.span.line}"
        say(f"{one.noted.rule} ({place}): {one.value}, because {one.note.because}")
        for other in one.alternatives:
            say(f"  {other.value}: {other.says}")
    rest = [one for one in found if not one.alternatives]
    if rest:
        say(f"no other values are named for {len(rest)} of {len(found)} assumptions:")
        for one in rest:
            place = f"{one.noted.span.file.name}:{one.noted.span.line}"
            say(f"  {one.noted.rule} ({place}): {one.note.because}")
    say(f"{title}: {len(found)} assumptions, {len(tried)} with other values; {games} games of {players} players each")
