"""`cambist compile`: the rules of a game as Python, and whether that plays exactly as the rules do."""

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
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.dsl.program import Program


@click.command("compile", short_help="Show the rules as Python, or compare the two engines.")
@game_argument
@players_option
@click.option("--show", is_flag=True, help="Print the Python that is made of the rules.")
@click.option(
    "--compare", "games", type=click.IntRange(1), metavar="N",
    help="Play N games on both engines and compare every choice, answer, state and result.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@settings_option
@json_option
def command(
    game: str,
    players: int | None,
    show: bool,
    games: int | None,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Compile a game for one number of players and one setting of its options.

    The reference interpreter is the judge of the compiled rules: with --compare the exit code is 1 if they differ.
    """
    loaded = load(game)
    count = how_many(loaded, players)
    program = loaded.machine(count, read_settings(settings)).program
    data = _made(program)
    text = data.pop("source")
    if games is not None:
        data |= _compared(program, seed, games)
    if as_json:
        write_json({**data, "source": text} if show else data)
    elif show:
        click.echo(text, nl=False)
    else:
        _tell(data, loaded.title)
    if games is not None and show and not as_json:
        _tell_comparison(data)
    return FOUND if data.get("difference") else 0


def _made(program: Program) -> dict[str, Any]:
    from cambist.interpreter.compiled.plan import NotCompiled
    from cambist.interpreter.compiled.shown import shown
    from cambist.interpreter.compiled.source import BULK, SILENT, source_of

    found: dict[str, Any] = {"game": program.game, "players": program.players, "options": dict(program.options)}
    try:
        text = "\n".join(shown(source_of(program, kind)) for kind in (SILENT, BULK))
    except NotCompiled as reason:
        return {**found, "compiled": False, "why": str(reason), "lines": 0, "source": ""}
    return {**found, "compiled": True, "why": "", "lines": text.count("\n"), "source": text}


def _compared(program: Program, seed: int, games: int) -> dict[str, Any]:
    from cambist.interpreter.side_by_side import Differs, Sides

    sides = Sides(program, plain=False)
    try:
        answers = sides.play(seed, games)
    except Differs as differs:
        return {"games": games, "answers": sides.compared, "difference": str(differs.difference)}
    return {"games": games, "answers": answers, "difference": None}


def _tell(data: dict[str, Any], title: str) -> None:
    from cambist.dsl.render import printable

    if data["compiled"]:
        click.echo(
            printable(f"{title}, {data['players']} players: {data['lines']:,} lines of Python; --show prints them")
        )
    else:
        click.echo(printable(f"{title} is played by the reference interpreter: {data['why']} are not compiled"))
    _tell_comparison(data)


def _tell_comparison(data: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    if "difference" not in data:
        return
    if data["difference"]:
        click.echo(printable(f"error: the engines differ: {data['difference']}"), err=True)
    else:
        click.echo(f"{data['games']:,} games, {data['answers']:,} answers: no difference", err=True)
