"""A game as text people can read, and that can be played again: choices, what is seen, answers, events.

After the choices that are told in full only the answers stand, several on a line, with a fingerprint of the table now
and then. `replayed` takes the answers out of a transcript and plays them, so that a transcript stays good when the
random player changes, and fails when the rules or the machine do. `difference` stops at the first line that is another.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import cambist
from cambist.interpreter.choices import Refusal

WIDTH = 116
TOLD = 28  # choices told in full
EVENTS = 10  # lines told of one answer
BETWEEN = " | "


def recorded(match: cambist.Match, seed: int, told: int = TOLD) -> str:
    """A random game from the beginning, as text."""
    rng = cambist.Source(seed)
    return "\n".join(_lines(match, _random(match, rng), seed, told)) + "\n"


def replayed(match: cambist.Match, text: str, seed: int, told: int = TOLD) -> str:
    """The game that a transcript tells, played again."""
    return "\n".join(_lines(match, iter(_answers(text)), seed, told)) + "\n"


def difference(match: cambist.Match, text: str, seed: int) -> int:
    """The first line, counted from 1, that the game played again does not tell; 0 if it goes as it did."""
    told = text.splitlines()
    number = 0
    try:
        for number, line in enumerate(_lines(match, iter(_answers(text)), seed, TOLD), 1):
            if number > len(told) or told[number - 1] != line:
                return number
    except (cambist.Refused, cambist.Fault):
        return number + 1
    return 0 if number == len(told) else number + 1


def heading(text: str) -> tuple[list[str], int] | None:
    """What the first line tells besides the title: seats and options as they stand there, and the seed."""
    found = re.fullmatch(r"(.*); seed ([0-9]{1,19})", text.partition("\n")[0])
    if found is None or ": " not in found[1]:
        return None
    return found[1].rpartition(": ")[2].split(", "), int(found[2])


def _random(match: cambist.Match, rng: cambist.Source) -> Iterator[tuple[str, str]]:
    while (choice := match.choice) is not None:
        by = choice.deciders[rng.below(len(choice.deciders))]
        yield match.seats[by], choice.text(choice.sample(rng, by))


def _answers(text: str) -> list[tuple[str, str]]:
    """Who answered what: lines `  Ann: buy silk`, and later ` 31  Ann: keep | Bob: take left`."""
    found = []
    for line in text.splitlines():
        if full := re.fullmatch(r"  (\w+) answers: (.*)", line):
            found.append((full[1], full[2]))
        elif brief := re.fullmatch(r" *\d+  (\w+: .*)", line):
            for part in brief[1].split(BETWEEN):
                who, _, answer = part.partition(": ")
                found.append((who, answer))
    return found


def _lines(match: cambist.Match, answers: Iterator[tuple[str, str]], seed: int, told: int) -> Iterator[str]:
    program = match.program
    options = "".join(f", {name} {value}" for name, value in program.options)
    yield f"{program.title}: {', '.join(match.seats)}{options}; seed {seed}"
    yield ""
    yield from _events(match.log_lines(), "  ")
    shown: dict[str, str] = {}
    for number, (who, text) in enumerate(answers, 1):
        if number > told:
            break
        yield from _full(match, number, who, text, shown)
    else:
        yield from _end(match)
        return
    yield ""
    yield f"only the answers from here on; {_table(match)}"
    yield from _brief(match, told + 1, chain([(who, text)], answers))
    yield from _end(match)


def _full(match: cambist.Match, number: int, who: str, text: str, shown: dict[str, str]) -> Iterator[str]:
    """`shown`: what was told of each zone the last time, and is not told again while it stays so."""
    choice, seat = match.choice, _seat(match, who)
    if choice is None:
        raise cambist.Refused(Refusal("over", "the transcript goes on, but the game is over"))
    secret = ", in secret" if choice.sealed else ""
    why = f" ({choice.why})" if choice.why else ""
    listed = choice.options(seat, limit=1000)
    yield ""
    yield f"{number}. {choice.name}{secret}{why}"
    for name, line in _seen(match, seat):
        if shown.get(name) != line:
            shown[name] = line
            yield _cut(f"  {line}")
    many = "one answer" if len(listed) == 1 else f"{len(listed)}{'' if listed.complete else ' or more'} answers"
    yield f"  {who} has {many}: {_few(match, seat)}"
    yield f"  {who} answers: {text}"
    before = len(match.log_lines())
    match.answer(text, seat)
    yield from _events(match.log_lines()[before + 1 :], "    ")  # the first tells of the answer


def _seat(match: cambist.Match, who: str) -> int:
    if who not in match.seats:
        raise cambist.Refused(Refusal("seat", f"nobody is called {who}"))
    return match.seats.index(who)


def _few(match: cambist.Match, seat: int) -> str:
    choice = match.choice
    assert choice is not None
    shown = choice.options(seat, limit=3)
    return _cut("; ".join(choice.text(answer) for answer in shown) + ("" if shown.complete else "; …"))


def _seen(match: cambist.Match, seat: int) -> Iterator[tuple[str, str]]:
    view = match.view(seat)
    for name, zone in view["zones"].items():
        cards = zone.get("cards")
        if cards is not None and len(cards) <= 20:
            yield name, f"{name}: {', '.join(cards) or 'nothing'}"
    counted = [
        f"{name} {zone['count']}" for name, zone in view["zones"].items() if zone.get("count") and "cards" not in zone
    ]
    if counted:
        yield "face down", f"face down: {', '.join(counted)}"
    if view["accounts"]:
        yield "accounts", ", ".join(f"{name} {value}" for name, value in view["accounts"].items())


def _events(lines: Sequence[str], indent: str) -> Iterator[str]:
    for line in lines[:EVENTS]:
        yield _cut(f"{indent}{line}")
    if len(lines) > EVENTS:
        yield f"{indent}… and {len(lines) - EVENTS} more"


def _brief(match: cambist.Match, first: int, answers: Iterable[tuple[str, str]]) -> Iterator[str]:
    line, start = "", first
    for number, (who, text) in enumerate(answers, first):
        match.answer(text, _seat(match, who))
        part = f"{who}: {text}"
        if line and len(line) + len(part) > WIDTH - 10:
            yield f"{start:4}  {line}"
            line, start = "", number
        line = f"{line}{BETWEEN}{part}" if line else part
        if number % 50 == 0:
            yield f"{start:4}  {line}"
            yield f"      {_table(match)}"
            line, start = "", number + 1
    if line:
        yield f"{start:4}  {line}"


def _table(match: cambist.Match) -> str:
    """Fingerprints: of all there is, and of what each player sees of it."""
    seen = json.dumps([match.view(seat) for seat in range(len(match.seats))], sort_keys=True)
    return f"the table is {match.fingerprint()}, seen as {hashlib.sha256(seen.encode()).hexdigest()[:8]}"


def _end(match: cambist.Match) -> Iterator[str]:
    yield ""
    result = match.result
    if result is None:
        yield "the game is not over"
        return
    yield f"{result.ended_by}, after {len(match.history)} answers; {_table(match)}"
    yield "scores: " + ", ".join(f"{n} {match.score_text(s)}" for n, s in zip(match.seats, result.scores, strict=True))
    yield "winners: " + ", ".join(match.seats[seat] for seat in result.winners)
    for limit in result.limits:
        yield f"limit reached: {limit}"


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 2] + " …"
