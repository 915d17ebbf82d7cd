"""Whole books: nothing left out, recorded ones as they were, pages that load nothing and let nothing through."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import cambist
from cambist.dsl import nodes as n
from cambist.dsl.api import check_text
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.prose.marks import clean
from cambist.dsl.prose.numbered import assumptions_of
from cambist.dsl.prose.world import world_of
from cambist.dsl.register import register
from cambist.dsl.walk import descend
from cambist.rulebook.book import book_of
from cambist.rulebook.document import Document
from cambist.rulebook.markdown import markdown
from cambist.rulebook.page import html
from cambist.rulebook.rules import runs
from tests.cli.running import run
from tests.harness.fragments import whole
from tests.hostile.generator import Generator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
LOADING = ("src", "srcset", "data", "action")


@cache
def game(name: str) -> cambist.Game:
    return cambist.load(name)


@cache
def book(name: str) -> Document:
    return book_of(game(name))


@pytest.mark.parametrize("name", ["money", "examples/02_corner_shop.rules"])
def test_books_as_recorded(name: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    golden(HERE / f"{Path(name).stem}.md", markdown(book(name)))


@pytest.mark.parametrize("name", shipped())
def test_nothing_is_left_out(name: str) -> None:
    """Every phase, rule, definition, alternative, table, track, option, assumption and example is told, here for the
    smallest number of players."""
    ruleset = game(name).ruleset
    made = book_of(game(name), game(name).players[0])
    world, text = world_of(ruleset), re.sub(r"\s+", " ", bare_text(made)).lower()
    assert "✗" not in text and "for this number of players" not in text and "\ue000" not in text
    missing = []
    for decl in ruleset.decls:
        match decl:
            case n.Example():
                words = clean(decl.title)
            case n.Procedure() if decl.name.text in ruleset.inferred.used and decl.word in ("phase", "procedure"):
                words = world.words(decl.name.text) if "." not in decl.name.text or _runs(ruleset, decl) else ""
            case n.Define() if decl.name.text in ruleset.inferred.used and "." not in decl.name.text:
                words = world.words(decl.name.text)
            case n.Table() | n.Track() | n.Option() | n.Zone() | n.Account() | n.Variable() | n.Card() | n.Deck():
                words = world.words(decl.name.text)
            case _:
                words = ""
        if words.lower() not in text:
            missing.append(words)
        for node in descend(decl) if not isinstance(decl, n.Procedure) or _runs(ruleset, decl) else ():
            if isinstance(node, n.Branch) and node.label.text and world.words(node.label.text).lower() not in text:
                missing.append(node.label.text)
    missing += [x.note.because for x in assumptions_of(register(ruleset)) if clean(x.note.because).lower() not in text]
    missing += [o for x in assumptions_of(register(ruleset)) for o in x.note.others if o not in text]
    assert missing == []


def _runs(ruleset: Any, decl: n.Procedure) -> bool:
    """Whether the game itself runs it."""
    waiting, seen = ["setup", "play"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in ruleset.symbols.procedures and name not in seen:
            seen.add(name)
            waiting += runs(ruleset.symbols.procedures[name].body)
    return decl.name.text in seen


def bare_text(document: Document) -> str:
    return re.sub(r"\\(?=[^\w\s])|\*|\[|\]\(#[^)]*\)", "", markdown(document)).replace("&amp;", "&")


def test_libraries_and_examples_have_books_too() -> None:
    for path in [*library_folder().glob("*.rules"), *(ROOT / "examples").rglob("*.rules")]:
        assert markdown(book_of(cambist.load(str(path)))).count("\n## ") > 2


def test_made_up_rules_have_books() -> None:
    books = 0
    for seed in range(10):
        ruleset, _ = check_text(whole(Generator(seed, noise=0.002).ruleset()).text)
        if ruleset is not None:
            books += bool(html(book_of(cambist.Game(ruleset))))
    assert books > 2


def test_an_example_that_fails_says_so() -> None:
    ruleset, _ = check_text(whole('example "one is two"\n  then 1 = 2\n').text)
    assert ruleset is not None
    made = book_of(cambist.Game(ruleset))
    assert "✗ *This does not hold:*" in markdown(made) and 'class="example fails"' in html(made)


def test_a_variant_reads_as_a_whole_game() -> None:
    text = markdown(book("palmyra"))
    assert "## What differs from Buy Low, Sell High" in text and "instead of 0, 1, 2, 4, 8, 12" in text
    assert "## The course of the game" in text and "### Trade" in text
    assert not re.search(r"\b(?:industry’s|shares in) ", text.split("## What is in the box")[1].split("## Examples")[0])


CHANGED = """\
variant late of corner_shop "Open late"
  players 2..3
  rename till to drawer
set pays to 0, 4, 9, 14, 21, 29, 38                                 assumed because "dearer"
replace score p = p.purse + 1                                       assumed because "one more"
remove example "two of a kind pay more than twice one"
remove 1 parcel apples 2 from store
add 2 parcel bread 5 to store
insert at end of turn                                               assumed because "a nap"
  shuffle store
