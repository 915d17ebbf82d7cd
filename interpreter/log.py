"""A recorded game: what chance did and what was answered, in order, with how it ended. Text or JSON, both
read strictly.

A record holds all that is needed to play the game again without any random source, and a fingerprint of the
table at every answer, so that a change of the rules shows at the first choice it touches. In the text form
each line is one of these, written so that people can read and edit it. Playing it again is the work of
`replay`.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from cambist.interpreter.strict_json import NotStrict, parse, structure, unstructure

FORM = 1
FIRST_LINE = f"cambist record {FORM}"
LAST_LINE = "end"
LONGEST = 64 * 1024 * 1024
SEAT = re.compile(r"[\w.-]{1,40}")
NUMBER = re.compile(r"-?[0-9]{1,19}")
ANSWER = re.compile(r"(\S+) (\S+) ([0-9a-f]{6}): (.*?)(?:  = (\[[\[\]0-9,-]*\]))?")
ENDED = re.compile(r"ended ([0-9a-f]{6}): (.*)")


class RecordError(ValueError):
    """A record that cannot be read: why, and the line of the file where that is known."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.why = why
        self.line = line


@frozen
class RecordedChance:
    chance: tuple[int, ...]  # the places drawn, or the order after a shuffle


@frozen
class RecordedAnswer:
    choice: str
    player: str
    state: str  # fingerprint of the table when the choice was asked
    answer: str
    exact: str = ""  # the answer as numbers, where its text could mean something else


@frozen
class RecordedEnd:
    ended: str
    state: str
    scores: tuple[str, ...]  # by seat, as they are written
    winners: tuple[str, ...]
    limits: tuple[str, ...] = ()


@frozen
class RecordedFault:
    fault: str  # the game stopped: its code and message


Move = RecordedChance | RecordedAnswer


@frozen
class Record:
    record: int  # the form of this file
    rules: str  # where the rules were found: a game's name or a path
    game: str
    digest: str
    players: int
    options: dict[str, int | str]
    seats: tuple[str, ...]
    seed: int
    number: int  # which game of that seed
    moves: tuple[Move, ...]
    end: RecordedEnd | RecordedFault

    @property
    def answers(self) -> int:
        return sum(isinstance(move, RecordedAnswer) for move in self.moves)


# ---- the JSON form


def as_data(record: Record) -> dict[str, Any]:
    return dict(unstructure(record))


def from_data(data: Any) -> Record:
    """Plain data that fits schemas/record.schema.json."""
    try:
        record = structure(data, Record)
    except NotStrict as error:
        raise RecordError(error.why) from None
    if len(record.seats) != record.players or len(set(record.seats)) != record.players:
        raise RecordError(f"the seats do not fit {record.players} players")
    for seat in record.seats:
        if not SEAT.fullmatch(seat):
            raise RecordError(f"a seat cannot be called {seat[:40]!r}")
    if isinstance(record.end, RecordedEnd) and len(record.end.scores) != record.players:
        raise RecordError(f"there are not {record.players} scores")
    return record


# ---- the text form


def as_text(record: Record) -> str:
    lines = [
        FIRST_LINE,
        f"rules: {record.rules}",
        f"game: {record.game}",
        f"digest: {record.digest}",
        f"players: {record.players}",
        f"options: {', '.join(f'{name}={value}' for name, value in record.options.items())}".rstrip(),
        f"seats: {', '.join(record.seats)}",
        f"seed: {record.seed}",
        f"number: {record.number}",
        "",
    ]
    for move in record.moves:
        if isinstance(move, RecordedChance):
            lines.append(f"chance: {' '.join(str(n) for n in move.chance)}".rstrip())
        else:
            exact = f"  = {move.exact}" if move.exact else ""
            lines.append(f"{move.choice} {move.player} {move.state}: {move.answer}{exact}")
    lines.append("")
    if isinstance(record.end, RecordedEnd):
        lines.append(f"ended {record.end.state}: {record.end.ended}")
        lines.append(f"scores: {', '.join(record.end.scores)}")
        lines.append(f"winners: {', '.join(record.end.winners)}")
        if record.end.limits:
            lines.append(f"limits: {', '.join(record.end.limits)}")
    else:
        lines.append(f"fault: {record.end.fault}")
    lines.append(LAST_LINE)
    if any(character in line for line in lines for character in "\r\n"):
        raise RecordError("a name with a line break in it cannot be recorded")
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[Any, dict[str, int]]:
    """Either form as plain data, not yet checked, and the lines its parts stand in (`seed`, `moves.12`)."""
    if len(text) > LONGEST:
        raise RecordError("it is too long for a record")
    if text.lstrip().startswith("{"):
        try:
            return parse(text), {}
        except NotStrict as error:
            raise RecordError(error.why, error.line) from None
    return _Reader(text).read()


