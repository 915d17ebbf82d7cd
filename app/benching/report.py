"""What a benchmark found: tables for people, a baseline to come back to, a table for a README."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cambist.files import read_text, write_whole
from cambist.problems import FOUND, UserError
from cambist.schema_check import problems

WIDTH = 140  # of a table that goes into a file
FAR = 3  # standard errors between means
WORSE = 0.2  # a ratio that is worse by more than this is a regression
BEGIN, END = "<!-- cambist bench -->", "<!-- end of cambist bench -->"


def show(data: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH

    def table(title: str, headings: str, rows: list[list[str]]) -> None:
        if not rows:
            return
        made = Table(show_edge=False, pad_edge=False, title=title, title_justify="left", title_style="bold")
        for place, heading in enumerate(headings.split("|")):
            made.add_column(heading.strip(), justify="left" if place == 0 else "right")
        for row in rows:
            made.add_row(*row)
        console.print(made)
        console.print()

    table(
        f"Each game (CPU time of one core, median of {data['rounds']}; µs)",
        "game, players | engine | games/s | decisions/s | a decision | in turns of a loop | a step | clone | options | "
        "save | memory",
        [
            [f"{g['game']}, {g['players']}", g["engine"], short(g["games_per_s"]), short(g["decisions_per_s"])]
            + [short(g["us_per_decision"]), short(g["loops_per_decision"])]
            + [short(g[f"us_per_{what}"]) for what in ("step", "clone", "listing", "save")]
            + [f"{g['bytes_per_match'] / 1024:.1f} KB"]
            for g in data["games"]
        ],
    )
    table(
        "Loading (s of CPU; against Python's compile() of as many lines). Cold: to the first answer; kept: with whole "
        "games, all of it written to disk",
        "game | lines | cold | from cache | compiling | cold against Python | kept | cache against Python",
        [
            [g["game"], f"{g['lines']:,}", short(g["cold_s"]), short(g["cache_s"]), short(g["compile_s"]),
             f"{short(g['cold_against_python'])}×", f"{short(g['cold_whole_against_python'])}×",
             f"{short(g['cache_against_python'])}×"]
            for g in data["loading"]
        ],
    )  # fmt: skip
    table(
        "Python by hand, the same games (µs; means apart in standard errors)",
        "game, players | Python | a decision | in turns of a loop | compiled against it | clone | options | "
        "scores apart | lengths apart",
        [
            [f"{g['game']}, {g['players']}", f"{g['kind']}, {g['name']}", short(g["us_per_decision"]),
             short(g["loops_per_decision"]), f"{short(g['compiled_against_it'])}×", short(g["us_per_clone"]),
             short(g["us_per_listing"]), str(g["scores_apart"]), str(g["decisions_apart"])]
            for g in data["by_hand"]
        ],
    )  # fmt: skip
    for stick in data["yardsticks"]:
        console.print(f"{_told(stick)}\n")
    table(
        "Growth: the time of a game for each player or round, against the smallest",
        "game | of | ms a game | ms for each | against the first",
        [
            [g["game"], f"{g['of']} {cell['value']}", short(cell["ms_per_game"]), short(cell["ms_per_unit"]),
             f"{short(cell['against_first'])}×"]
            for g in data["growth"] for cell in g["cells"]
        ],
    )  # fmt: skip
    table(
        "What is promised, against clean Python; beside it what it would be against the quickest tuned Python",
        "measure | must | aim | measured | of | tuned | ",
        [_measure(m) for m in data["measures"]],
    )


def _told(stick: dict[str, Any]) -> str:
    """What the yardstick of a game is."""
    median = (
        f"Clean Python of {stick['game']} takes {short(stick['median'])} turns of the loop a decision in the median"
    )
    if stick["turns"] < stick["median"]:
        most = short(stick["most_turns"])
        return f"{median}; more than {most} count as {most}: that is the yardstick."
    return f"{median}: that is the yardstick."


def _measure(measure: dict[str, Any]) -> list[str]:
    return [
        measure["name"],
        _limit(measure, "must"),
        _limit(measure, "aim"),
        _value(measure),
        _decisive(measure),
        _tuned(measure),
        verdict(measure),
    ]


def _limit(measure: dict[str, Any], which: str) -> str:
    sign = "≤" if measure["less_is_better"] else "≥"
    return f"{sign} {measure[which]:g}{'×' if measure['unit'] == 'x' else ' s'}"


def _value(measure: dict[str, Any]) -> str:
    return f"{short(measure['value'])}{'×' if measure['unit'] == 'x' else ' s'}"


def _tuned(measure: dict[str, Any]) -> str:
    """The worst, if Python tuned by hand were the yardstick."""
    if not measure["tuned"]:
        return ""
    return f"{short((max if measure['less_is_better'] else min)(measure['tuned'].values()))}×"


def _decisive(measure: dict[str, Any]) -> str:
    """The game that counts: the worst."""
    return next((name for name, value in measure["of"].items() if value == measure["value"]), "")


def verdict(measure: dict[str, Any]) -> str:
    value = -measure["value"] if measure["less_is_better"] else measure["value"]
    must, aim = (-measure[w] if measure["less_is_better"] else measure[w] for w in ("must", "aim"))
    return "aim" if value >= aim else "good" if value >= must else "MISSED"


def short(value: float) -> str:
    """Three digits that count."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def missed(data: dict[str, Any]) -> list[str]:
    """What is promised and not kept; a yardstick that is another game measures nothing."""
    found = [
        f"{m['name']}: {_value(m)}, must be {_limit(m, 'must')}" for m in data["measures"] if verdict(m) == "MISSED"
    ]
    for stick in data["by_hand"]:
        if max(stick["scores_apart"], stick["decisions_apart"]) > FAR:
            found.append(
                f"the {stick['kind']} Python of {stick['game']} ({stick['name']}) has other means than its rules: "
                "it is another game"
            )
    return found


