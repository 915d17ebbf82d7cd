"""Games for a report, in this process or in several: what comes out is the same.

In: a program, who plays, a seed, how many games, how many processes. Out: `Gathered`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from cambist.dsl.program import Program
from cambist.interpreter.bots import bot_of
from cambist.interpreter.gathering import Gathered, Gatherer
from cambist.simulation.crew import played_by_processes
from cambist.simulation.work import Task, tasks

AT_A_TIME = 10  # games of one task
AT_RANDOM = "random"


@frozen
class Table:
    """Those who play one program with one seed."""

    gatherer: Gatherer
    seed: int

    def play(self, task: Task) -> Gathered:
        return self.gatherer.gather(self.seed, range(task.first, task.first + task.count))


def opened(parcel: bytes) -> Table:
    program, seats, seed = pickle.loads(parcel)
    bots = None if set(seats) <= {AT_RANDOM} else [bot_of(name) for name in seats]
    return Table(Gatherer(program, bots), seed)


def gather(
    program: Program,
    seats: Sequence[str],
    seed: int,
    games: int,
    jobs: int = 1,
    heard: Callable[[int], None] = lambda done: None,
) -> Gathered:
    """`seats` are names of bots; `heard` is told how many games are done."""
    found, done = Gathered(), 0
    parcel, todo = pickle.dumps((program, tuple(seats), seed)), tasks([[range(games)]], AT_A_TIME)
    several = jobs > 1 and games > AT_A_TIME
    for part in played_by_processes([parcel], todo, jobs, opened) if several else _here(opened(parcel), todo):
        found.add(part)
        done += len(part.games) + len(part.failed)
        heard(done)
    return found


def _here(table: Table, todo: Iterator[Task]) -> Iterator[Gathered]:
    for task in todo:
        yield table.play(task)
