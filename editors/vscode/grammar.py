"""The words of the language -> a TextMate grammar, so that highlighting never lags behind the language.

`python editors/vscode/grammar.py` (and `make golden`) writes syntaxes/rules.tmLanguage.json; a test compares them. The
patterns use only what Oniguruma and Python's `re` both understand.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cambist.dsl.infer_declarations import ORDERS
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES
from cambist.dsl.words import (
    AFTER_COMMA,
    CLAUSE,
    CONDITIONS,
    CONNECTING,
    DECLARATION,
    FACT,
    HEAD,
    LAW_PAIRS,
    NOTES,
    OPENING_PAIRS,
    PAIRS,
    PATCHING,
    STATEMENT,
)

FILE = Path(__file__).parent / "syntaxes" / "rules.tmLanguage.json"
NAMELESS = frozenset("setup play winner score estimate whenever example set".split())
COLON_FOLLOWS = frozenset(("else", "otherwise"))
QUANTIFIERS = frozenset("sum count most least size first last rest some".split())


def any_of(words: Any) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def pair(words: tuple[str, ...]) -> str:
    return r" +".join(words)


def controlling(match: str) -> dict[str, Any]:
    """A pattern all of whose groups are words that say what happens."""
    groups = range(1, re.compile(match).groups + 1)
    return {"match": match, "captures": {str(number): {"name": "keyword.control.cambist"} for number in groups}}


def grammar() -> dict[str, Any]:
    named = any_of(DECLARATION - PATCHING - NAMELESS)
    opening = any_of(STATEMENT - COLON_FOLLOWS - {word for word, _ in OPENING_PAIRS})
    opening_pairs = any_of(pair(words) for words in OPENING_PAIRS)
    always = any_of(pair(words) for words in PAIRS if words not in OPENING_PAIRS | LAW_PAIRS)
    first = rf"(?:({opening_pairs})\b|({opening})\b(?!\s*:)|({any_of(COLON_FOLLOWS)})\b)"
    patterns: list[dict[str, Any]] = [
        {"name": "comment.line.number-sign.cambist", "match": "#.*$"},
        {"name": "string.quoted.double.cambist", "match": r'"[^"\n]*"?'},
        {"name": "keyword.other.note.cambist", "match": rf"\b(?:{any_of(NOTES)}|because|per)\b"},
        {
            "match": rf"^(?:({any_of(PATCHING)}) +)?({named})\b(?: +([A-Za-z_]\w*))?",
            "captures": {
                "1": {"name": "keyword.control.patch.cambist"},
                "2": {"name": "keyword.declaration.cambist"},
                "3": {"name": "entity.name.type.cambist"},
            },
        },
        {
            "match": rf"^(?:({any_of(PATCHING)}) +)?({any_of(NAMELESS)})\b",
            "captures": {
                "1": {"name": "keyword.control.patch.cambist"},
                "2": {"name": "keyword.declaration.cambist"},
            },
        },
        controlling(rf"^\s+({any_of(CLAUSE)})\b(?: +({any_of(FACT)})\b)?"),
        controlling(rf"^\s+({any_of(HEAD)})\b"),
        controlling(rf"^\s+(?:[\w.-]+ +)?({any_of(CONDITIONS)})\b"),
        controlling(rf"^\s+{first}"),
        controlling(rf"[:;]\s*{first}"),
        controlling(rf";\s*({any_of(FACT)})\b"),
        {
            "match": rf",\s*({any_of(pair(words) for words in AFTER_COMMA)})\b",
            "captures": {"1": {"name": "keyword.other.cambist"}},
        },
        {"name": "keyword.other.cambist", "match": rf"\b(?:{always})\b"},
        {"name": "keyword.other.law.cambist", "match": rf"\b(?:{any_of(pair(words) for words in LAW_PAIRS)})\b"},
        {"match": rf":\s*({any_of(ORDERS)}|number|flag|list)\b", "captures": {"1": {"name": "storage.type.cambist"}}},
        {"name": "variable.other.member.cambist", "match": r"\.[A-Za-z_]\w*"},
        {"name": "constant.language.cambist", "match": r"\b(?:yes|no|none|nothing)\b"},
        {"name": "keyword.operator.word.cambist", "match": rf"\b(?:{any_of(CONNECTING)}|each|after|whenever)\b"},
        {"name": "variable.language.cambist", "match": rf"\b(?:{any_of(BUILT_IN_VALUES)})\b"},
        {"name": "support.function.cambist", "match": rf"\b(?:{any_of(BUILT_IN_FUNCTIONS)}|before)\b(?=\()"},
        {"name": "entity.name.function.cambist", "match": r"\b[A-Za-z_]\w*(?=\()"},
        {"name": "constant.numeric.cambist", "match": r"\b\d+(?:\.\d+)?\b"},
        {"name": "keyword.operator.cambist", "match": r"\.\.|!=|<=|>=|[=<>+*/-]"},
    ]
    return {
        "name": "Cambist rules",
        "scopeName": "source.cambist",
        "fileTypes": ["rules"],
        "patterns": patterns,
    }


def text() -> str:
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
