"""A loaded game: a checked ruleset and its programs for each number of players and options, made on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from cambist.dsl import api as dsl
from cambist.dsl import nodes as n
from cambist.dsl.ruleset import CheckedRuleset
from cambist.interpreter.api import Machine, Match, SaveError
from cambist.interpreter.compiled import ENGINES, REFERENCE, machine_of
from cambist.schema_check import problems

WHOLE = re.compile(r"-?[0-9]{1,18}")


class OptionError(ValueError):
    """A number of players or an option that the ruleset does not have."""


def load(name_or_path: str) -> Game:
    """A shipped game by its name, or a .rules file by its path. Raises RulesError with all that is wrong."""
    return Game(dsl.load(name_or_path))


def loads(text: str, name: str = "<text>") -> Game:
    """A ruleset from a string."""
    return Game(dsl.load_text(text, name))


def shipped() -> list[str]:
    """The names of the games that come with Cambist."""
    return list(dsl.shipped())


class Game:
    def __init__(self, ruleset: CheckedRuleset) -> None:
        self.ruleset = ruleset
        self._machines: dict[tuple[int, tuple[tuple[str, int], ...], str], Machine] = {}

    @property
    def name(self) -> str:
        return self.ruleset.game.name.text

    @property
    def title(self) -> str:
        return self.ruleset.game.title

    @property
    def players(self) -> range:
        return self.ruleset.players

    @property
    def options(self) -> dict[str, n.Option]:
        return self.ruleset.options

    def machine(self, players: int, options: Mapping[str, Any] | None = None, engine: str = REFERENCE) -> Machine:
        """What plays it: `reference` is the judge, `compiled` plays the same games faster."""
        if engine not in ENGINES:
            raise OptionError(f"there is no engine `{engine}`; the engines: {', '.join(ENGINES)}")
        if players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise OptionError(f"{self.name} is for {low} to {high} players, not {players}")
        settled = tuple(sorted(self.settle(options or {}).items()))
        key = (players, settled, engine)
        if key not in self._machines:
            self._machines[key] = machine_of(dsl.lower(self.ruleset, players, dict(settled)), engine)
        return self._machines[key]

    def settle(self, options: Mapping[str, Any]) -> dict[str, int]:
        """Option values as numbers; wrong ones are named with what is allowed."""
        settled = {}
        for name, value in options.items():
            option = self.options.get(name)
            if option is None:
                known = ", ".join(self.options) or "none"
                raise OptionError(f"{self.name} has no option `{name}`; its options: {known}")
            settled[name] = self._option(name, option, value)
        return settled

    def _option(self, name: str, option: n.Option, value: Any) -> int:
        if option.low is not None and option.high is not None:
            low, high = int(Fraction(option.low.value)), int(Fraction(option.high.value))
            text = str(value)
            if WHOLE.fullmatch(text) and low <= int(text) <= high:
                return int(text)
            raise OptionError(f"the option `{name}` is a number from {low} to {high}, not `{value}`")
        names = [v.text for v in option.values]
        if value in names:
            return names.index(value)
        if isinstance(value, int) and 0 <= value < len(names):
            return value
        raise OptionError(f"the option `{name}` is one of {', '.join(names)}, not `{value}`")

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        seats: Sequence[str] | None = None,
        engine: str = REFERENCE,
    ) -> Match:
        count = players if players is not None else len(seats) if seats else self.players[0]
        if seats is not None and (len(seats) != count or len(set(seats)) != count or not all(seats)):
            raise OptionError(
                f"{count} players need {count} different names, not {', '.join(map(repr, seats)) or 'none'}"
            )
        if type(seed) is not int:
            raise OptionError(f"a seed is a whole number, not {seed!r}")
        return Match.start(self.machine(count, options, engine), seed, seats)

    def restore(self, data: Any, engine: str = REFERENCE) -> Match:
        """A match from what `match.save()` gave. Raises SaveError with the reason."""
        wrong = problems("save", data)
        if wrong:
            raise SaveError(f"this is not a save: {wrong[0]}", "use a file that `save` has written")
        if data["game"] != self.name:
            raise SaveError(f"this is a save of `{data['game']}`, not of `{self.name}`", f"load `{data['game']}`")
        if len(data["seats"]) != data["players"]:
            raise SaveError(
                f"the save is damaged: {data['players']} players on {len(data['seats'])} seats", "use an older save"
            )
        try:
            machine = self.machine(data["players"], data["options"], engine)
        except OptionError as error:
            raise SaveError(str(error), "use the rules it was saved with") from None
        return Match.restored(machine, data)