class _Reader:
    """The text form, line by line; says at which line it stops making sense."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.data: dict[str, Any] = {}
        self.moves: list[dict[str, Any]] = []
        self.end: dict[str, Any] = {}
        self.places: dict[str, int] = {}
        self.here = 0

    def read(self) -> tuple[Any, dict[str, int]]:
        if self.lines[0].startswith(FIRST_LINE.rstrip("0123456789")) and self.lines[0].rstrip() != FIRST_LINE:
            raise RecordError(f"this is a record of another version of Cambist: it does not begin `{FIRST_LINE}`", 1)
        if self.lines[0].rstrip() != FIRST_LINE:
            raise RecordError(f"this is not a record: its first line is not `{FIRST_LINE}`", 1)
        self.data["record"] = FORM
        complete = False
        for number, whole in enumerate(self.lines[1:], 2):
            self.here, line = number, whole.rstrip()
            if not line or line.startswith("#"):
                continue
            if complete:
                raise self.problem(f"nothing should follow the line `{LAST_LINE}`")
            if line != LAST_LINE:
                self.line(line)
            complete = line == LAST_LINE and self.here < len(self.lines)  # its line end is there, too
        if not complete and self.lines[-1].rstrip() == LAST_LINE:
            raise self.problem(f"the record is cut off: the end of its last line `{LAST_LINE}` is missing")
        if not complete:
            raise self.problem(f"the record is cut off: the last line is not `{LAST_LINE}`")
        self.data |= {"moves": self.moves, "end": self.end}
        return self.data, self.places

    def problem(self, why: str) -> RecordError:
        return RecordError(why, self.here)

    def line(self, line: str) -> None:
        if ended := ENDED.fullmatch(line):
            self.put(self.end, "end", {"state": ended[1], "ended": ended[2]})
        elif answer := ANSWER.fullmatch(line):
            choice, player, state, said, exact = answer.groups()
            more = {"exact": exact} if exact else {}
            self.move({"choice": choice, "player": player, "state": state, "answer": said, **more})
        elif ":" in line:
            key, _, value = line.partition(":")
            self.pair(key, value.strip())
        else:
            raise self.problem(f"this line is damaged: {line[:60]!r}")

    def pair(self, key: str, value: str) -> None:
        if key == "chance":
            self.move({"chance": [self.number(word) for word in value.split()]})
        elif key in ("rules", "game", "digest"):
            self.put(self.data, key, {key: value})
        elif key in ("players", "seed", "number"):
            self.put(self.data, key, {key: self.number(value)})
        elif key == "seats":
            self.put(self.data, key, {key: self.names(value)})
        elif key == "options":
            self.put(self.data, key, {key: dict(self.option(word) for word in self.names(value))})
        elif key in ("scores", "winners", "limits"):
            self.put(self.end, key, {key: self.names(value)})
        elif key == "fault":
            self.put(self.end, "end", {key: value})
        else:
            raise self.problem(f"this line is damaged: {key[:40]!r} is nothing that a record says")

    def put(self, into: dict[str, Any], key: str, more: dict[str, Any]) -> None:
        if set(more) & set(into):
            raise self.problem(f"`{key}` stands twice")
        into |= more
        self.places[key] = self.here

    def move(self, move: dict[str, Any]) -> None:
        if self.end:
            raise self.problem("nothing can happen after the end")
        self.places[f"moves.{len(self.moves)}"] = self.here
        self.moves.append(move)

    def number(self, word: str) -> int:
        if not NUMBER.fullmatch(word):
            raise self.problem(f"{word[:24]!r} is not a whole number")
        return int(word)

    def names(self, value: str) -> list[str]:
        return [word.strip() for word in value.split(",")] if value else []

    def option(self, word: str) -> tuple[str, int | str]:
        name, equal, value = word.partition("=")
        if not equal:
            raise self.problem(f"{word[:40]!r} is not an option: the form is NAME=VALUE")
        return name, int(value) if NUMBER.fullmatch(value) else value
