"""Recorded games as tests: a folder of them -> `Playthrough`s, each of which tells whether a game still goes as it did.

Two forms are read: what `cambist record` writes, and transcripts, which also tell what was seen. Nothing is written.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from cambist.files import read_text
from cambist.game import Game, OptionError
from cambist.interpreter import log
from cambist.interpreter.api import Fault
from cambist.interpreter.replay import replay
from cambist.problems import FOUND, UserError
from cambist.transcripts import difference, heading

SETTING = re.compile(r"(\w+) ([0-9]+)")
BESIDE = "playthroughs"


@frozen
class Playthrough:
    path: Path
    text: str
    record: log.Record | None  # None: it is a transcript

    @property
    def name(self) -> str:
        return self.path.name

    def differs(self, game: Game) -> str:
        """Where the game goes otherwise; empty if it goes as it did."""
        if self.record is not None:
            machine = game.machine(self.record.players, self.record.options)
            found = replay(machine, self.record).difference
            return "" if found is None else f"{self.name}, {found}"
        told = heading(self.text)
        if told is None:
            raise self.foreign(game)
        parts, seed = told
        settings = {m[1]: int(m[2]) for part in parts if (m := SETTING.fullmatch(part)) and m[1] in game.options}
        seats = [part for part in parts if (m := SETTING.fullmatch(part)) is None or m[1] not in game.options]
        try:
            match = game.start(len(seats), seed, settings, seats)
        except OptionError:
            raise self.foreign(game) from None
        except Fault:
            return f"{self.name}, before the first choice"
        line = difference(match, self.text, seed)
        return f"{self.name}, line {line}" if line else ""

    def foreign(self, game: Game) -> UserError:
        return UserError(
            f"`{self.path}` is no recorded game of {game.name}", "name a folder of files that `cambist record` wrote"
        )


def folder_of(rules: Path, named: str | None) -> Path | None:
    """The folder somebody names, or the one beside the rules, if there is one."""
    if named is not None:
        return Path(named)
    beside = rules.parent / BESIDE
    return beside if beside.is_dir() else None


def read_folder(folder: Path) -> list[Playthrough]:
    """The shortest first: it may be enough."""
    if not folder.is_dir():
        raise UserError(f"there is no folder `{folder}`", "name a folder of recorded games")
    found = [_read(path) for path in sorted(folder.glob("*.txt"))]
    if not found:
        raise UserError(f"`{folder}` has no recorded games", "`cambist record GAME -o FILE.txt` writes one")
    return sorted(found, key=lambda one: len(one.text))


def _read(path: Path) -> Playthrough:
    text = read_text(path, "a recorded game")
    if not text.startswith(log.FIRST_LINE.rpartition(" ")[0]):
        return Playthrough(path, text, None)
    from cambist.commands.replay import read_record

    record, _ = read_record(path)
    if not record.moves:
        raise UserError(f"`{path}` tells of nothing", "record a game that has choices", FOUND)
    return Playthrough(path, text, record)
