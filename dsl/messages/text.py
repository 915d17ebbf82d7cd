"""E00xx: characters, layout and syntax."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from attrs import evolve

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.messages.registry import code, did_you_mean, nearest
from cambist.dsl.source import Span


@code("E0001")
def not_text(span: Span, why: str) -> Diagnostic:
    """The file is not plain UTF-8 text.

    Rules are read by people, so control characters, invisible characters and characters that change the
    direction of writing are refused: they could make a rule look different from what it is.

    Wrong:
        variable high\u202escore: number = 0
    Right:
        variable highscore: number = 0
    """
    if not span.text:
        return Diagnostic(
            "E0001", f"this is not plain text: {why}", Label(span, "not UTF-8"), help="save the file as UTF-8 text"
        )
    return Diagnostic(
        "E0001",
        f"this is not plain text: {why}",
        Label(span, "cannot be seen, or misleads"),
        help="take it out",
        fix=Edit(span, ""),
    )


@code("E0002")
def file_too_large(span: Span, size: int, limit: int) -> Diagnostic:
    """The file is larger than a ruleset may be (256 KiB). A whole game takes 10 to 30 KiB.

    Move long tables of cards into a sheet beside the rules, and check that this is the file you meant.
    """
    is_rules = span.file.name.endswith(".rules")
    return Diagnostic(
        "E0002",
        f"the file has {size:,} bytes, more than the {limit:,} allowed",
        Label(span),
        help="check that this is the file you meant" + (", and put long lists of cards into a sheet" * is_rules),
    )


@code("E0003")
def too_long(span: Span, what: str, of: str, limit: int) -> Diagnostic:
    """A line, statement, name, number or text is longer than allowed.

    Lines may have 2,000 characters, statements 400 words, names 64 characters, texts 1,024, numbers 18
    digits.

    Wrong:
        variable turns_taken: number = 1234567890123456789
    Right:
        variable turns_taken: number = 0
    """
    return Diagnostic(
        "E0003",
        f"this {what} is too long",
        Label(span, f"more than {limit:,} {of}"),
        help=f"shorten the {what}",
    )


@code("E0004")
def too_deep(span: Span, what: str, limit: int) -> Diagnostic:
    """Brackets, blocks or expressions are nested too deeply to be read (64 brackets or operators, 32 blocks).

    Name a part with `define` or move it into a `procedure`.
    """
    return Diagnostic(
        "E0004",
        f"{what} are nested too deeply",
        Label(span, f"more than {limit} levels"),
        help="name a part of it with `define` or `procedure`",
    )


@code("E0005")
def bad_indentation(span: Span, expected: int | None, sure: bool = False) -> Diagnostic:
    """A line is indented in a way that fits no block above it.

    The lines of one block start in the same column; a block stands deeper than the line that opens it.

    Wrong:
        procedure tidy                                              cites R"Tidy"
            shuffle box
          shuffle stock
    Right:
        procedure tidy                                              cites R"Tidy"
          shuffle box
          shuffle stock
    """
    if expected is None:
        why, help = (
            "deeper than the line above, which opens no block",
            "start it in the column of the line above",
        )
    elif expected:
        why, help = "starts in a column of its own", f"indent it by {expected} spaces, like its neighbours"
    else:
        why, help = "nothing stands above it", "start it in the first column"
    start = span.file.starts[span.line - 1]
    fix = Edit(Span(span.file, start, span.start), " " * (expected or 0)) if sure else None
    return Diagnostic("E0005", "this line's indentation fits no block above it", Label(span, why), help=help, fix=fix)


@code("E0006")
def tab_in_layout(span: Span) -> Diagnostic:
    """A tab character stands in the text.

    Tabs are as wide as each editor likes, so blocks are indented by spaces.

    Wrong:
        procedure tidy                                              cites R"Tidy"
        \tshuffle box
    Right:
        procedure tidy                                              cites R"Tidy"
          shuffle box
    """
    fix = Edit(span, "  " * len(span.text))
    return Diagnostic("E0006", "a tab stands here", Label(span, "a tab"), help="write two spaces instead", fix=fix)


@code("E0007")
def open_string(span: Span) -> Diagnostic:
    """A text is opened by a quote and not closed on its line.

    Wrong:
        procedure stop_now                                          cites R"Stop"
          end game because "the bank is broke
    Right:
        procedure stop_now                                          cites R"Stop"
          end game because "the bank is broke"
    """
    return Diagnostic(
        "E0007",
        "this text is never closed",
        Label(span, "no closing quote on this line"),
        help='close it with `"`',
        fix=None if NOTES_INSIDE.search(span.text) else Edit(Span(span.file, span.end, span.end), '"'),
    )


NOTES_INSIDE = re.compile(r"\s{2}|#|;|\b(?:cites|assumed|erratum|language|because)\b")
"""What hardly belongs to a text that was left open: where it should have ended is not known."""

MEANT = {
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "×": "*",
    "·": "*",
    "÷": "/",
    "–": "-",
    "—": "-",
    "−": "-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "..",
    "@": "",
    "$": "",
    "€": "",
    "£": "",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2009": " ",
    "\u3000": " ",
}
"""Characters that can mean one thing only."""

INSTEAD = {
    "&": "write `and`",
    "&&": "write `and`",
    "|": "write `or`",
    "||": "write `or`",
    "!": "write `not`, or `!=` between two values",
    "^": "there is no power; write the product, or a `table`",
    "%": "there is no remainder; a share in percent is `n * 5 / 100 rounded down`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "–": "write `-`",
    "—": "write `-`",
    "−": "write `-`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "…": "write `..` between the two ends of a range",
    "\\": "a line goes on after a comma, a sign or inside brackets",
    "@": "leave it out",
    "$": "amounts are written as numbers alone",
    "€": "amounts are written as numbers alone",
    "£": "amounts are written as numbers alone",
    **dict.fromkeys(("\u00a0", "\u202f", "\u2009", "\u3000"), "write a plain space"),
    **dict.fromkeys("'‘’“”„«»`", 'write texts between `"` and `"`'),
}


QUOTES = "'‘’“”„«»`"


@code("E0008")
def strange_character(span: Span) -> Diagnostic:
    """A character that the language does not use.

    Names are letters without accents, digits and `_`; signs are `+ - * / = != < <= > >= ( ) [ ] { } , : ; .`.

    Wrong:
        variable café: number = 0
    Right:
        variable cafe: number = 0
    """
    text, fix = span.text, None
    help = INSTEAD.get(text[:1], INSTEAD.get(text, "names are letters without accents, digits and `_`"))
    label = "not part of a name or a sign"
    if text == "'s ":
        help, label, fix = (
            "write a `.` between the owner and what it has, for example `p.cash`",
            "of whom?",
            Edit(span, "."),
        )
        text = "'s"
    elif text in MEANT:
        fix = Edit(span, MEANT[text])
    elif text == "!" and not span.file.text[span.end : span.end + 1].isspace():
        fix = Edit(span, "not ")
    elif len(text) > 1 and text[0] in QUOTES:
        fix = Edit(span, f'"{text[1:-1].strip()}"')
        return Diagnostic("E0008", f'texts stand between `"` and `"`, not `{text[0]}` and `{text[-1]}`',
                          Label(span, "other quotes"), help='write `"` on both sides', fix=fix)  # fmt: skip
    elif text.isalpha() and (plain := _plain(text)):
        fix, label = Edit(span, plain), "has an accent"
        help += f"; write `{plain}`"
    what = "name" if label == "has an accent" else "sign" if len(text) > 1 else "character"
    shown = text if text.strip() else f"U+{ord(text):04X}, a space of another kind"
    message = f"the language does not use the {what} `{shown}`"
    return Diagnostic("E0008", message, Label(span, label), help=help, fix=fix)


def _plain(name: str) -> str:
    """A name without its accents; nothing, if more is strange about it."""
    letters = unicodedata.normalize("NFKD", name.replace("ß", "ss").replace("œ", "oe").replace("æ", "ae"))
    found = "".join(c for c in letters if not unicodedata.combining(c))
    return found if found.isascii() and found.isidentifier() else ""


@code("E0009")
def unexpected(span: Span, found: str, expected: tuple[str, ...], help: str = "") -> Diagnostic:
    """Something stands where the language expects something else.

    The message tells what was found and what could stand there. What begins with `sum of`, `count of`,
    `the`, `all`, `some`, `every` or `no` reaches to the end of its expression: as a part of a larger one it
    needs parentheses.

    Wrong:
        define riches(p) = p.cash 2                                 cites R"Riches"
    Right:
        define riches(p) = p.cash * 2                               cites R"Riches"
    """
    return Diagnostic("E0009", f"{found} cannot stand here", Label(span, _wanted(expected)), help=help)


def other_word(span: Span, expected: tuple[str, ...]) -> Diagnostic:
    """E0009 where only certain words may stand."""
    words = [word.strip("`") for word in expected]
    meant = nearest(span.text, words)
    found = unexpected(span, f"`{span.text}`", expected, did_you_mean(span.text, words))
    return evolve(found, help=f"did you mean `{meant}`?", fix=Edit(span, meant)) if meant else found


def who_chooses(span: Span) -> Diagnostic:
    """E0009 for a choice of nobody."""
    return Diagnostic(
        "E0009",
        f"`{span.text}` cannot stand here alone",
        Label(span, "who?"),
        help="say who chooses, for example `p chooses`",
    )


def should_be(span: Span, text: str, help: str, fix: Edit) -> Diagnostic:
    """E0009 where it is certain what was meant."""
    label = f"should be `{text}`" if text else "too much"
    return Diagnostic("E0009", f"`{span.text}` cannot stand here", Label(span, label), help=help, fix=fix)


def unfinished(span: Span, expected: tuple[str, ...], help: str = "") -> Diagnostic:
    """E0009 where nothing stands at all: the line or the block ends too early."""
    return Diagnostic("E0009", "something is missing here", Label(span, _wanted(expected)), help=help)


def _wanted(expected: tuple[str, ...]) -> str:
    if not expected:
        return "not expected here"
    *most, last = expected
    return f"expected {', '.join(most)} or {last}" if most else f"expected {last}"


@code("E0010")
def bracket_left_open(span: Span, before: Span | None = None) -> Diagnostic:
    """A bracket is opened and never closed.

    The lines inside a bracket stand deeper than the line it is opened on.

    Wrong:
        define double(n) = (n * 2                                   cites R"Double"
    Right:
        define double(n) = (n * 2)                                  cites R"Double"
    """
    closing = {"(": ")", "[": "]", "{": "}"}[span.text]
    fix = None if before is None else Edit(Span(before.file, before.start, before.start), closing)
    return Diagnostic(
        "E0010",
        f"this `{span.text}` is never closed",
        Label(span, "opened here"),
        others=(Label(before, "another is closed here"),) if before is not None else (),
        help=f"close it with `{closing}`",
        fix=fix,
    )


@code("E0011")
def empty_rules(span: Span) -> Diagnostic:
    """The file has no rules in it. A ruleset begins with a line like `game market "Market day"`.

    Wrong:
        # nothing but a comment
    Right:
        variable rounds: number = 0
    """
    return Diagnostic(
        "E0011",
        "there are no rules in this file",
        Label(span),
        help='begin with `game market "Market day"`, or try `cambist games`',
    )


@code("E0012")
def reserved_name(span: Span, name: str, after: str = "") -> Diagnostic:
    """A word of the language is used as a name, which would confuse readers. `setup` and `play` stand alone.

    Wrong:
        define double(move) = move * 2                              cites R"Double"
    Right:
        define double(n) = n * 2                                    cites R"Double"
    """
    return Diagnostic(
        "E0012",
        f"`{name}` is a word of the language",
        Label(span, "cannot be a name"),
        help=f"write `{name}` without `{after}`" if after else "choose another name",
    )


@code("E0013")
def bad_note(span: Span, why: str, meant: str | None = None) -> Diagnostic:
    """A note at the end of a line cannot be read.

    The forms are `cites R"Heading"`, `cites R§4`, `assumed because "why" per "whom" or 2, 5` (the last two
    parts may be left out) and `erratum "what is wrong" because "what holds instead"`.

    Wrong:
        variable rounds: number = 5                                 assumed "a guess"
    Right:
        variable rounds: number = 5                                 assumed because "a guess"
    """
    return Diagnostic(
        "E0013",
        "this note cannot be read",
        Label(span, why),
        help='write `cites R"Heading"`, `cites R§4` or `assumed because "…"`',
        fix=None if meant is None else Edit(span, meant),
    )


@code("E0014")
def note_without_rule(span: Span) -> Diagnostic:
    """A note stands before any rule.

    It belongs at the end of the line it justifies, or alone on the line below.

    Wrong:
        cites Q"Players"
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
        play
          nothing
        score p = 0
        winner most score, ties shared
    Right:
        variable rounds: number = 5
          assumed because "a guess"
    """
    return Diagnostic(
        "E0014",
        "this note belongs to no rule",
        Label(span, "nothing above it"),
        help="put it behind the rule it justifies",
    )


@code("E0015")
def no_such_file(span: Span, why: str, help: str) -> Diagnostic:
    """A file that the rules or the command name cannot be read.

    Files are looked for beside the rules that name them, never outside that folder.
    """
    return Diagnostic("E0015", why, Label(span, "named here" if span.file.text else ""), help=help)


def several_files(span: Span, name: str, files: Iterable[str]) -> Diagnostic:
    """E0015 for a name that several files give themselves, none of them called so."""
    known = list(files)
    shown = ", ".join(f"`{file}`" for file in known[:6]) + (f" and {len(known) - 6} more" if len(known) > 6 else "")
    help = f"give the path of one of them: {shown}"
    return Diagnostic("E0015", f"{len(known)} files here say that they are `{name}`", Label(span), help=help)
