"""`cambist.testing`: strategies and the state machine, on a small game and on one that is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis.stateful import rule, run_state_machine_as_test

import cambist
from cambist.interpreter.state import State
from cambist.testing import GameMachine, machine_of, strategies
from tests.cli.running import TENDER, tender

GAME = cambist.loads(TENDER)
TENDERS = strategies(GAME)
QUICK = settings(
    max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
)


@QUICK
@given(TENDERS.games(finished=True))
def test_finished_games(match: cambist.Match) -> None:
    assert match.over and match.result is not None and match.result.winners


@QUICK
@given(TENDERS.games(players=3, most=4))
def test_games_that_go_on(match: cambist.Match) -> None:
    assert match.program.players == 3 and len(match.history) <= 4
    again = GAME.restore(match.save())
    assert again.fingerprint() == match.fingerprint()


@QUICK
@given(TENDERS.states())
def test_states(state: State) -> None:
    assert sum(len(zone) for zone in state.zones) == 18


def test_games_shrink() -> None:
    """The smallest match in which somebody has money: two players, and no answer more than it takes."""
    rich = find(
        TENDERS.games(), lambda m: any(amount > 8 for amount in m.state.accounts[1:]),
        settings=settings(max_examples=2000, database=None, derandomize=True, suppress_health_check=list(HealthCheck)),
    )  # fmt: skip
    assert rich.program.players == 2 and len(rich.history) <= 4


def test_answers_are_legal_and_an_ended_game_has_none() -> None:
    match = GAME.start(2, 1)
    seen = set()
    for _ in range(50):
        if match.over:
            break
        answer = find(TENDERS.answers(match), lambda _: True)
        assert match.choice is not None and match.choice.refusal(answer) is None
        seen.add(match.choice.name)
        match.answer(answer)
    assert match.over and len(seen) > 1
    with pytest.raises(ValueError, match="the game is over"):
        TENDERS.answers(match)


def test_a_wrong_option_is_told_at_once() -> None:
    with pytest.raises(cambist.OptionError, match="rounds"):
        strategies(GAME, {"rounds": 99})
    with pytest.raises(cambist.OptionError, match="no option `colour`"):
        machine_of(GAME, colour=3)


def test_a_sound_game_passes() -> None:
    run_state_machine_as_test(machine_of(GAME, rounds=1), settings=QUICK)


def test_a_machine_can_be_subclassed() -> None:
    seen: list[int] = []

    class Counting(GameMachine):
        game = GAME
        players = 2

        @rule()
        def look(self) -> None:
            seen.append(len(self.match.history))

    run_state_machine_as_test(Counting, settings=QUICK)
    assert seen and max(seen) > 1


def test_a_broken_law_is_found_and_shrunk(tmp_path: Path) -> None:
    path = tender(tmp_path)
    with Path(path).open("a") as file:
        file.write('invariant poor after sell(p): p.purse <= before(p.purse) + 1   cites R"Sale"\n')
    with pytest.raises(cambist.Fault) as caught:
        run_state_machine_as_test(
            machine_of(path), settings=settings(QUICK, max_examples=500, print_blob=False, stateful_step_count=12)
        )
    assert "the invariant `poor` does not hold after `sell`" in str(caught.value)
    told = "\n".join(caught.value.__notes__)
    assert "chooses sell 3" in told and told.count("state.answer(") == 3  # two bids and the sale


def test_without_hypothesis_the_remedy_is_named() -> None:
    code = "import sys; sys.modules['hypothesis'] = None\nimport cambist.testing"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "cambist.testing needs Hypothesis: install `cambist[testing]`" in ran.stderr
