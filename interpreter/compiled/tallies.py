"""Many sums over the cards of one hand: the hand becomes a number once, and each sum is asked of its bits.

In: the lines of one instruction. Out: the same lines, after one that makes the number. What is printed on cards never
changes, so a sum, and what a definition makes of it, is worked out once for each set of cards that matter to it;
counting is one operation, and whether all that matter are there another.
"""

from __future__ import annotations

import re
from collections import Counter

from cambist.interpreter.compiled.expressions import Expressions, reads_nothing
from cambist.interpreter.compiled.layout import mask_of

SUM = re.compile(r"sum\(map\((K\d+), (S\[(\d+)[\w +]*\])\)\)")
MADE_OF_IT = re.compile(rf"F(\d+)\(S, {SUM.pattern}\)")
ALL_OF_THEM = re.compile(r"\(\((\w+) & (\d+)\)\.bit_count\(\) == (\d+)\)")
WORTH_WHILE = 6  # sums over the same hand
FEW = 12  # cards that matter, of which all sets can be remembered


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

    def bits(name: str, hand: str) -> str:
        return f"{hand} & {mask_of([c for c, value in enumerate(columns[name]) if value])}"

    def made(found: re.Match[str]) -> str:
        function, name, hand = int(found[1]), found[2], hands.get(found[3])
        few = sum(map(bool, columns[name])) <= FEW
        if hand is None or not few or not reads_nothing(e, e.program.functions[function].value):
            return found[0]
        sums = e.constant(("sums", *columns[name]))
        return f"{e.constant(('worked', function, sums))}[{bits(name, hand)}]"

    def one(found: re.Match[str]) -> str:
        name, hand = found[1], hands.get(found[2])
        if hand is None:
            return found[0]
        if set(columns[name]) <= {0, 1}:
            return f"({bits(name, hand)}).bit_count()"
        return f"{e.constant(('sums', *columns[name]))}[{bits(name, hand)}]"

    def whole(found: re.Match[str]) -> str:
        hand, mask, many = found[1], int(found[2]), int(found[3])
        return f"({hand} & {mask} == {mask})" if mask.bit_count() == many else found[0]

    return ALL_OF_THEM.sub(whole, SUM.sub(one, MADE_OF_IT.sub(made, line)))
