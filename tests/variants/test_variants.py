"""Variants as their authors use them: short, watched for changes of their base, and told where things stand."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file, gathered
from cambist.dsl.finding import shipped
from cambist.dsl.render import render_all
from tests.cli.running import run

HERE = Path(__file__).parent
MONEY = shipped()["money"]
VARIANTS = [*(path for path in shipped().values() if "\nvariant " in path.read_text("utf-8")), *HERE.glob("*.rules")]


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A base that may be changed, and a variant of it."""
    for path in (*MONEY.parent.iterdir(), *HERE.glob("*.rules")):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_eight_lines_are_enough() -> None:
    """5 deals, a bonus of 150, one coin fewer."""
    path = HERE / "rich_money.rules"
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) <= 8
    game = cambist.load(str(path))
    assert game.machine(4).program.options == (("deals", 5),)
    coins = [m for m in game.ruleset.components if m.card == "coin"]
    assert [m.values for m in coins] == [(10, 64 + i) for i in range(5)]  # the last one is taken out
    once = (str(path), "--option", "deals=1")
    assert run("test", *once[:1], "--games", "0").code == 0
    assert run("simulate", *once, "--players", "3", "--games", "1", "--seed", "1", "--check").code == 0
    assert "Rich Money" in run("play", *once, "--seats", "random,random,random", "--seed", "1").out


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_every_change_is_marked_and_as_it_was(path: Path) -> None:
    found, _ = gathered(str(path))
    unmarked = [m.part for m in found.marks if getattr(m.change, "against", None) is None]
    assert unmarked == []


@pytest.mark.parametrize("path", sorted(HERE.glob("*.rules")), ids=lambda path: path.stem)
def test_every_change_has_its_reason(path: Path) -> None:
    ruleset, report = check_file(str(path), strict=True)
    assert ruleset is not None, render_all(report.sorted())


# ---- the base changes


def test_a_changed_part_is_shown_in_both_files(beside: Path) -> None:
    change(beside / "money.rules", "define triplet_bonus = 100", "define triplet_bonus = 90")
    ran = run("check", "rich_money.rules")
    assert ran.code == 1
    assert "error[E0420]: define `triplet_bonus` of `money` has changed since this was written" in ran.out
    assert "rich_money.rules:3:" in ran.out and "set triplet_bonus to 150" in ran.out
    assert "::: money.rules:" in ran.out and "define triplet_bonus = 90" in ran.out
    assert "`cambist accept rich_money.rules` marks it anew" in ran.out
    ran = run("accept", "rich_money.rules")
    assert ran.code == 0 and re.search(r"define `triplet_bonus` \w{4} -> \w{4}", ran.out)
    assert run("check", "rich_money.rules").code == 0
    assert run("fmt", "--check", "rich_money.rules").code == 0
    assert run("accept", "rich_money.rules").out == "rich_money.rules: nothing to mark\n"


def test_a_part_that_is_gone_is_shown_in_both_files(beside: Path) -> None:
    change(beside / "money.rules", "triplet_bonus", "bonus_for_triplets")
    ran = run("check", "rich_money.rules")
    assert ran.code == 1 and "error[E0408]: `money` has no part `triplet_bonus`" in ran.out
    assert "rich_money.rules:3:" in ran.out and "::: money.rules:" in ran.out
    assert run("accept", "rich_money.rules").code == 1  # nothing to accept it for


def test_a_changed_sheet_is_noticed(beside: Path) -> None:
    change(beside / "notes.yaml", "{card: coin, serial: 69}", "{card: coin, serial: 99}")
    ran = run("check", "rich_money.rules")
    assert ran.code == 1 and "deck `box` of `money` has changed" in ran.out


def test_layout_comments_and_citations_do_not_matter(beside: Path) -> None:
    change(beside / "money.rules", "define triplet_bonus = 100  ", "define   triplet_bonus =   # much\n  100")
    change(beside / "money.rules", "phase rounds                ", "phase rounds # a deal\n")
    change(beside / "notes.yaml", "# The 63 notes", "# All 63 notes")
    for name in ("rich_money.rules", "helpful_bank.rules"):
        ruleset, report = check_file(name)
        assert ruleset is not None, render_all(report.sorted())


def test_what_is_not_marked_is_not_watched(beside: Path) -> None:
    path = beside / "rich_money.rules"
    path.write_text(re.sub(r" +against \w+", "", path.read_text("utf-8")), "utf-8")
    change(beside / "money.rules", "define triplet_bonus = 100", "define triplet_bonus = 90")
    assert run("check", "rich_money.rules").code == 0
    assert run("accept", "rich_money.rules").out.count("unmarked") == 4
    assert path.read_text("utf-8").count(" against ") == 4


