"""Games for a report, in this process or in several: what comes out is the same.

In: a program, who plays, a seed, how many games, how many processes. Out: `Gathered`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from cambist.dsl.program import Program
from cambist.interpreter.gathering import Gathered, Gatherer
from cambist.problems import FOUND, UserError

AT_A_TIME = 10  # games of one task
_gatherer: Gatherer | None = None  # of a process of the pool


def gather(
    program: Program, seed: int, games: int, jobs: int = 1, heard: Callable[[int], None] = lambda done: None
) -> Gathered:
    """`heard` is told how many games are done."""
    found = Gathered()
    done = 0
    for part in _here(program, seed, games) if jobs < 2 else _in_processes(program, seed, games, jobs):
        found.add(part)
        done += len(part.games) + len(part.failed)
        heard(done)
    return found


@contextmanager
def shown_progress(title: str, games: int) -> Iterator[Callable[[int], None]]:
    """What to call with the number of games done: a bar for those who watch."""
    if not sys.stderr.isatty() or games < 2:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    from cambist.dsl.render import printable

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(printable(title)), total=games)
        yield lambda done: progress.update(task, completed=done)


def _tasks(games: int) -> Iterator[range]:
    for first in range(0, games, AT_A_TIME):
        yield range(first, min(first + AT_A_TIME, games))


def _here(program: Program, seed: int, games: int) -> Iterator[Gathered]:
    gatherer = Gatherer(program)
    for numbers in _tasks(games):
        yield gatherer.gather(seed, numbers)


def _in_processes(program: Program, seed: int, games: int, jobs: int) -> Iterator[Gathered]:
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (program,))
    try:
        for task in as_completed([pool.submit(_play, seed, numbers) for numbers in _tasks(games)]):
            yield task.result()
    except BrokenProcessPool:
        raise UserError("a process that played games has died", "try fewer --jobs", FOUND) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(program: Program) -> None:
    global _gatherer
    _gatherer = Gatherer(program)


def _play(seed: int, numbers: range) -> Gathered:
    assert _gatherer is not None
    return _gatherer.gather(seed, numbers)
