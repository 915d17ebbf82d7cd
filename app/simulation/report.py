"""What came out of a simulation: as data for programs, as tables for people."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from cambist.interpreter.explore import Played, Tally
from cambist.interpreter.values import in_units
from cambist.simulation.tables import scale_of
from cambist.simulation.work import Cell


@define
class Outcome:
    """Sums over the games of one cell. It makes no difference in which order they come."""

    cell: Cell
    words: dict[str, int | str]  # its options as people write them
    tally: Tally = field(init=False)
    errors: int = 0
    first: int | None = None  # number of the first game that failed

    def __attrs_post_init__(self) -> None:
        self.tally = Tally(self.cell.program.players)

    @property
    def games(self) -> int:
        return self.tally.games + self.errors

    def add(self, number: int, game: Played | str) -> None:
        if isinstance(game, str):
            self.errors += 1
            self.first = number if self.first is None else min(self.first, number)
        else:
            self.tally.add(game)

    def data(self, reachable: list[str]) -> dict[str, Any]:
        program, tally = self.cell.program, self.tally
        scale = scale_of(program)
        played = tally.games
        return {
            "game": program.game,
            "players": program.players,
            "options": self.words,
            "games": self.games,
            "seed": self.cell.seed,
            "decisions": tally.decisions,
            "mean_scores": [round(s / (played * scale), 4) if played else None for s in tally.scores],
            "total_scores": [in_units(s, scale) for s in tally.scores],
            "wins_by_seat": tally.wins,
            "ended_by": dict(sorted(tally.ended_by.items())),
            "errors": self.errors,
            "reached": {name: tally.seen.get(name, 0) for name in reachable},
        }


def pace(games: int, decisions: int, seconds: float) -> dict[str, float]:
    """The only numbers that two runs of the same games do not share."""
    return {
        "seconds": round(seconds, 6),
        "games_per_s": round(games / seconds, 2),
        "decisions_per_s": round(decisions / seconds, 2),
    }


def show(data: dict[str, Any], title: str) -> None:
    """One cell: by seat."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cambist.dsl.render import printable

    console = Console(highlight=False)
    played = data["games"] - data["errors"]
    console.print(
        Text(f"{printable(title)}: {data['games']:,} games of {data['players']} players, seed {data['seed']}")
    )
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("seat", "mean score", "wins"):
        table.add_column(heading, justify="right", overflow="fold")
    for seat, (mean, wins) in enumerate(zip(data["mean_scores"], data["wins_by_seat"], strict=True), 1):
        won = f"{wins} ({wins / played:.1%})" if played else "-"
        table.add_row(str(seat), "-" if mean is None else f"{mean:,.2f}", won)
    console.print(table)
    for reason, count in data["ended_by"].items():
        console.print(Text(f"ended by {printable(reason)}: {count:,}"))
    for name, count in data["reached"].items():
        console.print(Text(f"{printable(name)}: reached in {count:,} of {played:,} games"))
    _show_pace(data, data["decisions"], played, data["errors"])


def show_grid(data: dict[str, Any], title: str) -> None:
    """Several cells: a row each."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cambist.dsl.render import printable

    console = Console(highlight=False)
    cells = data["cells"]
    swept = [name for name in cells[0]["options"] if len({cell["options"][name] for cell in cells}) > 1]
    console.print(Text(f"{printable(title)}: {len(cells)} cells, {data['games']:,} games, seed {data['seed']}"))
    table = Table(show_edge=False, pad_edge=False)
    limits, failed = any(map(_limits, cells)), any(cell["errors"] for cell in cells)
    counts = ("games", "decisions", *["limits"] * limits, *["failed"] * failed)
    for heading in ("players", *map(printable, swept), *counts):
        table.add_column(heading, justify="right", overflow="fold")
    for heading in ("mean score by seat", "wins by seat"):
        table.add_column(heading, justify="left", overflow="fold")
    for cell in cells:
        played = cell["games"] - cell["errors"]
        table.add_row(
            str(cell["players"]),
            *(printable(str(cell["options"][name])) for name in swept),
            f"{cell['games']:,}",
            f"{cell['decisions'] / played:,.0f}" if played else "-",
            *[f"{_limits(cell):,}"] * limits,
            *[f"{cell['errors']:,}"] * failed,
            " ".join("-" if mean is None else _short(mean) for mean in cell["mean_scores"]),
            " ".join(f"{wins / played:.0%}" if played else "-" for wins in cell["wins_by_seat"]),
        )
    console.print(table)
    errors = sum(cell["errors"] for cell in cells)
    _show_pace(data, sum(cell["decisions"] for cell in cells), data["games"] - errors, errors)


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.1f}"


def _limits(cell: dict[str, Any]) -> int:
    """Games that ended by an assumed limit."""
    return sum(count for reason, count in cell["ended_by"].items() if reason.startswith("limit: "))


def _show_pace(data: dict[str, Any], decisions: int, played: int, errors: int) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    a_game = decisions / played if played else 0
    console.print(Text(
        f"{decisions:,} decisions ({a_game:,.0f} a game) in {data['seconds']:.2f} s: "
        f"{data['games_per_s']:,.0f} games/s, {data['decisions_per_s']:,.0f} decisions/s"
    ))  # fmt: skip
    console.print(Text(f"{errors} games failed" if errors else "no errors"))
