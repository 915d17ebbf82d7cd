"""How long rules take to load, beside what CPython takes to compile so many lines of ordinary Python.

In: a game's name or path. Out: CPU seconds for a thousand lines, of rules and of Python, taking turns. The Python is
Cambist's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import cambist
from cambist.benching.clock import Turn
from cambist.game import Game, load
from cambist.interpreter.api import Machine
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine

CACHE = "CAMBIST_CACHE"  # names the folder where compiled rules are kept
PYTHON = ("dsl", "interpreter")  # folders of the package whose files are compiled


def lines_of(game: Game) -> int:
    """Of all files that are read for it: rules, modules, sheets."""
    return sum(len(text.splitlines()) for text in game.ruleset.texts)


def loads(name: str, players: int, engine: str, lines: int, whole: bool = False, answered: bool = False) -> Turn:
    """Everything from the file to a machine that plays step by step. `whole`: and has the functions of whole random
    games, which compiled rules make when the first begins. `answered`: a game is started, and its first choice
    answered; whatever is put off until then is counted."""

    def turn(count: int) -> float:
        for _ in range(count):
            machine = load(name).machine(players, engine=engine)
            if whole and isinstance(machine, CompiledMachine):
                machine.prepare()
            if answered:
                _answer_once(machine)
        return count * lines / 1000

    return turn


def _answer_once(machine: Machine) -> None:
    state = machine.start(seed_of(0, 0))
    if machine.waiting(state) >= 0:
        player = machine.next_decider(state)
        machine.advance(state, player, machine.sample(state, player, Source(0)))


def python_compiles() -> Turn:
    texts = [
        path.read_text("utf-8")
        for folder in PYTHON
        for path in sorted(Path(cambist.__file__).parent.joinpath(folder).glob("*.py"))
        if path.name != "grammar_tables.py"  # data, not ordinary Python
    ]
    lines = sum(len(text.splitlines()) for text in texts)

    def turn(count: int) -> float:
        for _ in range(count):
            for text in texts:
                compile(text, "<python>", "exec", dont_inherit=True)
        return count * lines / 1000

    return turn


def from_scratch(turn: Turn) -> Turn:
    """The same with nothing on disk from before, and nothing put there."""

    def cold(count: int) -> float:
        with kept_in(""):
            return turn(count)

    return cold


def forgotten(turn: Turn) -> Turn:
    """The same with nothing on disk from before; what is made is kept there."""

    def cold(count: int) -> float:
        units = 0.0
        for _ in range(count):
            with TemporaryDirectory() as folder, kept_in(folder):
                units += turn(1)
        return units

    return cold


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Compiled rules are looked for and kept there, for as long as it lasts (nowhere if it is empty): nobody's own are
    touched."""
    before = os.environ.get(CACHE)
    os.environ[CACHE] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[CACHE]
        else:
            os.environ[CACHE] = before
