"""What can be changed in rules: every kind of change, made without touching what it was made from."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.dsl import api as dsl
from cambist.dsl.finding import shipped
from cambist.dsl.mutants import Mutant, applied, mutants, numbers_on

RULES = """\
game stall "Stall"
  players 2..3
  source R "house rules" language en

option rounds: 1..5 = 2                                             cites R"End"
card slip: value: number
deck box of slip from "slips.yaml"                                  cites R"Parts"
zone hand: bag of each player, seen by owner
zone line: queue, seen by all
track level: 0, 1, 2, 4, start 1                                    cites R"Parts"
table bonus: 0, 3, 5                                                cites R"Parts"
variable points: number of each player = 0
variable busy: flag = no

define rich(p) = p.points >= 3 and not busy                         cites R"End"

play                                                                cites R"Play"
  shuffle box
  each p: move 2 from box to p.hand
  repeat rounds times
    each p in around(first of players) where p.hand is not empty
      p chooses
        give c in p.hand where c.value > 1:
          move c to end of line
          add bonus[1] to p.points
        pass:
          nothing
  if level = 1: shift level by 1
  else: set busy to yes

score p = p.points - 1 if rich(p) else p.points                     cites R"End"
winner most score, then least size of p.hand, ties shared           cites R"End"

invariant few: size of line <= 9                                    cites R"Parts"
example "nobody has points"                                         cites R"End"
  given player a; a.points = 2
  then not rich(a)
"""
SHEET = "sheet: 1\ncards:\n  - {card: slip, value: 1, count: 6}\n  - {card: slip, value: 5}\n"


@pytest.fixture
def stall(tmp_path: Path) -> dsl.Gathered:
    (tmp_path / "stall.rules").write_text(RULES, "utf-8")
    (tmp_path / "slips.yaml").write_text(SHEET, "utf-8")
    gathered, _ = dsl.gathered(str(tmp_path / "stall.rules"))
    return gathered


def _told(found: list[Mutant]) -> set[tuple[str, str, str]]:
    return {(mutant.kind, mutant.line.split(":")[0], mutant.change) for mutant in found}


@pytest.mark.parametrize("kind, line, change", [
    ("constant", "option rounds", "2 -> 3"),
    ("constant", "track level", "4 -> 5"),
    ("constant", "table bonus", "3 -> 2"),
    ("constant", "- {card", "count 6 -> 7"),
    ("constant", "- {card", "value 5 -> 6"),
    ("constant", "variable busy", "no -> yes"),
    ("comparison", "define rich(p) = p.points >= 3 and not busy", ">= -> >"),
    ("comparison", "if level = 1", "= -> !="),
    ("logic", "define rich(p) = p.points >= 3 and not busy", "and -> or"),
    ("logic", "define rich(p) = p.points >= 3 and not busy", "not -> (taken out)"),
    ("logic", "if level = 1", "if -> if not"),
    ("logic", "score p = p.points - 1 if rich(p) else p.points", "if, else -> swapped"),
    ("logic", "each p in around(first of players) where p.hand is not empty", "where -> (taken out)"),
    ("logic", "give c in p.hand where c.value > 1", "where -> (taken out)"),
    ("order", "each p in around(first of players) where p.hand is not empty", "around -> players"),
    ("order", "each p in around(first of players) where p.hand is not empty", "first -> last"),
    ("order", "zone line", "queue -> pile"),
    ("order", "move c to end of line", "end of -> start of"),
    ("order", "move c to end of line", "move c to end of line -> after the next"),
    ("tie", "winner most score, then least size of p.hand, ties shared", "last criterion -> (taken out)"),
    ("tie", "winner most score, then least size of p.hand, ties shared", "least -> most"),
    ("dropped", "add bonus[1] to p.points", "add bonus[1] to p.points -> nothing"),
    ("dropped", "pass", "branch pass -> (taken out)"),
    ("dropped", "each p", "each p: move 2 from box to p.hand -> nothing"),
    ("visibility", "zone hand", "seen by owner -> all"),
])  # fmt: skip
def test_a_kind_of_change(stall: dsl.Gathered, kind: str, line: str, change: str) -> None:
    assert (kind, line, change) in _told(mutants(stall))


def test_what_says_what_must_hold_is_left_alone(stall: dsl.Gathered) -> None:
    rules = {mutant.rule.split()[0] for mutant in mutants(stall)}
    assert not rules & {"example", "invariant", "game", "unit"}
    assert ("constant", "option rounds", "5 -> 6") not in _told(mutants(stall))


def test_a_change_is_one_change(stall: dsl.Gathered) -> None:
    """Made in a copy; of the sound ones, nearly all give another program, and what it was made from stays as it was."""
    before = dsl.check_gathered(stall)
    assert before is not None
    old = dsl.lower(before, 2)
    others = 0
    found = mutants(stall)
    for mutant in found:
        changed = applied(stall, mutant)
        ruleset = dsl.check_gathered(changed)
        assert changed != stall
        others += ruleset is not None and dsl.lower(ruleset, 2) != old
    assert others > len(found) / 2
    again = dsl.check_gathered(stall)
    assert again is not None and dsl.lower(again, 2) == old


def test_places_are_where_the_text_is(stall: dsl.Gathered) -> None:
    for mutant in mutants(stall):
        old = mutant.change.split(" -> ")[0]
        if mutant.kind in ("constant", "comparison") and not mutant.in_sheet:
            assert old in mutant.line, mutant.name


def test_the_numbers_of_a_line(stall: dsl.Gathered) -> None:
    span = next(m.span for m in mutants(stall) if m.line.startswith("table bonus"))
    assert [node.value for _, node in numbers_on(stall, span)] == ["0", "3", "5"]


@pytest.mark.parametrize("name", shipped())
def test_every_game_has_enough(name: str) -> None:
    gathered, _ = dsl.gathered(name)
    found = mutants(gathered)
    assert len(found) > 200
    assert len({(m.name, m.path) for m in found}) == len(found)
    assert {m.kind for m in found} >= {"constant", "comparison", "order", "tie", "dropped", "visibility", "logic"}


def test_modules_are_changed_too() -> None:
    gathered, _ = dsl.gathered("money")
    assert any("library" in m.span.file.name for m in mutants(gathered))
    assert cambist.load("money").name == "money"


def test_spaces_that_lie_evenly_are_not_changed_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "stall.rules"
    file.write_text(RULES.replace("track level: 0, 1, 2, 4", "track level: 0..3, 9"), "utf-8")
    (tmp_path / "slips.yaml").write_text(SHEET, "utf-8")
    gathered, _ = dsl.gathered(str(file))
    assert gathered is not None
    changed = {one.change for one in mutants(gathered) if one.rule == "track level" and one.kind == "constant"}
    assert changed == {"9 -> 10", "9 -> 8", "1 -> 2", "1 -> 0"}  # the one that is written, and where it starts
