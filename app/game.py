"""A loaded game: a checked ruleset and its programs for each number of players and options, made on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cambist.dsl import api as dsl
from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.settings import Value
from cambist.interpreter.api import Machine, Match, SaveError
from cambist.interpreter.compiled import ENGINES, REFERENCE, machine_of
from cambist.schema_check import problems

WHOLE = re.compile(r"-?[0-9]{1,18}")
FLAGS = {"yes": True, "no": False}


class OptionError(ValueError):
    """A number of players or a setting of the options that the ruleset does not have, and what to do about it."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


def load(name_or_path: str, options: Mapping[str, Any] | None = None) -> Game:
    """A shipped game by its name, or a .rules file by its path; with options, set to these unless a match is started
    with others. Raises RulesError with all that is wrong, OptionError if it cannot be set so."""
    return Game(dsl.load(name_or_path), options)


def loads(text: str, name: str = "<text>") -> Game:
    """A ruleset from a string."""
    return Game(dsl.load_text(text, name))


def shipped() -> list[str]:
    """The names of the games that come with Cambist."""
    return list(dsl.shipped())


class Game:
    """With `set_to`, these options are set whenever nobody sets them otherwise."""

    def __init__(self, ruleset: CheckedRuleset, set_to: Mapping[str, Any] | None = None) -> None:
        self.ruleset = ruleset
        self.set_to = dict(set_to or {})
        self.settle(self.set_to)  # a wrong one is told here
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
        return self._machine(players, {**self.set_to, **(options or {})}, engine)

    def for_example(self, players: int, options: Mapping[str, Any]) -> Machine:
        """What an example sets goes before; where the two do not go together, it alone counts."""
        both = {**self.set_to, **options}
        return self._machine(players, both if self.allows(both) else options, REFERENCE)

    def _machine(self, players: int, options: Mapping[str, Any], engine: str) -> Machine:
        if engine not in ENGINES:
            raise OptionError(f"there is no engine `{engine}`; the engines: {', '.join(ENGINES)}")
        if players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise OptionError(f"{self.name} is for {low} to {high} players, not {players}")
        settled = tuple(sorted(self.settle(options).items()))
        key = (players, settled, engine)
        if key not in self._machines:
            self._machines[key] = machine_of(dsl.lower(self.ruleset, players, dict(settled)), engine)
        return self._machines[key]

    def settle(self, options: Mapping[str, Any]) -> dict[str, int]:
        """Option values as the program knows them. Wrong ones are named with what is allowed, those that do not go
        together with the condition they break."""
        found: dict[str, Value] = {}
        for name, value in options.items():
            option = self.options.get(name)
            if option is None:
                known = ", ".join(self.options) or "none"
                hint = did_you_mean(name, self.options)
                raise OptionError(f"{self.name} has no option `{name}`; its options: {known}", hint)
            found[name] = self._option(name, option, value)
        whole = settings.defaults(self.options) | found
        for broken in settings.broken(self.options, whole):
            raise OptionError(broken.told(found), settings.way_out(self.options, whole, broken, found) or broken.remedy)
        return {name: settings.number(self.options[name], value) for name, value in found.items()}

    @property
    def set_options(self) -> dict[str, Value]:
        """What it is set to, as people write it."""
        return {name: self._option(name, self.options[name], value) for name, value in self.set_to.items()}

    def allows(self, options: Mapping[str, Any]) -> bool:
        """Whether it can be set so."""
        try:
            self.settle(options)
        except OptionError:
            return False
        return True

    def _option(self, name: str, option: n.Option, value: Any) -> Value:
        """A setting as people write it, from text or from what a save holds."""
        text, ends = str(value), settings.bounds(option)
        if ends is not None:
            if WHOLE.fullmatch(text) and ends[0] <= int(text) <= ends[1]:
                return int(text)
            raise OptionError(f"the option `{name}` is a number from {ends[0]} to {ends[1]}, not `{value}`")
        names = [v.text for v in option.values]
        if not names:
            if text in FLAGS:
                return FLAGS[text]
            if isinstance(value, int) and value in (0, 1):
                return bool(value)
            raise OptionError(f"the option `{name}` is yes or no, not `{value}`")
        if value in names:
            return text
        if isinstance(value, int) and 0 <= value < len(names):
            return names[value]
        hint = did_you_mean(text, names)
        raise OptionError(f"the option `{name}` is one of {', '.join(names)}, not `{value}`", hint)

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
