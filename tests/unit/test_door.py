"""The Python door: a wrong number of players, option or seat is said in words, and is never an error of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cambist

RULES = """\
game door "Door"
  players 2..3
  source R "house rules" language en
option rounds: 1..9 = 3
option mood: calm, wild = calm
enum side: heads, tails
variable points: number of each player = 0
play
  repeat rounds times
    each p
      p chooses
        greet q in players where q is not p: add 1 to q.points
        call s in side: add 1 to p.points
  if mood = wild
    each p: add 5 to p.points
score p = p.points
winner most score, ties shared
"""


@pytest.fixture(scope="module")
def game() -> cambist.Game:
    return cambist.loads(RULES)


def test_all_names_are_there() -> None:
    assert set(cambist.__all__) <= set(dir(cambist))
    assert all(getattr(cambist, name) is not None for name in cambist.__all__)
    with pytest.raises(AttributeError):
        _ = cambist.no_such_thing


@pytest.mark.parametrize("value", ("²", "--5", "-", "", " 3", "9" * 5000, 0, 10, 3.5, None, True, [], "calm"))
def test_an_option_that_is_no_such_number(game: cambist.Game, value: Any) -> None:
    with pytest.raises(cambist.OptionError, match="rounds"):
        game.start(2, options={"rounds": value})


@pytest.mark.parametrize("value", ("sad", "", 2, -1, None, 0.5, []))
def test_an_option_that_is_no_such_word(game: cambist.Game, value: Any) -> None:
    with pytest.raises(cambist.OptionError, match="mood"):
        game.start(2, options={"mood": value})


def test_options_count(game: cambist.Game) -> None:
    for value, scores in (("calm", (1, 1)), ("wild", (6, 6))):
        match = game.start(2, options={"rounds": "1", "mood": value})
        while match.choice is not None:
            match.answer("call heads")
        assert match.result is not None and match.result.scores == scores


def test_an_option_that_is_not_there(game: cambist.Game) -> None:
    with pytest.raises(cambist.OptionError, match="rounds, mood"):
        game.start(2, options={"speed": 1})


@pytest.mark.parametrize("players", (0, 1, 4, -1, None))
def test_a_number_of_players_that_does_not_fit(game: cambist.Game, players: Any) -> None:
    if players is None:
        assert len(game.start().seats) == 2
    else:
        with pytest.raises(cambist.OptionError, match="2 to 3 players"):
            game.start(players)


@pytest.mark.parametrize("seats", (["Ann"], ["Ann", "Bob", "Cleo", "Dan"]))
def test_as_many_seats_as_players(game: cambist.Game, seats: list[str]) -> None:
    with pytest.raises(cambist.OptionError):
        game.start(2, seats=seats)


@pytest.mark.parametrize("seats", (["Ann", "Ann"], ["Ann", ""]))
def test_seats_can_be_told_apart(game: cambist.Game, seats: list[str]) -> None:
    """Players are named in answers and logs, so two of one name, or one of none, would be mixed up."""
    with pytest.raises(cambist.OptionError):
        game.start(2, seats=seats)


def test_rules_that_are_wrong() -> None:
    with pytest.raises(cambist.RulesError) as caught:
        cambist.loads(RULES.replace("add 5 to p.points", "add 5 to p.pints"))
    assert [d.code for d in caught.value.diagnostics] == ["E0103"]


def test_games_by_name() -> None:
    with pytest.raises(cambist.RulesError, match="no game"):
        cambist.load("no_such_game")
    for name in cambist.shipped():
        assert cambist.load(name).name == name


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_seat_that_is_not_there_or_not_asked(engine: str) -> None:
    match = cambist.loads(RULES).start(2, engine=engine)
    assert match.choice is not None
    for seat in (1, 2, 9, -1):  # the first player is asked
        for ask in (lambda seat: match.choice.options(by=seat), lambda seat: match.choice.sample(by=seat)):
            with pytest.raises(cambist.Refused, match="not this player's choice"):
                ask(seat)
    for look in (match.view, match.log_lines, match.resample):
        with pytest.raises(ValueError, match="there is no seat 2: they are 0 to 1"):
            look(2)


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.0, "1"])
def test_a_seed_that_is_none(seed: Any) -> None:
    with pytest.raises(cambist.OptionError, match="a seed is a whole number from 0"):
        cambist.loads(RULES).start(2, seed=seed)


@pytest.mark.parametrize("players", ["2", 2.0, True, [2]])
def test_a_number_of_players_that_is_none(game: cambist.Game, players: Any) -> None:
    with pytest.raises(cambist.OptionError, match="players is a whole number, such as 2, not "):
        game.start(players)


def test_a_game_is_a_name_or_a_path(tmp_path: Path) -> None:
    path = tmp_path / "door.rules"
    path.write_text(RULES, encoding="utf-8")
    assert cambist.load(path).title == cambist.load(str(path)).title == "Door"
    nothing: Any
    for nothing in (5, None, b"money", ["money"]):
        with pytest.raises(TypeError, match="a game is a name or the path of a .rules file, not "):
            cambist.load(nothing)
