"""Tasks played by the workers of a Dask cluster.

In: cells and tasks. Out: what is done, in any order. The scheduler gives the task of a worker that is lost to another
one. Rules are sent once, as a task of their own, which can be run again where their holder was lost.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

import click

from cambist import __version__
from cambist.problems import FOUND, UserError
from cambist.simulation.work import Done, Mismatch, Parcel, Task, unpacked

GAMES_A_TASK = 50  # each costs the scheduler about a millisecond
USUAL_WORKERS = 16  # for whom even a short run is divided
AHEAD = 4  # tasks for each thread of the cluster that are with the scheduler
SECONDS: float = 10  # to find the scheduler, and a worker
KEPT = 32  # cells that a thread of a worker keeps ready


def played_by_cluster(parcels: Sequence[Parcel], todo: Iterator[Task], address: str) -> Generator[Done, None, None]:
    if find_spec("distributed") is None:
        raise UserError("--on needs dask.distributed, which is not installed", "pip install 'cambist[cluster]'")
    from distributed import KilledWorker, as_completed

    with _connected(address) as client:
        _same_version(client, address)
        sent = [client.submit(_as_it_is, parcel, pure=False) for parcel in parcels]
        ahead = AHEAD * max(1, sum(client.nthreads().values()))

        def submitted(task: Task) -> Any:
            return client.submit(_play, sent[task.cell], task, pure=False)

        stop = _watched(client, address)
        pending = as_completed([submitted(task) for task in islice(todo, ahead)], loop=client.loop)
        try:
            for future in pending:
                done = future.result()
                future.release()
                task = next(todo, None)
                if task is not None:
                    pending.add(submitted(task))
                yield done
        except KilledWorker as error:
            raise UserError(
                "the same games ended several workers of the cluster",
                f"look at the workers' logs; most likely they ran out of memory ({str(error).splitlines()[0][:120]})",
                FOUND,
            ) from None
        except (CancelledError, OSError):
            raise UserError(
                f"the cluster at {address} is gone",
                "with --out, what was played is kept: the same command with --resume goes on, there or without --on",
                FOUND,
            ) from None
        except Mismatch as error:
            raise UserError(str(error), "install the same version everywhere", FOUND) from None
        finally:
            stop.set()


def _watched(client: Any, address: str) -> threading.Event:
    """Says so when all workers are gone: the scheduler waits for others, however long that is."""
    stop = threading.Event()

    def look() -> None:
        alone = False
        while not stop.wait(SECONDS):
            try:
                gone = not client.nthreads()
            except Exception:  # the end of the client is told by who waits for it
                return
            if gone and not alone:
                what = f"the cluster at {address} has no worker any more; it goes on when one comes back"
                click.echo(f"note: {what} (Ctrl-C keeps what was played)", err=True)
            alone = gone

    threading.Thread(target=look, daemon=True, name="workers watched").start()
    return stop


def _as_it_is(parcel: Parcel) -> Parcel:
    return parcel


class _Unpacked(threading.local):
    """The cells of one thread of a worker: machines are not shared between threads."""

    def __init__(self) -> None:
        self.cell = lru_cache(maxsize=KEPT)(unpacked)


_HERE = _Unpacked()


def _play(parcel: Parcel, task: Task) -> Done:
    return _HERE.cell(parcel).play(task)


def _connected(address: str) -> Any:
    import logging

    from distributed import Client

    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in our words
    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        what = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise UserError(
            f"there is no cluster at {address} ({what})",
            "start one: `dask scheduler`, then `dask worker tcp://HOST:8786`; --on takes what the scheduler shows",
        ) from None
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except TimeoutError:
        client.close()
        raise UserError(
            f"the cluster at {address} has no worker", f"start some: `dask worker {address}` on each machine"
        ) from None
    return client


def _same_version(client: Any, address: str) -> None:
    def version() -> str:  # sent by value: a worker without Cambist can run it too
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed

        try:
            return installed("cambist")
        except PackageNotFoundError:
            return ""

    for worker, found in sorted(client.run(version).items()):
        if found != __version__:
            has = f"has Cambist {found}, this is {__version__}" if found else "has no Cambist"
            raise UserError(
                f"the worker {worker} of {address} {has}",
                f"on each machine: `pip install 'cambist[cluster]=={__version__}'`, then start its worker again",
            )
