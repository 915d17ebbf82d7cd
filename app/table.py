"""A match as one player sees it -> what rich can print. Works for any ruleset: knows families and owners, no
game.

In: a match and a seat (None: a spectator). Out: renderables; printing is the caller's affair. Only what
`match.view` gives is shown. Names come from rulesets, which are untrusted: control characters are replaced
and nothing is read as markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cambist.dsl.render import printable
from cambist.matrix import Told, columns_of, matrix, number_of_cards

if TYPE_CHECKING:
    from cambist.dsl.program import AccountFamily, VarFamily, ZoneFamily
    from cambist.interpreter.api import Match
    from cambist.interpreter.describe import Words

    Family = ZoneFamily | AccountFamily | VarFamily

ON_A_SPACE = re.compile(r"(.* \(\w+ )([^()]*)\)")  # a card and where it stands on a track
HIDDEN = "hidden"
MANY_CELLS = 8  # of one family: then the empty ones are not listed
MANY_CARDS = 48  # in one zone: then the rest is counted


def screen() -> Console:
    """Colours only on a terminal that has them; NO_COLOR is heeded."""
    return Console(highlight=False, emoji=False, markup=False)


def plain(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)


class Listing:
    """Items in lines that break between them, never inside one."""

    def __init__(self, items: list[str], style: str = "", before: str = "", indent: int = 0) -> None:
        self.items = [printable(item) for item in items]
        self.style = style
        self.before = printable(before)
        self.indent = " " * indent  # of all lines but the first

    @property
    def tells_nothing(self) -> bool:
        return len(self.items) == 1 and (self.items[0].endswith(HIDDEN) or self.items[0] == "-")

    def lines(self, width: int) -> list[str]:
        lines = [self.before]
        for number, item in enumerate(self.items):
            piece = item + ("," if number < len(self.items) - 1 else "")
            joined = f"{lines[-1]} {piece}" if lines[-1] else piece
            if len(joined) > width and lines[-1]:
                lines.append(self.indent + piece)
            else:
                lines[-1] = joined
        return lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            yield Text(line, style=self.style, overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max((len(item) + 1 for item in self.items), default=1)
        whole = len(self.before) + sum(len(item) + 2 for item in self.items)
        return Measurement(min(longest, options.max_width), min(max(whole, longest), options.max_width))


def told(line: str, style: str = "") -> Listing:
    """A line of the log: what it names is not torn apart."""
    before, colon, items = line.partition(": ")
    if not colon:
        return Listing([line], style)
    return Listing(items.split(", "), style, f"{before}:", indent=4)


def columns(console: Console, texts: list[str], first: int = 1) -> None:
    """Numbered, in as many columns as fit, to be read downwards."""
    labels = [f"{number:>3}) {printable(text)}" for number, text in enumerate(texts, first)]
    widest = max((len(label) for label in labels), default=0) + 2
    across = max(1, min(console.width // widest, 4)) if len(labels) > 6 else 1
    down = -(-len(labels) // across)
    for row in range(down):
        line = "".join(f"{label:<{widest}}" for label in labels[row::down])
        console.print(Text(line.rstrip(), overflow="fold"))


class Sheet:
    """A table of the rules' own: a line for each thing. What is too wide goes on below, under the same first column."""

    def __init__(self, name: str, columns: list[list[str]], rows: list[list[str]]) -> None:
        groups = [head[0] if len(head) > 1 else "" for head in columns]
        over = [group if place == 0 or groups[place - 1] != group else "" for place, group in enumerate(groups)]
        heads = [head[-1] for head in columns]
        lines = [["", *over], [name, *heads], *rows]
        self.lines = [[printable(cell) for cell in line] for line in lines if any(line)]
        self.heads = len(self.lines) - len(rows)
        self.widths = [max(len(line[i]) for line in self.lines[self.heads - 1 :]) for i in range(len(heads) + 1)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        start = 1
        while start == 1 or start < len(self.widths):
            end, wide = start, self.widths[0]
            while end < len(self.widths) and (end == start or wide + 2 + self.widths[end] <= options.max_width):
                wide += 2 + self.widths[end]
                end += 1
            for number, line in enumerate(self.lines):
                text = self.grouped(line, start, end) if number < self.heads - 1 else self.line(line, start, end)
                if text.strip():
                    yield Text(text, style="dim" if number < self.heads else "", overflow="fold")
            start = end

    def line(self, line: list[str], start: int, end: int) -> str:
        cells = [line[place].rjust(self.widths[place] + 2) for place in range(start, end)]
        return line[0].ljust(self.widths[0]) + "".join(cells)

    def grouped(self, line: list[str], start: int, end: int) -> str:
        """The names of groups of columns, which may reach over several of them."""
        text, room = "", self.widths[0]
        for place in range(start, end):
            text = text.ljust(room + 2) + line[place] if line[place] else text
            room += 2 + self.widths[place]
        return text


def table(match: Match, seat: int | None) -> RenderableType:
    """Everything on the table: first what is shared, then player by player, the viewer first."""
    view = match.view(seat)
    rows = _Rows(match, view)
    seats = list(range(match.program.players))
    if seat is not None:
        seats = [seat, *(s for s in seats if s != seat)]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, max_width=14)
    grid.add_column(overflow="fold", max_width=18)
    grid.add_column(overflow="fold", ratio=1)
    for owner in (None, *seats):
        name = "table" if owner is None else match.words.player(owner)
        style = "bold" if owner == seat and owner is not None else ""
        found = rows.of(owner)
        if owner != seat and all(content.tells_nothing for _, content in found):  # one line will do
            found = [("", Listing([f"{label} {content.items[0]}" for label, content in found]))] if found else []
        for label, content in found:
            content.style = style
            grid.add_row(plain(name, f"{style} cyan".strip()), plain(label, "dim"), content)
            name = ""
    own = [show.name for show in match.program.shows if show.rows >= 0 and not show.owned]
    shown = [(name, view["tables"][name]) for name in own if name in view["tables"]]
    sheets = [Sheet(name, sheet["columns"], sheet["rows"]) for name, sheet in shown]
    return Group(Rule(plain(_heading(match, view)), style="dim"), *sheets, *rows.matrices(seat), grid)


