"""A moment of a game and the answer that follows -> an `example` that people can paste into the rules.

In: a match before the answer, the answer, a title. Out: the text, or nothing where the language cannot say it: a state
is told by its zones, accounts and variables and by the phase with its arguments; what else a phase has worked out so
far is left to the phase. The answer is given if it is legal: rules that are mended may well refuse it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.api import Match
from cambist.interpreter.choices import Answer
from cambist.interpreter.events import Drawn, Shuffled
from cambist.interpreter.faults import Fault

WIDTH, LONGEST = 116, 60
EXPLAINED = "and all laws hold, which every example tests"


def as_example(match: Match, seat: int, answer: Answer, title: str) -> str:
    """The text of an example, or nothing."""
    choice = match.choice
    phase = _phase(match)
    if choice is None or not phase:
        return ""
    facts = [f"players {', '.join(match.seats)}", *_options(match), *_zones(match)]
    facts += [*_accounts(match), *_variables(match)]
    lines = [f'example "{title}"']
    line = f"  given {facts[0]}"
    for fact in [*facts[1:], phase]:
        if len(line) + len(fact) + 2 > WIDTH:
            lines.append(line)
            line = f"  given {fact}"
        else:
            line += f"; {fact}"
    lines += [line, f"  when {match.seats[seat]} may choose {choice.text(answer)}"]
    lines += [f"  then size of players = {len(match.seats)}  # {EXPLAINED}", ""]
    return "\n".join(lines)


def whole_game(match: Match, title: str) -> str:
    """The game from its beginning; nothing if chance has a hand in it, for then it would be another game."""
    chance = any(isinstance(event, (Drawn, Shuffled)) for event in match.log)
    if chance or len(match.history) > LONGEST:
        return ""
    again = Match.start(match.machine, match.seed, match.seats)
    acts = []
    for seat, answer in match.history:
        choice = again.choice
        if choice is None:
            return ""
        acts.append(f"{again.seats[seat]} may choose {choice.text(answer)}")
        try:
            again.advance(seat, answer)
        except Fault:
            break
    facts = "; ".join([f"players {', '.join(match.seats)}", *_options(match), "phase is play"])
    lines = [f'example "{title}"', f"  given {facts}", *(f"  when {act}" for act in acts)]
    return "\n".join([*lines, f"  then size of players = {len(match.seats)}  # {EXPLAINED}", ""])


def _phase(match: Match) -> str:
    """The innermost phase with its arguments; without arguments that can be written, nothing."""
    number, _, local, _ = match.state.frames[-1]
    procedure = match.program.procedures[number]
    if procedure.word not in ("phase", "procedure") or "#" in procedure.name:
        return ""
    words = []
    for meaning, value in zip(procedure.meanings, local, strict=False):
        if meaning.word not in ("player", "enum", "number") or isinstance(value, (list, tuple)):
            return ""
        words.append(match.words.value(meaning, value))
    return f"phase is {procedure.name}" + (f"({', '.join(words)})" if words else "")


def _options(match: Match) -> list[str]:
    """As they are written: names by their names, flags as `yes` and `no`."""
    words = dict(match.program.enums)
    shown = {name: words[name][value] if name in words else str(value) for name, value in match.program.options}
    flags = {name: "yes" if value else "no" for name, value in match.program.options if name in match.program.flags}
    return [f"option {name} = {value}" for name, value in (shown | flags).items()]


def _zones(match: Match) -> list[str]:
    found = []
    for family in match.program.zones:
        for zone in range(family.base, family.base + family.count):
            lying = match.state.zones[zone]
            cards = [_card(match, component) for component in lying]
            if family.order == "bag" or len(set(cards)) <= 1:
                counted = [f"{count} {card}" if count > 1 else card for card, count in Counter(cards).items()]
                found.append(f"{match.words.zone_names[zone]} holds {', '.join(counted) or 'nothing'}")
            else:
                found.append(f"{match.words.zone_names[zone]} holds {', '.join(cards)}, in order")
    return found


def _card(match: Match, component: int) -> str:
    """A card as examples write it: several things in a field stand in brackets."""
    one = match.program.components[component]
    kind = match.program.kinds[one.kind]
    words = [kind.name]
    for (_, _, meaning), value in zip(kind.attrs, one.fields, strict=True):
        if isinstance(value, tuple):
            inner = meaning.inner or meaning
            words.append(f"[{', '.join(match.words.value(inner, v) for v in value)}]")
        else:
            words.append(match.words.value(meaning, value))
    return " ".join(words)


def _accounts(match: Match) -> list[str]:
    return [
        f"{match.words.account_names[index]} = {match.words.account(index, match.state.accounts[index]).split()[0]}"
        for family in match.program.accounts
        if not family.unlimited
        for index in range(family.base, family.base + family.count)
    ]


def _variables(match: Match) -> list[str]:
    found = []
    for family in match.program.variables:
        if any(owner.word == "card" for owner in family.owners) or not _plain(family):
            continue
        for index in range(family.base, family.base + family.count):
            value: Any = match.state.vars[index]
            found.append(f"{match.words.variable_names[index]} = {match.words.variable(index, value)}")
    return found


def _plain(family: p.VarFamily) -> bool:
    return family.track >= 0 or family.meaning.word in ("number", "flag", "player", "enum", "money")
