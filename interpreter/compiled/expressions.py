"""Expressions of a program -> text of Python expressions over `S`, the flat list of cells.

What a loop binds becomes a variable `v7`, or a constant where the things looped over are few and known: then the loop
is written out (folds.py). Nothing of the text of the rules gets into the source, only numbers and names made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import evolve

from cambist.dsl import program as p
from cambist.interpreter.compiled.knowing import Knowing, Scope, number
from cambist.interpreter.compiled.layout import mask_of
from cambist.interpreter.compiled.packing import counted
from cambist.interpreter.compiled.paying import Paying
from cambist.interpreter.compiled.plan import Plan
from cambist.interpreter.compiled.walking import every_node, parts
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE

UNROLLED = 8  # things of a loop that are written out one by one
CHEAP = 20_000  # turns that a loop may take without being counted
MOST_PAIRS = 400  # of looks of two components that a table is made of
MANY = 100  # things of a list that is made beforehand
WEIGHED = 1_000  # turns of what is inside that count as one
YES, OR_NO = "(True if ", " else False)"  # around a test that is a value
OWN_SLOTS = 10_000  # more than any procedure has locals


class Expressions(Knowing):
    """`places`: the `At` of everything that can fail, by number; `constants`: lists that are made once."""

    def __init__(self, program: p.Program, plan: Plan, numbers: frozenset[int]) -> None:
        super().__init__(program, plan, numbers)
        self.places: list[p.At] = []
        self.meanings: dict[int, p.Meaning] = {}  # of what chance gives, by place
        self.constants: dict[tuple[Any, ...], str] = {}
        self.needed: dict[int, None] = {}  # functions that are called
        self.placed = 0  # numbers given to locals of definitions so far
        self.iterating = 0  # depth inside of what loops run over
        self.costs: dict[int, tuple[Any, int]] = {}  # nodes by where they are -> what they cost
        self.tests: dict[Any, str] = {}  # the texts of tests that were made
        self.written: dict[Any, list[str]] = {}  # the lines of instructions that were made
        self.names = 0  # given to values in between
        self.fuel = False  # whether anything pays for turns
        self.always: set[int] = set()  # choices with an answer that is always possible
        self.hoist: Callable[[str], str] | None = None  # takes what does not change in a loop out of it
        self.looping = False  # whether a list is made for a loop of its own, which nobody else sees
        self.sure: frozenset[str] = frozenset()  # lists, by their text, that are known not to be empty here
        self.shared: dict[Any, str] = {}  # folds that are remembered -> their functions
        self.made: dict[str, list[tuple[int, str, int]]] = {}  # and the lines of these
        self.distinct: frozenset[str] = frozenset()  # names of lists in which nothing is twice
        self.outside = False  # whether what is written is asked from outside: of many games, by bots
        self.unpaid = False  # whether turns are paid for by who calls
        self.around: Any = None  # what is known where a fold stands, see remembering.py
        self.weight = 0  # what a turn of the loop at hand costs; 0: too little to be counted
        self.paying = Paying(self)

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
            case p.EFold(op="all") if node.where is not None and self.few(node.loops) is not None:
                return self.truth(evolve(node, op="some"), scope)
            case p.EOp(op=">", left=p.EFold(op="count") as fold, right=p.EConst(0)) if counted(fold) is not None:
                if self.is_number(fold.loops[0].items):
                    return self.counted_in(fold, scope)
        text = self.text(node, scope)
        if isinstance(node, p.EFold) and text.startswith(YES) and text.endswith(OR_NO):
            return f"({text[len(YES) : -len(OR_NO)]})"
        return text

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

    def counted_in(self, node: p.EFold, scope: Scope) -> str:
        """What is left of a bag that is a number: its bits are to be counted."""
        assert node.where is not None
        return f"({self.lying(node.loops[0].items, scope)} & {self.mask(node.where, node.loops[0].slot, scope)})"

    def _mask(self, components: list[int], asked: list[tuple[int, p.Expr]], scope: Scope) -> str:
        if not asked:
            return str(mask_of(components))
        parts = []
        for attr, value in asked:
            table: dict[int, list[int]] = {}
            for c in components:
                table.setdefault(self.program.attrs[attr][c], []).append(c)
            name = self.constant(("masks", *((key, mask_of(found)) for key, found in sorted(table.items()))))
            asked_for = self.part(value, scope)
            parts.append(f"{name}[{asked_for}]" if scope.always_in(value, table) else f"{name}.get({asked_for}, 0)")
        return f"({' & '.join(parts)})" if len(parts) > 1 else parts[0]

    def part(self, node: p.Expr, scope: Scope) -> str:
        known = self.known(node, scope)
        if known is not None:
            return number(known)
        if isinstance(node, p.EFold) or (isinstance(node, p.EOp) and node.op == "+"):
            for writer in INSTEAD if isinstance(node, p.EFold) else SUMS:
                call = writer(self, node, scope)
                if call is not None:
                    return call
        return self.outright(node, scope)

    def outright(self, node: p.Expr, scope: Scope) -> str:
        """The expression as it is written, whatever is known of parts of it."""
        if not isinstance(node, (p.EFold, p.EBest)):
            return WRITERS[type(node)](self, node, scope)
        text = self.folded(node, scope)
        return text if self.hoist is None or "lambda" in text else self.hoist(text)

    def folded(self, node: p.EFold | p.EBest, scope: Scope) -> str:
        before = self.weight
        cost = self.cost(node, scope.lengths)
        self.weight = 0 if cost <= CHEAP or self.unpaid else 1 + cost // max(1, self.longest_list) // WEIGHED
        try:
            return WRITERS[type(node)](self, node, scope)
        finally:
            self.weight = before

    def cost(self, node: Any, lengths: dict[int, int]) -> int:
        """The most turns of loops, as they are written."""
        if lengths or isinstance(node, tuple):
            return self._cost(node, lengths)
        kept = self.costs.get(id(node))
        if kept is None:
            kept = self.costs[id(node)] = (node, self._cost(node, lengths))
        return kept[1]

    def _cost(self, node: Any, lengths: dict[int, int]) -> int:
        if isinstance(node, p.EFold):
            for quick in QUICK:
                items = quick(self, node)
                if items is not None:
                    return 1 + self.longest(items, lengths) + self.cost(items, lengths)
        return super().cost(node, lengths)

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
            if known is not None and known >= 0:  # nobody is not; and a family is told by where it begins
                base += known
            elif isinstance(one, p.EOp) and one.op == "+":
                parts[:0] = [one.left, one.right]
            elif isinstance(one, p.EOp) and one.op == "*" and isinstance(one.right, p.EConst):
                rest.append(f"{self.part(one.left, scope)} * {one.right.value}")  # rows of owners are few
            else:
                rest.append(self.part(one, scope))
        return f"S[{' + '.join([str(base), *rest])}]"

    def shown(self, node: p.Expr, scope: Scope) -> frozenset[str]:
        """The lists, by their text, that are not empty if a condition holds."""
        match node:
            case p.EAnd():
                return self.shown(node.left, scope) | self.shown(node.right, scope)
            case p.ENot(p.ENot(inner)):
                return self.shown(inner, scope)
            case p.EOp(op=">" | ">=" | "=", left=p.ESize(items), right=p.EConst(least)):
                if least + (node.op == ">") < 1:
                    return frozenset()
                node = items
            case _:
                pass
        if not isinstance(node, (p.EContents, p.ELocal)) or self.is_number(node):
            return frozenset()
        return frozenset({self.part(node, scope)})

    # ---- loops

    def things(self, node: p.Expr, scope: Scope) -> str:
        """What a loop runs over."""
        self.iterating += 1
        text = self.part(node, scope)
        self.iterating -= 1
        return text

    def items(self, node: p.Expr, scope: Scope, at: p.At) -> str:
        text = self.things(node, scope)
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
            scope = scope.bind(loop.slot, name, self.largest_in(loop.items))
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


def _list(e: Expressions, node: p.EList, scope: Scope) -> str:
    return e.constant(node.values)


def _op(e: Expressions, node: p.EOp, scope: Scope) -> str:
    if e.around is not None and node.op in ("*", "/down", "/up"):
        pair = _printed_on_two(e, node, scope)
        if pair is not None:
            return pair
    left, right = e.part(node.left, scope), e.part(node.right, scope)
    match node.op:
        case "+" | "-" | "<" | "<=" | ">" | ">=" | "!=":
            return f"({left} {node.op} {right})"
        case "=":
            return f"({left} == {right})"
        case "*":
            if e.most(node.left, scope) * e.most(node.right, scope) < LARGEST_NUMBER:
                if not e.iterating and isinstance(node.left, p.ETable) and _costly_and_sure(right):
                    name = e.fresh("k")  # often nothing, and then the rest need not be known
                    return f"(({name} := {left}) and {name} * {right})"
                return f"({left} * {right})"
            return f"times({left}, {right}, {e.place(node.at)})"
        case "min" | "max":
            return f"{node.op}({left}, {right})"
        case "join":
            return f"join({left}, {right}, {e.place(node.at)})"
        case "next":
            players = e.known(node.right, scope)
            if players is not None and scope.always_in(node.left, range(players)):
                return f"{e.constant(('row', *range(1, players), 0))}[{left}]"
            name = e.fresh("k")
            if players is None or e.iterating:
                return f"next_seat({left}, {right}, {e.place(node.at)})"
            again = f"0 if {name} == {players - 1} else next_seat({name}, {right}, {e.place(node.at)})"
            return f"({name} + 1 if 0 <= ({name} := {left}) < {players - 1} else {again})"
        case "/down" | "/up" if e.known(node.right, scope):
            return f"({left} // {right})" if node.op == "/down" else f"(-(-{left} // {right}))"
        case _:
            return f"divide({left}, {right}, {node.op == '/up'}, {e.place(node.at)})"


def _costly_and_sure(text: str) -> bool:
    """Whether a text runs through things, and can't fail: it looks only at lists of components, and calls nothing."""
    return "reduce(" in text and set(re.findall(r"([A-Za-z_]\w*)\(", text)) <= {"reduce", "map", "len"}


