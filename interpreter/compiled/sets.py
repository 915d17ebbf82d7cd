"""Folds over what is printed on things as lists -> operations on sets.

Which of a few known values stand on every thing of a list is one `&` after the other of numbers whose bits are the
values; whether two different things are alike is whether there are fewer looks than things.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import INSTEAD, QUICK, Expressions
from cambist.interpreter.compiled.folds import conjuncts
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.packing import mentions

# ---- what compiled rules call


def alike(look: Callable[[int], Any], things: list[int]) -> bool:
    """Whether two different things look the same."""
    return len(things) > 1 and len(set(map(look, things))) < len(set(things))


SETS = {"alike": alike, "reduce": reduce, "both": and_}


# ---- what is written


def marked(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """A fold over few known values that asks which of them stand on things."""
    if node.op not in ("all", "some", "no", "count"):
        return None
    slots: list[int] = []
    conditions: list[p.Expr] = []
    items: p.Expr = node
    while isinstance(items, p.EFold) and items.op in ("all", node.op) and len(items.loops) == 1:
        slots.append(items.loops[0].slot)
        conditions[:0] = conjuncts(items.where)
        items = items.loops[0].items
    values = e.few((p.Loop(0, items),))
    if not values or not conditions:
        return None
    parts = [_marks(e, condition, slots, values, scope) for condition in conditions]
    if None in parts or (len(parts) > 1 and e.iterating):
        return None
    found = str(parts[0])
    for part in parts[1:]:  # what comes after is asked only if something is left
        name = e.fresh("k")
        found = f"(({name} := {found}) and {name} & {part})"
    match node.op:
        case "all":
            return f"{e.constant(('subsets', *values))}[{found}]"
        case "some":
            return f"({found} != 0)"
        case "no":
            return f"({found} == 0)"
        case _:
            return f"{found}.bit_count()"


def _marks(e: Expressions, node: p.Expr, slots: list[int], values: tuple[int, ...], scope: Scope) -> str | None:
    """The values for which a condition holds, as bits."""
    match node:
        case p.EMember(value=p.ELocal(slot), items=p.EAttr(attr, component)) if slot in slots and e.lists[attr]:
            if any(mentions(component, one) for one in slots):
                return None
            return f"{e.constant(('row', *_bits(e, attr, values)))}[{e.part(component, scope)}]"
        case p.EFold(
            op="every",
            loops=(p.Loop(own, items),),
            where=p.EMember(value=p.ELocal(slot), items=p.EAttr(attr, p.ELocal(thing))),
        ) if slot in slots and thing == own and e.lists[attr]:
            if any(mentions(items, one) for one in slots):
                return None
            column = e.constant(("column", *_bits(e, attr, values)))
            return f"reduce(both, map({column}, {e.things(items, scope)}), {(1 << len(values)) - 1})"
        case _:
            return None


def _bits(e: Expressions, attr: int, values: tuple[int, ...]) -> list[int]:
    return [sum(1 << k for k, value in enumerate(values) if value in column) for column in e.program.attrs[attr]]


def pairs(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """Whether two different things of a list have the same printed on them."""
    found = alike_pairs(e, node)
    if found is None:
        return None
    items, attr = found
    column, things = e.constant(("column", *e.program.attrs[attr])), e.things(items, scope)
    if things in e.distinct:
        return f"(len(set(map({column}, {things}))) {'<' if node.op == 'some' else '=='} len({things}))"
    return f"alike({column}, {things})" if node.op == "some" else f"(not alike({column}, {things}))"


def alike_pairs(e: Expressions, node: p.EFold) -> tuple[p.Expr, int] | None:
    """The list of such a fold, and the attribute that is the same."""
    if node.op not in ("some", "no") or len(node.loops) != 2 or node.loops[0].items != node.loops[1].items:
        return None
    first, second = (p.ELocal(loop.slot) for loop in node.loops)
    items = node.loops[0].items
    tests = conjuncts(node.where)
    if len(tests) != 2 or mentions(items, first.slot) or mentions(items, second.slot):
        return None
    different = [p.ENot(p.EOp("=", a, b)) for a, b in ((first, second), (second, first))]
    match [_without_place(test) for test in tests]:
        case [apart, p.EOp(op="=", left=p.EAttr(attr, one), right=p.EAttr(other, another))] if (
            apart in different and attr == other and {one, another} == {first, second} and not e.lists[attr]
        ):
            return items, attr
        case _:
            return None


def told_one_by_one(e: Expressions, tests: list[p.Expr], slot: int) -> tuple[str, str] | None:
    """Conditions of a list in a local that each thing added to it keeps or breaks by itself.

    That all share one of few marks, that no two look the same: the columns of marks and of looks. None: others.
    """
    marks = looks = None
    for test in tests:
        while isinstance(test, p.ENot) and isinstance(test.value, p.ENot):
            test = test.value.value
        if not isinstance(test, p.EFold):
            return None
        pair = alike_pairs(e, test)
        if pair is not None and pair[0] == p.ELocal(slot) and test.op == "no" and looks is None:
            looks = e.program.attrs[pair[1]]
            continue
        values = e.few(test.loops)
        match test:
            case p.EFold(
                op="all" | "some",
                loops=(p.Loop(value, _),),
                where=p.EFold(
                    op="every",
                    loops=(p.Loop(own, p.ELocal(of)),),
                    where=p.EMember(value=p.ELocal(asked), items=p.EAttr(attr, p.ELocal(thing))),
                ),
            ) if values and (of, asked, thing) == (slot, value, own) and e.lists[attr] and marks is None:
                marks = _bits(e, attr, values)
            case _:
                return None
    many = len(e.program.components)
    columns = (marks or [1] * many, looks or range(many))
    return e.constant(("column", *columns[0])), e.constant(("column", *columns[1]))


def _without_place(node: p.Expr) -> p.Expr:
    if isinstance(node, p.EOp):
        return p.EOp(node.op, node.left, node.right)
    if isinstance(node, p.ENot):
        return p.ENot(_without_place(node.value))
    return node


def same_on(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """Whether any thing of a list, or none, has something printed on it."""
    if node.op not in ("some", "no", "every") or len(node.loops) != 1 or not isinstance(node.where, p.EOp):
        return None
    (loop,), test = node.loops, node.where
    sides = [test.left, test.right]
    if isinstance(test.right, p.EAttr) and test.right.component == p.ELocal(loop.slot):
        sides.reverse()
    mine, wanted = sides
    if not isinstance(mine, p.EAttr) or mine.component != p.ELocal(loop.slot) or e.lists[mine.attr]:
        return None
    if not isinstance(wanted, p.EAttr) or e.lists[wanted.attr] or mentions(wanted, loop.slot):
        return None
    if test.op != ("!=" if node.op == "every" else "=") or not isinstance(loop.items, p.ELocal):
        return None
    things, column = scope.read(loop.items.slot), e.constant(("column", *e.program.attrs[mine.attr]))
    if node.op == "some":
        return f"(False if not {things} else {e.part(wanted, scope)} in map({column}, {things}))"
    return f"(True if not {things} else {e.part(wanted, scope)} not in map({column}, {things}))"


def _run_through_once(e: Expressions, node: p.EFold) -> p.Expr | None:
    found = alike_pairs(e, node)
    return None if found is None else found[0]


QUICK.append(_run_through_once)
INSTEAD[:0] = [marked, pairs, same_on]  # before anything is remembered
