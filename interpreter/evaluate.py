"""Pure expressions of a program -> Python functions of a state and a frame's locals.

Linking happens once per program; what it makes is never part of a state. Each form of the program has one function
here, or in evaluate_folds.py if it loops: those charge the state's fuel for every turn, so that no expression runs for
ever.
"""

from __future__ import annotations

import operator
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import evaluate_folds as evaluate_folds
from cambist.interpreter import faults
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE, STEPS_PER_DECISION
from cambist.interpreter.linker import FORMS, Eval, Linker
from cambist.interpreter.state import State

COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


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
    if linker.printed.lacking[node.attr]:
        attr, at, read, of = node.attr, node.at, linker.printed.read, linker.expr(node.component)
        return lambda state, local: read(state, attr, of(state, local), at)
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
        value: int = left(state, local)
        divisor: int = right(state, local)
        if divisor == 0:
            raise faults.bad_number(at, "a division by zero")
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


def _before(linker: Linker, node: p.EBefore) -> Eval:
    slot, value = node.state, linker.expr(node.value)
    return lambda state, local: value(local[slot], local)


FORMS |= {
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
    p.EBefore: _before,
}

__all__ = ["FORMS", "Eval", "Linker", "between", "join", "next_seat"]
