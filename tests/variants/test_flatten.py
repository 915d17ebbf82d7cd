"""A variant as text of its own: the same games, the same strictness, no base; and nodes back to text in general."""

from __future__ import annotations

from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file, flatten
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.layout import formatted
from cambist.dsl.render import render_all
from cambist.dsl.source import SourceFile
from cambist.dsl.unparse import unparse
from cambist.interpreter.rule_tests import run_examples
from tests.cli.running import run
from tests.harness.cases import read_cases
from tests.harness.fragments import whole
from tests.hostile.generator import Generator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOTH = HERE / "both.rules"


@pytest.mark.parametrize("game", ["palmyra", str(BOTH)])
def test_flattened_text_stands_alone(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flat, found = flatten(game)
    monkeypatch.chdir(tmp_path)
    path = Path(f"{found.game.name.text}.rules")
    path.write_text(flat.text, "utf-8")
    checked, report = check_file(str(path), strict=True)
    assert checked is not None, render_all(report.sorted())
    assert flat.beside == {} and formatted(flat.text) == flat.text
    assert not [line for line in flat.text.splitlines() if line.startswith(("variant", "replace", "insert", "set "))]
    outcomes = run_examples(cambist.Game(checked).machine, range(3, 4))
    assert [o.title for o in outcomes if not o.passed] == []


def test_games_are_compared() -> None:
    assert run("flatten", str(BOTH), "--compare", "1").out == "1 games of both and of its flattened text are the same\n"


def test_comments_are_kept_where_nothing_has_changed() -> None:
    text = flatten(str(HERE / "rich_money.rules"))[0].text
    assert "# all three of a currency's 20s, or of its 30s" in text
    assert "# ---- a round\n" in text
    assert "  1 coin 10 68\n" in text and "  1 coin 10 69\n" not in text
    assert "# whose bid is still on the table" in text


FILES = {
    "toll.rules": """\
library toll "Toll"
  needs road
  offers fee
define road = 1
define fee = road + 1
""",
    "trip.rules": """\
game trip "Trip"
  players 2..2
enum side: north, south
unit euro step 0.5
track level of each side: 0, 1, 2, start from "levels.yaml"
card ticket: side, price: euro
deck box of ticket from "tickets.yaml"
define road = 3
use toll
play
  nothing
score p = toll.fee
winner most score, ties shared
example "fee"
  then toll.fee = 4; south.level = 2
""",
    "tickets.yaml": """\
sheet: 1
cards:
  - {card: ticket, side: north, price: 2}
  - {card: ticket, side: south, price: 3, count: 2}
""",
    "levels.yaml": "sheet: 1\nstated: {north: 1, south: 2}\n",
    "walk.rules": """\
variant walk of trip "Walk"
  rename road to path, south to downhill
remove 1 ticket downhill 3 from box
""",
}


def test_sheets_and_modules_come_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    ran = run("flatten", "walk.rules")
    assert ran.code == 0 and "it needs levels.yaml, toll.rules beside it; `-o FOLDER` writes all of it" in ran.err
    assert "use toll with road is path\n" in ran.out and "  1 ticket north 2\n  1 ticket downhill 3\n" in ran.out
    assert run("flatten", "walk.rules", "-o", "alone").code == 0
    assert "downhill: 2" in Path("alone/levels.yaml").read_text("utf-8")
    one, other = (cambist.load(path).machine(2).program for path in ("walk.rules", "alone/walk.rules"))
    assert one.digest == other.digest
    assert run("test", "alone/walk.rules", "--games", "1").code == 0
    Path("alone/levels.yaml").write_text("sheet: 1\n")
    ran = run("flatten", "walk.rules", "-o", "alone")
    assert ran.code == 2 and "holds something else" in ran.err
    ran = run("flatten", "walk.rules", "-o", "trip.rules")
    assert ran.code == 2 and "is what the ruleset is read from" in ran.err
    ran = run("flatten", "walk.rules", "--json")
    assert ran.code == 2 and "`--compare`" in ran.err


# ---- nodes to text and back


def again(text: str, name: str) -> None:
    report = Report()
    tree = build(SourceFile(name, text), report)
    if report.has_errors:
        return  # what cannot be read has no text to come back to
    made = unparse(tree)
    report = Report()
    back = build(SourceFile(name, made), report)
    assert not report.items, f"{made}\n{render_all(report.sorted())}"
    assert back == tree, made


RULES = [*shipped().values(), *library_folder().glob("*.rules"), *ROOT.glob("examples/**/*.rules")]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_ruleset_comes_back(path: Path) -> None:
    again(path.read_text("utf-8"), path.name)


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "language").glob("*.md")), ids=lambda path: path.stem)
def test_every_block_of_the_specification_comes_back(path: Path) -> None:
    for case in read_cases(path):
        again(case.text, str(case))
        for name, text in case.files.items():
            if name.endswith(".rules"):
                again(text, name)


def test_made_up_rules_come_back() -> None:
    for seed in range(12):
        again(whole(Generator(seed, noise=0.03).ruleset()).text, f"seed {seed}")
