"""Integers -> the words of the game: players, cards, zones, answers. Names come from the program's tables alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.choices import Answer
from cambist.interpreter.steps.linking import owners_of
from cambist.interpreter.values import in_units


class Words:
    """How one program's things are written, with the names of the seats."""

    def __init__(self, program: p.Program, seats: Sequence[str]) -> None:
        self.program = program
        self.seats = list(seats)
        self.enums = dict(program.enums)
        self.scales = {family.unit: family.scale for family in program.accounts}
        self._cards: dict[int, str] = {}
        self.zone_names = [name for family in program.zones for name in self._cells(family)]
        self.account_names = [name for family in program.accounts for name in self._cells(family)]
        self.variable_names = [name for family in program.variables for name in self._cells(family)]

    def _cells(self, family: p.ZoneFamily | p.AccountFamily | p.VarFamily) -> list[str]:
        """`stock`, `p1.hand`, `p1.purse(red)`, `rate(red, blue)`."""
        if not family.owners:
            return [family.name]
        names = []
        for place in range(family.count):
            owners = owners_of(place, family.sizes)
            words = [
                f"#{v}" if m.word == "card" else self.value(m, v) for m, v in zip(family.owners, owners, strict=True)
            ]
            if len(words) > 1 and family.owners[0].word != "player":
                names.append(f"{family.name}({', '.join(words)})")
            else:
                more = f"({', '.join(words[1:])})" if len(words) > 1 else ""
                names.append(f"{words[0]}.{family.name}{more}")
        return names

    @cached_property
    def bearers(self) -> dict[str, list[int]]:
        """Enums of which every member is printed on exactly one card: member by member, that card."""
        program = self.program
        found: dict[str, list[int]] = {}
        for enum, members in program.enums:
            cards: list[list[int]] = [[] for _ in members]
            for number, one in enumerate(program.components):
                for (_, _, meaning), value in zip(program.kinds[one.kind].attrs, one.fields, strict=True):
                    if meaning.word == "enum" and meaning.name == enum and isinstance(value, int):
                        cards[value].append(number)
            if members and all(len(bearing) == 1 for bearing in cards):
                found[enum] = [bearing[0] for bearing in cards]
        return found

    @cached_property
    def told_with_cards(self) -> list[p.AccountFamily | p.VarFamily]:
        """What belongs to the members of such an enum, if all may see it: it is told with the card."""
        families: list[p.AccountFamily | p.VarFamily] = [*self.program.variables, *self.program.accounts]
        owned = [f for f in families if f.owners and f.owners[0].word == "enum" and f.seen_by == "all"]
        return [f for f in owned if f.owners[0].name in self.bearers]

    def player(self, seat: int) -> str:
        return self.seats[seat] if 0 <= seat < len(self.seats) else "nobody"

    def card(self, component: int) -> str:
        if component not in self._cards:
            one = self.program.components[component]
            kind = self.program.kinds[one.kind]
            words = [self._field(meaning, v) for (_, _, meaning), v in zip(kind.attrs, one.fields, strict=True)]
            self._cards[component] = " ".join([kind.name, *words])
        return self._cards[component]

    def card_by(self, component: int, places: Sequence[int]) -> str:
        """A card by some of its fields."""
        one = self.program.components[component]
        kind = self.program.kinds[one.kind]
        return " ".join([kind.name, *(self._field(kind.attrs[place][2], one.fields[place]) for place in places)])

    def _field(self, meaning: p.Meaning, value: Any) -> str:
        """What is printed on a card; several things in one field as one word, `red-blue`."""
        if not isinstance(value, tuple):
            return self.value(meaning, value)
        return "-".join(self.value(meaning.inner or meaning, v) for v in value) or "none"

    def value(self, meaning: p.Meaning, value: Any) -> str:
        if isinstance(value, (list, tuple)):
            inner = meaning.inner or meaning
            return "(" + ", ".join(self.value(inner, v) for v in value) + ")"
        if value == p.NOBODY:
            return "nobody"
        match meaning.word:
            case "player":
                return self.player(value)
            case "card":
                return self.card(value)
            case "enum":
                return self.enums[meaning.name][int(value)]
            case "zone":
                return self.zone_names[int(value)]
            case "flag":
                return "yes" if value else "no"
            case "amount":
                return in_units(value, self.scales.get(meaning.name, 1))
            case "text":
                text: str = self.program.texts[value]
                return text
            case _:
                return str(value)

    def told(self, meaning: p.Meaning, value: Any) -> str:
        """A value for the eyes: several cards one after the other, several of anything else as on a card."""
        if not isinstance(value, (list, tuple)):
            return self.value(meaning, value)
        inner = p.Meaning("card") if meaning.word == "zone" else meaning.inner or meaning
        if inner.word in ("card", "list"):
            return ", ".join(self.value(inner, v) for v in value) or "none"
        return self._field(meaning, tuple(value))

    def variable(self, index: int, value: Any) -> str:
        """The value of a variable, or the space a track's marker stands on."""
        family = next(f for f in self.program.variables if f.base <= index < f.base + f.count)
        if family.track >= 0:
            value = self.program.tables[family.track][value]
        return self.value(family.meaning, value)

    def account(self, index: int, value: int) -> str:
        family = next(f for f in self.program.accounts if f.base <= index < f.base + f.count)
        return in_units(value, family.scale)

    def pick(self, pick: p.Pick, value: Any, alone: bool) -> str:
        if pick.shape == "in":
            return self.value(pick.meaning, value)
        if pick.shape == "arrangement":
            text = ", ".join("(" + ", ".join(self.value(pick.meaning, v) for v in pile) + ")" for pile in value)
        else:
            text = ", ".join(self.value(pick.meaning, v) for v in value)
        if not value:
            return "nothing"
        return text if alone else f"({text})"

    def answer(self, choice: int, answer: Answer) -> str:
        """`take right`, `chip red 5, chip blue 2`, `nothing`: what `read_answer` understands."""
        branch = self.program.choices[choice].branches[answer[0]]
        alone = len(branch.picks) == 1
        words = [self.pick(pick, value, alone) for pick, value in zip(branch.picks, answer[1:], strict=True)]
        return " ".join(filter(None, [branch.label, ", ".join(words)]))

    def answer_told(self, choice: int, answer: Answer) -> str:
        """The same to be read by others: several values without a word before them are told with their names."""
        branch = self.program.choices[choice].branches[answer[0]]
        if branch.label or len(branch.picks) < 2:
            return self.answer(choice, answer)
        pairs = zip(branch.picks, answer[1:], strict=True)
        return ", ".join(f"{pick.name} {self.pick(pick, value, False)}" for pick, value in pairs)

    def phase(self, frames: Sequence[Sequence[Any]]) -> str:
        """The innermost phase that is running."""
        for frame in reversed(frames):
            procedure = self.program.procedures[int(frame[0])]
            if procedure.word in ("phase", "setup", "play"):
                return procedure.name.split("#")[0]
        return ""
