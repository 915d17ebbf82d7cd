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
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import DECLARATION, STATEMENT, in_words

MOST_EXPECTED = 5
TRIES_PER_DECLARATION = 6
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "NOTE"))
FAVOURITES = (
    "COLON",
    "EQUAL",
    "INT",
    "STRING",
    "RPAR",
    "RSQB",
    "IN",
    "TO",
    "FROM",
    "_INDENT",
    "COMMA",
    "_NL",
)


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
    found = _feed(file, tokens, report, "expr")
    return found if isinstance(found, Tree) else None


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


def _not_a_declaration(file: SourceFile, token: Token) -> Diagnostic:
    word = str(token.value)
    hint = did_you_mean(word, DECLARATION)
    if word in STATEMENT:
        hint = "indent it below the rule it belongs to"
    elif token.type not in ("NAME", "INT", "STRING"):
        hint = "to go on with the line above, indent it deeper than where that line began"
    return say.unexpected(
        _span(file, token),
        f"`{word}`",
        ("a declaration",),
        hint or "in the first column stand words like `zone`, `define`, `phase`, `play`",
    )


def _parse_chunk(file: SourceFile, chunk: list[Token], report: Report) -> Tree[Any] | None:
    """Parse one declaration; after a mistake go on without the line it is in, to find the next mistake."""
    for _ in range(TRIES_PER_DECLARATION):
        found = _feed(file, chunk, report, "declaration")
        if isinstance(found, Tree):
            return found
        shorter = _without_mistake(chunk, found)
        if shorter is None:
            break
        kept = {id(t) for t in shorter}
        report.lost |= {str(t.value) for t in chunk if id(t) not in kept and str(t.value).isidentifier()}
        if id(chunk[found - 1]) in kept and _line_start(chunk, found) == 0:
            report.lost.add(str(chunk[1].value))  # what it is may not be known any more
        chunk = shorter
    report.lost |= {str(t.value) for t in chunk if str(t.value).isidentifier()}
    return None


def _without_mistake(chunk: list[Token], at: int) -> list[Token] | None:
    """The chunk without the logical line that token `at` is in and the block that line opens.

    Of the first line, which opens the declaration, only what stands from the mistake on is left out.
    """
    first = _line_start(chunk, at)
    last = next((i for i in range(at, len(chunk)) if chunk[i].type == "_NL"), len(chunk) - 1)
    if (
        at < len(chunk) and chunk[at].type == "_INDENT"
    ):  # a block that nothing opens: its lines join the block around it
        end = _end_of_block(chunk, at)
        return chunk[:at] + chunk[at + 1 : end] + chunk[end + 1 :]
    if first == 0:
        end = next((i for i in range(at, last) if chunk[i].type == "NOTE"), last)
        return chunk[:at] + chunk[end:] if chunk[0].type in WITH_LINES and 0 < at < end else None
    if at >= len(chunk) or chunk[at].type == "_DEDENT":  # something is missing after the lines of a block
        return None
    if last + 1 < len(chunk) and chunk[last + 1].type == "_INDENT":
        last = _end_of_block(chunk, last + 1)
    shorter = chunk[:first] + chunk[last + 1 :]
    if first and shorter[first - 1].type == "_INDENT" and shorter[first].type == "_DEDENT":
        return None  # the block would be empty
    return shorter


def _line_start(chunk: list[Token], at: int) -> int:
    return next((i for i in range(min(at, len(chunk)) - 1, -1, -1) if chunk[i].type in LINE_ENDS), -1) + 1


def _end_of_block(chunk: list[Token], indent: int) -> int:
    depth = 0
    for index in range(indent, len(chunk)):
        depth += (chunk[index].type == "_INDENT") - (chunk[index].type == "_DEDENT")
        if depth == 0:
            return index
    return len(chunk) - 1


def _feed(file: SourceFile, tokens: list[Token], report: Report, start: str) -> Tree[Any] | int:
    """The tree, or the place of the token that cannot stand where it stands (which is reported)."""
    parser = grammar().parse_interactive("", start=start)
    for index, token in enumerate(tokens):
        try:
            parser.feed_token(token)
        except UnexpectedInput:
            report.add(_explain(file, tokens, index, parser))
            return index
    end = Token("$END", "", start_pos=len(file.text), end_pos=len(file.text))
    try:
        tree = parser.feed_token(end)
    except UnexpectedInput:
        report.add(_explain(file, [*tokens, end], len(tokens), parser))
        return len(tokens)
    return tree if isinstance(tree, Tree) else Tree("single", [tree])