def _is_card(e: Expressions, node: p.EIsCard, scope: Scope) -> str:
    known = e.truth_known(node, scope)
    if known is not None:
        return str(known)
    one = e.part(node.component, scope)
    tests = [f"KIND[{one}] == {node.kinds[0]}"]
    tests += [f"A{attr}[{one}] == {e.part(value, scope)}" for attr, value in node.tests]
    return f"({' and '.join(tests)})"


def _call(e: Expressions, node: p.ECall, scope: Scope) -> str:
    """What a definition says, put in its place; or a call, where an argument would be worked out several times."""
    function = e.program.functions[node.function]
    printed = _printed(e, node, scope)
    if printed is not None:
        return printed
    if inlined(function.value, node.args):
        e.placed += OWN_SLOTS
        return e.part(substituted(function.value, dict(enumerate(node.args)), e.placed), scope)
    e.needed[node.function] = None
    if len(node.args) == 1 and isinstance(node.args[0], p.EFold) and reads_nothing(e, function.value):
        found = re.fullmatch(r"(K\d+)\[(.*)\]", given := e.part(node.args[0], scope))
        if found and any(name == found[1] and values[:1] == ("subsets",) for values, name in e.constants.items()):
            return f"{e.constant(('worked', node.function, found[1]))}[{found[2]}]"
        return f"F{node.function}(S, {given})"
    args = "".join(f", {e.part(a, scope)}" for a in node.args)
    return f"F{node.function}(S{args})"


