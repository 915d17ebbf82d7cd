"""`cambist verify`: what is broken on purpose is found, by a game that is nearly as short as the shortest there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cambist.commands.verify import Verification
from tests.cli.running import GAME, run

FOLDER = Path(__file__).parents[1] / "broken"
PROPERTY = {
    "card_lost": "twelve",
    "dead_end": "no_fault_R0111",
    "endless_auction": "every_game_ends",
    "endless_exchange": "no_fault_R0101",
    "leaked_hand": "nothing_told",
    "money_from_nowhere": "all_the_money",
    "off_by_one": "four",
    "paid_twice": "once",
    "wrong_tie": "no_fault_R0107",
}
MENDED = {
    "card_lost": ("throw c in p.hand: move c to box", "throw c in p.hand: move c to discards"),
    "money_from_nowhere": ("draw: transfer 2 from bank to p.cash", "draw where pot > 1: transfer 2 from pot to p.cash"),
    "off_by_one": ("size of p.hand <= 4                             cites", "size of p.hand < 4  cites"),
    "leaked_hand": ("raise: set p.told to worth(p)", "raise: nothing"),
    "endless_exchange": ("while first_value(p) != first_value(q)", "if first_value(p) != first_value(q)"),
    "dead_end": ("  require p.hand is not empty\n", "  if p.hand is empty: return\n"),
    "wrong_tie": ("then least p.points", "ties to first"),
    "paid_twice": ("      pay(p)\n", "      nothing\n"),
}
SHORTEST = re.compile(r"Shortest game: (\d+) choice")


def verified(path: Path, *more: str) -> dict[str, Any]:
    ran = run("verify", str(path), "--games", "12", "--seed", "1", "--time", "16", "--json", *more)
    data: dict[str, Any] = ran.data("verify")
    assert ran.code == (1 if data["broken"] or data["unreached"] else 0)
    return data


@pytest.mark.parametrize("name", PROPERTY)
def test_what_is_broken_is_found(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.rules"
    data = verified(path, "-o", str(tmp_path))
    (broken,) = [one for one in data["broken"] if one["property"] == PROPERTY[name]]
    shortest = SHORTEST.search(path.read_text("utf-8"))
    assert shortest is not None and broken["choices"] <= int(shortest.group(1)) + 2
    assert len(broken["steps"]) >= min(broken["choices"], 1) and broken["file"].endswith(f"{name}.rules")
    if name in MENDED:
        (one,) = data["broken"]
        its_example_tells_the_broken_from_the_mended(name, one["files"], tmp_path)


def its_example_tells_the_broken_from_the_mended(name: str, files: list[str], folder: Path) -> None:
    text = (FOLDER / f"{name}.rules").read_text("utf-8")
    game, example = (Path(file) for file in files)
    assert run("replay", str(game)).code == 0
    for change, code in (("", 1), (MENDED[name][0], 0)):
        rules = text.replace(*MENDED[name]) if change else text
        assert change == "" or rules != text
        path = folder / f"{name}.rules"
        path.write_text(f"{rules}\n{example.read_text('utf-8')}", "utf-8")
        ran = run("test", str(path), "--games", "0", "--json")
        assert ran.code == code, ran.out


def test_what_is_never_reached_is_told() -> None:
    path = FOLDER / "unreachable_phase.rules"
    few = verified(path)  # too few games to say so
    assert few["unreached"] == [] and few["reachable"] == [{"name": "bonus_paid", "games": 0, "rate": 0.0}]
    data = verified(path, "--games", "60")
    assert [one["property"] for one in data["unreached"]] == ["bonus_paid"] and data["broken"] == []
    assert any("add 10 to p.points" in line["text"] for line in data["never_ran"])


@pytest.mark.parametrize("seed", ["2", "3"])
def test_the_seed_that_is_printed_finds_it_again(seed: str) -> None:
    path = str(FOLDER / "off_by_one.rules")
    one, two = (run("verify", path, "--games", "6", "--seed", seed, "--time", "20", "--json") for _ in range(2))
    assert one.out == two.out and one.code == 1


def test_a_sound_game() -> None:
    ran = run("verify", GAME, "--games", "2", "--seed", "1")
    assert ran.code == 0 and "nothing broken" in ran.out and "reachable" in ran.out


def test_only_one_property() -> None:
    path = str(FOLDER / "card_lost.rules")
    assert run("verify", path, "--games", "3", "--only", "nothing_leaks").code == 0
    assert run("verify", path, "--games", "8", "--only", "twelve", "--players", "2").code == 1
    wrong = run("verify", path, "--only", "thirteen")
    assert wrong.code == 2 and "twelve" in wrong.err


def test_no_game_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verification, "left", lambda self: False)  # as on a machine that is too slow
    ran = run("verify", GAME, "--games", "50", "--time", "0.1")
    assert ran.code == 1 and "before a game was played" in ran.err and "nothing broken" not in ran.out


def test_what_breaks_before_the_first_choice_is_told() -> None:
    """Then no game was whole, but something was tried."""
    ran = run("verify", "tests/diagnostics/R0122.rules", "--games", "2")
    assert ran.code == 1 and "BROKEN no_fault_R0122" in ran.out and "a `storm` has no `color`" in ran.out
    assert "time was over" not in ran.err


def test_what_is_found_is_told_though_its_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    ran = run("verify", GAME, "--games", "1", "-o", str(tmp_path / "taken"))
    assert ran.code == 2 and "is a file" in ran.err
