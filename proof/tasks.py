"""The tasks of `make proof`: a command each, what it should show, and what would be wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

import cambist
from cambist.dsl.imports import shipped
from proof.strength import Pairing, pairings
from proof.strength import figures as strength_figures
from proof.strength import wrong as strength_wrong

TITLES = {
    "simulate": "Random games of every game with every number of players",
    "check": "Random games with all invariants tested in every state",
    "broken": "Rulesets that are broken on purpose: each is caught, by a game nearly as short as the shortest",
    "verify": "Random games with all laws tested, with the fewest, a middle number and the most players",
    "strength": "Games between bots, seats rotated: which is the stronger",
    "mutate": "Changes to the rules, one at a time: how many are noticed",
}
GAMES, CHECKED, VERIFIED, CHANGES = 300, 20, 200, 150
NOTICED = 85  # percent
SEEDS = (1, 2, 3)
CAUGHT, LONGER = 60, 2  # seconds of CPU, and choices more than the shortest game has
BROKEN = Path(__file__).resolve().parent.parent / "tests" / "broken"
SHORTEST = re.compile(r"Shortest game: (\d+) choice")
LONGEST, AT = 120, 4  # seconds of CPU for these games, and with how many players


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
    duels: list[Pairing] | None = None,
) -> Iterator[Task]:
    for game in shipped():
        yield _mutate(game, changes, noticed)
        for players in cambist.load(game).players:
            yield _simulate("simulate", game, players, games)
            yield _simulate("check", game, players, checked, "--check")
    for path in sorted(BROKEN.glob("*.rules")):
        for seed in seeds:
            yield _broken(path, seed)
    for game in shipped():
        yield _verify(game, verified)
    for pairing in pairings() if duels is None else duels:
        yield _strength(pairing)


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
