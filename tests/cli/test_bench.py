"""`cambist bench`: what is measured is there, promises and regressions are told; how fast it is, no test asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cambist.benching import bench, report
from cambist.benching.clock import paces, ratio
from cambist.benching.yardsticks import Which, in_the_middle
from tests.cli.running import run, tender

PLAN = """\
plan: 1
yardsticks:
  {rules}: [by_hand.py, again_by_hand.py, once_more.py]
most_turns:
  {rules}: 1000
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
    return Result([seed % 7 for _ in range(players)], 8 + seed % 3)


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
    for name in ("by_hand", "again_by_hand", "tuned_by_hand"):
        (folder / f"{name}.py").write_text(BY_HAND, "utf-8")
    (folder / "once_more.py").write_text(
        BY_HAND.replace("return Result", "sum(range(4_000_000)); return Result"), "utf-8"
    )
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
    assert [stick["kind"] for stick in measured["yardsticks"]] == ["clean"] * 3 + ["tuned"]
    assert [stick["too_slow"] for stick in measured["yardsticks"]] == [False, False, True, False]
    counting = [stick for stick in measured["yardsticks"] if stick["counts"]]
    assert [stick["kind"] for stick in counting] == ["clean", "tuned"]
    assert all("us_per_clone" in stick and "us_per_listing" in stick for stick in counting)
    (whole,) = measured["measures"][0]["of"].values()
    assert (
        whole == counting[0]["compiled_against_it"] == min(s["compiled_against_it"] for s in measured["yardsticks"][:2])
    )
    assert all(stick["loops_per_decision"] > 0 and stick["scores_apart"] > 3 for stick in measured["yardsticks"])
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


@pytest.mark.parametrize(
    ("turns", "most", "found"),
    [
        ([5, 3, 9], None, 5),
        ([5, 3, 9], 6, 3),  # of two the quicker
        ([5, 3, 9, 4, 8], None, 5),
        ([5, 3, 9, 4, 8], 8, 4),
        ([7], 7, 7),
        ([5, 3, 9], 2, 5),  # all are too slow, which is told
    ],
)
def test_the_yardstick_is_the_one_in_the_middle(turns: list[float], most: float | None, found: float) -> None:
    versions = {Which("game", "clean", str(place)): value for place, value in enumerate(turns)}
    assert versions[in_the_middle(versions, most)] == found


def test_a_promise_that_is_missed_is_told(measured: Any) -> None:
    missed = report.missed(measured)
    assert any(line.startswith("whole random games") for line in missed)
    assert sum("it is another game" in line for line in missed) == 4
    assert not any("slower than a yardstick may be" in line for line in missed)
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
        and "players, clean, once_more | too slow |" in text
        and "players, tuned, tuned_by_hand | told beside |" in text
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
