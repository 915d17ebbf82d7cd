"""Every page for readers is tried: what it shows as rules, commands, outputs and Python is so."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from cambist.cli import cli
from tests.harness.pages import Page, blocks, fits, stands_in, with_gaps, without_numbers

ROOT = Path(__file__).parents[2]
PAGES = [
    path
    for path in (
        ROOT / "README.md",
        ROOT / "dsl" / "README.md",
        *sorted(ROOT.glob("examples/**/*.md")),
        *sorted(ROOT.glob("docs/*.md")),
    )
    if path.name != "proof.md"  # made by `make proof`
]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_what_a_page_shows_is_so(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    page = Page(path).tried(tmp_path)
    if request.config.getoption("--update") and page.text != path.read_text("utf-8"):
        path.write_text(page.text, "utf-8")
        return
    assert not page.wrong, "\n\n".join(page.wrong)
    for name, text in page.files.items():  # what is written step by step is what is shipped
        whole = ROOT / "examples" / "ported" / name
        assert not whole.exists() or whole.read_text("utf-8") == text, f"{shown(path)} and {shown(whole)} differ"


WRONG = """# A page

```rules
play
  move 1 from shelv to shelf
```

```rules file=a.rules
enum color: red
```

```rules slip=a.rules
enum colour: green
```

```console
$ cambist check a.rules
something else
$ cambist --version
cambist, version …
```

```python
print(1 + 1)
```

```output
3
```

```rules of=examples/01_coin_toss.rules
enum side: heads, edge
```

```python test
def test_nothing():
    assert False
```
"""


def test_what_is_not_so_is_told(tmp_path: Path) -> None:
    path, folder = tmp_path / "page.md", tmp_path / "folder"
    path.write_text(WRONG, "utf-8")
    folder.mkdir()
    page = Page(path).tried(folder)
    lines = [3, 18, 28, 31, 35]
    told = [("shelv",), ("something else", "a.rules: "), ("3\n", "2\n"), ("not so in examples/",), ("1 failed",)]
    assert len(page.wrong) == len(lines) + 1, "\n\n".join(page.wrong)
    for wrong, line, words in zip(page.wrong, lines, told, strict=False):
        assert f"page.md:{line}" in wrong and all(word in wrong for word in words)
    assert "page.md leaves a.rules with mistakes" in page.wrong[-1]
    assert "```output\n2\n```" in page.text and "something else" not in page.text and "version …" in page.text


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\nc\n", True),
        ("…\nc\n", "a\nb\nc\n", True),
        ("took … s\n", "took 1.2 s\n", True),
        ("took … s\n", "took 1.2 m\n", False),
        ("", "", True),
        ("", "a\n", False),
        ("a.b\n", "axb\n", False),
    ],
)
def test_gaps_in_outputs(expected: str, printed: str, same: bool) -> None:
    assert fits(expected, printed) is same


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        ("a b c", "d e", "d e"),
        ("a …", "x y z", "x …"),
        ("… c", "x y z", "… z"),
        ("a … c", "x y z", "x … z"),
        ("… b c … e", "1 b 2 3 4", "… b 2 … 4"),
        ("… b … e", "1 2 3", "… 3"),
    ],
)
def test_gaps_are_kept_when_a_page_is_written_anew(before: str, now: str, kept: str) -> None:
    assert with_gaps(before.split(), now.split()) == kept.split()


def test_numbers_of_random_games_may_be_others() -> None:
    one, other = "seat ━━╇━━ wins\n  1 │  5.00 │ 41 (41.0%)\n…\n", "seat ━╇━ wins\n 1 │ 4.5 │ 9 (9%)\nmore\n"
    assert not fits(one, other) and fits(without_numbers(one), without_numbers(other))
    assert not fits(without_numbers(one), without_numbers("seat ━╇━ wins\n 1 │ 4.5 │ none\n"))


def test_gaps_in_excerpts() -> None:
    text = "one\ntwo\nthree\n  four\n"
    assert stands_in("one\ntwo\n", text) and stands_in("one\n…\n  four\n", text)
    assert not stands_in("two\n…\none\n", text) and not stands_in("tw\n", text)


def test_a_fence_says_what_it_is() -> None:
    with pytest.raises(AssertionError, match="says what stands in it"):
        list(blocks("```\nx\n```\n"))


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_every_heading_that_is_linked_exists(path: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```", "", path.read_text("utf-8"))
    for target, heading in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", text):
        page = (path.parent / target).resolve() if target else path
        headings = re.findall(r"(?m)^#+ (.*)$", page.read_text("utf-8"))
        known = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}
        assert heading in known, f"{shown(path)}: {target}#{heading}"


# ---- commands that are only named: they would take too long, or change the machine


def named_commands(text: str) -> list[str]:
    """The lines of indented blocks."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    return [line.strip() for block in re.findall(r"(?m)^\n((?: {4}.*\n)+)", prose) for line in block.splitlines()]


NAMED = [(shown(path), line) for path in PAGES for line in named_commands(path.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "line"), NAMED)
def test_a_command_that_is_named_could_be_given(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    match words:
        case ["cambist", name, *args]:
            command = cli.get_command(click.Context(cli), name)
            assert command is not None, f"there is no command {name}"
            command.make_context(name, args, resilient_parsing=False)
        case ["make", target, *_]:
            assert re.search(rf"(?m)^{target}:", (ROOT / "Makefile").read_text("utf-8")), f"there is no target {target}"
        case ["pip", "install", wanted, *_]:
            extra = wanted.removeprefix("cambist[").removesuffix("]")
            assert (
                extra in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
            )
        case [program, *_]:
            assert program in ("pytest", "dask", "code"), f"{page}: nobody looks whether this works"
        case _:
            raise AssertionError(f"{page}: an indented block is for commands")
