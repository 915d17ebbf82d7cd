"""`cambist check`: everything that is wrong with a ruleset, where it stands and what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.cli import is_missing
from cambist.commands.arguments import json_option, write_json
from cambist.problems import FOUND, USAGE

if TYPE_CHECKING:
    from cambist.dsl.diagnostics import Diagnostic


@click.command("check")
@click.argument("games", nargs=-1, required=True, metavar="GAME|PATH...")
@click.option("--strict", is_flag=True, help="Also ask for a citation or an assumption of every rule and number.")
@json_option
def command(games: tuple[str, ...], strict: bool, as_json: bool) -> int:
    """Check rulesets without playing them. Exit code 1 if there are problems; warnings are no problems."""
    from cambist.dsl.api import check_file
    from cambist.dsl.render import as_data

    worst, found = 0, []
    for game in games:
        ruleset, report = check_file(game, strict)
        diagnostics = report.sorted()
        errors = [d for d in diagnostics if d.severity == "error"]
        if as_json:
            name = ruleset.game.name.text if ruleset is not None else None
            found.append(_data(game, name, errors, [as_data(d) for d in diagnostics]))
        else:
            _show(game, diagnostics, len(errors))
        if errors:
            worst = max(worst, USAGE if all(is_missing(d) for d in errors) else FOUND)
    if as_json:
        write_json(found[0] if len(found) == 1 else found)
    return worst


def _data(given: str, name: str | None, errors: list[Diagnostic], diagnostics: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "file": given,
        "game": name,
        "errors": len(errors),
        "warnings": len(diagnostics) - len(errors),
        "diagnostics": diagnostics,
    }


def _show(game: str, diagnostics: tuple[Diagnostic, ...], errors: int) -> None:
    from cambist.dsl.render import printable, render_all

    if diagnostics:
        click.echo(render_all(diagnostics) + "\n")
    warnings = len(diagnostics) - errors
    parts = [_count(errors, "problem")] if errors else ["no problems"]
    if warnings:
        parts.append(_count(warnings, "warning"))
    click.echo(f"{printable(game)}: {', '.join(parts)}")
    codes = sorted({d.code for d in diagnostics})
    if codes:
        click.echo(
            f"`cambist explain {codes[0]}` tells more" + (f" (also {', '.join(codes[1:6])})" if codes[1:] else "")
        )


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
