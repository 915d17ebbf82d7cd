"""`cambist diff`: sentences for people, data for programs, exit codes as `diff` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import TENDER, run


@pytest.fixture
def tender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tender.rules").write_text(TENDER)
    other = TENDER.replace("in crown = 4", "in crown = 5").replace("sell n in 1..3", "sell n in 1..4")
    Path("other.rules").write_text(other.replace('"Sale"', '"Sales"'))


def test_what_is_told(tender: None) -> None:
    ran = run("diff", "tender.rules", "other.rules")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "Tender (tender.rules) → Tender (other.rules)",
        "",
        "Components",
        "  each `purse` starts with 5 instead of 4",
        '    tender.rules:9 → other.rules:9 [R"Parts"]',
        "",
        "The turn",
        "  in the phase `sale`, one may choose `sell n in 1..4` instead of `sell n in 1..3`",
        '    tender.rules:27 [R"Sale"] → other.rules:27 [R"Sales"]',
    ]


def test_the_same(tender: None) -> None:
    ran = run("diff", "tender.rules", "tender.rules")
    assert ran.code == 0 and "the rules are the same" in ran.out


def test_two_settings(tender: None) -> None:
    ran = run("diff", "tender.rules", "tender.rules:rounds=5,style=fast", "--json")
    data = ran.data("diff")
    assert ran.code == 1 and not data["same"] and data["b"]["options"] == {"rounds": "5", "style": "fast"}
    said = [change["sentence"] for change in data["changes"]]
    assert said == ["`rounds` is set to 5 instead of 2", "`style` is set to fast instead of slow"]
    assert run("diff", "tender.rules:rounds=5", "tender.rules:rounds=5").code == 0


def test_as_data(tender: None) -> None:
    data = run("diff", "tender.rules", "other.rules", "--json").data("diff")
    first = data["changes"][0]
    assert first["part"] == "account purse" and first["kind"] == "changed" and first["group"] == "components"
    assert first["before"] == {"text": "4", "file": "tender.rules", "line": 9, "because": ['R"Parts"']}


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("tender.rules", "nothing.rules", "does not exist"),
        ("mony", "money", "did you mean `money`?"),
        ("tender.rules:round=3", "tender.rules", "did you mean `rounds`?"),
        ("tender.rules", "tender.rules:rounds=9", "from 1 to 5"),
        ("tender.rules", "tender.rules:rounds=", "NAME=VALUE"),
        ("tender.rules", "broken.rules", "E0101"),
    ],
)
def test_what_cannot_be_compared(a: str, b: str, said: str, tender: None) -> None:
    Path("broken.rules").write_text(TENDER.replace("p.bid to box", "p.bid to nowhere"))
    ran = run("diff", a, b)
    assert ran.code == 2 and said in ran.err and not ran.out
