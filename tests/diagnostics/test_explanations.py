"""`cambist explain CODE` prints a docstring of messages/: its wrong example is wrong for that reason and no
other, its right example is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from cambist.dsl.api import check_file, check_text
from cambist.dsl.messages import CODES
from cambist.dsl.messages.registry import blocks
from tests.harness.fragments import whole

BASE = Path(__file__).parents[1] / "diagnostics" / "market.rules"
STRICT = {"E0401", "E0405"}
WITHOUT_EXAMPLES = {
    "E0002": "about the size of a file",
    "E0004": "too deep to be read as an example",
    "E0015": "about files that cannot be read",
    "E0106": "about files that use each other",
    "E0107": "about sheets beside the rules",
    "E0117": "about a file beside the rules",
    "E0413": "about two rulebooks",
    "E0421": "about several files",
}


@pytest.fixture(autouse=True)
def _a_base_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("market.rules").write_text(BASE.read_text("utf-8"))  # what the variants among the examples are of


def codes_of(fragment: str, strict: bool) -> set[str]:
    if fragment.startswith("variant"):
        Path("example.rules").write_text(fragment)
        _, report = check_file("example.rules", strict)
    else:
        _, report = check_text(whole(fragment).text, strict=strict)
    told = [d for d in report.sorted() if d.severity in ("error", "warning")]
    return {d.code for d in told if d.code != "W0501" or d.about in fragment}  # not all around it is used by it


@pytest.mark.parametrize("code", sorted(set(CODES) - set(WITHOUT_EXAMPLES)))
def test_wrong_example_is_refused_for_this_reason_alone(code: str) -> None:
    found = codes_of(blocks(CODES[code].text)["Wrong"], code in STRICT)
    assert found - ({"W0501"} - {code}) == {code}


@pytest.mark.parametrize("code", sorted(set(CODES) - set(WITHOUT_EXAMPLES)))
def test_right_example_is_accepted(code: str) -> None:
    found = codes_of(blocks(CODES[code].text)["Right"], code in STRICT)
    assert found - ({"W0501"} - {code}) == set()


@pytest.mark.parametrize("code", sorted(CODES))
def test_explanation_reads_well(code: str) -> None:
    text = CODES[code].text
    first = text.splitlines()[0]
    assert first[0].isupper() or first.startswith("`")
    assert first.split("\n\n")[0].strip()
    assert set(blocks(text)) == (set() if code in WITHOUT_EXAMPLES else {"Wrong", "Right"})
