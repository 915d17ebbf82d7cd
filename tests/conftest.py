"""What all tests share: the option --update, which rewrites recorded expectations, and what coverage is measured of."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parent.parent
if "CAMBIST_CACHE" not in os.environ:  # compiled rules are kept in a folder of this run, shared by its processes
    KEPT = tempfile.TemporaryDirectory(prefix="cambist-rules-")
    os.environ["CAMBIST_CACHE"] = KEPT.name
sys.path.insert(0, str(ROOT))  # so that `tests.harness` is found however pytest is started

# Coverage is measured in tests of single things. Whole games by the hundred would take twice as long with it, and
# would hide what no test looks at.
UNMEASURED = (
    "games",
    "laws",
    "playthroughs",
    "proof",
    "rulebook/test_books.py",
    "saves/test_killed.py",
    "cli/test_bench.py",
    "cli/test_mutate.py",
    "cli/test_play_anything.py",
    "cli/test_play_pty.py",
    "cli/test_simulate_many.py",
)
MEASURED = (
    "laws/test_bots.py",
    "laws/test_domains.py",
    "laws/test_following.py",
    "laws/test_measures.py",
    "laws/test_resampling.py",
    "laws/test_take_back.py",
    "laws/test_two_evaluators.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite recorded expectations; read the diff afterwards")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    measuring = coverage.Coverage.current()
    name = item.path.relative_to(ROOT / "tests").as_posix() if item.path.is_relative_to(ROOT / "tests") else ""
    if measuring is None or name in MEASURED or not name.startswith(UNMEASURED):
        return (yield)
    measuring.stop()
    try:
        return (yield)
    finally:
        measuring.start()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """golden(path, text): the text is what the file holds; with --update it is put there."""

    def compare(path: Path, text: str) -> None:
        if not text.endswith("\n"):
            text += "\n"
        if request.config.getoption("--update"):
            path.write_text(text, "utf-8")
            return
        assert path.exists(), f"{path.name} is missing: run `make golden` and read what it writes"
        assert text == path.read_text("utf-8")

    return compare
