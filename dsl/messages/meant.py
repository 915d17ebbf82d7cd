"""What an author meant by a name that nothing declares, judged by the words around it.

In: the place of the name. Out: a hint, and an edit where it is certain. Only the text is looked at: what is declared
somewhere is for the caller to say.
"""

from __future__ import annotations

import re

from cambist.dsl.diagnostics import Edit
from cambist.dsl.source import Span

STATEMENTS = {"pass": "nothing", "skip": "nothing", "noop": "nothing", "break": "leave"}
ENDS = re.compile(r"[ \t]*(?:$|;|#|\bcites\b|\bassumed\b)")
COMPARED = {"!=": "is not", "=": "is"}
SIGNS = {"more than": ">", "greater than": ">", "less than": "<", "fewer than": "<", "at least": ">=", "at most": "<="}
COMPARISONS = re.compile(rf"({'|'.join(SIGNS)})\b")
CHANCE = frozenset("roll dice die throw rand randint random_number d6 toss flip".split())
SCORE = "a score is asked for at the end only: `define worth(p) = …`, `score p = worth(p)`, and use `worth(p)`"
CHOOSES = re.compile(r"[ \t]+(?:chooses|must choose|may choose)\b")


def meant_by(span: Span, name: str) -> tuple[str, Edit | None]:
    """("", None) if the words around it tell nothing."""
    line = span.file.line_text(span.line)
    before, behind = line[: span.column - 1], line[span.column - 1 + len(span.text) :]
    if name in STATEMENTS and ENDS.match(behind) and (not before.strip() or before.rstrip().endswith((":", ";"))):
        return f"write `{STATEMENTS[name]}`", Edit(span, STATEMENTS[name])
    if name == "empty":
        compared = re.search(r"(!=|=)[ \t]*$", before)
        said = COMPARED[compared.group(1)] if compared else "is"
        start = span.start - len(compared.group()) if compared else span.start
        return f"write `{said} empty`", Edit(Span(span.file, start, span.end), f"{said} empty") if compared else None
    words = re.search(r"\bis[ \t]+$", before), COMPARISONS.match(span.text + behind)
    if words[0] and words[1]:
        sign = SIGNS[words[1].group(1)]
        start = span.start - len(words[0].group())
        edit = Edit(Span(span.file, start, span.start + len(words[1].group())), sign)
        return f"write `{sign}`", edit
    if name == "player" and CHOOSES.match(behind):
        return "name one player, as in `phase turn(p)` or `each p`, and write `p chooses`", None
    if name in CHANCE and before.rstrip().endswith("="):
        return "chance is `let n = random of 1..6`, or `random 2 of` a list; `shuffle` mixes a zone", None
    if name == "score" and behind.startswith("("):
        return SCORE, None
    if name in ("choose", "chooses"):
        return "say who chooses, for example `p chooses`", None
    if re.search(rf"\n[ \t]+let\b[^=\n]*\b{re.escape(name)}\b", _rest(span)):
        return f"`{name}` gets its value only further down: put that line before this one", None
    return "", None


def _rest(span: Span) -> str:
    """What stands behind a place in its declaration."""
    text = span.file.text
    end = re.compile(r"\n(?=[^\s#])").search(text, span.end)
    return text[span.end : end.start() if end else len(text)]


def in_square_brackets(span: Span) -> Edit | None:
    """`pays(3)` -> `pays[3]`: the edit of the brackets behind a name."""
    text, depth = span.file.text, 0
    if text[span.end : span.end + 1] != "(":
        return None
    for at in range(span.end, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return Edit(Span(span.file, span.end, at + 1), f"[{text[span.end + 1 : at]}]")
    return None
