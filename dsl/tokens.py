"""Text -> tokens: words to keywords by place, indentation to blocks, notes to the end of their line.

In: a `SourceFile` that reading.py let through. Out: a list of Lark tokens with offsets. After it every line
that belongs together is one logical line. Mistakes of layout and characters go to the report; it knows no
grammar.

A line goes on inside brackets, after a comma, `;`, `=` or an operator, and when the next one starts with an
operator, `and`, `or`, `where`, `with`, `such that` or `leads to`; what goes on stands deeper than where it began. A
line of notes alone belongs to the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from attrs import define, field
from lark import Token

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.words import (
    AFTER_COMMA,
    CLAUSE,
    CONDITIONS,
    CONNECTING,
    DECLARATION,
    FACT,
    HEAD,
    LAW_PAIRS,
    LAWS,
    NOTES,
    OPENING_PAIRS,
    PAIRS,
    PATCHING,
    STATEMENT,
)

LONGEST_LINE, LONGEST_NAME, LONGEST_STRING, MOST_DIGITS = 2_000, 64, 1_024, 18
DEEPEST_BRACKETS, DEEPEST_INDENT, LONGEST_STATEMENT = 64, 32, 400

PIECE = re.compile(
    r"""(?P<space>[ ]+)|(?P<comment>\#.*)|(?P<STRING>"[^"\n]*")|(?P<DECIMAL>\d+\.\d+)|(?P<INT>\d+)
    |(?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<DOTDOT>\.\.)|(?P<NOTEQUAL>!=)|(?P<LESSEQ><=)|(?P<MOREEQ>>=)|(?P<LESS><)|(?P<MORE>>)|(?P<EQUAL>=)
    |(?P<LPAR>\()|(?P<RPAR>\))|(?P<LSQB>\[)|(?P<RSQB>\])|(?P<LBRACE>\{)|(?P<RBRACE>\})
    |(?P<COMMA>,)|(?P<COLON>:)|(?P<SEMICOLON>;)|(?P<DOT>\.)|(?P<PLUS>\+)|(?P<MINUS>-)|(?P<STAR>\*)|(?P<SLASH>/)
    |(?P<PARAGRAPH>§)""",
    re.VERBOSE,
)
SPACED = re.compile(
    PIECE.pattern.replace("(?P<space>[ ]+)|", "[ ]*(?:", 1) + ")", re.VERBOSE
)  # each piece with the spaces before it
GROUPS = ("", *sorted(SPACED.groupindex, key=lambda name: SPACED.groupindex[name]))  # the kinds by their numbers
COMMENT = GROUPS.index("comment")
BRACKETS = re.compile(r"[()\[\]{}]")
WORD = re.compile(r"\w+")
QUOTED = re.compile(r"'[^'\n]*'|[“„][^”“\n]*[”“]|«[^»\n]*»|‘[^’\n]*’")
GOES_ON_AFTER = frozenset("COMMA SEMICOLON EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ PLUS MINUS STAR SLASH".split())
WORDS_GO_ON_AFTER = frozenset("and or not in with where of to from by for".split())
STARTS_A_CONTINUATION = GOES_ON_AFTER | {"RPAR", "RSQB", "RBRACE"}
WORDS_START_A_CONTINUATION = frozenset("and or where with".split())
PAIRS_START_A_CONTINUATION = frozenset((("such", "that"), ("leads", "to")))
OPENING, CLOSING = frozenset(("LPAR", "LSQB", "LBRACE")), frozenset(("RPAR", "RSQB", "RBRACE"))
CLOSED_BY = {"LPAR": ("RPAR", ")"), "LSQB": ("RSQB", "]"), "LBRACE": ("RBRACE", "}")}
WITH_STATEMENTS = frozenset("phase procedure setup play whenever insert replace".split())
WITH_ROWS = frozenset("deck example add remove".split())
BEFORE_EACH = frozenset("SECRETLY BEFORE AFTER REPLACE REMOVE".split())
BEFORE_A_COLON = frozenset(("else", "otherwise"))  # any other word before a colon names a branch
BEFORE_A_CONDITION = frozenset(("NAME", "INT", "YES", "NO"))  # `long requires …`: the value it is about
BEFORE_AFTER = frozenset("NAME INT RPAR RSQB RBRACE".split())  # what a law is named, or what a measure is of
FIRST_AFTER_COMMA = frozenset(words[0] for words in AFTER_COMMA)
NONE: frozenset[str] = frozenset()
AFTER_PUNCTUATION = frozenset(("COLON", "SEMICOLON"))
BEGINS_A_FACT = AFTER_PUNCTUATION | {"GIVEN", "THEN"}
MAY_COUNT = (
    CONNECTING | DECLARATION | STATEMENT | CLAUSE | HEAD | FACT | CONDITIONS | {words[0] for words in PAIRS}
) | frozenset("each before after at whenever nothing".split())
"""All words that are more than names anywhere: what `_word` asks of others need not be asked."""


class Piece(NamedTuple):
    """A raw piece of text before its place tells what it is."""

    type: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@define
class LogicalLine:
    indent: int
    pieces: list[Piece] = field(factory=list)
    notes: list[Piece] = field(factory=list)


def tokenize(file: SourceFile, report: Report) -> list[Token]:
    """All tokens of the file; none if it is so long or so deep that its parts cannot be told apart."""
    tokens: list[Token] = []
    stack = [0]
    context, indented = "", False
    for line in logical_lines(file, report):
        first = line.pieces[0]
        if len(line.pieces) > LONGEST_STATEMENT:
            report.add(say.too_long(_span(file, first), "statement", "words", LONGEST_STATEMENT))
            report.too_much = True
            return []
        if line.indent > stack[-1]:
            if not context:
                if first.text in HEAD:  # below a `game` that is missing, which is told elsewhere
                    report.lost |= {piece.text for piece in line.pieces if piece.type == "NAME"}
                elif not indented:
                    report.add(say.bad_indentation(_span(file, first), 0, first.text in DECLARATION))
                indented = True
                continue
            if len(stack) > DEEPEST_INDENT:
                report.add(say.too_deep(_span(file, first), "blocks", DEEPEST_INDENT))
                report.too_much = True
                return []
            stack.append(line.indent)
            tokens.append(_token("_INDENT", first.start, ""))
        elif line.indent not in stack:
            # Between two columns: it is taken for a line of the inner block, which goes on.
            while len(stack) > 1 and stack[-2] > line.indent:
                stack.pop()
                tokens.append(_token("_DEDENT", first.start, ""))
            column, sure = _column(line, stack)
            report.add(say.bad_indentation(_span(file, first), column, sure))
        while line.indent in stack and line.indent < stack[-1]:
            stack.pop()
            tokens.append(_token("_DEDENT", first.start, ""))
        if line.indent == 0:
            context = _context(line.pieces)
        _keywords(file, line, context, tokens)
        end = line.pieces[-1].end
        for note in line.notes:
            tokens.append(_token("NOTE", note.start, note.text))
            end = max(end, note.end)
        tokens.append(_token("_NL", end, ""))
    while len(stack) > 1:
        stack.pop()
        tokens.append(_token("_DEDENT", len(file.text), ""))
    return [] if report.too_much else tokens


def _column(line: LogicalLine, stack: list[int]) -> tuple[int, bool]:
    """Where a line between two columns belongs, and whether that is certain."""
    word = line.pieces[0].text
    if len(stack) == 2 and word in DECLARATION and word not in STATEMENT:
        return 0, True
    near = sorted(stack, key=lambda column: abs(column - line.indent))[:2]
    if len(near) == 2 and near[0] > 0 and abs(near[0] - line.indent) < abs(near[1] - line.indent):
        return near[0], True
    return stack[-1], False


def _span(file: SourceFile, piece: Piece) -> Span:
    return Span(file, piece.start, piece.end)


class PlacedToken(Token):
    """A token that knows where it begins and ends, but not its line."""

    __slots__ = ()
    line = column = end_line = end_column = None


def _token(kind: str, start: int, text: str) -> Token:
    """Lark's own way takes twice as long: there are thousands of tokens."""
    made = _NEW(PlacedToken, text)
    made.type, made.value, made.start_pos, made.end_pos = kind, text, start, start + len(text)
    return made


_NEW: Callable[[type[PlacedToken], str], PlacedToken] = str.__new__
_PIECE: Callable[[type[Piece], tuple[str, str, int]], Piece] = tuple.__new__


def logical_lines(file: SourceFile, report: Report) -> Iterator[LogicalLine]:
    current: LogicalLine | None = None
    unclosed: list[Piece] = []
    for number, start in enumerate(file.starts, 1):
        text = file.line_text(number)
        if len(text) > LONGEST_LINE:
            report.add(say.too_long(Span(file, start, start + 20), "line", "characters", LONGEST_LINE))
            report.too_much = True
            continue
        stripped = text.lstrip(" \t")
        if not stripped or stripped.startswith("#"):
            continue
        indent = len(text) - len(stripped)
        tab = text.find("\t", 0, indent)
        if tab >= 0:
            end = next(i for i in range(tab, indent + 1) if text[i : i + 1] != "\t")
            report.add(say.tab_in_layout(Span(file, start + tab, start + end)))
            indent += text.count("\t", 0, indent)  # a tab is taken for two spaces
        pieces, notes = _pieces(file, text, start, len(text) - len(stripped), report)
        if not pieces and not notes:
            continue
        if not pieces and current is not None:
            current.notes += notes
        elif not pieces:
            report.add(say.note_without_rule(_span(file, notes[0])))
        elif current is not None and _belongs(current, indent, pieces, bool(unclosed)):
            current.pieces += pieces
            current.notes += notes
        else:
            if current is not None:
                yield _closed(file, current, unclosed, report)
            current, unclosed = LogicalLine(indent, pieces, notes), []
        for piece in pieces if BRACKETS.search(text) else ():
            if piece.type in OPENING:
                unclosed.append(piece)
            elif piece.type in CLOSING and unclosed:
                opened = unclosed.pop()
                if CLOSED_BY[opened.type][0] != piece.type and any(
                    CLOSED_BY[other.type][0] == piece.type for other in unclosed
                ):
                    report.add(say.bracket_left_open(_span(file, opened), _span(file, piece)))
                    unclosed.pop()
            if len(unclosed) > DEEPEST_BRACKETS:
                report.add(say.too_deep(_span(file, piece), "brackets", DEEPEST_BRACKETS))
                report.too_much = True
                return
    if current is not None:
        yield _closed(file, current, unclosed, report)


def _closed(file: SourceFile, line: LogicalLine, unclosed: list[Piece], report: Report) -> LogicalLine:
    """The line with the brackets closed that its author left open, so that the rest of it can be judged."""
    if unclosed:
        report.add(say.bracket_left_open(_span(file, unclosed[0])))
    for piece in reversed(unclosed):
        kind, text = CLOSED_BY[piece.type]
        line.pieces.append(Piece(kind, text, line.pieces[-1].end))
    return line


def _belongs(current: LogicalLine, indent: int, pieces: list[Piece], open_bracket: bool) -> bool:
    """Whether a line goes on with the one above: it stands deeper, and one of the two says so."""
    if open_bracket and pieces[0].type in CLOSING:
        return True
    return indent > current.indent and (open_bracket or _continues(current, pieces))


def _continues(current: LogicalLine, pieces: list[Piece]) -> bool:
    last, first = current.pieces[-1], pieces[0]
    if last.type in GOES_ON_AFTER or (last.type == "NAME" and last.text in WORDS_GO_ON_AFTER):
        return True
    if first.type in STARTS_A_CONTINUATION:
        return True
    if first.type != "NAME":
        return False
    if len(pieces) > 1 and (first.text, pieces[1].text) in PAIRS_START_A_CONTINUATION:
        return True
    return first.text in WORDS_START_A_CONTINUATION


def _pieces(file: SourceFile, text: str, offset: int, at: int, report: Report) -> tuple[list[Piece], list[Piece]]:
    """The pieces of a line from one place on, and its note; nearly always without a sign that does not fit."""
    pieces: list[Piece] = []
    begins, end = at, len(text)
    for match in SPACED.finditer(text, at):
        found_at, after = match.span()
        if found_at != at:
            return _odd_pieces(file, text, offset, begins, report)
        number: Any = match.lastindex  # one of the kinds fits, or there is no match
        found = match[number]
        size = len(found)
        if number == COMMENT:
            return pieces, []
        if found in NOTES and not (pieces and pieces[-1].type == "DOT"):
            return pieces, [Piece("NOTE", _without_comment(text[after - size :]), offset + after - size)]
        if size > MOST_DIGITS:
            return _odd_pieces(file, text, offset, begins, report)
        pieces.append(_PIECE(Piece, (GROUPS[number], found, offset + after - size)))
        at = after
    if at < end and text[at:].strip(" "):
        return _odd_pieces(file, text, offset, begins, report)
    return pieces, []


def _odd_pieces(file: SourceFile, text: str, offset: int, at: int, report: Report) -> tuple[list[Piece], list[Piece]]:
    """The same where something may not fit, which is told."""
    pieces: list[Piece] = []
    while at < len(text):
        match = PIECE.match(text, at)
        if match is None:
            span = Span(file, offset + at, offset + at + 1)
            if text[at] == '"':
                report.add(say.open_string(Span(file, offset + at, offset + len(text))))
                pieces.append(Piece("STRING", text[at:], offset + at))
                return pieces, []
            owner = text.startswith("'s ", at) and bool(pieces) and pieces[-1].end == offset + at
            quoted = None if owner else QUOTED.match(text, at)
            if text[at] == "\t":
                report.add(say.tab_in_layout(span))
            elif quoted is not None:
                report.add(say.strange_character(Span(file, offset + at, offset + quoted.end())))
                pieces.append(Piece("STRING", quoted.group(), offset + at))
                at = quoted.end() - 1
            elif owner:
                report.add(say.strange_character(Span(file, offset + at, offset + at + 3)))
                at += 3
                continue
            elif text[at].isalpha():
                at = _accented(file, text, offset, at, pieces, report)
                continue
            elif text[at] in "&|" and text[at : at + 2] == text[at] * 2:
                report.add(say.strange_character(Span(file, offset + at, offset + at + 2)))
                at += 1
            elif not (pieces and text[at] == text[at - 1]):
                report.add(say.strange_character(span))
            at += 1
            continue
        kind, found, begins = str(match.lastgroup), match.group(), at
        at = match.end()
        if kind == "space" or kind == "comment":
            continue
        if found in NOTES and kind == "NAME" and not (pieces and pieces[-1].type == "DOT"):
            return pieces, [Piece("NOTE", _without_comment(text[begins:]), offset + begins)]
        piece = Piece(kind, found, offset + begins)
        if len(found) > MOST_DIGITS:  # the least that is too long for anything
            _check_length(file, piece, report)
        pieces.append(piece)
    return pieces, []


def _accented(file: SourceFile, text: str, offset: int, at: int, pieces: list[Piece], report: Report) -> int:
    """A name with letters that names do not have: told once, and taken for a name."""
    begins = at
    if pieces and pieces[-1].type == "NAME" and pieces[-1].end == offset + at:
        begins = pieces.pop().start - offset
    match = WORD.match(text, begins)
    end = max(at + 1, match.end() if match is not None else 0)
    if begins:  # in the first column no name stands, and it is told that this is no word of the language
        report.add(say.strange_character(Span(file, offset + begins, offset + end)))
    pieces.append(Piece("NAME", text[begins:end], offset + begins))
    return end


def _without_comment(note: str) -> str:
    inside = False
    for index, character in enumerate(note):
        if character == '"':
            inside = not inside
        elif character == "#" and not inside:
            return note[:index].rstrip()
    return note.rstrip()


def _check_length(file: SourceFile, piece: Piece, report: Report) -> None:
    size = len(piece.text)
    if piece.type == "NAME" and size > LONGEST_NAME:
        report.add(say.too_long(_span(file, piece), "name", "characters", LONGEST_NAME))
    elif piece.type in ("INT", "DECIMAL") and size > MOST_DIGITS:
        report.add(say.too_long(_span(file, piece), "number", "digits", MOST_DIGITS))
    elif piece.type == "STRING" and size > LONGEST_STRING:
        report.add(say.too_long(_span(file, piece), "text", "characters", LONGEST_STRING))


def _keywords(file: SourceFile, line: LogicalLine, context: str, tokens: list[Token]) -> None:
    """The tokens of a line, put behind those before it."""
    pieces = line.pieces
    at, size = 0, len(pieces)
    opening, first = _first_words(context, line.indent), True
    begins, next_opening = AFTER_PUNCTUATION, STATEMENT if context in WITH_STATEMENTS else NONE
    if context == "example":
        begins, next_opening = BEGINS_A_FACT, FACT
    patches = line.indent == 0 and pieces[0].text in PATCHING
    previous = ""
    while at < size:
        kind, text, start = pieces[at]
        many = 1
        if kind == "NAME":
            if text in MAY_COUNT and previous != "DOT":
                kind, many = _word(pieces, at, opening if first else NONE, context, previous)
        elif kind == "COMMA":
            kind, many = _after_comma(pieces, at)
        if many > 1:
            text = file.text[start : pieces[at + many - 1].end]
        at += many
        tokens.append(_token(kind, start, text))
        first = kind in begins
        if first:
            opening = next_opening
        elif patches and at == 1:
            first, opening = True, DECLARATION
        previous = kind


def _context(pieces: list[Piece]) -> str:
    """The word of a declaration; `replace phase` is a phase, `replace` alone changes lines of a rule."""
    word = pieces[0].text
    return pieces[1].text if word in PATCHING and len(pieces) > 1 and pieces[1].text in DECLARATION else word


def _first_words(context: str, indent: int) -> frozenset[str]:
    if indent == 0:
        return DECLARATION
    if context in ("game", "variant", "library"):
        return HEAD
    if context == "example":
        return CLAUSE
    if context == "option":
        return CONDITIONS
    if context in ("deck", "track"):
        return frozenset()
    return STATEMENT


def _after_comma(pieces: list[Piece], at: int) -> tuple[str, int]:
    if at + 1 < len(pieces) and pieces[at + 1].text in FIRST_AFTER_COMMA:
        for words, kind in AFTER_COMMA.items():
            follow = pieces[at + 1 : at + 1 + len(words)]
            if len(follow) == len(words) and all(p.text == w for p, w in zip(follow, words, strict=True)):
                return kind, len(words) + 1
    return "COMMA", 1


def _word(pieces: list[Piece], at: int, opening: frozenset[str], context: str, previous: str) -> tuple[str, int]:
    word = pieces[at].text
    following = pieces[at + 1].text if at + 1 < len(pieces) else ""
    pair = (word, following)
    if pair in PAIRS and (opening or pair not in OPENING_PAIRS) and (context in LAWS or pair not in LAW_PAIRS):
        return PAIRS[pair], 2
    if word in opening and not (following == ":" and opening is STATEMENT and word not in BEFORE_A_COLON):
        return word.upper(), 1
    if word in CONNECTING:
        return word.upper(), 1
    if word == "each" and (previous in BEFORE_EACH or context in WITH_ROWS):
        return "EACH", 1
    if previous == "INSERT" and word in ("before", "after", "at"):
        return word.upper(), 1
    if context == "variant" and (word, previous) == ("after", "NAME"):
        return "AFTER", 1
    if context in LAWS and (word == "after" and previous in BEFORE_AFTER or (word, previous) == ("whenever", "COLON")):
        return word.upper(), 1
    if context == "option" and word in CONDITIONS and previous in BEFORE_A_CONDITION:
        return word.upper(), 1
    if word == "nothing" and context == "example":
        return "NOTHING", 1
    return "NAME", 1
