"""Functions that take an answer give back who is asked next, so that nobody has to look it up.

In: the lines of a function `take_N`, the last rewriting of all. Out: the same function. It gives back the seat that is
asked next; -1 where the cells tell (somebody else asked, or the game is over); and where another function goes on, the
number of that one as `GOING_ON` less the number. A choice that is asked again still waits: its number stands there.
"""

from __future__ import annotations

import re

from cambist.interpreter.compiled.layout import DECIDERS, SEVERAL, WAITS, WHO
from cambist.interpreter.compiled.rewriting.keeping import Line

GOING_ON = -2  # and what is below: another function goes on
HEAD = re.compile(r"def take_(\d+)\(")
GOES_ON = re.compile(r"return (\d+)$")
ASKS = re.compile(r"return (ask_\d+\(S, X\))$")  # or goes on, if nothing can be answered
ASKED = re.compile(rf"S\[{WHO}\] = (c\d+|z\d+|who|S\[\d+\]|{SEVERAL})(?:  # .*)?$")
TOGETHER = re.compile(rf"S\[{DECIDERS}\] = (\w+)(?:  # .*)?$")
STILL = re.compile(r"S\[\d\] = ")  # what may stand between that and the end
ROLLED_BACK = "return following"
SOME_MISSING = "if None in answers: return -1"
ONE_MISSING = re.compile(r"if given(\d+) is None: return -1$")


def handing_over(lines: list[Line]) -> list[Line]:
    head = HEAD.match(lines[0][1])
    if head is None:
        return lines
    waits = f"S[{WAITS}] = {head[1]}"
    again = not any("rolled_back(" in text for _, text, _ in lines)
    out: list[Line] = []
    for indent, text, place in lines:
        found = GOES_ON.search(text)
        if found:
            text = f"{text[: found.start()]}return {GOING_ON - int(found[1])}"
        elif asks := ASKS.search(text):
            text = f"{text[: asks.start()]}return -1 if (number := {asks[1]}) < 0 else {GOING_ON} - number"
        elif text == ROLLED_BACK:
            text = f"return {GOING_ON} - following"
        elif text == "return -1":
            text = f"return {_asked(out, indent)}"
        elif text == SOME_MISSING:
            text = f"if None in answers: return S[{DECIDERS}][answers.index(None)]"
        elif missing := ONE_MISSING.match(text):
            text = f"if given{missing[1]} is None: return {missing[1]}"
        elif again and text == waits:
            continue
        out.append((indent, text, place))
    return out


def _asked(lines: list[Line], indent: int) -> str:
    """Who is asked by the lines before the end of a function; -1 if they do not say it."""
    together = ""
    for depth, text, _ in reversed(lines):
        if depth != indent:
            break
        found, several = ASKED.match(text), TOGETHER.match(text)
        if found:
            return found[1] if found[1] != str(SEVERAL) else f"{together}[0]" if together else "-1"
        if several:
            together = several[1]
        elif not STILL.match(text) and text != "pass":
            break
    return "-1"
