"""The tasks of `make proof`: a command each, what it should show, and what would be wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

import cambist
from cambist.dsl.finding import shipped
from proof.browser import wrong_in_browser
from proof.strength import Pairing, pairings
from proof.strength import figures as strength_figures
from proof.strength import wrong as strength_wrong

TITLES = {
    "simulate": "Random games of every game with every number of players",
    "check": "Random games with all invariants tested in every state",
    "broken": "Rulesets that are broken on purpose: each is caught, by a game nearly as short as the shortest",
    "verify": "Random games with all laws tested, with the fewest, a middle number and the most players",
    "report": "Reports of every game, opened in a browser: no message on its console, all plots drawn",
    "compare": "What a changed rule does is found, and nothing where nothing changed",
    "flatten": "Variants and their flattened text: random games of both, compared to the last answer",
    "strength": "Games between bots, seats rotated: which is the stronger",
    "engines": "Both engines side by side: every choice, answer, state and result",
    "mutate": "Changes to the rules, one at a time: how many are noticed",
}
GAMES, CHECKED, VERIFIED, CHANGES, COMPARED = 300, 20, 200, 150, 50
TWICE = 100  # games on both engines
NOTICED = 85  # percent
SEEDS = (1, 2, 3)
CAUGHT, LONGER = 60, 2  # seconds of CPU, and choices more than the shortest game has
BROKEN = Path(__file__).resolve().parent.parent / "tests" / "broken"
STACK = "tests/variants/both.rules"
SHORTEST = re.compile(r"Shortest game: (\d+) choice")
LONGEST, AT = 120, 4  # seconds of CPU for these games, and with how many players
REPORTED, ON_THE_WAY = 500, 60  # games of the report that is promised, and of the others
TWO_MINUTES = 240  # seconds of CPU: on two cores


@frozen
class Task:
    part: str
    name: str
    words: tuple[str, ...]  # behind `cambist`
    figures: Callable[[Any, float], str]
    wrong: Callable[[Any, float], str]  # empty if nothing is
    exit_code: int = 0


def tasks(
    games: int = GAMES,
    checked: int = CHECKED,
    verified: int = VERIFIED,
    changes: int = CHANGES,
    noticed: int = NOTICED,
    seeds: tuple[int, ...] = SEEDS,
    reported: int = REPORTED,
    on_the_way: int = ON_THE_WAY,
    folder: str = ".proof",
    opened: Callable[[Path], str] = wrong_in_browser,
    compared: int = COMPARED,
    duels: list[Pairing] | None = None,
    twice: int = TWICE,
) -> Iterator[Task]:
    for game in shipped():
        yield _report(game, reported if game == "money" else on_the_way, folder, opened)
    yield _compare("double_bonus", reported, True)
    yield _compare("same_money", reported, False)
    for game in shipped():
        yield _mutate(game, changes, noticed)
        for players in cambist.load(game).players:
            yield _simulate("simulate", game, players, games)
            yield _simulate("check", game, players, checked, "--check")
            if twice:
                yield _engines(game, players, twice)
    for path in sorted(BROKEN.glob("*.rules")):
        for seed in seeds:
            yield _broken(path, seed)
    for game, path in shipped().items():
        yield _verify(game, verified)
        if path.read_text("utf-8").count("\nvariant "):
            yield _flatten(game, game, compared)
    yield _flatten("a stack of two", STACK, compared)
    for pairing in pairings() if duels is None else duels:
        yield _strength(pairing)


def _flatten(name: str, game: str, games: int) -> Task:
    words = ("flatten", game, "--compare", str(games), "--json")

    def figures(data: Any, seconds: float) -> str:
        return f"{data['games']} games of both, {len(data['different']) or 'none'} of them different"

    def wrong(data: Any, seconds: float) -> str:
        return f"different with the seeds {data['different'][:5]}" if data["different"] else ""

    return Task("flatten", f"flatten-{name.replace(' ', '-')}", words, figures, wrong)


def _report(game: str, games: int, folder: str, opened: Callable[[Path], str]) -> Task:
    page = f"{folder}/{game}.html"
    players = str(min(AT, cambist.load(game).players[-1]))
    at = ("--players", players, "--games", str(games), "--seed", "1", "--jobs", "2")
    words = ("report", game, *at, "-o", page, "--json")

    def figures(data: Any, seconds: float) -> str:
        plots = Path(page).read_text("utf-8").count("<svg ")
        return f"{data['games']} games, {plots} plots, nothing on the console"

    def wrong(data: Any, seconds: float) -> str:
        if data["failed"] or data["played"] != games:
            return f"{data['played']} games instead of {games}"
        slow = f"{seconds:.0f} s of CPU, more than {TWO_MINUTES}" if seconds > TWO_MINUTES else ""
        return opened(Path(page)) or slow

    return Task("report", f"report-{game}", words, figures, wrong)


def _compare(other: str, games: int, differs: bool) -> Task:
    at = ("--games", str(games), "--seed", "1", "--jobs", "2")
    words = ("compare", "money", f"tests/report/{other}.rules", *at, "--json")

    def figures(data: Any, seconds: float) -> str:
        found = [figure["name"] for figure in data["figures"] if figure["beyond_chance"]]
        first = f", first of them `{found[0]}`" if found else ""
        return f"{data['games']} games of each, {len(found)} of {len(data['figures'])} figures changed{first}"

    def wrong(data: Any, seconds: float) -> str:
        found = [figure["name"] for figure in data["figures"] if figure["beyond_chance"]]
        if differs:
            return "" if found[:1] == ["measure/bonuses"] else f"the bonus is not what changed most: {found[:3]}"
        return f"found where nothing differs: {found[:3]}" if found else ""

    return Task("compare", f"compare-{other}", words, figures, wrong)


def _broken(path: Path, seed: int) -> Task:
    """The file's first line says how short a game shows it; one that nothing can show says so."""
    words = ("verify", f"tests/broken/{path.name}", "--seed", str(seed), "--time", "40", "--json")
    shortest = SHORTEST.search(path.read_text("utf-8"))

    def figures(data: Any, seconds: float) -> str:
        broken = [f"`{one['property']}` by {one['choices']} choices" for one in data["broken"]]
        never = [f"`{one['property']}` never reached in {data['games']} games" for one in data["unreached"]]
        least = f"; the shortest game has {shortest.group(1)}" if shortest else ""
        return ", ".join(broken + never) + least

    def wrong(data: Any, seconds: float) -> str:
        if not data["broken"] and not data["unreached"]:
            return "not caught"
        if shortest and data["broken"][0]["choices"] > int(shortest.group(1)) + LONGER:
            return f"a game of {data['broken'][0]['choices']} choices instead of {shortest.group(1)}"
        return f"{seconds:.0f} s of CPU, more than {CAUGHT}" if seconds > CAUGHT else ""

    return Task("broken", f"broken-{path.stem}-{seed}", words, figures, wrong, exit_code=1)


