"""What a fold reads: the lists it runs over, the cells of the things in them, a few numbers.

In: a fold. Out: the same fold with parameters instead of all that, so that folds that are alike are equal, and what
matters of each list. A fold that reads anything else is `Unfit`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import OWN_SLOTS, Expressions, substituted
from cambist.interpreter.compiled.walking import parts
from cambist.interpreter.compiled.walking import used as used

BOUND = 1_000  # the locals of loops are numbered from here
SHORT = ("some", "no", "every")  # folds that need not look at everything
FOLDS = ("sum", "count", "all", "most", "least", *SHORT)
NUMBERS = ("+", "-", "*", "/down", "/up", "min", "max", "<", "<=", ">", ">=")


class Unfit(Exception):
    """It reads what no key can hold."""


@define
class Things:
    """A list that a fold is given."""

    node: p.Expr  # where it comes from
    slot: int  # the parameter
    ordered: bool = False  # whether the order matters
    told_apart: bool = False  # whether it matters which of equal things they are
    printed: set[int] = Factory(set)  # attributes that are looked at
    looked_at: bool = False  # whether its things are components
    cells: dict[int, None] = Factory(dict)  # families of cells that are read, one cell for each thing


class Reading:
    """One walk through a fold: the same fold with parameters instead of what it reads."""

    def __init__(self, e: Expressions, node: p.EFold | p.EOp) -> None:
        self.e = e
        self.things: list[Things] = []
        self.numbers: dict[p.Expr, int] = {}  # read once, before: a local or a cell -> its parameter
        self.elements: dict[int, int] = {}  # locals of loops over a list that is given -> its parameter
        self.bound = 0
        self.sure = set(surely(node))
        self.short = False
        self.at = node.at
        self.node = self.any(node, {})
        if node.op == "all":  # a list is found, in the order of the things
            for one in self.things:
                one.ordered = one.told_apart = True

    def parameter(self) -> int:
        return len(self.things) + len(self.numbers)

    def fold(self, node: p.EFold, env: dict[int, int]) -> p.EFold:
        if node.op not in FOLDS:
            raise Unfit
        self.short = self.short or node.op in SHORT
        loops = []
        for loop in node.loops:
            items, origin = self.listed(loop.items, env)
            self.bound += 1
            slot = BOUND + self.bound
            env = {**env, loop.slot: slot}
            if origin is not None:
                self.elements[slot] = origin
            loops.append(p.Loop(slot, items))
        where, value, default = (
            None if n is None else self.any(n, env) for n in (node.where, node.value, node.default)
        )
        return p.EFold(node.op, tuple(loops), where, value, default, node.at)

    def listed(self, node: p.Expr, env: dict[int, int]) -> tuple[p.Expr, int | None]:
        """A list, and the parameter its things are of."""
        match node:
            case p.EContents() if node in self.sure or isinstance(node.zone, p.EConst):
                return self.given(node)
            case p.ELocal() if node.slot not in env:
                return self.given(node)
            case p.EFold(op="all", loops=(_,)):
                found = self.fold(node, env)
                return found, self.elements.get(found.loops[0].slot)
            case p.ERest():
                items, origin = self.listed(node.items, env)
                self.order(origin)
                return p.ERest(items), origin
            case p.EList():
                return node, None
            case p.ERange():
                low, high, step = (self.number(n, env) for n in (node.low, node.high, node.step))
                return p.ERange(low, high, step, node.at), None
            case p.EAttr() if self.e.lists[node.attr]:
                return p.EAttr(node.attr, self.component(node.component, env, node.attr)), None
            case p.ECall():
                _, origin = self.listed(self.expanded(node), env)
                return self.called(node, env), origin
            case _:
                raise Unfit

    def expanded(self, node: p.ECall) -> p.Expr:
        """What a call reads is what the definition reads with its arguments in their places."""
        self.e.placed += OWN_SLOTS
        function = self.e.program.functions[node.function]
        found: p.Expr = substituted(function.value, dict(enumerate(node.args)), self.e.placed)
        return found

    def called(self, node: p.ECall, env: dict[int, int]) -> p.Expr:
        """The call itself; what its arguments are has been found out before."""
        args: list[p.Expr] = []
        for arg in node.args:
            if isinstance(arg, p.ELocal) and arg.slot in env:
                args.append(p.ELocal(env[arg.slot]))
            elif isinstance(arg, p.ELocal) and arg not in self.numbers and all(t.node != arg for t in self.things):
                raise Unfit
            elif isinstance(arg, p.ELocal) and arg in self.numbers:
                args.append(self.once(arg))
            elif isinstance(arg, p.ELocal) or self.e.kind(arg) == "list":
                args.append(self.listed(arg, env)[0])
            else:
                args.append(self.any(arg, env))
        return p.ECall(node.function, tuple(args))

    def given(self, node: p.Expr) -> tuple[p.Expr, int]:
        for one in self.things:
            if one.node == node:
                return p.ELocal(one.slot), one.slot
        if node in self.numbers or self.e.is_number(node):
            raise Unfit
        self.things.append(Things(node, self.parameter()))
        return p.ELocal(self.things[-1].slot), self.things[-1].slot

    def order(self, origin: int | None) -> None:
        for one in self.things:
            if one.slot == origin:
                one.ordered = one.told_apart = True

    def list_of(self, slot: int) -> Things | None:
        return next((one for one in self.things if one.slot == self.elements.get(slot)), None)

    def component(self, node: p.Expr, env: dict[int, int], attr: int = -1) -> p.Expr:
        """A thing of which only what is printed on it is asked."""
        if isinstance(node, p.ELocal) and node.slot in env:
            found = self.list_of(env[node.slot])
            if found is not None:
                found.looked_at = True
                found.printed |= {attr} if attr >= 0 else set()
            return p.ELocal(env[node.slot])
        return self.number(node, env)

    def number(self, node: p.Expr, env: dict[int, int]) -> p.Expr:
        """A number; a local that is not of a loop becomes a parameter."""
        if isinstance(node, p.ELocal) and node.slot not in env:
            return self.once(node)
        return self.any(node, env)

    def once(self, node: p.Expr) -> p.Expr:
        if any(one.node == node for one in self.things):
            raise Unfit
        if node not in self.numbers:
            self.numbers[node] = self.parameter()
        return p.ELocal(self.numbers[node])

    def cell(self, node: p.EVar, env: dict[int, int]) -> p.Expr:
        if self.e.kind(node) != "int":
            raise Unfit
        if isinstance(node.index, p.EConst):
            return self.once(node)
        match cell_of(node.index):
            case (int(family), int(of)) if of in env:
                pass
            case _:
                raise Unfit
        found = self.list_of(env[of])
        if found is None:
            raise Unfit
        found.cells[family] = None
        found.ordered = found.told_apart = True
        return p.EVar(p.EOp("+", p.EConst(family), p.ELocal(env[of])))

    def any(self, node: p.Expr, env: dict[int, int]) -> p.Expr:
        match node:
            case p.EConst() | p.EList():
                return node
            case p.ELocal():
                if node.slot not in env:
                    raise Unfit  # it might be a list
                found = self.list_of(env[node.slot])
                if found is not None:
                    found.told_apart = True
                return p.ELocal(env[node.slot])
            case p.EVar():
                return self.cell(node, env)
            case p.EAttr():
                return p.EAttr(node.attr, self.component(node.component, env, node.attr))
            case p.EIsCard():
                for attr, _ in node.tests:
                    self.component(node.component, env, attr)
                tests = tuple((attr, self.number(value, env)) for attr, value in node.tests)
                return p.EIsCard(self.component(node.component, env), node.kinds, tests)
            case p.ETable():
                return p.ETable(node.table, self.number(node.key, env), node.at)
            case p.EOp(op="join"):
                raise Unfit
            case p.EOp():
                take = self.number if node.op in NUMBERS else self.any
                return p.EOp(node.op, take(node.left, env), take(node.right, env), node.at)
            case p.EAnd() | p.EOr():
                return type(node)(self.any(node.left, env), self.any(node.right, env))
            case p.ENot():
                return p.ENot(self.any(node.value, env))
            case p.EIf():
                return p.EIf(*(self.any(n, env) for n in (node.test, node.then, node.other)))
            case p.EMember():
                return p.EMember(self.number(node.value, env), self.listed(node.items, env)[0])
            case p.ESize(p.EContents(zone=p.EConst()) as lying) if all(one.node != lying for one in self.things):
                return self.once(node)  # how many there are is a number
            case p.ESize():
                return p.ESize(self.listed(node.items, env)[0])
            case p.EEnd():
                items, origin = self.listed(node.items, env)
                self.order(origin)
                return p.EEnd(items, node.last, node.at)
            case p.EFold():
                return self.fold(node, env)
            case p.ECall():
                self.any(self.expanded(node), env)
                return self.called(node, env)
            case _:
                raise Unfit


def cell_of(index: p.Expr) -> tuple[int, int] | None:
    """The family of cells and the local whose cell of it is meant."""
    match index:
        case p.ELocal(slot):
            return 0, slot
        case p.EOp(op="+", left=p.EConst(family), right=p.ELocal(slot)):
            return family, slot
        case _:
            return None


def surely(node: Any) -> Iterator[p.Expr]:
    """The zones that are looked into whatever else happens."""
    match node:
        case p.EContents():
            yield node
        case p.EFold():
            for loop in node.loops:
                yield from surely(loop.items)
                if not isinstance(loop.items, p.EList) or not loop.items.values:
                    return
        case p.ESize() | p.EEnd() | p.ERest():
            yield from surely(node.items)
        case p.ERange():
            for part in (node.low, node.high, node.step):
                yield from surely(part)
        case p.EOp():
            yield from surely(node.left)
            yield from surely(node.right)
        case p.EAnd() | p.EOr():
            yield from surely(node.left)
        case p.EIf():
            yield from surely(node.test)
        case _:
            return


def depth(node: Any) -> int:
    """How many loops are inside of each other; those over few known things are written out."""
    if node.__class__ is p.EFold:
        inner = max(depth(node.where), depth(node.value), depth(node.default))
        loops = sum(not isinstance(loop.items, p.EList) for loop in node.loops)
        return max(loops + inner, *(depth(loop.items) for loop in node.loops))
    found = 0
    for part in parts(node):
        if part is not None:
            found = max(found, depth(part))
    return found
