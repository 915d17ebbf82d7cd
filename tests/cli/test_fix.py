"""`cambist check --fix`: what it changes, what it leaves alone, and what it says."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from cambist import fixing
from cambist.dsl.finding import library_folder
from cambist.problems import UserError
from tests.cli.running import run

RIGHT = Path(__file__).parents[1].joinpath("mistakes", "shop.rules").read_text("utf-8")
WRONG = RIGHT.replace("enum ware:", "enum ware").replace("till in penny", "till in peny").replace(" >= ", " => ")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("shop.rules").write_text(WRONG, "utf-8")


def test_it_mends_and_tells_what() -> None:
    ran = run("check", "--fix", "shop.rules")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "fixed shop.rules:10: put in `:`",
        "fixed shop.rules:18: `peny` -> `penny`",
        "fixed shop.rules:31: `=>` -> `>=`",
        "",
        "shop.rules: no problems",
    ]
    assert Path("shop.rules").read_text("utf-8") == RIGHT
    assert run("check", "--fix", "shop.rules").out == "shop.rules: no problems\n"


def test_check_shows_the_mended_line_and_the_command() -> None:
    ran = run("check", "shop.rules")
    assert ran.code == 1
    assert "31 | define affordable(p, g) = p.purse >= g.price" in ran.out and "~~" in ran.out
    assert "`cambist check --fix shop.rules` can mend all" in ran.out
    assert Path("shop.rules").read_text("utf-8") == WRONG


def test_a_dry_run_is_a_diff() -> None:
    ran = run("check", "--fix", "--dry-run", "shop.rules")
    assert ran.code == 1 and ran.out.startswith("--- shop.rules\n+++ shop.rules\n@@ ")
    assert "-account till in peny, unlimited\n+account till in penny, unlimited\n" in ran.out
    assert ran.out.endswith("shop.rules: no problems would be left\n")
    assert Path("shop.rules").read_text("utf-8") == WRONG


def test_json_has_the_fixes() -> None:
    data = run("check", "--json", "shop.rules").data("check")
    fix = next(d["fix"] for d in data["diagnostics"] if d["code"] == "E0101")
    assert fix == {
        "file": "shop.rules", "line": 18, "column": 17, "end_line": 18, "end_column": 21, "old": "peny", "new": "penny"
    }  # fmt: skip
    tried = run("check", "--fix", "--dry-run", "--json", "shop.rules").data("check")
    assert [f["new"] for f in tried["fixed"]] == [":", "penny", ">="] and tried["diff"].startswith("--- shop.rules")
    done = run("check", "--fix", "--json", "shop.rules").data("check")
    assert (done["game"], done["errors"], len(done["fixed"]), "diff" in done) == ("shop", 0, 3, False)


def test_line_ends_mark_rights_and_links_stay() -> None:
    path = Path("shop.rules")
    path.write_bytes(b"\xef\xbb\xbf" + WRONG.replace("\n", "\r\n").encode("utf-8"))
    path.chmod(0o640)
    Path("linked.rules").symlink_to(path)
    assert run("check", "--fix", "linked.rules").code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert Path("linked.rules").is_symlink()


def test_what_needs_the_author_is_left() -> None:
    Path("shop.rules").write_text(WRONG.replace(", ties shared", ""), "utf-8")
    ran = run("check", "--fix", "shop.rules")
    assert ran.code == 1 and "fixed shop.rules:10" in ran.out
    assert "error[E0301]: `winner` without a tie policy" in ran.out and "shop.rules: 1 problem\n" in ran.out


def test_shipped_files_are_not_touched() -> None:
    for given in ("money", str(library_folder() / "deck.rules")):
        ran = run("check", "--fix", given)
        assert ran.code == 2 and "not changed" in ran.err and "copy" in ran.err


def test_only_named_files_are_changed() -> None:
    sheet = "sheet: 1\ncards:\n  - {card: parcel, ware: apples, pirce: 2, count: 18}\n"
    rows = "  6 parcel apples 2\n  6 parcel bread 3\n  6 parcel cheese 4\n"
    text = RIGHT.replace("store of parcel,", 'store of parcel from "goods.yaml",').replace(rows, "")
    Path("shop.rules").write_text(text[: text.index("example")], "utf-8")
    Path("goods.yaml").write_text(sheet, "utf-8")
    alone = run("check", "--fix", "shop.rules")
    assert alone.code == 1 and "`cambist check --fix shop.rules goods.yaml` can mend it" in alone.out
    assert Path("goods.yaml").read_text("utf-8") == sheet
    both = run("check", "--fix", "shop.rules", "goods.yaml")
    assert both.code == 0 and "fixed goods.yaml:3: `pirce` -> `price`" in both.out
    assert Path("goods.yaml").read_text("utf-8") == sheet.replace("pirce", "price")


def test_several_files_are_mended_before_any_is_told_of() -> None:
    """A variant is sound once its base is."""
    Path("quick.rules").write_text('variant quick of shop "Quick"\nset round to 3\n', "utf-8")
    before = run("check", "quick.rules")
    assert "`cambist check --fix quick.rules shop.rules` can mend all" in before.out
    tried = run("check", "--fix", "--dry-run", "quick.rules", "shop.rules")
    assert "+set rounds to 3" in tried.out and "quick.rules: no problems would be left" in tried.out
    ran = run("check", "--fix", "quick.rules", "shop.rules")
    assert ran.code == 0 and ran.out.endswith("\n\nquick.rules: no problems\nshop.rules: no problems\n")
    assert Path("shop.rules").read_text("utf-8") == RIGHT


def test_an_edit_that_does_no_good_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a diagnostic proposes: if no error goes away with it, the file stays."""
    made = fixing.changed
    monkeypatch.setattr(fixing, "changed", lambda data, edits: made(data, edits) + b"zone zone zone\n" * len(edits) * 2)
    ran = run("check", "--fix", "shop.rules")
    assert ran.code == 1 and "fixed" not in ran.out
    assert Path("shop.rules").read_text("utf-8") == WRONG


