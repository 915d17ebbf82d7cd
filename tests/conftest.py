"""What all tests share: the option --update, which rewrites recorded expectations, and what coverage is measured of."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import coverage
import pytest

import cambist

ROOT = Path(__file__).parent.parent
if "CAMBIST_CACHE" not in os.environ:  # compiled rules are kept in a folder of this run, shared by its processes
    KEPT = tempfile.TemporaryDirectory(prefix="cambist-rules-")
    os.environ["CAMBIST_CACHE"] = KEPT.name
sys.path.insert(0, str(ROOT))  # so that `tests.harness` is found however pytest is started

# Coverage is measured in tests of single things. Whole rulesets and games by the hundred would take three times as long
# with it, and would hide what no test looks at. A path below tests/, or the beginning of a test's name.
UNMEASURED = (
    "games",
    "laws",
    "playthroughs",
    "proof",
    "testing",
    "rulebook/test_books.py",
    "saves/test_killed.py",
    "documents/test_pages.py",
    "report/test_compare.py",
    "compiled/test_side_by_side.py::test_shipped_games",
    "cli/test_assumptions.py::test_shipped_games",
    "cli/test_bench.py",
    "cli/test_commands.py::test_every_section_with_a_rule_is_cited",
    "cli/test_commands.py::test_games_lists_what_is_shipped",
    "cli/test_fmt.py::test_the_shipped_files_are_canonical",
    "cli/test_mutate.py",
    "cli/test_play_anything.py",
    "cli/test_play_pty.py",
    "cli/test_record.py::test_shipped_games_come_back_exactly",
    "cli/test_simulate_many.py",
    "cli/test_verify.py::test_a_sound_game",
    "cli/test_verify.py::test_what_is_broken_is_found[endless",
)
MEASURED = (
    "compiled/test_side_by_side.py::test_shipped_games[dividends-2p]",
    "compiled/test_side_by_side.py::test_shipped_games[for_ex-2p]",
    "compiled/test_side_by_side.py::test_shipped_games[money-4p]",
    "compiled/test_side_by_side.py::test_shipped_games[venture-2p]",
    "laws/test_bots.py",
    "laws/test_domains.py",
    "laws/test_following.py",
    "laws/test_measures.py",
    "laws/test_resampling.py",
    "laws/test_take_back.py",
    "laws/test_two_evaluators.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Before several processes begin: each would read the shipped games to find out how many can play them."""
    if config.getoption("numprocesses", None):
        with unmeasured():
            for name in cambist.shipped():
                cambist.load(name)


@contextmanager
def unmeasured() -> Iterator[None]:
    stopped = []
    while (
        measuring := coverage.Coverage.current()
    ) is not None:  # a process of `pytest -n` has two, one upon the other
        measuring.stop()
        stopped.append(measuring)
    try:
        yield
    finally:
        for measuring in reversed(stopped):
            measuring.start()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite recorded expectations; read the diff afterwards")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    name = item.nodeid.removeprefix("tests/")
    with nullcontext() if name.startswith(MEASURED) or not name.startswith(UNMEASURED) else unmeasured():
        return (yield)


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
