"""What may stand at a place of a text: the terminals that the parser takes there, and the shortest end of the line.

In: a text and an offset. Out: a `Here`, or None where no word of the language stands (comments, quotes, notes).
The parser's tables are walked without making trees; lines above with mistakes are left out as in parse.py. It knows no
names.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from attrs import frozen
from lark import Token
from lark.parsers.lalr_analysis import Shift

from cambist.dsl.diagnostics import Report
from cambist.dsl.messages.syntax import LAYOUT
from cambist.dsl.parse import LINE_ENDS, _line_start, _mistake, grammar
from cambist.dsl.source import SourceFile
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import AFTER_COMMA, PAIRS

MARK = "cambist_here"
FILLER = "cambist_more"
LONGEST_WAY, MOST_TRIED = 12, 4_000
Stack = tuple[int, ...]
SIGNS = {
    "INT": "1",
    "DECIMAL": "1.5",
    "STRING": '""',
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    "COMMA": ",",
    "COLON": ":",
    "SEMICOLON": ";",
    "DOT": ".",
    "DOTDOT": "..",
    "PARAGRAPH": "§",
    "EQUAL": "=",
    "NOTEQUAL": "!=",
    "LESS": "<",
    "LESSEQ": "<=",
    "MORE": ">",
    "MOREEQ": ">=",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "SLASH": "/",
}
NOT_WORDS = frozenset((*SIGNS, "NAME", "NOTE", "_NL", "_INDENT", "_DEDENT", "$END"))


@frozen
class Here:
    """A place in a text."""

    accepted: frozenset[str]  # terminals
    line: tuple[tuple[str, str], ...]  # the tokens of the line before it: type and text
    declaration: tuple[tuple[str, str], ...]  # the first words of the declaration it is in
    ending: str | None  # with a name put here, the shortest text that ends the line; None: the line is lost anyway

    @property
    def words(self) -> list[str]:
        return sorted(word for t in self.accepted if t not in NOT_WORDS for word in spelled(t))

    @property
    def takes_name(self) -> bool:
        return "NAME" in self.accepted


def spelled(terminal: str) -> list[str]:
    """How a word of the language is written; without the comma before it."""
    if terminal in SIGNS:
        return [SIGNS[terminal]]
    found = [" ".join(words) for words, name in AFTER_COMMA.items() if name == terminal]
    found += [" ".join(pair) for pair, name in PAIRS.items() if name == terminal]
    if not found or terminal == "CHOOSES":
        found.append(terminal.lower())
    return found


def here(text: str, offset: int) -> Here | None:
    file = SourceFile("", text[:offset] + MARK)
    tokens = tokenize(file, Report())
    at = next((i for i, t in enumerate(tokens) if t.value == MARK), None)
    if at is None:
        return None
    chunk = tokens[_declaration_start(tokens, at) : at]
    walked = _walk(chunk)
    line = chunk[_line_start(chunk, len(chunk)) :]
    pairs = tuple((t.type, str(t.value)) for t in line)
    opening = tuple((t.type, str(t.value)) for t in chunk[:3])
    if walked is None and line and line[-1].type == "COMMA":
        walked = ()
    if walked is None:
        return Here(frozenset(), pairs, opening, None)
    accepted = set(accepts(walked)) if walked else set()
    if line and line[-1].type == "COMMA":  # the comma may be the first part of a longer word
        before = _walk(chunk[:-1])
        longer = {name for words, name in AFTER_COMMA.items()}
        accepted |= (accepts(before) & longer) if before else set()
    else:
        accepted -= {name for words, name in AFTER_COMMA.items()}
    named = step(walked, "NAME") if walked else None
    return Here(frozenset(accepted), pairs, opening, None if named is None else _ending(named))


def fits(text: str, offset: int) -> bool:
    """Whether the line goes on rightly with what stands behind the place, once a name is put there."""
    end = text.find("\n", offset)
    whole = text[:offset] + MARK + text[offset : end if end >= 0 else len(text)]
    tokens = tokenize(SourceFile("", whole), Report())
    at = next((i for i, t in enumerate(tokens) if t.value == MARK), None)
    if at is None:
        return False
    stop = next(i for i in range(at, len(tokens)) if tokens[i].type == "_NL")
    walked = _walk(tokens[_declaration_start(tokens, at) : at])
    for token in tokens[at : stop + 1]:
        walked = None if walked is None else step(walked, token.type)
    if walked is None:
        return False
    return accepts(walked) != {"_INDENT"} or _block_below(text, offset)


def _block_below(text: str, offset: int) -> bool:
    """Whether the next line stands deeper than this one."""
    lines = [text[text.rfind("\n", 0, offset) + 1 : offset], *text[offset:].split("\n")[1:]]
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return len(depths) > 1 and depths[1] > depths[0]


def _declaration_start(tokens: list[Token], at: int) -> int:
    depth, fresh, found = 0, True, 0
    for index, token in enumerate(tokens[: at + 1]):
        if token.type in ("_INDENT", "_DEDENT"):
            depth += 1 if token.type == "_INDENT" else -1
        elif fresh and depth == 0 and token.type not in LAYOUT:
            found = index
        fresh = token.type in LINE_ENDS
    return found


def _walk(chunk: list[Token]) -> Stack | None:
    """The parser's stack behind these tokens; None if the last line cannot stand as it is."""
    last = _line_start(chunk, len(chunk))
    for _ in range(40):
        stack: Stack = (_start(),)
        at = len(chunk)
        for index, token in enumerate(chunk):
            following = step(stack, token.type)
            if following is None:
                at = index
                break
            stack = following
        if at == len(chunk):
            return stack
        if at >= last:
            return None
        left_out = _mistake(chunk, at)
        if not left_out:
            return None
        for start, end in reversed(left_out):
            chunk = chunk[:start] + chunk[end:]
            last -= end - start
    return None