def _heading(match: Match, view: dict[str, Any]) -> str:
    phase = f", {view['phase']}" if view["phase"] and not view["over"] else ""
    count = len(match.history)
    return f"{match.program.title}{phase}, {count} answer{'' if count == 1 else 's'} so far"


class _Rows:
    """Labels and contents, sorted by whose they are."""

    def __init__(self, match: Match, view: dict[str, Any]) -> None:
        self.words = match.words
        self.found: dict[int | None, list[tuple[str, Listing]]] = {}
        program = match.program
        apart = {name for show in program.shows for name in show.instead} | self._told_with_cards(match)
        numbers = [
            (family, view["variables"], self.words.variable_names)
            for family in program.variables
            if family.seen_by != "nobody"
            and not any(owner.word == "card" for owner in family.owners)
            and family.name not in apart
        ]
        amounts = [
            (family, view["accounts"], self.words.account_names)
            for family in program.accounts
            if not family.unlimited and family.name not in apart
        ]
        scalars: list[tuple[Family, dict[str, str], list[str]]] = [*amounts, *numbers]
        self.tabular = [
            *(Told(one, _looked_up(view["variables"], names)) for one, _, names in numbers),
            *(Told(one, _looked_up(view["accounts"], names)) for one, _, names in amounts),
            *(
                Told(f, _counted(view["zones"], self.words.zone_names))
                for f in program.zones
                if f.order == "bag" and f.name not in apart
            ),
        ]
        in_tables = self._in_tables()
        for one, shown, names in scalars:
            if one.name in in_tables:
                continue
            for owner, cells in _by_owner(one, self.words).items():
                self.add(owner, one.name, _values(cells, shown, names))
        for family in program.zones:
            if family.name in in_tables or family.name in apart:
                continue
            for owner, cells in _by_owner(family, self.words).items():
                for label, content in _zones(family, cells, view["zones"], self.words.zone_names):
                    self.add(owner, label, content)

        for show in program.shows:
            if show.owned or show.rows < 0:  # else it is a table of its own
                for seat in range(program.players) if show.owned else [None]:
                    told = view["tables"].get(show.name if seat is None else f"{self.words.player(seat)}.{show.name}")
                    for label, content in _told(show.name, told, show.rows >= 0) if told else ():
                        self.add(seat, label, content)

    def _told_with_cards(self, match: Match) -> set[str]:
        """What belongs to a member that one card stands for is told where that card lies, if all may look there."""
        words, where = match.words, match.state.where
        zones = match.program.zones
        seen = {place for f in zones if f.seen_by == "all" for place in range(f.base, f.base + f.count)}
        return {f.name for f in words.told_with_cards if all(where[c] in seen for c in words.bearers[f.owners[0].name])}

    def _in_tables(self) -> set[str]:
        names: set[str] = set()
        for enum in columns_of(self.tabular):
            names |= {family.name for family in matrix(enum, self.tabular, self.words, None)[1]}
        return names

    def matrices(self, seat: int | None) -> list[RenderableType]:
        return [matrix(enum, self.tabular, self.words, seat)[0] for enum in columns_of(self.tabular)]

    def add(self, owner: int | None, label: str, content: Listing) -> None:
        self.found.setdefault(owner, []).append((label, content))

    def of(self, owner: int | None) -> list[tuple[str, Listing]]:
        return self.found.get(owner, [])


def _looked_up(shown: dict[str, str], names: list[str]) -> Callable[[int], str | None]:
    return lambda index: shown.get(names[index], "?")


def _counted(shown: dict[str, Any], names: list[str]) -> Callable[[int], str | None]:
    return lambda index: number_of_cards(shown[names[index]])


Cell = tuple[str, int]  # what tells it from its family's others, its number


