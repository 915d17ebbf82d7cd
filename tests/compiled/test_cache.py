"""Compiled rules kept on disk: used when nothing has changed, never when anything has, and never in the way."""

from __future__ import annotations

import marshal
import pickle
from pathlib import Path

import pytest

import cambist
from cambist import rules_cache
from cambist.interpreter.compiled import CompiledMachine, loading
from cambist.interpreter.explore import play_random

RULES = """\
game coins "Coins"
  players 2..3
  source R "house rules" language en
variable points: number of each player = 0
play
  each p
    p chooses n in {1, 2, 3}
    add n to p.points
score p = p.points
winner most score, ties shared
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CAMBIST_CACHE", str(tmp_path / "kept"))
    path = tmp_path / "coins.rules"
    path.write_text(RULES, "utf-8")
    return path


def played(path: Path) -> object:
    return play_random(cambist.load(str(path)).machine(2, engine="compiled"), 3, 0)


def was_read(path: Path) -> bool:
    """Whether the rules were read again, and not what was kept."""
    game = cambist.load(str(path))
    machine = game.machine(2, engine="compiled")
    play_random(machine, 3, 0)
    return game._ruleset is not None or "program" in vars(machine)


def kept_files(path: Path) -> list[Path]:
    return sorted((path.parent / "kept").iterdir())


def test_it_is_read_once(rules: Path) -> None:
    first = played(rules)
    assert [file.suffix for file in kept_files(rules)].count(".bin") == 1
    assert not was_read(rules)
    assert played(rules) == first == play_random(cambist.loads(RULES).machine(2), 3, 0)


def test_whole_games_are_kept_when_the_first_begins(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = cambist.load(str(rules)).machine(2, engine="compiled")
    state = machine.start(1)
    machine.advance(state, 0, (0, 2))
    assert {file.suffix for file in kept_files(rules)} == {".json", ".bin"}
    first = play_random(machine, 3, 0)
    assert {file.suffix for file in kept_files(rules)} == {".json", ".bin", ".whole"}
    monkeypatch.setattr(loading, "source_of", lambda *_: pytest.fail("written again"))
    again = cambist.load(str(rules)).machine(2, engine="compiled")
    assert isinstance(again, CompiledMachine)
    again.prepare()
    assert play_random(again, 3, 0) == first


def test_whole_games_without_what_was_kept_of_them(rules: Path) -> None:
    first = played(rules)
    (entry,) = (file for file in kept_files(rules) if file.suffix == ".whole")
    data = entry.read_bytes()
    entry.unlink()
    assert played(rules) == first and entry.read_bytes() == data
    entry.write_bytes(rules_cache.MAGIC + rules_cache._sealed(marshal.dumps("no code")))
    assert played(rules) == first and entry.read_bytes() == data


def test_what_was_kept_has_the_whole_program(rules: Path) -> None:
    played(rules)
    game = cambist.load(str(rules))
    machine = game.machine(2, engine="compiled")
    assert machine.program == cambist.load(str(rules)).machine(2).program
    assert (game.name, game.title, game.players) == ("coins", "Coins", range(2, 4))
    match = game.start(2, 1, engine="compiled")
    while match.choice:
        match.answer(match.choice.options()[0])
    assert [line for line in match.log_lines() if "1" in line]


def test_a_changed_rule_is_noticed(rules: Path) -> None:
    first = played(rules)
    rules.write_text(RULES.replace("{1, 2, 3}", "{4, 5, 6}"), "utf-8")
    assert was_read(rules) or played(rules) != first
    assert played(rules) != first
    rules.write_text("game wrong", "utf-8")
    with pytest.raises(cambist.RulesError):
        cambist.load(str(rules))


def test_another_file_beside_is_noticed(rules: Path) -> None:
    played(rules)
    (rules.parent / "other.rules").write_text("", "utf-8")
    assert cambist.load(str(rules))._ruleset is not None


@pytest.mark.parametrize("place", [0, 3, 20, 60, 400, -5])
def test_damaged_files_are_made_anew(rules: Path, place: int) -> None:
    first = played(rules)
    for file in kept_files(rules):
        data = bytearray(file.read_bytes())
        data[place] ^= 0x55
        file.write_bytes(bytes(data))
    assert played(rules) == first
    machine = cambist.load(str(rules)).machine(2, engine="compiled")
    assert machine.program.game == "coins"
    for file in kept_files(rules):
        file.write_bytes(file.read_bytes()[:50])
    assert played(rules) == first


def test_nothing_is_run_without_its_digest(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(rules)
    (entry,) = (file for file in kept_files(rules) if file.suffix == ".bin")
    data = entry.read_bytes()
    entry.write_bytes(data[: len(rules_cache.MAGIC)] + bytes(32) + data[len(rules_cache.MAGIC) + 32 :])
    monkeypatch.setattr(pickle, "loads", lambda data: pytest.fail("unpickled"))
    assert played(rules) is not None
    (entry,) = (file for file in kept_files(rules) if file.suffix == ".whole")
    data = entry.read_bytes()
    entry.write_bytes(data[: len(rules_cache.MAGIC)] + bytes(32) + data[len(rules_cache.MAGIC) + 32 :])
    monkeypatch.setattr(marshal, "loads", lambda data: pytest.fail("unmarshalled"))
    assert rules_cache.WholeGames("").read() is None
    whole = cambist.loads(RULES).machine(2, engine="compiled")
    assert play_random(whole, 3, 0)


def test_no_folder_to_write_to(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (rules.parent / "file").write_text("", "utf-8")
    monkeypatch.setenv("CAMBIST_CACHE", str(rules.parent / "file"))
    assert played(rules) == play_random(cambist.loads(RULES).machine(2), 3, 0)
    monkeypatch.setenv("CAMBIST_CACHE", "")
    assert played(rules) == play_random(cambist.loads(RULES).machine(2), 3, 0)


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CAMBIST_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rules_cache.folder() == tmp_path / "cambist"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert rules_cache.folder() == tmp_path / ".cache" / "cambist"


def test_another_cambist_reads_again(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(rules)
    rules_cache.stamp.cache_clear()
    monkeypatch.setattr(cambist, "__version__", "0.0.0")
    assert cambist.load(str(rules))._ruleset is not None
    rules_cache.stamp.cache_clear()


def test_the_stamp_looks_at_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = Path.stat

    def stat(path: Path, **more: bool) -> object:
        seen.append(path.name)
        return real(path, **more)

    rules_cache.stamp.cache_clear()
    monkeypatch.setattr(Path, "stat", stat)
    rules_cache.stamp()
    rules_cache.stamp.cache_clear()
    assert {"lower.py", "grammar.lark", "statements.py", "chance.py"} <= set(seen)
