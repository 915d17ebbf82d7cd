"""No form of the grammar is left untried: each rule and named alternative stands in a case or a shipped file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lark import Token

from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.messages.syntax import FORMS
from cambist.dsl.parse import grammar, parse
from cambist.dsl.source import SourceFile
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import AFTER_COMMA, DECLARATION, IN_WORDS, PAIRS, in_words
from tests.harness.cases import read_cases
from tests.harness.fragments import whole

HERE = Path(__file__).parent


def texts() -> Iterator[str]:
    """What the specification calls right, and what is shipped."""
    for path in sorted(HERE.glob("*.md")):
        for case in read_cases(path):
            if not case.expected:
                yield whole(case.text).text
            yield from (text for name, text in case.files.items() if name.endswith(".rules"))
    for path in [*shipped().values(), *library_folder().glob("*.rules")]:
        yield path.read_text("utf-8")


def forms() -> set[str]:
    """The names that a tree of the grammar can have: aliases, and rules that are not always left out."""
    rules = grammar().rules
    named = {str(rule.alias) for rule in rules if rule.alias}
    return named | {
        rule.origin.name for rule in rules if not rule.alias and not rule.options.expand1 and rule.origin.name[0] != "_"
    }


def terminals() -> set[str]:
    """The words and signs that the grammar's rules are made of."""
    return {symbol.name for rule in grammar().rules for symbol in rule.expansion if symbol.is_term}


def test_every_form_is_tried() -> None:
    seen: set[str] = set()
    for text in texts():
        for tree in parse(SourceFile("text", text), Report()):
            seen |= {str(part.data) for part in tree.iter_subtrees()}
    assert forms() - seen == set()


def test_every_word_is_tried() -> None:
    seen: set[str] = set()
    for text in texts():
        seen |= {token.type for token in tokenize(SourceFile("text", text), Report())}
    assert terminals() - seen == set()


def test_every_word_has_words() -> None:
    """Nobody is told the name of a terminal: each has words of its own, or is spelled like its keyword."""
    spelled = {*PAIRS.values(), *AFTER_COMMA.values()}
    for name in terminals():
        words = in_words(name)
        assert words == IN_WORDS.get(name, words)
        if name not in IN_WORDS and name not in spelled:
            assert words == f"`{name.lower()}`" and name.isalpha()


def test_every_remembered_form_can_be_read() -> None:
    """The forms that messages show are themselves right."""
    heads = {"PLAYERS", "SOURCE", "NEEDS", "OFFERS"}
    clauses = {"GIVEN", "WHEN", "THEN", "REFUSED"}
    with_block = {"PHASE", "PROCEDURE", "SETUP", "PLAY", "WHENEVER"}
    for word, form in FORMS.items():
        if word == "SECTION":
            text = f'game tried "Tried"\n  source R "rules.txt" language en\n    {form}\n'
        elif word == "RENAME":
            text = f'variant tried of others "Tried"\n  {form}\n'
        elif word in ("SET", "ADD"):  # a variant's words too, but what is remembered is the statement
            text = f"play\n  {form}\n"
        elif word in heads:
            text = f'library tried "Tried"\n  {form}\n'
        elif word in clauses:
            text = f'example "tried"\n  {form}\n'
        elif word == "EXAMPLE":
            text = f"{form}\n  then 1 = 1\n"
        elif word in with_block:
            text = f"{form}\n  nothing\n"
        elif word.lower() in DECLARATION:
            text = f"{form}\n"
        else:
            block = "    p chooses n in 1..3\n" if word == "SECRETLY" else ""
            text = f"play\n  {form}\n{block}"
        report = Report()
        assert len(parse(SourceFile("text", text), report)) == 1, form
        assert [d.message for d in report.items] == [], form
        first = next(t for t in tokenize(SourceFile("text", form), Report()) if isinstance(t, Token))
        assert word.lower().split("_")[0] == str(first.value).split()[0], form
