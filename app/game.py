"""A loaded game: a checked ruleset and its programs for each number of players and options, made on demand."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from attrs import frozen

from cambist.dsl import api as dsl
from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.diagnostics import Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.program import Program
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.settings import Value
from cambist.interpreter.api import Machine, Match, SaveError
from cambist.interpreter.compiled import ENGINES, REFERENCE, CompiledMachine, machine_of
from cambist.interpreter.saves import FORM, is_newer
from cambist.schema_check import problems

if TYPE_CHECKING:
    from cambist.rules_cache import Known

WHOLE = re.compile(r"-?[0-9]{1,18}")
MOST_READ = 12  # rulesets that are kept in memory
FLAGS = {"yes": True, "no": False}
SEEDS = 1 << 64  # as many as there are; others would begin games that these begin


class OptionError(ValueError):
    """A number of players or a setting of the options that the ruleset does not have, and what to do about it."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


def load(name_or_path: str | PathLike[str], options: Mapping[str, Any] | None = None) -> Game:
    """A shipped game by its name, or a .rules file by its path; with options, set to these unless a match is started
    with others. Raises RulesError with all that is wrong, OptionError if it cannot be set so."""
    from cambist import rules_cache

    if not isinstance(name_or_path, str | PathLike):
        raise TypeError(f"a game is a name or the path of a .rules file, not {name_or_path!r}")
    name_or_path = fspath(name_or_path)
    path = dsl.find(name_or_path, Report())
    if path is None or not dsl.as_on_disk():
        return Game(dsl.load(name_or_path), options)
    path, shown = path.resolve(), dsl.shown(path)
    known = rules_cache.find(path, shown)
    if known is not None:
        return Game(None, options, Kept(name_or_path, path, shown, known))
    with dsl.files_read() as files, _kept_anyway():
        ruleset = dsl.load(name_or_path)
    title, players = ruleset.game.title, ruleset.players
    known = rules_cache.keep(path, shown, files, ruleset.game.name.text, title, players)
    kept = None if known is None else Kept(name_or_path, path, shown, known)
    if kept is not None:
        _remember(kept, ruleset)
    return Game(ruleset, options, kept)


@contextmanager
def _kept_anyway() -> Iterator[None]:
    """What is made of rules stays: looking through all of it for what could be thrown away is wasted time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def loads(text: str, name: str = "<text>") -> Game:
    """A ruleset from a string."""
    return Game(dsl.load_text(text, name))


def shipped() -> list[str]:
    """The names of the games that come with Cambist."""
    return list(dsl.shipped())


@frozen
class Kept:
    """Rules that were checked before and have not changed since: where they are, and what is known of them."""

    name: str  # or path, as it was asked for
    path: Path
    shown: str
    known: Known


_READ: dict[Kept, CheckedRuleset] = {}  # the last that this process has read: they are never changed


def _remember(kept: Kept, ruleset: CheckedRuleset) -> None:
    _READ[kept] = ruleset
    while len(_READ) > MOST_READ:
        del _READ[next(iter(_READ))]


class Game:
    """With `set_to`, these options are set whenever nobody sets them otherwise. `kept`: what is known of rules that are
    on disk; then they are read only when somebody needs more than that."""

    def __init__(
        self, ruleset: CheckedRuleset | None, set_to: Mapping[str, Any] | None = None, kept: Kept | None = None
    ) -> None:
        self._ruleset = ruleset
        self._kept = kept
        self.set_to = dict(set_to or {})
        if self.set_to:
            self.settle(self.set_to)  # a wrong one is told here
        self._machines: dict[tuple[int, tuple[tuple[str, int], ...], str], Machine] = {}

    @property
    def ruleset(self) -> CheckedRuleset:
        if self._ruleset is None:
            assert self._kept is not None
            if self._kept not in _READ:
                with _kept_anyway():
                    _remember(self._kept, dsl.load(self._kept.name))
            self._ruleset = _READ[self._kept]
        return self._ruleset

    @property
    def name(self) -> str:
        return self._kept.known.name if self._kept is not None else self.ruleset.game.name.text

    @property
    def title(self) -> str:
        return self._kept.known.title if self._kept is not None else self.ruleset.game.title

    @property
    def players(self) -> range:
        if self._kept is None:
            return self.ruleset.players
        low, high = self._kept.known.players
        return range(low, high + 1)

    @property
    def options(self) -> dict[str, n.Option]:
        return self.ruleset.options

    def machine(self, players: int, options: Mapping[str, Any] | None = None, engine: str = REFERENCE) -> Machine:
        """What plays it: `reference` is the judge, whose program has the examples, too; `compiled` plays the same games
        faster."""
        return self._machine(players, {**self.set_to, **(options or {})}, engine)

    def for_example(self, players: int, options: Mapping[str, Any]) -> Machine:
        """What an example sets goes before; where the two do not go together, it alone counts."""
        both = {**self.set_to, **options}
        return self._machine(players, both if self.allows(both) else options, REFERENCE)

    def _machine(self, players: int, options: Mapping[str, Any], engine: str) -> Machine:
        if engine not in ENGINES:
            raise OptionError(f"there is no engine `{engine}`; the engines: {', '.join(ENGINES)}")
        if isinstance(players, bool) or not isinstance(players, SupportsIndex):
            raise OptionError(f"players is a whole number, such as {self.players[0]}, not {players!r}")
        if players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise OptionError(f"{self.name} is for {low} to {high} players, not {players}")
        settled = tuple(sorted(self.settle(options).items()))
        key = (players, settled, engine)
        if key not in self._machines:
            with _kept_anyway():
                self._machines[key] = self._made(players, settled, engine)
        return self._machines[key]

    def _made(self, players: int, settled: tuple[tuple[str, int], ...], engine: str) -> Machine:
        if engine == REFERENCE or self._kept is None:
            return machine_of(self._lowered(players, settled, engine == REFERENCE), engine)
        from cambist import rules_cache

        known, shown = self._kept.known, self._kept.shown
        found = rules_cache.machine(known, shown, players, settled, lambda: self._lowered(players, settled, False))
        if found is None:
            found = CompiledMachine(self._lowered(players, settled, False))
            rules_cache.keep_machine(known, shown, settled, found)
        return found

    def _lowered(self, players: int, settled: tuple[tuple[str, int], ...], examples: bool) -> Program:
        """Examples are for the reference to run: the compiled engine is the same without them."""
        return dsl.lower(self.ruleset, players, dict(settled), examples)

    def settle(self, options: Mapping[str, Any]) -> dict[str, int]:
        """Option values as the program knows them. Wrong ones are named with what is allowed, those that do not go
        together with the condition they break."""
        if not options:
            return {}  # as they are if nobody sets them, they go together: the check has seen to it
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
        if type(seed) is not int or not 0 <= seed < SEEDS:
            raise OptionError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
        return Match.start(self.machine(count, options, engine), seed, seats)

    def restore(self, data: Any, engine: str = REFERENCE) -> Match:
        """A match from what `match.save()` gave. Raises SaveError with the reason."""
        if isinstance(data, dict) and is_newer(data.get("save"), FORM):
            raise SaveError("this save was written by a newer Cambist", "use that version, or one that is newer still")
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
