"""Options of a ruleset, from the command line and the Python door: types, conditions, and every mistake in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from tests.cli.running import run

OPTIONS = """\
game small "Small"
  players 2..3
  source Q "rules.txt" language en

option rounds "rounds in a game": 1..9 = 3                          cites Q"End"
option style: short, long = short                                   cites Q"End"
  long requires rounds >= 4                                         cites Q"Long"
option loans "players may borrow": flag = no                        assumed because "not printed"
  excludes style = short
variable points: number of each player = 0

play                                                                cites Q"Play"
  repeat rounds times
    each p where loans or style = long
      p chooses n in 1..2
      add n to p.points

score p = p.points                                                  cites Q"End"
winner most score, ties shared                                      cites Q"End"

example "short, and no loans"                                       cites Q"Play"
  given option style = short; option loans = no; players a, b; phase is play
  then a.points = 0
"""
WELL = ("--option", "loans=yes", "--option", "style=long", "--option", "rounds=4")
MISTAKES = {
    "loans=yes": (
        "`loans` excludes `style = short`, and `style` is short unless it is set",
        "`rounds` = 4 and `style` = long would do",
    ),
    "style=long": (
        "`style` = long requires `rounds >= 4`, but `rounds` is 3 unless it is set",
        "`rounds` = 4 would do",
    ),
    "style=lang": ("the option `style` is one of short, long, not `lang`", "did you mean `long`?"),
    "rouns=3": ("small has no option `rouns`; its options: rounds, style, loans", "did you mean `rounds`?"),
    "rounds=10": ("the option `rounds` is a number from 1 to 9, not `10`", "cambist games NAME"),
    "rounds=many": ("the option `rounds` is a number from 1 to 9, not `many`", "cambist games NAME"),
    "loans=2": ("the option `loans` is yes or no, not `2`", "cambist games NAME"),
    "loans=": ("`loans=` is not an option's setting", "--option NAME=VALUE"),
}
COMMANDS = {
    "check": (),
    "test": ("--games", "1"),
    "verify": ("--games", "1"),
    "mutate": ("--sample", "1", "--quick"),
    "assumptions": ("--games", "1"),
    "simulate": ("--games", "1"),
    "record": (),
    "play": ("--seats", "random,random"),
}


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "small.rules"
    path.write_text(OPTIONS)
    return str(path)


@pytest.mark.parametrize("setting", MISTAKES)
def test_every_mistake_is_told(setting: str, rules: str) -> None:
    what, remedy = MISTAKES[setting]
    ran = run("simulate", rules, "--option", setting)
    assert ran.code == 2 and f"error: {what}" in ran.err and remedy in ran.err
    name, _, value = setting.partition("=")
    if value:
        with pytest.raises(cambist.OptionError) as raised:
            cambist.load(rules).start(options={name: value})
        assert str(raised.value) == what


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_options(command: str, rules: str) -> None:
    assert run(command, rules, *COMMANDS[command], "--option", "loans=yes").code == 2
    ran = run(command, rules, *COMMANDS[command], *WELL)
    assert ran.code == 0, ran.err


def test_what_a_game_can_be_set_to(rules: str) -> None:
    shown = run("games", rules).out
    assert '  option   rounds (rounds in a game): 1 to 9; usually 3  [Q"End"]' in shown
    assert '             long requires rounds >= 4  [Q"Long"]' in shown
    assert "  option   loans (players may borrow): no, yes; usually no  [assumed: not printed]" in shown
    loans = run("games", rules, "--json").data("games")["options"][2]
    assert loans["values"] == ["no", "yes"] and loans["default"] == "no"
    assert loans["conditions"] == [{"when": None, "requires": False, "test": "style = short", "because": []}]


def test_settings_travel_with_saves_and_records(rules: str, tmp_path: Path) -> None:
    game = cambist.load(rules, {"loans": True, "style": "long", "rounds": 5})
    match = game.start(players=2, seed=1)
    again = cambist.load(rules).restore(match.save())
    assert dict(again.program.options) == {"loans": 1, "rounds": 5, "style": 1}
    file = tmp_path / "game.txt"
    assert run("record", rules, *WELL, "-o", str(file)).code == 0
    assert "options: loans=yes, rounds=4, style=long" in file.read_text()
    assert run("replay", str(file)).code == 0
    file.write_text(file.read_text().replace("rounds=4", "rounds=1"))
    assert "`style` = long requires `rounds >= 4`, but `rounds` is 1" in run("replay", str(file)).err


def test_an_example_keeps_what_it_sets(rules: str) -> None:
    """`loans=yes` excludes its `style = short`: then what it sets counts alone."""
    assert "1 examples pass" in run("test", rules, "--games", "0", *WELL).out