# ---- the baseline


def ratios(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Ratios alone: they mean the same on another machine."""
    return {
        f"{measure['name']}: {name}": {"value": value, "less_is_better": measure["less_is_better"]}
        for measure in data["measures"]
        if measure["unit"] == "x"
        for name, value in measure["of"].items()
    }


def write_baseline(path: Path, data: dict[str, Any]) -> None:
    text = json.dumps({"baseline": 1, "ratios": ratios(data)}, indent=1, ensure_ascii=False)
    write_whole(path, text + "\n")


def read_baseline(path: Path) -> dict[str, dict[str, Any]]:
    try:
        before = json.loads(read_text(path, "a baseline"))
    except ValueError as error:
        raise UserError(f"`{path}` is no baseline: {error}", "write a new one by --write-baseline", FOUND) from None
    wrong = problems("bench_baseline", before)
    if wrong:
        raise UserError(f"`{path}` is no baseline: {wrong[0]}", "write a new one by --write-baseline", FOUND)
    found: dict[str, dict[str, Any]] = before["ratios"]
    return found


def regressions(before: dict[str, dict[str, Any]], data: dict[str, Any]) -> list[str]:
    """What is worse than in the baseline by more than a fifth."""
    found = []
    for name, now in ratios(data).items():
        old = before.get(name)
        if old is None:
            continue
        change = now["value"] / old["value"] if now["less_is_better"] else old["value"] / now["value"]
        if change > 1 + WORSE:
            found.append(f"{name}: {short(old['value'])} before, {short(now['value'])} now")
    return found


# ---- the README


def markdown(data: dict[str, Any]) -> str:
    lines = ["| measure | must | aim | measured | decided by | against tuned Python |", "| --- " * 6 + "|"]
    lines += [f"| {' | '.join(_measure(m)[:6])} |" for m in data["measures"]]
    lines += [f"\n{_told(stick)}" for stick in data["yardsticks"]]
    if data["by_hand"]:
        headings = "Python by hand | turns of the loop a decision | whole games, compiled, against it"
        lines += ["", f"| {headings} | scores apart | lengths apart |", "| --- " * 5 + "|"]
        for stick in data["by_hand"]:
            named = f"{stick['game']}, {stick['players']} players, {stick['kind']}, {stick['name']}"
            pace = f"{short(stick['loops_per_decision'])} | {short(stick['compiled_against_it'])}×"
            lines.append(f"| {named} | {pace} | {stick['scores_apart']} | {stick['decisions_apart']} |")
    compiled = {g["game"]: g for g in data["games"] if g["engine"] == "compiled"}
    plain = {g["game"]: g for g in data["games"] if g["engine"] == "reference"}
    if compiled:
        lines += ["", "| game, players | compiled against reference | decisions a game | memory of a game |"]
        lines += ["| --- | --- | --- | --- |"]
        for name, game in compiled.items():
            faster = plain[name]["us_per_decision"] / game["us_per_decision"]
            length = game["decisions_per_s"] / game["games_per_s"]
            memory = f"{game['bytes_per_match'] / 1024:.1f} KB"
            lines.append(f"| {name}, {game['players']} | {short(faster)}× | {length:,.0f} | {memory} |")
    for growth in data["growth"]:
        cells = ", ".join(f"{cell['value']}: {short(cell['against_first'])}" for cell in growth["cells"])
        lines += [
            "",
            f"Time of a game of `{growth['game']}` for each of its {growth['of']}, against the first: {cells}.",
        ]
    return "\n".join(lines)


def around_table(path: Path) -> tuple[str, str]:
    """What stands before and behind the table."""
    text = read_text(path, "a README")
    if BEGIN not in text or END not in text:
        raise UserError(
            f"`{path}` has no place for the table", f"put `{BEGIN}` and `{END}` on lines of their own", FOUND
        )
    before, _, rest = text.partition(BEGIN)
    return before, rest.partition(END)[2]


def write_readme(path: Path, data: dict[str, Any]) -> None:
    before, after = around_table(path)
    write_whole(path, f"{before}{BEGIN}\n\n{markdown(data)}\n\n{END}{after}")
