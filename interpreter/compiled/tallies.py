"""Many sums over the cards of one hand: the hand becomes a number once, and each sum is asked of its bits.

In: the lines of one instruction. Out: the same lines, after one that makes the number. What is printed on cards never
changes, so a sum is worked out once for each set of cards that matter to it, and counting is one operation.
"""

from __future__ import annotations

import re
from collections import Counter

from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.layout import mask_of

SUM = re.compile(r"sum\(map\((K\d+), (S\[(\d+)[\w +]*\])\)\)")
WORTH_WHILE = 6  # sums over the same hand


def tallied(e: Expressions, lines: list[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        zones = range(e.layout.zones, e.layout.accounts)  # nothing lies in a zone twice
        often = Counter(found[2] for found in SUM.finditer(line) if int(found[3]) in zones)
        hands = {hand: e.fresh("hand") for hand, count in often.items() if count >= WORTH_WHILE}
        if hands and not line.startswith(" "):
            out += [f"{name} = sum(map(BIT_OF, {hand}))" for hand, name in hands.items()]
            line = _asked(e, line, hands)
        out.append(line)
    return out


def _asked(e: Expressions, line: str, hands: dict[str, str]) -> str:
    """`hands`: the text of a list -> the variable of its number."""
    columns = {name: values[1:] for values, name in e.constants.items() if values[:1] == ("column",)}

    def one(found: re.Match[str]) -> str:
        column, hand = columns[found[1]], hands.get(found[2])
        if hand is None:
            return found[0]
        mask = mask_of([c for c, value in enumerate(column) if value])
        if set(column) <= {0, 1}:
            return f"({hand} & {mask}).bit_count()"
        return f"{e.constant(('sums', *column))}[{hand} & {mask}]"

    return SUM.sub(one, line)
