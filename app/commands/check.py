"""`cambist check`: everything that is wrong with a ruleset, where it stands and what to write instead; with `--fix`,
written instead where that is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.cli import is_missing
from cambist.commands.arguments import json_option, write_json
from cambist.problems import FOUND, USAGE, UserError

if TYPE_CHECKING:
    from cambist.dsl.diagnostics import Diagnostic
    from cambist.fixing import Mended


@click.command("check")
@click.argument("games", nargs=-1, required=True, metavar="GAME|PATH...")
@click.option("--strict", is_flag=True, help="Also ask for a citation or an assumption of every rule and number.")
@click.option("--fix", is_flag=True, help="Mend in the named files what has one certain remedy, then tell the rest.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what would change, and change nothing.")
@json_option
def command(games: tuple[str, ...], strict: bool, fix: bool, dry_run: bool, as_json: bool) -> int:
    """Check rulesets without playing them. Exit code 1 if there are problems; warnings are no problems."""
    from cambist.dsl.api import check_file

    if dry_run and not fix:
        raise UserError("`--dry-run` shows what `--fix` would do", "give both")
    worst, found = 0, []
    for game in games:
        mended: Mended | None = None
        if fix:
            from cambist.fixing import mended as mend

            mended, report = mend(game, strict)
            if mended is not None and mended.changes and not dry_run:
                mended.write()
            name = _name(game, strict, report.has_errors)
        else:
            ruleset, report = check_file(game, strict)
            name = ruleset.game.name.text if ruleset is not None else None
        diagnostics = report.sorted()
        errors = [d for d in diagnostics if d.severity == "error"]
        if as_json:
            found.append(_data(game, name, errors, diagnostics, mended, dry_run))
        else:
            _tell_mended(mended, dry_run)
            _show(game, diagnostics, len(errors), dry_run)
        if errors:
            worst = max(worst, USAGE if all(is_missing(d) for d in errors) else FOUND)
        if dry_run and mended is not None and mended.changes:
            worst = max(worst, FOUND)
    if as_json:
        write_json(found[0] if len(found) == 1 else found)
    return worst


def _name(game: str, strict: bool, wrong: bool) -> str | None:
    from cambist.dsl.api import check_file

    ruleset = None if wrong else check_file(game, strict)[0]
    return ruleset.game.name.text if ruleset is not None else None


def _data(
    given: str,
    name: str | None,
    errors: list[Diagnostic],
    diagnostics: tuple[Diagnostic, ...],
    mended: Mended | None,
    dry_run: bool,
) -> dict[str, Any]:
    from cambist.dsl.render import as_data, fix_as_data

    found: dict[str, Any] = {
        "file": given,
        "game": name,
        "errors": len(errors),
        "warnings": len(diagnostics) - len(errors),
        "diagnostics": [as_data(d) for d in diagnostics],
    }
    if mended is not None:
        found["fixed"] = [fix_as_data(change.edit) for change in mended.changes]
        if dry_run:
            found["diff"] = mended.diff()
    return found


def _tell_mended(mended: Mended | None, dry_run: bool) -> None:
    from cambist.dsl.render import printable

    if mended is None or not mended.changes:
        return
    if dry_run:
        click.echo("\n".join(printable(line) for line in mended.diff().split("\n")))
        return
    for change in mended.changes:
        click.echo(f"fixed {printable(str(change))}")
    click.echo()


def _show(game: str, diagnostics: tuple[Diagnostic, ...], errors: int, after_all: bool = False) -> None:
    from cambist.dsl.render import printable, render_all

    if diagnostics:
        click.echo(render_all(diagnostics) + "\n")
    warnings = len(diagnostics) - errors
    parts = [_count(errors, "problem")] if errors else ["no problems"]
    if warnings:
        parts.append(_count(warnings, "warning"))
    click.echo(f"{printable(game)}: {', '.join(parts)}{' would be left' if after_all else ''}")
    fixes = sum(d.fix is not None for d in diagnostics)
    if fixes and not after_all:
        click.echo(f"`cambist check --fix` can mend {fixes if fixes < len(diagnostics) or fixes == 1 else 'all'} of them")
    codes = sorted({d.code for d in diagnostics})
    if codes:
        click.echo(
            f"`cambist explain {codes[0]}` tells more" + (f" (also {', '.join(codes[1:6])})" if codes[1:] else "")
        )


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