def _by_owner(family: Family, words: Words) -> dict[int | None, list[Cell]]:
    """The cells of a family by the player they belong to; None: nobody's or several players'."""
    from cambist.interpreter.steps.linking import owners_of

    found: dict[int | None, list[Cell]] = {}
    players = [axis for axis, owner in enumerate(family.owners) if owner.word == "player"]
    axis = players[0] if len(players) == 1 else -1
    for place in range(family.count):
        owners = owners_of(place, family.sizes)
        rest = [
            words.value(meaning, value)
            for i, (meaning, value) in enumerate(zip(family.owners, owners, strict=True))
            if i != axis
        ]
        owner = owners[axis] if axis >= 0 else None
        found.setdefault(owner, []).append((", ".join(rest), family.base + place))
    return found


def _values(cells: list[Cell], shown: dict[str, str], names: list[str]) -> Listing:
    """`3`, or `one 3, two 5`; what may not be seen is a question mark."""
    known = [(word, shown.get(names[index], "?")) for word, index in cells]
    if all(value == "?" for _, value in known):
        return Listing([HIDDEN])
    return Listing([f"{word} {_bare(value)}".strip() for word, value in known])


def _bare(value: str) -> str:
    """A list without its brackets."""
    return (value[1:-1] or "-") if value.startswith("(") and value.endswith(")") else value


def _zones(
    family: ZoneFamily, cells: list[Cell], shown: dict[str, Any], names: list[str]
) -> Iterator[tuple[str, Listing]]:
    empty = 0
    for word, index in cells:
        entry = shown[names[index]]
        if len(cells) > MANY_CELLS and entry.get("count") == 0:
            empty += 1
            continue
        yield f"{family.name} {word}".strip(), contents(entry, family.order)
    if empty:
        yield family.name, Listing([f"{empty} more are empty"])


def _told(name: str, table: dict[str, Any], several: bool) -> Iterator[tuple[str, Listing]]:
    """What is shown beside zones and variables: a line for each row, its first value and the others with their names;
    or, of a single thing, a line for each value."""
    heads = [" ".join(head) for head in table["columns"]]
    if not several:
        for head, cell in zip(heads, table["rows"][0][1:], strict=True):
            yield head, Listing(cell.split(", "))
        return
    label = name  # of the first line alone
    for _, first, *others in table["rows"]:
        more = ", ".join(f"{head} {cell}" for head, cell in zip(heads[1:], others, strict=True))
        *before, last = first.split(", ")
        yield label, Listing([*before, f"{last} [{more}]" if more else last])
        label = ""
    if not table["rows"]:
        yield name, Listing(["-"])


def contents(entry: dict[str, Any], order: str) -> Listing:
    if "cards" not in entry:
        count = entry.get("count")
        return Listing([HIDDEN if count is None else f"{count} {HIDDEN}" if count else "-"])
    cards = grouped(entry["cards"], order == "bag")
    if len(cards) > MANY_CARDS:
        cards = [*cards[:MANY_CARDS], f"and {len(cards) - MANY_CARDS} more"]
    count = entry["count"]
    pieces = [piece for card in cards for piece in card.split(", ")]  # a line may break between spaces, too
    return Listing(pieces or ["-"], before=f"{count}:" if count > 1 else "")


def collapsed(lines: list[str]) -> list[str]:
    """Equal lines that follow each other once, with their number."""
    return [line if len(run := list(same)) == 1 else f"{line} ({len(run)} times)" for line, same in groupby(lines)]


def grouped(cards: Iterable[str], everywhere: bool) -> list[str]:
    """Equal cards once with their number: neighbours, or all of them where order carries no meaning.

    Neighbours that differ in their space only are one, too: `thing (track 8, 10, 12)`.
    """
    runs: list[list[Any]] = []
    for card in cards:
        run = next((r for r in runs if r[0] == card), None) if everywhere else runs[-1] if runs else None
        if run is not None and run[0] == card:
            run[1] += 1
        else:
            runs.append([card, 1])
    told = [card if count == 1 else f"{count} x {card}" for card, count in runs]
    merged: list[str] = []
    for text in told:
        here, before = ON_A_SPACE.fullmatch(text), ON_A_SPACE.fullmatch(merged[-1]) if merged else None
        if here and before and here[1] == before[1]:
            merged[-1] = f"{before[1]}{before[2]}, {here[2]})"
        else:
            merged.append(text)
    return merged


def result_table(match: Match) -> RenderableType:
    """How it ended: the best first, the winners marked."""
    result = match.result
    assert result is not None
    most = match.program.ranking[0][0] if match.program.ranking else True
    seats = sorted(
        range(match.program.players),
        key=lambda s: (s not in result.winners, -result.scores[s] if most else result.scores[s]),
    )
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column()
    for seat in seats:
        won = "wins" if result.winners == (seat,) else "shares the win" if seat in result.winners else ""
        style = "bold" if won else ""
        grid.add_row(
            plain(match.words.player(seat), style),
            plain(match.score_text(result.scores[seat]), style),
            plain(won, style),
        )
    why = f"the game is over: {result.ended_by}"
    if result.limits:
        why += f" (an assumed limit was reached: {', '.join(result.limits)})"
    return Group(plain(why), grid)
