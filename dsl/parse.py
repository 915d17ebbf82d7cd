"""Tokens -> Lark trees, one for each declaration, so that a mistake in one does not hide the others.

In: a `SourceFile` and a report. Out: the trees of the declarations that parse. Every Lark exception becomes a
diagnostic here; the names of terminals never leave this file. It builds no nodes and judges nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput
from lark import __version__ as lark_version
from lark.grammar import Rule
from lark.lexer import TerminalDef

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.messages.syntax import COMMA_WORDS, LAYOUT, advice, expected_words
from cambist.dsl.remembered import remembered
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import DECLARATION, STATEMENT

TRIES_PER_DECLARATION = 40
WITH_LINES = frozenset("GAME VARIANT LIBRARY PHASE PROCEDURE SETUP PLAY WHENEVER EXAMPLE".split())
WITH_TITLE = frozenset("GAME VARIANT LIBRARY EXAMPLE".split())
GOES_WITH_THE_ABOVE = frozenset("OTHERWISE ELSE ELSE_IF UNTIL FOREVER".split())
LINE_ENDS = frozenset(("_NL", "_INDENT", "_DEDENT"))


@cache
def grammar() -> Lark:
    """The parser: from tables worked out beforehand, or worked out now if those are of another grammar."""
    from cambist.dsl import grammar_tables

    text = resources.files("cambist.dsl").joinpath("grammar.lark").read_text("utf-8")
    if grammar_tables.DIGEST == digest(text):
        return unpacked(grammar_tables.TABLES)
    return worked_out(text)


def worked_out(text: str) -> Lark:
    """The parser of a grammar; takes ten times as long as unpacking its tables."""
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start="declaration",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def digest(text: str) -> str:
    return hashlib.sha256(f"{lark_version}\n{text}".encode()).hexdigest()[:16]


def packed(parser: Lark) -> str:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return base64.b64encode(zlib.compress(json.dumps([data, memo]).encode(), 9)).decode()


def unpacked(tables: str) -> Lark:
    data, memo = json.loads(zlib.decompress(base64.b64decode(tables)))
    table = data["parser"]["parser"]  # JSON has turned its numbers into texts
    table["tokens"] = {int(number): name for number, name in table["tokens"].items()}
    table["states"] = {
        int(state): {int(token): action for token, action in actions.items()}
        for state, actions in table["states"].items()
    }
    load: Any = Lark._load_from_dict
    parser: Lark = load(data, {int(number): thing for number, thing in memo.items()})
    return parser


def parse(file: SourceFile, report: Report) -> list[Tree[Any]]:
    tokens = tokenize(file, report)
    trees = []
    for chunk in _declarations(file, tokens, report):
        tree = _parse_chunk(file, chunk, report)
        if tree is not None:
            trees.append(tree)
    return trees


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
    header = False
    for _ in range(TRIES_PER_DECLARATION):
        found = _feed(file, chunk, "declaration")
        if isinstance(found, Tree):
            return found
        at, diagnostic, accepted = found
        in_header = _line_start(chunk, at) == 0
        if not (header and in_header) and not _has_strange_character(file, chunk, at, report):
            report.add(diagnostic)
        header = header or in_header
        if in_header and chunk[0].type in WITH_TITLE and "STRING" in accepted and chunk[at].type in LAYOUT:
            place = chunk[at].start_pos or 0  # a title was left out
            chunk = [*chunk[:at], Token("STRING", '""', start_pos=place, end_pos=place), *chunk[at:]]
            continue
        left_out = _mistake(chunk, at)
        if not left_out:
            break
        if in_header and chunk[at].type != "_INDENT":
            report.lost.add(str(chunk[1].value))  # what it is may not be known any more
        for start, end in reversed(left_out):
            report.lost |= _identifiers(chunk[start:end])
            chunk = chunk[:start] + chunk[end:]
    report.lost |= _identifiers(chunk)
    return None


def _identifiers(tokens: list[Token]) -> set[str]:
    return {str(t.value) for t in tokens if str(t.value).isidentifier()}


def _has_strange_character(file: SourceFile, chunk: list[Token], at: int, report: Report) -> bool:
    """Whether the line was complained of already, for a character that may have been what is missing."""
    start = chunk[min(_line_start(chunk, at), len(chunk) - 1)].start_pos or 0
    end = (chunk[at].end_pos or 0) if at < len(chunk) else len(file.text)
    return any(
        d.code in ("E0007", "E0008", "E0010") and d.primary.span.file is file and start <= d.primary.span.start <= end
        for d in report.items
    )


def _mistake(chunk: list[Token], at: int) -> list[tuple[int, int]]:
    """The stretches to leave out: the logical line that token `at` is in, and the block that this line opens.

    Of the first line, which opens the declaration, only what stands from the mistake on. Nothing: give it up.
    """
    if at >= len(chunk) or chunk[at].type == "_DEDENT":  # something is missing after the lines of a block
        return []
    first = _line_start(chunk, at)
    last = next((i for i in range(at, len(chunk)) if chunk[i].type == "_NL"), len(chunk) - 1)
    if chunk[at].type == "_INDENT":  # a block that nothing opens: its lines join the block around it
        end = _end_of_block(chunk, at)
        return [(at, at + 1), (end, end + 1)]
    if first == 0:
        end = next((i for i in range(at, last) if chunk[i].type == "NOTE"), last)
        return [(at, end)] if chunk[0].type in WITH_LINES and 0 < at < end else []
    last = _end_with_block(chunk, last)
    while last + 1 < len(chunk) and chunk[last + 1].type in GOES_WITH_THE_ABOVE:
        last = _end_with_block(chunk, next(i for i in range(last + 1, len(chunk)) if chunk[i].type == "_NL"))
    if chunk[first - 1].type == "_INDENT" and chunk[last + 1].type == "_DEDENT":
        return []  # the block would be empty
    return [(first, last + 1)]


def _end_with_block(chunk: list[Token], end: int) -> int:
    """The end of a line, or of the block below it."""
    return _end_of_block(chunk, end + 1) if end + 1 < len(chunk) and chunk[end + 1].type == "_INDENT" else end


def _line_start(chunk: list[Token], at: int) -> int:
    return next((i for i in range(min(at, len(chunk)) - 1, -1, -1) if chunk[i].type in LINE_ENDS), -1) + 1


def _end_of_block(chunk: list[Token], indent: int) -> int:
    depth = 0
    for index in range(indent, len(chunk)):
        depth += (chunk[index].type == "_INDENT") - (chunk[index].type == "_DEDENT")
        if depth == 0:
            return index
    return len(chunk) - 1


def _feed(file: SourceFile, tokens: list[Token], start: str) -> Tree[Any] | tuple[int, Diagnostic, set[str]]:
    """The tree, or the place of the token that cannot stand where it stands, and what to say of it."""
    memory = remembered()
    known = None if memory is None else memory.find(tokens)
    if isinstance(known, Tree):
        return known
    parser: Any = grammar().parse_interactive("", start=start)
    end = Token("$END", "", start_pos=len(file.text), end_pos=len(file.text))
    tree: Any = None
    for index, token in enumerate((*tokens, end)):
        try:
            tree = parser.feed_token(token)
        except UnexpectedInput:
            accepted: set[str] = parser.accepts()
            return (*_explain(file, [*tokens, end], index, accepted), accepted)
    found = tree if isinstance(tree, Tree) else Tree("single", [tree])
    if memory is not None:
        memory.keep(tokens, found)
    return found


def _explain(file: SourceFile, tokens: list[Token], at: int, accepted: set[str]) -> tuple[int, Diagnostic]:
    token = tokens[at]
    if token.type == "_INDENT":
        return at, say.bad_indentation(_span(file, tokens[at + 1]), None)
    if accepted == {"_INDENT"}:  # the line above opens a block, and there is none
        at = next(i for i in range(at - 1, -1, -1) if tokens[i].type == "_NL")
        token = tokens[at]
    if token.type == "COMMA" and COMMA_WORDS.keys() & accepted and at + 1 < len(tokens):
        return at, _after_comma(file, tokens[at + 1 : at + 3], accepted)
    start = _line_start(tokens, at)
    line = [(t.type, str(t.value)) for t in tokens[start : at + 2]]
    help, expected = advice(line, at - start, accepted, tokens[0].type), expected_words(accepted)
    if token.type in LAYOUT:
        last = next((tokens[i] for i in range(at - 1, -1, -1) if tokens[i].type not in LAYOUT), token)
        end = last.end_pos or 0
        return at, say.unfinished(Span(file, end, end + 1), expected, help)
    return at, say.unexpected(_span(file, token), f"`{token.value}`", expected, help)


def _after_comma(file: SourceFile, tokens: list[Token], accepted: set[str]) -> Diagnostic:
    """A comma that only certain words may follow: it is they that are wrong, not the comma."""
    phrases = sorted(COMMA_WORDS[kind] for kind in COMMA_WORDS if kind in accepted)
    written = " ".join(str(t.value) for t in tokens if t.type not in LAYOUT)
    hint = did_you_mean(written, phrases) or did_you_mean(str(tokens[0].value), phrases)
    expected = tuple(f"`{phrase}`" for phrase in phrases)
    if tokens[0].type in LAYOUT:
        return say.unfinished(_span(file, tokens[0]), expected, hint)
    return say.unexpected(_span(file, tokens[0]), f"`{tokens[0].value}`", expected, hint)


def _span(file: SourceFile, token: Token) -> Span:
    start = token.start_pos or 0
    return Span(file, start, max(token.end_pos or 0, start + 1))
