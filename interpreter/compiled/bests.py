"""Setting a local -> lines of Python. The best of several things is worked out in steps: mostly the first criterion
decides, and the rest is not asked.
"""

from __future__ import annotations

import re
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.writer import STATEMENTS, Writer

LEFT = -7  # a local that no rule has


def _set_local(w: Writer, one: p.ISetLocal, node: Node) -> list[str]:
    value = one.value
    if isinstance(value, p.EBest) and value.where is None and value.policy != "all" and value.criteria:
        return _set_best(w, one, value)
    return [f"{w.local(one.slot)} = {w.checked(one.value)}"]


def _set_best(w: Writer, one: p.ISetLocal, value: p.EBest) -> list[str]:
    """Mostly the first criterion decides; otherwise the whole of it is asked."""
    items, to = value.loop.items, w.local(one.slot)
    if isinstance(items, p.EFold) and items.op == "all" and w.e.few(items.loops) is not None and not w.told:
        return _set_best_of_few(w, one, value, items)
    whole = w.e.text(p.EBest(p.Loop(value.loop.slot, p.ELocal(LEFT)), *value_fields(value)), w.scope.bind(LEFT, "left"))
    return [
        f"left = {w.text(value.loop.items)}",
        "if len(left) == 1: found = left[0]",
        "else:",
        *(f" {line}" for line in _decided(w, value, value.criteria[0])),
        f" else: found = stored({whole}, {w.place})",
        f"{to} = found",
    ]


def _decided(w: Writer, value: p.EBest, by: tuple[bool, p.Expr]) -> list[str]:
    """Lines that hold those in `left` against each other, up to an `if` without its `else`: one of them is the best."""
    name = w.e.fresh()
    return [
        f"values = [{w.e.text(by[1], w.scope.bind(value.loop.slot, name))} for {name} in left]",
        f"top = {'max' if by[0] else 'min'}(values, default=0)",
        "if values.count(top) == 1: found = left[values.index(top)]",
    ]


def _set_best_of_few(w: Writer, one: p.ISetLocal, value: p.EBest, items: p.EFold) -> list[str]:
    """One after the other is held against the best so far; who is as good as the best so far is noted. Only if several
    are left, or none at all, more is asked."""
    most, criterion = value.criteria[0]
    better, lines = "x > top" if most else "x < top", ["found = -1"]
    if most and w.e.never_negative(criterion, w.scope):
        lines = ["found = top = -1"]  # small numbers are compared faster
    else:
        better = f"found < 0 or {better}"
    lines.append("left = None")
    for thing in w.e.few(items.loops) or ():
        test = "" if items.where is None else w.e.truth(items.where, w.scope.bind(items.loops[0].slot, thing))
        worth = w.e.text(criterion, w.scope.bind(value.loop.slot, thing))
        held = [
            f"if {better}: found, top, left = {thing}, x, None",
            f"elif x == top: left = [*(left or [found]), {thing}]",
        ]
        if len(lines) == 2:  # the first of them is the best so far
            held = [f"found, top = {thing}, x"]
        added, these = SUM.fullmatch(worth), ""
        if added is not None and added[2] == test:  # of what lies somewhere, if anything does
            test = these = f"these_{thing}"  # a name for each: what lies there is often asked again
            lines.append(f"{these} = {added[2]}")
        inner = [*_worth(w, worth, added, these), *held]
        lines += [f"if {test}:", *(f" {line}" for line in inner)] if test else inner
    again = f"stored({w.text(value)}, {w.place})"
    if len(value.criteria) > 1:
        rest = p.EBest(p.Loop(value.loop.slot, p.ELocal(LEFT)), None, value.criteria[1:], *value_fields(value)[2:])
        among = f"stored({w.e.text(rest, w.scope.bind(LEFT, 'left'))}, {w.place})"
        lines += [
            "if left:",
            *(f" {line}" for line in _decided(w, value, value.criteria[1])),
            f" else: found = {among}",
        ]
        lines.append(f"elif found < 0: found = {again}")
    else:
        lines.append(f"if left or found < 0: found = {again}")
    return [*lines, f"{w.local(one.slot)} = found"]


SUM = re.compile(r"sum\(map\((K\d+), (S\[\d+\])\)\)")


def _worth(w: Writer, text: str, added: re.Match[str] | None, these: str) -> list[str]:
    """Lines that leave a value in `x`. What lies in one zone is added up once for as long as it lies there: lists in
    cells are replaced and never changed, so the same list has the same sum. `these`: the variable that has the list, if
    it was read."""
    if added is None or w.told or (w.at_random and w.plan.rolls_back):  # they have no cells for it
        return [f"x = {text.replace(added[2], these) if added and these else text}"]
    name, cell = added[1], added[2]
    seen = w.e.layout.memory(f"sum(map({name}, {cell}))")
    column = next(values[1:] for values, one in w.e.constants.items() if one == name)
    return [
        f"if {these or cell} is S[{seen}]: x = S[{seen + 1}]",
        "else:",
        f" S[{seen}] = {these or f'these = {cell}'}",
        " x = 0",
        f" for c in {these or 'these'}: x += {w.e.constant(('row', *column))}[c]",
        f" S[{seen + 1}] = x",
    ]


def value_fields(value: p.EBest) -> tuple[Any, ...]:
    return value.where, value.criteria, value.policy, value.default, value.at


STATEMENTS[p.ISetLocal] = _set_local
