"""Of components in a bag that is a number, where only the first is asked for, no list is made.

In: the lines of one function. Out: the same function, with the number itself in a variable that held the list of its
components, if nothing is asked of it but whether there are any and which is the first.
"""

from __future__ import annotations

import re

from cambist.interpreter.compiled.rewriting.keeping import Line

LISTED = re.compile(r"^(\w+) = BITS\[(.*)\]$")


def lowest_ones(lines: list[Line]) -> list[Line]:
    names = {found[1] for _, text, _ in lines if (found := LISTED.match(text))}
    for name in sorted(names):
        lines = _numbered(lines, name)
    return lines


def _numbered(lines: list[Line], name: str) -> list[Line]:
    asked = re.compile(rf"\b{name}\b(\[0\])?")
    out: list[Line] = []
    for line in lines:
        indent, code, place = line
        if name not in code or not asked.search(code):
            out.append(line)
            continue
        listed = LISTED.match(code)
        if listed and listed[1] == name and not asked.search(listed[2]):
            code = f"{name} = {listed[2]}"
        elif re.match(rf"(?:if|elif) (?:not )?{name}:", code) and len(asked.findall(code)) == 1:
            pass
        elif all(asked.findall(code)):
            code = asked.sub(f"(({name} & -{name}).bit_length() - 1)", code)
        else:
            return lines
        out.append((indent, code, place))
    return out
