"""docs/variants.md, run from top to bottom: files are written, commands say what stands there. `…` alone is any lines."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cambist.dsl.layout import formatted
from tests.cli.running import run

GUIDE = Path(__file__).parents[2] / "docs" / "variants.md"
BLOCK = re.compile(r"```(\w+)(?: name=(\S+))?\n(.*?)```", re.S)


def test_the_guide_to_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = 0
    for kind, name, text in BLOCK.findall(GUIDE.read_text("utf-8")):
        if kind == "rules":
            assert formatted(text) == text, name
            Path(name).write_text(text, "utf-8")
        elif kind == "change":
            old, new = text.splitlines()
            before = Path(name).read_text("utf-8")
            assert before.count(old) == 1
            Path(name).write_text(before.replace(old, new), "utf-8")
        else:
            for command, *said in (part.splitlines() for part in re.split(r"^\$ cambist ", text, flags=re.M)[1:]):
                result = run(*shlex.split(command))
                expected = ".*".join(re.escape(part) for part in "\n".join(said).split("…"))
                assert re.fullmatch(expected, (result.out + result.err).strip("\n"), re.S), f"{command}\n{result.out}"
                ran += 1
    assert ran > 10
