"""What is known of expressions before any game is played: values, kinds, how much and how long at most.

In: a program. Nothing here writes text; expressions.py asks.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.layout import Layout
from cambist.interpreter.compiled.packing import family_of
from cambist.interpreter.compiled.plan import Plan
from cambist.interpreter.compiled.pool import pool_of
from cambist.interpreter.compiled.walking import every_node, leading, parts
from cambist.interpreter.ledger import AccountRules
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE

MODEST = 2**31


class Scope:
    """How locals are read: a constant, or the text of a place."""

    def __init__(
        self,
        place: Callable[[int], str],
        bound: dict[int, str | int] | None = None,
        lengths: dict[int, int] | None = None,
        limits: dict[int, int] | None = None,
        values: Callable[[p.Expr], set[int] | None] | None = None,
    ) -> None:
        self.place = place
        self.values = values  # all numbers that something said in terms of unbound locals can be, where that is known
        self.bound = bound or {}
        self.limits = limits or {}  # how large numbers in locals can be, where that is known
        self.lengths = lengths or {}  # how long lists in locals can be, where that is known

    def bind(self, slot: int, value: str | int, limit: int | None = None) -> Scope:
        limits = self.limits if limit is None else {**self.limits, slot: limit}
        return Scope(self.place, {**self.bound, slot: value}, self.lengths, limits, self.values)

    def always_in(self, node: p.Expr, numbers: Container[int]) -> bool:
        """Whether this is certainly one of these numbers."""
        if self.values is None or not isinstance(node, p.ELocal) or node.slot in self.bound:
            return False
        found = self.values(node)
        return found is not None and all(value in numbers for value in found)

    def read(self, slot: int) -> str:
        found = self.bound.get(slot)
        if found is None:
            return self.place(slot)
        return number(found) if type(found) is int else str(found)


def number(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


class Knowing:
    def __init__(self, program: p.Program, plan: Plan, numbers: frozenset[int]) -> None:
        self.program = program
        self.layout = Layout(program, plan, numbers)
        self.lists = [
            any(isinstance(value, (list, tuple)) for value in column) for column in program.attrs
        ]  # attributes that are lists
        self.list_cells = {
            cell for f in program.variables if f.meaning.word == "list" for cell in range(f.base, f.base + f.count)
        }
        self.one_unit = AccountRules(program).one_unit
        self.first: dict[int, int] | None = None  # class of equal components -> one of them
        self.given: dict[Any, int | None] = {}  # what definitions are known to give for known arguments
        self.called: dict[Any, int] = {}  # what calls cost, how long the lists are and how much it is that they give
        self.kinds: dict[int, str] = {}  # what definitions give
        self.longest_list = LIST_SIZE
        listing = (p.EOp, p.ERange, p.EList, p.EItems, p.EAttr)
        paying = (p.EAccount, p.ITransfer)
        whole = (program.functions, program.procedures, program.choices)
        nodes = [node for node in every_node(whole) if isinstance(node, (*listing, *paying, p.IShuffle))]
        lists: list[p.Expr] = [node for node in nodes if isinstance(node, listing)]
        self.longest_list = self._longest_list(lists)
        self.tame, self.modest = self._tame()
        if self.modest and self.one_unit:
            pool = pool_of(program.accounts, [node for node in nodes if isinstance(node, paying)])
            self.layout.pool = -1 if pool is None else self.layout.accounts + pool
        self.shuffled = {family_of(program, node.zone) for node in nodes if isinstance(node, p.IShuffle)}
        self.may_be_twice = any(
            isinstance(node, p.EItems) or (isinstance(node, p.EOp) and node.op == "join") for node in lists
        )  # whether a list of components may have one twice

    def is_number(self, node: p.Expr) -> bool:
        """Whether this is a bag that is kept as a number."""
        return isinstance(node, p.EContents) and family_of(self.program, node.zone) in self.layout.packed

    def column(
        self, slots: tuple[int, ...], conditions: list[p.Expr], value: p.Expr | None, scope: Scope
    ) -> list[int] | None:
        """For every component the value, 0 where a condition fails; None if that is not all printed on it."""
        if not all(_printed(node, slots) for node in (*conditions, value) if node is not None):
            return None
        classes = self.program.classes
        if self.first is None:
            self.first = {kind: component for component, kind in reversed([*enumerate(classes)])}
        first = self.first
        looks = Looks(self, list(first.values()), slots, scope)
        number = [1] * len(first) if value is None else looks.numbers(value)
        tests = [looks.truths(condition) for condition in conditions]
        if None in number or any(None in test for test in tests):
            return None
        alike = dict(zip(first, number, strict=True))
        for test in tests:
            for kind, holds in zip(first, test, strict=True):
                if not holds:
                    alike[kind] = 0
        return [alike[kind] or 0 for kind in classes]

    # ---- what is known beforehand

    def known(self, node: p.Expr, scope: Scope) -> int | None:
        find = NUMBERS.get(node.__class__)
        return None if find is None else find(self, node, scope)

    def truth_known(self, node: p.Expr, scope: Scope) -> bool | None:
        find = TRUTHS.get(node.__class__)
        return None if find is None else find(self, node, scope)

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
                return "list" if self.var_cell(node.index) in self.list_cells else "int"
            case p.EFold():
                return {"all": "list", "some": "bool", "no": "bool", "every": "bool"}.get(node.op, "int")
            case p.EBest():
                return "list" if node.policy == "all" else ""
            case p.ECall():
                if node.function not in self.kinds:
                    self.kinds[node.function] = self.kind(self.program.functions[node.function].value)
                return self.kinds[node.function]
            case _:
                return ""

    def var_cell(self, index: p.Expr) -> int:
        """The first cell of the family that an index points into; the family at 0 has none written in front."""
        return leading(index) or 0

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
                return abs(known) if type(known) is int else scope.limits.get(node.slot, LARGEST_NUMBER)
            case p.ECall():
                limits = {slot: self.most(a, scope) for slot, a in enumerate(node.args)}
                lengths = {slot: self.longest(a, scope.lengths) for slot, a in enumerate(node.args)}
                key = ("most", self.longest_list, node.function, *limits.values(), *lengths.values())
                if key not in self.called:
                    scope = Scope(str, {}, lengths, limits)
                    self.called[key] = self.most(self.program.functions[node.function].value, scope)
                return self.called[key]
            case p.EEnd(items=p.EContents()):
                return len(self.program.components)
            case _:
                return LARGEST_NUMBER

    def largest_in(self, node: p.Expr) -> int:
        """The largest size of the things of a list."""
        match node:
            case p.EList():
                return max(map(abs, node.values), default=0)
            case p.EContents():
                return len(self.program.components)
            case p.EAround():
                return self.program.players
            case p.EFold(op="all"):
                return self.largest_in(node.loops[0].items)
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

        No game has more than 2**30 steps; so what grows by less than 2**31 a step stays below 2**62.
        """
        wild: set[int] = set()
        amounts = True
        nothing = Scope(str)
        for procedure in self.program.procedures:
            for one in procedure.code:
                if isinstance(one, p.ISetVar) and self.most(one.value, nothing) >= MODEST:
                    wild.add(self.var_cell(one.index))
                if isinstance(one, p.ITransfer):
                    amounts = amounts and self.most(one.amount, nothing) < MODEST
        for account in self.program.accounts:
            amounts = amounts and self.most(account.start or p.EConst(0), nothing) < MODEST
        tame = {f.base for f in self.program.variables if not wild & set(range(f.base, f.base + f.count))}
        starts = {f.base for f in self.program.variables if self.most(f.start or p.EConst(0), nothing) >= MODEST}
        return tame - starts, amounts

    def is_tame(self, index: p.Expr) -> bool:
        cell = self.var_cell(index)
        return any(f.base <= cell < f.base + f.count and f.base in self.tame for f in self.program.variables)

    def is_named(self, index: p.Expr) -> bool:
        """Whether a variable holds the number of a card, a player or a word of an enum."""
        cell = self.var_cell(index)
        named = ("card", "player", "enum")
        return any(f.base <= cell < f.base + f.count and f.meaning.word in named for f in self.program.variables)

    def _longest_list(self, nodes: list[p.Expr]) -> int:
        """How many things any list of the game can have: it comes from somewhere."""
        found = max(len(self.program.components), self.program.players, 1)
        ranges = []
        for node in nodes:
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
                return min(self.longest(node.loops[0].items, lengths), self._matching(node))
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
                return self._of_call("longest", node.function, own, self.longest)
            case _:
                return self.longest_list

    def _matching(self, node: p.EFold) -> int:
        """How many components there are that have printed on them what a fold asks for."""
        if not isinstance(node.loops[0].items, p.EContents) or node.where is None:
            return LIST_SIZE
        column = self.column((node.loops[0].slot,), [node.where], None, Scope(str))
        return LIST_SIZE if column is None else sum(column)

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
            return 1 + args + self._of_call("cost", node.function, own, self.cost)
        return sum([self.cost(part, lengths) for part in parts(node)])

    def _of_call(
        self, what: str, function: int, lengths: dict[int, int], find: Callable[[Any, dict[int, int]], int]
    ) -> int:
        """Definitions that call others twice, and these others twice, are many calls but few definitions."""
        if not lengths:
            return find(self.program.functions[function].value, lengths)
        key = (what, self.longest_list, function, *lengths.values())
        if key not in self.called:
            self.called[key] = find(self.program.functions[function].value, lengths)
        return self.called[key]


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


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


