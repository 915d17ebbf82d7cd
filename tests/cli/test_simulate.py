"""Random games in bulk: a game depends on its seed and number alone; sums; faults are counted and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cambist
from cambist.interpreter.explore import Tally, play_random
from cambist.interpreter.soundness import Soundness
from tests.cli.running import GAME, run, tender

CLOCK = ("seconds", "games_per_s", "decisions_per_s")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tender(tmp_path_factory.mktemp("rules"))


def simulate(*args: str) -> dict[str, Any]:
    data: dict[str, Any] = run("simulate", *args, "--json").data("simulate")
    return {key: value for key, value in data.items() if key not in CLOCK}


def test_the_same_seed_gives_the_same_games(rules: str) -> None:
    args = (rules, "--players", "3", "--games", "20", "--seed", "5")
    assert simulate(*args) == simulate(*args) == simulate(*args, "--check")
    assert simulate(*args) != simulate(*args[:-1], "6")


def test_what_is_told(rules: str) -> None:
    data = simulate(rules, "--players", "3", "--games", "10", "--seed", "1")
    assert (data["game"], data["players"], data["games"], data["seed"]) == ("tender", 3, 10, 1)
    assert len(data["mean_scores"]) == len(data["wins_by_seat"]) == 3
    assert sum(data["wins_by_seat"]) >= 10 and data["errors"] == 0
    assert data["ended_by"] == {"played to the end": 10}
    # the score is money in halves: means are told in whole units, totals exactly
    for mean, total in zip(data["mean_scores"], data["total_scores"], strict=True):
        assert mean * 10 == float(total) and 4 <= mean <= 7


def test_check_counts_what_is_reachable(tmp_path: Path) -> None:
    path = tender(tmp_path)
    with Path(path).open("a") as file:
        file.write('reachable no_bids after bidding: every p where p.bid is empty   cites R"Bids"\n')
        file.write('reachable rich at end: some p where p.purse > 4    cites R"Sale"\n')
    data = simulate(path, "--players", "2", "--games", "40", "--check")
    assert set(data["reached"]) == {"no_bids", "rich"} and 0 < data["reached"]["rich"] <= 40
    assert simulate(path, "--players", "2", "--games", "40")["reached"] == {}
    told = run("simulate", path, "--players", "2", "--games", "40", "--check").out
    assert f"rich: reached in {data['reached']['rich']} of 40 games" in told
    tested = run("test", path, "--json").data("test")
    assert set(tested["reached"]) == {"no_bids", "rich"}
    assert f"rich reached in {tested['reached']['rich']}" in run("test", path).out


def test_a_limit_counts_as_the_reason(rules: str) -> None:
    data = simulate(rules, "--games", "4", "--option", "style=fast")
    assert data["ended_by"] == {"limit: too_fast": 4}


@pytest.mark.parametrize("number", [0, 7])
def test_a_game_depends_on_its_seed_and_number_alone(number: int) -> None:
    machine = cambist.load(GAME).machine(3)
    first = play_random(machine, 3, number)
    assert play_random(machine, 3, number, check=True) == first
    others = [play_random(machine, 3, k) for k in range(number + 1)]
    assert others[number] == first
    assert play_random(cambist.load(GAME).machine(3), 3, number) == first
    assert play_random(machine, 4, number) != first


def test_the_sums_are_those_of_the_games(rules: str) -> None:
    machine = cambist.load(rules).machine(2)
    tally = Tally(2)
    for k in range(10):
        tally.add(play_random(machine, 9, k))
    data = simulate(rules, "--players", "2", "--games", "10", "--seed", "9")
    assert data["wins_by_seat"] == tally.wins and data["decisions"] == tally.decisions


def test_only_open_choices_are_decisions(tmp_path: Path) -> None:
    forced = tender(tmp_path, ("    keep:\n      move p.bid to p.hand\n    sell n in 1..3:", "    sell n in 1..1:"),
                    ("    give q in players where q is not p:\n      move p.bid to q.hand\n", ""),
                    ("a chooses sell 3", "a chooses sell 1"))  # fmt: skip
    played = play_random(cambist.load(forced).machine(2, {"rounds": 1}), 0, 0)
    assert played.decisions == 2  # the two bids; `sell 1` is no decision


def test_people_get_a_table(rules: str) -> None:
    ran = run("simulate", rules, "--games", "5")
    assert ran.code == 0 and "mean score" in ran.out and "games/s" in ran.out and "no errors" in ran.out
    assert ran.err == ""  # no progress bar where nobody watches


def test_a_fault_is_counted_and_the_first_is_shown(tmp_path: Path) -> None:
    path = tender(tmp_path, ("transfer 0.5 from till to p.purse", "transfer 1.5 from p.purse to till"))
    ran = run("simulate", path, "--players", "2", "--games", "20", "--seed", "2", "--option", "rounds=5", "--json")
    data = ran.data("simulate")
    assert ran.code == 1 and 0 < data["errors"] <= 20
    assert "fault[R0108]" in ran.err and "in game " in ran.err and "seed 2, 2 players" in ran.err
    assert "cambist record" in ran.err and "--option rounds=5" in ran.err


def test_check_finds_a_broken_invariant(tmp_path: Path) -> None:
    path = tender(tmp_path, ("everything where c is slip) = 18", "box where c is slip) > 8"))
    assert run("simulate", path, "--games", "5").code == 0
    ran = run("simulate", path, "--games", "5", "--check")
    assert ran.code == 1 and "the invariant `slips` does not hold" in ran.err and "answers" in ran.err


@pytest.mark.parametrize("damage", ["lost", "doubled", "moved", "made money"])
def test_check_finds_what_the_machine_must_prevent(damage: str, rules: str) -> None:
    machine = cambist.load(rules).machine(2)
    state = machine.start(1)
    sound = Soundness(machine)
    sound.check(state)
    box = next(zone for zone in state.zones if zone)
    if damage == "lost":
        box.pop()
    elif damage == "doubled":
        box.append(box[0])
    elif damage == "moved":
        state.where[box[0]] += 1
    else:
        state.accounts[0] += 1
    with pytest.raises(cambist.Fault) as caught:
        sound.check(state)
    assert caught.value.diagnostic.code == "R0116"
