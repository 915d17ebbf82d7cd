"""What another ruleset changes: the figures of games that were played in pairs, with the same seeds.

In: two settings and what was gathered of each. Out: plain data of the form in `schemas/compare.schema.json`: every
figure in both rulesets, the difference with its 95 % interval, and whether it is more than chance explains, guarded
against looking at many figures at once. Sorted by what changed most.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import compile as pattern
from typing import Any

import attrs

from cambist.dsl.differences import Differences
from cambist.interpreter.gathering import Figures, Gathered
from cambist.report.data import Setting
from cambist.report.reckoning import Difference, difference, mean, significant

FORM = 1
OF_A_SEAT = pattern(r"action/.*/p[0-9]+")
SEATED = pattern(r"(measure/[^ ]+) p[0-9]+(.*)")
AS_SHARES = ("won", "tie", "ended", "options/forced")  # figures that are shares of something


def compare_data(a: Setting, b: Setting, first: Gathered, second: Gathered) -> dict[str, Any]:
    both = sorted(first.games.keys() & second.games.keys())
    players = a.program.players
    before, after = ([_with_sums(g.games[number], players) for number in both] for g in (first, second))
    found = list(_differences(before, after))
    beyond_chance = significant(found)
    ordered = sorted(found, key=lambda d: (d.name not in beyond_chance, -d.effect, d.chance, d.name))
    names = [_names(figures) for figures in (before, after)]
    return {
        "compare": FORM,
        "a": _side(a, first),
        "b": _side(b, second),
        "players": a.program.players,
        "seats": list(a.seats),
        "games": a.games,
        "seed": a.seed,
        "pairs": len(both),
        "alike": sum(x == y for x, y in zip(before, after, strict=True)),
        "figures": [_data(d, d.name in beyond_chance) for d in ordered],
        "only_in_a": _only(names[0] - names[1]),
        "only_in_b": _only(names[1] - names[0]),
    }


def rules_data(found: Differences) -> list[dict[str, str]]:
    """What is different in the rules themselves, examples and laws apart."""
    return [{"group": one.group, "part": one.part, "sentence": one.sentence} for one in found.rules]


def _side(setting: Setting, gathered: Gathered) -> dict[str, Any]:
    return {
        "game": setting.program.game,
        "title": setting.program.title,
        "options": setting.options,
        "played": len(gathered.games),
        "failed": len(gathered.failed),
    }


def _with_sums(figures: Figures, players: int) -> dict[str, float]:
    """The figures of one game that are compared, and those of all seats together. What is 0 has no figure."""
    found = {name: float(value) for name, value in figures.items() if not OF_A_SEAT.fullmatch(name)}
    scores = [found.get(f"score/p{seat + 1}", 0.0) for seat in range(players)]
    found["score/all"], found["score/best"] = mean(scores), max(scores)
    together: dict[str, list[float]] = {}
    for name, value in found.items():
        seated = SEATED.fullmatch(name)
        if seated is not None:
            together.setdefault("".join(seated.groups()), []).append(value)
    return found | {name: mean(values) for name, values in together.items()}


def _names(games: list[dict[str, float]]) -> set[str]:
    return {name for figures in games for name in figures}


def _only(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.partition("/")[0] in ("action", "phase", "mark", "measure", "chosen"))


def _differences(before: list[dict[str, float]], after: list[dict[str, float]]) -> Iterable[Difference]:
    """Of all figures that both have; a measure counts in the pairs where both were asked for it."""
    names = _names(before) | _names(after)
    chosen = {name.partition("/")[2] for name in names if name.startswith("chosen/")}
    for name in sorted(names):
        group, _, what = name.partition("/")
        if group == "moved" and what in chosen:
            continue  # that it is chosen tells more
        pairs = list(zip(before, after, strict=True))
        if group == "measure":
            pairs = [(x, y) for x, y in pairs if name in x and name in y]
        if pairs:
            yield difference(name, [x.get(name, 0.0) for x, _ in pairs], [y.get(name, 0.0) for _, y in pairs])


def _data(found: Difference, beyond_chance: bool) -> dict[str, Any]:
    relative = found.change / abs(found.before) if found.before else None
    return {
        **attrs.asdict(found),
        "change": found.change,
        "relative": relative,
        "share": found.name.startswith(AS_SHARES),
        "beyond_chance": beyond_chance,
    }
