"""`pytest --cambist PATH`: every `.rules` file below PATH is a file of tests, without a line of Python.

In: pytest's own collection. Out: for each file one test that it is checked without an error, one for each example, one
for each invariant (over some random games) and one that those games are sound: money, components, capacities, somebody
can answer, the game ends. The games are played once a file, for the smallest, a middle and the largest number of
players, options as the rules set them. A failure is shown as the message with its place in the rules, not as a
traceback. Without `--cambist` nothing is collected. Nothing else of Cambist imports pytest.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from cambist.dsl.program import At, Property
    from cambist.game import Game
    from cambist.interpreter.api import Fault

GAMES = 3


class Failed(Exception):
    """What is wrong, as it is to be read."""


def at_least_one(text: str) -> int:
    """With no game at all, every invariant would pass."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"a whole number from 1 on, not {text}")
    return int(text)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cambist", "rules of board games")
    group.addoption("--cambist", action="store_true", help="collect .rules files: their examples and invariants")
    group.addoption(
        "--cambist-games",
        type=at_least_one,
        default=GAMES,
        metavar="N",
        help=f"random games a number of players (default {GAMES})",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RulesFile | None:
    if file_path.suffix == ".rules" and parent.config.getoption("--cambist"):
        return RulesFile.from_parent(parent, path=file_path)
    return None


class RulesFile(pytest.File):
    game: Game | None = None
    wrong: str = ""
    _played: tuple[dict[str, Fault], Fault | None] | None = None

    def collect(self) -> Iterator[pytest.Item]:
        from cambist.dsl.api import load
        from cambist.dsl.diagnostics import RulesError
        from cambist.dsl.render import render_all
        from cambist.game import Game

        try:
            self.game = Game(load(str(self.path)))
            program = self.game.machine(self.game.players[0]).program
        except RulesError as error:
            self.wrong = render_all(error.diagnostics)
        yield RulesTest.from_parent(self, name="check", line=1)
        if self.wrong:
            return
        for index, example in enumerate(program.examples):
            line = self.line_of(example.at)
            yield ExampleTest.from_parent(self, name=f"example {example.title}", line=line, index=index)
        for law in program.properties:
            if law.word == "invariant":
                yield InvariantTest.from_parent(self, name=f"invariant {law.name}", line=self.line_of(law.at), law=law)
        yield GamesTest.from_parent(self, name="random games", line=1)

    def line_of(self, at: At) -> int:
        """Where it stands in this file; what is inherited stands at its beginning."""
        assert self.game is not None
        return at.span.line if at.span.file.name == self.game.ruleset.file.name else 1

    def played(self) -> tuple[dict[str, Fault], Fault | None]:
        """The invariants that broke in some random games, by name, and the first other fault."""
        if self._played is None:
            self._played = self._play()
        return self._played

    def _play(self) -> tuple[dict[str, Fault], Fault | None]:
        from cambist.interpreter.api import Fault
        from cambist.interpreter.explore import play_random
        from cambist.interpreter.soundness import Soundness

        assert self.game is not None
        broken: dict[str, Fault] = {}
        counts = self.game.players
        for players in sorted({counts[0], counts[len(counts) // 2], counts[-1]}):
            machine = self.game.machine(players)
            sound = Soundness(machine)
            for number in range(self.config.getoption("--cambist-games")):
                try:
                    play_random(machine, 0, number, True, sound, broken)
                except Fault as fault:
                    return broken, fault
        return broken, None


class RulesTest(pytest.Item):
    """A file of rules is checked without an error; the base of its other tests."""

    parent: RulesFile

    def __init__(self, *, line: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.line = line

    def runtest(self) -> None:
        if self.parent.wrong:
            raise Failed(self.parent.wrong)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name


class ExampleTest(RulesTest):
    def __init__(self, *, index: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.index = index

    def runtest(self) -> None:
        from cambist.dsl.render import printable
        from cambist.interpreter.rule_tests import run_example

        game = self.parent.game
        assert game is not None
        example = game.machine(game.players[0]).program.examples[self.index]
        outcome = run_example(game.machine, self.index, example)
        if not outcome.passed:
            span = outcome.at.span
            shown = f"{span.file.name}:{span.line}: {outcome.reason}\n\n    {span.file.line_text(span.line).strip()}"
            raise Failed(printable_lines(f'example "{example.title}"\n{shown}', printable))


class InvariantTest(RulesTest):
    def __init__(self, *, law: Property, **rest: Any) -> None:
        super().__init__(**rest)
        self.law = law

    def runtest(self) -> None:
        from cambist.dsl.render import render

        broken, _ = self.parent.played()
        if self.law.name in broken:
            raise Failed(render(broken[self.law.name].diagnostic))


class GamesTest(RulesTest):
    def runtest(self) -> None:
        from cambist.dsl.render import render

        _, fault = self.parent.played()
        if fault is not None:
            raise Failed(render(fault.diagnostic))


def printable_lines(text: str, printable: Any) -> str:
    return "\n".join(printable(line) for line in text.splitlines())