def test_only_files_are_accepted(beside: Path) -> None:
    ran = run("accept", "palmyra")
    assert ran.code == 2 and "there is no file `palmyra`" in ran.err
    assert run("accept", "money.rules").out == "money.rules: nothing to mark\n"


# ---- what is inherited


def test_an_inherited_example_that_fails_names_both_files(beside: Path) -> None:
    change(beside / "rich_money.rules", "replace example", "remove example")
    path = beside / "rich_money.rules"
    path.write_text(path.read_text("utf-8").rsplit("\n  then", 1)[0] + "\n", "utf-8")
    change(path, "set triplet_bonus to 150", "replace define triplets(p) = 0")
    path.write_text(re.sub(r" +against \w+", "", path.read_text("utf-8")), "utf-8")
    ran = run("test", "rich_money.rules", "--games", "0")
    assert ran.code == 1 and "FAILED a worked score\n  money.rules:" in ran.out
    assert '`rich_money.rules` inherits it; `replace example "a worked score"` there says what' in ran.out
    failed = run("test", "rich_money.rules", "--games", "0", "--json").data("test")["failed"]
    assert all("rich_money.rules" in failure["help"] for failure in failed)


def test_an_inherited_invariant_can_be_different(beside: Path) -> None:
    (beside / "seven.rules").write_text(
        'variant seven of money "Seven"\ninsert at end of deal\n  each p: move 1 from stock to p.hand\n'
        'remove example "six cards each, four in each lot"\n'
    )
    ran = run("test", "seven.rules", "--games", "1")
    assert ran.code == 1 and "`replace invariant six_each` there says what holds instead" in ran.out
    with (beside / "seven.rules").open("a") as file:
        file.write("replace invariant six_each after deal(out): every p where size of p.hand = 7\n")
    assert run("test", "seven.rules", "--games", "1").code == 0


def test_what_a_change_makes_wrong_in_the_base_names_the_variant(beside: Path) -> None:
    (beside / "poor.rules").write_text('variant poor of money "Poor"\nremove 5 coin from box\n')
    ran = run("check", "poor.rules")
    assert "--> money.rules:" in ran.out and "note: `poor.rules` inherits it; `replace example" in ran.out


# ---- where things stand

FILES = {
    "share.rules": """\
library share "Equal shares"
  needs zone_of_all
  offers give_out

deck pot of thing
  3 thing
card thing
zone zone_of_all: row, seen by all
procedure give_out(n)
  let each_gets = 6 / n rounded down
  shuffle zone_of_all
""",
    "shop.rules": """\
game shop "Shop"
  players 2..2
card chip
deck box of chip
  9 chip
zone shelf: row, seen by all
use share with zone_of_all is shelf
define part(n) = 6 / n rounded down
define people = 2
phase opening
  move 2 from box to shelf
phase selling
  share.give_out(people)
play
  opening
  selling
  let of_each = part(people)
score p = 0
winner most score, ties shared
""",
}
VARIANT = 'variant stall of shop "Stall"\n'
PUT_IN = "insert at end of opening\n  move 1 from box to shelf\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


@pytest.mark.usefixtures("shop")
def test_events_stand_where_their_line_stands() -> None:
    Path("stall.rules").write_text(VARIANT + PUT_IN)
    match = cambist.load("stall.rules").start(players=2, seed=1)
    told = [e for e in match.log if type(e).__name__ in ("Moved", "Shuffled")]
    places = [(e.at.span.file.name, e.at.span.line) for e in told]
    assert places == [("shop.rules", 11), ("stall.rules", 3), ("share.rules", 11)]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ("set people to 0\n", "share.rules:10"),  # faults of a running game: in the module,
        ("set people to 0\nremove share.give_out in selling\n", "shop.rules:8"),  # in the base,
        (
            "insert at start of selling\n  let x = 1 / (people - people) rounded down\n",
            "stall.rules:3",
        ),  # in the variant
        ("remove define part\n", "shop.rules:17"),  # what is wrong before: in the base,
        ("set people to nobody_knows\n", "stall.rules:2"),  # in the variant,
        ("rename_all\n", "stall.rules:2"),
        ("replace use share with zone_of_all is box, more is box\n", "stall.rules:2"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_complaints_stand_where_their_line_stands(changes: str, where: str) -> None:
    Path("stall.rules").write_text(VARIANT + changes)
    ran = run("simulate", "stall.rules", "--players", "2", "--games", "1", "--seed", "1")
    assert ran.code == 1
    assert f"--> {where}:" in ran.out + ran.err
