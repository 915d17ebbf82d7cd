"""Which file is meant by a name, and what is in it: shipped rules, those nearby, modules of the library.

In: a name or a path, and the place that names it. Out: a `SourceFile`, or a line in the report. This is the only file
of dsl/ that reads from the disk; what is read can be noted, and other texts can stand instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import resources
from itertools import chain
from pathlib import Path

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.reading import LARGEST_FILE, decode
from cambist.dsl.source import SourceFile, Span

LONGEST_SHOWN = 240
MOST_NEARBY = 200
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
OWN_NAME = re.compile(r"^(?:game|variant) +([A-Za-z_]\w*)", re.ASCII | re.MULTILINE)
_INSTEAD: ContextVar[Mapping[Path, bytes]] = ContextVar("instead of files", default={})  # noqa: B039 - never changed
_NOTED: ContextVar[list[Path] | None] = ContextVar("noted", default=None)


def library_folder() -> Path:
    return Path(str(resources.files("cambist.dsl").joinpath("library")))


def games_folder() -> Path:
    return Path(str(resources.files("cambist.games")))


def shipped() -> dict[str, Path]:
    """Every ruleset below games/, by its own name, wherever its file lies."""
    found = {own_name(path): path.resolve() for path in games_folder().rglob("*.rules")}
    return {name: found[name] for name in sorted(found) if name}


def own_name(path: Path) -> str:
    """The name that a ruleset gives itself; nothing for a library or a file that cannot be read."""
    try:
        with path.open(encoding="utf-8") as stream:
            found = OWN_NAME.search(stream.read(LARGEST_FILE))
    except (OSError, ValueError):
        return ""
    return found.group(1) if found else ""


def nearby(name: str) -> list[Path]:
    """Rulesets in this folder and the folders in it that give themselves this name: only those whose file is called so,
    if there are any, and of these only those of this folder. A shipped game goes before."""
    paths = sorted((*Path().glob("*.rules"), *Path().glob("*/*.rules")))
    paths = [path for path in paths if path.stem == name] + [path for path in paths if path.stem != name]
    found = [path for path in paths[:MOST_NEARBY] if own_name(path) == name]
    found = [path for path in found if path.stem == name] or found
    return [path for path in found if path.parent == Path()] or found


def find(name_or_path: str, report: Report) -> Path | None:
    """A shipped game's name, a path to a .rules file, or a folder with the rules of its own name."""
    if NAME.fullmatch(name_or_path):
        folder, own_file = games_folder(), f"{name_or_path}.rules"
        for usual in chain([folder / name_or_path / own_file], folder.glob(f"*/{own_file}")):  # no other need be read
            if own_name(usual) == name_or_path:
                return usual.resolve()
    games = shipped()
    if name_or_path in games:
        return games[name_or_path]
    path = Path(name_or_path)
    own = path / f"{path.name}.rules"
    if path.suffix != ".rules" and exists(own):
        return own
    if NAME.fullmatch(name_or_path) and not exists(path):
        near = nearby(name_or_path)
        if len(near) > 1:
            report.add(say.several_files(Span(SourceFile(name_or_path, ""), 0, 0), name_or_path, map(str, near)))
            return None
        if near:
            return near[0]
    nowhere = Span(SourceFile(short(name_or_path) or "(nothing)", ""), 0, 0)
    if path.suffix != ".rules" and not exists(path):
        hint = (
            did_you_mean(name_or_path, games) or f"shipped games: {', '.join(games)}; or give a path to a .rules file"
        )
        report.add(say.no_such_file(nowhere, f"there is no game `{short(name_or_path)}`", hint))
        return None
    return path


def short(name: str) -> str:
    """A name to show: one of thousands of characters is nobody's."""
    return name if len(name) <= LONGEST_SHOWN else name[:LONGEST_SHOWN] + "…"


def exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


@contextmanager
def files_read() -> Iterator[list[Path]]:
    """The files that are read while it lasts."""
    found: list[Path] = []
    before = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(before)


def as_on_disk() -> bool:
    """Whether files are read as they are."""
    return not _INSTEAD.get()


@contextmanager
def instead(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """While it lasts, these files (by their resolved paths) are read as if they held this: nothing is written."""
    before = _INSTEAD.set(texts)
    try:
        yield
    finally:
        _INSTEAD.reset(before)


def read(path: Path, shown: str, span: Span, report: Report) -> SourceFile | None:
    try:
        if texts := _INSTEAD.get():
            data = texts.get(path.resolve())
            if data is not None:
                return _decoded(shown, data, report)
        if path.is_dir():
            report.add(say.no_such_file(span, f"`{shown}` is a folder", "name a .rules file in it"))
            return None
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
            size = path.stat().st_size
        if (notes := _NOTED.get()) is not None:
            notes.append(path.resolve())
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
        report.add(say.no_such_file(span, f"`{shown}` {why}", "check the name"))
        return None
    if size > LARGEST_FILE:
        report.add(say.file_too_large(Span(SourceFile(shown, ""), 0, 0), size, LARGEST_FILE))
        return None
    return _decoded(shown, data, report)


def _decoded(shown: str, data: bytes, report: Report) -> SourceFile | None:
    found = decode(shown, data)
    if isinstance(found, Diagnostic):
        report.add(found)
        return None
    return found
