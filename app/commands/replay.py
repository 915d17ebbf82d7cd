"""`cambist replay`: a recorded game played again, or the first choice where the rules lead elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import engine_option, json_option, load, write_json
from cambist.problems import FOUND, UserError

if TYPE_CHECKING:
    from cambist.game import Game
    from cambist.interpreter.api import Match
    from cambist.interpreter.log import Record
    from cambist.interpreter.replay import Replayed


@click.command("replay")
@click.argument("file")
@click.option("--to", type=click.IntRange(0), metavar="K", help="Stop after K answers and show the table.")
@click.option("--view", metavar="PLAYER", help="Tell only what this player may know.")
@click.option("--rules", metavar="GAME|PATH", help="Play it by these rules instead of those it names.")
@engine_option("reference")
@json_option
def command(file: str, to: int | None, view: str | None, rules: str | None, engine: str, as_json: bool) -> int:
    """Play a recorded game again and tell what happened.

    Chance does what it did, everybody answers what they answered. Exit code 1 if the rules in use lead
    elsewhere: then the first choice that differs is named.
    """
    from cambist.interpreter.replay import replay

    path = Path(file)
    record, lines = read_record(path)
    if to is not None and to > record.answers:
        raise UserError(f"the record has only {record.answers} answers", f"give `--to` at most {record.answers}")
    seat = _seat(record, view)
    machine = _rules(record, rules, path).machine(record.players, record.options, engine)
    replayed = replay(machine, record, to)
    if as_json:
        write_json(_data(record, replayed, seat))
    elif replayed.match is not None:
        _show(record, replayed.match, seat, to)
    if replayed.difference is not None:
        _show_difference(record, replayed, file, lines, machine.program.digest)
        return FOUND
    if not as_json and to is None:
        fails = _fault(record, replayed)
        click.echo(f"\nreplayed exactly: {replayed.answers} answers" + (f", then it fails: {fails}" if fails else ""))
    return 0


def read_record(path: Path) -> tuple[Record, dict[str, int]]:
    """The record in a file, and the lines its moves stand in. Says at which line a damaged one is damaged."""
    from cambist.files import read_text
    from cambist.interpreter import log
    from cambist.schema_check import problems

    text = read_text(path, "a recorded game")
    try:
        data, lines = log.read(text)
        wrong = problems("record", data)
        if wrong:
            place, _, why = wrong[0].partition(": ")
            told = "this is damaged" if "under any of the given schemas" in why else f"{place}: {why}"
            raise log.RecordError(told, _line_of(place, lines))
        return log.from_data(data), lines
    except log.RecordError as error:
        where = f"{path}, line {error.line}" if error.line else str(path)
        raise UserError(f"{where}: {error.why}", "use a file that `cambist record` has written", FOUND) from None


def _line_of(place: str, lines: dict[str, int]) -> int:
    parts = place.split(".")
    return next((lines[key] for n in (2, 1) if (key := ".".join(parts[:n])) in lines), 0)


def _seat(record: Record, view: str | None) -> int | None:
    """The seat of --view: a name or a number from 1; None: everything is told."""
    if view is None:
        return None
    if view in record.seats:
        return record.seats.index(view)
    if view.isdecimal() and 1 <= int(view) <= record.players:
        return int(view) - 1
    raise UserError(f"nobody is called `{view}`", f"the players are {', '.join(record.seats)}")


def _fault(record: Record, replayed: Replayed) -> str | None:
    """What stopped the game in the end, if it went there again."""
    from cambist.interpreter.log import RecordedFault

    whole = replayed.difference is None and replayed.answers == record.answers
    return record.end.fault if whole and isinstance(record.end, RecordedFault) else None


def _rules(record: Record, rules: str | None, path: Path) -> Game:
    """By --rules, or where the record says, also looked for beside the record."""
    if rules is None:
        named = Path(record.rules)
        places = (path.parent / named, path.parent / named.name) if named.suffix and not named.exists() else ()
        rules = str(next((place for place in places if place.exists()), record.rules))
    game = load(rules)
    if game.name != record.game:
        raise UserError(f"this is a game of `{record.game}`, not of `{game.name}`", "name its rules with --rules")
    return game


# ---- telling


def _data(record: Record, replayed: Replayed, seat: int | None) -> dict[str, Any]:
    from attrs import asdict

    match, difference = replayed.match, replayed.difference
    return {
        "game": record.game,
        "players": record.players,
        "seats": list(record.seats),
        "seed": record.seed,
        "answers": replayed.answers,
        "of": record.answers,
        "same": difference is None,
        "difference": None if difference is None else asdict(difference),
        "result": None if match is None else _result(match),
        "fault": _fault(record, replayed),
        "view": None if match is None else match.view(seat),
        "log": [] if match is None else match.log_lines(seat),
    }


def _result(match: Match) -> dict[str, Any] | None:
    if not match.state.ended:
        return None
    result = match.result
    assert result is not None
    return {
        "ended_by": result.ended_by,
        "scores": [match.score_text(score) for score in result.scores],
        "winners": [match.words.player(seat) for seat in result.winners],
        "limits": list(result.limits),
    }


def _show(record: Record, match: Match, seat: int | None, to: int | None) -> None:
    from cambist.dsl.render import printable
    from cambist.table import result_table, screen, table

    for line in match.log_lines(seat):
        click.echo(printable(line))
    console = screen()
    if match.state.ended:
        console.print()
        console.print(result_table(match))
    elif to is not None or seat is not None:
        console.print()
        console.print(table(match, seat))


def _show_difference(record: Record, replayed: Replayed, file: str, lines: dict[str, int], digest: str) -> None:
    from cambist.dsl.render import printable

    difference = replayed.difference
    assert difference is not None
    line = lines.get("end" if difference.move < 0 else f"moves.{difference.move}", 0)
    click.echo(printable(f"error: {difference}"), err=True)
    if line:
        click.echo(printable(f" --> {file}:{line}"), err=True)
    changed = "the rules have changed since it was recorded" if digest != record.digest else "the record was changed"
    click.echo(
        printable(f"help: {changed}; `cambist replay {file} --to {difference.number - 1}` shows the moment before"),
        err=True,
    )