def _explain(file: SourceFile, tokens: list[Token], index: int, parser: Any) -> Diagnostic:
    token, previous = tokens[index], tokens[index - 1] if index else None
    accepted = parser.accepts()
    if token.type == "_INDENT":
        return say.bad_indentation(_span(file, tokens[index + 1]), None)
    help = _advice(tokens, index, accepted)
    expected = _expected(accepted)
    if token.type in LAYOUT | {"$END"} and previous is not None:
        last = next(t for t in reversed(tokens[:index]) if t.type not in LAYOUT)
        end = last.end_pos or 0
        return say.unfinished(Span(file, end, end + 1), expected, help)
    return say.unexpected(_span(file, token), f"`{token.value}`", expected, help)


def _expected(accepted: set[str]) -> tuple[str, ...]:
    """What could stand there, in words: the likeliest first, one word for all that a value can begin with."""
    names = set(accepted) - {"NOTE", "_DEDENT", "$END"}
    found: list[str] = []
    if VALUE <= names:
        found.append("a value")
        names -= VALUE | BEGINS_A_VALUE
    elif "NAME" in names:
        found.append("a name")
    if OPERATORS <= names:
        names -= OPERATORS | {"DOT", "LSQB", "LPAR", "DOTDOT", "IF", "IS", "IN", "NOT"}
        found.append("a sign like `+` or `=`")
    ordered = sorted(names - {"NAME"}, key=lambda t: (FAVOURITES.index(t) if t in FAVOURITES else 99, t))
    found += [in_words(t) for t in ordered]
    return tuple(dict.fromkeys(found))[:MOST_EXPECTED]


def _advice(tokens: list[Token], index: int, accepted: set[str]) -> str:
    token, previous = tokens[index], tokens[index - 1] if index else None
    word, before = str(token.value), previous.type if previous is not None else ""
    following = tokens[index + 1].type if index + 1 < len(tokens) else ""
    if token.type in QUANTIFYING:
        return f"put what begins with `{word}` into parentheses"
    if token.type == "EQUAL" and following == "EQUAL" or word == "=" and before == "EQUAL":
        return "one `=` is enough"
    if token.type == "COLON" and "_NL" in accepted and following == "_NL":
        return "leave the `:` out: the indented lines below are enough"
    if token.type == "COLON" and "EQUAL" in accepted:
        return "write `=` instead of `:`"
    if token.type == "EQUAL" and "COLON" in accepted:
        return "write `:` instead of `=`"
    if token.type == "EQUAL" and before in ("NAME", "RPAR") and "_NL" in accepted:
        return "write `set … to …` to change a variable, `let … = …` to name a value"
    if "COLON" in accepted and (token.type in STATEMENT_TYPES or token.type == "_NL"):
        return "a `:` is missing"
    if token.type == "COLON" and "COMMA" in accepted:
        return "a `,` separates them"
    if "_INDENT" in accepted:
        return "the lines that belong to it should follow, indented"
    if {"UNTIL", "FOREVER"} <= accepted:
        return "end `repeat` with `until …` or `forever`, in the column of `repeat`"
    if token.type == "NAME" and before == "NAME" and "COMMA" in accepted and "PLUS" not in accepted:
        return "a `,` may be missing"
    if token.type in ("NAME", "INT", "DECIMAL") and OPERATORS <= accepted:
        return "a sign or a word like `and` may be missing before it"
    if token.type in COMPARING and before and "AND" in accepted and "PLUS" not in accepted:
        return "put what stands before it (from `sum of`, `count of`, `the`, `some` … on) into parentheses"
    if token.type not in LAYOUT and "NAME" in accepted and word.isidentifier():
        return f"`{word}` is a word of the language; use another name"
    return ""


COMPARING = frozenset("EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ PLUS MINUS STAR SLASH".split())
OPERATORS = frozenset("PLUS MINUS STAR SLASH".split())
QUANTIFYING = frozenset("SUM_OF COUNT_OF MOST_OF LEAST_OF THE ALL SOME EVERY NO".split())
VALUE = frozenset("NAME INT LPAR".split())
BEGINS_A_VALUE = QUANTIFYING | frozenset(
    "DECIMAL STRING YES LSQB LBRACE MINUS SIZE_OF FIRST_OF LAST_OF REST_OF".split()
)
WITH_LINES = frozenset("GAME LIBRARY PHASE PROCEDURE SETUP PLAY WHENEVER EXAMPLE".split())
LINE_ENDS = frozenset(("_NL", "_INDENT", "_DEDENT"))
STATEMENT_TYPES = frozenset(w.upper() for w in STATEMENT)


def _span(file: SourceFile, token: Token) -> Span:
    start = token.start_pos or 0
    return Span(file, start, max(token.end_pos or 0, start + 1))
