"""`cambist new`: what it makes is sound at once and can be changed; what cannot be made leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file, formatted, shipped
from cambist.starting import Start, copy_of, variant_of
from tests.cli.running import process, run, tender


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _is_sound(name: str, strictly: bool = True) -> None:
    """What the new folder's own words tell one to do."""
    ran = run("check", *(["--strict"] if strictly else []), name)
    assert ran.code == 0 and "no problems" in ran.out, ran.out
    ran = run("test", name)
    assert ran.code == 0 and "pass" in ran.out, ran.out + ran.err
    ran = run("fmt", "--check", name)
    assert ran.code == 0, ran.out


def test_the_template(here: Path) -> None:
    ran = run("new", "my_fair", "--title", "My fair")
    assert ran.code == 0 and "cambist play my_fair" in ran.out and "my_fair.rules, README.md" in ran.out
    assert sorted(os.listdir()) == ["my_fair"] and sorted(os.listdir("my_fair")) == ["README.md", "my_fair.rules"]
    _is_sound("my_fair")
    assert "My fair: 20 games of 4 players" in run("simulate", "my_fair", "--games", "20", "--check").out
    played = process("play", "my_fair", "--seed", "1", "--players", "2", cwd=here, input="buy wool\nwait\nquit\n")
    assert played.code == 0 and "my_fair" not in played.err and "buy" in played.out
    game = cambist.load("my_fair")
    assert (game.name, game.title) == ("my_fair", "My fair")
    assert (here / "my_fair").stat().st_mode & 0o777 == 0o777 & ~_mask()
    readme = Path("my_fair/README.md").read_text("utf-8")
    assert readme.startswith("# My fair\n") and "{" not in readme


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_every_reachable_of_the_template_is_often_reached() -> None:
    """So that nobody who begins with it is told that it is not."""
    run("new", "fair")
    for seed in ("1", "2", "3"):
        out = run("simulate", "fair", "--games", "40", "--seed", seed, "--check").out
        assert "sold_out: reached in" in out and "reached in 0" not in out


def _laid_down(start: Start) -> Path:
    for name, data in start.files.items():
        Path(name).write_bytes(data)
    return Path(start.rules)


@pytest.mark.parametrize("game", shipped())
def test_a_copy_of_a_shipped_game_says_the_same(game: str) -> None:
    start = copy_of(game, "copied", "A copy")
    old, new = shipped()[game].read_text("utf-8").splitlines(), start.files["copied.rules"].decode().splitlines()
    ((before, after),) = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    assert before.split()[1] == game and after.split()[1] == "copied" and after.endswith('"A copy"')
    sheets = set(re.findall(r'(?:from|start from) "([^"]*)"', "\n".join(old)))
    assert {name for name in start.files if not name.startswith("copied.")} == sheets
    assert all(start.files[sheet] == (shipped()[game].parent / sheet).read_bytes() for sheet in sheets)


@pytest.mark.parametrize("game", sorted(set(shipped()) - {"die_bosse", "riche_ou_pauvre", "buy_low_sell_high"}))
def test_what_a_variant_is_told_can_be_set_can_be_set(game: str) -> None:
    path = _laid_down(variant_of(game, "other", "Another"))
    text = path.read_text("utf-8")
    assert formatted(text) == text
    settable = [line for line in text.splitlines() if line.startswith("# set ")]
    assert settable, "there is nothing to set"
    for line in settable:
        text = text.replace(f"{line}\n", f"{line.removeprefix('# ')}\n")
    path.write_text(text, "utf-8")
    ruleset, report = check_file(str(path), strict=True)
    assert ruleset is not None and not report.items, [d.message for d in report.items]


def test_a_copy_of_a_shipped_game_is_sound() -> None:
    ran = run("new", "my_money", "--from", "money")
    assert ran.code == 0 and "my_money.rules, my_money.equivalent.yaml, notes.yaml, README.md" in ran.out
    _is_sound("my_money")


def test_a_variant_is_tested_by_its_base() -> None:
    run("new", "fair")
    assert run("new", "dear_fair", "--variant-of", "fair").code == 0
    assert sorted(os.listdir("dear_fair")) == ["README.md", "dear_fair.rules", "fair.rules"]
    shutil.rmtree("fair")
    _is_sound("dear_fair")
    path = Path("dear_fair/dear_fair.rules")
    path.write_text(path.read_text("utf-8").replace("# set purse to 15", "set purse to 20  "), "utf-8")
    assert run("check", "--strict", "dear_fair").code == 0
    ran = run("test", "dear_fair")
    assert ran.code == 1 and "how it begins" in ran.out


