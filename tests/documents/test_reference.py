"""The reference is whole: every form, every word and every message stands in it, and its excerpts are rules."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest
from lark import Token

from cambist.commands.explain import all_codes
from cambist.dsl import words
from cambist.dsl.diagnostics import Report
from cambist.dsl.parse import parse
from cambist.dsl.source import SourceFile
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS
from cambist.dsl.tokens import tokenize
from tests.harness.pages import ROOT, blocks
from tests.language.test_completeness import forms, terminals

FILE = ROOT / "dsl" / "README.md"
TEXT = FILE.read_text("utf-8")
RULES = [block.text for block in blocks(TEXT) if block.language == "rules"]
GROUPS = {
    "E00": "What cannot be read",
    "E01": "Names and files",
    "E02": "Kinds and places",
    "E03": "Laws that every ruleset keeps",
    "E04": "Sources and variants",
    "W05": "Worth a look",
    "R01": "While a game runs",
}


def test_every_form_of_the_grammar_is_shown() -> None:
    seen = {
        str(part.data)
        for text in RULES
        for tree in parse(SourceFile("text", text), Report())
        for part in tree.iter_subtrees()
    }
    assert forms() - seen == set()


def test_every_word_and_sign_is_shown() -> None:
    seen = {
        token.type
        for text in RULES
        for token in tokenize(SourceFile("text", text), Report())
        if isinstance(token, Token)
    }
    same = {"SEEN_BY": "COMMA_SEEN_BY", "PARAGRAPH": "NOTE"}  # with a comma before it; as in `cites R§4`
    assert {name for name in terminals() if same.get(name, name) not in seen} == set()


def test_every_word_is_told() -> None:
    """In the prose or its tables, not only in the blocks."""
    spans = " ".join(re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", TEXT)))
    told = f" {' '.join(re.findall(r'[a-z]+', spans))} "
    single = chain(words.DECLARATION, words.STATEMENT, words.CLAUSE, words.FACT, words.CONNECTING, words.NOTES)
    assert [word for word in sorted({*single, *words.HEAD, *BUILT_IN_FUNCTIONS}) if f" {word} " not in told] == []
    pairs = {" ".join(pair) for pair in (*words.PAIRS, *words.AFTER_COMMA)}
    assert [pair for pair in sorted(pairs) if f" {pair} " not in told] == []


def test_every_module_of_the_library_is_told() -> None:
    for path in sorted((ROOT / "dsl" / "library").glob("*.rules")):
        (row,) = re.findall(rf"(?m)^\| `{path.stem}` \|.*$", TEXT)
        _, _, _, needs, offers, _ = row.split(" | ") if row.count(" | ") == 5 else ("", *row.split(" | "), "")
        text = path.read_text("utf-8")
        for word, cell in (("needs", needs), ("offers", offers)):
            (names,) = re.findall(rf"(?m)^  {word} (.*)$", text)
            assert [name for name in names.split(", ") if f"`{name}" not in cell] == [], f"{path.stem} {word}"


def messages_section() -> str:
    lines: list[str] = []
    codes = all_codes()
    for group, heading in GROUPS.items():
        lines += ["", f"### {heading}", "", "| code | what it means |", "| --- | --- |"]
        for code, found in codes.items():
            if code.startswith(group):
                said = " ".join(found["text"].partition("\n\n")[0].split())
                lines.append(f"| `{code}` | {said.replace('|', chr(92) + '|')} |")
    assert {code[:3] for code in codes} == set(GROUPS)
    return "\n".join(lines) + "\n"


def test_every_message_is_listed(request: pytest.FixtureRequest) -> None:
    before, mark, rest = FILE.read_text("utf-8").partition("<!-- made by `make golden` -->\n")
    assert mark, "the list of messages is gone"
    if request.config.getoption("--update"):
        FILE.write_text(before + mark + messages_section(), "utf-8")
        return
    assert rest == messages_section(), "run `make golden`"


def test_every_part_is_in_the_list_at_the_top() -> None:
    top = TEXT.partition("\n## ")[0]
    headings = re.findall(r"(?m)^## (.*)$", re.sub(r"(?ms)^```.*?^```$", "", TEXT))
    assert [one for one in headings if f"(#{one.lower().replace(' ', '-')})" not in top] == []


def test_codes_that_are_named_exist() -> None:
    named = set(re.findall(r"\b[EWR]0\d{3}\b", "".join(path.read_text("utf-8") for path in pages())))
    assert named <= set(all_codes())


def pages() -> list[Path]:
    return [FILE, ROOT / "README.md", *(path for path in ROOT.glob("docs/*.md") if path.name != "proof.md")]
