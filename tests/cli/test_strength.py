"""`cambist strength`, and bots at the tables of `play` and `simulate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cambist.strength import Dealt, Duel
from tests.cli.running import TENDER, run


@pytest.fixture(autouse=True)
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tender.rules").write_text(TENDER, "utf-8")
    return "tender.rules"


def test_the_stronger_of_two(rules: str) -> None:
    ran = run("strength", rules, "--pair", "greedy,random", "--games", "20", "--json")
    data = ran.data("strength")
    assert data["games"] == 20 and data["players"] == 2 and data["even"] == 0.5
    assert data["verdict"] == "first" and data["low"] > 0.5 and data["rate"] <= data["high"]
    told = run("strength", rules, "--pair", "greedy,random", "--games", "20").out
    assert f"greedy wins {data['rate']:.1%}" in told and "greedy is the stronger" in told


def test_every_deal_is_played_from_every_seat(rules: str) -> None:
    data = run("strength", rules, "--pair", "random,random", "--players", "3", "--games", "4", "--json").data(
        "strength"
    )
    assert data["games"] == 6 and data["verdict"] == "neither"


def test_it_goes_on_where_it_was_stopped(rules: str, tmp_path: Path) -> None:
    first = run("strength", rules, "--games", "4", "--resume", "--json").data("strength")
    (kept,) = (tmp_path / ".cambist").glob("strength-tender-*.json")
    before = kept.read_bytes()
    assert run("strength", rules, "--games", "4", "--resume", "--json").data("strength") == first
    assert kept.read_bytes() == before
    more = run("strength", rules, "--games", "6", "--resume", "--json").data("strength")
    assert more["games"] == 6
    kept.write_text("nonsense", "utf-8")
    again = run("strength", rules, "--games", "6", "--resume", "--json").data("strength")
    assert {**again, "seconds": 0} == {**more, "seconds": 0}


def test_the_interval(rules: str) -> None:
    import cambist

    duel = Duel(cambist.load(rules).machine(2), "greedy", "random", 1)
    duel.dealt = [Dealt(2.0, (0, 0), 0.0)] * 5
    low, high = duel.interval()
    assert 0.7 < low < 0.75 and high == 1.0  # ten of ten, by Wilson
    duel.dealt = [Dealt(won, (0, 0), 0.0) for won in (2.0, 1.0, 1.0, 2.0)]
    assert duel.rate == 0.75 and duel.interval()[0] == pytest.approx(0.467, abs=0.001)


@pytest.mark.parametrize(
    ("words", "message", "remedy"),
    [
        (["play", "--seats", "you,gredy"], "`gredy` cannot sit", "did you mean `greedy`?"),
        (["play", "--seats", "yuo,random"], "`yuo` cannot sit", "did you mean `you`?"),
        (["play", "--seats", "you,mcts"], "`mcts` cannot sit", "`mcts:100`"),
        (["simulate", "--seats", "you,random"], "`you` cannot sit", "`random`, `greedy`"),
        (["simulate", "--seats", "greedy,random", "--players", "3"], "names 2 players", "leave one of them out"),
        (["simulate", "--seats", "greedy,random", "--check"], "--check tests random games", "leave --seats out"),
        (["strength", "--pair", "greedy"], "--pair names 1 bots", "--pair mcts:50,greedy"),
        (["strength", "--pair", "greedy,mtcs:9"], "`mtcs:9` cannot sit", "`mcts:100`"),
    ],
)
def test_seats_that_nobody_can_take(rules: str, words: list[str], message: str, remedy: str) -> None:
    ran = run(words[0], rules, *words[1:])
    assert ran.code == 2 and message in ran.err and remedy in ran.err


def test_bots_play_and_can_be_saved(rules: str) -> None:
    seats = ("--seats", "greedy,mcts:2,random", "--seed", "3")
    ran = run("play", rules, *seats, "--save", "kept.json")
    assert ran.code == 0 and "bot1 (greedy), bot2 (mcts:2), bot3 (random)" in ran.out
    assert run("play", "--load", "kept.json").code == 0
    assert run("play", rules, *seats).out.split("bot3")[1:] == ran.out.split("bot3")[1:]


def test_bots_in_simulations(rules: str) -> None:
    data = run("simulate", rules, "--seats", "greedy,random", "--games", "6", "--seed", "1", "--json").data("simulate")
    assert data["seats"] == ["greedy", "random"] and data["players"] == 2 and data["games"] == 6
    assert data["mean_scores"][0] > data["mean_scores"][1]
    again = run("simulate", rules, "--seats", "greedy,random", "--games", "6", "--seed", "1", "--json").data("simulate")
    assert again["total_scores"] == data["total_scores"]
