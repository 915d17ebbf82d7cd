"""Pages are whole, need nothing from outside, name every axis, and let nothing of a ruleset through unescaped."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import Ran, run

HERE = Path(__file__).parent
MARKET = HERE / "market.rules"
OUTSIDE = re.compile(r"url\(|@import|https?:|<script|javascript:")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    report, compare = str(folder / "report.html"), str(folder / "compare.html")
    told = run("report", str(MARKET), "--games", "30", "--seed", "1", "-o", report)
    assert told.code == 0 and "30 games of Market" in told.out and "the page is in" in told.err
    other = folder / "dear.rules"
    other.write_text(MARKET.read_text("utf-8").replace("= 1 * size", "= 2 * size"), "utf-8")
    told = run("compare", str(MARKET), str(other), "--games", "30", "--seed", "1", "-o", compare)
    assert told.code == 0 and "The measure “bonuses” is" in told.out
    return {name: Path(path).read_text("utf-8") for name, path in (("report", report), ("compare", compare))}


@pytest.mark.parametrize("name", ["report", "compare"])
def test_a_page_is_well_formed_and_names_every_axis(made: dict[str, str], name: str) -> None:
    text = made[name]
    assert text.startswith("<!DOCTYPE html>\n")
    page = ElementTree.fromstring(text.partition("\n")[2])  # what is well formed here is so for every browser
    plots = list(page.iter("svg"))
    assert len(plots) > 8
    for plot in plots:
        axes = [part.text for part in plot.iter("text") if "axis" in part.get("class", "").split()]
        assert len(axes) == 2 and all(axes), ElementTree.tostring(plot)[:300]
        title = plot.find("title")
        assert title is not None and title.text


@pytest.mark.parametrize("name", ["report", "compare"])
def test_a_page_loads_nothing_and_runs_nothing(made: dict[str, str], name: str) -> None:
    page = ElementTree.fromstring(made[name].partition("\n")[2])
    assert {part.tag for part in page.iter()} & {"script", "link", "img", "iframe", "object", "embed"} == set()
    attributes = {key for part in page.iter() for key in part.keys()}
    assert not attributes & {"src", "href", "data", "action"} and not any(key.startswith("on") for key in attributes)
    assert not OUTSIDE.search(made[name])
    assert "Content-Security-Policy" in made[name]


def test_nothing_of_the_rules_is_markup(made: dict[str, str]) -> None:
    for text in made.values():
        assert "<script>alert" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "sold out &lt;b&gt;" in made["report"] and "&lt;i&gt;not&lt;/i&gt;" in made["report"]


def test_every_part_of_a_report_is_there(made: dict[str, str]) -> None:
    headings = re.findall(r"<h2>(.*?)</h2>", made["report"])
    assert headings == [
        "Who wins", "Scores", "How long a game takes", "What there is to choose from", "Actions", "Cards",
        "Markets and tracks", "Money in play", "How close it is", "Measures", "The course of a game", "How games end",
        "Rules that were never used", "What is assumed",
    ]  # fmt: skip
    assert "limit too_rich" in made["report"] and "cambist report" in made["report"]


def test_the_same_command_makes_the_same_page(made: dict[str, str], tmp_path: Path) -> None:
    again = tmp_path / "report.html"
    run("report", str(MARKET), "--games", "30", "--seed", "1", "--jobs", "2", "-o", str(again))
    assert again.read_text("utf-8") == made["report"]


def test_json_fits_its_schema() -> None:
    data = run("report", str(MARKET), "--games", "12", "--json").data("report")
    assert data["played"] == 12 and [m["name"] for m in data["measures"]] == ["prices", "bonuses", "spent", "poor"]
    assert sum(end["games"] for end in data["ends"]) == 12 and data["options"] == {}
    data = run("compare", str(MARKET), str(MARKET), "--games", "12", "--json").data("compare")
    assert data["alike"] == data["pairs"] == 12 and not any(figure["beyond_chance"] for figure in data["figures"])


def test_rules_that_always_fail_make_a_page_too(tmp_path: Path) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text(
        MARKET.read_text("utf-8").replace("  repeat 6 times\n", "  require no\n  repeat 6 times\n"), "utf-8"
    )
    told = run("report", str(broken), "--games", "3", "-o", str(tmp_path / "page.html"))
    assert told.code == 1 and "None of the 3 games" in told.out
    assert "broken.rules:39: R0111 " in told.err and "cambist record" in told.err
    assert "R0111 <code>no</code> does not hold" in (tmp_path / "page.html").read_text("utf-8")
    told = run("compare", str(MARKET), str(broken), "--games", "3", "-o", str(tmp_path / "page.html"))
    assert told.code == 1 and "failed because of a mistake" in told.out


def wrong(*words: str) -> Ran:
    told = run(*words)
    assert told.code == 2 and "error:" in told.err and "Traceback" not in told.err
    return told


def test_what_people_type_wrong(tmp_path: Path) -> None:
    assert "is for 2 to 3 players" in wrong("report", str(MARKET), "--players", "9").err
    assert "no option" in wrong("report", str(MARKET), "--option", "x=1").err
    assert "`gredy` cannot sit at the table" in wrong("report", str(MARKET), "--seats", "gredy,random").err
    assert (
        "--seats names 2 players"
        in wrong("compare", *[str(MARKET)] * 2, "--seats", "random,random", "--players", "3").err
    )
    assert "--games" in wrong("report", str(MARKET), "--games", "0").err
    assert "OTHER" in wrong("compare", str(MARKET)).err
    for command in (("report", str(MARKET)), ("compare", str(MARKET), str(MARKET))):  # before a game is played
        assert "there is no folder" in wrong(*command, "-o", str(tmp_path / "no" / "page.html")).err
        assert "is a folder" in wrong(*command, "-o", str(tmp_path)).err
    lonely = tmp_path / "lonely.rules"
    lonely.write_text(MARKET.read_text("utf-8").replace("players 2..3", "players 5..6"), "utf-8")
    assert "no number of players fits both" in wrong("compare", str(MARKET), str(lonely)).err
