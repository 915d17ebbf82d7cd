"""What belongs to two owners at once -> one table: a column for each member of an enum, a row for each other owner.

In: the families of a program and what a view tells of their cells. Out: the families that are told this way, and a
renderable. A family of one owner joins the table of its enum as a single row; a bag whose cells hold equal cards
only is told as their number. What is nothing is a dot, so that what there is stands out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from cambist.dsl.render import printable

if TYPE_CHECKING:
    from cambist.dsl.program import AccountFamily, VarFamily, ZoneFamily
    from cambist.interpreter.describe import Words

    Family = ZoneFamily | AccountFamily | VarFamily

NOTHING = frozenset(("0", "no", "nobody", ""))


@frozen
class Told:
    """A family, and how to tell what is in one of its cells (None: not in a word)."""

    family: Family
    cell: Callable[[int], str | None]


def number_of_cards(entry: dict[str, Any]) -> str | None:
    """Of a bag with equal cards in it, or none; None: they must be named."""
    cards = entry.get("cards")
    return None if cards is None or len(set(cards)) > 1 else str(len(cards))


def columns_of(families: list[Told]) -> list[str]:
    """The enums that need a table: something is of each member of another thing and of this one."""
    found = [t.family.owners[1].name for t in families if _is_matrix(t.family)]
    return list(dict.fromkeys(found))


def _is_matrix(family: Family) -> bool:
    return len(family.owners) == 2 and family.owners[1].word == "enum" and family.owners[0].word in ("enum", "player")


def matrix(enum: str, families: list[Told], words: Words, seat: int | None) -> tuple[RenderableType, list[Family]]:
    """The table of one enum, and which families are told in it."""
    members = words.enums[enum]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    for _ in members:
        grid.add_column(justify="right", no_wrap=True)
    grid.add_row("", "", *(Text(printable(member), style="cyan") for member in members))
    told: list[Family] = []
    for one in families:
        rows = _rows(one, enum, len(members), words)
        if rows is None:
            continue
        told.append(one.family)
        name = one.family.name
        for label, owner, cells in rows:
            style = "bold" if owner is not None and owner == seat else ""
            shown = [Text("·" if cell in NOTHING else printable(cell), style=style) for cell in cells]
            grid.add_row(Text(printable(name), style="dim"), Text(printable(label), style=f"{style} cyan"), *shown)
            name = ""
    return grid, told


Row = tuple[str, int | None, list[str]]  # its label, whose it is, its cells


def _rows(one: Told, enum: str, width: int, words: Words) -> list[Row] | None:
    family = one.family
    if not family.owners or family.owners[-1].name != enum or len(family.owners) > 2:
        return None
    if len(family.owners) == 2 and not _is_matrix(family):
        return None
    cells = [one.cell(family.base + place) for place in range(family.count)]
    known = [cell for cell in cells if cell is not None]
    if len(known) < len(cells):
        return None
    if len(family.owners) == 1:
        return [("", None, known)]
    rows: list[Row] = []
    for place in range(family.sizes[0]):
        row = known[place * width : (place + 1) * width]
        is_seat = family.owners[0].word == "player"
        if is_seat or any(cell not in NOTHING for cell in row):
            rows.append((words.value(family.owners[0], place), place if is_seat else None, row))
    return rows
