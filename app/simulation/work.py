"""The work that a simulation is divided into, and the doing of it, in whatever process that is.

In: a `Cell` (rules, number of players, options) and a `Task` (some of its games, by number). Out: `Done`, how those
games went. A game depends on the seed and its number alone, so that it makes no difference who plays which, when, or
twice. Rules travel as a program, never as the name of a file: whoever plays needs Cambist, not the author's folder.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Generator, Iterator, Sequence

from attrs import define, field, frozen

from cambist import __version__
from cambist.dsl.program import Program
from cambist.interpreter.api import Machine
from cambist.interpreter.bots import bot_of
from cambist.interpreter.bots.tables import play_seated
from cambist.interpreter.compiled import machine_of
from cambist.interpreter.explore import Played, play_random
from cambist.interpreter.faults import Fault
from cambist.interpreter.measures import Measures
from cambist.interpreter.soundness import Soundness

SHARES = 4  # tasks for each process at least, so that none waits long for the last
GAMES_A_TASK = 20  # few, so that little is lost with a process and the time left is known soon


class Mismatch(Exception):
    """The rules or the version of who asks and who plays differ."""


@frozen
class Parcel:
    """A cell as it travels."""

    version: str
    digest: str
    program: bytes  # packed
    engine: str
    seed: int
    check: bool
    seats: tuple[str, ...]
    measures: bool = False


@frozen
class Task:
    cell: int
    first: int  # number of the first game
    count: int


@frozen
class Done:
    task: Task
    games: tuple[Played | str, ...]  # by number; the code of its fault for a game that failed


@define
class Cell:
    """One point of the grid, ready to be played in this process."""

    machine: Machine
    seed: int
    check: bool
    seats: tuple[str, ...] = ()  # the bots that play; none: everybody at random, which is much faster
    measures: bool = False  # whether every `measure` is taken
    _sound: Soundness | None = field(default=None, init=False)
    _measures: Measures | None = field(default=None, init=False)

    @property
    def program(self) -> Program:
        return self.machine.program

    def game(self, number: int) -> Played:
        """Raises the fault of a game that fails."""
        if self.check and self._sound is None:
            self._sound = Soundness(self.machine)
        if self.seats:
            return play_seated(self.machine, self.seed, number, [bot_of(name) for name in self.seats])
        if self.measures and self._measures is None:
            self._measures = Measures(self.machine)
        return play_random(self.machine, self.seed, number, self.check, self._sound, measures=self._measures)

    def play(self, task: Task) -> Done:
        return Done(task, tuple(self._outcome(number) for number in range(task.first, task.first + task.count)))

    def _outcome(self, number: int) -> Played | str:
        try:
            return self.game(number)
        except Fault as fault:
            return fault.diagnostic.code

    def packed(self, engine: str) -> Parcel:
        program = zlib.compress(pickle.dumps(self.program, protocol=5), 1)
        return Parcel(
            __version__, self.program.digest, program, engine, self.seed, self.check, self.seats, self.measures
        )


def unpacked(parcel: Parcel) -> Cell:
    if parcel.version != __version__:
        raise Mismatch(f"a worker has Cambist {__version__}, but {parcel.version} asks it to play")
    program = pickle.loads(zlib.decompress(parcel.program))
    if not isinstance(program, Program) or program.digest != parcel.digest:
        raise Mismatch("the rules that a worker got are not those that were sent")
    return Cell(machine_of(program, parcel.engine), parcel.seed, parcel.check, parcel.seats, parcel.measures)


def size_for(missing: Sequence[Sequence[range]], most: int, processes: int) -> int:
    """Games a task, so that each of the processes gets some; what comes out does not depend on it."""
    games = sum(len(numbers) for ranges in missing for numbers in ranges)
    return max(1, min(most, games // (processes * SHARES)))


def tasks(missing: Sequence[Sequence[range]], size: int = GAMES_A_TASK) -> Iterator[Task]:
    """All games that are missing, cell by cell, a few at a time."""
    for cell, ranges in enumerate(missing):
        for numbers in ranges:
            for first in range(numbers.start, numbers.stop, size):
                yield Task(cell, first, min(size, numbers.stop - first))


def played_here(cells: Sequence[Cell], todo: Iterator[Task]) -> Generator[Done, None, None]:
    """One after the other in this process."""
    for task in todo:
        yield cells[task.cell].play(task)