def test_a_file_that_somebody_else_has_changed_is_left_alone() -> None:
    (file,), _ = fixing.mended("shop.rules")
    Path("shop.rules").write_text("# mine\n", "utf-8")
    with pytest.raises(UserError, match="changed meanwhile"):
        file.write()
    assert Path("shop.rules").read_text("utf-8") == "# mine\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--fix", "nowhere.rules"), "does not exist"),
        (("--fix", "."), "is a folder"),
        (("--fix", "goods.yaml"), "there is no file `goods.yaml`"),
        (("--dry-run", "shop.rules"), "`--dry-run` shows what `--fix` would do"),
    ],
)
def test_what_cannot_be_mended(arguments: tuple[str, ...], told: str) -> None:
    ran = run("check", *arguments)
    assert ran.code == 2 and told in ran.out + ran.err


def test_not_text_stays_as_it_is() -> None:
    data = WRONG.replace("corner", "Gr\xfcner").encode("latin-1")
    Path("shop.rules").write_bytes(data)
    ran = run("check", "--fix", "shop.rules")
    assert ran.code == 1 and "is not UTF-8" in ran.out
    assert Path("shop.rules").read_bytes() == data


def test_only_what_would_be_done_is_promised() -> None:
    """`store` is near, but no player: the error would be another one, so the file stays, and nothing is promised."""
    wrong = RIGHT.replace("set leader to best_seller", "set leader to sotre")
    Path("shop.rules").write_text(wrong, "utf-8")
    for arguments in (("shop.rules",), ("--fix", "shop.rules")):
        ran = run("check", *arguments)
        assert ran.code == 1 and "did you mean `store`?" in ran.out and "--fix" not in ran.out
    assert Path("shop.rules").read_text("utf-8") == wrong
    assert not any(d.get("fix") for d in run("check", "--json", "shop.rules").data("check")["diagnostics"])
