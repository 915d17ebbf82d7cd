"""Recorded games, one for each game and number of players, are played again and go exactly as they did."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cambist
from cambist.dsl.finding import shipped
from cambist.transcripts import recorded, replayed

HERE = Path(__file__).parent
SEED = 1
MOST_LINES = 500
TABLES = [(name, players) for name in shipped() for players in cambist.load(name).players]


def _path(name: str, players: int) -> Path:
    return HERE / name / f"{players}p_seed{SEED}.txt"


def _start(path: Path) -> tuple[cambist.Match, int]:
    """The game that a transcript is of, as short as its options allow."""
    game = cambist.load(path.parent.name)
    players, _, seed = path.stem.partition("p_seed")
    options = {name: int(option.low.value) for name, option in game.options.items() if option.low is not None}
    return game.start(int(players), int(seed), options), int(seed)


@pytest.mark.parametrize("name, players", TABLES)
def test_every_game_has_one(name: str, players: int, request: pytest.FixtureRequest) -> None:
    path = _path(name, players)
    if request.config.getoption("--update", default=False):
        path.parent.mkdir(exist_ok=True)
        path.write_text(recorded(*_start(path)), "utf-8")
    assert path.exists(), f"{path.relative_to(HERE)} is missing: run `make golden` and read what it writes"


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.txt")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_goes_as_it_did(path: Path) -> None:
    match, seed = _start(path)
    text = path.read_text("utf-8")
    assert replayed(match, text, seed) == text
    assert match.over


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.txt")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_can_be_read(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < MOST_LINES
    assert max(map(len, lines)) < 1000


def test_another_game_is_noticed() -> None:
    """A transcript with one answer changed is not what the game gives."""
    path = _path(*TABLES[0])
    text = path.read_text("utf-8")
    match, seed = _start(path)
    wrong = re.sub(r"(?m)^(  \w+ answers: ).*$", r"\1no such answer", text, count=1)
    with pytest.raises(cambist.Refused):
        replayed(match, wrong, seed)


def test_only_the_answers_are_taken_from_it() -> None:
    path = _path(*TABLES[0])
    text = path.read_text("utf-8")
    match, seed = _start(path)
    assert replayed(match, text.replace("winners: ", "winners: nobody, "), seed) == text