def inlined(value: p.Expr, args: tuple[p.Expr, ...]) -> bool:
    """Whether a definition is put in the place of a call."""
    return all(isinstance(a, (p.ELocal, p.EConst)) or uses(value, slot) == 1 for slot, a in enumerate(args))


def reads_nothing(e: Expressions, node: p.Expr) -> bool:
    """Whether a definition asks nothing but what it is given, and what is printed on components."""
    reading = (p.EVar, p.EAccount, p.EContents, p.EInZone, p.ECall)
    return not any(isinstance(part, reading) for part in every_node(node))


def _printed(e: Expressions, node: p.ECall, scope: Scope) -> str | None:
    """A definition that asks only what is printed on one component: a table has it for all of them."""
    asked = {a.component for a in node.args if isinstance(a, p.EAttr) and isinstance(a.component, p.ELocal)}
    if len(asked) != 1 or not all(isinstance(a, (p.EAttr, p.EConst)) for a in node.args):
        return None
    (component,) = asked
    assert isinstance(component, p.ELocal)
    found = []
    for c in range(len(e.program.components)):
        given = [e.known(a, scope.bind(component.slot, c)) for a in node.args]
        inside = Scope(str, {slot: value for slot, value in enumerate(given) if value is not None})
        value = e.known(e.program.functions[node.function].value, inside) if None not in given else None
        if value is None:
            return None
        found.append(value)
    return f"{e.constant(('row', *found))}[{scope.read(component.slot)}]"


