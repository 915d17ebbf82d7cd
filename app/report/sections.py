"""The parts of a report's page, each a heading, a few words and plots. In: the data of data.py. Out: HTML.

A part that has nothing to tell is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from re import compile as pattern
from typing import Any

from cambist.report import plots
from cambist.report.page import caption, details, figure, paragraph, section, table
from cambist.report.plots import Estimate, Pair
from cambist.report.sentences import listed
from cambist.report.svg import number, percent

MOST_PLOTS = 16  # of one kind beside each other; the rest stands in a table
MOST_BARS = 24
TIME = "time, % of the game"
SEAT = pattern(r"p[0-9]+")

Data = dict[str, Any]
Span = tuple[float, float] | None


def sections(data: Data) -> list[str]:
    parts: list[Callable[[Data], str]] = [
        who_wins, scores, length, choices, actions, cards, markets, money, lead, measures, course, ends, rules, assumed,
    ]  # fmt: skip
    told = [text for part in parts if (text := part(data))] if data["played"] else []
    return [failed(data), *told] if data["failed"] else told


def failed(data: Data) -> str:
    """Games that a mistake in the rules ended: each such mistake once, with the first game that shows it."""
    first: dict[str, int] = {}
    for game in data["failed"]:
        first.setdefault(game["fault"], game["game"])
    rows = [[fault, f"{game}"] for fault, game in first.items()]
    text = (
        f"{len(data['failed'])} of {number(data['games'])} games are left out below. `cambist record` writes one down."
    )
    return section("Games that failed", text, table(["what is wrong in the rules", "first in game"], rows))


# ---- results


def who_wins(data: Data) -> str:
    games = f"{number(data['played'])} games"
    rows = [
        [f"seat {seat['seat']}", seat["player"], number(seat["wins"]), percent(seat["share"]),
         f"{percent(seat['low'])} to {percent(seat['high'])}"]
        for seat in data["wins"]
    ]  # fmt: skip
    text = (
        f"The line on each bar is the 95 % interval: where the true share lies, as far as {games} can tell. The dashed "
        "line is a fair share. A tie is shared."
    )
    heads = ["seat", "player", "wins", "share", "95 % interval"]
    return section("Who wins", text, figure(wins_plot(data)), table(heads, rows))


def wins_plot(data: Data, title: str = "Who wins") -> str:
    found = [Estimate(f"seat {seat['seat']}", seat["share"], seat["low"], seat["high"]) for seat in data["wins"]]
    return plots.columns(title, "seat, in the order of turns", "share of games won", found, 1 / data["players"])


def scores(data: Data) -> str:
    unit, whole = data["scores"]["unit"], data["scores"]["all"]
    seats = [(f"seat {place}", _five(seat)) for place, seat in enumerate(data["scores"]["by_seat"], 1)]
    by_seat = plots.ranges("Scores by seat", f"score at the end, {unit}", "seat", seats, 430)
    text = (
        f"Half of all scores lie between {number(whole['quarter'])} and {number(whole['three_quarters'])} {unit}; "
        f"the lowest is {number(whole['least'])}, the highest {number(whole['most'])}."
    )
    return section("Scores", text, figure(scores_plot(data)), figure(by_seat, _RANGE))


def scores_plot(data: Data, title: str = "Scores of all players", span: Span = None) -> str:
    scores = data["scores"]
    return plots.histogram(title, f"score at the end, {scores['unit']}", "players", scores["all"]["bins"], span)


_RANGE = "The dot is the median, the box holds half of the games, the line four fifths."


def length(data: Data) -> str:
    turns = data["length"]["turns"]
    second = plots.histogram("Turns in a game", "turns of all players, in a game", "games", turns["bins"])
    text = (
        "A decision is an answer where there was more than one; a turn is a row of answers by the same player, or one "
        "answer of several players at once."
    )
    return section("How long a game takes", text, figure(length_plot(data)), figure(second))


def length_plot(data: Data, title: str = "Decisions in a game", span: Span = None) -> str:
    bins = data["length"]["decisions"]["bins"]
    return plots.histogram(title, "decisions of all players, in a game", "games", bins, span)


def choices(data: Data) -> str:
    options = data["options_to_choose_from"]
    most = options["most_counted"]
    found = [[answers, answers + 1, times] for answers, times in options["choices"]]
    name = f"answers to choose from ({most}: so many or more)"
    drawn = plots.histogram("How much there is to choose from", name, "choices in all games", found)
    forced = plots.histogram(
        "Forced answers", "share of the answers of a game, %", "games", _hundredfold(options["forced"])
    )
    share = percent(options["forced"]["mean"]) if options["forced"]["most"] else "None"
    text = f"Equal cards count once. {share} of all answers were forced: there was only one."
    return section(
        "What there is to choose from", text, figure(drawn), figure(forced) if options["forced"]["most"] else ""
    )


# ---- uses


def actions(data: Data) -> str:
    uses = data["actions"]
    if not uses:
        return ""
    shown = uses[:MOST_BARS]
    often = plots.bars(
        "How often each action is chosen", "times in a game", "action", [(u["name"], u["a_game"]) for u in shown]
    )
    compared = [Pair(u["name"], u["by_winners"], u["by_others"]) for u in shown if u["a_game"]]
    who = plots.pairs("What winners do", "times in a game, by one player", "action", compared, ("a winner", "another"))
    rows = [
        [
            u["name"],
            number(u["a_game"]),
            percent(u["games"]),
            number(u["by_winners"]),
            number(u["by_others"]),
            _where(u),
        ]
        for u in uses
    ]
    heads = ["action", "times a game", "of the games", "by a winner", "by another", "rule"]
    text = "An action is named after the phase it is chosen in."
    dots = caption("● a winner", "one") + caption("● somebody else", "two")
    return section(
        "Actions", text, figure(often), figure(who, "What winners do more often may be what wins.", dots),
        details("All actions", table(heads, rows)),
    )  # fmt: skip


def cards(data: Data) -> str:
    found = data["cards"]
    if not found:
        return ""
    by = "chosen" if any(card["chosen"] for card in found) else "moved"
    ordered = sorted(found, key=lambda card: (-card[by], card["card"]))
    half = MOST_BARS // 2
    shown = ordered if len(ordered) <= MOST_BARS else ordered[:half] + ordered[-half:]
    drawn = plots.bars(
        f"How often a card is {by}", f"times one card is {by} in a game", "card", [(c["card"], c[by]) for c in shown]
    )
    rows = [[c["card"], number(c["copies"]), number(c["chosen"]), number(c["moved"])] for c in ordered]
    left_out = f" The {half} most and the {half} least used of {len(ordered)}." if len(shown) < len(ordered) else ""
    text = "Chosen: part of somebody's answer. Moved: lies elsewhere than at the decision before. Both of one card."
    heads = ["card", "copies", "chosen", "moved"]
    return section("Cards", text + left_out, figure(drawn), details("All cards", table(heads, rows)))


# ---- time


def markets(data: Data) -> str:
    found = [path for path in data["paths"] if path["group"] == "track" and _varies(path)]
    moved = [(use["name"], use["a_game"]) for use in data["markets"] if use["a_game"]][:MOST_BARS]
    drawn = plots.bars("How often each marker moves", "times in a game", "marker", moved) if moved else ""
    return _over_time("Markets and tracks", found, "", figure(drawn))


def money(data: Data) -> str:
    found = [path for path in data["paths"] if path["group"] == "money" and _varies(path)]
    return _over_time("Money in play", found, "All that lies where it can run out: with the players, not in the bank.")


def lead(data: Data) -> str:
    unit, close = data["scores"]["unit"], data["lead"]
    drawn = [
        figure(plots.histogram("Margin", f"first minus second score, {unit}", "games", close["margin"]["bins"])),
    ]
    if close["known"]:
        bins = close["changes"]["bins"]
        drawn.append(figure(plots.histogram("Lead changes", "changes of the lead in a game", "games", bins)))
    paths = [path for path in data["paths"] if path["group"] == "score"]
    drawn += [figure(_path(path, f"{close['by']} of a player, {unit}", 430, 250), BANDS) for path in paths]
    ties = f"{percent(close['ties'])} of the games end in a tie."
    by = "the score as it would be then" if close["by"] == "score" else "the `estimate` that the rules have for it"
    how = f"The lead is looked at when a turn begins, by {by}."
    text = f"{how if close['known'] else 'Who leads can be told at the end only, since the score can.'} {ties}"
    return section("How close it is", text, *drawn)


BANDS = "The line is the median of all games, the bands hold half and four fifths of them."


def measures(data: Data) -> str:
    parts = []
    for measure in data["measures"]:
        if not measure["of"]:
            parts.append(paragraph(f"“{measure['name']}” was never asked for ({measure['when']})."))
            continue
        unit = f"{measure['name']}, {measure['unit']}"
        paths = [
            figure(_path(path, f"{path['name']}, {path['unit']}", 430, 250), BANDS)
            for path in data["paths"]
            if path["group"] == "measure" and path["name"].split(" ")[0] == measure["name"] and _varies(path)
        ][:4]
        things = [(_thing(thing["of"]) or "the table", _five(thing)) for thing in measure["of"]][:MOST_BARS]
        drawn = plots.ranges(f"{measure['name']}, {measure['when']}", f"{unit}, mean of a game", "of", things, 430)
        means = [f"{_thing(thing['of'])} {number(thing['mean'])}".strip() for thing in measure["of"][:MOST_BARS]]
        head = f"<h3>{escape(measure['name'])}</h3>"
        text = f"Asked {measure['when']}. On average {listed(means)}."
        parts.append(head + paragraph(text) + figure(drawn, _RANGE) + "".join(paths))
    text = "What the authors of the rules want to know of many games: every `measure` of the ruleset."
    return section("Measures", text, *parts) if parts else ""


def course(data: Data) -> str:
    phases = data["phases"]
    parts = []
    if phases:
        found = [(use["name"], use["a_game"]) for use in phases[:MOST_BARS]]
        parts.append(figure(plots.bars("How often each phase is played", "times in a game", "phase", found)))
    if data["events"]:
        found = [(use["name"], use["a_game"]) for use in data["events"][:MOST_BARS]]
        parts.append(figure(plots.bars("Events that the rules mark", "times in a game", "event", found)))
    return section("The course of a game", "", *parts) if parts else ""


def ends(data: Data) -> str:
    found = sorted(((end["reason"], end["games"] / data["played"]) for end in data["ends"]), key=lambda end: -end[1])
    drawn = plots.bars("How games end", "share of the games", "reason", found, percent)
    rows = [[limit["name"], percent(limit["games"])] for limit in data["limits"]]
    limits = table(["assumed limit", "reached in"], rows) if rows else ""
    return section("How games end", "", figure(drawn), limits)


# ---- the rules


def rules(data: Data) -> str:
    lines = data["lines"]
    looked = f"Looked at in the first {number(lines['games'])} games: {number(lines['count'])} lines with a statement."
    if not lines["never"]:
        return section("Rules that were never used", f"{looked} All of them were at work.")
    listing = "\n".join(f"{line['file'].rpartition('/')[2]}:{line['line']}  {line['text']}" for line in lines["never"])
    text = f"{looked} These {len(lines['never'])} were not: dead, or needed only in rare games or by better players."
    return section("Rules that were never used", text, f"<pre>{escape(listing)}</pre>")


def assumed(data: Data) -> str:
    if not data["assumptions"]:
        return ""
    rows = [[a["rule"], a["because"], _where(a)] for a in data["assumptions"]]
    text = "Where the rulebook is silent or doubtful, the ruleset assumes something and says why."
    listing = table(["rule", "assumed because", "place"], rows)
    return section("What is assumed", text, details(f"{len(rows)} assumptions", listing))


# ---- helpers


def _five(data: Data) -> list[float]:
    return [data[name] for name in ("tenth", "quarter", "median", "three_quarters", "ninetieth")]


def _thing(of: str) -> str:
    """`p2 red` as people say it."""
    return " ".join(f"seat {word[1:]}" if SEAT.fullmatch(word) else word for word in of.split(" "))


def _hundredfold(data: Data) -> list[list[float]]:
    return [[low * 100, high * 100, count] for low, high, count in data["bins"]]


def _where(place: Data) -> str:
    return f"{place['file'].rpartition('/')[2]}:{place['line']}"


def _varies(path: Data) -> bool:
    return len({value for values in path["at"] for value in values}) > 1


def _path(path: Data, label: str, width: int, height: int) -> str:
    return plots.bands(f"{path['name']} over time", TIME, label, path["at"], width, height)


def path_plot(path: Data, side: str) -> str:
    named = {**path, "name": f"{path['name']}, {side}"}
    return _path(named, f"{path['name']}, {path['unit']}", 430, 220)


def _over_time(title: str, found: Sequence[Data], text: str = "", first: str = "") -> str:
    if not found:
        return ""
    shown, rest = found[:MOST_PLOTS], found[MOST_PLOTS:]
    drawn = [figure(_path(path, f"{path['name']}, {path['unit']}", 300, 190)) for path in shown]
    more = details(f"{len(rest)} more", table(["what", "at the beginning", "in the middle", "at the end"], _rows(rest)))
    return section(title, f"{text} {BANDS}".strip(), first, *drawn, more if rest else "")


def _rows(paths: Iterable[Data]) -> list[list[str]]:
    return [[path["name"], *(_at(path["at"][place]) for place in (0, len(path["at"]) // 2, -1))] for path in paths]


def _at(values: Sequence[float]) -> str:
    return f"{number(values[2])} ({number(values[0])} to {number(values[-1])})"