insert before wait in turn                                          assumed because "a gift"
  share g in p.basket:
    move g to next(p).basket
add define nap = 3                                                  assumed because "three hours"
zone lost: pile, seen by all
invariant open: nap = 3                                             assumed because "always"
"""


def test_every_change_of_a_variant_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corner_shop.rules").write_text(
        (ROOT / "examples" / "02_corner_shop.rules").read_text("utf-8"), "utf-8"
    )
    (tmp_path / "late.rules").write_text(CHANGED, "utf-8")
    text = bare_text(book_of(cambist.load("late.rules"))).split("## What differs from The corner shop")[1]
    changes = re.sub(r"[ᴬᴱ¹²³⁴⁵⁶⁷⁸⁹⁰]", "", text.split("## What is in the box")[0]).strip().splitlines()
    assert changes == [
        "- 2 to 3 players.",
        "- Other names: drawer for till.",
        "- Pays is 0, 4, 9, 14, 21, 29, 38 instead of 0, 3, 8, 14, 21, 29, 38.",
        "- A player’s score is the player’s purse + 1 (before: the player’s purse).",
        "- 1 parcel (apples, 2) fewer in the store.",
        "- 2 parcels (bread, 5) more in the store.",
        "- In turn something is new at the end.",
        "- In turn something is new before wait.",
        "- New: the definition nap.",
        "- New: the zone lost.",
    ]
    assert "share a parcel" in text.lower() and "shuffle the store" in text.lower()


# ---- HTML


class Page(HTMLParser):
    """Opens and closes tags; notes what is linked, loaded and named."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in EMPTY:
            self.open.append(tag)
        self.links += [given["href"] or ""] if "href" in given and tag == "a" else []
        self.ids += [given["id"] or ""] if "id" in given else []
        self.loaded += [
            f"{tag} {name}" for name in given if name in ("src", "srcset", "data", "action") or name[:2] == "on"
        ]
        self.loaded += [tag] if tag in ("script", "link", "iframe", "object", "embed", "img", "form", "base") else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}>"


def read_page(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


@pytest.mark.parametrize("name", ["money", "for_ex", "riche_ou_pauvre"])
def test_pages_are_sound_and_load_nothing(name: str) -> None:
    text = html(book(name))
    page = read_page(text)
    assert page.loaded == [] and not re.search(r"https?:|url\(|@import", text)
    assert len(page.ids) == len(set(page.ids)) > 30
    assert {link for link in page.links if not link.startswith("#")} == set()
    assert {link[1:] for link in page.links} - set(page.ids) == set()


NASTY = """\
# <b>bold</b> & \\"quoted\\" *stars* [link](javascript:x) <script>alert(0)</script>
game nasty "</title><script>alert(1)</script>"
  players 2..2
  source R "<img src=x onerror=alert(2)>" language en
play                                                                cites R"</sup><script>alert(3)</script>"
  nothing                                                           # <script>alert(4)</script>
score p = 0                                                         assumed because "<i onclick=x>" or 1
winner most score, ties shared                                      cites R"End"
example "</h5><script>alert(5)</script>"
  then 1 = 1
"""


def test_what_a_stranger_writes_stays_text() -> None:
    ruleset, report = check_text(NASTY)
    assert ruleset is not None, [d.message for d in report.items]
    made = book_of(cambist.Game(ruleset))
    page = read_page(html(made))
    assert page.loaded == [] and "script" not in page.open
    assert "<script" not in markdown(made).replace("\\<script", "")
    assert not re.search(r"(?<!\\)\]\(javascript", markdown(made))


# ---- the command


def test_by_its_ending(tmp_path: Path) -> None:
    assert run("rulebook", "money", "-o", str(tmp_path / "m.html")).code == 0
    assert (tmp_path / "m.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("rulebook", "money", "-o", str(tmp_path / "m.md")).code == 0
    shown = run("rulebook", "money")
    assert shown.code == 0 and shown.out == (tmp_path / "m.md").read_text("utf-8")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["money", "-o", "book.pdf"], "end its name in `.md` or `.html`"),
        (["money", "-o", "book"], "has no ending"),
        (["money", "-o", "no/such/folder/book.md"], "cannot be written"),
        (["money", "--players", "9"], "3 to 5 players, not 9"),
        (["money", "--option", "deals=12"], "1 to 9"),
        (["monney"], "money"),
    ],
)
def test_mistakes_are_told(arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("rulebook", *arguments)
    assert done.code == 2 and said in done.err and not list(tmp_path.iterdir())


def test_players_and_options_are_told_where_they_matter() -> None:
    loaded = game("buy_low_sell_high")
    assert "is 13." in markdown(book_of(loaded, 4))
    text = markdown(book_of(game("money"), 3, {"deals": "2"}))
    assert "Repeat twice:" in text and "(this book: 3)" in text and "in this book **2**" in text
