"""`cambist rulebook`: the rules of a game as a book to read, in Markdown or as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from cambist.commands.arguments import game_argument, load, read_settings, settings_option
from cambist.problems import UserError

SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}


@click.command("rulebook", short_help="Write the rules as a book to read.")
@game_argument
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write it: .md or .html. [default: Markdown on the screen]"
)
@click.option("--players", type=int, metavar="N", help="Tell the game for this number of players. [default: for all]")
@settings_option
def command(game: str, output: str | None, players: int | None, settings: tuple[str, ...]) -> int:
    """Write the rules of a game as a book: components, set-up, turns, choices, scoring, examples with their outcome.

    The file's name says what is written: `-o book.md` or `-o book.html`.
    """
    form = _form(output)
    from cambist.files import write_whole
    from cambist.rulebook.book import book_of

    book = book_of(load(game), players, read_settings(settings))
    if form == "html":
        from cambist.rulebook.page import html as printed
    else:
        from cambist.rulebook.markdown import markdown as printed
    text = printed(book)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return 0
    path = Path(output)
    try:
        write_whole(path, text)
    except OSError as error:
        raise UserError(
            f"`{output}` cannot be written: {error.strerror or error}", "name a file in a folder that exists"
        ) from None
    click.echo(f"the rulebook of {book.title} is in {output}", err=True)
    return 0


def _form(output: str | None) -> str:
    if output is None or output == "-":
        return "markdown"
    suffix = Path(output).suffix.lower()
    if suffix not in SUFFIXES:
        ends = f"ends in `{suffix}`" if suffix else "has no ending"
        raise UserError(f"`{output}` {ends}, so its form is not known", "end its name in `.md` or `.html`")
    if Path(output).is_dir():
        raise UserError(f"`{output}` is a folder", "name a file in it")
    return SUFFIXES[suffix]
