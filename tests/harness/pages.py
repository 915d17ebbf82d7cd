"""Reads a page of Markdown and tries what it shows, from top to bottom, in a folder of its own.

    ```rules                    lines that are checked, tested and played, inside the game of stub.rules unless they
                                are a whole game
    ```rules of=PATH            (or any language) these lines stand so in the file PATH of this repository; `…` is a gap
    ```rules file=NAME          is the file NAME from here on
    ```rules more=NAME          stands at the end of NAME from here on
    ```rules instead=NAME       stands from here on in place of the line of NAME that its first line repeats
    ```rules slip=NAME          stands at the end of NAME until the next block of rules: a mistake, made on purpose
    ```diff file=NAME           the line behind `-` stands once in NAME; from here on the one behind `+` stands there
    ```text file=NAME           (or yaml, python) any other file
    ```console                  `$ cambist …` is run, and what is shown below it is what it prints; a person types what
                                stands behind `you> ` or `you: notes> `
    ```python                   is run, with what the blocks above it have named; ```output below it is what it prints
    ```python test              is a file of tests, which pass

Behind `console roughly` and `output roughly` numbers may be others than shown: those of random games change whenever
chance is asked in another order. `make golden` puts the present ones there.

A line `…` stands for any lines of an output, `…` inside a line for any text. `Page(path).tried(folder)` tells in
`wrong` what is not so, and has in `text` the page with what was printed instead.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

import cambist
from cambist.dsl.api import check_file
from cambist.dsl.render import render_all
from cambist.interpreter.explore import play_random
from cambist.interpreter.rule_tests import run_examples
from tests.cli.running import run
from tests.harness.fragments import whole

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"```(\w+)((?: [a-z]+(?:=\S+)?)*)$")
SHOWN_ONLY = {"text", "yaml", "json", "lua", "toml", "vim", "elisp", "make"}  # nothing here can run them
TIMES = re.compile(r"\bin [\d.]+ ?s\b.*")  # how long it took is never the same
PROGRESS = re.compile(r"(?m)^\w+ing\b.*\n")  # told to a person who waits, and wiped out
PROMPT = r"you(?:: \w+)?> "
LINKED = ("examples", "games")  # folders of the repository that commands of a page may name


@frozen
class Block:
    line: int  # of the fence, counted from 1
    language: str
    words: dict[str, str]
    text: str


def blocks(page: str) -> Iterator[Block]:
    lines = page.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            opening = FENCE.match(lines[at])
            assert opening is not None, f"line {at + 1}: a fence says what stands in it: {lines[at]}"
            end = lines.index("```", at + 1)
            words = dict(word.partition("=")[::2] for word in opening.group(2).split())
            yield Block(at + 1, opening.group(1), words, "".join(f"{line}\n" for line in lines[at + 1 : end]))
            at = end
        at += 1


@define
class Page:
    path: Path
    wrong: list[str] = field(factory=list, init=False)
    edits: list[tuple[int, int, list[str]]] = field(factory=list, init=False)  # from this line so many: these instead
    files: dict[str, str] = field(factory=dict, init=False)  # what stands in the folder, without slips
    names: dict[str, Any] = field(factory=lambda: {"__name__": "page"}, init=False)  # what Python has named
    printed: str = field(default="", init=False)  # by the last block of Python

    def tried(self, folder: Path) -> Page:
        for name in LINKED:
            (folder / name).symlink_to(ROOT / name)
        with contextlib.chdir(folder):
            for block in blocks(self.path.read_text("utf-8")):
                try:
                    self.one(block, folder)
                except Exception as error:
                    self.wrong.append(f"{self.path.name}:{block.line}: {type(error).__name__}: {error}")
            self.put_files(folder)
            for name in self.files:
                if name.endswith(".rules"):
                    _, report = check_file(name)
                    errors = [d for d in report.sorted() if d.severity == "error"]
                    if errors:
                        self.wrong.append(f"{self.path.name} leaves {name} with mistakes:\n{render_all(errors)}")
        return self

    def one(self, block: Block, folder: Path) -> None:
        match block.language:
            case _ if "of" in block.words:
                file = block.words["of"]
                assert stands_in(block.text, (ROOT / file).read_text("utf-8")), f"not so in {file}"
            case "rules":
                self.rules(block, folder)
            case "console":
                self.console(block)
            case "python" if "test" in block.words:
                self.python_tests(block, folder)
            case "python" if "file" not in block.words:
                shown = io.StringIO()
                with contextlib.redirect_stdout(shown):
                    exec(compile(block.text, f"{self.path.name}:{block.line}", "exec"), self.names)
                self.printed = shown.getvalue()
            case "output":
                self.compare(block, block.line + 1, block.text, self.printed)
            case "diff":
                self.change(block, folder)
            case _ if "file" in block.words:
                self.files[block.words["file"]] = block.text
                self.put_files(folder)
            case _:
                assert block.language in SHOWN_ONLY, f"nobody knows what to do with `{block.language}`"

    def put_files(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")

    def rules(self, block: Block, folder: Path) -> None:
        words = block.words
        for name in (words.get("more"), words.get("slip"), words.get("instead")):
            if name and name not in self.files:  # a command has made it
                self.files[name] = (folder / name).read_text("utf-8")
        if "file" in words:
            self.files[words["file"]] = block.text
        if "instead" in words:
            first = block.text.partition("\n")[0] + "\n"
            assert self.files[words["instead"]].count(first) == 1, f"`{first.strip()}` does not stand there once"
            self.files[words["instead"]] = self.files[words["instead"]].replace(first, block.text)
        if "more" in words:
            self.files[words["more"]] += "\n" + block.text
        self.put_files(folder)
        if "slip" in words:
            (folder / words["slip"]).write_text(self.files[words["slip"]] + "\n" + block.text, "utf-8")
        if not words:
            shown = folder / "shown.rules"  # a file, so that it finds the sheets beside it
            shown.write_text(whole(block.text).text, "utf-8")
            play(shown.name)
            shown.unlink()

    def change(self, block: Block, folder: Path) -> None:
        name = block.words["file"]
        text = self.files.setdefault(name, (folder / name).read_text("utf-8"))
        old, new = (line[1:] + "\n" for line in block.text.splitlines())
        assert text.count(old) == 1, f"`{old.strip()}` does not stand there once"
        self.files[name] = text.replace(old, new)
        self.put_files(folder)

    def console(self, block: Block) -> None:
        for at, command, expected in commands(block.text):
            args = shlex.split(command, comments=True)
            if args[0] == "cambist":
                typed = [line for _, line in re.findall(rf"(?m)^({PROMPT})(.*)$", expected)]
                ran = run(*args[1:], input="".join(f"{line}\n" for line in typed))
                printed = with_typed(ran.out, typed) + PROGRESS.sub("", ran.err)
            else:
                assert args[0] in ("pytest", "python"), f"only cambist, pytest and python are run: {command}"
                start = (
                    [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
                    if args[0] == "pytest"
                    else [sys.executable]
                )
                done = subprocess.run([*start, *args[1:]], capture_output=True, text=True, timeout=120, check=False)
                printed = done.stdout + done.stderr
            self.compare(block, block.line + at, expected, printed)

    def compare(self, block: Block, line: int, expected: str, printed: str) -> None:
        if fits(expected, printed):
            return
        if "roughly" not in block.words or not fits(without_numbers(expected), without_numbers(printed)):
            self.wrong.append(f"{self.path.name}:{line} shows\n{expected}\nbut this is printed:\n{printed}")
        shown = [one.rstrip() for one in TIMES.sub("in …", printed).strip("\n").splitlines()]
        self.edits.append((line, expected.count("\n"), with_gaps(expected.splitlines(), shown)))

    @property
    def text(self) -> str:
        """The page with what was printed in place of what it shows."""
        lines = self.path.read_text("utf-8").splitlines()
        for line, count, shown in sorted(self.edits, reverse=True):
            lines[line - 1 : line - 1 + count] = shown
        return "".join(f"{line}\n" for line in lines)

    def python_tests(self, block: Block, folder: Path) -> None:
        (folder / "test_shown.py").write_text(block.text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shown.py"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0 and " passed" in done.stdout, done.stdout


def commands(text: str) -> Iterator[tuple[int, str, str]]:
    """Each command of a console with what is shown below it, and how many lines below the fence that begins."""
    assert text.startswith("$ "), "a console begins with `$ ` and a command"
    at = 0
    for part in re.split(r"(?m)^\$ ", text)[1:]:
        command, _, shown = part.partition("\n")
        yield at + 2, command, shown
        at += part.count("\n")


def with_typed(out: str, typed: list[str]) -> str:
    """What stands on the screen at the end: what a person typed, too."""
    lines = iter(typed)
    return re.sub(PROMPT, lambda prompt: prompt[0] + next(lines, "") + "\n", out)


def fits(expected: str, printed: str) -> bool:
    """Whether this was printed, but for gaps and for blanks at the ends of lines."""
    pattern = ""
    for line in expected.strip("\n").splitlines():
        pattern += (
            r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + " *\n"
        )
    return re.fullmatch(pattern, printed.strip("\n") + "\n" if printed.strip("\n") else "") is not None


def without_numbers(text: str) -> str:
    return "".join(re.sub(r"[ ━─]+", " ", re.sub(r"\d[\d,.]*", "#", line)).strip() + "\n" for line in text.splitlines())


def with_gaps(before: list[str], now: list[str]) -> list[str]:
    """What is printed now, with the gaps that were left before: as many lines of the beginning and the end, and between
    gaps from a line that has stayed the same."""
    parts: list[list[str]] = [[]]
    for line in before:
        if line.strip() == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return now
    head, *between, tail = parts
    kept, at = now[: len(head)], len(head)
    for part in between:
        same = next((n for n, line in enumerate(now[at:], at) if line == part[0]), None)
        if same is not None:
            kept, at = [*kept, "…", *now[same : same + len(part)]], same + len(part)
    return [*kept, "…", *now[max(at, len(now) - len(tail)) :]] if tail else [*kept, "…"]


def stands_in(excerpt: str, text: str) -> bool:
    at = 0
    for part in re.split(r"(?m)^ *…\n", excerpt):
        found = ("\n" + text).find("\n" + part.strip("\n") + "\n", at)
        if found < 0:
            return False
        at = found + len(part.strip("\n"))
    return True


def play(file: str) -> None:
    """These rules are right, their examples hold, and a few random games break nothing."""
    ruleset, report = check_file(file)
    wrong = [d for d in report.sorted() if d.severity == "error"]
    assert ruleset is not None and not wrong, render_all(wrong)
    game = cambist.Game(ruleset)
    for outcome in run_examples(game.machine, game.players):
        assert outcome.passed, f"{outcome.title}: {outcome.reason}"
    for players in game.players:
        for number in range(5):
            play_random(game.machine(players), 1, number, check=True)
