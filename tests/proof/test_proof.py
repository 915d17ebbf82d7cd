"""The tasks of `make proof`, with small numbers: the same commands, the same judgement."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from proof import run as proof
from proof import strength
from proof.tasks import Task, tasks
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
SAMPLE = list(tasks(games=3, checked=1, verified=5, changes=10, noticed=40, seeds=(), duels=[]))  # tests/cli has the broken ones


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.name)
def test_a_sample(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    words = ["--quick" if word == "--resume" else word for word in task.words]  # 10 a game, each example once
    data = run(*words).data(task.words[0])
    assert task.wrong(data, 0.0) == ""
    begins = f"{data['killed']} of 10 changes" if task.part == "mutate" else f"{data['games']} games"
    assert task.figures(data, 0.0).startswith(begins)


def test_what_would_be_wrong() -> None:
    task = next(t for t in SAMPLE if t.part == "simulate" and "--players 4" in " ".join(t.words))
    data = {"errors": 0, "games": 3}
    assert task.wrong(data, 1.0) == ""
    assert "errors" in task.wrong({"errors": 2, "games": 3}, 1.0)
    assert "instead of 3" in task.wrong({"errors": 0, "games": 2}, 1.0)
    assert "more than 120" in task.wrong(data, 121.0)


def test_what_would_be_wrong_with_tests() -> None:
    task = next(t for t in SAMPLE if t.part == "mutate")
    data = {"mutants": 10, "score": 40.0, "stale": []}
    assert task.wrong(data, 1.0) == ""
    assert "only 9" in task.wrong({**data, "mutants": 9}, 1.0)
    assert "fewer than 40" in task.wrong({**data, "score": 39.9}, 1.0)
    assert "no such change" in task.wrong({**data, "stale": ["x"]}, 1.0)


def test_what_would_be_wrong_with_broken_rules() -> None:
    task = next(t for t in tasks() if t.name == "broken-dead_end-2")
    data = {"broken": [{"property": "somebody_can_answer", "choices": 4}], "unreached": []}
    assert task.wrong(data, 60.0) == "" and task.exit_code == 1
    assert task.wrong({"broken": [], "unreached": []}, 1.0) == "not caught"
    assert "more than 60" in task.wrong(data, 61.0)
    data["broken"][0]["choices"] = 5
    assert "5 choices instead of 2" in task.wrong(data, 1.0)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "KEPT", tmp_path)
    monkeypatch.setattr(proof, "PAGE", tmp_path / "page.md")
    task = next(t for t in SAMPLE if t.part == "simulate")
    now = proof.digest()
    assert proof.done(task, now) is None
    kept = proof.run(task, now)
    assert kept["wrong"] == "" and proof.done(task, now) == kept
    assert proof.done(task, "another") is None
    proof.write_page(SAMPLE, {task.name: kept})
    page = (tmp_path / "page.md").read_text("utf-8")
    assert f"`cambist {' '.join(task.words)}`" in page
    proof.write_page(SAMPLE, {})  # nothing was run again: the page keeps what it has
    assert (tmp_path / "page.md").read_text("utf-8") == page


def test_a_sample_of_games_between_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(strength, "PAGE", tmp_path / "page.md")
    pairing = strength.pairings(easy=2, hard=2)[0]
    (task,) = [task for task in tasks(duels=[pairing]) if task.part == "strength"]
    data = run(*task.words).data("strength")
    assert task.figures(data, 0.0).startswith("2 games, greedy wins ")
    assert task.wrong({**data, "verdict": "first"}, 0.0) == ""
    assert "not shown" in task.wrong({**data, "verdict": "neither"}, 0.0)
    strength.write_page({pairing.name: strength.row(data)})
    page = (tmp_path / "page.md").read_text("utf-8")
    assert f"| {pairing.game} | {data['players']} | `greedy` against `random` | 2 | " in page
    strength.write_page({})  # nothing was measured again: the page keeps what it has
    assert (tmp_path / "page.md").read_text("utf-8") == page