# ---- numbers that are known


def _known_op(k: Knowing, node: p.EOp, scope: Scope) -> int | None:
    left = k.known(node.left, scope)
    if left is None:
        return None
    right = k.known(node.right, scope)
    return None if right is None else _folded(node.op, left, right)


def _known_local(k: Knowing, node: p.ELocal, scope: Scope) -> int | None:
    found = scope.bound.get(node.slot)
    return found if type(found) is int else None


def _known_if(k: Knowing, node: p.EIf, scope: Scope) -> int | None:
    test = k.truth_known(node.test, scope)
    return None if test is None else k.known(node.then if test else node.other, scope)


def _known_call(k: Knowing, node: p.ECall, scope: Scope) -> int | None:
    given: dict[int, str | int] = {}
    for slot, arg in enumerate(node.args):
        value = k.known(arg, scope)
        if value is None:
            return None
        given[slot] = value
    key = (node.function, *given.values())
    if key not in k.given:
        k.given[key] = k.known(k.program.functions[node.function].value, Scope(str, given))
    return k.given[key]


def _known_attr(k: Knowing, node: p.EAttr, scope: Scope) -> int | None:
    which = k.known(node.component, scope)
    if which is None or k.lists[node.attr] or not 0 <= which < len(k.program.attrs[node.attr]):
        return None
    return int(k.program.attrs[node.attr][which])


