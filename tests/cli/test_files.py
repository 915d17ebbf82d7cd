"""Files are written whole or not at all: whatever fails on the way, the old one is there as it was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cambist.files import write_whole
from tests.cli.running import run


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("there", [True, False])
def test_a_failure_leaves_the_old_file(step: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept"
    if there:
        path.write_text("old")

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, step, fail)
        with pytest.raises(OSError, match="No space left"):
            write_whole(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == (["kept"] if there else [])
    assert not there or path.read_text() == "old"
    write_whole(path, "new")
    assert path.read_text() == "new"


def test_the_mode_and_a_link_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "kept", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink() and path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "text")
    assert os.read(reader, 100) == b"text" and pipe.is_fifo()
    os.close(reader)


@pytest.mark.parametrize(
    "words", ["record money", "report money --games 1", "compare buy_low_sell_high palmyra --games 2"]
)
def test_nothing_that_is_worked_out_replaces_rules(words: str, tmp_path: Path) -> None:
    path = tmp_path / "own.rules"
    path.write_text("mine")
    ran = run(*words.split(), "-o", str(path))
    assert ran.code == 2 and "would be rules or a sheet" in ran.err
    assert path.read_text() == "mine"
