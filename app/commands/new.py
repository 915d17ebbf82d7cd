"""`cambist new`: a folder with a ruleset that checks, plays and tests at once, to be changed from there.

The folder comes whole or not at all: it is made under another name, checked there, and then takes its own.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cambist.problems import FOUND, UserError

if TYPE_CHECKING:
    from cambist.starting import Start

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_TITLE = 80


@click.command("new")
@click.argument("name")
@click.option("--from", "origin", metavar="GAME", help="Begin with a copy of this game, with its sheets.")
@click.option("--variant-of", "base", metavar="GAME", help="Begin with a variant of this game.")
@click.option("--title", metavar="TEXT", help="What people call it. [default: made from NAME]")
def command(name: str, origin: str | None, base: str | None, title: str | None) -> None:
    """Make a folder with a ruleset of your own.

    NAME is what the ruleset and the folder are called; a path makes the folder elsewhere. Without an option it is a
    small game whose comments explain it. GAME is a shipped game's name or the path of a .rules file; the copy of a
    variant is a variant of the same base.
    """
    from cambist.starting import copy_of, from_template, variant_of, with_readme

    if origin is not None and base is not None:
        raise UserError("--from and --variant-of are two ways to begin", "leave one of them out")
    folder = Path(name)
    own = _own_name(folder)
    label = _title(own, title)
    _is_free(folder)
    if origin is not None:
        start = copy_of(origin, own, label)
    elif base is not None:
        start = variant_of(base, own, label)
    else:
        start = from_template(own, label)
    with_readme(start, start.rules)
    _write(folder, start, origin or base)
    _tell(folder, start)


def _own_name(folder: Path) -> str:
    from cambist.dsl.finding import library_folder, shipped
    from cambist.dsl.tokens import LONGEST_NAME
    from cambist.dsl.words import RESERVED

    name = folder.name
    if not NAME.fullmatch(name):
        fitting = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        fitting = f"game_{fitting}" if fitting[:1].isdigit() else fitting
        hint = f"for example `{fitting[:LONGEST_NAME]}`" if fitting else "for example `my_game`"
        raise UserError(
            f"`{name[:LONGEST_NAME]}` cannot be a name: letters, digits and `_`, not beginning with a digit", hint
        )
    if len(name) > LONGEST_NAME:
        raise UserError(f"a name has at most {LONGEST_NAME} letters, not {len(name)}", "choose a shorter one")
    if name in RESERVED:
        raise UserError(f"`{name}` is a word of the language", f"for example `{name}_game`")
    if name in shipped():
        raise UserError(f"`{name}` is a shipped game", f"for example `my_{name}`: two of one name cannot be told apart")
    if (library_folder() / f"{name}.rules").exists():
        raise UserError(f"`{name}` is a module of the library", f"for example `{name}_game`")
    return name


def _title(name: str, title: str | None) -> str:
    if title is None:
        return name.replace("_", " ").strip().capitalize() or name
    if not title.strip() or len(title) > LONGEST_TITLE or '"' in title or not title.isprintable():
        raise UserError(
            f"a title has 1 to {LONGEST_TITLE} characters on one line, and no double quotes", "change the --title"
        )
    return title.strip()


def _is_free(folder: Path) -> None:
    if os.path.lexists(folder):
        what = "a folder" if folder.is_dir() else "a file"
        raise UserError(f"there is {what} `{folder}` already", "choose another name, or take it away first")
    parent = folder.absolute().parent
    if not parent.is_dir():
        why = "is not a folder" if parent.exists() else "does not exist"
        raise UserError(f"`{folder.parent}` {why}", "name a place that exists")


def _write(folder: Path, start: Start, origin: str | None) -> None:
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{start.name}.", suffix=".tmp", dir=folder.absolute().parent))
    except OSError as error:
        raise UserError(
            f"`{folder}` cannot be made: {error.strerror or error}", "check the rights and the space left", FOUND
        ) from None
    try:
        for name, data in start.files.items():
            (made / name).write_bytes(data)
        _check(made / start.rules, origin)
        made.chmod(_usual_mode())
        made.rename(folder)
    except OSError as error:
        raise UserError(
            f"`{folder}` cannot be written: {error.strerror or error}", "check the rights and the space left", FOUND
        ) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _check(rules: Path, origin: str | None) -> None:
    """What is made must be sound where it will lie; if it is not, the blame is on its origin, if that is not either."""
    from cambist.dsl.api import check_file, load

    ruleset, report = check_file(str(rules))
    if ruleset is None:
        if origin is not None:
            load(origin)
        what = next(d.message for d in report.sorted() if d.severity == "error")
        raise UserError(f"it would not be sound in a folder of its own: {what}", "copy what it needs by hand", FOUND)


def _usual_mode() -> int:
    """What a new folder would get: temporary ones are for their owner only."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o777 & ~mask


def _tell(folder: Path, start: Start) -> None:
    from cambist.dsl.render import printable

    lines = [
        f"{folder}{os.sep} holds {', '.join(sorted(start.files, key=lambda name: name != start.rules))}",
        "",
        f"  cambist check --strict {folder}",
        f"  cambist test {folder}",
        f"  cambist play {folder}",
        "",
        f"Change {start.rules}, then do it again. `cambist fmt {folder}` lays the text out.",
    ]
    click.echo("\n".join(printable(line) for line in lines))
