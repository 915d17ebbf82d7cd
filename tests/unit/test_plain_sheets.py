"""The quick reader of sheets gives what the reader of YAML gives, or leaves the sheet to it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cambist.dsl.finding import games_folder
from cambist.dsl.plain_sheets import usual
from cambist.dsl.sheets import composed
from cambist.dsl.source import SourceFile

SHIPPED = sorted(path for path in Path(str(games_folder())).rglob("*.yaml") if "equivalent" not in path.name)
USUAL = [
    "sheet: 1\n",
    "sheet: 1",
    "# c\nsheet: 1 # d\ncards: # e\n  - {card: note, letters: [B, C ], price: 16 }\n  # x\n  - {a: b}\n\nmore: it \n",
    'a:\n  because: >-\n    one, two: three\n    # four\n  cards:\n    - {card: "x # y", v: -3}  # z\n# end\n',
    "a: >-\n  x y\n  z",
    "a: >-\n  x y\n  z\n",
    "a:\n  b:\n    - {c: d}\n    - word\n    - [1, 2]\n  e: true\nf: 0\n",
    "- {a: {b: [c, {d: e}]}}\n- 3\n",
    "a: {b: 1.5, c: 2, d: -0.25}\n",
    "a:   {b:   1,c: 2}\n",
]
UNUSUAL = [
    "",
    "a:\n",
    "a: b c\n",
    "a: &x b\n",
    "a: !t b\n",
    "a: null\n",
    "a: 01\n",
    "a: b\na: c\n",
    "a: {b: 1, b: 2}\n",
    "a: {b: 1\n",
    "a: {}\n",
    "a: [1, ]\n",
    "a: {b:1}\n",
    "a: 'b'\n",
    'a: "b\\n"\n',
    "a:\n- b\n",
    "a:\n  - b: c\n",
    "a: >-\n  x\n\n  y\n",
    "a: >-\n  x\n   y\n",
    "a: >-\n  x\n# c\nb: 1\n",
    "---\na: b\n",
    "a: b\n--- \n",
    " a: b\n",
    "a: b\n  c: d\n",
    "a:\n    b: c\n  d: e\n",
    "a: b#c\n",
    "a: \t b\n",
    "a: 9999999999999999999\n",
    "a: é\n",
    "null: b\n",
    "true: b\n",
]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_sheets_are_usual(path: Path) -> None:
    file = SourceFile(path.name, path.read_text("utf-8"))
    assert usual(file, True) == composed(file, True)


@pytest.mark.parametrize("text", USUAL)
def test_usual(text: str) -> None:
    file = SourceFile("sheet.yaml", text)
    assert usual(file, True) == composed(file, True)


@pytest.mark.parametrize("text", UNUSUAL)
def test_unusual(text: str) -> None:
    assert usual(SourceFile("sheet.yaml", text), True) is None


def test_fractions_are_numbers_only_where_that_is_said() -> None:
    assert usual(SourceFile("sheet.yaml", "a: 1.5\n"), False) is None


SIGNS = [
    "a",
    "b",
    "1",
    "1.5",
    "-",
    "- ",
    ": ",
    ":",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\n    ",
    ", ",
    "{",
    "}",
    "[",
    "]",
    '"',
    "#",
    " # ",
]
SIGNS += [
    ">-",
    ">-\n  ",
    "null",
    "true",
    "a: ",
    "\na: ",
    "\n- ",
    "{a: b}",
    "[a, b]",
    "'",
    "&",
    "!",
    "~",
    "|",
    "%",
    "?",
    "---",
]


def test_whatever_is_read_is_read_alike() -> None:
    """Of sheets that are made of random pieces, and of shipped ones with a piece put in or taken out."""
    rng = random.Random(4)
    texts = ["".join(rng.choices(SIGNS, k=rng.randint(1, 14))) for _ in range(4_000)]
    for path in SHIPPED:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        for _ in range(200):
            text = "".join(lines[:4] + rng.sample(lines[4:], min(6, len(lines) - 4)))
            at, upto = rng.randrange(len(text)), rng.choice((0, 0, 1, 2))
            texts.append(text[:at] + rng.choice((*SIGNS, "")) + text[at + upto :])
    read = 0
    for text in texts:
        file = SourceFile("sheet.yaml", text)
        found = usual(file, True)
        if found is not None:
            read += 1
            assert found == composed(file, True), text
    assert read > 100
