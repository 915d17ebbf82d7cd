"""Saves of games played at the terminal: a match, where its rules are and who sits where. JSON on disk.

In and out: a `Stored`. Reading refuses what is damaged or foreign, with a message for people: the form is
checked, then the match is played again from its answers and must arrive at the very table that was saved. A
bare `match.save()` can be read as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attrs import frozen

from cambist.files import read_text, write_whole
from cambist.game import Game, load
from cambist.interpreter.api import Fault, Match, SaveError
from cambist.interpreter.saves import FORM as SAVE_FORM
from cambist.interpreter.saves import is_newer, seal
from cambist.interpreter.strict_json import NotStrict, parse
from cambist.problems import FOUND, UserError
from cambist.schema_check import problems

MARK = "cambist play save"
FORM = 1
PERSON, RANDOM = "you", "random"
BYTE_ORDER = "\ufeff"  # some editors write it before the text
DAMAGED = "use an older save, or begin again"


@frozen
class Stored:
    game: Game
    rules: str  # a shipped game's name or a path
    seats: tuple[str, ...]  # who plays each seat: PERSON or a bot's name
    match: Match
    changed: bool = False  # the rules were changed during the game: it can go on, but not be undone


def write(path: Path, stored: Stored) -> None:
    data: dict[str, Any] = {
        MARK: FORM,
        "rules": stored.rules,
        "seats": list(stored.seats),
        "match": stored.match.save(),
    }
    if stored.changed:
        data["changed"] = True
        data["match"]["digest"] = "changed"  # no rules lead from its first answer to its last
        data["match"]["check"] = seal(data["match"])
    write_whole(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def is_save(path: Path) -> bool:
    """Whether a file may be overwritten by a save: it is one."""
    try:
        with path.open("rb") as stream:
            begin = stream.read(40).removeprefix(BYTE_ORDER.encode()).lstrip()
            return begin.startswith((b'{"' + MARK.encode(), b'{"save"'))
    except OSError:
        return False


def read(path: Path, rules: str | None, engine: str = "reference") -> Stored:
    """`rules`: where the person says they are; None: where the save says."""
    text = read_text(path, "a saved game").removeprefix(BYTE_ORDER)
    try:
        data = parse(text)
    except NotStrict as error:
        where = f", line {error.line}" if error.line else ""
        raise UserError(f"`{path}`{where} is damaged or no save: {error.why}", DAMAGED, FOUND) from None
    if isinstance(data, dict) and MARK not in data and "save" in data:
        data = {MARK: FORM, "rules": data.get("game"), "seats": [], "match": data}
    if not isinstance(data, dict) or MARK not in data:
        raise UserError(f"`{path}` is no saved game", "use a file that `play` has saved", FOUND)
    if is_newer(data[MARK], FORM):
        raise UserError(
            f"`{path}` was written by a newer Cambist", "use that version, or one that is newer still", FOUND
        )
    wrong = problems("play_save", data)
    if wrong:
        raise UserError(f"`{path}` is damaged or no save of a game: {wrong[0]}", DAMAGED, FOUND)
    where = rules or _found(data["rules"], path)
    game = load(where)
    match = _restored(game, data["match"], path, engine)
    seats = tuple(data["seats"]) or (PERSON, *[RANDOM] * (match.program.players - 1))
    if len(seats) != match.program.players or len(match.seats) != match.program.players:
        raise UserError(f"`{path}` is damaged: the seats do not fit the number of players", DAMAGED, FOUND)
    known = data["match"]["digest"] == match.program.digest and data["match"]["save"] == SAVE_FORM
    changed = bool(data.get("changed")) or not known
    if not changed:
        _verify(match, path)
    return Stored(game, where, seats, match, changed)


def _found(rules: str, path: Path) -> str:
    """Where the save says, or beside the save if it was moved together with the rules."""
    beside = path.parent / Path(rules).name
    return str(beside) if rules.endswith(".rules") and not Path(rules).exists() and beside.exists() else rules


def _restored(game: Game, data: dict[str, Any], path: Path, engine: str) -> Match:
    try:
        return game.restore(data, engine)
    except SaveError as error:
        raise UserError(f"`{path}` cannot be continued: {error.what}", error.remedy, FOUND) from None
    except (KeyError, ValueError, IndexError, TypeError):
        raise UserError(f"`{path}` is damaged", DAMAGED, FOUND) from None


def _verify(match: Match, path: Path) -> None:
    """The saved table must be where the saved answers lead."""
    try:
        again = Match.start(match.machine, match.seed, match.seats)
        good = all(_given_again(again, player, answer) for player, answer in match.history)
        good = good and again.save() == match.save()
    except (Fault, KeyError, ValueError, IndexError, TypeError):
        good = False
    if not good:
        raise UserError(f"`{path}` is damaged: its answers do not lead to its table", DAMAGED, FOUND)


def _given_again(match: Match, player: int, answer: Any) -> bool:
    if match.over or match.machine.refusal(match.state, player, answer) is not None:
        return False
    match.advance(player, answer)
    return True
