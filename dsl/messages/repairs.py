"""What an author most likely meant where the grammar stops: other words for a few tokens, each with its reason.

In: the tokens of one line, the place where it stops, the types that could stand there. Out: `Repair`s, the likeliest
first. They are guesses: parse.py tries each and keeps one only if the line can be read then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from cambist.dsl.messages.registry import nearest
from cambist.dsl.messages.syntax import LAYOUT, QUANTIFYING, SIGNS
from cambist.dsl.words import (
    AFTER_COMMA,
    CLAUSE,
    CONNECTING,
    DECLARATION,
    FACT,
    HEAD,
    NOTES,
    PAIRS,
    STATEMENT,
    in_words,
)


@frozen
class Word:
    """A token: its type, what is written, and where it starts and ends in the text."""

    kind: str
    text: str
    start: int
    end: int


@frozen
class Repair:
    """`text` instead of the stretch; `sure` if only this can be meant, whatever else is wrong with the line; of others
    those of the lowest `rank` come first. One that is only `told` is for the author to make: it decides something."""

    start: int
    end: int
    text: str
    help: str
    sure: bool = False
    rank: int = 1
    told: bool = False


WORDS = DECLARATION | STATEMENT | CLAUSE | HEAD | FACT | CONNECTING | NOTES | {w for pair in PAIRS for w in pair}
WORDS |= {w for words in AFTER_COMMA for w in words} | {"each", "step", "language", "sections", "enters", "leaves"}
OPERATORS = {
    ("EQUAL", "EQUAL"): "=",
    ("LESS", "MORE"): "!=",
    ("EQUAL", "MORE"): ">=",
    ("EQUAL", "LESS"): "<=",
}
FIRST_WORDS = {
    "elif": "else if",
    "elsif": "else if",
    "elseif": "else if",
    "elsewise": "else",
    "foreach": "each",
    "for": "each",
    "break": "leave",
    "pass": "nothing",
    "skip": "nothing",
    "expect": "then",
    "assert": "then",
    "must": "require",
}
"""The first word of a line in other languages: what it is called here."""

OTHER_WORDS = {
    "has": "holds",
    "have": "holds",
    "contains": "holds",
    "choose": "chooses",
    "of": "in",
    "from": "in",
    "to": "..",
    "-": "..",
    "through": "..",
    "if": "where",
    "highest": "most",
    "largest": "most",
    "lowest": "least",
    "smallest": "least",
    "fewest": "least",
    "then": ":",
    "do": ":",
}
LEFT_OUT = {
    "COLON": ":",
    "COMMA": ",",
    "TO": "to",
    "FROM": "from",
    "IN": "in",
    "IS": "is",
    "BY": "by",
    "OF": "of",
    "OF_EACH": "of each",
    "WITH": "with",
    "HOLDS": "holds",
}
NAMED = frozenset("DEFINE VARIABLE ZONE PHASE PROCEDURE ENUM CARD DECK OPTION TABLE UNIT ACCOUNT TRACK".split())
TITLED = frozenset("GAME VARIANT LIBRARY EXAMPLE".split())
BLOCK_ENDS = frozenset(("COLON", "SEMICOLON"))


def repairs(line: Sequence[Word], at: int, accepted: Collection[str], text: str) -> Iterator[Repair]:
    """`line` reaches from its first token to its end; `text` is the whole it stands in."""
    first = _opening(line, at)
    yield from _numbers(line, at)
    yield from _operators(line, at, first, accepted, text)
    yield from _spoken_colon(line, at, first)
    yield from _capitals(line, at, first)
    yield from _quotes(line, at, accepted, text)
    yield from _openings(line, at, first)
    yield from _parentheses(line, at, accepted, text)
    yield from _words(line, at, accepted)
    yield from _names(line, at)
    yield from _left_out(line, at, accepted, text)


def _opening(line: Sequence[Word], at: int) -> int:
    """Where the statement begins that the mistake is in: several may stand in a line."""
    return next((i + 1 for i in range(min(at, len(line)) - 1, -1, -1) if line[i].kind in BLOCK_ENDS), 0)


def _instead(words: Sequence[Word], text: str, help: str = "", sure: bool = False) -> Repair:
    written = ("" if all(a.end == b.start for a, b in pairwise(words)) else " ").join(w.text for w in words)
    return Repair(words[0].start, words[-1].end, text, help or f"write `{text}` instead of `{written}`", sure)


def _before(word: Word, text: str) -> Repair:
    return Repair(word.start, word.start, f"{text} ", f"`{text}` is missing before `{word.text}`", rank=2)


def _behind(word: Word, text: str, sure: bool = False) -> Repair:
    return Repair(word.end, word.end, text, f"`{text.strip()}` is missing behind `{word.text}`", sure, 2)


def _numbers(line: Sequence[Word], at: int) -> Iterator[Repair]:
    """`0,5`, `1,200`, `1 200`, `1_200` and `.5`."""
    for i in range(max(0, at - 2), min(at + 1, len(line) - 1)):
        a, b, c = line[i], line[i + 1], line[i + 2] if i + 2 < len(line) else line[i + 1]
        if (a.kind, b.kind, c.kind) == ("INT", "COMMA", "INT") and a.end == b.start and b.end == c.start:
            if re.fullmatch(r"[1-9]\d{0,2}", a.text) and len(c.text) == 3:
                yield _instead((a, b, c), a.text + c.text, "write large numbers without a comma", True)
            else:
                yield _instead((a, b, c), f"{a.text}.{c.text}", "a number has a point, not a comma", True)
        if (a.kind, b.kind) == ("INT", "NAME") and a.end == b.start and re.fullmatch(r"(_\d{3})+", b.text):
            yield _instead((a, b), a.text + b.text.replace("_", ""), "write large numbers without `_`", True)
        if (a.kind, b.kind) == ("INT", "INT") and a.end + 1 == b.start and len(b.text) == 3 and len(a.text) < 4:
            yield _instead((a, b), a.text + b.text, "write large numbers without a space", True)
        if (a.kind, b.kind) == ("DOT", "INT") and a.end == b.start and (not i or line[i - 1].end < a.start):
            yield _instead((a, b), f"0.{b.text}", "a digit stands before the point", True)
        if (a.text, b.kind) == ("1", "NAME") and a.end == b.start and re.fullmatch(r"d\d{1,3}", b.text):
            yield _instead((a, b), f"random of 1..{b.text[1:]}", "chance is `let n = random of 1..6`")
        priced = any(w.kind in ("TRANSFER", "ACCOUNT") for w in line[:at])
        if (a.kind, b.kind) == ("INT", "NAME") and a.end < b.start and i + 1 == at and priced:
            yield Repair(a.end, b.end, "", "write the number alone, without a unit")


def _operators(line: Sequence[Word], at: int, first: int, accepted: Collection[str], text: str) -> Iterator[Repair]:
    word, before = line[at], line[at - 1] if at else None
    after = line[at + 1] if at + 1 < len(line) else None
    if before and (before.kind, word.kind) in OPERATORS:
        sign = OPERATORS[before.kind, word.kind]
        yield _instead((before, word), sign, "one `=` is enough" if sign == "=" else "", True)
    if word.kind == "DOT" and before and before.kind == "DOTDOT":
        yield _instead((before, word), "..", "two dots are enough", True)
    if after and (word.kind, after.kind) == ("SLASH", "SLASH") and word.end == after.start:
        yield _instead((word, after), "#", "a remark begins with `#`", True)
    if after and (word.kind, after.kind) == ("COLON", "EQUAL"):
        yield _instead((word, after), "=")
        yield _instead((word, after), "to")
    if after and word.kind in SIGNS and after.kind == "EQUAL" and first < at:
        yield from _added(line, at, first, text)
    if word.kind == "COLON" and (after is None or after.kind in LAYOUT or line[at - 1].kind in ("GIVEN", "THEN")):
        yield Repair(word.start, word.end, "", "leave the `:` out")
    if word.kind == "COLON":
        yield _instead((word,), "=")
    if word.kind == "EQUAL":
        yield _instead((word,), ":")
        yield _instead((word,), "to")
    if word.kind == "SEMICOLON":
        yield _instead((word,), ",", sure=line[0].kind in NAMED)
    if before and before.kind in ("SEMICOLON", "COMMA") and word.kind in LAYOUT:
        yield Repair(before.start, before.end, "", f"leave the `{before.text}` out", True)
    if word.kind == "COMMA" and (after is None or after.kind in LAYOUT):
        yield Repair(word.start, word.end, "", "leave the `,` out", True)


def _added(line: Sequence[Word], at: int, first: int, text: str) -> Iterator[Repair]:
    """`points += 2` and `points -= 2`: added to what is set, but money comes from somewhere."""
    last = next((i for i in range(at + 2, len(line)) if line[i].kind in {*LAYOUT, "SEMICOLON"}), len(line))
    if last <= at + 2:
        return
    start, end = line[first].start, line[last - 1].end
    target, value = text[start : line[at - 1].end], text[line[at + 2].start : end]
    name = next((w.text for w in reversed(line[first:at]) if w.kind == "NAME"), "")
    less = line[at].kind == "MINUS"
    if _declares(text, "account", name):
        other = _other_account(text, name)
        ends = f"from {target} to {other}" if less else f"from {other} to {target}"
        told = f"transfer {value} {ends}"
        yield Repair(start, end, told, f"`{name}` is an account: write `{told}`", told=True)
        return
    added = value if not less else f"-{value}" if last == at + 3 else f"-({value})"
    settable = _declares(text, "(?:variable|track|let)", name)
    help = "write `add … to …` to change a variable" + ("" if settable else ", `transfer … from … to …` for money")
    yield Repair(start, end, f"add {added} to {target}", help, told=not settable)


def _declares(text: str, word: str, name: str) -> bool:
    """Whether a line of the text begins with this word and this name."""
    return bool(re.search(rf"^[ \t]*{word}[ \t]+{re.escape(name)}\b", text, re.MULTILINE))


def _other_account(text: str, name: str) -> str:
    """Where money comes from and goes to: the account that never runs dry, if there is just one."""
    found = re.findall(r"^account[ \t]+(\w+)[^\n#]*\bunlimited\b", text, re.MULTILINE)
    return found[0] if len(found) == 1 and found[0] != name else "…"


def _spoken_colon(line: Sequence[Word], at: int, first: int) -> Iterator[Repair]:
    """`if stock is empty then leave`: behind `is`, `then` is read as a word of what it may be, and stops nothing."""
    if line[min(first, len(line) - 1)].kind not in ("IF", "ELSE_IF", "WHILE"):
        return
    for i in range(first + 2, at):
        if OTHER_WORDS.get(line[i].text) == ":":
            yield evolve(_instead(line[i : i + 1], ":", sure=True), start=line[i - 1].end)


def _capitals(line: Sequence[Word], at: int, first: int) -> Iterator[Repair]:
    for i in dict.fromkeys((at, first, at - 1)):
        if 0 <= i < len(line) and line[i].kind == "NAME" and line[i].text.lower() in WORDS - {line[i].text}:
            yield _instead(line[i : i + 1], line[i].text.lower(), "words of the language are written small", True)


def _quotes(line: Sequence[Word], at: int, accepted: Collection[str], text: str) -> Iterator[Repair]:
    """A title without its quotes: all that stands there up to a note or the end of the line."""
    if line[0].kind in TITLED and "STRING" in accepted and line[at].kind not in LAYOUT:
        last = next((i for i in range(at, len(line)) if line[i].kind in LAYOUT), len(line)) - 1
        written = text[line[at].start : line[last].end]
        if '"' not in written and "\n" not in written:
            yield Repair(line[at].start, line[last].end, f'"{written}"', "put the title between quotes")


def _openings(line: Sequence[Word], at: int, first: int) -> Iterator[Repair]:
    """The first word of a statement, of a line, or of a declaration is none of the language."""
    word = line[first] if first < len(line) else line[0]
    if at - first > 1 or word.kind in LAYOUT:
        return
    if word.text == "for" and first + 1 < len(line) and line[first + 1].text == "each":
        yield _instead(line[first : first + 2], "each")
    elif word.text in FIRST_WORDS:
        yield _instead(line[first : first + 1], FIRST_WORDS[word.text])
    if word.kind == "ELSE" and at == first + 1:
        yield Repair(word.end, word.end, " if", "write `else if …:` to ask something else")
    if word.kind == "NAME":
        for words in (STATEMENT, HEAD | CLAUSE) if first == 0 else (STATEMENT,):
            if meant := nearest(word.text, words):
                yield _instead(line[first : first + 1], meant, f"did you mean `{meant}`?")


def _parentheses(line: Sequence[Word], at: int, accepted: Collection[str], text: str) -> Iterator[Repair]:
    """`p.cash + sum of …`: what reaches to the end of its line anyway, in parentheses."""
    if line[at].kind in QUANTIFYING and "NAME" in accepted and at:
        last = next((i for i in range(at, len(line)) if line[i].kind in {*LAYOUT, "COLON"}), len(line)) - 1
        inside = text[line[at].start : line[last].end]
        help = f"put what begins with `{line[at].text}` into parentheses"
        yield Repair(line[at].start, line[last].end, f"({inside})", help)


def _words(line: Sequence[Word], at: int, accepted: Collection[str]) -> Iterator[Repair]:
    """A word, or two, close to what could stand there, or what other languages say for it."""
    word = line[at]
    if word.kind in LAYOUT:
        return
    two = line[at : at + 2]
    written = " ".join(w.text for w in two)
    if word.text in ("each", "every"):
        yield _before(word, "of")
    if len(two) == 2 and written in ("of every", "for each", "per each", "of all"):
        yield _instead(two, "of each")
    pairs = [" ".join(pair) for pair, kind in PAIRS.items() if kind in accepted]
    begun = sum(pair.split()[0] == word.text for pair in pairs)
    if len(two) == 2 and begun < 2 and (meant := nearest(written, pairs)):
        yield _instead(two, meant, f"did you mean `{meant}`?")
    if word.kind == "COMMA":
        phrases = [" ".join(words) for words, kind in AFTER_COMMA.items() if kind in accepted]
        for size in (1, 2, 3):
            follow = line[at + 1 : at + 1 + size]
            if len(follow) == size and (meant := nearest(" ".join(w.text for w in follow), phrases)):
                yield _instead(follow, meant, f"did you mean `{meant}`?")
    if word.kind == "NAME" and at > 1 and line[at - 2].kind == "EACH" and line[at - 1].text == "player":
        yield _instead(line[at - 1 : at + 1], word.text, f"write `each {word.text}`: that runs over the players")
    if word.text in OTHER_WORDS:
        meant = OTHER_WORDS[word.text]
        found = _instead((word,), meant)
        yield evolve(found, start=line[at - 1].end) if meant == ":" and at else found  # a `:` follows at once
    if word.kind == "NAME":
        single = [k.lower() for k in accepted if in_words(k) == f"`{k.lower()}`" and len(k) > 1]
        if meant := nearest(word.text, single):
            yield _instead((word,), meant, f"did you mean `{meant}`?")
        if meant := "cites" if word.text in ("cite", "cited", "see") else nearest(word.text, NOTES):
            yield _instead((word,), meant, f"did you mean `{meant}`?")


def _names(line: Sequence[Word], at: int) -> Iterator[Repair]:
    """A name in two words, or with a dash."""
    if line[0].kind not in NAMED or at < 2 or at > 3:
        return
    if line[1].kind == "NAME" and line[2].kind == "NAME":
        yield _instead(line[1:3], f"{line[1].text}_{line[2].text}", "a name is one word: join its parts with `_`")
    elif [w.kind for w in line[1:4]] == ["NAME", "MINUS", "NAME"]:
        yield _instead(line[1:4], f"{line[1].text}_{line[3].text}", "a name is one word: join its parts with `_`")


def _left_out(line: Sequence[Word], at: int, accepted: Collection[str], text: str) -> Iterator[Repair]:
    """Something may be missing before the place, or at the end."""
    word, before = line[at], line[at - 1] if at else None
    if before is None:
        return
    if word.kind in LAYOUT:
        if "TIMES" in accepted:
            yield _behind(before, " times")
        if line[0].kind == "PLAYERS" and before.kind == "INT":
            yield Repair(before.end, before.end, f"..{before.text}", "write both ends, also if they are equal")
        if at > 1 and "COLON" in accepted:
            yield _behind(line[at - 2], ":")
        return
    if line[0].kind in ("SCORE", "ESTIMATE") and word.kind == "EQUAL" and "p" in [w.text for w in line]:
        yield Repair(word.start, word.start, "p ", f"say of whom: `{line[0].text} p = …`")
    if _is_strange(line[0], word, text):
        return
    for kind, put_in in LEFT_OUT.items():
        if kind in accepted and not (kind == "COMMA" and set(accepted) >= SIGNS):
            listed = line[0].kind == "ENUM" and kind == "COMMA"
            yield _behind(before, put_in, listed) if len(put_in) == 1 else _before(word, put_in)


def _is_strange(opening: Word, word: Word, text: str) -> bool:
    """A name that stands nowhere else is not one before which something was left out, unless the line declares it."""
    if word.kind != "NAME" or (opening.text in DECLARATION and opening.kind != "DEFINE"):
        return False
    return word.text in OTHER_WORDS or len(re.findall(rf"\b{re.escape(word.text)}\b", text)) < 2
