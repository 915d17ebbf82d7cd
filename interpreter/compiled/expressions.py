"""Expressions of a program -> text of Python expressions over `S`, the flat list of cells.

What a loop binds becomes a variable `v7`, or a constant where the things looped over are few and known: then the loop
is written out. Nothing of the text of the rules gets into the source, only numbers and names made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.layout import Layout, mask_of
from cambist.interpreter.compiled.packing import counted, family_of
from cambist.interpreter.compiled.plan import Plan
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE

UNROLLED = 8  # things of a loop that are written out one by one
CHEAP = 20_000  # turns that a loop may take without being counted
OWN_SLOTS = 10_000  # more than any procedure has locals
MODEST = 2**31
WEIGHED = 1_000  # turns of what is inside that count as one


class Scope:
    """How locals are read: a constant, or the text of a place."""

    def __init__(
        self,
        place: Callable[[int], str],
        bound: dict[int, str | int] | None = None,
        lengths: dict[int, int] | None = None,
    ) -> None:
        self.place = place
        self.bound = bound or {}
        self.lengths = lengths or {}  # how long lists in locals can be, where that is known

    def bind(self, slot: int, value: str | int) -> Scope:
        return Scope(self.place, {**self.bound, slot: value}, self.lengths)

    def read(self, slot: int) -> str:
        found = self.bound.get(slot)
        if found is None:
            return self.place(slot)
        return number(found) if type(found) is int else str(found)


def number(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


class Expressions:
    """`places`: the `At` of everything that can fail, by number; `constants`: lists that are made once."""

    def __init__(self, program: p.Program, plan: Plan) -> None:
        self.program = program
        self.layout = Layout(program, plan)
        self.places: list[p.At] = []
        self.meanings: dict[int, p.Meaning] = {}  # of what chance gives, by place
        self.constants: dict[tuple[Any, ...], str] = {}
        self.needed: dict[int, None] = {}  # functions that are called
        self.placed = 0  # numbers given to locals of definitions so far
        self.iterating = 0  # depth inside of what loops run over
        self.names = 0  # given to values in between
        self.fuel = False  # whether anything pays for turns
        self.hoist: Callable[[str], str] | None = None  # takes what does not change in a loop out of it
        self.weight = 0  # what a turn of the loop at hand costs; 0: too little to be counted
        self.lists = [
            any(isinstance(value, (list, tuple)) for value in column) for column in program.attrs
        ]  # attributes that are lists
        self.list_cells = {
            cell for f in program.variables if f.meaning.word == "list" for cell in range(f.base, f.base + f.count)
        }
        self.longest_list = LIST_SIZE
        self.longest_list = self._longest_list()
        self.tame, self.modest = self._tame()

    # ---- doors

    def text(self, node: p.Expr, scope: Scope) -> str:
        """The whole expression."""
        return self.part(node, scope)

    def truth(self, node: p.Expr, scope: Scope) -> str:
        """The same where only yes or no matters."""
        while isinstance(node, p.ENot) and isinstance(node.value, p.ENot):
            node = node.value.value
        if self.is_number(node):
            return self.lying(node, scope)
        match node:  # whether there are any
            case p.EOp(op=">", left=p.EFold(op="count") as fold, right=p.EConst(0)) if counted(fold) is not None:
                if self.is_number(fold.loops[0].items):
                    return _counted_in(self, fold, scope)
        return self.text(node, scope)

    def is_number(self, node: p.Expr) -> bool:
        """Whether this is a bag that is kept as a number."""
        return isinstance(node, p.EContents) and family_of(self.program, node.zone) in self.layout.packed

    def lying(self, node: p.Expr, scope: Scope) -> str:
        assert isinstance(node, p.EContents)
        return self.cell(self.layout.zones, node.zone, scope)

    def mask(self, node: p.Expr, slot: int, scope: Scope) -> str:
        """The components that a condition holds for, as a number: known, or looked up by what it asks for."""
        match node:
            case p.EIsCard():
                values = [(attr, self.known(value, scope), value) for attr, value in node.tests]
                kinds = [c for c, one in enumerate(self.program.components) if one.kind == node.kinds[0]]
                open_ones = [(attr, value) for attr, known, value in values if known is None]
                for attr, known, _ in values:
                    if known is not None:
                        kinds = [c for c in kinds if self.program.attrs[attr][c] == known]
                return self._mask(kinds, open_ones, scope)
            case p.EOp(left=p.EAttr(attr), right=right):
                every = list(range(len(self.program.components)))
                known = self.known(right, scope)
                if known is not None:
                    return self._mask([c for c in every if self.program.attrs[attr][c] == known], [], scope)
                return self._mask(every, [(attr, right)], scope)
            case p.ENot():
                return f"(EVERY ^ {self.mask(node.value, slot, scope)})"
            case p.EAnd() | p.EOr():
                sign = "&" if isinstance(node, p.EAnd) else "|"
                return f"({self.mask(node.left, slot, scope)} {sign} {self.mask(node.right, slot, scope)})"
            case _:
                raise AssertionError(node)

    def column(
        self, slots: tuple[int, ...], conditions: list[p.Expr], value: p.Expr | None, scope: Scope
    ) -> list[int] | None:
        """For every component the value, 0 where a condition fails; None if that is not all printed on it."""
        if not all(_printed(node, slots) for node in (*conditions, value) if node is not None):
            return None
        found = []
        for component in range(len(self.program.components)):
            inside = Scope(scope.place, {**scope.bound, **dict.fromkeys(slots, component)}, scope.lengths)
            tests = [self.truth_known(condition, inside) for condition in conditions]
            number = 1 if value is None else self.known(value, inside)
            if None in tests or number is None:
                return None
            found.append(number if all(tests) else 0)
        return found

    def _mask(self, components: list[int], asked: list[tuple[int, p.Expr]], scope: Scope) -> str:
        if not asked:
            return str(mask_of(components))
        parts = []
        for attr, value in asked:
            table: dict[int, list[int]] = {}
            for c in components:
                table.setdefault(self.program.attrs[attr][c], []).append(c)
            name = self.constant(("masks", *((key, mask_of(found)) for key, found in sorted(table.items()))))
            parts.append(f"{name}.get({self.part(value, scope)}, 0)")
        return f"({' & '.join(parts)})" if len(parts) > 1 else parts[0]

    def part(self, node: p.Expr, scope: Scope) -> str:
        known = self.known(node, scope)
        if known is not None:
            return number(known)
        if not isinstance(node, (p.EFold, p.EBest)):
            return WRITERS[type(node)](self, node, scope)
        text = self._fold(node, scope)
        return text if self.hoist is None or "lambda" in text else self.hoist(text)

    def _fold(self, node: p.EFold | p.EBest, scope: Scope) -> str:
        before = self.weight
        cost = self.cost(node, scope.lengths)
        self.weight = 0 if cost <= CHEAP else 1 + cost // max(1, self.longest_list) // WEIGHED
        try:
            return WRITERS[type(node)](self, node, scope)
        finally:
            self.weight = before

    def place(self, at: p.At) -> int:
        self.places.append(at)
        return len(self.places) - 1

    def constant(self, values: tuple[Any, ...]) -> str:
        return self.constants.setdefault(values, f"K{len(self.constants)}")

    def cell(self, base: int, index: p.Expr, scope: Scope) -> str:
        """The text of a cell: numbers known now are added up now."""
        parts: list[p.Expr] = [index]
        rest = []
        while parts:
            one = parts.pop(0)
            known = self.known(one, scope)
            if known is not None and known != p.NOBODY:
                base += known
            elif isinstance(one, p.EOp) and one.op == "+":
                parts[:0] = [one.left, one.right]
            else:
                rest.append(self.part(one, scope))
        return f"S[{' + '.join([str(base), *rest])}]"

    # ---- what is known beforehand

    def known(self, node: p.Expr, scope: Scope) -> int | None:
        match node:
            case p.EConst():
                return node.value
            case p.ELocal():
                found = scope.bound.get(node.slot)
                return found if type(found) is int else None
            case p.EOp():
                left, right = self.known(node.left, scope), self.known(node.right, scope)
                if left is None or right is None:
                    return None
                return _folded(node.op, left, right)
            case p.EIf():
                test = self.truth_known(node.test, scope)
                return None if test is None else self.known(node.then if test else node.other, scope)
            case p.EAttr():
                which = self.known(node.component, scope)
                if which is None or self.lists[node.attr] or not 0 <= which < len(self.program.attrs[node.attr]):
                    return None
                return int(self.program.attrs[node.attr][which])
            case _:
                return None

    def truth_known(self, node: p.Expr, scope: Scope) -> bool | None:
        match node:
            case p.EOp() if node.op in COMPARED:
                left, right = self.known(node.left, scope), self.known(node.right, scope)
                return None if left is None or right is None else COMPARED[node.op](left, right)
            case p.ENot():
                inner = self.truth_known(node.value, scope)
                return None if inner is None else not inner
            case p.EIsCard():
                which = self.known(node.component, scope)
                if which is None or which < 0:
                    return None
                if self.program.components[which].kind != node.kinds[0]:
                    return False
                found = [(self.program.attrs[a][which], self.known(value, scope)) for a, value in node.tests]
                if any(value is not None and value != there for there, value in found):
                    return False
                return None if any(value is None for _, value in found) else True
            case p.EAnd():
                left_truth, right_truth = self.truth_known(node.left, scope), self.truth_known(node.right, scope)
                if left_truth is False or right_truth is False:
                    return False
                return True if left_truth and right_truth else None
            case p.EOr():
                left_truth, right_truth = self.truth_known(node.left, scope), self.truth_known(node.right, scope)
                if left_truth or right_truth:
                    return True
                return False if left_truth is False and right_truth is False else None
            case _:
                return None

    def kind(self, node: p.Expr | None) -> str:
        """`bool`, `int`, `list`, or empty if that is not known."""
        match node:
            case p.EOp():
                return "bool" if node.op in COMPARED else "list" if node.op == "join" else "int"
            case p.ENot() | p.EMember() | p.EInZone() | p.EIsCard():
                return "bool"
            case p.EAnd() | p.EOr():
                both = {self.kind(node.left), self.kind(node.right)}
                return both.pop() if len(both) == 1 else ""
            case p.EIf():
                both = {self.kind(node.then), self.kind(node.other)}
                return both.pop() if len(both) == 1 else ""
            case p.EConst() | p.ESpace() | p.EAccount() | p.ETable() | p.ESize():
                return "int"
            case p.EList() | p.EContents() | p.ERest() | p.EItems() | p.ERange() | p.EAround():
                return "list"
            case p.EAttr():
                return "list" if self.lists[node.attr] else "int"
            case p.EVar():
                cells = self.var_cells(node.index)
                return "list" if cells & self.list_cells else "int"
            case p.EFold():
                return {"all": "list", "some": "bool", "no": "bool", "every": "bool"}.get(node.op, "int")
            case p.EBest():
                return "list" if node.policy == "all" else ""
            case p.ECall():
                return self.kind(self.program.functions[node.function].value)
            case _:
                return ""

    def var_cells(self, index: p.Expr) -> set[int]:
        """The first cell of the family that an index points into; the family at 0 has none written in front."""
        while isinstance(index, p.EOp) and index.op == "+":
            index = index.left
        return {index.value if isinstance(index, p.EConst) else 0}

    # ---- how much it can be

    def most(self, node: p.Expr | None, scope: Scope) -> int:
        """The largest size of a number, or the largest that there is."""
        match node:
            case None:
                return 1
            case p.EConst():
                return abs(node.value)
            case p.ESize():
                return self.longest(node.items, scope.lengths)
            case p.EFold() if node.op in ("sum", "count"):
                turns = 1
                for loop in node.loops:
                    turns *= self.longest(loop.items, scope.lengths)
                return min(turns * (1 if node.op == "count" else self.most(node.value, scope)), LARGEST_NUMBER)
            case p.EFold() if node.op in ("most", "least"):
                return max(self.most(node.value, scope), self.most(node.default, scope))
            case p.ETable() | p.ESpace():
                return max((abs(v) for v in self.program.tables[node.table] if v != p.MISSING), default=0)
            case p.EAttr() if not self.lists[node.attr]:
                return max((abs(v) for v in self.program.attrs[node.attr]), default=0)
            case p.EOp() if node.op in ("+", "-", "*"):
                left, right = self.most(node.left, scope), self.most(node.right, scope)
                return min(left * right if node.op == "*" else left + right, LARGEST_NUMBER)
            case p.EOp() if node.op in ("min", "max"):
                return max(self.most(node.left, scope), self.most(node.right, scope))
            case p.EOp() if node.op in COMPARED:
                return 1
            case p.EIf():
                return max(self.most(node.then, scope), self.most(node.other, scope))
            case p.ELocal():
                known = scope.bound.get(node.slot)
                return abs(known) if type(known) is int else LARGEST_NUMBER
            case p.EEnd(items=p.EContents()):
                return len(self.program.components)
            case _:
                return LARGEST_NUMBER

    def never_negative(self, node: p.Expr | None, scope: Scope) -> bool:
        match node:
            case p.EConst():
                return node.value >= 0
            case p.ESize():
                return True
            case p.EFold():
                return node.op == "count" or (node.op == "sum" and self.never_negative(node.value, scope))
            case p.ETable() | p.ESpace():
                return all(v >= 0 or v == p.MISSING for v in self.program.tables[node.table])
            case p.EAttr() if not self.lists[node.attr]:
                return all(v >= 0 for v in self.program.attrs[node.attr])
            case p.EOp() if node.op in ("+", "*", "min", "max"):
                return self.never_negative(node.left, scope) and self.never_negative(node.right, scope)
            case p.EIf():
                return self.never_negative(node.then, scope) and self.never_negative(node.other, scope)
            case p.ELocal():
                known = scope.bound.get(node.slot)
                return type(known) is int and known >= 0
            case _:
                return False

    def _tame(self) -> tuple[set[int], bool]:
        """Families of variables, by their first cell, and whether all accounts: those that can't grow too large.

        No game has more than a thousand million steps; so what grows by less than 2**31 a step stays below 2**62.
        """
        wild: set[int] = set()
        amounts = True
        nothing = Scope(str)
        for procedure in self.program.procedures:
            for one in procedure.code:
                if isinstance(one, p.ISetVar) and self.most(one.value, nothing) >= MODEST:
                    wild |= self.var_cells(one.index)
                if isinstance(one, p.ITransfer):
                    amounts = amounts and self.most(one.amount, nothing) < MODEST
        for account in self.program.accounts:
            amounts = amounts and self.most(account.start or p.EConst(0), nothing) < MODEST
        tame = {f.base for f in self.program.variables if not wild & set(range(f.base, f.base + f.count))}
        starts = {f.base for f in self.program.variables if self.most(f.start or p.EConst(0), nothing) >= MODEST}
        return tame - starts, amounts

    def is_tame(self, index: p.Expr) -> bool:
        (cell,) = self.var_cells(index)
        return any(f.base <= cell < f.base + f.count and f.base in self.tame for f in self.program.variables)

    def _longest_list(self) -> int:
        """How many things any list of the game can have: it comes from somewhere."""
        found = max(len(self.program.components), self.program.players, 1)
        ranges = []
        for node in every_node((self.program.functions, self.program.procedures, self.program.choices)):
            if isinstance(node, p.EOp) and node.op == "join":
                return LIST_SIZE  # lists may grow
            if isinstance(node, p.ERange):
                ranges.append(node)
            elif isinstance(node, (p.EList, p.EItems)) or (isinstance(node, p.EAttr) and self.lists[node.attr]):
                found = max(found, self.longest(node, {}))
        while True:  # a range may be as long as another list
            self.longest_list = found
            more = max((self.longest(node, {}) for node in ranges), default=0)
            if more <= found:
                return found
            found = more

    # ---- how long it can take

    def longest(self, node: p.Expr, lengths: dict[int, int]) -> int:
        """How many things a list can have; `lengths` of those in locals."""
        match node:
            case p.ELocal():
                return lengths.get(node.slot, self.longest_list)
            case p.EList():
                return len(node.values)
            case p.EContents():
                return len(self.program.components)
            case p.EAround():
                return self.program.players
            case p.EItems():
                return len(node.values)
            case p.ERest():
                return self.longest(node.items, lengths)
            case p.EAttr():
                return max((len(v) for v in self.program.attrs[node.attr] if isinstance(v, (list, tuple))), default=1)
            case p.EFold() if node.op == "all":
                return self.longest(node.loops[0].items, lengths)
            case p.EBest():
                return self.longest(node.loop.items, lengths)
            case p.EIf():
                return max(self.longest(node.then, lengths), self.longest(node.other, lengths))
            case p.ERange():
                nothing = Scope(str, {}, lengths)
                high = self.most(node.high, nothing)
                low = node.low.value if isinstance(node.low, p.EConst) else -self.most(node.low, nothing)
                return min(LIST_SIZE, max(0, high - low + 1))
            case p.ECall():
                own = {slot: self.longest(a, lengths) for slot, a in enumerate(node.args)}
                return self.longest(self.program.functions[node.function].value, own)
            case _:
                return self.longest_list

    def cost(self, node: Any, lengths: dict[int, int]) -> int:
        """The most turns of loops."""
        if isinstance(node, p.EFold):
            inner = 1 + sum(self.cost(e, lengths) for e in (node.where, node.value))
            for loop in reversed(node.loops):
                inner = self.longest(loop.items, lengths) * inner + self.cost(loop.items, lengths) + 1
            return inner + self.cost(node.default, lengths)
        if isinstance(node, p.EBest):
            inner = 1 + self.cost(node.where, lengths) + sum(self.cost(value, lengths) for _, value in node.criteria)
            begin = self.cost(node.loop.items, lengths) + self.cost(node.default, lengths)
            return self.longest(node.loop.items, lengths) * inner + begin
        if isinstance(node, p.ECall):
            own = {slot: self.longest(a, lengths) for slot, a in enumerate(node.args)}
            args = sum(self.cost(a, lengths) for a in node.args)
            return 1 + args + self.cost(self.program.functions[node.function].value, own)
        if isinstance(node, tuple):
            return sum(self.cost(item, lengths) for item in node)
        if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
            return 0
        return sum(self.cost(getattr(node, a.name), lengths) for a in type(node).__attrs_attrs__)

    # ---- loops

    def items(self, node: p.Expr, scope: Scope, at: p.At) -> str:
        self.iterating += 1
        text = self.part(node, scope)
        self.iterating -= 1
        return self.spent(text, at, self.weight) if self.weight else text

    def spent(self, text: str, at: p.At, weight: int) -> str:
        """The things of a loop that pays for its turns."""
        self.fuel = True
        return f"spend(S, {text}, {self.place(at)}, {weight})"

    def loops(self, loops: tuple[p.Loop, ...], where: p.Expr | None, scope: Scope, at: p.At) -> tuple[str, Scope]:
        text = ""
        for loop in loops:
            name = self.fresh()
            text += f" for {name} in {self.items(loop.items, scope, at)}"
            scope = scope.bind(loop.slot, name)
        if where is not None:
            text += f" if {self.truth(where, scope)}"
        return text, scope

    def fresh(self, sign: str = "v") -> str:
        self.names += 1
        return f"{sign}{self.names}"

    def few(self, loops: tuple[p.Loop, ...]) -> tuple[int, ...] | None:
        """The things of a loop that is written out."""
        if len(loops) == 1 and isinstance(loops[0].items, p.EList) and len(loops[0].items.values) <= UNROLLED:
            return loops[0].items.values
        return None


def _printed(node: p.Expr, slots: tuple[int, ...]) -> bool:
    """Whether an expression asks only what is printed on a component, and what is known beforehand."""
    match node:
        case p.EIsCard():
            return isinstance(node.component, p.ELocal) and all(
                isinstance(v, (p.EConst, p.ELocal)) for _, v in node.tests
            )
        case p.EAttr():
            return isinstance(node.component, p.ELocal) and node.component.slot in slots
        case p.EOp() if node.op in COMPARED:
            one = isinstance(node.left, p.EAttr) and _printed(node.left, slots)
            return (
                one and isinstance(node.right, (p.EConst, p.ELocal)) and node.right not in [p.ELocal(s) for s in slots]
            )
        case p.EAnd() | p.EOr():
            return _printed(node.left, slots) and _printed(node.right, slots)
        case p.ENot():
            return _printed(node.value, slots)
        case _:
            return False


def every_node(node: Any) -> Iterator[Any]:
    """All that a part of a program is made of."""
    if isinstance(node, tuple):
        for item in node:
            yield from every_node(item)
    elif hasattr(type(node), "__attrs_attrs__") and not isinstance(node, (p.At, p.Meaning)):
        yield node
        for a in type(node).__attrs_attrs__:
            yield from every_node(getattr(node, a.name))


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _folded(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            value = left + right
        case "-":
            value = left - right
        case "*":
            value = left * right
        case "min":
            value = min(left, right)
        case "max":
            value = max(left, right)
        case _:
            return None
    return value if abs(value) < LARGEST_NUMBER else None


def _list(e: Expressions, node: p.EList, scope: Scope) -> str:
    return e.constant(node.values)


def _op(e: Expressions, node: p.EOp, scope: Scope) -> str:
    left, right = e.part(node.left, scope), e.part(node.right, scope)
    match node.op:
        case "+" | "-" | "<" | "<=" | ">" | ">=" | "!=":
            return f"({left} {node.op} {right})"
        case "=":
            return f"({left} == {right})"
        case "*":
            if e.most(node.left, scope) * e.most(node.right, scope) < LARGEST_NUMBER:
                return f"({left} * {right})"
            return f"times({left}, {right}, {e.place(node.at)})"
        case "min" | "max":
            return f"{node.op}({left}, {right})"
        case "join":
            return f"join({left}, {right}, {e.place(node.at)})"
        case "next":
            name, players = e.fresh("k"), e.known(node.right, scope)
            if players is None or e.iterating:
                return f"next_seat({left}, {right}, {e.place(node.at)})"
            again = f"0 if {name} == {players - 1} else next_seat({name}, {right}, {e.place(node.at)})"
            return f"({name} + 1 if 0 <= ({name} := {left}) < {players - 1} else {again})"
        case _:
            return f"divide({left}, {right}, {node.op == '/up'}, {e.place(node.at)})"


def _is_card(e: Expressions, node: p.EIsCard, scope: Scope) -> str:
    known = e.truth_known(node, scope)
    if known is not None:
        return str(known)
    one = e.part(node.component, scope)
    tests = [f"KIND[{one}] == {node.kinds[0]}"]
    tests += [f"A{attr}[{one}] == {e.part(value, scope)}" for attr, value in node.tests]
    return f"({' and '.join(tests)})"


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
        inside = inside.bind(slot, name)
    printed = [c for c in conditions if e.column(slots, [c], None, scope) is not None]
    column = e.column(slots, printed, None, scope) if printed else None
    tests = [] if column is None else [f"{e.constant(('row', *column))}[{name}]"]
    tests += [e.truth(condition, inside) for condition in conditions if condition not in printed]
    loops = f" for {name} in {things}" + (f" if {' and '.join(tests)}" if tests else "")
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
            default = "None" if node.default is None else f"(lambda: {e.part(node.default, scope)})"
            return f"extreme({values}, {node.op == 'most'}, {default}, {e.place(node.at)})"


def _counted_in(e: Expressions, node: p.EFold, scope: Scope) -> str:
    assert node.where is not None
    return f"({e.lying(node.loops[0].items, scope)} & {e.mask(node.where, node.loops[0].slot, scope)})"


def _counted(e: Expressions, node: p.EFold, scope: Scope) -> str:
    """Of a bag that is a number."""
    found = _counted_in(e, node, scope)
    match node.op:
        case "count":
            return f"{found}.bit_count()"
        case "some":
            return f"({found} != 0)"
        case "no":
            return f"({found} == 0)"
        case _:
            return f"bits{found}"


def _fold(e: Expressions, node: p.EFold, scope: Scope) -> str:
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
            default = "None" if node.default is None else f"(lambda: {e.part(node.default, scope)})"
            return f"extreme([{value}{loops}], {node.op == 'most'}, {default}, {e.place(node.at)})"


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
            return f"(True if {' and '.join(t for t in tests if t) or 'True'} else False)"
        case _:
            found = " or ".join(t or "True" for t in tests) or "False"
            return f"(True if {found} else False)" if node.op == "some" else f"(not ({found}))"


def _best(e: Expressions, node: p.EBest, scope: Scope) -> str:
    loops, inside = e.loops((node.loop,), node.where, scope, node.at)
    one = inside.read(node.loop.slot)
    criteria = "".join(
        f"({most}, lambda left: [{e.part(value, inside)} for {one} in left])," for most, value in node.criteria
    )
    default = "None" if node.default is None else f"(lambda: {e.part(node.default, scope)})"
    left = f"[{one}{loops}]" if node.where is not None else e.items(node.loop.items, scope, node.at)
    return f"best({left}, ({criteria}), {node.policy!r}, {default}, {e.place(node.at)})"


def _call(e: Expressions, node: p.ECall, scope: Scope) -> str:
    """What a definition says, put in its place; or a call, where an argument would be worked out several times."""
    function = e.program.functions[node.function]
    if all(isinstance(a, (p.ELocal, p.EConst)) or uses(function.value, slot) == 1 for slot, a in enumerate(node.args)):
        e.placed += OWN_SLOTS
        return e.part(substituted(function.value, dict(enumerate(node.args)), e.placed), scope)
    e.needed[node.function] = None
    args = "".join(f", {e.part(a, scope)}" for a in node.args)
    return f"F{node.function}(S{args})"


def substituted(node: Any, args: dict[int, p.Expr], own: int) -> Any:
    """A definition with its arguments in their places; the locals of its loops get numbers that nobody else has."""
    if isinstance(node, p.ELocal):
        return args[node.slot] if node.slot in args else p.ELocal(node.slot + own)
    if isinstance(node, p.Loop):
        return p.Loop(node.slot + own, substituted(node.items, args, own))
    if isinstance(node, tuple):
        return tuple(substituted(item, args, own) for item in node)
    if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
        return node
    fields = type(node).__attrs_attrs__
    return type(node)(*(substituted(getattr(node, a.name), args, own) for a in fields))


def uses(node: Any, slot: int) -> int:
    """How often an expression reads a local; inside of a loop that is often."""
    if isinstance(node, p.ELocal):
        return int(node.slot == slot)
    if isinstance(node, p.EFold) and len(node.loops) == 1:
        inner = 2 * sum(uses(part, slot) for part in (node.where, node.value))
        return inner + uses(node.loops[0].items, slot) + uses(node.default, slot)
    if isinstance(node, (p.EFold, p.EBest)):
        return 2 * sum(uses(getattr(node, a.name), slot) for a in type(node).__attrs_attrs__)
    if isinstance(node, tuple):
        return sum(uses(item, slot) for item in node)
    if isinstance(node, p.Loop):
        return uses(node.items, slot)
    if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
        return 0
    return sum(uses(getattr(node, a.name), slot) for a in type(node).__attrs_attrs__)


def _if(e: Expressions, node: p.EIf, scope: Scope) -> str:
    known = e.truth_known(node.test, scope)
    if known is not None:
        return e.part(node.then if known else node.other, scope)
    return f"({e.part(node.then, scope)} if {e.truth(node.test, scope)} else {e.part(node.other, scope)})"


def _and(e: Expressions, node: p.EAnd, scope: Scope) -> str:
    return f"({e.part(node.left, scope)} and {e.part(node.right, scope)})"


def _or(e: Expressions, node: p.EOr, scope: Scope) -> str:
    return f"({e.part(node.left, scope)} or {e.part(node.right, scope)})"


def _member(e: Expressions, node: p.EMember, scope: Scope) -> str:
    if isinstance(node.items, p.EList):
        items = f"({''.join(f'{v}, ' for v in node.items.values)})"
    else:
        items = e.part(node.items, scope)
    return f"({e.part(node.value, scope)} in {items})"


def _in_zone(e: Expressions, node: p.EInZone, scope: Scope) -> str:
    return f"lies_in({e.cell(e.layout.zones, node.zone, scope)}, {e.part(node.component, scope)})"


def _end(e: Expressions, node: p.EEnd, scope: Scope) -> str:
    which = -1 if node.last else 0
    return f"({e.part(node.items, scope)} or none({which}, {e.place(node.at)}))[{which}]"


def _table(e: Expressions, node: p.ETable, scope: Scope) -> str:
    table, key = e.program.tables[node.table], e.part(node.key, scope)
    if p.MISSING in table or e.iterating:  # Python names nothing in what a loop runs over
        return f"look_up(T{node.table}, {key}, {e.place(node.at)})"
    name = e.fresh("k")
    return f"(T{node.table}[{name}] if 0 <= ({name} := {key}) < {len(table)} else no_entry({name}, {e.place(node.at)}))"


def _contents(e: Expressions, node: p.EContents, scope: Scope) -> str:
    cell = e.cell(e.layout.zones, node.zone, scope)
    return f"bits({cell})" if e.is_number(node) else cell


def _size(e: Expressions, node: p.ESize, scope: Scope) -> str:
    if e.is_number(node.items):
        return f"{e.lying(node.items, scope)}.bit_count()"
    return f"len({e.part(node.items, scope)})"


def _range(e: Expressions, node: p.ERange, scope: Scope) -> str:
    low, high, step = (e.part(n, scope) for n in (node.low, node.high, node.step))
    return f"between({low}, {high}, {step}, {e.place(node.at)})"


Writer = Callable[[Expressions, Any, Scope], str]
WRITERS: dict[type, Writer] = {
    p.EConst: lambda e, node, scope: number(node.value),
    p.EList: _list,
    p.ELocal: lambda e, node, scope: scope.read(node.slot),
    p.EVar: lambda e, node, scope: e.cell(e.layout.vars, node.index, scope),
    p.ESpace: lambda e, node, scope: f"T{node.table}[{e.part(node.position, scope)}]",
    p.EAccount: lambda e, node, scope: e.cell(e.layout.accounts, node.index, scope),
    p.EContents: _contents,
    p.EAttr: lambda e, node, scope: f"A{node.attr}[{e.part(node.component, scope)}]",
    p.ETable: _table,
    p.EOp: _op,
    p.EAnd: _and,
    p.EOr: _or,
    p.ENot: lambda e, node, scope: f"(not {e.truth(node.value, scope)})",
    p.EIf: _if,
    p.EMember: _member,
    p.EInZone: _in_zone,
    p.EIsCard: _is_card,
    p.ESize: _size,
    p.EEnd: _end,
    p.ERest: lambda e, node, scope: f"{e.part(node.items, scope)}[1:]",
    p.EItems: lambda e, node, scope: f"[{', '.join(e.part(v, scope) for v in node.values)}]",
    p.ERange: _range,
    p.EAround: lambda e, node, scope: f"TURNS{int(node.others)}[{e.part(node.player, scope)}]",
    p.ECall: _call,
    p.EFold: _fold,
    p.EBest: _best,
}
