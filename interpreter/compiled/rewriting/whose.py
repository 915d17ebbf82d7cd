"""Which variables of a function may be lists that lie in cells, and which of those lists get away.

In: the functions of a module, parsed, and the layout. Out: for each function what its variables may be, as bits of the
cells of zones; and the cells whose lists are kept where nobody can follow them: in a local of the rules, in a memory,
in another function. Whatever is not known is taken to be kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from attrs import define, field

from cambist.interpreter.compiled.layout import Layout

Cells = int  # bits of cells
May = tuple[Cells, Cells, Cells]  # the lists that a value may be, those that may be in it, and those further inside
NOTHING: May = (0, 0, 0)
CELLS = ("S", "C")  # the names of all cells
PASSED = (*CELLS, "X")


def either(values: Iterable[May]) -> May:
    one = inside = deep = 0
    for is_it, has_it, far in values:
        one, inside, deep = one | is_it, inside | has_it, deep | far
    return one, inside, deep


def opened(value: May) -> May:
    """One of the things in it."""
    return value[1], value[2], value[2]


def wrapped(value: May) -> May:
    """Something that it is in."""
    return 0, value[0], value[1] | value[2]


def within(value: May) -> May:
    """Something new with the same things in it."""
    return 0, value[1], value[2]


def all_of(value: May) -> Cells:
    return value[0] | value[1] | value[2]


class Places:
    """What cells a number in brackets can mean."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.all = (1 << layout.size) - 1
        self.zones = self.span(layout.zones, layout.accounts)
        self.lists = sum(1 << layout.zones + k for k, number in enumerate(layout.numbers) if not number)

    @staticmethod
    def span(first: int, last: int) -> Cells:
        return (1 << last) - (1 << first)

    def meant(self, index: ast.expr, numbers: dict[str, list[ast.expr]]) -> Cells:
        """`numbers`: what variables are set to."""
        match index:
            case ast.Constant(value=int(cell)):
                return 1 << cell
            case ast.BinOp(left=ast.Constant(value=int(first)), op=ast.Add()):
                return self.span(*self.layout.reach(first))
            case ast.BinOp(left=ast.BinOp(op=ast.Add()) as before, op=ast.Add()):  # of each of two
                return self.meant(before, numbers)
            case ast.Slice(lower=ast.Constant(value=int(first)), upper=ast.Constant(value=int(last)), step=None):
                return self.span(first, last)
            case ast.Name(id=name) if name in numbers:
                found = 0
                for value in numbers[name]:
                    found |= self.all if isinstance(value, ast.Name) else self.meant(value, numbers)
                return found
            case _:
                return self.all


