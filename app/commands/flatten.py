"""`cambist flatten`: a variant as a ruleset of its own, which needs no base."""

from __future__ import annotations

from pathlib import Path

import click

from cambist.commands.arguments import game_argument
from cambist.problems import UserError


@click.command("flatten", short_help="Print a variant as a ruleset that needs no base.")
@game_argument
@click.option(
    "-o", "--output", metavar="FILE|FOLDER", help="Where to write it, with the sheets it needs. [default: the screen]"
)
def command(game: str, output: str | None) -> int:
    """Print a variant with all that it inherits as one ordinary ruleset, which gives the same games.

    What is unchanged keeps its comments; of what was changed, only those above it are kept.
    """
    from cambist.dsl.api import flatten

    flat, gathered = flatten(game)
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
    path.parent.mkdir(parents=True, exist_ok=True)
    for place, text in files.items():
        from cambist.files import write_whole

        write_whole(place, text)
    click.echo(f"written to {path}{f', with {needed} beside it' if needed else ''}", err=True)
    return 0


def _refuse_to_overwrite(files: dict[Path, str], sources: set[Path]) -> None:
    """Neither what was read, nor a sheet of somebody else."""
    for number, (place, text) in enumerate(files.items()):
        if place.resolve() in sources:
            raise UserError(f"`{place}` is what the ruleset is read from", "name another file or folder")
        if number and place.exists() and place.read_text("utf-8", "replace") != text:
            raise UserError(f"`{place}` is there already and holds something else", "name another folder")
