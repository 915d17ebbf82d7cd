"""The numbers of a report in sentences, for somebody who has seen neither the game nor Cambist.

In: the data of data.py. Out: plain text, one thing a sentence; nothing here is escaped or marked up.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

from cambist.report.reckoning import wilson
from cambist.report.svg import number, percent

RARE = 0.02  # of the games
PLAYERS_SAY = {
    "random": "They answered at random: this tells what the rules allow, not what good players would make of them."
}


def summary(data: dict[str, Any]) -> list[str]:
    if not data["played"]:
        return [f"None of the {count(data['games'], 'game')} could be played to its end; the faults are listed below."]
    return [
        *_what_was_played(data),
        _who_wins(data),
        _how_long(data),
        _how_close(data),
        *_what_is_used(data),
        *_how_it_ends(data),
        *_what_never_ran(data),
    ]


def _what_was_played(data: dict[str, Any]) -> list[str]:
    kinds = sorted(set(data["seats"]))
    who = f"{kinds[0]} players" if len(kinds) == 1 else f"players: {', '.join(data['seats'])}, in the order of seats"
    options = ", ".join(f"{name} {value}" for name, value in data["options"].items())
    found = [
        f"{number(data['played'])} games of {data['title']}{f' ({options})' if options else ''} were played by "
        f"{data['players']} {who}."
    ]
    if data["failed"]:
        found.append(f"{count(len(data['failed']), 'further game')} failed because of a mistake in the rules.")
    return found + [PLAYERS_SAY[kind] for kind in kinds if kind in PLAYERS_SAY and len(kinds) == 1]


def _who_wins(data: dict[str, Any]) -> str:
    wins, fair = data["wins"], 1 / data["players"]
    z = NormalDist().inv_cdf(1 - 0.025 / len(wins))  # wider, since every seat is looked at
    uneven = []
    for seat in wins:
        low, high = wilson(seat["wins"], data["played"], z)
        if not low <= fair <= high:
            uneven.append(seat)
    least, most = (f(seat["share"] for seat in wins) for f in (min, max))
    if not uneven:
        return (
            f"No seat is at an advantage that {count(data['played'], 'game')} could show: the seats win between "
            f"{percent(least)} and {percent(most)} of the games, a fair share being {percent(fair)}."
        )
    several = len(set(data["seats"])) > 1
    who = [f"seat {seat['seat']}{' (' + seat['player'] + ')' if several else ''}" for seat in uneven]
    told = [f"{name} wins {percent(seat['share'])}" for name, seat in zip(who, uneven, strict=True)]
    matters = "Who sits where matters" if several else "Where one sits matters"
    return f"{matters}: {listed(told)} of the games, a fair share being {percent(fair)}; that is not chance."


def _how_long(data: dict[str, Any]) -> str:
    length, forced = data["length"]["decisions"], data["options_to_choose_from"]["forced"]["mean"]
    options = data["options_to_choose_from"]
    few = "" if not forced else f" {percent(forced)} of the answers were the only ones possible."
    return (
        f"A game has {length['median']:,.0f} decisions (most games between {length['tenth']:,.0f} and "
        f"{length['ninetieth']:,.0f}), with {_options(options)} to choose from on average.{few}"
    )


def _options(options: dict[str, Any]) -> str:
    total = sum(times for _, times in options["choices"])
    over = sum(times for answers, times in options["choices"] if answers >= options["most_counted"])
    atleast = "at least " if over > total * RARE else ""
    return f"{atleast}{number(options['mean']['mean'])} answers"


def _how_close(data: dict[str, Any]) -> str:
    lead, unit = data["lead"], data["scores"]["unit"]
    ties = f" {percent(lead['ties'])} of the games end in a tie." if lead["ties"] else " No game ended in a tie."
    changes = f"; the lead changes {times(lead['changes']['mean'])} on the way" if lead["known"] else ""
    return (
        f"At the end of a typical game the first is {number(lead['margin']['median'])} {unit} ahead of the second, the "
        f"median score being {number(data['scores']['all']['median'])}{changes}.{ties}"
    )


def _what_is_used(data: dict[str, Any]) -> list[str]:
    never = [use["name"] for use in data["actions"] if not use["games"]]
    rare = [use["name"] for use in data["actions"] if 0 < use["games"] < RARE]
    found = []
    if never:
        found.append(f"Nobody ever chose {listed([f'“{name}”' for name in never])}.")
    if rare:
        found.append(f"Chosen in fewer than {percent(RARE)} of the games: {listed([f'“{name}”' for name in rare])}.")
    lying = [card["card"] for card in data["cards"] if not card["moved"] and not card["chosen"]]
    if lying:
        found.append(f"{count(len(lying), 'kind')} of card never moved: {listed(lying[:6], len(lying) - 6)}.")
    return found


def _how_it_ends(data: dict[str, Any]) -> list[str]:
    ends = sorted(data["ends"], key=lambda end: -end["games"])
    found = []
    if len(ends) > 1:
        told = [f"{percent(end['games'] / data['played'])} by “{end['reason']}”" for end in ends]
        found.append(f"Games end in {len(ends)} ways: {listed(told)}.")
    reached = [limit for limit in data["limits"] if limit["games"]]
    if reached:
        told = [f"“{limit['name']}” in {percent(limit['games'])}" for limit in reached]
        found.append(
            f"Limits that are only assumed, since the rulebook has none, were reached: {listed(told)} of the games."
        )
    return found


def _what_never_ran(data: dict[str, Any]) -> list[str]:
    lines = data["lines"]
    if not lines["never"]:
        return [f"Every line of the rules was at work in the first {count(lines['games'], 'game')}."]
    never = f"{len(lines['never'])} of the {lines['count']} lines with a rule"
    return [f"{never} were never at work in the first {count(lines['games'], 'game')}; they are listed at the end."]


# ---- words


def count(how_many: int, what: str) -> str:
    return f"{how_many:,} {what}" if how_many == 1 else f"{how_many:,} {what}s"


def times(mean: float) -> str:
    return "not once" if not mean else f"{number(mean)} times"


def listed(words: list[str], more: int = 0) -> str:
    if more > 0:
        return f"{', '.join(words)} and {more} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
