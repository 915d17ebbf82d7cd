"""Tasks played by several processes of this machine.

In: parcels, how one is opened to something that plays, and tasks. Out: what is done, in any order. A process that dies
is noticed, another takes its place, and its task is played again; one that kills whoever plays it is given up with a
message. Whoever stops listening ends the processes.
"""

from __future__ import annotations

import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, TypeVar

from cambist.problems import FOUND, UserError
from cambist.simulation.work import Task

NAME = "cambist simulate"
PATIENCE = 3  # so many processes may die of one task


Parcel = TypeVar("Parcel")  # what a process is given, which can be pickled
Done = TypeVar("Done", covariant=True)


class Plays(Protocol[Done]):
    def play(self, task: Task) -> Done: ...


Opened = Callable[[Parcel], Plays[Done]]


def played_by_processes(
    parcels: Sequence[Parcel], todo: Iterator[Task], count: int, opened: Opened[Parcel, Done]
) -> Generator[Done, None, None]:
    """`opened`, a function of a module, makes of the parcel of a task's cell what plays it, once in each process."""
    crew = _Crew(parcels, todo, opened)
    try:
        for _ in range(count):
            crew.hire()
        while crew.busy:
            for connection in wait(list(crew.busy)):
                assert isinstance(connection, Connection)
                done = crew.heard(connection)
                if done is not None:
                    yield done
    finally:
        crew.dismiss()


class _Crew(Generic[Parcel, Done]):
    def __init__(self, parcels: Sequence[Parcel], todo: Iterator[Task], opened: Opened[Parcel, Done]) -> None:
        self.opened = opened
        self.context = get_context("spawn")  # a copy of a process with threads may hang
        self.parcels = parcels
        self.todo = todo
        self.again: deque[Task] = deque()  # whose process has died
        self.deaths: Counter[Task] = Counter()
        self.busy: dict[Connection, Task] = {}
        self.processes: dict[Connection, BaseProcess] = {}

    def hire(self) -> None:
        """One more process, if there is something to do."""
        task = self._next()
        if task is None:
            return
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(theirs, self.parcels, self.opened), name=NAME, daemon=True)
        with uninterrupted():
            process.start()
        theirs.close()
        self.processes[ours] = process
        self._give(ours, task)

    def heard(self, connection: Connection) -> Done | None:
        """What a process has done, which gets its next task; None if it has died."""
        try:
            found = connection.recv()
        except (EOFError, OSError):
            self._died(connection)
            return None
        if isinstance(found, BaseException):
            raise found
        done: Done = found
        del self.busy[connection]
        task = self._next()
        if task is not None:
            self._give(connection, task)
        return done

    def dismiss(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for connection, process in self.processes.items():
            connection.close()
            process.join()

    def _next(self) -> Task | None:
        return self.again.popleft() if self.again else next(self.todo, None)

    def _give(self, connection: Connection, task: Task) -> None:
        self.busy[connection] = task
        try:
            connection.send(task)
        except OSError:
            pass  # it has died: heard when it is listened to

    def _died(self, connection: Connection) -> None:
        task = self.busy.pop(connection)
        process = self.processes.pop(connection)
        connection.close()
        process.join()
        self.deaths[task] += 1
        if self.deaths[task] >= PATIENCE:
            last = task.first + task.count - 1
            raise UserError(
                f"games {task.first} to {last} ended the process that played them {PATIENCE} times",
                f"try fewer --jobs, or those games alone: `cambist record … --game {task.first}`",
                FOUND,
            )
        self.again.append(task)
        self.hire()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; this one alone decides what it means. A process that begins here has
    it held back for good; here it is heard when that has begun, which takes a second or more. A mask is not
    enough: a thread that draws progress would let it through."""
    heard = False

    def hear(*_: object) -> None:
        nonlocal heard
        heard = True

    listens = threading.current_thread() is threading.main_thread()  # no other thread hears of it
    before = signal.signal(signal.SIGINT, hear) if listens else None
    holds = hasattr(signal, "pthread_sigmask")
    if holds:
        resource_tracker.ensure_running()  # beginning that would let signals through again
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if holds:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        if listens:
            signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _serve(connection: Connection, parcels: Sequence[Any], opened: Callable[[Any], Plays[Any]]) -> None:
    """A process of the crew: plays what it is told until nobody listens."""
    cells: dict[int, Plays[Any]] = {}
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        try:
            if task.cell not in cells:
                cells[task.cell] = opened(parcels[task.cell])
            found: object = cells[task.cell].play(task)
        except Exception as error:  # not a fault of the rules, which is an outcome: told to who can tell people
            found = error
        try:
            connection.send(found)
        except OSError:
            return
