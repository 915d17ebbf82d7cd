"""State <-> plain JSON data. Everything is addressed by name, so that a save survives edits elsewhere in the rules.

A frame names its procedure and carries a digest of its text: when that has changed, restoring says which one and stops.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from functools import cached_property
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.choices import as_answer
from cambist.interpreter.describe import Words
from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.state import Pending, State, blank

MOST_PROGRAMS = 8  # whose names are remembered
FORM = 3  # 1 and 2: chance was drawn differently, so the answers given so far do not lead to the table again


def seal(data: dict[str, Any]) -> str:
    """A check over everything else in a save: whatever changes it by accident is found out."""
    plain = {key: value for key, value in data.items() if key != "check"}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


class SaveError(Exception):
    """A save that cannot be continued: what is wrong with it and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy


def is_newer(form: object, known: int) -> bool:
    """Whether a save has a form of a version to come: it is not damaged, though nothing else in it is known."""
    return type(form) is int and form > known


class PlainWords(Words):
    """Names for saves, whatever the seats are called."""

    def __init__(self, program: p.Program) -> None:
        super().__init__(program, [f"p{seat + 1}" for seat in range(program.players)])

    @cached_property
    def digest(self) -> str:
        """What the integers of a state mean: cards, zones and enums, in their order."""
        cards = [self.card(c) for c in range(len(self.program.components))]
        return hashlib.sha256(repr((cards, self.zone_names, self.program.enums)).encode()).hexdigest()[:16]


_LAST: dict[int, PlainWords] = {}  # of programs that were saved last, by where they are: they are never changed


def plain_words(program: p.Program) -> PlainWords:
    words = _LAST.get(id(program))
    if words is None or words.program is not program:
        if len(_LAST) >= MOST_PROGRAMS:
            _LAST.clear()
        words = _LAST[id(program)] = PlainWords(program)
    return words


def save_state(program: p.Program, state: State) -> dict[str, Any]:
    words = plain_words(program)
    pending = state.pending
    return {
        "components": words.digest,
        "zones": {words.zone_names[i]: list(z) for i, z in enumerate(state.zones)},
        "accounts": {words.account_names[i]: v for i, v in enumerate(state.accounts)},
        "variables": {words.variable_names[i]: _copy(v) for i, v in enumerate(state.vars)},
        "revealed": [words.zone_names[z] for z in sorted(state.revealed)],
        "frames": [
            {
                "procedure": program.procedures[f[0]].name,
                "digest": program.procedures[f[0]].digest,
                "at": f[1],
                "locals": [_copy(v) for v in f[2]],
                "results": list(f[3]),
            }
            for f in state.frames
        ],
        "pending": None
        if pending is None
        else {
            "choice": program.choices[pending.choice].name,
            "deciders": list(pending.deciders),
            "answers": [_copy(a) for a in pending.answers],
        },
        "rng": f"{state.rng:016x}",
        "ended": state.ended,
        "marks": dict(sorted(state.marks.items())),
        "limits": dict(sorted(state.limits.items())),
        "decisions": state.decisions,
        "tentative": [_copy(t) for t in state.tentative],
    }


def _copy(value: Any) -> Any:
    return [_copy(v) for v in value] if isinstance(value, (list, tuple)) else value


def load_state(program: p.Program, data: dict[str, Any]) -> State:
    words = plain_words(program)
    state = blank(program, int(data["rng"], 16))
    _by_name("zone", words.zone_names, data["zones"])
    _by_name("account", words.account_names, data["accounts"])
    _by_name("variable", words.variable_names, data["variables"])
    if data["components"] != words.digest:
        raise SaveError(
            "the cards or enums of the game have changed since it was saved", "use the rules it was saved with"
        )
    lying = sorted(c for zone in data["zones"].values() for c in zone)
    if lying != list(range(len(program.components))):
        raise SaveError("the save is damaged: a component is missing or lies in two places", "use an older save")
    state.zones = [list(data["zones"][name]) for name in words.zone_names]
    for number, zone in enumerate(state.zones):
        for component in zone:
            state.where[component] = number
    state.accounts = [data["accounts"][name] for name in words.account_names]
    state.vars = [_copy(data["variables"][name]) for name in words.variable_names]
    unknown = [name for name in data["revealed"] if name not in words.zone_names]
    if unknown:
        raise SaveError(f"the save is damaged: there is no zone `{unknown[0]}`", "use an older save")
    state.revealed = {words.zone_names.index(name) for name in data["revealed"]}
    state.frames = [_frame(program, f) for f in data["frames"]]
    state.pending = _pending(program, data["pending"])
    state.ended = data["ended"]
    state.marks, state.limits = dict(data["marks"]), dict(data["limits"])
    state.decisions = data["decisions"]
    state.tentative = [_copy(t) for t in data["tentative"]]
    state.fuel = STEPS_PER_DECISION
    return state


def _by_name(what: str, wanted: list[str], found: dict[str, Any]) -> None:
    missing, extra = set(wanted) - set(found), set(found) - set(wanted)
    if missing or extra:
        name = sorted(missing or extra)[0]
        change = "is new" if missing else "is gone"
        raise SaveError(f"the {what} `{name}` {change} since the game was saved", "use the rules it was saved with")


def _frame(program: p.Program, data: dict[str, Any]) -> list[Any]:
    name = data["procedure"]
    for index, procedure in enumerate(program.procedures):
        if procedure.name == name:
            if procedure.digest != data["digest"]:
                raise SaveError(
                    f"the game stands in `{name}`, and its rules have changed since it was saved",
                    "use the rules it was saved with, or replay its record",
                )
            if not 0 <= data["at"] < len(procedure.code) or len(data["locals"]) != procedure.locals:
                raise SaveError(f"the save is damaged: there is no such place in `{name}`", "use an older save")
            return [index, data["at"], [_locals(v) for v in data["locals"]], tuple(data["results"])]
    raise SaveError(f"the game stands in `{name}`, which the rules no longer have", "use the rules it was saved with")


def _locals(value: Any) -> Any:
    return [_locals(v) for v in value] if isinstance(value, list) else value


def _pending(program: p.Program, data: dict[str, Any] | None) -> Pending | None:
    if data is None:
        return None
    for index, choice in enumerate(program.choices):
        if choice.name == data["choice"]:
            if len(data["answers"]) != len(data["deciders"]) or max(data["deciders"]) >= program.players:
                raise SaveError("the save is damaged: it waits for players who are not there", "use an older save")
            answers = [None if a is None else as_answer(a) for a in data["answers"]]
            return Pending(index, list(data["deciders"]), answers)
    raise SaveError(f"the choice `{data['choice']}` is no longer in the rules", "use the rules it was saved with")


def fingerprint(state: State) -> str:
    """Six digits that differ when what lies on the table differs."""
    data = repr((state.zones, state.accounts, state.vars, sorted(state.revealed), state.ended))
    return f"{zlib.crc32(data.encode()) & 0xFFFFFF:06x}"
