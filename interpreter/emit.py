"""Pure expressions of a program -> Python source, compiled once: the same values as evaluate.py, several times faster.

evaluate.py is the judge: tests run both side by side. Here a whole expression becomes one Python expression of `S`
(the state) and `L` (the frame's locals); what a loop binds becomes a Python variable `v7`; a definition that is called
becomes a function `F3`. Nothing of the text of the rules is put into the source: only numbers and names made here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.evaluate import Eval, Linker, between, join, next_seat
from cambist.interpreter.limits import LARGEST_NUMBER, STEPS_PER_DECISION
from cambist.interpreter.state import State

TOO_NESTED = (SyntaxError, RecursionError, MemoryError)  # what Python's own compiler says of very deep expressions
Bound = dict[int, str]  # slot -> the Python variable that holds it


# ---- what the source calls


def spend(state: State, items: list[Any], at: p.At) -> list[Any]:
    state.fuel -= len(items)
    if state.fuel < 0:
        raise faults.too_many_steps(at, STEPS_PER_DECISION)
    return items


def tick(state: State, at: p.At) -> None:
    state.fuel -= 1
    if state.fuel < 0:
        raise faults.too_many_steps(at, STEPS_PER_DECISION)


def times(left: int, right: int, at: p.At) -> int:
    value = left * right
    if -LARGEST_NUMBER < value < LARGEST_NUMBER:
        return value
    raise faults.bad_number(at, "the product is too large")


def divide(left: int, right: int, up: bool, at: p.At) -> int:
    if right == 0:
        raise faults.bad_number(at, "a division by zero")
    return -(-left // right) if up else left // right


def look_up(table: tuple[int, ...], key: int, at: p.At) -> int:
    if not 0 <= key < len(table) or table[key] == p.MISSING:
        raise faults.no_entry(at, key)
    return table[key]


def end_of(items: list[Any], last: bool, at: p.At) -> Any:
    if not items:
        raise faults.empty(at, "the last" if last else "the first")
    return items[-1 if last else 0]


def extreme(values: list[int], most: bool, default: Callable[[], int] | None, at: p.At) -> int:
    if values:
        return max(values) if most else min(values)
    if default is None:
        raise faults.empty(at, "the most" if most else "the least")
    return default()


def best(
    left: list[int],
    criteria: tuple[tuple[bool, Callable[[int], int]], ...],
    policy: str,
    default: Callable[[], Any] | None,
    at: p.At,
) -> Any:
    if not left:
        if default is None:
            raise faults.empty(at, "the best")
        return default()
    for most, value in criteria:
        if len(left) == 1:
            break
        values = [value(item) for item in left]
        top = max(values) if most else min(values)
        left = [item for item, found in zip(left, values, strict=True) if found == top]
    if policy == "all":
        return left
    if len(left) > 1 and not policy:
        raise faults.still_tied(at)
    return left[0]


class Emitter(Linker):
    """A linker whose expressions are compiled Python."""

    def __init__(self, program: p.Program) -> None:
        self.space: dict[str, Any] = {
            "spend": spend,
            "tick": tick,
            "times": times,
            "divide": divide,
            "look_up": look_up,
            "end_of": end_of,
            "between": between,
            "extreme": extreme,
            "best": best,
            "join": join,
            "next_seat": next_seat,
            "too_large": lambda at: faults.bad_number(at, "the number is too large"),
            "KIND": tuple(c.kind for c in program.components),
            "__builtins__": {
                "len": len,
                "sum": sum,
                "any": any,
                "all": all,
                "min": min,
                "max": max,
                "type": type,
                "list": list,
                "int": int,
                "bool": bool,
            },
        }
        for index, column in enumerate(program.attrs):
            self.space[f"A{index}"] = column
        for index, table in enumerate(program.tables):
            self.space[f"T{index}"] = table
        count = program.players
        for others in (0, 1):
            self.space[f"TURNS{others}"] = [[(q + i) % count for i in range(others, count)] for q in range(count)]
        self.emitted: set[int] = set()
        self.known: dict[int, str] = {}
        super().__init__(program)
        self.space["printed"] = self.printed.read

    # ---- compiled pieces

    def expr(self, node: p.Expr) -> Eval:
        try:
            source = f"lambda S, L: {self.text(node, {})}"
            made: Eval = eval(compile(source, "<expression>", "eval"), self.space)
        except TOO_NESTED:
            return super().expr(node)
        return made

    def _function(self, index: int, function: p.Function) -> Eval:
        """Defined on first use: functions may stand in any order."""
        space = self.space

        def run(state: State, args: list[Any]) -> Any:
            self.define(index)
            return space[f"F{index}"](state, *args[: function.params])

        return run

    def define(self, index: int) -> None:
        if index in self.emitted:
            return
        self.emitted.add(index)
        function = self.program.functions[index]
        names = {slot: f"a{slot}" for slot in range(function.params)}
        params = "".join(f", {name}" for name in names.values())
        body = self.text(function.value, names)
        source = f"def F{index}(S{params}):\n tick(S, {self.constant(function.at)})\n return {body}\n"
        try:
            exec(compile(source, f"<{function.name}>", "exec"), self.space)
        except TOO_NESTED:
            plain, room = super().expr(function.value), [0] * (function.locals - function.params)
            self.space[f"F{index}"] = lambda state, *args: plain(state, [*args, *room])

    def collector(self, plan: p.Choice) -> Callable[[State, list[Any]], list[Any]] | None:
        """All answers of the flat branches of a choice, tests asked as soon as what they speak of is bound."""
        parts = []
        try:
            for number, branch in enumerate(plan.branches):
                if all(pick.shape == "in" for pick in branch.picks):
                    parts.append(self._branch(number, branch))
            source = f"lambda S, L: [{', '.join(parts)}]"
            made: Callable[[State, list[Any]], list[Any]] = eval(compile(source, "<choice>", "eval"), self.space)
        except TOO_NESTED:
            return None
        return made

    def _branch(self, number: int, branch: p.Branch) -> str:
        bound: Bound = {}
        waiting = [*branch.where, *branch.such_that]
        slots = {pick.slot for pick in branch.picks}

        def ready() -> str:
            """Tests that need none of the picks still unbound."""
            now = [t for t in waiting if not (used_slots(t.test) & slots - set(bound))]
            for test in now:
                waiting.remove(test)
            return " and ".join(self.text(t.test, bound) for t in now)

        first = ready()
        if not branch.picks:
            return f"*([({number},)] if {first or 'True'} else [])"
        loops = ""
        for pick in branch.picks:
            items = f"spend(S, {self.text(pick.source, bound)}, {self.constant(branch.at)})"
            bound = {**bound, pick.slot: f"v{pick.slot}"}
            loops += f" for v{pick.slot} in {items}"
            tests = ready()
            loops += f" if {tests}" if tests else ""
        values = ", ".join(f"v{pick.slot}" for pick in branch.picks)
        listed = f"[({number}, {values}){loops}]"
        return f"*({listed} if {first} else [])" if first else f"*{listed}"

    # ---- source text

    def constant(self, value: Any) -> str:
        name = f"K{len(self.known)}"
        self.known[len(self.known)] = name
        self.space[name] = value
        return name

    def text(self, node: p.Expr, bound: Bound) -> str:
        return WRITERS[type(node)](self, node, bound)

    def loops(self, loops: tuple[p.Loop, ...], where: p.Expr | None, bound: Bound, at: p.At) -> tuple[str, Bound]:
        text = ""
        for loop in loops:
            text += f" for v{loop.slot} in spend(S, {self.text(loop.items, bound)}, {self.constant(at)})"
            bound = {**bound, loop.slot: f"v{loop.slot}"}
        if where is not None:
            text += f" if {self.text(where, bound)}"
        return text, bound


def used_slots(node: Any) -> set[int]:
    """The locals an expression looks at, those its own loops bind included."""
    if isinstance(node, p.ELocal):
        return {node.slot}
    if isinstance(node, tuple):
        return {slot for item in node for slot in used_slots(item)}
    if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
        return set()
    return {slot for a in type(node).__attrs_attrs__ for slot in used_slots(getattr(node, a.name))}


Writer = Callable[[Emitter, Any, Bound], str]


def _local(e: Emitter, node: p.ELocal, bound: Bound) -> str:
    return bound.get(node.slot, f"L[{node.slot}]")


def _attr(e: Emitter, node: p.EAttr, bound: Bound) -> str:
    component = e.text(node.component, bound)
    if e.printed.lacking[node.attr]:
        return f"printed(S, {node.attr}, {component}, {e.constant(node.at)})"
    return f"A{node.attr}[{component}]"


def _op(e: Emitter, node: p.EOp, bound: Bound) -> str:
    left, right = e.text(node.left, bound), e.text(node.right, bound)
    match node.op:
        case "+" | "-" | "<" | "<=" | ">" | ">=" | "!=":
            return f"({left} {node.op} {right})"
        case "=":
            return f"({left} == {right})"
        case "*":
            return f"times({left}, {right}, {e.constant(node.at)})"
        case "min" | "max":
            return f"{node.op}({left}, {right})"
        case "join":
            return f"join({left}, {right}, {e.constant(node.at)})"
        case "next":
            return f"next_seat({left}, {right}, {e.constant(node.at)})"
        case _:
            return f"divide({left}, {right}, {node.op == '/up'}, {e.constant(node.at)})"


def _is_card(e: Emitter, node: p.EIsCard, bound: Bound) -> str:
    one = e.text(node.component, bound)
    tests = [f"KIND[{one}] == {node.kinds[0]}"]
    tests += [f"A{attr}[{one}] == {e.text(value, bound)}" for attr, value in node.tests]
    return f"({' and '.join(tests)})"


def _fold(e: Emitter, node: p.EFold, bound: Bound) -> str:
    where = node.where
    if node.op == "every":
        loops, inside = e.loops(node.loops, None, bound, node.at)
        test = e.text(where, inside) if where is not None else "False"
        return f"all({test}{loops})"
    loops, inside = e.loops(node.loops, where, bound, node.at)
    value = "1" if node.value is None else e.text(node.value, inside)
    match node.op:
        case "sum":
            return f"sum([{value}{loops}])"
        case "count":
            return f"len([1{loops}])"
        case "all":
            return f"[v{node.loops[0].slot}{loops}]"
        case "some":
            return f"any(True{loops})"
        case "no":
            return f"(not any(True{loops}))"
        case _:
            default = "None" if node.default is None else f"(lambda: {e.text(node.default, bound)})"
            return f"extreme([{value}{loops}], {node.op == 'most'}, {default}, {e.constant(node.at)})"


def _best(e: Emitter, node: p.EBest, bound: Bound) -> str:
    loops, inside = e.loops((node.loop,), node.where, bound, node.at)
    one = f"v{node.loop.slot}"
    criteria = "".join(f"({most}, lambda {one}: {e.text(value, inside)})," for most, value in node.criteria)
    default = "None" if node.default is None else f"(lambda: {e.text(node.default, bound)})"
    return f"best([{one}{loops}], ({criteria}), {node.policy!r}, {default}, {e.constant(node.at)})"


def _call(e: Emitter, node: p.ECall, bound: Bound) -> str:
    e.define(node.function)
    args = "".join(f", {e.text(a, bound)}" for a in node.args)
    return f"F{node.function}(S{args})"


WRITERS: dict[type, Writer] = {
    p.EConst: lambda e, node, bound: f"({node.value})" if node.value < 0 else str(node.value),
    p.EList: lambda e, node, bound: e.constant(list(node.values)),
    p.ELocal: _local,
    p.EVar: lambda e, node, bound: f"S.vars[{e.text(node.index, bound)}]",
    p.ESpace: lambda e, node, bound: f"T{node.table}[{e.text(node.position, bound)}]",
    p.EAccount: lambda e, node, bound: f"S.accounts[{e.text(node.index, bound)}]",
    p.EContents: lambda e, node, bound: f"S.zones[{e.text(node.zone, bound)}]",
    p.EAttr: _attr,
    p.ETable: lambda e, node, bound: f"look_up(T{node.table}, {e.text(node.key, bound)}, {e.constant(node.at)})",
    p.EOp: _op,
    p.EAnd: lambda e, node, bound: f"({e.text(node.left, bound)} and {e.text(node.right, bound)})",
    p.EOr: lambda e, node, bound: f"({e.text(node.left, bound)} or {e.text(node.right, bound)})",
    p.ENot: lambda e, node, bound: f"(not {e.text(node.value, bound)})",
    p.EIf: lambda e, node, bound: (
        f"({e.text(node.then, bound)} if {e.text(node.test, bound)} else {e.text(node.other, bound)})"
    ),
    p.EMember: lambda e, node, bound: f"({e.text(node.value, bound)} in {e.text(node.items, bound)})",
    p.EInZone: lambda e, node, bound: f"(S.where[{e.text(node.component, bound)}] == {e.text(node.zone, bound)})",
    p.EIsCard: _is_card,
    p.ESize: lambda e, node, bound: f"len({e.text(node.items, bound)})",
    p.EEnd: lambda e, node, bound: f"end_of({e.text(node.items, bound)}, {node.last}, {e.constant(node.at)})",
    p.ERest: lambda e, node, bound: f"{e.text(node.items, bound)}[1:]",
    p.EItems: lambda e, node, bound: f"[{', '.join(e.text(v, bound) for v in node.values)}]",
    p.ERange: lambda e, node, bound: (
        f"between({e.text(node.low, bound)}, {e.text(node.high, bound)}, {e.text(node.step, bound)}, "
        f"{e.constant(node.at)})"
    ),
    p.EAround: lambda e, node, bound: f"TURNS{int(node.others)}[{e.text(node.player, bound)}]",
    p.ECall: _call,
    p.EFold: _fold,
    p.EBest: _best,
    p.EBefore: lambda e, node, bound: (
        f"(lambda S: {e.text(node.value, bound)})({bound.get(node.state, f'L[{node.state}]')})"
    ),
}
