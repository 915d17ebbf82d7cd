"""Games for a report, in this process or in several: what comes out is the same.

In: a program, who plays, a seed, how many games, how many processes. Out: `Gathered`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator

from attrs import frozen

from cambist.dsl.program import Program
from cambist.interpreter.gathering import Gathered, Gatherer
from cambist.simulation.crew import played_by_processes
from cambist.simulation.work import Task, tasks

AT_A_TIME = 10  # games of one task


@frozen
class Table:
    """Those who play one program with one seed."""

    gatherer: Gatherer
    seed: int

    def play(self, task: Task) -> Gathered:
        return self.gatherer.gather(self.seed, range(task.first, task.first + task.count))


def opened(parcel: bytes) -> Table:
    program, seed = pickle.loads(parcel)
    return Table(Gatherer(program), seed)


def gather(
    program: Program, seed: int, games: int, jobs: int = 1, heard: Callable[[int], None] = lambda done: None
) -> Gathered:
    """`heard` is told how many games are done."""
    found, done = Gathered(), 0
    parcel, todo = pickle.dumps((program, seed)), tasks([[range(games)]], AT_A_TIME)
    several = jobs > 1 and games > AT_A_TIME
    for part in played_by_processes([parcel], todo, jobs, opened) if several else _here(opened(parcel), todo):
        found.add(part)
        done += len(part.games) + len(part.failed)
        heard(done)
    return found


def _here(table: Table, todo: Iterator[Task]) -> Iterator[Gathered]:
    for task in todo:
        yield table.play(task)
