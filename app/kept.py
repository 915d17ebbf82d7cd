"""Verdicts kept on disk while many changes are tried, so that an interrupted run goes on where it was.

In and out: a JSON file. One that is damaged or foreign is not used: everything can be found out again.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any

from cambist.files import write_whole
from cambist.mutation import Verdict
from cambist.schema_check import problems

EVERY = 5.0  # seconds between two writings


class Kept:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[int, Verdict] = {}
        self.written = monotonic()
        for place, parts in _read(path).items():
            self.found[int(place)] = Verdict(*parts)

    def get(self, place: int) -> Verdict | None:
        return self.found.get(place)

    def put(self, place: int, verdict: Verdict) -> None:
        self.found[place] = verdict
        if monotonic() - self.written > EVERY:
            self.write()

    def write(self) -> None:
        data = {str(place): [v.outcome, v.by, v.detail] for place, v in self.found.items()}
        self.path.parent.mkdir(exist_ok=True)
        write_whole(self.path, json.dumps({"mutate": 1, "verdicts": data}, ensure_ascii=False) + "\n")
        self.written = monotonic()


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if problems("mutate_kept", data):
        return {}
    verdicts: dict[str, Any] = data["verdicts"]
    return verdicts