def is_cell(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in CELLS


@define
class Variables:
    """What the variables of one function may be."""

    function: ast.FunctionDef
    places: Places
    returns: dict[str, Cells]  # what the functions of the module may give back
    may: dict[str, May] = field(factory=dict)
    away: Cells = 0  # the lists that somebody else may have from now on
    gives: Cells = 0  # and those that the function may give back
    numbers: dict[str, list[ast.expr]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for node in ast.walk(self.function):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name) and not isinstance(node.value, ast.Constant):
                        self.numbers.setdefault(target.id, []).append(node.value)
        every = [*statements(self.function.body)]
        before = None
        while before != (before := (dict(self.may), self.away, self.gives)):
            for statement in every:
                self._follow(statement)

    def meant(self, node: ast.Subscript) -> Cells:
        return self.places.meant(node.slice, self.numbers)

    def of(self, names: Iterable[str]) -> Cells:
        """The lists that these variables may have anything to do with."""
        return all_of(either([self.may.get(name, NOTHING) for name in names]))

    # ---- statements

    def _follow(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                value = self.value(node.value)
                for target in node.targets:
                    self._set(target, value, node.value)
                self._put(node)
            case ast.AugAssign():
                value = self.value(node.value)
                if isinstance(node.target, ast.Name):
                    self._set(node.target, within(value))
                elif isinstance(node.target, ast.Subscript) and is_cell(node.target):
                    self.away |= self.meant(node.target) & self.places.lists
            case ast.For():
                self._set(node.target, opened(self.value(node.iter)))
            case ast.If() | ast.While():
                self.value(node.test)
            case ast.Return(value=ast.expr() as given):
                self.gives |= all_of(self.value(given))
            case ast.Expr(value=done):
                self.value(done)
            case ast.Raise() | ast.Pass() | ast.Break() | ast.Continue() | ast.Try() | ast.Return():
                pass
            case _:
                self.away = self.places.all

    def _put(self, node: ast.Assign) -> None:
        """What is put into a cell lies there from now on, whatever else names it."""
        named = [target for target in node.targets if isinstance(target, ast.Subscript) and is_cell(target)]
        cells = 0
        for target in named:
            cells |= self.meant(target)
        lists = cells & self.places.lists
        if lists and (len(named) > 1 or cells & self.places.zones & ~lists):
            self.away |= lists  # in two cells at once, or in a zone that may be a number
        for name in (*node.targets, node.value):
            if isinstance(name, ast.Name) and lists:
                self._set(name, (lists, 0, 0))

    def _set(self, target: ast.expr, value: May, node: ast.expr | None = None) -> None:
        match target:
            case ast.Name(id=name):
                self.may[name] = either([self.may.get(name, NOTHING), value])
            case ast.Tuple(elts=parts):
                each = node.elts if isinstance(node, ast.Tuple) and len(node.elts) == len(parts) else []
                for k, part in enumerate(parts):
                    if is_cell(part):
                        self.away = self.places.all
                    self._set(part, self.value(each[k]) if each else opened(value))
            case ast.Subscript() if is_cell(target):
                cells, sliced = self.meant(target), isinstance(target.slice, ast.Slice)
                is_it, has_it, far = value
                self.away |= has_it | far | (is_it if cells & ~self.places.zones else 0)
                if sliced and cells & self.places.lists and not isinstance(node, ast.Name):
                    self.away |= cells
            case _:
                self.away |= all_of(value)

    # ---- expressions

    def value(self, node: ast.expr) -> May:
        match node:
            case ast.Name(id=name):
                return NOTHING if name in PASSED else self.may.get(name, NOTHING)
            case ast.Subscript() if is_cell(node):
                lists = self.meant(node) & self.places.lists
                return (0, lists, 0) if isinstance(node.slice, ast.Slice) else (lists, 0, 0)
            case ast.Subscript():
                value = self.value(node.value)
                self.value(node.slice)
                return within(value) if isinstance(node.slice, ast.Slice) else opened(value)
            case ast.Tuple() | ast.List() | ast.Set():
                return either([self._part(part) for part in node.elts])
            case ast.NamedExpr():
                value = self.value(node.value)
                self._set(node.target, value)
                return value
            case ast.IfExp():
                self.value(node.test)
                return either([self.value(node.body), self.value(node.orelse)])
            case ast.BoolOp():
                return either([self.value(part) for part in node.values])
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._made_of(node)
            case ast.Call():
                return self._called(node)
            case _:
                parts = [self.value(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
                return within(either(parts))

    def _part(self, node: ast.expr) -> May:
        return within(self.value(node.value)) if isinstance(node, ast.Starred) else wrapped(self.value(node))

    def _made_of(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> May:
        for loop in node.generators:
            self._set(loop.target, opened(self.value(loop.iter)))
            for test in loop.ifs:
                self.value(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return wrapped(either([self.value(part) for part in parts]))

    def _called(self, node: ast.Call) -> May:
        args = [*node.args, *(word.value for word in node.keywords)]
        given = either([self.value(a.value if isinstance(a, ast.Starred) else a) for a in args])
        found = either([given, opened(given)])  # what a function of Python gives: a thing, or one that is in it
        match node.func:
            case ast.Name(id=name) if name in self.returns:
                self.away |= all_of(given)
                return self.returns[name], self.returns[name], self.returns[name]
            case ast.Name(id="len"):
                return NOTHING
            case ast.Name():  # of Python, or of runtime.py and its like: they keep nothing
                return found
            case ast.Attribute(value=whose):
                mine = self.value(whose)
                if isinstance(whose, ast.Name):
                    self._set(whose, wrapped(given))
                else:
                    self.away |= all_of(given)
                return either([found, opened(mine)])
            case _:
                self.value(node.func)
                self.away |= all_of(given)
                return self.places.lists, self.places.lists, self.places.lists


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, those in blocks, too."""
    for node in body:
        yield node
        for name in ("body", "orelse", "handlers", "finalbody"):
            for inner in getattr(node, name, ()):
                yield from statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def followed(functions: list[ast.FunctionDef], layout: Layout) -> dict[str, Variables]:
    """By the name of the function."""
    places = Places(layout)
    returns = {function.name: 0 for function in functions}
    while True:
        found = {function.name: Variables(function, places, dict(returns)) for function in functions}
        again = {name: one.gives for name, one in found.items()}
        if again == returns:
            return found
        returns = again
