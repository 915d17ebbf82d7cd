"""`cambist accept`: marks what the changes of a variant are written against, after its author has read it."""

from __future__ import annotations

from pathlib import Path

import click

from cambist.problems import UserError


@click.command("accept", short_help="Mark what a variant's changes are written against.")
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT.rules...")
def command(variants: tuple[str, ...]) -> int:
    """Write into variants what their changes are written against: a short mark of each part of the base as it is now.

    When the base changes such a part, `cambist check` says so. Accept again when you have read both.
    """
    from cambist.dsl.accept import accepted
    from cambist.dsl.render import printable
    from cambist.files import write_whole

    done = []
    for name in variants:
        path = Path(name)
        if not path.is_file():
            raise UserError(f"there is no file `{name}`", "name the files of variants; a shipped one by its path")
        done.append((path, *accepted(name)))
    for path, text, changes in done:
        if changes:
            write_whole(path, text)
        for change in changes:
            click.echo(printable(f"{path}:{change.line}: {change.part} {change.before or 'unmarked'} -> {change.mark}"))
        if not changes:
            click.echo(printable(f"{path}: nothing to mark"))
    return 0
