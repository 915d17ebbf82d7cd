"""Folds (sums, counts, all that, the best of) -> text: written out where the things are few and known, added up by
tables where all is printed on cards, otherwise as Python's own comprehensions.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Any

from attrs import evolve

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import KEYED, KNOWN, OR_NO, UNROLLED, WRITERS, YES, Expressions
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.packing import counted


def simple(test: str) -> bool:
    """Whether a test asks tables only: it can't fail, and asking once too often costs less than stopping early."""
    return "S[" not in test and not re.search(r"[a-z_]\(", test)


def conjuncts(node: p.Expr | None) -> list[p.Expr]:
    """The parts of a condition that must all hold."""
    if isinstance(node, p.EAnd):
        return conjuncts(node.left) + conjuncts(node.right)
    return [] if node is None else [node]


Flat = tuple[tuple[int, ...], p.Expr, list[p.Expr]]


def flattened(node: p.EFold) -> Flat | None:
    """A fold over what another one sifts as one loop: its locals, the things, the conditions. None: it is no such."""
    if len(node.loops) != 1 or node.op not in ("sum", "count", "all", "most", "least", "some", "no"):
        return None
    slots, items = [node.loops[0].slot], node.loops[0].items
    conditions = conjuncts(node.where)
    while isinstance(items, p.EFold) and items.op == "all" and not isinstance(items.loops[0].items, p.EList):
        slots.append(items.loops[0].slot)
        conditions[:0] = conjuncts(items.where)
        items = items.loops[0].items
    if isinstance(items, (p.EList, p.EFold)) or (node.op == "all" and not conditions):
        return None
    return tuple(slots), items, conditions


def once_asked(e: Expressions, tests: list[str]) -> list[str]:
    """A list that must not be empty, and whose end is asked for after that, is worked out once."""
    for number, test in enumerate(tests):
        if e.iterating or not any(f"({test} or none(" in other for other in tests[number + 1 :]):
            continue
        again = re.compile(re.escape(f"({test} or none(") + r"-?\d+, \d+\)\)")
        if any(again.search(other) for other in tests[number + 1 :]):
            name = e.fresh("k")
            rest = [again.sub(name, other) for other in tests[number + 1 :]]
            return [*tests[:number], f"({name} := {test})", *rest]
    return tests


def _flat(
    e: Expressions, node: p.EFold, slots: tuple[int, ...], items: p.Expr, conditions: list[p.Expr], scope: Scope
) -> str:
    things = e.items(items, scope, node.at)
    if node.op in ("sum", "count"):
        column = e.column(slots, conditions, node.value, scope)
        if column is not None:
            if node.op == "count" and all(v == 1 for v in column):
                return f"len({things})"
            return f"sum(map({e.constant(('column', *column))}, {things}))"
    name = e.fresh()
    inside = scope
    for slot in slots:
        inside = inside.bind(slot, name, e.largest_in(items))
    variable = name
    if KEYED:
        keyed, of_its_own, is_the_last = KEYED
        key = keyed(e, slots, items, [*conditions, *([] if node.value is None else [node.value])], inside)
        if key is not None:
            conditions = [c for c in conditions if of_its_own(e, c) is None]  # it is one of them itself
            if node.op == "all" and len(conditions) == 1 and is_the_last(e, conditions[0], slots):
                lasts = e.around.before(f"{{*dict(zip({key[1]}, {things})).values()}}")
                return f"[*filter({lasts}.__contains__, {things})]"
            things, variable = f"zip({things}, {key[1]})", f"{name}, {key[0]}"
    printed = [c for c in conditions if e.column(slots, [c], None, scope) is not None]
    column = e.column(slots, printed, None, scope) if printed else None
    tests = [] if column is None else [f"{e.constant(('row', *column))}[{name}]"]
    tests += [e.truth(condition, inside) for condition in conditions if condition not in printed]
    loops = f" for {variable} in {things}" + (f" if {' and '.join(once_asked(e, tests))}" if tests else "")
    value = "1" if node.value is None else e.part(node.value, inside)
    match node.op:
        case "sum":
            return f"sum([{value}{loops}])"
        case "count":
            return f"len([1{loops}])"
        case "all":
            return f"[{name}{loops}]"
        case "some" | "no":
            found = f"[True{loops}]" if all(map(simple, tests)) else f"any(True{loops})"
            return (
                f"({found} != [])"
                if node.op == "some" and found[0] == "["
                else (found if node.op == "some" else f"(not {found})")
            )
        case _:
            column = e.column(slots, [], node.value, scope) if not tests else None
            values = f"[{value}{loops}]"
            if column is not None:
                values = f"list(map({e.constant(('column', *column))}, {things}))"
            return _extreme(e, node, values, scope)


def _extreme(e: Expressions, node: p.EFold, values: str, scope: Scope) -> str:
    if isinstance(node.default, p.EConst):
        return f"{'max' if node.op == 'most' else 'min'}({values}, default={node.default.value})"
    default = "None" if node.default is None else f"(lambda: {e.part(node.default, scope)})"
    return f"extreme({values}, {node.op == 'most'}, {default}, {e.place(node.at)})"


