"""Compiled rules kept on disk: a game whose files have not changed is not read, checked and compiled again.

For each ruleset there is a note of the files it was read from with their digests, and for each number of players and
setting of options one file with what plays step by step, and one with what plays whole games at random. They are used
only if every file is as it was, Cambist and Python are the same, and the digest of what is kept is right; anything else
is made anew. Nothing here ever fails: without a folder to write to, or with a damaged file, everything works as if
nothing had been kept.

The folder is the user's own, as trusted as Python's own compiled files: CAMBIST_CACHE, or `cambist` in the user's cache
folder (XDG_CACHE_HOME, ~/.cache). An empty CAMBIST_CACHE keeps nothing.
"""

from __future__ import annotations

import io
import json
import marshal
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from types import CodeType
from typing import Any

from attrs import asdict, fields, frozen, has

import cambist
from cambist import dsl, interpreter
from cambist.dsl.program import Program
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.loading import Parts

MAGIC = b"cambist rules 3\n"
DIGEST, LENGTH = 32, 8
Settled = tuple[tuple[str, int], ...]


@frozen
class Known:
    """A ruleset that was checked before: what it is called, and of what its files were."""

    digest: str
    name: str
    title: str
    players: tuple[int, int]


def folder() -> Path | None:
    own = os.environ.get("CAMBIST_CACHE")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "cambist"


@cache
def stamp() -> str:
    """Changes with Cambist itself and with Python: what others made is not used."""
    found = [cambist.__version__, sys.version, str(sys.implementation.cache_tag), str(marshal.version)]
    for part in (dsl, interpreter):
        for path in sorted(Path(str(part.__file__)).resolve().parent.rglob("*")):
            if path.suffix in (".py", ".lark"):
                status = path.stat()
                found.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(found).encode()).hexdigest()


# ---- which files a ruleset is made of


def find(path: Path, shown: str) -> Known | None:
    """What is known of the ruleset in a file; None if anything it was read from has changed."""
    try:
        data = json.loads(_note(path, shown).read_bytes())
        if data["stamp"] != stamp() or data["beside"] != _beside(path):
            return None
        whole = sha256()
        for name, digest in data["files"]:
            found = sha256(Path(name).read_bytes()).hexdigest()
            if found != digest:
                return None
            whole.update(found.encode())
        known = Known(whole.hexdigest(), data["name"], data["title"], tuple(data["players"]))
        return known if data["seal"] == _seal(known) else None
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError):
        return None


def keep(path: Path, shown: str, files: Sequence[Path], name: str, title: str, players: range) -> Known | None:
    """Note what a ruleset was read from."""
    try:
        digests = [(str(file), sha256(file.read_bytes()).hexdigest()) for file in dict.fromkeys(files)]
        whole = sha256()
        for _, digest in digests:
            whole.update(digest.encode())
        known = Known(whole.hexdigest(), name, title, (players[0], players[-1]))
        data = {**asdict(known), "stamp": stamp(), "beside": _beside(path), "files": digests, "seal": _seal(known)}
        _write(_note(path, shown), json.dumps(data).encode())
        return known
    except (OSError, ValueError, RuntimeError):
        return None


def _seal(known: Known) -> str:
    return sha256(repr(known).encode()).hexdigest()


def _beside(path: Path) -> list[str]:
    """Rules in the same folder: a new one may be what a `use` means."""
    return sorted(name for name in os.listdir(path.parent) if name.endswith(".rules"))


def _note(path: Path, shown: str) -> Path:
    return _place(f"{path}\n{shown}", "json")


# ---- compiled rules


