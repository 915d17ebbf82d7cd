"""How rules read: each block of cases.md is told as recorded below it, and every form of the language stands in one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import cambist
from cambist.dsl import nodes as n
from cambist.dsl.api import check_text
from cambist.dsl.prose.english import a, is_plural, listed, plural, possessive, relative, times
from cambist.dsl.prose.marks import bare, capital, clean, marked, pieces, sentence
from cambist.dsl.walk import descend
from cambist.rulebook.book import book_of
from tests.harness.fragments import whole
from tests.rulebook.telling import Case, read, rewritten, told

CASES = Path(__file__).with_name("cases.md")


def _told(case: Case) -> str:
    made = whole(case.rules)
    ruleset, report = check_text(made.text, "case.rules")
    assert ruleset is not None, [d.message for d in report.items]
    return told(ruleset, made.first_line, made.first_line + case.rules.count("\n") - 1)


@pytest.mark.parametrize("case", read(CASES), ids=str)
def test_rules_are_told_as_recorded(case: Case, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--update"):
        assert _told(case) == case.told


def test_update_the_cases(request: pytest.FixtureRequest) -> None:
    text = rewritten(CASES, {case.heading: _told(case) for case in read(CASES)})
    if request.config.getoption("--update"):
        CASES.write_text(text, "utf-8")
    assert text == CASES.read_text("utf-8")


def test_every_form_stands_in_a_case() -> None:
    seen: set[str] = set()
    for case in read(CASES):
        ruleset, _ = check_text(whole(case.rules).text, "case.rules")
        assert ruleset is not None
        seen |= {type(node).__name__ for decl in ruleset.decls for node in descend(decl)}
    wanted = {one.__name__ for union in (n.Stmt, n.Expr) for one in get_args(union)}
    assert wanted - seen <= {"Text"}  # no rule has a use for a text yet


@pytest.mark.parametrize("name", ["dividends", "for_ex", "riche_ou_pauvre"])
def test_large_games_are_told(name: str) -> None:
    """What no small case has: sheets, many cards, modules, renamed words."""
    book = book_of(cambist.load(name))
    assert not [block for block in book.blocks if "None" in str(block)]
    assert len(book.blocks) > 100


def test_english() -> None:
    assert [plural(x) for x in ("card", "company", "box", "day", "die", "money")] == [
        "cards", "companies", "boxes", "days", "dice", "money",
    ]  # fmt: skip
    assert (a("card"), a("event"), a("unit"), a("other player")) == ("a card", "an event", "a unit", "another player")
    assert (possessive("the player"), possessive("the cards"), possessive("they")) == (
        "the player’s",
        "the cards’",
        "their",
    )
    assert listed(["a", "b", "c"]) == "a, b and c" and listed(["a, b", "c", "d"]) == "a, b; c; and d"
    assert relative("player", "that player", "that player’s hand is empty") == "player whose hand is empty"
    assert relative("cards", "that card", "that card is red", several=True) == "cards that are red"
    assert (times("1"), times("3"), times("the year")) == ("once", "3 times", "as many times as the year")
    assert is_plural("the rows") and not is_plural("the bonus")


def test_marks_cannot_be_brought_in() -> None:
    nasty = "x\ue000term\ue001k\ue001y\ue002\x00"
    assert clean(nasty) == "xtermky "
    assert [p.style for p in pieces(marked("name", nasty) + " z")] == ["name", "plain"]
    assert bare(sentence(marked("term", "worth", "worth") + " counts")) == "Worth counts."
    assert bare(capital("(now)")) == "(Now)"
