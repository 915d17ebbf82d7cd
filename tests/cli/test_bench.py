"""`cambist bench`: what is measured is there, promises and regressions are told; how fast it is, no test asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cambist.benching import bench, report
from cambist.benching.clock import paces, ratio
from cambist.benching.yardsticks import median_within, quickest
from tests.cli.running import run, tender

PLAN = """\
plan: 1
yardsticks:
  {rules}: [by_hand.py, again_by_hand.py, once_more.py]
most_turns:
  {rules}: 1
tuned:
  {rules}: tuned_by_hand.py
others: {rules}
crowd: {{game: {rules}, players: [2, 4]}}
growth:
  - {{game: {rules}, players: [2, 4]}}
  - {{game: {rules}, option: rounds, values: [1, 5]}}
processes: {rules}
"""
BY_HAND = '''\
"""No game at all, but in the form of one."""
from collections import namedtuple

Result = namedtuple("Result", "scores decisions")


def random_game(players, seed):
    return Result([sum(range(3000)) % 7 for _ in range(players)], 8 + seed % 3)


class Game:
    def __init__(self, players, seed, left=40):
        self.left = left

    def legal_actions(self):
        return list(range(3)) if self.left else []

    def apply(self, action):
        self.left -= 1

    def clone(self):
        return Game(0, 0, self.left)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    for name in ("by_hand", "again_by_hand", "once_more", "tuned_by_hand"):
        (folder / f"{name}.py").write_text(BY_HAND, "utf-8")
    (folder / "plan.yaml").write_text(PLAN.format(rules=tender(folder)), "utf-8")
    return folder


@pytest.fixture(scope="module")
def measured(folder: Path) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "SAMPLE", 20)
        patch.setattr(bench, "two_against_one", lambda rules, rounds, seconds: 1.9)  # no two free cores in a test
        patch.setattr(bench, "help_seconds", lambda rounds: 0.1)
        rules = str(folder / "tender.rules")
        ran = run("bench", rules, "--rounds", "1", "--seconds", "0.002", "--plan", str(folder / "plan.yaml"), "--json",
                  "--write-baseline", str(folder / "baseline.json"))  # fmt: skip
    return ran.data("bench")


def test_every_engine_and_every_measure_is_there(measured: Any, folder: Path) -> None:
    assert [game["engine"] for game in measured["games"]] == ["reference", "compiled"]
    for game in measured["games"]:
        assert game["players"] == 4 and all(game[key] > 0 for key in game if key.startswith(("us_", "bytes_")))
    assert [stick["kind"] for stick in measured["by_hand"]] == ["clean"] * 3 + ["tuned"]
    assert all(stick["loops_per_decision"] > 0 and stick["scores_apart"] > 4 for stick in measured["by_hand"])
    (stick,) = measured["yardsticks"]
    assert stick["most_turns"] == stick["turns"] == 1 < stick["median"]
    against = [stick["compiled_against_it"] for stick in measured["by_hand"]]
    (whole,) = measured["measures"][0]["of"].values()
    assert whole < min(against) and measured["measures"][0]["tuned"] == {stick["game"]: against[-1]}
    told = [measure["tuned"].keys() == measure["of"].keys() for measure in measured["measures"]]
    assert told == [True] * 4 + [False] * 6  # what has a yardstick is told against the tuned one, too
    assert [(g["of"], [cell["value"] for cell in g["cells"]]) for g in measured["growth"]] == [
        ("players", [2, 4]),
        ("rounds", [1, 5]),
    ]
    assert [growth["cells"][0]["against_first"] for growth in measured["growth"]] == [1, 1]
    (loading,) = measured["loading"]
    assert loading["lines"] == len((folder / "tender.rules").read_text("utf-8").splitlines())
    assert len(measured["measures"]) == 10  # there is no other game
    report.show(measured)


def test_the_yardstick_is_the_median_or_its_limit() -> None:
    one, two, three = [5.0, 50.0], [3.0, 30.0], [9.0, 90.0]  # by round
    assert median_within([one, two, three], None) == [5, 50]
    assert median_within([one, two, three], [7, 40]) == [5, 40]
    assert median_within([three], [20, 20]) == [9, 20]
    assert quickest([one, two, three]) == two


def test_a_promise_that_is_missed_is_told(measured: Any) -> None:
    missed = report.missed(measured)
    assert any(line.startswith("whole random games") for line in missed)
    assert sum("it is another game" in line for line in missed) == 4
    assert not any("two processes" in line or "--help" in line for line in missed)


def changed(measured: Any, place: int, by: float) -> Any:
    data = json.loads(json.dumps(measured))
    of = data["measures"][place]["of"]
    for name in of:
        of[name] *= by
    return data


def test_a_ratio_that_is_a_fifth_worse_is_told(measured: Any, folder: Path) -> None:
    baseline = report.read_baseline(folder / "baseline.json")
    assert report.regressions(baseline, measured) == []
    assert measured["measures"][0]["less_is_better"] is False and measured["measures"][2]["less_is_better"] is True
    for place, by in ((0, 0.85), (2, 1.15), (2, 0.5)):
        assert report.regressions(baseline, changed(measured, place, by)) == []
    assert len(report.regressions(baseline, changed(measured, 0, 0.8))) == 1
    assert len(report.regressions(baseline, changed(measured, 2, 1.25))) == 1


def test_the_table_of_a_readme(measured: Any, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"# Fast\n\n{report.BEGIN}\nold table\n{report.END}\n\nmore\n", "utf-8")
    report.write_readme(readme, measured)
    text = readme.read_text("utf-8")
    assert (
        "old table" not in text
        and "| whole random games, compiled" in text
        and "players, clean, once_more |" in text
        and "more than 1 count as 1: that is the yardstick." in text
        and text.endswith("\n\nmore\n")
    )
    report.write_readme(readme, measured)
    assert readme.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("plan: 1", "plan: 2"), "plan: 1 was expected"),
        (("plan: 1", "plan: [1"), "line "),
        (("others: ", "others: un"), "has no yardstick"),
        (("tuned:\n  ", "tuned:\n  un"), "has no yardstick"),
        (("most_turns:\n  ", "most_turns:\n  un"), "`most_turns` names"),
        (("[by_hand.py", "[nowhere.py"), "there is no yardstick"),
        (("[by_hand.py", "[broken.py"), "does not run: ZeroDivisionError"),
        ((" tuned_by_hand.py", " empty.py"), "is no yardstick"),
    ],
)
def test_a_plan_that_is_wrong(change: tuple[str, str], words: str, folder: Path) -> None:
    (folder / "broken.py").write_text("1 / 0\n", "utf-8")
    (folder / "empty.py").write_text("", "utf-8")
    plan = folder / "wrong.yaml"
    plan.write_text((folder / "plan.yaml").read_text("utf-8").replace(*change), "utf-8")
    ran = run("bench", str(folder / "tender.rules"), "--plan", str(plan))
    assert ran.code in (1, 2) and words in ran.err and ran.out == ""


def test_a_file_that_is_no_baseline(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    ran = run("bench", "--readme", str(tmp_path / "nowhere.md"))
    assert ran.code == 2 and "there is no file" in ran.err
    for text in ("{", "{}", '{"baseline": 1, "ratios": {"a": 1}}'):
        path.write_text(text, "utf-8")
        with pytest.raises(Exception, match="is no baseline"):
            report.read_baseline(path)


def test_contestants_take_turns() -> None:
    seen: list[str] = []

    def turn(name: str, work: int) -> Any:
        def play(count: int) -> float:
            seen.append(name)
            sum(range(work * count))
            return count

        return play

    found = paces({"a": turn("a", 2000), "b": turn("b", 8000)}, 3, 0.004)
    assert seen[-6:] == ["a", "b"] * 3 and len(found["a"]) == 3
    assert ratio(found["b"], found["a"]) > 1.5
