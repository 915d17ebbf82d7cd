"""`cambist check`: everything that is wrong with a ruleset, where it stands and what to write instead; with `--fix`,
written instead where that is certain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cambist.cli import is_missing
from cambist.commands.arguments import json_option, read_settings, settings_option, write_json
from cambist.problems import FOUND, USAGE, UserError

if TYPE_CHECKING:
    from cambist.dsl.diagnostics import Diagnostic
    from cambist.dsl.ruleset import CheckedRuleset
    from cambist.fixing import Mended


@click.command("check")
@click.argument("games", nargs=-1, required=True, metavar="GAME|PATH...")
@click.option("--strict", is_flag=True, help="Also ask for a citation or an assumption of every rule and number.")
@click.option("--fix", is_flag=True, help="Mend in the named files what has one certain remedy, then tell the rest.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what would change, and change nothing.")
@settings_option
@json_option
def command(
    games: tuple[str, ...], strict: bool, fix: bool, dry_run: bool, settings: tuple[str, ...], as_json: bool
) -> int:
    """Check rulesets without playing them, with --option also whether they can be set so. Exit code 1 if there are
    problems; warnings are no problems."""
    from cambist.dsl.api import check_file

    if dry_run and not fix:
        raise UserError("`--dry-run` shows what `--fix` would do", "give both")
    sheets = [Path(name) for name in games if fix and name.endswith((".yaml", ".yml"))]
    rulesets = [name for name in games if Path(name) not in sheets]
    for sheet in sheets:
        if not sheet.is_file():
            raise UserError(f"there is no file `{sheet}`", "name a sheet that is there")
    if not rulesets:
        raise UserError(f"`{games[0]}` is a sheet", "name the rules that use it too: `cambist check --fix RULES SHEET`")
    files = _mended(rulesets, sheets, strict, dry_run) if fix else {}
    worst, found = (FOUND if dry_run and any(file.changes for file in files.values()) else 0), []
    texts = {file.path: file.after for file in files.values()}
    if not as_json:
        _tell_mended(list(files.values()), dry_run)
    for game in rulesets:
        ruleset, report = check_file(game, strict, texts=texts)
        if ruleset is not None and settings:
            _can_be_set(ruleset, settings)
        diagnostics = _promised(game, report.sorted(), strict, fix)
        errors = [d for d in diagnostics if d.severity == "error"]
        if as_json:
            name = ruleset.game.name.text if ruleset is not None else None
            own = {_own(game), *(_own(str(sheet)) for sheet in sheets)}
            changed = [file for file in files.values() if file.name in own]
            found.append(_data(game, name, errors, diagnostics, changed if fix else None, dry_run))
        else:
            _show(game, diagnostics, len(errors), dry_run)
        if errors:
            worst = max(worst, USAGE if all(is_missing(d) for d in errors) else FOUND)
    if as_json:
        write_json(found[0] if len(found) == 1 else found)
    return worst


def _can_be_set(ruleset: CheckedRuleset, settings: tuple[str, ...]) -> None:
    """Raises what is wrong with the settings, or with the rules when they are so."""
    from cambist.game import Game

    game = Game(ruleset, read_settings(settings))
    for players in game.players:
        game.machine(players)


def _promised(game: str, diagnostics: tuple[Diagnostic, ...], strict: bool, tried: bool) -> tuple[Diagnostic, ...]:
    """The diagnostics without remedies that `--fix` would leave out: what is still there when it was tried, and what
    leaves as many errors as it takes away."""
    from attrs import evolve

    from cambist.fixing import does_good

    own = _own(game)
    if not any(d.fix and d.fix.span.file.name == own for d in diagnostics):
        return diagnostics
    if not tried and does_good(game, strict):
        return diagnostics
    return tuple(evolve(d, fix=None) if d.fix and d.fix.span.file.name == own else d for d in diagnostics)


def _mended(rulesets: list[str], sheets: list[Path], strict: bool, dry_run: bool) -> dict[Path, Mended]:
    """All named files as they are after mending, by their paths; written, unless it is only tried."""
    from cambist.fixing import mended

    files: dict[Path, Mended] = {}
    for game in rulesets:
        texts = {path: file.after for path, file in files.items()}
        for file in mended(game, strict, sheets, texts)[0]:
            if file.path in files:
                file.changes = files[file.path].changes + file.changes
            files[file.path] = file
    if not dry_run:
        for file in files.values():
            file.write()
    return files


def _data(
    given: str,
    name: str | None,
    errors: list[Diagnostic],
    diagnostics: tuple[Diagnostic, ...],
    mended: list[Mended] | None,
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
        found["fixed"] = [fix_as_data(change.edit) for file in mended for change in file.changes]
        if dry_run:
            found["diff"] = "".join(file.diff() for file in mended)
    return found


def _tell_mended(mended: list[Mended], dry_run: bool) -> None:
    from cambist.dsl.render import printable

    changed = [file for file in mended if file.changes]
    for file in changed:
        if dry_run:
            click.echo("\n".join(printable(line) for line in file.diff().split("\n")))
            continue
        for change in file.changes:
            click.echo(f"fixed {printable(str(change))}")
    if changed and not dry_run:
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
    _offer(game, diagnostics)
    codes = sorted({d.code for d in diagnostics})
    if codes:
        click.echo(
            f"`cambist explain {codes[0]}` tells more" + (f" (also {', '.join(codes[1:6])})" if codes[1:] else "")
        )


def _offer(game: str, diagnostics: tuple[Diagnostic, ...]) -> None:
    """The command that mends what can be mended: all files are named, a sheet with the rules that use it."""
    from cambist.dsl.render import printable

    own = _own(game)
    fixes = [d.fix for d in diagnostics if d.fix is not None]
    if fixes:
        files = {f.span.file.name for f in fixes}
        others = sorted(files - {game, own})
        if files & {game, own} or any(name.endswith((".yaml", ".yml")) for name in others):
            others.insert(0, game)
        some = "it" if len(diagnostics) == 1 else f"{len(fixes)} of them" if len(fixes) < len(diagnostics) else "all"
        click.echo(f"`cambist check --fix {printable(' '.join(others))}` can mend {some}")


def _own(game: str) -> str:
    """The name that the file of a ruleset has in diagnostics."""
    from cambist.dsl.api import find, shown
    from cambist.dsl.diagnostics import Report

    path = find(game, Report())
    return game if path is None else shown(path)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
