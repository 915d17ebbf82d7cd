"""`cambist simulate`: many random games, what came out and how fast; on one core, many or a cluster. With --check
everything that must hold is tested.
"""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    COMFORTABLE,
    SEED,
    engine_option,
    game_argument,
    how_many,
    json_option,
    load,
    read_settings,
    settings_option,
    settled_words,
    write_json,
)
from cambist.problems import FOUND, INTERRUPTED, UserError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from cambist.game import Game
    from cambist.simulation.report import Outcome
    from cambist.simulation.unfinished import Unfinished
    from cambist.simulation.work import Done, Task

ADDRESS = re.compile(r"tcp://([^\s/:]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")
MOST_JOBS = 256


@click.command("simulate", short_help="Play games at random and tell what came out.")
@game_argument
@click.option(
    "--players", metavar="N", help=f"How many play; `2..4` or `2,4` for several. [default: {COMFORTABLE}, or fewer]"
)
@click.option("--games", type=click.IntRange(1), default=100, metavar="M", show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same games.")
@click.option("--seats", metavar="greedy,random,...", help="Who plays: random, greedy, mcts:N. [default: random]")
@click.option("--check", is_flag=True, help="Test invariants, money and components at every choice.")
@click.option("--measures", is_flag=True, help="With --out: a column for every `measure` of the rules. Slower.")
@settings_option
@engine_option("compiled")
@click.option(
    "--jobs", type=click.IntRange(1, MOST_JOBS), default=1, metavar="N", show_default=True, help="So many processes."
)
@click.option("--on", "address", metavar="tcp://HOST:PORT", help="Play on the Dask cluster with this scheduler.")
@click.option("--out", metavar="FILE.parquet", help="Write a row for each game.")
@click.option("--resume", is_flag=True, help="Go on with what a stopped run with --out has left.")
@json_option
def command(
    game: str,
    players: str | None,
    games: int,
    seed: int,
    seats: str | None,
    check: bool,
    measures: bool,
    settings: tuple[str, ...],
    engine: str,
    jobs: int,
    address: str | None,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Play games at random and tell what came out.

    Game number k (from 0) depends on the seed and k alone, whoever plays it. `--players 2..4` and
    `--option NAME=1..5` (or `a,b`) play M games of every combination. Exit code 1 if the rules failed in
    some game; the first such game is shown. docs/simulate.md tells of processes, clusters and Parquet.
    """
    _fitting(address, jobs, out, resume)
    bots = _bots(seats, players, check)
    _measurable(measures, out, check, bots)
    loaded, where = load(game), None if out is None else Path(out)
    run = _Run(loaded, players, games, seed, check, read_settings(settings), engine, where, bots, measures)
    if run.out is not None:
        run.open(resume)
    stopped = run.play(jobs, address) or not run.finish()  # what was played is safe before it is told
    if as_json:
        write_json(run.data())
    elif not stopped or run.done:
        run.show()
    run.tell_failure(game)
    if stopped:
        run.tell_how_to_go_on()
        return INTERRUPTED
    run.tell_file()
    return FOUND if any(outcome.errors for outcome in run.outcomes) else 0


def _fitting(address: str | None, jobs: int, out: str | None, resume: bool) -> None:
    if address is not None and not ADDRESS.fullmatch(address):
        raise UserError(
            f"`{address}` is no address of a scheduler", "write `--on tcp://HOST:PORT`, as the scheduler shows it"
        )
    if address is not None and jobs > 1:
        raise UserError("--jobs is for this machine, --on for a cluster", "leave one of them out")
    if out is not None and not out.strip():
        raise UserError("--out names no file", "write `--out FILE.parquet`, or leave it out")
    if resume and out is None:
        raise UserError("--resume goes on with a run that has a file", "name it by --out FILE.parquet")


def _measurable(measures: bool, out: str | None, check: bool, bots: tuple[str, ...]) -> None:
    if measures and out is None:
        raise UserError("--measures are columns of a file", "name it by --out FILE.parquet, or use `cambist report`")
    if measures and (check or bots):
        other = "--check" if check else "--seats"
        raise UserError(f"--measures are taken of random games without {other}", f"leave {other} out")


def _bots(seats: str | None, players: str | None, check: bool) -> tuple[str, ...]:
    if seats is None:
        return ()
    from cambist.seating import read_seats

    names = read_seats(seats)
    if players is not None and players != str(len(names)):
        raise UserError(f"--seats names {len(names)} players, --players {players}", "leave one of them out")
    if check:
        raise UserError("--check tests random games", "leave --seats out")
    return names


class _Run:
    """All cells of a grid, with what has come out so far."""

    def __init__(
        self,
        game: Game,
        players: str | None,
        games: int,
        seed: int,
        check: bool,
        settings: dict[str, str],
        engine: str,
        out: Path | None,
        seats: tuple[str, ...] = (),
        measures: bool = False,
    ) -> None:
        from cambist.simulation.grid import points
        from cambist.simulation.report import Outcome
        from cambist.simulation.work import Cell

        self.title, self.games, self.seed, self.check, self.engine, self.out = (
            game.title, games, seed, check, engine, out
        )  # fmt: skip
        self.outcomes: list[Outcome] = []
        for point in points(str(len(seats)) if seats else players, settings):
            machine = game.machine(how_many(game, point.players), point.settings, engine)
            words = settled_words(game, machine.program.options)
            self.outcomes.append(Outcome(Cell(machine, seed, check, seats, measures), words))
        self.cells = [outcome.cell for outcome in self.outcomes]
        self.unfinished: Unfinished | None = None
        self.seconds = 0.0
        self.before = self.decided = 0  # games and decisions of an earlier run

    @property
    def done(self) -> int:
        return sum(outcome.games for outcome in self.outcomes)

    @property
    def decisions(self) -> int:
        return sum(outcome.tally.decisions for outcome in self.outcomes)

    @property
    def total(self) -> int:
        return self.games * len(self.cells)

    def open(self, resume: bool) -> None:
        """The file that keeps what is played, and what an earlier run has left in it."""
        from cambist.simulation import tables, unfinished

        assert self.out is not None
        tables.writable(self.out)
        path = unfinished.place(self.out)
        if resume and self.out.exists() and not path.exists():
            raise UserError(
                f"`{self.out}` is complete: no stopped run is left beside it", "leave --resume out to play anew"
            )
        self.unfinished = unfinished.go_on(path, self.cells) if resume else unfinished.begin(path, self.cells)
        most = max((max(games, default=-1) + 1 for games in self.unfinished.games), default=0)
        if most > self.games:
            raise UserError(
                f"the stopped run has played {most:,} games, and --games {self.games} would lose the others",
                f"give --games {most} or more",
            )
        for outcome, games in zip(self.outcomes, self.unfinished.games, strict=True):
            for number, played in games.items():
                outcome.add(number, played)
        self.before, self.decided = self.done, self.decisions

    def play(self, jobs: int, address: str | None) -> bool:
        """Everything that is missing; whether somebody stopped it."""
        from contextlib import closing

        from cambist.simulation.progress import shown_progress
        from cambist.simulation.unfinished import missing

        kept = [{} for _ in self.cells] if self.unfinished is None else self.unfinished.games
        left = [missing(games, self.games) for games in kept]
        begun = perf_counter()
        try:
            with (
                shown_progress(self.title, self.total, self.before) as show,
                closing(self._played(left, jobs, address)) as played,
            ):
                for done in played:
                    self._take(done)
                    show(self.done)
        except KeyboardInterrupt:
            return True
        finally:
            self.seconds = perf_counter() - begun
            if self.unfinished is not None:
                self.unfinished.close()
                if not self.done:
                    self.unfinished.remove()
        return False

    def _played(self, left: list[list[range]], jobs: int, address: str | None) -> Generator[Done, None, None]:
        from cambist.simulation.work import GAMES_A_TASK, played_here, size_for, tasks

        if address is not None:
            from cambist.simulation import cluster

            todo: Iterator[Task] = tasks(left, size_for(left, cluster.GAMES_A_TASK, cluster.USUAL_WORKERS))
            return cluster.played_by_cluster([cell.packed(self.engine) for cell in self.cells], todo, address)
        todo = tasks(left, size_for(left, GAMES_A_TASK, jobs))
        if jobs == 1:
            return played_here(self.cells, todo)
        from cambist.simulation.crew import played_by_processes
        from cambist.simulation.work import unpacked

        parcels = [cell.packed(self.engine) for cell in self.cells]
        return played_by_processes(parcels, todo, jobs, unpacked)

    def _take(self, done: Done) -> None:
        if self.unfinished is not None:
            self.unfinished.keep(done)
        for number, game in enumerate(done.games, done.task.first):
            self.outcomes[done.task.cell].add(number, game)

    # ---- telling

    def data(self) -> dict[str, Any]:
        from cambist.interpreter.explore import reachable
        from cambist.simulation.report import pace

        facts = reachable(self.cells[0].machine) if self.check else []
        cells = [outcome.data(facts) for outcome in self.outcomes]
        speed = pace(self.done - self.before, self.decisions - self.decided, self.seconds)
        asked: dict[str, Any] = {"asked": self.total} if self.done < self.total else {}
        if self.cells[0].seats:
            asked["seats"] = list(self.cells[0].seats)
        if len(cells) == 1:
            return {**cells[0], **asked, **speed}
        return {"game": cells[0]["game"], "seed": self.seed, "games": self.done, **asked, "cells": cells, **speed}

    def show(self) -> None:
        from cambist.simulation.report import show, show_grid

        data = self.data()
        (show_grid if "cells" in data else show)(data, self.title)

    def tell_failure(self, game: str) -> None:
        """The first game that failed is played once more, to show its fault."""
        from cambist.dsl.render import printable, render
        from cambist.interpreter.api import Fault

        failed = next((outcome for outcome in self.outcomes if outcome.first is not None), None)
        if failed is None or failed.first is None:
            return
        program = failed.cell.program
        again = f"cambist record {quote(game)} --players {program.players} --seed {self.seed} --game {failed.first}"
        settled = "".join(f" --option {quote(f'{name}={value}')}" for name, value in failed.words.items())
        try:
            failed.cell.game(failed.first)
        except Fault as fault:
            click.echo(render(fault.diagnostic), err=True)
        if not failed.cell.seats:
            click.echo(printable(f"note: `{again}{settled} -o FILE` writes that game down"), err=True)

    def tell_how_to_go_on(self) -> None:
        from cambist.dsl.render import printable

        how = "with --out FILE.parquet, a stopped run can be resumed"
        if self.unfinished is not None and self.done:
            how = f"kept in {self.unfinished.path}; the same command with --resume goes on"
        elif self.unfinished is not None:
            how = "nothing to keep"
        click.echo(err=True)
        click.echo(printable(f"interrupted after {self.done:,} of {self.total:,} games: {how}"), err=True)

    def finish(self) -> bool:
        """The Parquet file, which takes the place of what was kept; whether nobody stopped it."""
        if self.unfinished is None or self.out is None:
            return True
        from cambist.simulation import tables, unfinished

        try:
            games, _ = unfinished.read(self.unfinished.path, self.cells)
            tables.write(self.out, self.cells, [outcome.words for outcome in self.outcomes], games, self.games)
            self.unfinished.remove()
        except KeyboardInterrupt:
            return False
        return True

    def tell_file(self) -> None:
        if self.out is not None:
            click.echo(f"{self.total:,} rows written to {self.out}", err=True)
