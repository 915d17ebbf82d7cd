"""The page of `cambist compare`, and its sentences. In: the data of comparing.py and of both reports. Out: HTML."""

from __future__ import annotations

from html import escape
from typing import Any

from cambist.report import plots, sections
from cambist.report.naming import change, relative, sentence, value, words
from cambist.report.page import details, figure, page, section, table
from cambist.report.plots import Estimate
from cambist.report.reckoning import games_needed
from cambist.report.sentences import count, listed
from cambist.report.svg import number

MOST_SENTENCES, MOST_DETAILS = 6, 2
SPOKEN_OF = (
    "won/",
    "score/all",
    "length/decisions",
    "measure/",
    "margin",
    "tie",
    "lead/",
    "ended/",
    "limit/",
    "options/forced",
)
DETAILS = ("action/", "shifted/", "phase/", "mark/", "options/mean", "length/turns")
MOST_ROWS = 30
MOST_PATHS = 6
MOST_RULES = 3  # differences of the rules that are told in the summary
HEADS = ["what", "A", "B", "change", "95 % interval", "relative"]
NOTHING = "Nothing differs by more than chance explains."


def summary(data: dict[str, Any]) -> list[str]:
    a, b = (side_name(data[side]) for side in "ab")
    players = f"{data['players']} {data['seats'][0]} players" if len(set(data["seats"])) == 1 else listed(data["seats"])
    found = [
        f"A is {a}, B is {b}. Each was played {number(data['pairs'])} times by {players}, in pairs of games that began "
        "with the same chance."
    ]
    found += _rules(data)
    for side in "ab":
        if data[side]["failed"]:
            failed = count(data[side]["failed"], "game")
            found.append(f"{failed} of {side.upper()} failed because of a mistake in the rules and is left out.")
    compared = f"{count(len(data['figures']), 'figure')} were compared"
    changed = changes(data)
    if not changed:
        return [*found, f"{_nothing(data)} {compared}{_alike(data)}."]
    told = [sentence(figure) for figure in told_first(changed)]
    guard = f"{compared}, and {count(len(changed), 'figure')} changed by more than chance explains."
    return [*found, *told, *_wins(data), guard, *_new(data)]


def _alike(data: dict[str, Any]) -> str:
    return "; all games went exactly the same way" if data["alike"] == data["pairs"] else ""


def _nothing(data: dict[str, Any]) -> str:
    """That nothing was found says nothing if so few games could not have shown it."""
    needed = games_needed(len(data["figures"]))
    if data["pairs"] >= needed or _alike(data):
        return NOTHING
    return f"{count(data['pairs'], 'pair')} of games are too few to tell what chance explains: play {needed} or more."


def _rules(data: dict[str, Any]) -> list[str]:
    """How the rules differ, in a sentence; all of it is in `cambist diff`."""
    told = [change["sentence"] for change in data["rules"]]
    if not told:
        return ["The rules are the same."]
    more = f" and {len(told) - MOST_RULES} more" if len(told) > MOST_RULES else ""
    return [f"What is different in the rules of B: {'; '.join(told[:MOST_RULES])}{more}."]


