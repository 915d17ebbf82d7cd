"""What functions inside of an expression see of the cells has a name of its own.

In: the lines of one function. Out: the same function, with `C` for `S` in lines with a list in brackets that loops, or
a `lambda`. A variable that such a function inside sees is slower everywhere; so only `C` is, in these few lines.
"""

from __future__ import annotations

import re

from cambist.interpreter.compiled.rewriting.keeping import Line

INSIDE = re.compile(r"[\[({].* for |lambda")  # a line with a function inside of an expression
FEW = 8  # lines of a function that is not worth it
CELLS = re.compile(r"\bS\b")


def named_apart(lines: list[Line]) -> list[Line]:
    """The first line is the head of the function."""
    out = [*lines]
    for k, (indent, text, place) in enumerate(lines):
        if k and indent and "S" in text and INSIDE.search(text):
            out[k] = (indent, CELLS.sub("C", text), place)
    if out == lines or len(lines) < FEW:
        return lines
    first = 2 if lines[1][1].startswith('"""') else 1
    return [*out[:first], (1, "C = S", lines[0][2]), *out[first:]]
