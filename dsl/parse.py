"""Tokens -> Lark trees, one for each declaration, so that a mistake in one does not hide the others.

In: a `SourceFile` and a report. Out: the trees of the declarations that parse. Every Lark exception becomes a
diagnostic here; the names of terminals never leave this file. It builds no nodes and judges nothing.

A mistake whose remedy is certain (its diagnostic has a `fix`) is told, and the text is read as if it were mended, so
that nothing else is said because of it; all places are still those of the text as it was written.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from contextlib import suppress
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field
from lark import Lark, Token, Tree, UnexpectedInput
from lark import __version__ as lark_version
from lark.grammar import Rule
from lark.lexer import TerminalDef

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic, Edit, Report
from cambist.dsl.fixes import Patched, applied
from cambist.dsl.messages.registry import did_you_mean, nearest
from cambist.dsl.messages.repairs import Repair, Word, repairs
from cambist.dsl.messages.syntax import COMMA_WORDS, FACTS, LAYOUT, advice, expected_words
from cambist.dsl.placing import placed
from cambist.dsl.remembered import remembered
from cambist.dsl.shifting import Misfit, Shifter
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import DECLARATION, HEAD, STATEMENT

START = "declaration"
TRIES_PER_DECLARATION = 40
PASSES = 8  # over a text that is mended as it is read: each mends all that it can
MOST_TRIED = 30_000  # tokens read to try out remedies: enough for some hundred mistakes, and soon over
WITH_LINES = frozenset("GAME VARIANT LIBRARY PHASE PROCEDURE SETUP PLAY WHENEVER EXAMPLE".split())
WITH_TITLE = frozenset("GAME VARIANT LIBRARY EXAMPLE".split())
GOES_WITH_THE_ABOVE = frozenset("OTHERWISE ELSE ELSE_IF UNTIL FOREVER".split())
A_VALUE = frozenset("NAME INT DECIMAL STRING".split())
LINE_ENDS = frozenset(("_NL", "_INDENT", "_DEDENT"))
WITH_STATEMENTS = frozenset("phase procedure setup play whenever".split())
OPENS_A_BLOCK = frozenset("each if else while repeat secretly tentatively otherwise".split())
OTHER_DECLARATIONS = {
    "function": "define",
    "def": "define",
    "func": "define",
    "var": "variable",
    "const": "define",
    "constant": "define",
    "import": "use",
    "include": "use",
    "test": "example",
    "tests": "example",
    "rule": "procedure",
    "cards": "card",
    "change": "set",
    "modify": "set",
    "update": "set",
    "delete": "remove",
    "drop": "remove",
}


@cache
def grammar() -> Lark:
    """The parser: from tables worked out beforehand, or worked out now if those are of another grammar."""
    from cambist.dsl import grammar_tables

    text = resources.files("cambist.dsl").joinpath("grammar.lark").read_text("utf-8")
    if grammar_tables.DIGEST == digest(text):
        return placed(unpacked(grammar_tables.TABLES))
    return placed(worked_out(text))


@cache
def shifter() -> Shifter:
    return Shifter(grammar(), START)


def worked_out(text: str) -> Lark:
    """The parser of a grammar; takes ten times as long as unpacking its tables."""
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=START,
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
    text = Patched(file.text)
    trial = Trial()
    for left in reversed(range(PASSES)):
        current = SourceFile(file.name, text.text) if text.changed else file
        found = Report()
        trial.goes_on = left > 0
        chunks = _readable(current, found, trial)
        mended = [d for d in found.items if d.fix is not None] if left else []
        if not mended:
            break
        trial.good |= {_words(chunk) for chunk, _ in chunks}
        for diagnostic in mended:
            report.add(text.original(diagnostic, file))
        text.change(d.fix for d in mended if d.fix is not None)
    for diagnostic in found.items:
        report.add(text.original(diagnostic, file))
    report.lost |= found.lost
    report.too_much = report.too_much or found.too_much
    if text.changed:
        chunks = [([_moved(token, text) for token in chunk], None) for chunk, _ in chunks]
    trees = (_feed(file, chunk) if tree is None else tree for chunk, tree in chunks)
    return [tree for tree in trees if isinstance(tree, Tree)]


Readable = tuple[list[Token], Tree[Any] | None]  # the tokens of a declaration, and its tree if this look made it


@define
class Trial:
    """How much has been read to try out remedies, and what needs no second look."""

    spent: int = 0
    goes_on: bool = True
    good: set[tuple[tuple[str, str], ...]] = field(factory=set)


def _moved(token: Token, text: Patched) -> Token:
    start, end = text.place(token.start_pos or 0), text.place(token.end_pos or 0)
    return Token(token.type, token.value, start_pos=start, end_pos=end)


def _readable(file: SourceFile, report: Report, trial: Trial) -> list[Readable]:
    """Each declaration that parses, without the lines that do not."""
    found = []
    for chunk in _declarations(file, tokenize(file, report), report):
        good = _parse_chunk(file, chunk, report, trial)
        if good is not None:
            found.append(good)
    return found


def _declarations(file: SourceFile, tokens: list[Token], report: Report) -> list[list[Token]]:
    """Cut the tokens where a line starts in the first column."""
    begins: list[int] = []
    depth = 0
    fresh = True
    for at, token in enumerate(tokens):
        kind = token.type
        if kind in LAYOUT:
            depth += (kind == "_INDENT") - (kind == "_DEDENT")
            fresh = kind in ("_NL", "_DEDENT")
        elif fresh:
            fresh = False
            if depth == 0:
                begins.append(at)
    chunks = [tokens[at:end] for at, end in pairwise([*begins, len(tokens)])]
    good = []
    for chunk in chunks:
        if chunk[0].value in DECLARATION:
            good.append(chunk)
        elif not _has_strange_character(file, chunk, 0, report):
            report.add(_not_a_declaration(file, chunk, good[-1] if good else []))
        if chunk[0].value not in DECLARATION:
            report.lost |= _identifiers(chunk)
    return good


def _not_a_declaration(file: SourceFile, chunk: list[Token], above: list[Token]) -> Diagnostic:
    token, word = chunk[0], str(chunk[0].value)
    hint, fix = did_you_mean(word, DECLARATION), None
    if word in STATEMENT:
        hint = "indent it below the rule it belongs to"
        if above and above[0].value in WITH_STATEMENTS:
            line = next(i for i, t in enumerate(chunk) if t.type == "_NL")
            fix = _shifted(file, chunk if word in OPENS_A_BLOCK else chunk[: line + 1], 2)
    elif word in HEAD:
        hint = f"`{word}` stands below the first line, indented"
        if above and above[0].value in ("game", "variant", "library"):
            fix = _shifted(file, chunk, 2)
    elif token.type not in ("NAME", "INT", "STRING"):
        hint = "to go on with the line above, indent it deeper than where that line began"
    elif meant := OTHER_DECLARATIONS.get(word) or nearest(word, DECLARATION):
        hint, fix = f"did you mean `{meant}`?", Edit(_span(file, token), meant)
    found = say.unexpected(
        _span(file, token),
        f"`{word}`",
        ("a declaration",),
        hint or "in the first column stand words like `zone`, `define`, `phase`, `play`",
    )
    return evolve(found, fix=fix)


def _shifted(file: SourceFile, tokens: list[Token], by: int) -> Edit:
    """The lines of these tokens, indented deeper or less deep."""
    first = file.line_of(tokens[0].start_pos or 0)
    last = max(file.line_of(t.start_pos or 0) for t in tokens if t.type not in LINE_ENDS)
    lines = [file.line_text(number) for number in range(first, last + 1)]
    moved = [" " * by + line if by > 0 else line[min(-by, len(line) - len(line.lstrip(" "))) :] for line in lines]
    start = file.starts[first - 1]
    return Edit(Span(file, start, start + len("\n".join(lines))), "\n".join(m if m.strip() else "" for m in moved))


def _mended(
    file: SourceFile, chunk: list[Token], at: int, found: Diagnostic, accepted: set[str], trial: Trial
) -> Diagnostic:
    """The diagnostic with its remedy, if there is one with which the line can be read."""
    first, last = _line_start(chunk, at), next((i for i in range(at, len(chunk)) if chunk[i].type == "_NL"), -1)
    if last < 0 or at >= len(chunk):
        return found
    start, stop = chunk[0].start_pos or 0, chunk[last].start_pos or 0
    if chunk[at].type == "_INDENT" and found.code != "E0005":
        return found
    if chunk[at].type == "_INDENT":
        depth = (chunk[at + 1].start_pos or 0) - file.starts[file.line_of(chunk[at + 1].start_pos or 0) - 1]
        above = chunk[_line_start(chunk, at - 1)].start_pos or 0
        fix = _shifted(file, chunk[at : _end_of_block(chunk, at)], above - file.starts[file.line_of(above) - 1] - depth)
        tried = [Repair(fix.span.start, fix.span.end, fix.text, found.help)]
        stop = fix.span.end
    else:
        line = [Word(t.type, str(t.value), t.start_pos or 0, t.end_pos or 0) for t in chunk[first : last + 1]]
        tried = list(repairs(line, at - first, accepted, file.text))
    end = max(t.end_pos or 0 for t in chunk)
    good: list[Repair] = []
    for repair in tried:
        edit = Edit(Span(file, repair.start, repair.end), repair.text)
        if good and (repair.start, repair.end, repair.text) == (good[0].start, good[0].end, good[0].text):
            continue
        reached = _reached(file, start, end, edit, trial)
        moved = len(repair.text) - (repair.end - repair.start)
        if reached > stop + moved or (repair.sure and reached > max(chunk[at].start_pos or 0, repair.end) + moved):
            good.append(repair)
        if repair.sure and good:
            break
    if any(r.sure for r in good):
        good = [r for r in good if r.sure]
    else:
        good = [r for r in good if r.rank == min(g.rank for g in good)]
    if not good or (len({(r.start, r.text) for r in good}) > 1 and not good[0].sure):
        return found
    if good[0].told:
        return evolve(found, help=good[0].help)
    fix = Edit(Span(file, good[0].start, good[0].end), good[0].text)
    if chunk[at].type == "_INDENT" or good[0].start == good[0].end:
        return evolve(found, help=good[0].help, fix=fix)
    wrong = Span(file, good[0].start, good[0].end)
    wrong = Span(file, wrong.end - len(wrong.text.lstrip(" ")), wrong.end)
    if wrong.text and wrong.text.strip() == wrong.text and len(wrong.text.split("\n")) == 1:
        return say.should_be(wrong, good[0].text, good[0].help, fix)
    return evolve(found, help=good[0].help, fix=fix)


def _reached(file: SourceFile, start: int, end: int, edit: Edit, trial: Trial) -> int:
    """Where the declaration between two places stops to be readable after an edit; beyond its end if nowhere."""
    if trial.spent > MOST_TRIED:
        return 0
    text = applied(file.text[start:end], [Edit(Span(file, edit.span.start - start, edit.span.end - start), edit.text)])
    report = Report()
    tried = SourceFile(file.name, text)
    chunks = _declarations(tried, tokenize(tried, report), report)
    if report.items or len(chunks) != 1:
        return 0
    trial.spent += len(chunks[0])
    parser: Any = grammar().parse_interactive("", start=START)
    for token in (*chunks[0], Token("$END", "", start_pos=0)):
        try:
            parser.feed_token(token)
        except UnexpectedInput:
            fits = token.type not in (*LINE_ENDS, "$END") and parser.accepts() != {"_INDENT"}
            return start + (token.start_pos or 0) if fits else 0  # else what follows the line does not fit it
    return end + len(edit.text) + 1


def _parse_chunk(file: SourceFile, chunk: list[Token], report: Report, trial: Trial) -> Readable | None:
    """Parse one declaration; after a mistake go on without the line it is in, to find the next mistake."""
    header = False
    for _ in range(TRIES_PER_DECLARATION):
        found = None if trial.good and _words(chunk) in trial.good else _feed(file, chunk)
        if found is None or isinstance(found, Tree):
            return chunk, found
        at, diagnostic, accepted = found
        if trial.goes_on and diagnostic.fix is None and not _has_strange_character(file, chunk, at, report):
            diagnostic = _mended(file, chunk, at, diagnostic, accepted, trial)
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


def _words(chunk: list[Token]) -> tuple[tuple[str, str], ...]:
    return tuple((t.type, str(t.value)) for t in chunk)


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
        end, above = _end_of_block(chunk, at), _line_start(chunk, at - 1)
        if str(chunk[above].value) in ("choose", "chooses", "choice"):
            alone = chunk[above - 1].type == "_INDENT" and chunk[end + 1].type == "_DEDENT"
            return [] if alone else [(above, end + 1)]
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


def _feed(file: SourceFile, tokens: list[Token]) -> Tree[Any] | tuple[int, Diagnostic, set[str]]:
    """The tree, or the place of the token that cannot stand where it stands, and what to say of it."""
    memory = remembered()
    known = None if memory is None else memory.find(tokens)
    if isinstance(known, Tree):
        return known
    end = Token("$END", "", start_pos=len(file.text), end_pos=len(file.text))
    try:
        tree = shifter().tree((*tokens, end))
    except Misfit as misfit:
        accepted = _accepted([*tokens, end][: misfit.at + 1])
        return (*_explain(file, [*tokens, end], misfit.at, accepted), accepted)
    found = tree if isinstance(tree, Tree) else Tree("single", [tree])
    if memory is not None:
        memory.keep(tokens, found)
    return found


def _accepted(tokens: list[Token]) -> set[str]:
    """What could stand where the last of these cannot."""
    parser: Any = grammar().parse_interactive("", start=START)
    with suppress(UnexpectedInput):
        for token in tokens:
            parser.feed_token(token)
    found: set[str] = parser.accepts()
    return found


def _explain(file: SourceFile, tokens: list[Token], at: int, accepted: set[str]) -> tuple[int, Diagnostic]:
    token = tokens[at]
    if token.type == "_INDENT":
        above = tokens[_line_start(tokens, at - 1)]
        if str(above.value) in ("choose", "chooses", "choice"):
            return at, say.who_chooses(_span(file, above))
        return at, say.bad_indentation(_span(file, tokens[at + 1]), None)
    if accepted == {"_INDENT"}:  # the line above opens a block, and there is none
        at = next(i for i in range(at - 1, -1, -1) if tokens[i].type == "_NL")
        token = tokens[at]
    if token.type == "COMMA" and COMMA_WORDS.keys() & accepted and at + 1 < len(tokens):
        return at, _after_comma(file, tokens[at + 1 : at + 3], accepted)
    start = _line_start(tokens, at)
    opening = next((i + 1 for i in range(at - 1, start - 1, -1) if tokens[i].type in ("COLON", "SEMICOLON")), start)
    two_words = at == opening + 1 and tokens[opening].type == "NAME" and token.type in A_VALUE
    if two_words and "SEMICOLON" in accepted and tokens[start].type not in FACTS:
        word = tokens[opening]  # two words that cannot follow each other: it is the first that is none of the language
        help = advice([(t.type, str(t.value)) for t in (word, token)], 1, accepted, "")
        if "missing" in help or not help:
            help = "a statement begins with a word like `move`, `transfer`, `set`, `if` or `each`"
        return at, say.unexpected(_span(file, word), f"`{word.value}`", ("a statement",), help)
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