def changes(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [figure for figure in data["figures"] if figure["beyond_chance"]]


def told_first(changed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What players would speak of before the details, each in the order of how much it changed. What is told of all
    seats is not told of each, and single cards are left to the table."""
    names = {figure["name"] for figure in changed}
    kept = []
    for one in changed:
        group, _, what = one["name"].partition("/")
        of_a_seat = group in ("score", "measure") and what.rpartition("p")[2].isdecimal()
        whole = "score/all" if group == "score" else f"measure/{what.split(' ')[0]}"
        if not (of_a_seat and whole in names) and one["name"].startswith((*SPOKEN_OF, *DETAILS)):
            kept.append(one)
    first = [one for one in kept if one["name"].startswith(SPOKEN_OF)][:MOST_SENTENCES]
    return first + [one for one in kept if one not in first][: max(MOST_SENTENCES - len(first), MOST_DETAILS)]


def _wins(data: dict[str, Any]) -> list[str]:
    """About the seats, in any case."""
    wins = [figure for figure in data["figures"] if figure["name"].startswith("won/")]
    if not wins or any(figure["beyond_chance"] for figure in wins):
        return []  # it is among the changes
    most = max(wins, key=lambda figure: abs(figure["change"]))
    between = f"{change(most, 'low')} to {change(most, 'high')}"
    seat = most["name"].partition("/p")[2]
    told = f"seat {seat} moved most, by {change(most)} ({between})"
    return [f"No seat wins more or less by more than chance explains; {told}."]


def _new(data: dict[str, Any]) -> list[str]:
    return [
        f"Only in {side.upper()}: {listed([words(name) for name in names[:6]], len(names) - 6)}."
        for side in "ab"
        if (names := data[f"only_in_{side}"])
    ]


def side_name(side: dict[str, Any]) -> str:
    options = ", ".join(f"{name} {setting}" for name, setting in side["options"].items())
    return f"{side['title']} ({', '.join(filter(None, [side['game'], options]))})"


def row(figure: dict[str, Any]) -> list[str]:
    between = f"{change(figure, 'low')} to {change(figure, 'high')}"
    values = [value(figure, "before"), value(figure, "after"), change(figure), between, relative(figure)]
    return [words(figure["name"]), *values]


def compare_page(data: dict[str, Any], a: dict[str, Any], b: dict[str, Any], command: str) -> str:
    """`a` and `b` are the data of their reports."""
    parts = [_all_rules(data), _most_changed(data), _side_by_side(a, b), _paths(a, b), _all(data)]
    under = f"{count(data['pairs'], 'pair')} of games, {data['players']} players, seed {data['seed']}"
    again = f"Made by <code>{escape(command)}</code>; the same command gives the same page."
    title = (
        f"{data['a']['title']} and {data['b']['title']}"
        if data["a"]["title"] != data["b"]["title"]
        else data["a"]["title"]
    )
    return page(f"{title}: what changes", under, summary(data), parts, again)


def _all_rules(data: dict[str, Any]) -> str:
    rows = [[change["group"], change["part"], change["sentence"]] for change in data["rules"]]
    if not rows:
        return ""
    listing = table(["where", "rule", "what is different"], rows)
    return section(
        "The rules", "", details(count(len(rows), "difference"), listing) if len(rows) > MOST_ROWS else listing
    )


def _most_changed(data: dict[str, Any]) -> str:
    changed = changes(data)
    if not changed:
        return section("What changed", _nothing(data))
    shown = changed[:MOST_ROWS]
    drawn = plots.changes(
        "What changed most", "change, in standard deviations of one game", "figure", [_scaled(f) for f in shown]
    )
    text = (
        "Sorted by how much one would notice: the change divided by how much the figure varies from game to game. The "
        "lines are 95 % intervals; only what chance does not explain, with all figures looked at, is listed."
    )
    rest = f" {len(changed) - len(shown)} more are in the table of all figures." if len(changed) > len(shown) else ""
    return section("What changed", text + rest, figure(drawn), table(HEADS, [row(f) for f in shown]))


def _scaled(figure: dict[str, Any]) -> Estimate:
    unit = abs(figure["change"]) / figure["effect"] if figure["effect"] and figure["change"] else 1.0
    told = f"{words(figure['name'])}: {value(figure, 'before')} → {value(figure, 'after')}"
    return Estimate(words(figure["name"]), figure["change"] / unit, figure["low"] / unit, figure["high"] / unit, told)


def _side_by_side(a: dict[str, Any], b: dict[str, Any]) -> str:
    """With the same axes on both sides."""
    if not (a["played"] and b["played"]):
        return ""
    scores = _span(a["scores"]["all"], b["scores"]["all"])
    length = _span(a["length"]["decisions"], b["length"]["decisions"])
    sides = [(f"A: {a['title']}", a), (f"B: {b['title']}", b)]
    drawn = [figure(sections.wins_plot(data, f"Who wins, {side}"), side) for side, data in sides]
    drawn += [figure(sections.scores_plot(data, f"Scores, {side}", scores), side) for side, data in sides]
    drawn += [figure(sections.length_plot(data, f"Length, {side}", length), side) for side, data in sides]
    return section("Side by side", "", *drawn)


def _span(a: dict[str, Any], b: dict[str, Any]) -> tuple[float, float]:
    return min(a["bins"][0][0], b["bins"][0][0]), max(a["bins"][-1][1], b["bins"][-1][1])


def _paths(a: dict[str, Any], b: dict[str, Any]) -> str:
    """What runs over time in both, and not alike."""
    theirs = {(path["group"], path["name"]): path for path in b["paths"]}
    both = [(path, theirs.get((path["group"], path["name"]))) for path in a["paths"]]
    differing = [(path, other) for path, other in both if other is not None and path["at"] != other["at"]]
    drawn = [
        figure(sections.path_plot(path, side), side)
        for pair in differing[:MOST_PATHS]
        for side, path in zip("AB", pair, strict=True)
    ]
    return section("Over time", sections.BANDS, *drawn) if drawn else ""


def _all(data: dict[str, Any]) -> str:
    rows = [[*row(f), "yes" if f["beyond_chance"] else ""] for f in data["figures"]]
    return section("All figures", "", details(count(len(rows), "figure"), table([*HEADS, "beyond chance"], rows)))
