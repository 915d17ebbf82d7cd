"""`cambist fmt`: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.running import process, run

ROOT = Path(__file__).parents[2]
TYPED = 'game small "Small"\n\tplayers 2 .. 4\nscore p=1\n'
CANONICAL = 'game small "Small"\n  players 2..4\n\nscore p = 1\n'
WRONG = 'game small "Small"\n  players 2..4\nscore p = (1\n'
UNCHECKED = 'game small "Small"\n  players 2..4\n\nscore p = nowhere.to_be_found\n'


def _written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.rules").write_bytes(text.encode())


def test_the_shipped_files_are_canonical() -> None:
    ran = run(
        "fmt",
        "--check",
        "--diff",
        *(str(ROOT / folder) for folder in ("games", "examples", "dsl/library", "app/templates")),
    )
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.endswith("as they should be\n")


def test_files_are_written_once_and_keep_their_mode(tmp_path: Path) -> None:
    _written(tmp_path, typed=TYPED, good=CANONICAL, ends=CANONICAL.replace("\n", "\r\n"), marked="\ufeff" + CANONICAL)
    typed = tmp_path / "typed.rules"
    typed.chmod(0o640)
    good = (tmp_path / "good.rules").stat()
    ran = run("fmt", str(tmp_path), str(typed))
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["formatted"] * 3 + ["4"]
    assert ran.out.endswith("4 files: 3 formatted, 1 as it should be\n")
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {CANONICAL.encode()}
    assert typed.stat().st_mode & 0o777 == 0o640
    now = (tmp_path / "good.rules").stat()
    assert (now.st_ino, now.st_mtime_ns) == (good.st_ino, good.st_mtime_ns)  # when it was last read is another thing
    assert run("fmt", str(tmp_path)).out == "4 files: 4 as they should be\n"


@pytest.mark.parametrize(("options", "code"), [(("--check",), 1), (("--diff",), 0), (("--check", "--diff"), 1)])
def test_looking_writes_nothing(options: tuple[str, ...], code: int, tmp_path: Path) -> None:
    _written(tmp_path, typed=TYPED, good=CANONICAL, ends=CANONICAL.replace("\n", "\r\n"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    ran = run("fmt", *options, str(tmp_path))
    assert ran.code == code
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    if "--diff" in options:
        assert "\n-score p=1\n" in ran.out and "\n+score p = 1\n" in ran.out
        assert "only line ends" in ran.out and "good.rules" not in ran.out
    else:
        assert [line.split()[:2] for line in ran.out.splitlines()[:-1]] == [["would", "change"]] * 2
    assert "2 would change, 1 as it should be" in ran.out + ran.err


def test_what_cannot_be_parsed_is_left_alone_and_the_rest_is_formatted(tmp_path: Path) -> None:
    _written(tmp_path, a=WRONG, b=TYPED, c=UNCHECKED)
    (tmp_path / "d.rules").write_bytes(b"\xff\xfe\x00")
    ran = run("fmt", str(tmp_path))
    assert ran.code == 1
    assert (tmp_path / "a.rules").read_text() == WRONG and (tmp_path / "b.rules").read_text() == CANONICAL
    assert "error[E0010]" in ran.err and "a.rules:3" in ran.err and "error[E0001]" in ran.err
    assert ran.out.endswith("4 files: 1 formatted, 2 left alone because of mistakes, 1 as it should be\n")


def test_the_pipe(tmp_path: Path) -> None:
    ran = process("fmt", "-", cwd=tmp_path, input=TYPED)
    assert (ran.code, ran.out, ran.err) == (0, CANONICAL, "")
    ran = process("fmt", "-", "--stdin-name", "my.rules", cwd=tmp_path, input=WRONG)
    assert (ran.code, ran.out) == (1, "") and "my.rules:3" in ran.err
    assert run("fmt", "-", "--check", input=TYPED).code == 1
    assert run("fmt", "-", "--check", input=CANONICAL).code == 0
    assert "+score p = 1" in run("fmt", "-", "--diff", input=TYPED).out


def test_tabs_that_could_mean_several_things_are_refused() -> None:
    text = "play\n  if a\n    nothing\n\tnothing\n"
    ran = run("fmt", "-", input=text)
    assert (ran.code, ran.out) == (1, "") and "error[E0006]" in ran.err
    assert run("fmt", "-", input=text.replace("\t", "    ")).code == 0
    assert run("fmt", "-", input="play\n\tif a\n\t\tnothing\n  # whose?\n").code == 0
    assert run("fmt", "-", input=text.replace("    ", "\t\t").replace("  ", "\t")).out.endswith("\n  nothing\n")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("nowhere.rules",), "there is no `nowhere.rules`"),
        (("money",), "`cambist new NAME --from money`"),
        ((".",), "no .rules files in `.`"),
        (("-", "."), "`-` stands alone"),
        (("x" * 5_000,), "File name too long"),
        (("a\0b",), "there is no `a?b`"),
        (("pipe",), "is not a file"),
        ((), "Missing argument"),
    ],
)
def test_wrong_usage(given: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    ran = run("fmt", *given)
    assert (ran.code, ran.out) == (2, "") and says in ran.err


def test_hidden_folders_are_not_looked_into(tmp_path: Path) -> None:
    hidden = tmp_path / ".old"
    hidden.mkdir()
    _written(hidden, typed=TYPED)
    _written(tmp_path, good=CANONICAL)
    assert run("fmt", str(tmp_path)).out == "1 file: 1 as it should be\n"
    assert (hidden / "typed.rules").read_text() == TYPED


LONG = "define a=" + "+".join(["abcdefg"] * 198 + ['"' + "x" * 400 + '"'])  # 1,993 characters; 2,389 with blanks


@pytest.mark.parametrize("text", ['define a=1 cites R"x"\n' * 8_000, LONG], ids=["file", "line"])
def test_what_would_become_too_large_is_left_alone(text: str) -> None:
    ran = run("fmt", "-", input=text)
    assert (ran.code, ran.out) == (1, "") and "too large to be read" in ran.err


def test_what_would_not_say_the_same_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cambist.dsl import layout

    monkeypatch.setattr(layout, "spaced", lambda pieces, marks: " ".join(p.text for p in pieces).replace("= 1", "= 2"))
    _written(tmp_path, a=TYPED)
    ran = run("fmt", str(tmp_path))
    assert ran.code == 70 and "would not say the same" in ran.err and (tmp_path / "a.rules").read_text() == TYPED


def test_a_disk_that_is_full_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(tmp_path, a=TYPED, b=CANONICAL)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    ran = run("fmt", str(tmp_path))
    assert ran.code == 1 and "No space left on device" in ran.err and "1 left alone" in ran.out
    assert (tmp_path / "a.rules").read_text() == TYPED and len(list(tmp_path.iterdir())) == 2


def test_a_locked_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(tmp_path, a=TYPED)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the tests may run as root, who may do anything
    ran = run("fmt", str(tmp_path))
    assert ran.code == 1 and "locked against writing" in ran.err and (tmp_path / "a.rules").read_text() == TYPED


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary() | st.text().map(str.encode))
def test_any_bytes(data: bytes) -> None:
    ran = run("fmt", "-", input=data.decode("latin-1"))
    assert ran.code in (0, 1) and bool(ran.err) == bool(ran.code)
