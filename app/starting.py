"""The files of a new ruleset: from the template, as a copy of a game with all it needs, or as a variant of one.

In: a name, a title and where to start from. Out: the files by their names, all in one folder; nothing is written here
(commands/new.py). What a game needs is what lies beside it: sheets and other files that its text names, its modules,
and its base if that is not shipped.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.api import Gathered, gathered, shipped
from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import own_name
from cambist.dsl.reading import LARGEST_FILE
from cambist.dsl.source import SourceFile
from cambist.dsl.tokens import LogicalLine, logical_lines
from cambist.problems import FOUND, UserError

MOST_FILES, MOST_SETTABLE = 64, 12
PLAIN_FILE = re.compile(r'"([^"/\\\n]{1,200})"')


@define
class Start:
    """What will be written, and what to say of it."""

    name: str
    title: str
    files: dict[str, bytes] = field(factory=dict)
    about: str = ""

    @property
    def rules(self) -> str:
        return f"{self.name}.rules"

    def add(self, name: str, data: bytes) -> None:
        if name in self.files:
            raise UserError(f"a file that comes along is called `{name}` too", "choose another name")
        if len(self.files) >= MOST_FILES:
            raise UserError(f"more than {MOST_FILES} files belong to it", "copy the folder by hand", FOUND)
        self.files[name] = data


def from_template(name: str, title: str) -> Start:
    start = Start(name, title)
    start.add(start.rules, renamed(_template("game.rules"), name, title).encode())
    start.about = (
        "A small game that checks, plays and tests as it is, to be changed into one of your own:\n"
        f"`{start.rules}` explains itself in comments."
    )
    return start


def copy_of(game: str, name: str, title: str) -> Start:
    """A game with all it needs, under another name. A variant stays one, of the same base."""
    _, path = _found(game)
    start = Start(name, title)
    text = _text(path)
    start.add(start.rules, renamed(text, name, title).encode())
    known = path.with_suffix(".equivalent.yaml")
    if known.is_file():
        start.add(f"{name}.equivalent.yaml", known.read_bytes())
    _bring(start, text, path, {path})
    start.about = f"A copy of `{own_name(path)}`, to be changed: `{start.rules}` holds the rules."
    return start


def variant_of(game: str, name: str, title: str) -> Start:
    """A variant that changes nothing yet; a base that is not shipped comes along."""
    found, path = _found(game)
    base = own_name(path)
    start = Start(name, title)
    fill = {
        "name": name,
        "title": title,
        "base": base,
        "base_title": found.game.title,
        "settable": _settable(found.decls),
    }
    start.add(start.rules, (filled("variant.txt", fill).rstrip() + "\n").encode())
    if path.resolve() not in shipped().values():
        _bring_file(start, path, set())
    start.about = (
        f"A variant of `{base}`: `{start.rules}` says only what is different, and has the rest, examples\n"
        "and invariants too, from there."
    )
    return start


def with_readme(start: Start, file: str) -> None:
    fill = {"title": start.title, "about": start.about, "file": file}
    start.add("README.md", filled("readme.txt", fill).encode())


def renamed(text: str, name: str, title: str) -> str:
    """The text of a ruleset that calls itself otherwise."""
    line = _head(text)
    if line is None:
        return text
    label = next(p for p in line.pieces if p.type == "STRING")
    old = line.pieces[1]
    return f'{text[: old.start]}{name}{text[old.end : label.start]}"{title}"{text[label.end :]}'


def filled(template: str, fill: dict[str, str]) -> str:
    """In one go, so that what is filled in is not filled in again."""
    return re.sub(r"\{(\w+)\}", lambda found: fill[found.group(1)], _template(template))


# ---- what a game needs


def _found(game: str) -> tuple[Gathered, Path]:
    """A game that can be read, and where it lies."""
    found, path = gathered(game)
    if found.game.library:
        raise UserError(
            f"`{game}` is a library, not a game", "name a game; `cambist games` lists those that are shipped"
        )
    return found, path


def _bring(start: Start, text: str, path: Path, seen: set[Path]) -> None:
    """The files beside a ruleset that it names, and what those need."""
    folder = path.parent
    for sheet in dict.fromkeys(PLAIN_FILE.findall(text)):
        beside = folder / sheet
        if sheet not in start.files and not sheet.endswith(".rules") and _is_plain(beside):
            start.add(sheet, _data(beside))
    line = _head(text)
    words = [p.text for p in line.pieces if p.type == "NAME"] if line is not None else []
    if words[:1] == ["variant"] and path.resolve() not in shipped().values():
        near = {own_name(place): place for place in sorted(folder.glob("*.rules"))}
        for base in words[2:]:
            if base in near:
                _bring_file(start, near[base], seen)
    for module in dict.fromkeys(re.findall(r"^(?:add +|replace +)?use +([A-Za-z_]\w*)", text, re.MULTILINE | re.ASCII)):
        beside = folder / f"{module}.rules"
        if _is_plain(beside):
            _bring_file(start, beside, seen)


def _bring_file(start: Start, path: Path, seen: set[Path]) -> None:
    if path not in seen:
        seen.add(path)
        start.add(path.name, _data(path))
        _bring(start, _text(path), path, seen)


def _is_plain(path: Path) -> bool:
    """A file of this very folder: links that lead out of it are not followed."""
    try:
        return path.is_file() and path.resolve().parent == path.parent.resolve()
    except OSError:
        return False


def _data(path: Path) -> bytes:
    with path.open("rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise UserError(f"`{path}` is too large to be copied", "copy the folder by hand", FOUND)
    return data


def _text(path: Path) -> str:
    return _data(path).decode("utf-8-sig").replace("\r\n", "\n")


def _head(text: str) -> LogicalLine | None:
    """The line in which a game or a variant names itself."""
    for line in logical_lines(SourceFile("", text), Report()):
        if line.indent == 0 and line.pieces[0].text in ("game", "variant"):
            return line
    return None


def _template(name: str) -> str:
    return resources.files("cambist").joinpath("templates", name).read_text("utf-8")


# ---- what a variant can set


def _settable(decls: tuple[n.Decl, ...]) -> str:
    """Lines that set something to what it is already, to be changed; options first, they are meant to be."""
    found: list[tuple[bool, str]] = []
    for decl in decls:
        value = _value(decl)
        name = getattr(decl, "name", None)
        if value and name is not None and "." not in name.text:  # a module's things are its own affair
            found.append((not isinstance(decl, n.Option), f"set {name.text} to {value}"))
    found.sort(key=lambda one: one[0])
    lines = [f'# {line:<65} assumed because "…"' for _, line in found[:MOST_SETTABLE]]
    return "\n".join(("#\n# What can be set, as it is now:", *lines)) if lines else ""


def _value(decl: n.Decl) -> str:
    match decl:
        case n.Option():
            return _written(decl.default)
        case n.Table():
            return ", ".join(_written(v) if k is None else f"{_written(k)}: {_written(v)}" for k, v in decl.entries)
        case n.Define() if not decl.params:
            return _written(decl.value)
        case n.Account():
            return _written(decl.start)
        case _:
            return ""


def _written(value: n.Expr | None) -> str:
    """A plain value as it is written; nothing if it is not plain."""
    if isinstance(value, n.Negate):
        inner = _written(value.value)
        return f"-{inner}" if inner else ""
    return value.value if isinstance(value, n.Number) else value.name if isinstance(value, n.Ref) else ""
