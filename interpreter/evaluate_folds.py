"""Expressions that loop (sum, count, all, some, most, best …) -> Python functions of a state and a frame's locals.

The other forms of expressions are evaluate.py's. Every turn is charged to the state's fuel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.linker import FORMS, Eval, Linker
from cambist.interpreter.state import State


def _spend(state: State, turns: int, at: p.At) -> None:
    state.fuel -= turns
    if state.fuel < 0:
        raise faults.too_many_steps(at, STEPS_PER_DECISION)


def _scratch(run: Eval) -> Eval:
    """What a loop binds is gone afterwards: the frame's own locals stay as they are."""
    return lambda state, local: run(state, local[:])


def _fold(linker: Linker, node: p.EFold) -> Eval:
    return _scratch(_fold_nested(linker, node) if len(node.loops) > 1 else _fold_simple(linker, node))


def _fold_simple(linker: Linker, node: p.EFold) -> Eval:
    (loop,) = node.loops
    slot, items = loop.slot, linker.expr(loop.items)
    where, value, at = linker.optional(node.where), linker.optional(node.value), node.at
    match node.op:
        case "sum":
            assert value is not None
            return _sum(slot, items, where, value, at)
        case "count":
            if where is None:
                return lambda state, local: len(items(state, local))
            return _count(slot, items, where, at)
        case "all":
            if where is None:
                return lambda state, local: items(state, local)[:]
            return _all(slot, items, where, at)
        case "some" | "no" | "every":
            return _test(node.op, slot, items, where, at)
        case _:
            return _extreme(linker, node)


def _sum(slot: int, items: Eval, where: Eval | None, value: Eval, at: p.At) -> Eval:
    def total(state: State, local: list[Any]) -> int:
        found = items(state, local)
        _spend(state, len(found), at)
        result = 0
        for item in found:
            local[slot] = item
            if where is None or where(state, local):
                result += value(state, local)
        return result

    return total


def _count(slot: int, items: Eval, where: Eval, at: p.At) -> Eval:
    def count(state: State, local: list[Any]) -> int:
        found = items(state, local)
        _spend(state, len(found), at)
        result = 0
        for item in found:
            local[slot] = item
            if where(state, local):
                result += 1
        return result

    return count


def _all(slot: int, items: Eval, where: Eval, at: p.At) -> Eval:
    def gather(state: State, local: list[Any]) -> list[Any]:
        found = items(state, local)
        _spend(state, len(found), at)
        result = []
        for item in found:
            local[slot] = item
            if where(state, local):
                result.append(item)
        return result

    return gather


def _test(op: str, slot: int, items: Eval, where: Eval | None, at: p.At) -> Eval:
    """some: one that holds; no: none that holds; every: none that fails."""
    looked_for, if_found = {"some": (True, True), "no": (True, False), "every": (False, False)}[op]

    def test(state: State, local: list[Any]) -> bool:
        found = items(state, local)
        _spend(state, len(found), at)
        if where is None:
            return bool(found) if op == "some" else not found
        for item in found:
            local[slot] = item
            if bool(where(state, local)) is looked_for:
                return if_found
        return not if_found

    return test


def _combinations(linker: Linker, node: p.EFold) -> Callable[[State, list[Any]], Any]:
    """Runs through all bindings that pass the condition; yields nothing but the fact."""
    loops = [(loop.slot, linker.expr(loop.items)) for loop in node.loops]
    where, at = linker.optional(node.where), node.at

    def run(state: State, local: list[Any], depth: int = 0) -> Any:
        if depth == len(loops):
            if where is None or where(state, local):
                yield
            return
        slot, items = loops[depth]
        found = items(state, local)
        _spend(state, len(found), at)
        for item in found:
            local[slot] = item
            yield from run(state, local, depth + 1)

    return run


def _fold_nested(linker: Linker, node: p.EFold) -> Eval:
    run = _combinations(linker, node)
    value = linker.optional(node.value)
    op = node.op
    if op in ("most", "least"):
        return _extreme(linker, node)
    if op in ("some", "no"):
        return lambda state, local: (next((True for _ in run(state, local)), False)) is (op == "some")
    if op == "every":
        failing = p.EFold("some", node.loops, None if node.where is None else p.ENot(node.where), None, None, node.at)
        some = _fold_nested(linker, failing)
        return lambda state, local: not some(state, local)
    if op == "count":
        return lambda state, local: sum(1 for _ in run(state, local))
    assert value is not None
    return lambda state, local: sum(value(state, local) for _ in run(state, local))


def _extreme(linker: Linker, node: p.EFold) -> Eval:
    run = _combinations(linker, node)
    value, default, at = linker.expr(node.value or p.EConst(0)), linker.optional(node.default), node.at
    pick: Callable[[list[int]], int] = max if node.op == "most" else min

    def extreme(state: State, local: list[Any]) -> int:
        values = [value(state, local) for _ in run(state, local)]
        if values:
            return pick(values)
        if default is None:
            raise faults.empty(at, f"the {node.op}")
        return int(default(state, local))

    return extreme


def _best(linker: Linker, node: p.EBest) -> Eval:
    return _scratch(_best_of(linker, node))


def _best_of(linker: Linker, node: p.EBest) -> Eval:
    slot, items, where = node.loop.slot, linker.expr(node.loop.items), linker.optional(node.where)
    criteria = [(most, linker.expr(value)) for most, value in node.criteria]
    default, policy, at = linker.optional(node.default), node.policy, node.at

    def best(state: State, local: list[Any]) -> Any:
        found = items(state, local)
        _spend(state, len(found), at)
        left = []
        for item in found:
            local[slot] = item
            if where is None or where(state, local):
                left.append(item)
        if not left:
            if default is None:
                raise faults.empty(at, "the best")
            return default(state, local)
        for most, value in criteria:
            if len(left) == 1:
                break
            values = []
            for item in left:
                local[slot] = item
                values.append(value(state, local))
            top = max(values) if most else min(values)
            left = [item for item, v in zip(left, values, strict=True) if v == top]
        if policy == "all":
            return left
        if len(left) > 1 and not policy:
            raise faults.still_tied(at)
        return left[0]

    return best


FORMS |= {p.EFold: _fold, p.EBest: _best}
