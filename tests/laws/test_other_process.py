"""A game does not depend on the process it is played in: not on Python's hash seed, nor on where it was begun."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cambist
from tests.laws.other_process import play
from tests.laws.tables import RULESETS, TABLES, Table, step

SCRIPT = Path(__file__).with_name("other_process.py")


def _fresh(table: Table) -> dict[str, Any]:
    path = str(RULESETS[table.name])
    return {
        "rules": path,
        "save": None,
        "players": table.players,
        "options": table.options,
        "seed": 3,
        "bot": 4,
    }


def _half(table: Table) -> cambist.Match:
    match, rng = table.start(6), cambist.Source(6)
    for _ in range(25):
        if match.choice is not None:
            step(match, rng)
    return match


def _half_played(table: Table) -> dict[str, Any]:
    return {**_fresh(table), "save": _half(table).save(), "bot": 5}


@cache
def _jobs() -> list[dict[str, Any]]:
    return [make(table) for table in TABLES for make in (_fresh, _half_played)]


@cache
def _here() -> list[str]:
    """The same games in this process, those that are half played never having been saved."""
    return [how for table in TABLES for how in (play(table.start(3), 4), play(_half(table), 5))]


@pytest.mark.parametrize("hash_seed", ("0", "1", "random"))
def test_same_games_in_a_new_process(hash_seed: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input=json.dumps(_jobs()),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    names = [f"{table} {how}" for table in TABLES for how in ("from the start", "from a save")]
    different = [name for name, a, b in zip(names, _here(), there, strict=True) if a != b]
    assert not different
