"""`cambist fmt`: rules in their canonical form, comments and meaning as they were.

Writes a file only if it changes, whole or not at all. What cannot be read or parsed is told and left alone; the other
files are formatted nevertheless.
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

import click
from attrs import define

from cambist.problems import BUG, FOUND, UserError

STDIN = "-"


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--stdin-name", metavar="NAME", default="<stdin>", help="What messages call the text of `-`.")
def command(paths: tuple[str, ...], check: bool, diff: bool, stdin_name: str) -> int:
    """Write rules in their canonical form: layout only, nothing they say is changed.

    PATH is a file, a folder (all .rules files in it and below), or `-`: from the standard input to the standard output.
    """
    formatter = Formatter(check, diff)
    if STDIN in paths:
        if len(paths) > 1:
            raise UserError("`-` stands alone: its text goes to the standard output", "name files without `-`")
        return formatter.piped(stdin_name)
    for path in _files(paths):
        formatter.file(path)
    return formatter.summary()


@define
class Formatter:
    check: bool
    diff: bool
    seen: int = 0
    changed: int = 0
    worst: int = 0
    wrong: int = 0

    def file(self, path: Path) -> None:
        self.seen += 1
        try:
            data = _read(path)
            text = self.canonical(str(path), data)
            if text is None or text.encode() == data:
                return
            if not self.check and not self.diff:
                _write(path, text)
        except OSError as error:
            self.tell(
                f"`{path}`: {error.strerror or error}", "check the rights and the space left; the file is as it was"
            )
            return
        self.changed += 1
        if self.diff:
            self.show(str(path), data, text)
        else:
            _say(f"{'would change' if self.check else 'formatted'} {path}")

    def piped(self, name: str) -> int:
        from cambist.dsl.reading import LARGEST_FILE

        data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        text = self.canonical(name, data)
        if text is None:
            return self.worst
        changed = text.encode() != data
        if self.diff:
            self.show(name, data, text)
        elif self.check and changed:
            _say(f"would change {name}")
        elif not self.check:
            sys.stdout.buffer.write(text.encode())  # UTF-8, whatever the terminal speaks
            sys.stdout.buffer.flush()
        return FOUND if self.check and changed else 0

    def canonical(self, name: str, data: bytes) -> str | None:
        from cambist.dsl.api import Unsafe, formatted
        from cambist.dsl.diagnostics import Diagnostic, RulesError
        from cambist.dsl.reading import decode
        from cambist.dsl.render import render_all

        try:
            found = decode(name, data)
            if isinstance(found, Diagnostic):
                raise RulesError((found,))
            return formatted(found.text, name)
        except RulesError as error:
            click.echo(render_all(error.diagnostics), err=True)
            self.wrong += 1
            self.worst = max(self.worst, FOUND)
        except Unsafe as unsafe:
            what = f"`{name}` is left as it was: in canonical form "
            if unsafe.too_large:
                self.tell(f"{what}the file or a line of it would be too large to be read", "divide it")
            else:
                self.tell(f"{what}it would not say the same", "this is a fault of Cambist; please report it", BUG)
        return None

    def tell(self, what: str, remedy: str, code: int = FOUND) -> None:
        from cambist.dsl.render import printable

        click.echo(f"error: {printable(what)}\nhelp: {printable(remedy)}", err=True)
        self.wrong += 1
        self.worst = max(self.worst, code)

    def show(self, name: str, data: bytes, text: str) -> None:
        before = data.decode("utf-8", "replace").splitlines()
        lines = list(difflib.unified_diff(before, text.splitlines(), name, f"{name} (formatted)", lineterm=""))
        if lines:
            _say("\n".join(lines))
        elif text.encode() != data:
            _say(f"{name}: only line ends, or a mark at the beginning, would change")

    def summary(self) -> int:
        done = "would change" if self.check or self.diff else "formatted"
        parts = [f"{self.changed} {done}"] if self.changed else []
        if self.wrong:
            parts.append(f"{self.wrong} left alone because of mistakes")
        same = self.seen - self.changed - self.wrong
        if same:
            parts.append(f"{same} as it should be" if same == 1 else f"{same} as they should be")
        click.echo(f"{self.seen} {'file' if self.seen == 1 else 'files'}: {', '.join(parts)}", err=self.diff)
        return max(self.worst, FOUND if self.check and self.changed else 0)


def _say(text: str) -> None:
    from cambist.dsl.render import printable

    click.echo("\n".join(printable(line) for line in text.split("\n")))


def _read(path: Path) -> bytes:
    from cambist.dsl.reading import LARGEST_FILE

    with path.open("rb") as stream:
        return stream.read(LARGEST_FILE + 1)


def _write(path: Path, text: str) -> None:
    from cambist.files import write_whole

    if not os.access(path, os.W_OK):  # its folder may allow a new one in its place, but somebody has locked it
        raise PermissionError(13, "is locked against writing", str(path))
    write_whole(path, text)


def _files(paths: tuple[str, ...]) -> list[Path]:
    """All files to format, each once. Everything named must be there before anything is written."""
    found: dict[Path, Path] = {}
    for given in paths:
        for path in _below(given):
            found.setdefault(path.resolve(), path)
    return list(found.values())


def _below(given: str) -> list[Path]:
    path = Path(given)
    try:
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.rules")) if p.is_file() and not _is_hidden(p.relative_to(path))]
            if not files:
                raise UserError(f"there are no .rules files in `{given}`", "name a folder with rules, or a file")
            return files
        if path.is_file():
            return [path]
        there = path.exists()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise UserError(f"`{given[:240]}`: {why}", "name files and folders") from None
    if there:
        raise UserError(f"`{given}` is not a file", "`cambist fmt -` reads the standard input")
    raise UserError(f"there is no `{given}`", _remedy(given))


def _remedy(given: str) -> str:
    from cambist.dsl.api import shipped

    if given in shipped():
        return f"a shipped game is formatted already; `cambist new NAME --from {given}` makes a copy of your own"
    return "name files and folders"


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