NUMBERS: dict[type, Callable[[Knowing, Any, Scope], int | None]] = {
    p.EConst: lambda k, node, scope: node.value,
    p.ELocal: _known_local,
    p.EOp: _known_op,
    p.EIf: _known_if,
    p.ECall: _known_call,
    p.EAttr: _known_attr,
}


# ---- tests whose outcome is known


def _compared(k: Knowing, node: p.EOp, scope: Scope) -> bool | None:
    if node.op not in COMPARED:
        return None
    left = k.known(node.left, scope)
    if left is None:
        return None
    right = k.known(node.right, scope)
    return None if right is None else COMPARED[node.op](left, right)


def _not(k: Knowing, node: p.ENot, scope: Scope) -> bool | None:
    inner = k.truth_known(node.value, scope)
    return None if inner is None else not inner


def _is_card(k: Knowing, node: p.EIsCard, scope: Scope) -> bool | None:
    which = k.known(node.component, scope)
    if which is None or which < 0:
        return None
    if k.program.components[which].kind != node.kinds[0]:
        return False
    found = [(k.program.attrs[a][which], k.known(value, scope)) for a, value in node.tests]
    if any(value is not None and value != there for there, value in found):
        return False
    return None if any(value is None for _, value in found) else True


def _both(k: Knowing, node: p.EAnd, scope: Scope) -> bool | None:
    left = k.truth_known(node.left, scope)
    if left is False:
        return False
    right = k.truth_known(node.right, scope)
    return False if right is False else True if left and right else None