# ---- the parser's tables


def _tables() -> Any:
    return grammar().parse_interactive("", start="declaration").parser_state.parse_conf.parse_table


def _start() -> int:
    return int(_tables().start_states["declaration"])


def step(stack: Stack, terminal: str) -> Stack | None:
    """The stack behind one more terminal; None if it cannot stand there."""
    states = _tables().states
    while True:
        action = states[stack[-1]].get(terminal)
        if action is None:
            return None
        kind, what = action
        if kind is Shift:
            return (*stack, what)
        size = len(what.expansion)
        stack = stack[: len(stack) - size]
        stack = (*stack, states[stack[-1]][what.origin.name][1])


def accepts(stack: Stack) -> set[str]:
    terminals = (t for t in _tables().states[stack[-1]] if t.isupper() or t == "$END")
    return {t for t in terminals if t != "$END" and step(stack, t) is not None}


def _ending(stack: Stack) -> str | None:
    """The fewest words that end the line without a block below it; names before numbers before the rest."""
    if _ends(stack):
        return ""
    waiting: deque[tuple[Stack, tuple[str, ...]]] = deque([(stack, ())])
    seen = {stack}
    tried = 0
    while waiting and tried < MOST_TRIED:
        now, way = waiting.popleft()
        for terminal in sorted(accepts(now) - {"NOTE", "_NL", "_INDENT", "_DEDENT"}, key=_plainness):
            tried += 1
            following = step(now, terminal)
            if following is None or following in seen:
                continue
            longer = (*way, terminal)
            if _ends(following):
                return " ".join(FILLER if t == "NAME" else spelled_out(t) for t in longer)
            seen.add(following)
            if len(longer) < LONGEST_WAY:
                waiting.append((following, longer))
    return None


def _ends(stack: Stack) -> bool:
    ended = step(stack, "_NL")
    return ended is not None and accepts(ended) != {"_INDENT"}


def _plainness(terminal: str) -> tuple[int, str]:
    first = {"NAME": 0, "INT": 1, "NOTHING": 2, "TO": 3, "FROM": 3, "COLON": 3, "IS": 3}
    return first.get(terminal, 5 if terminal in SIGNS else 4), terminal


def spelled_out(terminal: str) -> str:
    word = spelled(terminal)[-1]
    return f", {word}" if terminal in AFTER_COMMA.values() else word
