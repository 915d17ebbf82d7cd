"""A state as one player sees it: an allow-list made from what each zone, account and variable declares. One exit.

Nobody sees the random source, the frames' locals or another player's sealed answer. A spectator is a player of no seat.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import events as e
from cambist.interpreter.describe import Words
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import owners_of

SPECTATOR = -1


def sees(family: p.ZoneFamily | p.AccountFamily | p.VarFamily, place: int, player: int, revealed: bool) -> bool:
    """Whether a player sees what is in one cell of a family."""
    if family.seen_by == "all" or revealed:
        return True
    if family.seen_by == "nobody":
        return False
    owners = owners_of(place, family.sizes)
    return any(m.word == "player" and o == player for m, o in zip(family.owners, owners, strict=True))


def view(program: p.Program, words: Words, state: State, player: int) -> dict[str, Any]:
    return {
        "game": program.game,
        "players": list(words.seats),
        "you": words.player(player) if player >= 0 else None,
        "phase": words.phase(state.frames),
        "zones": _zones(program, words, state, player),
        "accounts": _accounts(program, words, state, player),
        "variables": _variables(program, words, state, player),
        "choice": _choice(program, words, state, player),
        "over": state.ended or None,
    }


def _belongings(words: Words, state: State) -> dict[int, str]:
    """Card -> what belongs to the member it stands for: `holder p1, owed 6 red`; what is nothing is left out."""
    pieces: dict[int, list[str]] = {}
    for family in words.told_with_cards:
        each = family.count // family.sizes[0]
        for member, card in enumerate(words.bearers[family.owners[0].name]):
            values = []
            for place in range(member * each, (member + 1) * each):
                index = family.base + place
                if isinstance(family, p.AccountFamily):
                    value = words.account(index, state.accounts[index])
                else:
                    value = words.variable(index, state.vars[index])
                rest = owners_of(place, family.sizes)[1:]
                names = [words.value(m, o) for m, o in zip(family.owners[1:], rest, strict=True)]
                if value not in ("0", "no", "nobody"):
                    values.append(" ".join(([] if value == "yes" else [value]) + names))
            if values:
                pieces.setdefault(card, []).append(f"{family.name} {' and '.join(values)}".strip())
    return {card: ", ".join(told) for card, told in pieces.items()}


def _zones(program: p.Program, words: Words, state: State, player: int) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    belongings = _belongings(words, state)
    tracks = [f for f in program.variables if len(f.owners) == 1 and f.owners[0].word == "card" and f.track >= 0]
    for family in program.zones:
        for place in range(family.count):
            zone = family.base + place
            lying = state.zones[zone]
            visible = sees(family, place, player, family.until_revealed and zone in state.revealed)
            entry: dict[str, Any] = {}
            if visible or not family.count_hidden:
                entry["count"] = len(lying)
            if visible:
                entry["cards"] = [_card(words, state, c, tracks, family.order, belongings) for c in lying]
            shown[words.zone_names[zone]] = entry
    return shown


def _card(
    words: Words, state: State, component: int, tracks: list[p.VarFamily], order: str, belongings: dict[int, str]
) -> str:
    """A card, with the space it stands on where it lies in an order (in a bag its place means nothing), or with what
    belongs to it."""
    text = words.card(component)
    kind = words.program.kinds[words.program.components[component].kind].name
    own = [f for f in tracks if f.owners[0].name in ("", kind)]
    if component in belongings:
        return f"{text} ({belongings[component]})"
    if order == "bag" or not own:
        return text
    spaces = [f"{f.name} {words.variable(f.base + component, state.vars[f.base + component])}" for f in own]
    return f"{text} ({', '.join(spaces)})"


def _accounts(program: p.Program, words: Words, state: State, player: int) -> dict[str, str]:
    shown = {}
    for family in program.accounts:
        for place in range(family.count):
            index = family.base + place
            if sees(family, place, player, False) and not family.unlimited:
                shown[words.account_names[index]] = words.account(index, state.accounts[index])
    return shown


def _variables(program: p.Program, words: Words, state: State, player: int) -> dict[str, str]:
    shown = {}
    for family in program.variables:
        if any(owner.word == "card" for owner in family.owners):
            continue
        for place in range(family.count):
            index = family.base + place
            if sees(family, place, player, False):
                shown[words.variable_names[index]] = words.variable(index, state.vars[index])
    return shown


def _choice(program: p.Program, words: Words, state: State, player: int) -> dict[str, Any] | None:
    pending = state.pending
    if pending is None:
        return None
    plan = program.choices[pending.choice]
    inside = [d for d, a in zip(pending.deciders, pending.answers, strict=True) if a is not None]
    return {
        "name": plan.name,
        "sealed": plan.who_slot >= 0,
        "deciders": [words.player(d) for d in pending.deciders],
        "in": [words.player(d) for d in inside],
        "yours": player in pending.deciders and player not in inside,
        "why": str(plan.at.because),
    }


# ---- the log as one player may read it


def log_lines(program: p.Program, words: Words, log: list[e.Event], player: int | None) -> list[str]:
    """One line an event; `player` None: all is told (for records and tests)."""
    teller = _Teller(program, words, player)
    return [line for event in log if (line := teller.line(event))]


def uncovered(program: p.Program, words: Words, log: list[e.Event], since: int, player: int) -> bool:
    """Whether something hidden came to light for a player after the first `since` events."""
    teller = _Teller(program, words, player)
    for number, event in enumerate(log):
        if number >= since and teller.uncovers(event):
            return True
        teller.line(event)  # keeps in mind what is revealed
    return False


class _Teller:
    def __init__(self, program: p.Program, words: Words, player: int | None) -> None:
        self.program = program
        self.words = words
        self.player = player
        self.revealed: set[int] = set()
        self.families = [(f, place) for f in program.zones for place in range(f.count)]

    def sees_zone(self, zone: int) -> bool:
        if self.player is None:
            return True
        family, place = self.families[zone]
        return sees(family, place, self.player, family.until_revealed and zone in self.revealed)

    def line(self, event: e.Event) -> str:
        words = self.words
        match event:
            case e.Moved():
                return self._moved(event)
            case e.Transferred():
                return self._transferred(event)
            case e.Changed():
                family = next(f for f in self.program.variables if f.base <= event.index < f.base + f.count)
                if self.player is not None and not sees(family, event.index - family.base, self.player, False):
                    return ""
                if any(owner.word == "card" for owner in family.owners):
                    return ""
                return f"{words.variable_names[event.index]} is {words.variable(event.index, event.value)}"
            case e.Shuffled():
                return f"{words.zone_names[event.zone]} is shuffled"
            case e.Drawn():
                if self.player is not None and event.meaning.word == "card":
                    return "chance decides"
                return f"chance draws {', '.join(words.value(event.meaning, v) for v in event.drawn) or 'nothing'}"
            case e.Revealed():
                self.revealed = self.revealed | set(event.zones) if event.shown else self.revealed - set(event.zones)
                names = ", ".join(words.zone_names[z] for z in event.zones)
                return f"{names} {'shown' if event.shown else 'hidden'}"
            case e.Answered():
                return self._answered(event)
            case e.Entered():
                return f"-- {self.program.procedures[event.procedure].name.split('#')[0]}"
            case e.Marked():
                return f"{'limit reached' if event.limit else 'mark'}: {event.name}"
            case e.RolledBack():
                return "taken back"
            case e.Ended():
                return f"the game is over: {event.reason}"

    def uncovers(self, event: e.Event) -> bool:
        """A sealed answer counts, whoever gave it: it is shown together with the others."""
        match event:
            case e.Answered():
                return event.sealed
            case e.Drawn():
                return True
            case e.Revealed():
                return event.shown
            case e.Moved():
                return self.sees_zone(event.to) and not all(self.sees_zone(source) for source in event.sources)
            case _:
                return False

    def counts(self, zone: int) -> bool:
        """Whether this player may know how many lie in a zone."""
        return self.sees_zone(zone) or not self.families[zone][0].count_hidden

    def _moved(self, event: e.Moved) -> str:
        words = self.words
        if not self.counts(event.to) and not any(self.counts(source) for source in event.sources):
            return ""
        shown = self.sees_zone(event.to)
        named = [
            words.card(c) for c, s in zip(event.components, event.sources, strict=True) if shown or self.sees_zone(s)
        ]
        hidden = len(event.components) - len(named)
        times = Counter(named)
        named = [name if count == 1 else f"{count} x {name}" for name, count in times.items()]
        sources = list(dict.fromkeys(words.zone_names[s] for s in event.sources))
        if len(named) > 12:
            named, hidden = [], len(event.components)
        what = ", ".join([*named, *([f"{hidden} card{'s' if hidden > 1 else ''}"] if hidden else [])])
        origin = sources[0] if len(sources) == 1 else "everywhere"
        return f"{origin} -> {words.zone_names[event.to]}: {what}"

    def _transferred(self, event: e.Transferred) -> str:
        if self.player is not None:
            for index in (event.source, event.to):
                family = next(f for f in self.program.accounts if f.base <= index < f.base + f.count)
                if not family.unlimited and not sees(family, index - family.base, self.player, False):
                    return ""
        words = self.words
        names = words.account_names
        return f"{names[event.source]} -> {names[event.to]}: {words.account(event.source, event.amount)}"

    def _answered(self, event: e.Answered) -> str:
        words = self.words
        who = words.player(event.player)
        how = " (the only answer)" if event.forced else ""
        own = self.player is None or self.player == event.player
        if event.sealed and not own:
            return f"{who} is in"
        if own:
            return f"{who} chooses {words.answer_told(event.choice, event.answer)}{how}"
        branch = self.program.choices[event.choice].branches[event.answer[0]]
        if all(self.sees_zone(zone) for zone in event.lay_in):
            return f"{who} chooses {words.answer_told(event.choice, event.answer)}"
        return f"{who} chooses {branch.label or '…'}"