def _either(k: Knowing, node: p.EOr, scope: Scope) -> bool | None:
    left = k.truth_known(node.left, scope)
    if left:
        return True
    right = k.truth_known(node.right, scope)
    return True if right else False if left is False and right is False else None


TRUTHS: dict[type, Callable[[Knowing, Any, Scope], bool | None]] = {
    p.EOp: _compared,
    p.ENot: _not,
    p.EIsCard: _is_card,
    p.EAnd: _both,
    p.EOr: _either,
}


class Looks:
    """What is known of an expression for each of several components in a local: the same as asking it for one after the
    other, but every part of it that does not speak of the component is asked once."""

    def __init__(self, k: Knowing, components: list[int], slots: tuple[int, ...], scope: Scope) -> None:
        self.k, self.components, self.slots, self.scope = k, components, slots, scope

    def numbers(self, node: p.Expr) -> list[int | None]:
        match node:
            case p.ELocal() if node.slot in self.slots:
                return list(self.components)
            case p.EConst() | p.ELocal():
                return [self.k.known(node, self.scope)] * len(self.components)
            case p.EAttr(component=p.ELocal(slot)) if slot in self.slots and not self.k.lists[node.attr]:
                column = self.k.program.attrs[node.attr]
                return [int(column[c]) for c in self.components]
            case _:
                return [self.k.known(node, scope) for scope in self._scopes()]

    def truths(self, node: p.Expr) -> list[bool | None]:
        match node:
            case p.EOp() if node.op in COMPARED:
                holds = COMPARED[node.op]
                both = zip(self.numbers(node.left), self.numbers(node.right), strict=True)
                return [None if one is None or other is None else holds(one, other) for one, other in both]
            case p.ENot():
                return [None if inner is None else not inner for inner in self.truths(node.value)]
            case p.EIsCard(component=p.ELocal(slot)) if slot in self.slots:
                return self._are(node)
            case p.EAnd():
                pairs = zip(self.truths(node.left), self.truths(node.right), strict=True)
                return [False if False in pair else True if all(pair) else None for pair in pairs]
            case p.EOr():
                pairs = zip(self.truths(node.left), self.truths(node.right), strict=True)
                return [True if True in pair else None if None in pair else False for pair in pairs]
            case _:
                return [self.k.truth_known(node, scope) for scope in self._scopes()]

    def _are(self, node: p.EIsCard) -> list[bool | None]:
        program = self.k.program
        found: list[bool | None] = [program.components[c].kind == node.kinds[0] for c in self.components]
        for attr, value in node.tests:
            column = program.attrs[attr]
            for number, asked in enumerate(self.numbers(value)):
                if found[number] is False:
                    continue
                if asked is None:
                    found[number] = None
                elif asked != column[self.components[number]]:
                    found[number] = False
        return found

    def _scopes(self) -> Iterator[Scope]:
        for component in self.components:
            bound = {**self.scope.bound, **dict.fromkeys(self.slots, component)}
            yield Scope(self.scope.place, bound, self.scope.lengths)


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
        case "/down" if right:
            value = left // right
        case "/up" if right:
            value = -(-left // right)
        case _:
            return None
    return value if abs(value) < LARGEST_NUMBER else None
