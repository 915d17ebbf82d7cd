"""`cambist play`: a person plays in the terminal, against bots or with others at the same screen."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cambist.commands.arguments import (
    SEED,
    engine_option,
    how_many,
    load,
    players_option,
    read_settings,
    settings_option,
)
from cambist.problems import UserError

if TYPE_CHECKING:
    from cambist.game import Game
    from cambist.stored import Stored


@click.command("play")
@click.argument("game", required=False)
@players_option
@click.option(
    "--seats", metavar="you,greedy,...", help="Who sits where: you, random, greedy, mcts:N. [default: you, then random]"
)
@click.option("--seed", type=SEED, metavar="S", help="The same seed, the same deal. [default: a new one]")
@settings_option
@engine_option("reference")
@click.option("--save", "save", metavar="FILE", help="Save here after every answer.")
@click.option("--load", "loaded", metavar="FILE", help="Go on with a saved game; GAME may be left out.")
def command(
    game: str | None,
    players: int | None,
    seats: str | None,
    seed: int | None,
    settings: tuple[str, ...],
    engine: str,
    save: str | None,
    loaded: str | None,
) -> int:
    """Play a game in the terminal.

    Type `help` while playing to see what you can type. `quit` or the end of the input saves the game.
    """
    from cambist.session import Session
    from cambist.table import screen

    if loaded is not None:
        fixed = {"--players": players, "--seats": seats, "--seed": seed, "--option": settings or None}
        for name, value in fixed.items():
            if value is not None:
                raise UserError(f"{name} is fixed by the saved game", f"leave {name} out")
        stored = _go_on(Path(loaded), game, engine)
    elif game is None:
        raise UserError("which game?", "`cambist games` lists them; `cambist play GAME` plays one")
    else:
        stored = _begin(game, players, seats, seed, settings, engine)
    path = _save_path(save, loaded)
    return Session(stored, screen(), _line_reader(), path, autosave=save is not None).run()


def _go_on(path: Path, game: str | None, engine: str) -> Stored:
    from cambist.stored import read

    return read(path, game, engine)


def _begin(
    game: str, players: int | None, seats: str | None, seed: int | None, settings: tuple[str, ...], engine: str
) -> Stored:
    import secrets

    from cambist.stored import Stored

    loaded = load(game)
    kinds = _seats(loaded, players, seats)
    number = secrets.randbelow(10**6) if seed is None else seed
    match = loaded.start(len(kinds), number, read_settings(settings), _names(kinds), engine)
    rules = str(Path(game).resolve()) if game.endswith(".rules") else game
    return Stored(loaded, rules, kinds, match)


def _seats(game: Game, players: int | None, seats: str | None) -> tuple[str, ...]:
    from cambist.seating import read_seats
    from cambist.stored import PERSON, RANDOM

    if seats is None:
        return (PERSON, *[RANDOM] * (how_many(game, players) - 1))
    kinds = read_seats(seats, (PERSON,))
    if players is not None and players != len(kinds):
        raise UserError(f"--seats names {len(kinds)} players, --players {players}", "leave one of them out")
    return kinds


def _names(kinds: tuple[str, ...]) -> list[str]:
    """`you` and `bot2` …; several persons are `you1`, `you2` …"""
    from cambist.stored import PERSON

    alone = kinds.count(PERSON) == 1
    return [
        (PERSON if alone else f"{PERSON}{seat}") if kind == PERSON else f"bot{seat}"
        for seat, kind in enumerate(kinds, 1)
    ]


def _save_path(save: str | None, loaded: str | None) -> Path | None:
    if save is None:
        return None if loaded is None else Path(loaded)
    if not save.strip():
        raise UserError("--save needs the name of a file", "name one, or leave --save out: `quit` makes up a name")
    path = Path(save)
    if path.is_dir():
        raise UserError(f"`{save}` is a folder", f"name a file in it: `--save {path / 'NAME.json'}`")
    if path.exists() and (loaded is None or path.resolve() != Path(loaded).resolve()):
        raise UserError(f"`{save}` exists already", f"go on with `--load {save}`, or save under another name")
    if not path.parent.is_dir():
        raise UserError(f"there is no folder `{path.parent}`", "make it first, or save elsewhere")
    return path


def _line_reader() -> Callable[[str], str]:
    """`input` with the arrow keys of a terminal, where there is one."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401
        except ImportError:
            pass
    return input
