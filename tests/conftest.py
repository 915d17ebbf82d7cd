"""What all tests share: the option --update, which rewrites recorded expectations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # so that `tests.harness` is found however pytest is started


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite recorded expectations; read the diff afterwards")


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
