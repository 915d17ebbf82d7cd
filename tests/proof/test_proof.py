"""The tasks of `make proof`, with small numbers: the same commands, the same judgement."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import cambist

sys.path.insert(0, str(Path(__file__).parents[2]))
from proof import run as proof
from proof import strength
from proof.browser import wrong_in_browser
from proof.tasks import Task, tasks
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
SMALL: dict[str, Any] = {"games": 3, "checked": 1, "verified": 5, "changes": 10, "noticed": 40, "compared": 1}
EVERY = list(tasks(**SMALL, seeds=(), duels=[], twice=0))  # tests/cli has the broken ones
FEWEST = {f"check-{name}-{cambist.load(name).players[0]}" for name in cambist.shipped()}  # `verify` has the others
SAMPLE = [
    task
    for task in EVERY
    if task.part not in ("report", "compare")  # these are below, and in tests/report
    and (task.part != "check" or task.name in FEWEST)
]


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


def test_what_would_be_wrong_with_flattened_text() -> None:
    task = next(t for t in SAMPLE if t.part == "flatten")
    assert task.wrong({"games": 3, "different": []}, 1.0) == ""
    assert "seeds [2]" in task.wrong({"games": 3, "different": [2]}, 1.0)


def test_what_would_be_wrong_with_tests() -> None:
    task = next(t for t in SAMPLE if t.part == "mutate")
    data = {"mutants": 10, "score": 40.0, "stale": []}
    assert task.wrong(data, 1.0) == ""
    assert "only 9" in task.wrong({**data, "mutants": 9}, 1.0)
    assert "fewer than 40" in task.wrong({**data, "score": 39.9}, 1.0)
    assert "no such change" in task.wrong({**data, "stale": ["x"]}, 1.0)


def test_a_report_is_opened_in_a_browser(tmp_path: Path) -> None:
    opened: list[Path] = []

    def look(page: Path) -> str:
        opened.append(page)
        return ""

    task = next(t for t in tasks(reported=2, folder=str(tmp_path), opened=look) if t.name == "report-money")
    data = run(*task.words).data("report")
    assert task.wrong(data, 1.0) == "" and opened == [tmp_path / "money.html"]
    assert task.figures(data, 1.0).startswith("2 games, ") and " plots, nothing on the console" in task.figures(
        data, 1.0
    )
    assert "1 games instead of 2" in task.wrong({**data, "played": 1}, 1.0)
    assert "more than 240" in task.wrong(data, 241.0)


def test_a_browser_that_is_missing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install chromium" in wrong_in_browser(tmp_path / "page.html")


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ('echo "<svg >"', ""),
        ('echo "[1:1:INFO:CONSOLE(1)] Uncaught Error" >&2; echo "<svg >"', "the browser's console says: [1:1:INFO"),
        ("true", "the browser shows 0 of 1 plots"),
    ],
)
def test_what_a_browser_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, told: str) -> None:
    browser = tmp_path / "chromium"
    browser.write_text(f"#!/bin/sh\n{says}\n", "utf-8")
    browser.chmod(0o755)
    page = tmp_path / "page.html"
    page.write_text("<html><svg ></svg></html>", "utf-8")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert wrong_in_browser(page).startswith(told) and bool(wrong_in_browser(page)) == bool(told)


def test_what_would_be_wrong_with_comparisons() -> None:
    finds, nothing = (next(t for t in EVERY if t.name == f"compare-{name}") for name in ("double_bonus", "same_money"))

    def data(*names: str) -> dict[str, object]:
        return {"games": 9, "figures": [{"name": name, "beyond_chance": True} for name in names]}

    assert finds.wrong(data("measure/bonuses", "score/all"), 1.0) == "" and nothing.wrong(data(), 1.0) == ""
    assert "not what changed most" in finds.wrong(data("score/all"), 1.0)
    assert "found where nothing differs" in nothing.wrong(data("tie"), 1.0)
    assert finds.figures(data("measure/bonuses"), 1.0) == (
        "9 games of each, 1 of 1 figures changed, first of them `measure/bonuses`"
    )


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
    assert "- venture: `mcts:50` against `greedy`" in page and f"- {pairing.game}: `greedy` against" not in page
    strength.write_page({})  # nothing was measured again: the page keeps what it has
    assert (tmp_path / "page.md").read_text("utf-8") == page
    (tmp_path / "page.md").write_text(page.replace(f"--seed {strength.SEED}`", "--seed 1`"), "utf-8")
    strength.write_page({})  # rows of another seed are none of this table
    assert f"| {pairing.game} |" not in (tmp_path / "page.md").read_text("utf-8")


def test_the_table_is_the_same_with_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [strength.Pairing(game, "greedy", "random", 2, True) for game in ("dividends", "palmyra")]
    monkeypatch.setattr(strength, "pairings", lambda: few)
    monkeypatch.setattr(strength, "shipped", lambda: ["dividends", "palmyra"])
    pages = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        folder.mkdir()
        monkeypatch.setattr(strength, "ROOT", folder)
        monkeypatch.setattr(strength, "PAGE", folder / "page.md")
        monkeypatch.setattr(sys, "argv", ["strength.py", "--jobs", jobs])
        assert strength.main() == 0
        pages.append((folder / "page.md").read_text("utf-8"))
        assert len(list((folder / ".cambist").glob("strength-*.json"))) == 2
    assert pages[0] == pages[1] and pages[0].count("| `greedy` against `random` |") == 2


def test_games_that_do_the_same_share_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "shipped", lambda: ["die_bosse", "money", "venture"])
    assert strength.namesakes() == {"die_bosse": "die_bosse", "money": "money", "venture": "die_bosse"}
    few = [strength.Pairing(game, "greedy", "random", 2, True) for game in ("die_bosse", "venture")]
    monkeypatch.setattr(strength, "pairings", lambda: few)
    monkeypatch.setattr(strength, "ROOT", tmp_path)
    monkeypatch.setattr(strength, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(sys, "argv", ["strength.py", "--only", "venture"])
    assert strength.main() == 0
    one, other = [line for line in (tmp_path / "page.md").read_text("utf-8").splitlines() if "| `greedy`" in line]
    assert one == other.replace("venture", "die_bosse") != other
    assert len(list((tmp_path / ".cambist").glob("strength-*.json"))) == 1


def test_what_is_not_shown_is_explained() -> None:
    row = "| coins | 2 | `mcts:200` against `mcts:50` | 60 | {} | 43.0% to 68.0% | 50.0% | 7.0 and 6.0 | not shown |"
    assert strength.why(row.format("55.0%")).endswith(
        "55.0% of 60 games. If that is its rate, about 380 games would show it.\n"
    )
    assert strength.why(row.format("50.0%")).endswith("50.0% of 60 games. No more than equals would win.\n")
