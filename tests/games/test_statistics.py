"""The rules of a game and a version of it written by hand in Python give the same games, on average.

Both are played by the same kind of player: at every step each possibility is equally likely. Over a few hundred games
for each number of players the mean score and the mean number of decisions agree within 2.5 standard errors. All seeds
are fixed, so the outcome is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt

import pytest

import cambist
from cambist.interpreter.explore import Played, play_random
from tests.games import dividends_by_hand, for_ex_by_hand
from tests.games.hand_written import EVERY, hand_written

GAMES = 400
MANY = 2000  # of a short game
GAMES_OF = {"buy_low_sell_high": MANY, "money": GAMES}  # by the rules, and as many by hand
MOST_TURNS = 3600  # players times games of a long game
MOST_STANDARD_ERRORS = 2.5


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))


def _agree(what: str, one: Sequence[float], other: Sequence[float]) -> None:
    (mean, error), (other_mean, other_error) = _mean_and_error(one), _mean_and_error(other)
    apart = abs(mean - other_mean) / sqrt(error**2 + other_error**2)
    assert apart < MOST_STANDARD_ERRORS, f"{what}: {mean:.2f} and {other_mean:.2f}, {apart:.1f} standard errors apart"


@pytest.fixture(scope="module")
def by_rules() -> Callable[[str, int], list[Played]]:
    """Games by the rules, played once for all hand-written Python."""

    @cache
    def played(game: str, players: int) -> list[Played]:
        machine = cambist.load(game).machine(players, engine="compiled")
        return [play_random(machine, 2024, number) for number in range(GAMES_OF[game])]

    return played


@pytest.mark.parametrize(
    ("game", "file", "players"),
    [(game, file, players) for game, file in EVERY for players in cambist.load(game).players],
)
def test_same_averages_as_the_hand_written_game(
    game: str, file: str, players: int, by_rules: Callable[[str, int], list[Played]]
) -> None:
    by_hand = [hand_written(file).random_game(players, seed) for seed in range(GAMES_OF[game])]
    ours = by_rules(game, players)
    _agree("score", [sum(r.scores) / players for r in by_hand], [sum(r.scores) / players for r in ours])
    _agree("best score", [max(r.scores) for r in by_hand], [max(r.scores) for r in ours])
    _agree("decisions", [r.decisions for r in by_hand], [r.decisions for r in ours])


@pytest.mark.parametrize("players", [2, 3, 4, 8, 12])
def test_dividends_has_the_averages_of_its_hand_written_version(players: int) -> None:
    games = MOST_TURNS // players  # the more play, the longer a game
    by_hand = [dividends_by_hand.random_game(players, seed) for seed in range(games)]
    machine = cambist.load("dividends").machine(players, engine="compiled")
    by_rules = [play_random(machine, 2024, number) for number in range(games)]
    _agree("score", [sum(r.scores) / players for r in by_hand], [sum(r.scores) / players for r in by_rules])
    _agree("best score", [max(r.scores) for r in by_hand], [max(r.scores) for r in by_rules])
    _agree("decisions", [r.decisions for r in by_hand], [r.decisions for r in by_rules])


@pytest.mark.parametrize("players", cambist.load("for_ex").players)
def test_same_averages_as_for_ex_by_hand(players: int) -> None:
    by_hand = [for_ex_by_hand.random_game(players, seed) for seed in range(GAMES)]
    machine = cambist.load("for_ex").machine(players, engine="compiled")
    by_rules = [play_random(machine, 2024, number) for number in range(GAMES)]
    _agree("score", [sum(r.scores) / players for r in by_hand], [sum(r.scores) / players for r in by_rules])
    _agree("best score", [max(r.scores) for r in by_hand], [max(r.scores) for r in by_rules])
    _agree("decisions", [r.decisions for r in by_hand], [r.decisions for r in by_rules])
    _agree("bankrupt", [r.bankrupt for r in by_hand], [r.ended_by == "bankruptcy" for r in by_rules])


def test_a_difference_would_be_noticed() -> None:
    with pytest.raises(AssertionError, match="standard errors apart"):
        _agree("score", [60.0, 62.0, 61.0, 59.0] * 100, [61.0, 63.0, 62.0, 60.0] * 100)
