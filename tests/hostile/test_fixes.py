"""Whatever stands in a file, mending it ends, raises nothing, never leaves more errors, and has nothing to do again."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cambist.dsl.api import check_file
from cambist.dsl.diagnostics import Edit, Report
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.fixes import Patched, applied, chosen
from cambist.dsl.source import SourceFile, Span
from cambist.fixing import changed, mended
from tests.hostile.mutations import mutated

SMALL = [path.read_text("utf-8") for path in sorted(library_folder().glob("*.rules"))]
SMALL.append(Path(__file__).parents[1].joinpath("mistakes", "shop.rules").read_text("utf-8"))
TYPED = {":": "", ",": ";", "=": "==", "and": "&&", '"': "“", ".": ",", ">": "=>", "(": "", "each": "every", "  ": "\t"}
WORD = re.compile(r"[a-z_]{4,}")


def errors(report: Report) -> int:
    return sum(d.severity == "error" for d in report.items)


def mistyped(text: str, random: Random) -> str:
    """The text with a few slips of the fingers: letters swapped, left out or doubled, signs of other languages."""
    for _ in range(random.randint(1, 4)):
        words = list(WORD.finditer(text))
        word = random.choice(words)
        at = random.randrange(word.start(), word.end() - 1)
        match random.randrange(5):
            case 0:
                text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            case 1:
                text = text[:at] + text[at + 1 :]
            case 2:
                text = text[:at] + text[at] + text[at:]
            case 3:
                text = text[: word.start()] + word.group().capitalize() + text[word.end() :]
            case _:
                sign = random.choice(sorted(TYPED))
                places = [m.start() for m in re.finditer(re.escape(sign), text)]
                if places:
                    at = random.choice(places)
                    text = text[:at] + TYPED[sign] + text[at + len(sign) :]
    return text


def mend_and_judge(path: Path, text: str) -> tuple[int, int]:
    path.write_text(text, "utf-8")
    before = errors(check_file(str(path))[1])
    (file,), report = mended(str(path))
    after = errors(report)
    assert after < before if file.changes else (after == before and file.after == file.before)
    assert path.read_text("utf-8") == text, "nothing is written unless asked for"
    if file.changes:
        path.write_bytes(file.after)
        assert errors(check_file(str(path))[1]) == after
        (again,), _ = mended(str(path))
        assert again.changes == []
    return before, after


@pytest.mark.parametrize("seed", range(12))
def test_mutilated_rulesets(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    mend_and_judge(tmp_path / "case.rules", mutated(random.choice(SMALL), random))


def test_mistyped_rulesets_are_mended_mostly(tmp_path: Path) -> None:
    """Slips of the fingers have remedies: most errors of such files go away."""
    told = left = 0
    for seed in range(10):
        random = Random(seed)
        before, after = mend_and_judge(tmp_path / "case.rules", mistyped(random.choice(SMALL), random))
        told, left = told + before, left + after
    assert told > 8 and left < told / 2


def test_a_large_ruleset(tmp_path: Path) -> None:
    text = max((path.read_text("utf-8") for path in shipped().values() if "from " not in path.name), key=len)
    mend_and_judge(tmp_path / "case.rules", mistyped(text, Random(5)))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text("ab\n ü", max_size=30),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.text("xy\n", max_size=3)), max_size=4),
)
def test_edits_are_made_from_the_back(plain: str, two: bool, changes: list[tuple[int, int, str]]) -> None:
    text = plain.replace("\n", "\r\n") if two else plain
    file = SourceFile("text", plain)
    edits = [Edit(Span(file, min(a, b, len(plain)), min(max(a, b), len(plain))), new) for a, b, new in changes]
    made = chosen(edits)
    assert all(a.span.end < b.span.start for a, b in zip(made, made[1:], strict=False))
    expected, at = "", 0
    for edit in made:
        expected += plain[at : edit.span.start] + edit.text
        at = edit.span.end
    expected += plain[at:]
    assert applied(plain, edits) == expected
    raw = changed(text.encode("utf-8"), made).decode("utf-8")
    assert raw.replace("\r\n", "\n") == expected
    patched = Patched(plain)
    patched.change(edits)
    assert patched.text == expected
    assert patched.places[-1] == len(plain) and patched.places == sorted(patched.places)
    assert len(patched.places) == len(expected) + 1
