"""Figures in words: what people read instead of `won/p3`, and what a change of one means."""

from __future__ import annotations

from typing import Any

from cambist.report.svg import number, percent

WHOLE = {
    "score/all": "score of a player",
    "score/best": "highest score",
    "length/answers": "answers in a game",
    "length/decisions": "decisions in a game",
    "length/turns": "turns in a game",
    "options/forced": "forced answers",
    "options/mean": "answers to choose from",
    "lead/changes": "changes of the lead in a game",
    "margin": "margin of the first over the second",
    "spread": "from the first score to the last",
    "tie": "games that end in a tie",
}
GROUPS = {
    "action": "“{}” is chosen, times a game",
    "chosen": "card “{}” is chosen, times a game",
    "moved": "card “{}” moves, times a game",
    "shifted": "marker “{}” moves, times a game",
    "phase": "phase “{}” is played, times a game",
    "mark": "“{}” happens, times a game",
    "limit": "assumed limit “{}” is reached, times a game",
    "ended": "games that end by “{}”",
}


def words(name: str) -> str:
    group, _, what = name.partition("/")
    if name in WHOLE:
        return WHOLE[name]
    if group == "score":
        return f"score of seat {what[1:]}"
    if group == "won":
        return f"games won by seat {what[1:]}"
    if group == "measure":
        first, *of = what.split(" ")
        seats = [f"seat {word[1:]}" if word[:1] == "p" and word[1:].isdecimal() else word for word in of]
        return f"measure “{first}”{' of ' if of else ''}{', '.join(seats)}"
    return GROUPS[group].format(what)


def value(figure: dict[str, Any], which: str) -> str:
    return percent(figure[which]) if figure["share"] else number(figure[which])


def change(figure: dict[str, Any], which: str = "change") -> str:
    """`+3.1 points` of a share, `+12` of anything else; with a proper minus."""
    amount = figure[which]
    text = f"{amount * 100:+.1f} points" if figure["share"] else f"{'+' if amount >= 0 else ''}{number(amount)}"
    return text.replace("-", "−")


def relative(figure: dict[str, Any]) -> str:
    share = figure["relative"]
    if figure["share"] or share is None:
        return ""
    return f"{share * 100:+.0f} %".replace("-", "−")


def sentence(figure: dict[str, Any]) -> str:
    """What changed, said to a person."""
    name, before, after = figure["name"], value(figure, "before"), value(figure, "after")
    group, _, what = name.partition("/")
    if name == "length/decisions":
        longer = "longer" if figure["change"] > 0 else "shorter"
        return f"Games are {abs(figure['relative'] or 1) * 100:.0f} % {longer}: {after} decisions instead of {before}."
    if group == "won":
        return f"Seat {what[1:]} wins {after} of the games instead of {before} ({change(figure)})."
    if group == "measure" and " " not in what:
        return f"The measure “{what}” is {after} instead of {before}{_how_much(figure)}."
    if name == "score/all":
        return f"A player scores {after} instead of {before} on average{_how_much(figure)}."
    return f"{words(name)[:1].upper()}{words(name)[1:]}: {after} instead of {before}{_how_much(figure)}."


def _how_much(figure: dict[str, Any]) -> str:
    text = relative(figure) or change(figure)
    return f" ({text})"
