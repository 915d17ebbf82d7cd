"""Folds inside of folds -> functions that remember what they found.

In: a fold that runs through things for each of several things. Out: the call of a function, written once for all folds
that are alike. What such a fold gives depends on what it reads alone: the lists it runs over, the cells of the things
in them, a few numbers. All that together is the key under which it is remembered.

Where only what is printed on the things matters, and neither their order nor which of equal ones they are, the key is
one number: so many of each class of equal things. What counts things of a class then reads that number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from attrs import Factory, define

from cambist.dsl import program as p
from cambist.dsl.source import Span
from cambist.interpreter.compiled.expressions import ENDS, INSTEAD, KEYED, KNOWN, OWN_SLOTS, SUMS, Expressions, substituted
from cambist.interpreter.compiled.knowing import Scope, every_node
from cambist.interpreter.compiled.statements import told_place

FEW = 4  # digits that are added up
REMEMBERED, LISTS = 1 << 15, 1 << 7  # values of one function that are kept, under keys and with lists
SHORT_LIST = 500  # a fold over such lists is soon done
BOUND = 1_000  # the locals of loops are numbered from here, so that folds that are alike are equal
SHORT = ("some", "no", "every")  # folds that need not look at everything
FOLDS = ("sum", "count", "all", "most", "least", *SHORT)
NUMBERS = ("+", "-", "*", "/down", "/up", "min", "max", "<", "<=", ">", ">=")
MAY_FAIL = re.compile(r"\b(none|no_entry|times|divide|look_up|between|join|next_seat|extreme|best|spend)\(")


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


@define
class Classes:
    """How many of each class of equal things are in a list: digits of one number."""

    name: str
    first: list[int]  # a component of each class
    of: list[int]  # component -> class
    width: int  # bits of a digit

    def digit(self, number: int) -> str:
        shift = number * self.width
        return f"({self.name} >> {shift} & {(1 << self.width) - 1})" if shift else f"({self.name} & {(1 << self.width) - 1})"


@define
class Around:
    """What is known where a fold stands: inside of a function that remembers, or among the answers of a choice."""

    before: Callable[[str], str]  # takes out what is the same for all things
    lists: set[p.Expr]  # lists of plain things
    elements: dict[int, p.Expr]  # locals that are things of a list
    classes: dict[int, Classes] = Factory(dict)  # lists whose classes are counted
    remembers: bool = False
    keys: dict[int, tuple[p.Expr, str, str]] = Factory(dict)  # a thing's local -> its key: what, its name, all keys


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
        where, value, default = (None if n is None else self.any(n, env) for n in (node.where, node.value, node.default))
        return p.EFold(node.op, tuple(loops), where, value, default, node.at)

    def listed(self, node: p.Expr, env: dict[int, int]) -> tuple[p.Expr, int | None]:
        """A list, and the parameter its things are of."""
        match node:
            case p.EContents() if node in self.sure or isinstance(node.zone, p.EConst):
                return self.given(node)
            case p.ELocal() if node.slot not in env:
                return self.given(node)
            case p.EFold(op="all", loops=(loop,)):
                found = self.fold(node, env)
                return found, self.elements.get(found.loops[0].slot)
            case p.ERest():
                items, origin = self.listed(node.items, env)
                self.order(origin)
                return p.ERest(items), origin
            case p.EList():
                return node, None
            case p.ERange():
                return p.ERange(*(self.number(n, env) for n in (node.low, node.high, node.step)), node.at), None
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
    if isinstance(node, p.EFold):
        inner = max(depth(node.where), depth(node.value), depth(node.default))
        loops = sum(not isinstance(loop.items, p.EList) for loop in node.loops)
        return max(loops + inner, *(depth(loop.items) for loop in node.loops))
    if isinstance(node, tuple):
        return max(map(depth, node), default=0)
    if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
        return 0
    return max((depth(getattr(node, a.name)) for a in type(node).__attrs_attrs__), default=0)


def remembered(e: Expressions, node: p.EFold | p.EOp, scope: Scope) -> str | None:
    """The call of the function that remembers this fold; None if it is better worked out at its place."""
    if (e.around is not None and e.around.remembers) or depth(node) < 2:
        return None
    try:
        reading = Reading(e, node)
    except Unfit:
        return None
    if not reading.things or depth(reading.node) < 2:
        return None
    if not all(one.looked_at or one.cells or isinstance(one.node, p.EContents) for one in reading.things):
        return None  # who knows what is in it
    given = [(one.slot, one.node) for one in reading.things] + [(slot, n) for n, slot in reading.numbers.items()]
    args = "".join(f", {e.text(n, scope)}" for _, n in sorted(given, key=lambda pair: pair[0]))
    return f"{_function(e, reading)}(S{args})"


def _function(e: Expressions, reading: Reading) -> str:
    """The name of the function; it is written when it is first needed."""
    spans: list[Span] = []
    bare = without_places(reading.node, spans)
    for key in ((bare, ()), (bare, tuple(spans))):  # where it may fail, the place in the rules must be the same, too
        if key in e.shared:
            return e.shared[key]
    classes = _classes(e, reading)
    text, same = _body(e, reading, classes)
    if classes and reading.short and MAY_FAIL.search(text):  # which of the things comes first may matter
        classes = {}
        text, same = _body(e, reading, classes)
    fails = MAY_FAIL.search(" ".join([text, *same]))
    name = e.shared[(bare, tuple(spans) if fails else ())] = f"G{len(e.made)}"
    params = "".join(f", a{slot}" for slot in range(reading.parameter()))
    begin = [f"{one.name} = sum(map({_weights(e, one)}, a{slot}))" for slot, one in classes.items()]
    work = [*(f"{one} = {value}" for value, one in same.items()), f"found = {text}"]
    cells = [family for one in reading.things for family in one.cells]
    if cells and reading.parameter() == 1:
        lines = by_identity(e, name, work, cells)
    else:
        lines = [*begin, *by_key(e, name, work, _key(e, reading, classes))]
    _made(e, name, params, lines, reading.at)
    return name


def _made(e: Expressions, name: str, params: str, lines: list[str], at: p.At) -> None:
    e.made[name] = [
        (0, f"def {name}(S{params}):  # {told_place(at)}", -1),
        *((1 + len(line) - len(line.lstrip()), line.lstrip(), -1) for line in lines),
    ]


def by_key(e: Expressions, name: str, work: list[str], key: str) -> list[str]:
    """What was found is kept under what it was found of."""
    memory = e.constant(("memory", name))
    return [
        f"key = {key}",
        f"found = {memory}.get(key)",
        "if found is None:",
        *(f" {line}" for line in work),
        f" if len({memory}) >= {REMEMBERED}: {memory}.clear()",
        f" {memory}[key] = found",
        "return found",
    ]


def by_identity(e: Expressions, name: str, work: list[str], cells: list[int]) -> list[str]:
    """What was found is kept with the list itself, which is never changed, and with the cells of its things."""
    memory = e.constant(("memory", name))
    read = ", ".join(f"*[{e.layout.vars + family} + c for c in a0]" for family in cells)
    return [
        f"kept = {memory}.get(id(a0))",
        "if kept is not None and kept[0] is a0 and kept[1](S) == kept[2]: return kept[3]",
        *work,
        "if a0:",
        f" read = itemgetter({read})",
        f" if len({memory}) >= {LISTS}: {memory}.clear()",
        f" {memory}[id(a0)] = (a0, read, read(S), found)",
        "return found",
    ]


def without_places(node: Any, spans: list[Span]) -> Any:
    """The same without the places in the rules, which are told apart."""
    if isinstance(node, p.At):
        spans.append(node.span)
        return p.At()
    if isinstance(node, tuple):
        return tuple(without_places(item, spans) for item in node)
    if not hasattr(type(node), "__attrs_attrs__"):
        return node
    return type(node)(*(without_places(getattr(node, a.name), spans) for a in type(node).__attrs_attrs__))


def gathering(things: list[int], keys: list[int]) -> dict[int, list[int]]:
    """The things by their keys: what compiled rules call."""
    found: dict[int, list[int]] = {}
    for thing, key in zip(things, keys, strict=True):
        if key in found:
            found[key].append(thing)
        else:
            found[key] = [thing]
    return found


def _body(e: Expressions, reading: Reading, classes: dict[int, Classes]) -> tuple[str, dict[str, str]]:
    """The text of the fold, and what is worked out before it because it is the same for all things."""
    same: dict[str, str] = {}

    def hoist(text: str) -> str:
        bound = re.findall(r"\bfor (v\d+)(?:, (w\d+))?", text)
        names = set(re.findall(r"\b[vw]\d+\b", text)) - {name for pair in bound for name in pair}
        if " for " not in text or names or MAY_FAIL.search(text):
            return text
        for other, name in same.items():
            if _alike(other, text):
                return name
        return same.setdefault(text, f"same{len(same)}")

    def before_all(text: str) -> str:
        return same.setdefault(text, f"same{len(same)}")

    plain: set[p.Expr] = {p.ELocal(one.slot) for one in reading.things if one.looked_at or one.cells}
    elements = {slot: p.ELocal(of) for slot, of in reading.elements.items() if p.ELocal(of) in plain}
    before = e.hoist, e.iterating, e.weight, e.around, e.unpaid
    e.unpaid = e.longest_list <= SHORT_LIST
    e.hoist, e.iterating, e.around = hoist, 0, Around(before_all, plain, elements, classes, True)
    try:
        return e.outright(reading.node, Scope(lambda slot: f"a{slot}")), same
    finally:
        e.hoist, e.iterating, e.weight, e.around, e.unpaid = before


def _alike(one: str, other: str) -> bool:
    """Whether two texts are the same but for the names of what runs through the things."""
    return re.sub(r"\bv\d+\b", "v", one) == re.sub(r"\bv\d+\b", "v", other)


def _classes(e: Expressions, reading: Reading) -> dict[int, Classes]:
    """For each list of which only the number of equal things matters: its classes."""
    found = {}
    for one in reading.things:
        if one.ordered or one.told_apart or not one.looked_at:
            continue
        columns = [e.program.attrs[attr] for attr in sorted(one.printed)]
        kinds: dict[Any, int] = {}
        of = [
            kinds.setdefault((c.kind, *(repr(column[k]) for column in columns)), len(kinds))
            for k, c in enumerate(e.program.components)
        ]
        found[one.slot] = Classes(f"n{one.slot}", [of.index(k) for k in range(len(kinds))], of, e.longest_list.bit_length())
    return found


def _weights(e: Expressions, one: Classes) -> str:
    return e.constant(("column", *(1 << one.width * number for number in one.of)))


def _key(e: Expressions, reading: Reading, classes: dict[int, Classes]) -> str:
    parts = []
    for one in reading.things:
        if one.slot in classes:
            parts.append(classes[one.slot].name)
            continue
        parts.append(f"tuple(a{one.slot})")
        for family in one.cells:
            parts.append(f"tuple([S[{e.layout.vars + family} + v] for v in a{one.slot}])")
    parts += [f"a{slot}" for slot in reading.numbers.values()]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def digits(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """A count of things of a list whose classes are counted already."""
    if e.around is None or node.op != "count" or len(node.loops) != 1 or node.where is None:
        return None
    (loop,) = node.loops
    classes = e.around.classes.get(loop.items.slot) if isinstance(loop.items, p.ELocal) else None
    if classes is None:
        return None
    open_ones = {slot for slot in used(node.where) - {loop.slot} if type(scope.bound.get(slot)) is not int}
    if not open_ones:
        tests = [e.truth_known(node.where, scope.bind(loop.slot, one)) for one in classes.first]
        found = [classes.digit(number) for number, test in enumerate(tests) if test]
        return None if None in tests or not 0 < len(found) < FEW else " + ".join(found)
    (other, *more) = open_ones
    if more or e.around.elements.get(other) != loop.items:
        return None
    shifts = []
    for one in classes.first:  # the things that are like a thing of the list: those of one class
        inside = scope.bind(other, one)
        tests = [e.truth_known(node.where, inside.bind(loop.slot, each)) for each in classes.first]
        if None in tests or tests.count(True) > 1:
            return None
        shifts.append(classes.width * (tests.index(True) if True in tests else len(tests)))
    column = e.constant(("row", *(shifts[number] for number in classes.of)))
    return f"({classes.name} >> {column}[{scope.read(other)}] & {(1 << classes.width) - 1})"


def used(node: Any) -> set[int]:
    """The locals an expression looks at."""
    if isinstance(node, p.ELocal):
        return {node.slot}
    if isinstance(node, tuple):
        return {slot for item in node for slot in used(item)}
    if not hasattr(type(node), "__attrs_attrs__") or isinstance(node, p.At):
        return set()
    return {slot for a in type(node).__attrs_attrs__ for slot in used(getattr(node, a.name))}


def groups(e: Expressions, node: p.Expr | None) -> tuple[int, p.Expr, p.Expr] | None:
    """Of a fold over all things of a list with a key that is wanted: the local of the thing, its key, what is wanted."""
    if e.around is None or not isinstance(node, p.EFold) or node.op != "all" or len(node.loops) != 1:
        return None
    (loop,) = node.loops
    if loop.items not in e.around.lists or not isinstance(node.where, p.EOp) or node.where.op != "=":
        return None
    mine, wanted = node.where.left, node.where.right
    if loop.slot in used(wanted):
        mine, wanted = wanted, mine
    if used(mine) != {loop.slot} or loop.slot in used(wanted) or not used(wanted) & set(e.around.elements):
        return None
    e.around.elements[loop.slot] = loop.items
    return (loop.slot, mine, wanted) if _plain(e, mine) and _plain(e, wanted) else None


def keyed(e: Expressions, slots: tuple[int, ...], items: p.Expr, parts: list[p.Expr], scope: Scope) -> str | None:
    """The name of the key of the thing at hand, if others of the list that have the same key are asked for."""
    if e.around is None or not e.around.remembers or items not in e.around.lists:
        return None
    for node in every_node(tuple(parts)):
        found = groups(e, node)
        if found is None or node.loops[0].items != items:
            continue
        own, mine, wanted = found
        for slot in slots:
            if substituted(mine, {own: p.ELocal(slot)}, 0) == wanted:
                keys = e.around.before(_keys(e, own, mine, items, scope))
                e.around.keys[slot] = (wanted, e.fresh("w"), keys)
                return e.around.keys[slot][1]
    return None


def _keys(e: Expressions, slot: int, mine: p.Expr, items: p.Expr, scope: Scope) -> str:
    return f"[{e.part(mine, scope.bind(slot, 'v'))} for v in {e.things(items, scope)}]"


def of_its_own(e: Expressions, node: p.Expr) -> tuple[str, str] | None:
    """Of a fold over all things with the key of the thing at hand, which is one of them: that key, and all keys."""
    while isinstance(node, p.ENot) and isinstance(node.value, p.ENot):
        node = node.value.value
    found = groups(e, node)
    if found is None:
        return None
    for wanted, name, keys in e.around.keys.values():
        if wanted == found[2]:
            return name, keys
    return None


def gathered(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """All things of a list for which something is the same as for the thing at hand: looked up in an index."""
    found = groups(e, node)
    if found is None:
        return None
    own, mine, wanted = found
    items = node.loops[0].items
    key = of_its_own(e, node)
    if key is not None:
        return f"{e.around.before(f'gathering({e.things(items, scope)}, {key[1]})')}[{key[0]}]"
    index = e.around.before(f"gathering({e.things(items, scope)}, {_keys(e, own, mine, items, scope)})")
    return f"{index}.get({e.part(wanted, scope)}, {e.constant(())})"


def last_gathered(e: Expressions, node: p.EEnd, scope: Scope) -> str | None:
    """The last of those."""
    key = of_its_own(e, node.items) if node.last else None
    if key is None:
        return None
    assert isinstance(node.items, p.EFold)
    return f"{e.around.before(f'dict(zip({key[1]}, {e.things(node.items.loops[0].items, scope)}))')}[{key[0]}]"


def around(e: Expressions, picks: tuple[p.Pick, ...], before: Callable[[str], str]) -> Around:
    """The answers of a choice: the zones that are looked into anyhow, and which picks are things of zones."""
    elements: dict[int, p.Expr] = {}
    for pick in picks:
        items = pick.source
        while isinstance(items, p.EFold) and items.op == "all":
            items = items.loops[0].items
        if isinstance(items, p.EContents):
            elements[pick.slot] = items
    return Around(before, {zone for zone in surely(picks[0].source) if not e.is_number(zone)}, elements)


def _plain(e: Expressions, node: p.Expr) -> bool:
    """Whether this is certainly a number."""
    match node:
        case p.EConst():
            return True
        case p.ELocal():
            return node.slot in e.around.elements
        case p.EAttr():
            return not e.lists[node.attr]
        case p.EVar():
            return e.kind(node) == "int" and cell_of(node.index) is not None
        case p.EIf():
            return _plain(e, node.then) and _plain(e, node.other)
        case _:
            return False


INSTEAD.append(remembered)
SUMS.append(remembered)
KNOWN += [digits, gathered]
ENDS.append(last_gathered)
KEYED += [keyed, of_its_own]
