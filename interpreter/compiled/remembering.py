"""Folds inside of folds -> functions that remember what they found.

In: a fold that runs through things for each of several things. Out: the call of a function, written once for all folds
that are alike. What such a fold gives depends on what it reads alone: the lists it runs over, the cells of the things
in them, a few numbers. All that together is the key under which it is remembered.

Where only what is printed on the things matters, and neither their order nor which of equal ones they are, the key is
one number: so many of each class of equal things. What counts things of a class then reads that number.
"""

from __future__ import annotations

import re
from typing import Any

from cambist.dsl import program as p
from cambist.dsl.source import Span
from cambist.interpreter.compiled.expressions import INSTEAD, SUMS, Expressions
from cambist.interpreter.compiled.grouping import Around, Classes
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.reads import Reading, Unfit, depth

REMEMBERED, LISTS = 1 << 15, 1 << 8  # values of one function that are kept: under keys, and with lists that soon change
ASKED_AGAIN = 1 << 10  # the same, if bots ask it of many games that have some lists in common
CELLS = re.compile(r"\bS\b")
SHORT_LIST = 500  # a fold over such lists is soon done
MAY_FAIL = re.compile(r"\b(none|no_entry|times|divide|look_up|between|join|next_seat|extreme|best|spend)\(")


def remembered(e: Expressions, node: p.EFold | p.EOp, scope: Scope) -> str | None:
    """The call of the function that remembers this fold; None if it is better worked out at its place."""
    if (e.around is not None and e.around.remembers) or depth(node) < 2:
        return None
    try:
        reading = Reading(e, node)
    except Unfit:
        return None
    if not reading.things or depth(reading.node) < 2:
        return None
    if not all(one.looked_at or one.cells or isinstance(one.node, p.EContents) for one in reading.things):
        return None  # who knows what is in it
    given = [(one.slot, one.node) for one in reading.things] + [(slot, n) for n, slot in reading.numbers.items()]
    args = "".join(f", {e.text(n, scope)}" for _, n in sorted(given, key=lambda pair: pair[0]))
    return f"{_function(e, reading)}(S{args})"


def _function(e: Expressions, reading: Reading) -> str:
    """The name of the function; it is written when it is first needed."""
    spans: list[Span] = []
    bare = without_places(reading.node, spans)
    cells = [family for one in reading.things for family in one.cells]
    asked = not cells or e.around is not None or bool(e.distinct) or e.outside  # again and again while nothing changes
    for key in (
        (bare, (), asked),
        (bare, tuple(spans), asked),
    ):  # where it may fail, the place in the rules must be the same, too
        if key in e.shared:
            return e.shared[key]
    classes = _classes(e, reading)
    text, same = _body(e, reading, classes)
    if classes and reading.short and MAY_FAIL.search(text):  # which of the things comes first may matter
        classes = {}
        text, same = _body(e, reading, classes)
    fails = MAY_FAIL.search(" ".join([text, *same]))
    name = e.shared[(bare, tuple(spans) if fails else (), asked)] = f"G{len(e.made)}"
    params = "".join(f", a{slot}" for slot in range(reading.parameter()))
    begin = [f"{one.name} = sum(map({_weights(e, one)}, a{slot}))" for slot, one in classes.items()]
    work = [*(f"{one} = {value}" for value, one in same.items()), f"found = {text}"]
    if not asked:  # what happens once after each change is not worth remembering
        lines = [*begin, *work, "return found"]
    elif cells and len(reading.things) == 1 and reading.things[0].slot == 0:
        lines = by_identity(e, name, work, cells, list(reading.numbers.values()))
    else:
        lines = [*begin, *by_key(e, name, work, _key(e, reading, classes))]
    _made(e, name, params, lines, reading.at)
    return name


def _made(e: Expressions, name: str, params: str, lines: list[str], at: p.At) -> None:
    e.made[name] = [
        (0, f"def {name}(S{params}):", e.place(at)),
        *((1 + len(line) - len(line.lstrip()), line.lstrip(), -1) for line in lines),
    ]


def by_key(e: Expressions, name: str, work: list[str], key: str) -> list[str]:
    """What was found is kept under what it was found of."""
    memory = e.constant(("memory", name))
    work = [part for line in work for part in _by_few_bits(e, name, line)]
    return [
        f"key = {key}",
        f"found = {memory}.get(key)",
        "if found is None:",
        *(f" {line}" for line in work),
        f" if len({memory}) >= {REMEMBERED}: {memory}.clear()",
        f" {memory}[key] = found",
        "return found",
    ]


FIELD = re.compile(r"\(n0 >> (\d+) & (\d+)\)")
FEW_BITS = 12  # of a number of classes, of which something is worked out


def _by_few_bits(e: Expressions, name: str, line: str) -> list[str]:
    """A line that looks at few bits of the number of classes, and at what was found before: its value is remembered
    for those bits, which come up again and again with other things around them."""
    to, _, value = line.partition(" = ")
    fields = [(int(shift), int(shift) + int(mask).bit_length()) for shift, mask in FIELD.findall(value)]
    rest = FIELD.sub("", value)
    names = {word for word in re.findall(r"[A-Za-z_]\w*", rest) if not re.fullmatch(r"[vwK]\d+", word)}
    before = sorted(word for word in names if re.fullmatch(r"same\d+", word))
    plain = not names - {*before, "sum", "for", "in", "range", "if", "else"} and not MAY_FAIL.search(rest)
    if " for " not in value or not fields or not plain:
        return [line]
    low, high = min(low for low, _ in fields), max(high for _, high in fields)
    if high - low > FEW_BITS:
        return [line]
    memory = e.constant(("memory", f"{name} {to}"))
    key = ", ".join([f"n0 >> {low} & {(1 << high - low) - 1}", *before])
    return [f"few = ({key},)", f"{to} = {memory}.get(few)", f"if {to} is None: {to} = {memory}[few] = {value}"]


