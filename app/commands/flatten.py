"""`cambist flatten`: a variant as a ruleset of its own, which needs no base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cambist.commands.arguments import game_argument, json_option, load, write_json
from cambist.problems import FOUND, UserError

if TYPE_CHECKING:
    from cambist.dsl.flatten import Flat
    from cambist.game import Game


@click.command("flatten", short_help="Print a variant as a ruleset that needs no base.")
@game_argument
@click.option(
    "-o", "--output", metavar="FILE|FOLDER", help="Where to write it, with the sheets it needs. [default: the screen]"
)
@click.option(
    "--compare", type=click.IntRange(1), metavar="N",
    help="Instead of printing it: play N random games of both, and tell whether they are the same to the last answer.",
)  # fmt: skip
@json_option
def command(game: str, output: str | None, compare: int | None, as_json: bool) -> int:
    """Print a variant with all that it inherits as one ordinary ruleset, which gives the same games.

    What is unchanged keeps its comments; of what was changed, only those above it are kept.
    """
    from cambist.dsl.api import flatten

    if as_json and compare is None:
        raise UserError("`--json` tells what `--compare` found", "give both")
    flat, gathered = flatten(game)
    if compare is not None:
        return _compare(game, flat, gathered.game.name.text, compare, as_json)
    needed = ", ".join(sorted(flat.beside))
    if output is None or output == "-":
        click.echo(flat.text, nl=False)
        if needed:
            click.echo(f"it needs {needed} beside it; `-o FOLDER` writes all of it", err=True)
        return 0
    path = Path(output)
    if path.suffix != ".rules":
        path = path / f"{gathered.game.name.text}.rules"
    files = {path: flat.text, **{path.parent / name: text for name, text in flat.beside.items()}}
    _refuse_to_overwrite(files, {home.resolve() for home in gathered.homes.values() if home is not None})
    _write(files)
    click.echo(f"written to {path}{f', with {needed} beside it' if needed else ''}", err=True)
    return 0


def _refuse_to_overwrite(files: dict[Path, str], sources: set[Path]) -> None:
    """Neither what was read, nor a sheet of somebody else."""
    for number, (place, text) in enumerate(files.items()):
        if place.resolve() in sources:
            raise UserError(f"`{place}` is what the ruleset is read from", "name another file or folder")
        if number and place.exists() and place.read_text("utf-8", "replace") != text:
            raise UserError(f"`{place}` is there already and holds something else", "name another folder")


def _write(files: dict[Path, str]) -> None:
    from cambist.files import write_whole

    for place, text in files.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, text)


def _compare(given: str, flat: Flat, name: str, games: int, as_json: bool) -> int:
    """Random games of both, with each number of players in turn, written down and compared."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.rules"
        _write({path: flat.text, **{path.parent / beside: text for beside, text in flat.beside.items()}})
        one, other = load(given), load(str(path))
        seats = [one.players[seed % len(one.players)] for seed in range(games)]
        tried = zip(range(games), seats, strict=True)
        different = [seed for seed, at in tried if _record(one, at, seed) != _record(other, at, seed)]
    if as_json:
        write_json({"game": name, "games": games, "different": different})
    elif different:
        click.echo(f"{len(different)} of {games} games are different, the first with seed {different[0]}")
    else:
        click.echo(f"{games} games of {name} and of its flattened text are the same")
    return FOUND if different else 0


def _record(game: Game, players: int, seed: int) -> str:
    from cambist.interpreter.explore import bot_source
    from cambist.interpreter.log import as_text
    from cambist.interpreter.replay import Recorder, record_random

    recorder = Recorder(game.machine(players, {}), seed, 0)
    fault = record_random(recorder, bot_source(seed, 0))
    return as_text(recorder.record(game.name, {}, fault))
