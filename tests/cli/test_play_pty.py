"""Playing at a real terminal: a person sees the table, answers, leaves, comes back in a new process and goes on."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import subprocess
import termios
import time
from pathlib import Path
from types import TracebackType

import pytest

from tests.cli.running import COMMAND, GAME

PATIENCE = 40.0  # seconds; a loaded machine is slow
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
PROMPT = re.compile(r"you(: [\w ]+)?> $")


class Terminal:
    """The command with a pseudo-terminal for a keyboard and a screen."""

    def __init__(self, *args: str, cwd: Path, width: int = 100) -> None:
        self.end, other = pty.openpty()
        termios.tcsetwinsize(other, (50, width))
        env = {**os.environ, "TERM": "xterm", "PYTHONUNBUFFERED": "1"}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "INPUTRC"):
            env.pop(name, None)
        self.child = subprocess.Popen(
            [*COMMAND, *args], stdin=other, stdout=other, stderr=other, cwd=cwd, env=env, start_new_session=True
        )
        os.close(other)
        self.raw = ""
        self.read_to = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.end)

    @property
    def screen(self) -> str:
        return ESCAPE.sub("", self.raw)

    def read_more(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.end, 65536)
        except OSError:  # the child has gone
            return False
        self.raw += data.decode("utf-8", "replace")
        return bool(data)

    def until_prompt(self) -> str:
        """What came on the screen since the last prompt, up to the next one."""
        late = time.monotonic() + PATIENCE
        while not PROMPT.search(self.screen[self.read_to :]):
            assert time.monotonic() < late and self.child.poll() is None, self.screen[-2000:]
            self.read_more(1)
        found = self.screen[self.read_to :]
        self.read_to = len(self.screen)
        return found

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def answer(self) -> str:
        """The first thing that can be answered; what is seen then."""
        picking = self.screen.rstrip().endswith("cards>")
        self.type("1 done\n" if picking else "1\n")
        return self.until_prompt()

    def leave(self, keys: str) -> tuple[int, str]:
        self.type(keys)
        while self.read_more(PATIENCE):
            pass
        return self.child.wait(PATIENCE), self.screen[self.read_to :]


def log_of(terminal: Terminal) -> list[str]:
    terminal.type("log all\n")
    return terminal.until_prompt().splitlines()[1:-1]


@pytest.mark.parametrize("width", [100, 40])
def test_a_person_plays_and_leaves(tmp_path: Path, width: int) -> None:
    with Terminal("play", GAME, "--seed", "7", cwd=tmp_path, width=width) as terminal:
        seen = terminal.until_prompt()
        assert "\x1b[36m" in terminal.raw or "\x1b[1;36m" in terminal.raw  # colours, on a terminal
        assert "seed 7" in seen and "hand" in seen and "hidden" in seen and "1)" in seen
        assert all(len(line) <= width for line in terminal.screen.splitlines())
        for _ in range(4):
            seen = terminal.answer()
            assert "-> " in seen and "to decide" in seen
        terminal.type("why\n")
        assert "cites" in terminal.until_prompt()
        code, said = terminal.leave("quit\n")
    assert code == 0 and f"cambist play {GAME} --load {GAME}-7.save.json" in said.replace("\n", "")
    assert (tmp_path / f"{GAME}-7.save.json").exists()


def test_between_two_persons_what_has_scrolled_away_is_forgotten(tmp_path: Path) -> None:
    with Terminal("play", GAME, "--seats", "you,you,random", "--seed", "7", cwd=tmp_path) as terminal:
        code, said = terminal.leave("quit\n")
    assert code == 0 and "saved in" in said and "hand" not in said.split("screen>")[1]
    screen_then_scrollback = terminal.raw.index("\x1b[2J"), terminal.raw.index("\x1b[3J")
    assert screen_then_scrollback == tuple(sorted(screen_then_scrollback))


def test_closing_the_input_saves(tmp_path: Path) -> None:
    with Terminal("play", GAME, "--seed", "8", cwd=tmp_path) as terminal:
        terminal.until_prompt()
        terminal.answer()
        code, said = terminal.leave("\x04")
    assert code == 0 and "the input has ended" in said and "saved in" in said
    assert (tmp_path / f"{GAME}-8.save.json").exists()


def test_interrupting_saves_too(tmp_path: Path) -> None:
    with Terminal("play", GAME, "--seed", "9", cwd=tmp_path) as terminal:
        terminal.until_prompt()
        for _ in range(10):  # a signal that comes just before Python waits for input may be lost to it
            terminal.child.send_signal(2)
            with contextlib.suppress(subprocess.TimeoutExpired):
                terminal.child.wait(3)
                break
        code, said = terminal.leave("")
    assert code == 130 and "saved in" in said and "Traceback" not in said


def test_a_saved_game_goes_on_in_a_new_process(tmp_path: Path) -> None:
    """Six answers at one sitting, or three, a save, and three more: the same log."""
    with Terminal("play", GAME, "--seed", "11", cwd=tmp_path) as terminal:
        terminal.until_prompt()
        for _ in range(6):
            terminal.answer()
        whole = log_of(terminal)
    with Terminal("play", GAME, "--seed", "11", "--save", "half.json", cwd=tmp_path) as terminal:
        terminal.until_prompt()
        for _ in range(3):
            terminal.answer()
        # no leave-taking: the save after every answer must be enough
    with Terminal("play", "--load", "half.json", cwd=tmp_path) as terminal:
        terminal.until_prompt()
        for _ in range(3):
            terminal.answer()
        assert log_of(terminal) == whole
        assert len(whole) > 20