def by_identity(e: Expressions, name: str, work: list[str], cells: list[int], numbers: list[int]) -> list[str]:
    """What was found is kept with the list itself, which is never changed, and with the cells of its things: they are
    read at once, the first of them twice so that there are always several. Where the work begins with all that it reads
    of them, that is kept instead. `numbers`: parameters besides the list."""
    memory = e.constant(("memory", name))
    bases = [e.layout.vars + family for family in cells]
    count = len(e.program.components)
    rows = [e.constant(("column", *range(base, base + count))) for base in bases]
    key = f"({', '.join(['id(a0)', *(f'a{slot}' for slot in numbers)])})" if numbers else "id(a0)"
    full = f"if len({memory}) >= {ASKED_AGAIN if e.outside else LISTS}: {memory}.clear()"
    first, *rest = work
    if rest and not CELLS.search(" ".join(rest)):
        read = first.partition(" = ")[0]
        return [
            first,
            f"kept = {memory}.get({key})",
            f"if kept is not None and kept[0] is a0 and kept[1] == {read}: return kept[2]",
            *rest,
            full,
            f"{memory}[{key}] = (a0, {read}, found)",
            "return found",
        ]
    return [
        f"kept = {memory}.get({key})",
        "if kept is not None and kept[0] is a0 and kept[1](S) == kept[2]: return kept[3]",
        "cells = ()",
        "if a0:",
        f" read = itemgetter({', '.join(f'*map({row}, a0)' for row in rows)}, {bases[0]} + a0[0])",
        " cells = read(S)",
        *work,
        "if a0:",
        f" {full}",
        f" {memory}[{key}] = (a0, read, cells, found)",
        "return found",
    ]


def without_places(node: Any, spans: list[Span]) -> Any:
    """The same without the places in the rules, which are told apart."""
    if isinstance(node, p.At):
        spans.append(node.span)
        return p.At()
    if isinstance(node, tuple):
        return tuple(without_places(item, spans) for item in node)
    if not hasattr(type(node), "__attrs_attrs__"):
        return node
    return type(node)(*(without_places(getattr(node, a.name), spans) for a in type(node).__attrs_attrs__))


def _body(e: Expressions, reading: Reading, classes: dict[int, Classes]) -> tuple[str, dict[str, str]]:
    """The text of the fold, and what is worked out before it because it is the same for all things."""
    same: dict[str, str] = {}

    def hoist(text: str) -> str:
        bound = re.findall(r"\bfor (v\d+)(?:, (w\d+))?", text)
        names = set(re.findall(r"\b[vw]\d+\b", text)) - {name for pair in bound for name in pair}
        if " for " not in text or names or MAY_FAIL.search(text):
            return text
        for other, name in same.items():
            if _alike(other, text):
                return name
        return same.setdefault(text, f"same{len(same)}")

    def before_all(text: str) -> str:
        return same.setdefault(text, f"same{len(same)}")

    plain: set[p.Expr] = {p.ELocal(one.slot) for one in reading.things if one.looked_at or one.cells}
    elements: dict[int, p.Expr] = {slot: p.ELocal(of) for slot, of in reading.elements.items() if p.ELocal(of) in plain}
    before = e.hoist, e.iterating, e.weight, e.around, e.unpaid
    e.unpaid = e.longest_list <= SHORT_LIST
    e.hoist, e.iterating, e.around = hoist, 0, Around(before_all, plain, elements, classes, True)
    scope = Scope(lambda slot: f"a{slot}")
    for number, slot in reading.numbers.items():
        if isinstance(number, p.ESize):
            scope = scope.bind(slot, f"a{slot}", len(e.program.components))
    try:
        return e.outright(reading.node, scope), same
    finally:
        e.hoist, e.iterating, e.weight, e.around, e.unpaid = before


def _alike(one: str, other: str) -> bool:
    """Whether two texts are the same but for the names of what runs through the things."""
    return re.sub(r"\bv\d+\b", "v", one) == re.sub(r"\bv\d+\b", "v", other)


def _classes(e: Expressions, reading: Reading) -> dict[int, Classes]:
    """For each list of which only the number of equal things matters: its classes."""
    found = {}
    for one in reading.things:
        if one.ordered or one.told_apart or not one.looked_at:
            continue
        columns = [e.program.attrs[attr] for attr in sorted(one.printed)]
        kinds: dict[Any, int] = {}
        of = [
            kinds.setdefault((c.kind, *(repr(column[k]) for column in columns)), len(kinds))
            for k, c in enumerate(e.program.components)
        ]
        shifts = [0]
        for number in range(len(kinds)):
            most = e.longest_list if e.may_be_twice else of.count(number)
            shifts.append(shifts[-1] + most.bit_length())
        found[one.slot] = Classes(f"n{one.slot}", [of.index(k) for k in range(len(kinds))], of, shifts)
    return found


def _weights(e: Expressions, one: Classes) -> str:
    return e.constant(("column", *(1 << one.shifts[number] for number in one.of)))


def _key(e: Expressions, reading: Reading, classes: dict[int, Classes]) -> str:
    parts = []
    for one in reading.things:
        if one.slot in classes:
            parts.append(classes[one.slot].name)
            continue
        parts.append(f"tuple(a{one.slot})")
        for family in one.cells:
            parts.append(f"tuple([S[{e.layout.vars + family} + v] for v in a{one.slot}])")
    parts += [f"a{slot}" for slot in reading.numbers.values()]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


INSTEAD.append(remembered)
SUMS.append(remembered)
