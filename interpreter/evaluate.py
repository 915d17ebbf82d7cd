"""Pure expressions of a program -> Python functions of a state and a frame's locals.

Linking happens once per program; what it makes is never part of a state. Each form of the program has one function
here. Loops charge the state's fuel for every turn, so that no expression runs for ever.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE, STEPS_PER_DECISION
from cambist.interpreter.state import State

Eval = Callable[[State, list[Any]], Any]

COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Linker:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.functions: list[Eval] = []
        self.kinds = [c.kind for c in program.components]
        for index, function in enumerate(program.functions):
            self.functions.append(self._function(index, function))

    # ---- functions

    def _function(self, index: int, function: p.Function) -> Eval:
        """The body is linked on first use: functions may stand in any order."""
        linker = self
        body: Eval | None = None

        def first(state: State, args: list[Any]) -> Any:
            nonlocal body
            if body is None:
                body = linker.expr(function.value)
                linker.functions[index] = body
            return body(state, args)

        return first

    def collector(self, plan: p.Choice) -> Callable[[State, list[Any]], list[Any]] | None:
        """A quicker way to list the answers of a choice, if there is one."""
        return None

    def expr(self, node: p.Expr) -> Eval:
        return FORMS[type(node)](self, node)

    def optional(self, node: p.Expr | None) -> Eval | None:
        return None if node is None else self.expr(node)


def _const(_: Linker, node: p.EConst) -> Eval:
    value = node.value
    return lambda state, local: value


def _list(_: Linker, node: p.EList) -> Eval:
    values = list(node.values)
    return lambda state, local: values


def _local(_: Linker, node: p.ELocal) -> Eval:
    slot = node.slot
    return lambda state, local: local[slot]


def _var(linker: Linker, node: p.EVar) -> Eval:
    if isinstance(node.index, p.EConst):
        fixed = node.index.value
        return lambda state, local: state.vars[fixed]
    index = linker.expr(node.index)
    return lambda state, local: state.vars[index(state, local)]


def _space(linker: Linker, node: p.ESpace) -> Eval:
    table, position = linker.program.tables[node.table], linker.expr(node.position)
    return lambda state, local: table[position(state, local)]


def _account(linker: Linker, node: p.EAccount) -> Eval:
    if isinstance(node.index, p.EConst):
        fixed = node.index.value
        return lambda state, local: state.accounts[fixed]
    index = linker.expr(node.index)
    return lambda state, local: state.accounts[index(state, local)]


def _contents(linker: Linker, node: p.EContents) -> Eval:
    if isinstance(node.zone, p.EConst):
        fixed = node.zone.value
        return lambda state, local: state.zones[fixed]
    zone = linker.expr(node.zone)
    return lambda state, local: state.zones[zone(state, local)]


def _attr(linker: Linker, node: p.EAttr) -> Eval:
    column = linker.program.attrs[node.attr]
    if isinstance(node.component, p.ELocal):
        slot = node.component.slot
        return lambda state, local: column[local[slot]]
    component = linker.expr(node.component)
    return lambda state, local: column[component(state, local)]


def _table(linker: Linker, node: p.ETable) -> Eval:
    table, key, at = linker.program.tables[node.table], linker.expr(node.key), node.at
    size = len(table)

    def look_up(state: State, local: list[Any]) -> int:
        wanted = key(state, local)
        if not 0 <= wanted < size or table[wanted] == p.MISSING:
            raise faults.no_entry(at, wanted)
        return table[wanted]

    return look_up


def next_seat(player: int, players: int, at: p.At) -> int:
    if not 0 <= player < players:
        raise faults.nothing_there(at)
    return (player + 1) % players


def _op(linker: Linker, node: p.EOp) -> Eval:
    left, right, at = linker.expr(node.left), linker.expr(node.right), node.at
    op = node.op
    if op in COMPARE:
        return _compare(linker, node)
    if op == "+":
        if isinstance(node.left, p.EConst) and isinstance(node.right, p.ELocal):
            base, slot = node.left.value, node.right.slot
            return lambda state, local: base + local[slot]
        return lambda state, local: left(state, local) + right(state, local)
    if op == "-":
        return lambda state, local: left(state, local) - right(state, local)
    if op == "*":

        def times(state: State, local: list[Any]) -> int:
            value: int = left(state, local) * right(state, local)
            if -LARGEST_NUMBER < value < LARGEST_NUMBER:
                return value
            raise faults.bad_number(at, "the product is too large")

        return times
    if op == "min":
        return lambda state, local: min(left(state, local), right(state, local))
    if op == "max":
        return lambda state, local: max(left(state, local), right(state, local))
    if op == "join":
        return lambda state, local: join(left(state, local), right(state, local), at)
    if op == "next":
        return lambda state, local: next_seat(left(state, local), right(state, local), at)
    upwards = op == "/up"

    def divide(state: State, local: list[Any]) -> int:
        divisor: int = right(state, local)
        if divisor == 0:
            raise faults.bad_number(at, "a division by zero")
        value: int = left(state, local)
        return -(-value // divisor) if upwards else value // divisor

    return divide


def _compare(linker: Linker, node: p.EOp) -> Eval:
    """Comparisons of a local or of anything with a known number are the most frequent of all expressions."""
    left, right, test = linker.expr(node.left), linker.expr(node.right), COMPARE[node.op]
    if isinstance(node.right, p.EConst):
        known = node.right.value
        if node.op == "=":
            return lambda state, local: left(state, local) == known
        if node.op == ">":
            return lambda state, local: left(state, local) > known
        if node.op == ">=":
            return lambda state, local: left(state, local) >= known
        return lambda state, local: test(left(state, local), known)
    if node.op == "=":
        return lambda state, local: left(state, local) == right(state, local)
    return lambda state, local: test(left(state, local), right(state, local))


def _and(linker: Linker, node: p.EAnd) -> Eval:
    left, right = linker.expr(node.left), linker.expr(node.right)
    return lambda state, local: left(state, local) and right(state, local)


def _or(linker: Linker, node: p.EOr) -> Eval:
    left, right = linker.expr(node.left), linker.expr(node.right)
    return lambda state, local: left(state, local) or right(state, local)


def _not(linker: Linker, node: p.ENot) -> Eval:
    value = linker.expr(node.value)
    return lambda state, local: not value(state, local)


def _if(linker: Linker, node: p.EIf) -> Eval:
    test, then, other = linker.expr(node.test), linker.expr(node.then), linker.expr(node.other)
    return lambda state, local: then(state, local) if test(state, local) else other(state, local)


def _member(linker: Linker, node: p.EMember) -> Eval:
    value, items = linker.expr(node.value), linker.expr(node.items)
    return lambda state, local: value(state, local) in items(state, local)


def _in_zone(linker: Linker, node: p.EInZone) -> Eval:
    component, zone = linker.expr(node.component), linker.expr(node.zone)
    return lambda state, local: state.where[component(state, local)] == zone(state, local)


def _is_card(linker: Linker, node: p.EIsCard) -> Eval:
    component = linker.expr(node.component)
    kinds = linker.kinds
    tests = [(linker.program.attrs[attr], linker.expr(value)) for attr, value in node.tests]
    (wanted,) = node.kinds
    if not tests:
        if isinstance(node.component, p.ELocal):
            slot = node.component.slot
            return lambda state, local: kinds[local[slot]] == wanted
        return lambda state, local: kinds[component(state, local)] == wanted
    if len(tests) == 1:
        ((column, value),) = tests

        def one(state: State, local: list[Any]) -> bool:
            it = component(state, local)
            return kinds[it] == wanted and bool(column[it] == value(state, local))

        return one

    def several(state: State, local: list[Any]) -> bool:
        it = component(state, local)
        if kinds[it] != wanted:
            return False
        for column, value in tests:
            if column[it] != value(state, local):
                return False
        return True

    return several


def _size(linker: Linker, node: p.ESize) -> Eval:
    items = linker.expr(node.items)
    return lambda state, local: len(items(state, local))


def _end(linker: Linker, node: p.EEnd) -> Eval:
    items, place, at = linker.expr(node.items), -1 if node.last else 0, node.at
    word = "the last" if node.last else "the first"

    def end(state: State, local: list[Any]) -> Any:
        found = items(state, local)
        if not found:
            raise faults.empty(at, word)
        return found[place]

    return end


def _rest(linker: Linker, node: p.ERest) -> Eval:
    items = linker.expr(node.items)
    return lambda state, local: items(state, local)[1:]


def _items(linker: Linker, node: p.EItems) -> Eval:
    values = [linker.expr(v) for v in node.values]
    return lambda state, local: [value(state, local) for value in values]


def between(low: int, high: int, step: int, at: p.At) -> list[int]:
    if step < 1:
        raise faults.bad_number(at, "a range with a step below 1")
    if (high - low) // step >= LIST_SIZE:
        raise faults.too_long(at, LIST_SIZE)
    return list(range(low, high + 1, step))


def join(items: list[Any], more: list[Any], at: p.At) -> list[Any]:
    if len(items) + len(more) > LIST_SIZE:
        raise faults.too_long(at, LIST_SIZE)
    return [*items, *more]


def _range(linker: Linker, node: p.ERange) -> Eval:
    low, high, step, at = linker.expr(node.low), linker.expr(node.high), linker.expr(node.step), node.at
    return lambda state, local: between(low(state, local), high(state, local), step(state, local), at)


def _around(linker: Linker, node: p.EAround) -> Eval:
    player, count, others = linker.expr(node.player), linker.program.players, node.others
    turns = [[(first + i) % count for i in range(int(others), count)] for first in range(count)]
    return lambda state, local: turns[player(state, local)]


def _call(linker: Linker, node: p.ECall) -> Eval:
    """A function gets locals of its own: its arguments, and room for what its loops bind."""
    index, functions = node.function, linker.functions
    args = [linker.expr(a) for a in node.args]
    function = linker.program.functions[index]
    room = [0] * (function.locals - function.params)
    if not args:

        def call_none(state: State, local: list[Any]) -> Any:
            state.fuel -= 1
            if state.fuel < 0:
                raise faults.too_many_steps(function.at, STEPS_PER_DECISION)
            return functions[index](state, room[:])

        return call_none
    if len(args) == 1:
        (arg,) = args

        def call_one(state: State, local: list[Any]) -> Any:
            state.fuel -= 1
            if state.fuel < 0:
                raise faults.too_many_steps(function.at, STEPS_PER_DECISION)
            return functions[index](state, [arg(state, local), *room])

        return call_one

    if len(args) == 2:
        one, two = args

        def call_two(state: State, local: list[Any]) -> Any:
            state.fuel -= 1
            if state.fuel < 0:
                raise faults.too_many_steps(function.at, STEPS_PER_DECISION)
            return functions[index](state, [one(state, local), two(state, local), *room])

        return call_two

    def call(state: State, local: list[Any]) -> Any:
        state.fuel -= 1
        if state.fuel < 0:
            raise faults.too_many_steps(function.at, STEPS_PER_DECISION)
        return functions[index](state, [a(state, local) for a in args] + room)

    return call


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


def _before(linker: Linker, node: p.EBefore) -> Eval:
    slot, value = node.state, linker.expr(node.value)
    return lambda state, local: value(local[slot], local)


FORMS: dict[type, Callable[[Linker, Any], Eval]] = {
    p.EConst: _const,
    p.EList: _list,
    p.ELocal: _local,
    p.EVar: _var,
    p.ESpace: _space,
    p.EAccount: _account,
    p.EContents: _contents,
    p.EAttr: _attr,
    p.ETable: _table,
    p.EOp: _op,
    p.EAnd: _and,
    p.EOr: _or,
    p.ENot: _not,
    p.EIf: _if,
    p.EMember: _member,
    p.EInZone: _in_zone,
    p.EIsCard: _is_card,
    p.ESize: _size,
    p.EEnd: _end,
    p.ERest: _rest,
    p.EItems: _items,
    p.ERange: _range,
    p.EAround: _around,
    p.ECall: _call,
    p.EFold: _fold,
    p.EBest: _best,
    p.EBefore: _before,
}
