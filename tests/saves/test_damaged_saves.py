"""A save that was damaged is refused with a reason, or is a game that can be played: never an error of Python.

Every value in a save is taken out and replaced by others, one at a time.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import cambist
from tests.laws.tables import TABLES, Table, step

PARTS = ("head", "history", "zones", "accounts", "variables", "revealed", "frames", "pending", "tentative", "rest")
OTHERS: tuple[Any, ...] = (None, True, -1, 10**30, "x", [], [[-1]])
GONE = "(taken out)"
FOLLOWED = 2  # places of a list
Path = tuple[str | int, ...]


def _inside_a_tentative_block(match: cambist.Match) -> bool:
    return bool(match.state.tentative) and len(match.history) > 4


def _with_a_sealed_answer(match: cambist.Match) -> bool:
    pending = match.state.pending
    return pending is not None and any(answer is not None for answer in pending.answers) and len(match.history) > 4


@cache
def _saved() -> tuple[tuple[Table, dict[str, Any]], ...]:
    """Two games, half played, in the most delicate moments there are."""
    found = []
    for name, moment in (("workshop", _inside_a_tentative_block), ("strongroom", _with_a_sealed_answer)):
        table = next(t for t in TABLES if t.name == name)
        match, rng = table.start(3), cambist.Source(4)
        while not moment(match):
            step(match, rng)
        found.append((table, json.loads(json.dumps(match.save()))))
    return tuple(found)


def _paths(data: Any, before: Path = ()) -> Iterator[Path]:
    inside: Any = (
        data.items() if isinstance(data, dict) else enumerate(data[:FOLLOWED]) if isinstance(data, list) else ()
    )
    for key, value in inside:
        yield (*before, key)
        yield from _paths(value, (*before, key))


def _part(path: Path) -> str:
    if path[0] == "state":
        return str(path[1]) if len(path) > 1 and path[1] in PARTS else "rest"
    return "history" if path[0] == "history" else "head"


def _damaged(data: dict[str, Any], path: Path, value: Any) -> dict[str, Any] | None:
    changed = copy.deepcopy(data)
    inner: Any = changed
    for key in path[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[path[-1]]
    elif type(inner[path[-1]]) is type(value) and inner[path[-1]] == value:
        return None
    else:
        inner[path[-1]] = value
    return changed


def _use(match: cambist.Match) -> None:
    """All that is done with a match; a fault of the rules or a refusal may come of it."""
    match.view(), match.view(0), match.log_lines(0), match.result, match.fingerprint()
    json.dumps(match.save())
    rng = cambist.Source(1)
    for _ in range(3):
        if match.choice is not None:
            match.choice.options(limit=3)
            step(match, rng)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_save(part: str) -> None:
    broken = []
    for table, data in _saved():
        for path in _paths(data):
            if _part(path) != part:
                continue
            for value in (*OTHERS, GONE):
                changed = _damaged(data, path, value)
                if changed is None:
                    continue
                try:
                    _use(table.game.restore(changed))
                except (cambist.SaveError, cambist.Fault, cambist.Refused):
                    pass
                except Exception as error:  # every other one is what must not be
                    broken.append(f"{table.name} {'.'.join(map(str, path))} = {value!r}: {error!r}")
    assert not broken, f"{len(broken)} in all, for example:\n" + "\n".join(broken[:5])


@pytest.mark.parametrize("data", (None, 7, "x", [], {}, {"save": 1}, {"save": 2}))
def test_what_is_no_save(data: Any) -> None:
    with pytest.raises(cambist.SaveError):
        _saved()[0][0].game.restore(data)
