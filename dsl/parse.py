"""Tokens -> Lark trees, one for each declaration, so that a mistake in one does not hide the others.

In: a `SourceFile` and a report. Out: the trees of the declarations that parse. Every Lark exception becomes a
diagnostic here; the names of terminals never leave this file. It builds no nodes and judges nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import DECLARATION, STATEMENT, in_words

MOST_EXPECTED = 5
TRIES_PER_DECLARATION = 6
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "NOTE"))
FAVOURITES = ("_NL", "NAME", "COLON", "EQUAL", "INT", "STRING", "RPAR", "IN", "TO", "FROM", "_INDENT")


@cache
def grammar() -> Lark:
    text = resources.files("cambist.dsl").joinpath("grammar.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=["declaration", "expr"],
        propagate_positions=True,
        maybe_placeholders=False,
    )


def parse(file: SourceFile, report: Report) -> list[Tree[Any]]:
    tokens = tokenize(file, report)
    trees = []
    for chunk in _declarations(file, tokens, report):
        tree = _parse_chunk(file, chunk, report)
        if tree is not None:
            trees.append(tree)
    return trees


def parse_expression(file: SourceFile, report: Report) -> Tree[Any] | None:
    """One expression on its own, for values inside notes and on the command line."""
    tokens = [t for t in tokenize(file, report) if t.type not in LAYOUT]
    return _feed(file, tokens, report, "expr")


def _declarations(file: SourceFile, tokens: list[Token], report: Report) -> list[list[Token]]:
    """Cut the tokens where a line starts in the first column."""
    chunks: list[list[Token]] = []
    depth = 0
    fresh = True
    for token in tokens:
        if token.type == "_INDENT":
            depth += 1
        elif token.type == "_DEDENT":
            depth -= 1
        elif fresh and depth == 0 and token.type not in LAYOUT:
            chunks.append([])
        if chunks:
            chunks[-1].append(token)
        fresh = token.type in ("_NL", "_DEDENT")
    good = []
    for chunk in chunks:
        if chunk[0].value in DECLARATION:
            good.append(chunk)
        else:
            report.add(_not_a_declaration(file, chunk[0]))
    return good


def _not_a_declaration(file: SourceFile, token: Token) -> Any:
    from cambist.dsl.messages.registry import did_you_mean

    hint = did_you_mean(str(token.value), DECLARATION)
    if token.value in STATEMENT:
        hint = "indent it below the rule it belongs to"
    return say.unexpected(
        _span(file, token),
        f"`{token.value}`",
        ("a declaration",),
        hint or "in the first column stand words like `zone`, `define`, `phase`, `play`",
    )


def _parse_chunk(file: SourceFile, chunk: list[Token], report: Report) -> Tree[Any] | None:
    """Parse one declaration; after a mistake drop the line it is in and go on, to find the next mistake."""
    for _ in range(TRIES_PER_DECLARATION):
        before = len(report.items)
        tree = _feed(file, chunk, report, "declaration")
        if tree is not None:
            return tree
        if len(report.items) == before:
            return None
        shorter = _without_line(chunk, report.items[-1].primary.span.start)
        if shorter is None:
            return None
        chunk = shorter
    return None


def _without_line(chunk: list[Token], position: int) -> list[Token] | None:
    """The chunk without the logical line at `position`, unless that line opens the declaration or a block."""
    lines: list[list[Token]] = [[]]
    for token in chunk:
        lines[-1].append(token)
        if token.type == "_NL":
            lines.append([])
    for index, line in enumerate(lines):
        words = [t for t in line if t.type not in ("_INDENT", "_DEDENT")]
        if not words or not (words[0].start_pos or 0) <= position <= (words[-1].end_pos or 0):
            continue
        opens = index + 1 < len(lines) and any(t.type == "_INDENT" for t in lines[index + 1][:1])
        if index == 0 or opens:
            return None
        lines[index] = [t for t in line if t.type in ("_INDENT", "_DEDENT")]
        kept = [t for part in lines for t in part]
        return _drop_empty_blocks(kept)
    return None


def _drop_empty_blocks(tokens: list[Token]) -> list[Token]:
    kept: list[Token] = []
    for token in tokens:
        if token.type == "_DEDENT" and kept and kept[-1].type == "_INDENT":
            kept.pop()
        else:
            kept.append(token)
    return kept


def _feed(file: SourceFile, tokens: list[Token], report: Report, start: str) -> Tree[Any] | None:
    parser = grammar().parse_interactive("", start=start)
    previous: Token | None = None
    for token in tokens:
        try:
            parser.feed_token(token)
        except UnexpectedInput:
            report.add(_explain(file, token, previous, parser))
            return None
        previous = token
    try:
        tree = parser.feed_token(Token("$END", "", start_pos=len(file.text), end_pos=len(file.text)))
    except UnexpectedInput:
        end = Token("$END", "", start_pos=len(file.text), end_pos=len(file.text))
        report.add(_explain(file, end, previous, parser))
        return None
    return tree if isinstance(tree, Tree) else Tree("single", [tree])


def _explain(file: SourceFile, token: Token, previous: Token | None, parser: Any) -> Any:
    accepted = sorted(parser.accepts(), key=lambda t: (FAVOURITES.index(t) if t in FAVOURITES else 99, t))
    expected = tuple(in_words(t) for t in accepted if t not in ("NOTE", "_DEDENT"))[:MOST_EXPECTED]
    found = in_words(token.type) if token.type in LAYOUT | {"$END"} else f"`{token.value}`"
    span = _span(file, token)
    if token.type in LAYOUT and previous is not None:
        span = Span(file, previous.end_pos or 0, (previous.end_pos or 0) + 1)
    return say.unexpected(span, found, expected, _advice(token, previous, accepted))


def _advice(token: Token, previous: Token | None, accepted: list[str]) -> str:
    word = str(token.value)
    if token.type in ("SUM_OF", "COUNT_OF", "THE", "ALL", "SOME", "EVERY", "NO", "MOST_OF", "LEAST_OF"):
        return f"put what begins with `{word}` into parentheses"
    if "COLON" in accepted and (token.type in STATEMENT_TYPES or token.type == "_NL"):
        return "a `:` is missing"
    if token.type == "_INDENT":
        return "indent only below a line that opens a block"
    if "_INDENT" in accepted and token.type != "_INDENT":
        return "an indented block should follow"
    if token.type == "NAME" and previous is not None and previous.type == "NAME" and "COMMA" in accepted:
        return "a `,` may be missing"
    if token.type == "NAME" and ("EQUAL" in accepted or "PLUS" in accepted):
        return "a sign or a word like `and` may be missing before it"
    if token.type in COMPARING and "AND" in accepted:
        return "put what stands before it (from `sum of`, `count of`, `the`, `some` … on) into parentheses"
    if token.type == "EQUAL" and previous is not None and previous.type == "NAME":
        return "write `set … to …` to change a variable, `let … = …` to name a value"
    if token.type not in LAYOUT and "NAME" in accepted and word.isidentifier():
        return f"`{word}` is a word of the language; use another name"
    return ""


COMPARING = frozenset("EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ PLUS MINUS STAR SLASH".split())
STATEMENT_TYPES = frozenset(w.upper() for w in STATEMENT)


def _span(file: SourceFile, token: Token) -> Span:
    start = token.start_pos or 0
    return Span(file, start, max(token.end_pos or 0, start + 1))
