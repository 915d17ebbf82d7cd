"""The tasks of `make proof`, with small numbers: the same commands, the same judgement."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from proof import run as proof
from proof.tasks import Task, tasks
from tests.cli.running import run

SAMPLE = list(tasks(games=3, checked=1, verified=5))


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.name)
def test_a_sample(task: Task) -> None:
    data = run(*task.words).data(task.words[0])
    assert task.wrong(data, 0.0) == ""
    assert task.figures(data, 0.0).startswith(f"{data['games']} games")


def test_what_would_be_wrong() -> None:
    task = next(t for t in SAMPLE if t.part == "simulate" and "--players 4" in " ".join(t.words))
    data = {"errors": 0, "games": 3}
    assert task.wrong(data, 1.0) == ""
    assert "errors" in task.wrong({"errors": 2, "games": 3}, 1.0)
    assert "instead of 3" in task.wrong({"errors": 0, "games": 2}, 1.0)
    assert "more than 120" in task.wrong(data, 121.0)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "KEPT", tmp_path)
    monkeypatch.setattr(proof, "PAGE", tmp_path / "page.md")
    task, now = SAMPLE[0], proof.digest()
    assert proof.done(task, now) is None
    kept = proof.run(task, now)
    assert kept["wrong"] == "" and proof.done(task, now) == kept
    assert proof.done(task, "another") is None
    proof.write_page([(task, kept)])
    assert f"`cambist {' '.join(task.words)}`" in (tmp_path / "page.md").read_text("utf-8")