def _counted(e: Expressions, node: p.EFold, scope: Scope) -> str:
    """Of a bag that is a number."""
    found = e.counted_in(node, scope)
    match node.op:
        case "count":
            return f"{found}.bit_count()"
        case "some":
            return f"({found} != 0)"
        case "no":
            return f"({found} == 0)"
        case _:
            return f"BITS[{found[1:-1]}]"


def _fold(e: Expressions, node: p.EFold, scope: Scope) -> str:
    for writer in KNOWN:
        known = writer(e, node, scope)
        if known is not None:
            return known
    if counted(node) is not None and e.is_number(node.loops[0].items):
        return _counted(e, node, scope)
    flat = flattened(node)
    if flat is not None:
        return _flat(e, node, *flat, scope)
    few = e.few(node.loops)
    if few is not None and node.op in WRITTEN_OUT:
        return _written_out(e, node, few, scope)
    if len(node.loops) > 1 and node.op in ("sum", "count", "some", "no", "every"):
        ways = [loop.items.values if isinstance(loop.items, p.EList) else None for loop in node.loops]
        if None not in ways and 0 < prod(len(way or ()) for way in ways) <= 2 * UNROLLED:
            return _written_out(e, node, tuple(product(*(way or () for way in ways))), scope)
    if e.around is not None and len(node.loops) > 1 and node.op in SIGNS and e.few(node.loops[:1]) is not None:
        return _first_written_out(e, node, scope)
    if node.op == "every":
        loops, inside = e.loops(node.loops, None, scope, node.at)
        test = e.truth(node.where, inside) if node.where is not None else "False"
        if simple(test) and len(node.loops) == 1:
            return f"all([{test}{loops}])"
        return f"all({test}{loops})"
    if node.op == "count" and node.where is None and len(node.loops) == 1:
        return f"len({e.part(node.loops[0].items, scope)})"
    if node.op == "all" and node.where is None:
        return e.part(node.loops[0].items, scope)
    loops, inside = e.loops(node.loops, node.where, scope, node.at)
    value = "1" if node.value is None else e.part(node.value, inside)
    match node.op:
        case "sum":
            return f"sum([{value}{loops}])"
        case "count":
            return f"len([1{loops}])"
        case "all":
            return f"[{inside.read(node.loops[0].slot)}{loops}]"
        case "some":
            return f"any(True{loops})"
        case "no":
            return f"(not any(True{loops}))"
        case _:
            return _extreme(e, node, f"[{value}{loops}]", scope)


SIGNS = {"sum": " + ", "count": " + ", "some": " or ", "no": " and ", "every": " and "}


def _first_written_out(e: Expressions, node: p.EFold, scope: Scope) -> str:
    """A fold over several things, the first of which are few and known."""
    (loop, *rest) = node.loops
    inner = evolve(node, loops=tuple(rest))
    parts = [e.part(inner, scope.bind(loop.slot, one)) for one in e.few((loop,)) or ()]
    return f"({SIGNS[node.op].join(parts)})"


WRITTEN_OUT = ("sum", "count", "some", "no", "every", "all")


def _written_out(e: Expressions, node: p.EFold, few: tuple[Any, ...], scope: Scope) -> str:
    tests, values = [], []
    for item in few:
        inside = scope
        for loop, one in zip(node.loops, item if type(item) is tuple else (item,), strict=True):
            inside = inside.bind(loop.slot, one)
        known = True if node.where is None else e.truth_known(node.where, inside)
        if known is False and node.op != "every":
            continue
        tests.append("" if known is True else e.truth(node.where, inside) if node.where is not None else "False")
        values.append((item, "1" if node.value is None else e.part(node.value, inside)))
    match node.op:
        case "sum" | "count":
            first = ["0"] if node.value is not None and e.kind(node.value) != "int" else []
            parts = first + [v if not t else f"({v} if {t} else 0)" for t, (_, v) in zip(tests, values, strict=True)]
            return f"({' + '.join(parts)})" if parts else "0"
        case "all":
            sure = all(not t for t in tests)
            if sure:
                return e.constant(tuple(item for item, _ in values))
            table = e.constant(("subsets", *(item for item, _ in values)))
            bits = [str(1 << k) if not t else f"({1 << k} if {t} else 0)" for k, t in enumerate(tests)]
            return f"{table}[{' + '.join(bits)}]"
        case "every":
            if node.where is None:
                return "False" if few else "True"
            return f"{YES}{' and '.join(t for t in tests if t) or 'True'}{OR_NO}"
        case _:
            found = " or ".join(t or "True" for t in tests) or "False"
            return f"{YES}{found}{OR_NO}" if node.op == "some" else f"(not ({found}))"


def _best(e: Expressions, node: p.EBest, scope: Scope) -> str:
    loops, inside = e.loops((node.loop,), node.where, scope, node.at)
    one = inside.read(node.loop.slot)
    criteria = "".join(
        f"({most}, lambda left: [{e.part(value, inside)} for {one} in left])," for most, value in node.criteria
    )
    default = "None" if node.default is None else f"(lambda: {e.part(node.default, scope)})"
    left = f"[{one}{loops}]" if node.where is not None else e.items(node.loop.items, scope, node.at)
    return f"best({left}, ({criteria}), {node.policy!r}, {default}, {e.place(node.at)})"


WRITERS[p.EFold] = _fold
WRITERS[p.EBest] = _best