def test_a_copy_of_a_variant_stays_one_and_its_base_comes_along() -> None:
    run("new", "fair")
    run("new", "dear", "--variant-of", "fair")
    assert run("new", "dearer", "--from", "dear").code == 0
    assert sorted(os.listdir("dearer")) == ["README.md", "dearer.rules", "fair.rules"]
    _is_sound("dearer")
    assert run("new", "far", "--from", "palmyra").code == 0
    assert sorted(os.listdir("far")) == ["README.md", "far.rules"]
    assert "variant far of buy_low_sell_high" in Path("far/far.rules").read_text("utf-8")


def test_sheets_and_modules_come_along_and_nothing_else(here: Path) -> None:
    home = here / "home"
    home.mkdir()
    path = Path(
        tender(home, ("  6 slip 1\n  6 slip 2\n  6 slip 5\n", ""), ("box of slip,", 'box of slip from "slips.yaml",'))
    )
    text = path.read_text("utf-8").replace("\nphase bidding", "\nuse toll\n\nphase bidding", 1)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (home / "slips.yaml").write_text("sheet: 1\ncards:\n  - {card: slip, value: 2, count: 18}\n")
    (home / "toll.rules").write_text('library toll "Toll"\n  offers fee\n\ndefine fee = 3\n')
    (home / "secret.yaml").write_text("nobody asked for this")
    ran = run("new", "mine", "--from", str(path))
    assert ran.code == 0, ran.err
    assert sorted(os.listdir("mine")) == ["README.md", "mine.rules", "slips.yaml", "toll.rules"]
    shutil.rmtree(home)
    assert run("test", "mine").code == 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("my-game",), "for example `my_game`"),
        (("7wonders",), "for example `game_7wonders`"),
        (("",), "for example `my_game`"),
        (("..",), "for example `my_game`"),
        (("é",), "cannot be a name"),
        (("a\0b",), "cannot be a name"),
        (("x" * 65,), "at most 64 letters"),
        (("where",), "is a word of the language"),
        (("money",), "is a shipped game"),
        (("sealed",), "is a module of the library"),
        (("taken",), "there is a folder `taken` already"),
        (("written",), "there is a file `written` already"),
        (("broken_link",), "there is a file `broken_link` already"),
        (("nowhere/mine",), "`nowhere` does not exist"),
        (("written/mine",), "`written` is not a folder"),
        (("x", "--from", "moneyy"), "money"),
        (("x", "--from", "money", "--variant-of", "money"), "two ways to begin"),
        (("x", "--title", 'a "b"'), "no double quotes"),
        (("x", "--title", "a\nb"), "on one line"),
        (("x", "--title", " "), "1 to 80 characters"),
        (("x", "--variant-of", "nowhere.rules"), "does not exist"),
        ((), "Missing argument"),
    ],
)
def test_wrong_usage(given: tuple[str, ...], says: str) -> None:
    os.mkdir("taken")
    Path("written").write_text("text")
    os.symlink("nothing", "broken_link")
    before = sorted(os.listdir())
    ran = run("new", *given)
    assert (ran.code, ran.out) == (2, "") and says in ran.err, ran.err
    assert sorted(os.listdir()) == before


def test_what_is_wrong_is_not_copied(here: Path) -> None:
    wrong = tender(here, ("score p = p.purse", "score p = p.purs"))
    ran = run("new", "mine", "--from", wrong)
    assert ran.code == 1 and "error[E0" in ran.err and "tender.rules" in ran.err
    (here / "lib.rules").write_text('library lib "Lib"\n  offers fee\n\ndefine fee = 3\n')
    ran = run("new", "mine", "--variant-of", "lib.rules")
    assert ran.code == 2 and "is a library, not a game" in ran.err
    assert sorted(os.listdir()) == ["lib.rules", "tender.rules"]


def test_a_full_disk_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", fail)
        ran = run("new", "mine")
    assert ran.code == 1 and "`mine` cannot be written: No space left on device" in ran.err
    monkeypatch.setattr("tempfile.mkdtemp", fail)
    ran = run("new", "mine")
    assert ran.code == 1 and "`mine` cannot be made: No space left on device" in ran.err
    assert os.listdir() == []


def test_elsewhere(here: Path) -> None:
    os.mkdir("games")
    assert run("new", "games/mine").code == 0
    assert run("check", "--strict", "games/mine").code == 0
    assert run("check", "--strict", str(here / "games" / "mine" / "mine.rules")).code == 0
