"""`cambist mutate`: which changes are noticed, by whom, and which are not; --resume, equivalents, recorded games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cambist.dsl import api as dsl
from cambist.dsl.finding import shipped
from cambist.dsl.mutants import mutants
from cambist.equivalents import read_equivalents
from tests.cli.running import run

# The price is told by an example, the number of rounds by nothing; what is paid is held by an invariant.
STALL = """\
game stall "Stall"
  players 2..3
  source R "house rules" language en

unit coin step 1
account till in coin, unlimited
account purse of each player in coin = 9                            cites R"Parts"
variable spent: number of each player = 0

define price = 3                                                    cites R"Price"

phase buying(p)                                                     cites R"Buy"
  p chooses
    buy where p.purse >= price:
      transfer price from p.purse to till
      add price to p.spent
    pass:
      nothing

phase market                                                        cites R"Play"
  repeat 2 times
    each p: buying(p)

play                                                                cites R"Play"
  market

score p = p.purse                                                   cites R"End"
winner least score, ties shared                                     cites R"End"

invariant paid: every p where p.purse + p.spent = 9                 cites R"Parts"

example "a thing costs three"                                       cites R"Price"
  given player a; phase is buying(a); a.purse = 3; a.spent = 6
  when a chooses buy
  then a.purse = 0
"""


def _stall(folder: Path, *changes: tuple[str, str]) -> str:
    text = STALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "stall.rules"
    path.write_text(text, "utf-8")
    return str(path)


def _all(*words: str) -> Any:
    return run("mutate", *words, "--sample", "500", "--json").data("mutate")


def _changes(found: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(one["rule"], one["change"]) for one in found}


def test_what_examples_and_invariants_notice(tmp_path: Path) -> None:
    data = _all(_stall(tmp_path))
    survived = _changes(data["survived"])
    assert data["game"] == "stall" and data["complete"]
    assert data["killed"] + len(data["survived"]) == data["mutants"] <= data["candidates"]
    assert data["mutants"] + data["refused"] + data["changes_nothing"] == data["candidates"]
    assert data["score"] == round(100 * data["killed"] / data["mutants"], 1)
    assert ("phase market", "2 -> 3") in survived, "nothing tells how many rounds there are"
    assert ("winner", "least -> most") in survived
    assert not {("define price", "3 -> 4"), ("define price", "3 -> 2")} & survived
    assert not {("phase buying", "add price to p.spent -> nothing"), ("phase buying", ">= -> >")} & survived
    assert data["by"]["example"] > 0 and data["by"]["random_games"] > 0 and data["by"]["playthrough"] == 0


def test_a_better_example_notices_more(tmp_path: Path) -> None:
    before = _all(_stall(tmp_path))
    more = STALL.partition("example ")[2]
    after = _all(_stall(tmp_path, (more, more + """
example "the end"                                                   cites R"End"
  given players a, b; phase is market
  when a chooses buy; b chooses pass; a chooses buy; b chooses pass
  then game is over; a is winner; b is not winner
