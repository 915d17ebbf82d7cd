"""The mistakes that authors make most, one a file, made in a ruleset that is right (shop.rules): each is told at its
own words, with its remedy, and nothing else is told because of it.

NAME.txt is what a person reads, expected.txt says in a line what must be in it and what `--fix` makes of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from cambist.dsl.api import check_file
from cambist.dsl.diagnostics import Report
from cambist.dsl.fixes import chosen
from cambist.dsl.render import render_all
from cambist.fixing import changed, mended
from tests.diagnostics.test_goldens import assert_no_terminal

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RIGHT = HERE / "shop.rules"
STRICT = {"citation_forgotten"}  # told only when asked for
TOLD = re.compile(r"([EW]\d{4}) (?:(\S+):)?(\d+) `(.*)`")


@frozen
class Case:
    name: str
    told: tuple[tuple[str, str, int, str], ...]  # code, file, line, the words pointed at
    after: str  # what `--fix` makes of it


def _cases() -> list[Case]:
    found = []
    for line in (HERE / "expected.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, rest = line.partition(": ")
        told, _, after = rest.rpartition(" -> ")
        matches = [TOLD.fullmatch(one) for one in re.split(r"; (?=[EW]\d{4} )", told)]
        parts = [m.groups() for m in matches if m is not None]
        assert len(parts) == len(matches), line
        found.append(Case(name, tuple((c, f or f"{name}.rules", int(n), w) for c, f, n, w in parts), after))
    return found


CASES = _cases()


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the paths in the recorded texts are relative to it


def checked(name: str) -> Report:
    return check_file(f"tests/mistakes/{name}.rules", strict=name in STRICT)[1]


def test_the_right_one_is_right() -> None:
    assert checked("shop").items == []


def test_every_file_is_expected_and_recorded() -> None:
    names = [case.name for case in CASES]
    assert names == sorted(names) and len(names) >= 45
    assert {path.stem for path in HERE.glob("*.rules")} == {*names, "shop"}
    assert {path.stem for path in HERE.glob("*.txt")} == {*names, "expected"}


def test_another_encoding(tmp_path: Path) -> None:
    """Not kept as a file: the repository is UTF-8."""
    text = RIGHT.read_text("utf-8").replace("# what is on sale", "# was es zu kaufen gibt, für alle")
    (tmp_path / "shop.rules").write_bytes(text.encode("latin-1"))
    (told,) = check_file(str(tmp_path / "shop.rules"))[1].items
    assert (told.code, told.primary.span.line, told.fix) == ("E0001", 26, None)
    assert "is not UTF-8" in told.message and told.help == "save the file as UTF-8 text"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_told(case: Case, golden: Callable[[Path, str], None]) -> None:
    report = checked(case.name)
    found = report.sorted()
    golden(HERE / f"{case.name}.txt", render_all(found))
    told = []
    for d in found:
        span = d.primary.span
        told.append((d.code, Path(span.file.name).name, span.line, span.text.split("\n")[0][:40]))
        assert d.help, "what to do about it"
        assert_no_terminal(d.message + d.primary.text + d.help)
    assert tuple(told) == case.told
    edits = [d.fix for d in found if d.fix is not None]
    assert bool(edits) == (case.after != "-")
    if case.after == "restored":
        assert changed((HERE / f"{case.name}.rules").read_bytes(), chosen(edits)) == RIGHT.read_bytes()


@pytest.mark.parametrize("case", [c for c in CASES if c.after not in ("-", "restored")], ids=lambda case: case.name)
def test_what_is_left_after_mending(case: Case) -> None:
    """One `--fix` leaves no error, or those that need the author."""
    sheets = list(HERE.glob(f"{case.name}.yaml"))
    files, report = mended(f"tests/mistakes/{case.name}.rules", case.name in STRICT, sheets)
    left = sum(d.severity == "error" for d in report.items)
    assert left == (0 if case.after == "clean" else int(case.after.removesuffix(" left")))
    assert not any(d.fix for d in report.items)
    assert any(file.changes and file.after != file.before for file in files)
