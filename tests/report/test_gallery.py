"""The gallery has a page of each shipped game, small and whole. `make gallery` makes them; that takes minutes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import cambist
from proof.gallery import FOLDER, GAMES, LARGEST, row
from tests.cli.running import run

MARKET = Path(__file__).parent / "market.rules"


@pytest.mark.parametrize("game", cambist.shipped())
def test_each_game_has_its_page(game: str) -> None:
    page = FOLDER / f"{game}.html"
    assert page.exists(), "run `make gallery`"
    assert page.stat().st_size <= LARGEST
    text = page.read_text("utf-8")
    assert ElementTree.fromstring(text.partition("\n")[2]).tag == "html"
    assert f"cambist report {game} --players" in text and f"--games {GAMES} --seed 1" in text
    assert f"]({game}.html)" in (FOLDER / "README.md").read_text("utf-8")


def test_a_row_of_the_list() -> None:
    told = row("market", run("report", str(MARKET), "--games", "5", "--json").data("report"))
    assert told.count("|") == 6 and "](market.html)" in told and " coin |" in told