def _printed_on_two(e: Expressions, node: p.EOp, scope: Scope) -> str | None:
    """A number that what is printed on two components tells: a table has it for all of them."""
    slots = sorted({part.slot for part in every_node(node) if isinstance(part, p.ELocal)})
    if len(slots) != 2 or not set(slots) <= set(e.around.elements):
        return None
    attrs: dict[int, set[int]] = {slot: set() for slot in slots}
    locals_seen = 0
    for part in every_node(node):
        if isinstance(part, p.EAttr) and isinstance(part.component, p.ELocal):
            attrs[part.component.slot].add(part.attr)
            locals_seen -= 1
        locals_seen += isinstance(part, p.ELocal)
    if locals_seen or any(e.lists[attr] for found in attrs.values() for attr in found):
        return None
    looks = [
        [tuple(e.program.attrs[attr][c] for attr in sorted(attrs[slot])) for c in range(len(e.program.components))]
        for slot in slots
    ]
    kinds = [list(dict.fromkeys(look)) for look in looks]
    if len(kinds[0]) * len(kinds[1]) > MOST_PAIRS:
        return None
    rows = []
    for one in kinds[0]:
        inside = scope.bind(slots[0], looks[0].index(one))
        found = {two: e.known(node, inside.bind(slots[1], looks[1].index(two))) for two in kinds[1]}
        if None in found.values():
            return None
        rows.append(tuple(found[look] for look in looks[1]))
    table = e.constant(("rows", tuple(rows), tuple(kinds[0].index(look) for look in looks[0])))
    return f"{table}[{scope.read(slots[0])}][{scope.read(slots[1])}]"


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
        return 2 * sum([uses(part, slot) for part in parts(node)])
    return sum([uses(part, slot) for part in parts(node)])


def _if(e: Expressions, node: p.EIf, scope: Scope) -> str:
    known = e.truth_known(node.test, scope)
    if known is None and e.shown(node.test, scope) & e.sure:
        known = True
    if known is not None:
        return e.part(node.then if known else node.other, scope)
    test, before = e.truth(node.test, scope), e.sure
    e.sure |= e.shown(node.test, scope)
    then, e.sure = e.part(node.then, scope), before
    return f"({then} if {test} else {e.part(node.other, scope)})"


def _and(e: Expressions, node: p.EAnd, scope: Scope) -> str:
    left, before = e.part(node.left, scope), e.sure
    e.sure |= e.shown(node.left, scope)
    right, e.sure = e.part(node.right, scope), before
    return f"({left} and {right})"


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
    for writer in ENDS:
        known = writer(e, node, scope)
        if known is not None:
            return known
    which, items = -1 if node.last else 0, e.part(node.items, scope)
    return f"{items}[{which}]" if items in e.sure else f"({items} or none({which}, {e.place(node.at)}))[{which}]"


def _table(e: Expressions, node: p.ETable, scope: Scope) -> str:
    table, key = e.program.tables[node.table], e.part(node.key, scope)
    there = [k for k, value in enumerate(table) if value != p.MISSING]
    if e.iterating or there != list(range(there[0], there[-1] + 1) if there else ()):  # a loop's things have no names
        return f"look_up(T{node.table}, {key}, {e.place(node.at)})"
    name, first, last = e.fresh("k"), there[0] if there else 0, there[-1] if there else -1
    inside = f"{first} <= ({name} := {key}) < {last + 1}"
    return f"(T{node.table}[{name}] if {inside} else no_entry({name}, {e.place(node.at)}))"


def _contents(e: Expressions, node: p.EContents, scope: Scope) -> str:
    cell = e.cell(e.layout.zones, node.zone, scope)
    return f"BITS[{cell}]" if e.is_number(node) else cell


def _size(e: Expressions, node: p.ESize, scope: Scope) -> str:
    if e.is_number(node.items):
        return f"{e.lying(node.items, scope)}.bit_count()"
    return f"len({e.part(node.items, scope)})"


def _range(e: Expressions, node: p.ERange, scope: Scope) -> str:
    low, high, step = (e.part(n, scope) for n in (node.low, node.high, node.step))
    slow = f"between({low}, {high}, {step}, {e.place(node.at)})"
    first, last, by = (e.known(n, scope) for n in (node.low, node.high, node.step))
    if first is not None and last is not None and by is not None and by > 0 and 0 <= last - first <= MANY:
        return e.constant(tuple(range(first, last + 1, by)))
    if e.iterating and (by or 0) > 0 and e.longest(node, scope.lengths) < LIST_SIZE:
        return f"range({low}, {high} + 1, {step})"
    if e.looping and low.isdecimal() and by == 1 and re.fullmatch(r"[\w\[\] ()-]+", high):
        return f"(range({low}, {high} + 1) if {high} < {LIST_SIZE} else {slow})"
    return slow


Writer = Callable[[Expressions, Any, Scope], str]
Perhaps = Callable[[Expressions, Any, Scope], str | None]
INSTEAD: list[Perhaps] = []  # sets.py, remembering.py: something better than the fold
SUMS: list[Perhaps] = []  # and than a sum with folds in it
QUICK: list[Callable[[Expressions, p.EFold], p.Expr | None]] = []  # the list that a fold runs through just once
ENDS: list[Callable[[Expressions, p.EEnd, Scope], str | None]] = []
KEYED: list[Callable[..., Any]] = []  # keyed, of_its_own, is_the_last of grouping.py
KNOWN: list[Perhaps] = []  # and what is known inside of such a function
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
}
