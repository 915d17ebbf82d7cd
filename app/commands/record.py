"""`cambist record`: one random game written down so that it can be read, compared and played again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

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
    settled_words,
)
from cambist.problems import FOUND


@click.command("record", short_help="Play one random game and write it down.")
@game_argument
@players_option
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same game.")
@click.option(
    "--game", "number", type=click.IntRange(0, 2**53), default=0, metavar="K", show_default=True,
    help="Which game of that seed, as `simulate` counts them.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Where to write it. [default: the screen]")
@settings_option
@engine_option("reference")
@json_option
def command(
    game: str,
    players: int | None,
    seed: int,
    number: int,
    output: str | None,
    settings: tuple[str, ...],
    engine: str,
    as_json: bool,
) -> int:
    """Play one random game and write down what chance did and everybody answered.

    If the rules fail, the game is written down as far as it went, and the exit code is 1.
    """
    from cambist.dsl.render import render
    from cambist.files import must_be_writable, write_whole
    from cambist.interpreter.explore import bot_source
    from cambist.interpreter.log import as_data, as_text
    from cambist.interpreter.replay import Recorder, record_random

    if output is not None and output != "-":
        must_be_writable(Path(output))
    loaded = load(game)
    machine = loaded.machine(how_many(loaded, players), read_settings(settings), engine)
    recorder = Recorder(machine, seed, number)
    fault = record_random(recorder, bot_source(seed, number))
    record = recorder.record(game, settled_words(loaded, machine.program.options), fault)
    text = json.dumps(as_data(record), ensure_ascii=False, indent=2) + "\n" if as_json else as_text(record)
    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text)
        again = f"cambist replay {shlex.quote(output)}"
        click.echo(f"{record.answers} answers written to {output}; `{again}` plays them again", err=True)
    if fault is not None:
        click.echo(render(fault.diagnostic), err=True)
        return FOUND
    return 0