def machine(known: Known, shown: str, players: int, options: Settled, whole: Any) -> CompiledMachine | None:
    """The machine as it was kept; `whole` reads the rules after all, if what was kept of them is damaged."""
    try:
        data = _machine(known, shown, players, options).read_bytes()
        quick, rest = _checked(data[len(MAGIC) :]) if data.startswith(MAGIC) else (b"", b"")
        if not quick:
            return None
        code, others = marshal.loads(quick)
        parts = Parts(code, **pickle.loads(others))
    except (OSError, ValueError, EOFError, TypeError, RuntimeError, AttributeError, pickle.UnpicklingError):
        return None

    def program() -> Program:
        found, _ = _checked(rest)
        if found:
            kept = pickle.loads(found)
            if isinstance(kept, Program):
                return kept
        made: Program = whole()
        return made

    found = CompiledMachine(None, parts, program)
    _with_whole_games(found, known, shown, players, options)
    return found


def keep_machine(known: Known, shown: str, options: Settled, machine: CompiledMachine) -> None:
    parts = machine.parts()
    if parts is None:
        return
    _with_whole_games(machine, known, shown, machine.program.players, options)
    names = ("layout", "asks", "chances", "begin", "empty", "opened", "going_on")
    others = _pickled({name: getattr(parts, name) for name in names})
    data = MAGIC + _sealed(marshal.dumps((parts.code, others))) + _sealed(_pickled(machine.program))
    try:
        _write(_machine(known, shown, machine.program.players, options), data)
    except (OSError, ValueError, RuntimeError):
        return


def _machine(known: Known, shown: str, players: int, options: Settled) -> Path:
    return _place(_key(known, shown, players, options), "bin")


def _key(known: Known, shown: str, players: int, options: Settled) -> str:
    return f"{known.digest}\n{shown}\n{players}\n{options}\n{stamp()}"


@frozen
class WholeGames:
    """The functions of whole random games: made when the first is played, and kept in a file of their own."""

    key: str

    def read(self) -> CodeType | None:
        try:
            data = _place(self.key, "whole").read_bytes()
            piece, _ = _checked(data[len(MAGIC) :]) if data.startswith(MAGIC) else (b"", b"")
            found = marshal.loads(piece) if piece else None
        except (OSError, ValueError, EOFError, TypeError, RuntimeError):
            return None
        return found if isinstance(found, CodeType) else None

    def write(self, code: CodeType) -> None:
        try:
            _write(_place(self.key, "whole"), MAGIC + _sealed(marshal.dumps(code)))
        except (OSError, ValueError, RuntimeError):
            return


def _with_whole_games(machine: CompiledMachine, known: Known, shown: str, players: int, options: Settled) -> None:
    if machine.rules is not None:
        machine.rules.kept = WholeGames(f"whole games\n{_key(known, shown, players, options)}")


class _ByFields(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """How things are pickled: plain data as its class and its fields, which takes a third of the usual time."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        if not has(kind) or any(not f.init or f.kw_only or f.converter is not None for f in fields(kind)):
            raise KeyError(kind)
        names = tuple(f.name for f in fields(kind))
        read = attrgetter(*names) if len(names) > 1 else None
        self[kind] = lambda one: (kind, read(one) if read else tuple(getattr(one, name) for name in names))
        return self[kind]


def _pickled(thing: Any) -> bytes:
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, 5)
    pickler.dispatch_table = BY_FIELDS
    pickler.dump(thing)
    return stream.getvalue()


BY_FIELDS = _ByFields()


def _sealed(data: bytes) -> bytes:
    return sha256(data).digest() + len(data).to_bytes(LENGTH, "little") + data


def _checked(data: bytes) -> tuple[bytes, bytes]:
    """One sealed piece and what follows it; nothing if it is damaged."""
    size = int.from_bytes(data[DIGEST : DIGEST + LENGTH], "little")
    begin = DIGEST + LENGTH
    piece = data[begin : begin + size]
    if len(piece) != size or not size or sha256(piece).digest() != data[:DIGEST]:
        return b"", b""
    return piece, data[begin + size :]


# ---- files


def _place(key: str, ending: str) -> Path:
    home = folder()
    if home is None:
        raise FileNotFoundError
    return home / f"{sha256(key.encode()).hexdigest()[:40]}.{ending}"


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
