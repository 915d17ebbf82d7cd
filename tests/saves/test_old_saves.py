"""Saves of every version that was given away still load, or say what has changed since.

A folder is a version; its files were written by it and are never rewritten. `make golden` adds those of the present
version that are missing.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cambist
from cambist.dsl.finding import shipped
from tests.laws.tables import SHIPPED, Table, play_on, save_bytes, step

HERE = Path(__file__).parent
ANSWERS = 40


def _path(name: str) -> Path:
    return HERE / cambist.__version__ / f"{name}.json"


def _half_played(name: str) -> cambist.Match:
    table = Table(name, cambist.load(str(SHIPPED[name])).players[-1])
    match, rng = table.start(5), cambist.Source(5)
    for _ in range(ANSWERS):
        step(match, rng)
    return match


@pytest.mark.parametrize("name", shipped())
def test_every_game_has_one_of_this_version(name: str, request: pytest.FixtureRequest) -> None:
    path = _path(name)
    if request.config.getoption("--update", default=False) and not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(_half_played(name).save(), indent=1) + "\n", "utf-8")
    assert path.exists(), f"{path.relative_to(HERE)} is missing: run `make golden`"


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_loads_or_says_what_has_changed(path: Path) -> None:
    data = json.loads(path.read_text("utf-8"))
    game = cambist.load(data["game"])
    try:
        match = game.restore(data)
    except cambist.SaveError as error:
        assert "chang" in str(error) or "no longer" in str(error) or "since" in str(error)
        assert error.remedy
        return
    assert json.loads(save_bytes(match))["state"] == data["state"]
    assert play_on(match, 1).over


# ---- what a save says when the rules were edited

RULES = """\
game pair "Pair"
  players 2..3
  source R "house rules" language en
enum side: heads, tails
card tile: pips: number
deck box of tile
  2 tile 1
unit crown
account bank in crown, unlimited
account purse of each player in crown = 5
variable points: number of each player = 0
phase turn(p)
  p chooses call in side
  add 1 to p.points
phase other(p)
  p chooses call in side
  add 2 to p.points
play
  each p: turn(p)
  each p: other(p)
score p = p.points
winner most score, ties shared
"""


def _saved(answers: int) -> dict[str, object]:
    match = cambist.loads(RULES).start(2, 1)
    for _ in range(answers):
        match.answer((0, 1))
    return match.save()


def test_an_edit_elsewhere_does_no_harm() -> None:
    edited = cambist.loads(RULES.replace("add 2 to p.points", "add 3 to p.points"))
    match = edited.restore(_saved(1))
    while match.choice is not None:
        match.answer((0, 0))
    assert match.result is not None and match.result.scores == (4, 4)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("add 1 to p.points", "add 4 to p.points", "`turn`"),
        ("phase turn(p)\n", "phase move_on(p)\n", "`play`"),
        ("2 tile 1", "3 tile 1", "cards"),
        ("2 tile 1", "2 tile 2", "cards"),
        ("account purse", "account pouch", "`p1.p"),
        (
            "variable points: number of each player = 0",
            "variable points: number of each player = 0\nvariable x: number = 0",
            "`x`",
        ),
        ("deck box of tile\n", "zone shelf: row, seen by all\ndeck box of tile\n", "`shelf`"),
        ("players 2..3", "players 3..3", "players"),
        ("game pair", "game pairs", "`pair`"),
    ],
)
def test_an_edit_that_matters_is_named(old: str, new: str, said: str) -> None:
    assert old in RULES
    text = RULES.replace(old, new).replace("turn(p)", "move_on(p)" if "move_on" in new else "turn(p)")
    with pytest.raises(cambist.SaveError) as caught:
        cambist.loads(text).restore(_saved(1))
    assert said in str(caught.value) and caught.value.remedy


def test_options_that_are_gone_are_named() -> None:
    data = {**_saved(0), "options": {"rounds": 3}}
    with pytest.raises(cambist.SaveError, match="rounds"):
        cambist.loads(RULES).restore(data)
