"""How far a simulation is, for those who watch: a bar with games a second and the time left, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

OFTEN = 0.1  # seconds between two looks


@contextmanager
def shown_progress(title: str, games: int, already: int) -> Iterator[Callable[[int], None]]:
    """What to call with the number of games done; `already` were done before this run."""
    if not sys.stderr.isatty() or games - already < 2:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from cambist.dsl.render import printable

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(printable(title)), total=games, completed=already, pace="")
        begun = last = perf_counter()

        def show(done: int) -> None:
            nonlocal last
            now = perf_counter()
            if now - last < OFTEN:
                return
            last = now
            rate = (done - already) / (now - begun)
            progress.update(task, completed=done, pace=pace(rate, games - done))

        yield show


def pace(rate: float, left: int) -> str:
    """`1,200 games/s, 3 min left`"""
    if rate <= 0:
        return ""
    seconds = left / rate
    if seconds < 100:
        time_left = f"{seconds:.0f} s"
    elif seconds < 6000:
        time_left = f"{seconds / 60:.0f} min"
    else:
        time_left = f"{seconds / 3600:.1f} h"
    return f"{rate:,.0f} games/s, {time_left} left" if rate >= 10 else f"{rate:.1f} games/s, {time_left} left"