def _strength(pairing: Pairing) -> Task:
    return Task(
        "strength",
        pairing.name,
        pairing.words,
        lambda data, seconds: strength_figures(data),
        lambda data, seconds: strength_wrong(pairing, data),
    )


def _verify(game: str, games: int) -> Task:
    words = ("verify", game, "--games", str(games), "--seed", "1", "--json")

    def figures(data: Any, seconds: float) -> str:
        rates = ", ".join(f"{fact['name']} {fact['rate']:.1%}" for fact in data["reachable"])
        never = f"{len(data['never_ran'])} of {data['lines']} lines never ran"
        return f"{data['games']} games, {data['decisions']:,} decisions, nothing broken; reached: {rates}; {never}"

    def wrong(data: Any, seconds: float) -> str:
        broken = ", ".join(one["property"] for one in data["broken"])
        return f"broken: {broken}" if broken else ""

    return Task("verify", f"verify-{game}", words, figures, wrong)


def _simulate(part: str, game: str, players: int, games: int, *more: str) -> Task:
    words = ("simulate", game, "--players", str(players), "--games", str(games), "--seed", "1", *more, "--json")

    def figures(data: Any, seconds: float) -> str:
        ends = ", ".join(f"{why}: {count}" for why, count in sorted(data["ended_by"].items()))
        return f"{data['games']} games, {data['decisions']:,} decisions; {ends}"

    def wrong(data: Any, seconds: float) -> str:
        if data["errors"]:
            return f"{data['errors']} errors"
        if data["games"] != games:
            return f"{data['games']} games instead of {games}"
        slow = part == "simulate" and players == AT and seconds > LONGEST
        return f"{seconds:.0f} s of CPU, more than {LONGEST}" if slow else ""

    return Task(part, f"{part}-{game}-{players}", words, figures, wrong)


def _engines(game: str, players: int, games: int) -> Task:
    words = ("compile", game, "--players", str(players), "--compare", str(games), "--seed", "1", "--json")

    def figures(data: Any, seconds: float) -> str:
        return f"{data['games']} games, {data['answers']:,} answers, no difference"

    def wrong(data: Any, seconds: float) -> str:
        if not data["compiled"]:
            return f"not compiled: {data['why']}"
        return data["difference"] or ""

    return Task("engines", f"engines-{game}-{players}", words, figures, wrong)


def _mutate(game: str, changes: int, noticed: int) -> Task:
    recorded = f"tests/playthroughs/{game}"
    words = ("mutate", game, "--sample", str(changes), "--seed", "1", "--playthroughs", recorded, "--resume", "--json")

    def figures(data: Any, seconds: float) -> str:
        by = data["by"]
        who = f"{by['example']} by examples, {by['random_games'] + by['time']} by random games"
        rest = f"{by['playthrough']} only by recorded games; {len(data['equivalent'])} equivalent"
        return f"{data['killed']} of {data['mutants']} changes noticed, {data['score']:g} %: {who}, {rest}"

    def wrong(data: Any, seconds: float) -> str:
        if data["mutants"] < changes:
            return f"only {data['mutants']} changes could be tried"
        if data["stale"]:
            return f"no such change: {data['stale'][0]}"
        return f"{data['score']:g} % are noticed, fewer than {noticed} %" if data["score"] < noticed else ""

    return Task("mutate", f"mutate-{game}", words, figures, wrong)