""")))  # fmt: skip
    assert ("winner", "least -> most") in _changes(before["survived"])
    assert after["score"] > before["score"]
    assert ("winner", "least -> most") not in _changes(after["survived"])


def test_recorded_games_are_counted_apart(tmp_path: Path) -> None:
    rules = _stall(tmp_path)
    (tmp_path / "playthroughs").mkdir()
    ran = run("record", rules, "--players", "2", "--seed", "3", "-o", str(tmp_path / "playthroughs" / "one.txt"))
    assert ran.code == 0
    data = _all(rules)
    assert data["playthroughs"] == 1
    noticed = _changes(data["only_by_playthroughs"])
    assert ("phase market", "2 -> 3") in noticed and ("phase market", "2 -> 3") not in _changes(data["survived"])
    assert data["by"]["playthrough"] == len(data["only_by_playthroughs"])


def test_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    rules = _stall(tmp_path)
    words = ("mutate", rules, "--sample", "12", "--json")
    first = run(*words, "--seed", "4").data("mutate")
    assert first["mutants"] == 12
    assert first == run(*words, "--seed", "4").data("mutate")
    assert first != run(*words, "--seed", "5").data("mutate")


def test_survivors_are_shown_with_their_line(tmp_path: Path) -> None:
    ran = run("mutate", _stall(tmp_path), "--sample", "500")
    assert ran.code == 0
    lines = ran.out.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("SURVIVED") and line.endswith("(phase market)"))
    assert "stall.rules:21" in lines[at] and lines[at + 1] == "  repeat 2 times"
    assert any("changes are noticed" in line for line in lines)


def test_at_least(tmp_path: Path) -> None:
    rules = _stall(tmp_path)
    assert run("mutate", rules, "--sample", "500", "--at-least", "10").code == 0
    assert run("mutate", rules, "--sample", "500", "--at-least", "100").code == 1


def test_equivalents_are_listed_and_not_counted(tmp_path: Path) -> None:
    rules = _stall(tmp_path)
    before = _all(rules)
    entry = {"rule": "phase market", "line": "repeat 2 times", "change": "2 -> 3", "because": "nobody minds"}
    stale = {**entry, "change": "7 -> 8"}
    entry["line"] = "repeat  2 times"  # blanks are layout
    listed = tmp_path / "stall.equivalent.yaml"
    listed.write_text(json.dumps({"equivalent": 1, "changes": [entry, stale]}), "utf-8")
    after = _all(rules)
    assert [(one["change"], one["because"]) for one in after["equivalent"]] == [("2 -> 3", "nobody minds")]
    assert after["mutants"] == before["mutants"] - 1 and after["killed"] == before["killed"]
    assert after["stale"] == ["stall.equivalent.yaml: phase market: repeat 2 times: 7 -> 8"]
    assert "stale stall.equivalent.yaml" in run("mutate", rules, "--sample", "500").out


@pytest.mark.parametrize("text", ["changes: [", "equivalent: 1", "equivalent: 1\nchanges: [{rule: play}]", "a: &x 1"])
def test_a_damaged_list(tmp_path: Path, text: str) -> None:
    rules = _stall(tmp_path)
    (tmp_path / "stall.equivalent.yaml").write_text(text, "utf-8")
    ran = run("mutate", rules)
    assert ran.code == 1 and "stall.equivalent.yaml" in ran.err and "help: an entry is" in ran.err


@pytest.mark.parametrize("name", shipped())
def test_shipped_lists_fit_the_rules(name: str) -> None:
    gathered, path = dsl.gathered(name)
    found = mutants(gathered)
    listed = read_equivalents(path, found)
    assert listed.stale == ()
    beside = path.with_suffix(".equivalent.yaml")
    assert listed.reasons or not beside.exists()


def test_it_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rules = _stall(tmp_path)
    words = ("mutate", rules, "--sample", "15", "--resume", "--json")
    first = run(*words).data("mutate")
    (kept,) = (tmp_path / ".cambist").iterdir()
    data = json.loads(kept.read_text("utf-8"))
    place = next(key for key, verdict in data["verdicts"].items() if verdict[0] == "killed")
    data["verdicts"][place] = ["survived", "", ""]
    kept.write_text(json.dumps(data), "utf-8")
    assert run(*words).data("mutate")["killed"] == first["killed"] - 1, "what was found is not found out again"
    kept.write_text("{", "utf-8")
    assert run(*words).data("mutate") == first


def test_changed_rules_are_tried_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--sample", "5", "--resume", "--json")
    run("mutate", _stall(tmp_path), *words)
    run("mutate", _stall(tmp_path, ("repeat 2 times", "repeat 3 times")), *words)
    assert len(list((tmp_path / ".cambist").iterdir())) == 2


def test_time_is_over(tmp_path: Path) -> None:
    data = run("mutate", _stall(tmp_path), "--time", "0.000001", "--json").data("mutate")
    assert data["mutants"] == 0 and not data["complete"]


def test_what_fails_already_notices_nothing(tmp_path: Path) -> None:
    ran = run("mutate", _stall(tmp_path, ("then a.purse = 0", "then a.purse = 1")))
    assert ran.code == 1 and "fails already" in ran.err


def test_a_record_of_other_rules(tmp_path: Path) -> None:
    rules = _stall(tmp_path)
    folder = tmp_path / "records"
    folder.mkdir()
    ran = run("mutate", rules, "--playthroughs", str(folder))
    assert ran.code == 2 and "has no recorded games" in ran.err
    (folder / "a.txt").write_text("once upon a time\n", "utf-8")
    ran = run("mutate", rules, "--sample", "500", "--playthroughs", str(folder))
    assert ran.code == 2 and "no recorded game of stall" in ran.err
    assert run("mutate", rules, "--playthroughs", str(tmp_path / "nowhere")).code == 2


def test_an_endless_game_is_noticed(tmp_path: Path) -> None:
    """A loop that a change makes endless comes to an end for us."""
    rules = _stall(
        tmp_path,
        ("  repeat 2 times\n    each p: buying(p)", "  while round < 2\n    each p: buying(p)\n    add 1 to round"),
        ("variable spent", "variable round: number = 0\nvariable spent"),
    )
    data = _all(rules)
    assert ("phase market", "add 1 to round -> nothing") not in _changes(data["survived"])
    assert data["by"]["time"] + data["by"]["random_games"] > 0


def test_wrong_rules_are_told(tmp_path: Path) -> None:
    ran = run("mutate", _stall(tmp_path, ("define price = 3", "define price = three")))
    assert ran.code == 1 and "three" in ran.err
    assert run("mutate", "no_such_game").code == 2
