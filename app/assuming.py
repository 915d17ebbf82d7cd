"""What hangs on an assumption? Its other values are put into the rules, one at a time, and the games compared.

In: what was gathered of a ruleset. Out: for each assumption its `Alternative`s: the examples that fail with them, and
how many of so many random games go otherwise. Each game is played twice from the same seed, so that only the value
differs. An assumed option is set to its neighbours; what names no other values has no alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from cambist.dsl import api as dsl
from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.diagnostics import RulesError
from cambist.dsl.mutants import numbers_on, with_change
from cambist.dsl.register import Noted, register
from cambist.game import Game
from cambist.interpreter.api import Fault, Machine
from cambist.interpreter.explore import Played, play_random
from cambist.interpreter.rule_tests import run_examples

MachineFor = Callable[[int, Mapping[str, Any]], Machine]


@frozen
class Alternative:
    value: str
    refused: bool = False  # the rules with it do not pass the check
    same_program: bool = False
    breaks: tuple[str, ...] = ()  # titles of examples
    games: int = 0
    changed: int = 0  # games whose scores, winners, length or end are others
    winner: int = 0  # games that somebody else wins
    failed: int = 0  # games that come to no end

    @property
    def says(self) -> str:
        if self.refused:
            return "is refused"
        told = []
        if self.breaks:
            more = f" and {len(self.breaks) - 1} more" if len(self.breaks) > 1 else ""
            told.append(f'breaks example "{self.breaks[0]}"{more}')
        if self.failed:
            told.append(f"makes {_share(self.failed, self.games)} of games fail")
        if self.winner:
            told.append(f"changes the winner in {_share(self.winner, self.games)} of games")
        elif self.changed:
            told.append(f"changes {_share(self.changed, self.games)} of games, but never the winner")
        return ", ".join(told) or "changes nothing"


@frozen
class Assumption:
    noted: Noted[n.Assumed]
    value: str | None  # what stands there; None: no one value
    alternatives: tuple[Alternative, ...]

    @property
    def note(self) -> n.Assumed:
        assert isinstance(self.noted.note, n.Assumed)
        return self.noted.note


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return f"{percent:.0f} %" if percent >= 1 else f"{percent:.1g} %"


class Trial:
    """The rules as they are, and the games they give: played once, compared with many times."""

    def __init__(self, gathered: dsl.Gathered, game: Game, players: int, games: int, seed: int) -> None:
        self.gathered = gathered
        self.game = game
        self.players, self.games, self.seed = players, games, seed
        self.machine = game.machine(players)
        self.played = [play_random(self.machine, seed, number) for number in range(games)]
        self.failing = {o.title for o in run_examples(game.for_example, game.players) if not o.passed}

    def assumptions(self) -> Iterator[Assumption]:
        for noted in register(self.game.ruleset).assumptions:
            note = noted.note
            assert isinstance(note, n.Assumed)
            option = self.game.options.get(noted.rule.removeprefix("option "))
            if note.others:
                found = numbers_on(self.gathered, note.span)
                value = found[0][1].value if found else None
                tried = tuple(self.number(noted, other) for other in note.others)
                yield Assumption(noted, value, tried)
            elif option is not None and noted.rule.startswith("option "):
                yield self.option(noted, option)
            else:
                yield Assumption(noted, None, ())

    def number(self, noted: Noted[n.Assumed], other: str) -> Alternative:
        changed = self.gathered
        for path, node in numbers_on(self.gathered, noted.note.span):
            changed = with_change(changed, path, n.Number(other, node.span))
        ruleset = dsl.check_gathered(changed)
        if ruleset is None:
            return Alternative(other, refused=True)
        game = Game(ruleset, self.game.set_to)
        try:
            settled = game.settle(game.set_to)
            if all(dsl.lower(ruleset, k, settled) == self.game.machine(k).program for k in self.game.players):
                return Alternative(other, same_program=True)
            return self.compared(other, game.for_example)
        except RulesError:
            return Alternative(other, refused=True)

    def option(self, noted: Noted[n.Assumed], option: n.Option) -> Assumption:
        name = option.name.text
        now = settings.from_number(option, dict(self.machine.program.options)[name])
        values = [value for value in settings.allowed(option) if value != now]
        if isinstance(now, int) and not isinstance(now, bool):
            values = [value for value in values if value in (now - 1, now + 1)]
        return Assumption(noted, settings.written(now), tuple(self.with_option(name, value) for value in values))

    def with_option(self, name: str, value: settings.Value) -> Alternative:
        shown = settings.written(value)
        options = {**self.game.set_to, name: shown}
        if not self.game.allows(options):
            return Alternative(shown, refused=True)
        return self.compared(shown, Game(self.game.ruleset, options).for_example)

    def compared(self, value: str, machine_for: MachineFor) -> Alternative:
        outcomes = run_examples(machine_for, self.game.players)
        breaks = tuple(o.title for o in outcomes if not o.passed and o.title not in self.failing)
        machine = machine_for(self.players, {})
        changed = winner = failed = 0
        for number, before in enumerate(self.played):
            after = self.play(machine, number)
            failed += after is None
            if after is not None:
                changed += after != before
                winner += after.winners != before.winners
        return Alternative(value, False, False, breaks, self.games, changed, winner, failed)

    def play(self, machine: Machine, number: int) -> Played | None:
        try:
            return play_random(machine, self.seed, number)
        except Fault:
            return None
