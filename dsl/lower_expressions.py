"""Expressions of a checked ruleset -> expressions of the program: names to slots, amounts to whole steps."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, assert_never

from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.infer_names import Instance, Key, param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.symbols import Owned, Symbols
from cambist.dsl.walk import descend

MOST_WRITTEN_OUT, LARGEST_WRITTEN_OUT = 4, 60  # definitions inside definitions; nodes of one
BEFORE = "(before)"  # the local that holds the earlier state, in laws that compare
NO_PLACE = p.At()  # of what the rules do not say
FOLD = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


@define
class Frame:
    """Slots of one function or procedure while it is lowered."""

    instance: Instance
    names: list[str] = field(factory=list)
    scopes: list[dict[str, int]] = field(factory=lambda: [{}])
    because: p.Because = p.Because()
    values: dict[str, p.Expr] = field(factory=dict)  # parameters of a definition that is written out in place
    written_out: set[str] = field(factory=set)  # the rules whose text became part of this one
    depth: int = 0  # how many definitions are being written out around this one

    def knows(self, name: str) -> bool:
        return name in self.values or self.slot(name) is not None

    def new(self, name: str) -> int:
        self.names.append(name)
        self.scopes[-1][name] = len(self.names) - 1
        return len(self.names) - 1

    def hidden(self, what: str) -> int:
        self.names.append(f"({what})")
        return len(self.names) - 1

    def slot(self, name: str) -> int | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def enter(self) -> None:
        self.scopes.append({})

    def leave(self) -> None:
        self.scopes.pop()


class World(Protocol):
    """What expressions ask of the ruleset being lowered; lower.py answers."""

    ruleset: CheckedRuleset
    symbols: Symbols
    players: int
    options: dict[str, int]

    def scale(self, unit: str) -> int: ...
    def complain_step(self, node: n.Number, unit: str) -> None: ...
    def place(self, name: str) -> tuple[int, tuple[int, ...]]: ...
    def whole(self, node: n.Number) -> int: ...
    def constant(self, node: n.Number, kind: Kind) -> int: ...
    def text(self, value: str) -> int: ...
    def table(self, name: str) -> int: ...
    def entry(self, name: str) -> int: ...
    def attr(self, name: str) -> int: ...
    def card_kind(self, name: str) -> int: ...
    def band(self, node: n.Is) -> n.Band | None: ...
    def function(self, name: str, kinds: tuple[Kind, ...]) -> int: ...
    def instance(self, key: Key) -> Instance: ...


class ExpressionLowerer:
    """Shared by all parts of lowering; `World` supplies the tables."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.frame = Frame(Instance(("", ()), world.ruleset.game))

    def at(self, node: n.Expr | n.Stmt, notes: n.Notes = ()) -> p.At:
        return p.At(node.span, because(notes) if notes else self.frame.because)

    def kind(self, node: n.Expr) -> Kind:
        return self.frame.instance.of(node)

    # ---- entry points

    def expr(self, node: n.Expr, wanted: Kind | None = None) -> p.Expr:
        """The value; scaled when a plain number stands where an amount is wanted."""
        if wanted is not None and wanted.word in ("amount", "account"):
            return self._scaled(node, wanted.name)
        return self._expr(node)

    def _scaled(self, node: n.Expr, unit: str) -> p.Expr:
        scale = self.world.scale(unit)
        kind = k.as_value(self.kind(node))
        if kind.word == "amount" or scale == 1 and not isinstance(node, n.Number):
            return self._expr(node)
        if isinstance(node, n.Number):
            if node.value.isdecimal():
                return p.EConst(int(node.value) * scale)
            steps = Fraction(node.value) * scale
            if steps.denominator != 1:
                self.world.complain_step(node, unit)
            return p.EConst(int(steps))
        return fold("*", self._expr(node), p.EConst(scale), self.at(node))

    def items(self, node: n.Expr) -> p.Expr:
        """Several things: a zone gives what lies in it."""
        kind = self.kind(node)
        lowered = self._expr(node)
        return p.EContents(lowered) if kind.word == "zone" else lowered

    def source(self, node: n.Expr | None) -> p.Expr:
        return p.EList(tuple(range(self.world.players))) if node is None else self.items(node)

    def index_of(self, decl: Owned | n.Deck, args: tuple[n.Expr, ...]) -> p.Expr:
        """Which cell of a family: its base and the owners' numbers."""
        base, sizes = self.world.place(decl.name.text)
        index: p.Expr = p.EConst(0)
        for arg, size in zip(args, sizes, strict=True):
            index = fold("+", fold("*", index, p.EConst(size), NO_PLACE), self._expr(arg), NO_PLACE)
        return fold("+", p.EConst(base), index, NO_PLACE)

    def owned_args(self, node: n.Expr) -> tuple[Owned | n.Deck, tuple[n.Expr, ...]] | None:
        """The declaration and owners that a reference, a dot or a call reaches."""
        name = ""
        args: tuple[n.Expr, ...] = ()
        if isinstance(node, n.Ref):
            if self.frame.knows(node.name):
                return None
            name = node.name
        elif isinstance(node, n.Dot):
            name, args = node.name.text, (node.owner, *node.args)
        elif isinstance(node, n.Call):
            name, args = node.name.text, node.args
        decl = self.world.symbols.globals.get(name)
        if isinstance(decl, (n.Zone, n.Account, n.Variable, n.Track, n.Deck)):
            if isinstance(node, n.Dot) and self.world.symbols.is_field(name, self.kind(node.owner)):
                return None
            return decl, args
        return None

    # ---- expressions

    def _expr(self, node: n.Expr) -> p.Expr:
        match node:
            case n.Number():
                return p.EConst(self.world.whole(node))
            case n.Text():
                return p.EConst(self.world.text(node.value))
            case n.Truth():
                return p.EConst(int(node.value))
            case n.Ref():
                return self._ref(node)
            case n.Call():
                return self._call(node)
            case n.Dot():
                return self._reach(node)
            case n.Index():
                assert isinstance(node.table, n.Ref)
                return p.ETable(self.world.table(node.table.name), self._expr(node.key), self.at(node))
            case n.ListOf():
                return items_of(tuple(self._expr(item) for item in node.items))
            case n.Between():
                return self._range(node)
            case n.Binary():
                return self._binary(node)
            case n.Negate():
                return fold("-", p.EConst(0), self._expr(node.value), self.at(node))
            case n.Not():
                return p.ENot(self._expr(node.value))
            case n.IfElse():
                kind = k.as_value(self.kind(node))
                if kind.word == "list":
                    return p.EIf(self._expr(node.test), self.items(node.then), self.items(node.other))
                return p.EIf(self._expr(node.test), self.expr(node.then, kind), self.expr(node.other, kind))
            case n.Is():
                return self._is(node)
            case n.Prefix():
                return self._prefix(node)
            case n.Quantified():
                return self._fold(node)
            case n.The():
                return self._best(node)
            case _:
                assert_never(node)

    def _range(self, node: n.Between) -> p.Expr:
        kind = self.kind(node).of or k.NUMBER
        step: p.Expr = p.EConst(1) if node.step is None else self.expr(node.step, kind)
        low, high = self.expr(node.low, kind), self.expr(node.high, kind)
        if isinstance(low, p.EConst) and isinstance(high, p.EConst) and isinstance(step, p.EConst) and step.value > 0:
            if high.value - low.value <= 1000:
                return p.EList(tuple(range(low.value, high.value + 1, step.value)))
        return p.ERange(low, high, step, self.at(node))

    def _ref(self, node: n.Ref) -> p.Expr:
        slot = self.frame.slot(node.name)
        if slot is not None:
            return p.ELocal(slot)
        if node.name in self.frame.values:
            return self.frame.values[node.name]
        world = self.world
        if node.name == "players":
            return p.EList(tuple(range(world.players)))
        if node.name == "everything":
            return p.EList(tuple(range(len(world.ruleset.components))))
        if node.name == "nobody":
            return p.EConst(p.NOBODY)
        if node.name in world.symbols.members:
            enum = world.symbols.members[node.name]
            return p.EConst([m.text for m in enum.members].index(node.name))
        decl = world.symbols.globals[node.name]
        if isinstance(decl, n.Enum):
            return p.EList(tuple(range(len(decl.members))))
        if isinstance(decl, n.Option):
            return p.EConst(world.options[node.name])
        if isinstance(decl, n.Define):
            return self.invoke(node.name, ())
        if isinstance(decl, n.Table):
            return p.EConst(world.entry(node.name))
        return self._reach(node)

    def _reach(self, node: n.Ref | n.Dot | n.Call) -> p.Expr:
        found = self.owned_args(node)
        if found is None:
            assert isinstance(node, n.Dot)
            return p.EAttr(self.world.attr(node.name.text), self._expr(node.owner), self.at(node))
        decl, args = found
        index = self.index_of(decl, args)
        match decl:
            case n.Zone() | n.Deck():
                return index
            case n.Account():
                return p.EAccount(index)
            case n.Track():
                return p.ESpace(self.world.table(decl.name.text), p.EVar(index))
            case _:
                return p.EVar(index)

    def _call(self, node: n.Call) -> p.Expr:
        name = node.name.text
        if self.owned_args(node) is not None:
            return self._reach(node)
        if name in ("min", "max"):
            kind = k.as_value(self.kind(node))
            return p.EOp(name, self.expr(node.args[0], kind), self.expr(node.args[1], kind), self.at(node))
        if name == "abs":
            value = self._expr(node.args[0])
            return p.EOp("max", value, p.EOp("-", p.EConst(0), value))
        if name == "next":
            return p.EOp("next", self._expr(node.args[0]), p.EConst(self.world.players), self.at(node))
        if name in ("around", "others"):
            return p.EAround(self._expr(node.args[0]), name == "others")
        if name == "before" and name not in self.world.symbols.globals:
            slot = self.frame.slot(BEFORE)
            assert slot is not None
            return p.EBefore(slot, self.items(node.args[0]))
        return self.invoke(name, node.args)

    def invoke(self, name: str, args: tuple[n.Expr, ...]) -> p.Expr:
        """A definition at work: written out in place when it is small and its arguments cost nothing, else called."""
        kinds = tuple(param_kind(self.kind(a)) for a in args)
        values = tuple(self._expr(a) for a in args)
        instance = self.world.instance((name, kinds))
        decl = instance.decl
        assert isinstance(decl, n.Define)
        if instance.small is None:
            instance.small = is_small(decl)
        if self.frame.depth >= MOST_WRITTEN_OUT or not instance.small or not all(costs_nothing(v) for v in values):
            return p.ECall(self.world.function(name, kinds), values)
        outer = self.frame
        self.frame = Frame(instance, outer.names, because=outer.because, depth=outer.depth + 1)
        self.frame.written_out = outer.written_out
        self.frame.written_out.add(name)
        self.frame.values = dict(zip((param.text for param in decl.params), values, strict=True))
        kind = k.as_value(instance.of(decl.value))
        lowered = self.items(decl.value) if kind.word == "list" else self._expr(decl.value)
        self.frame = outer
        return lowered

    def _binary(self, node: n.Binary) -> p.Expr:
        op = node.op
        if op == "and":
            return p.EAnd(self._expr(node.left), self._expr(node.right))
        if op == "or":
            return p.EOr(self._expr(node.left), self._expr(node.right))
        if op == "in":
            return self._member(node)
        left, right = k.as_value(self.kind(node.left)), k.as_value(self.kind(node.right))
        if op == "*":
            product = fold("*", self._expr(node.left), self._expr(node.right), self.at(node))
            if left.word == right.word == "amount":  # steps times steps: back to whole units
                return p.EOp(f"/{node.rounding}", product, p.EConst(self.world.scale(left.name) ** 2), self.at(node))
            return product
        if op == "/":
            wanted = left if left.word == right.word == "amount" else None
            return p.EOp(f"/{node.rounding}", self.expr(node.left, wanted), self._expr(node.right), self.at(node))
        kind = left if left.word == "amount" else right
        lists = ("list", "zone")
        if left.word in lists and right.word in lists:
            return p.EOp(op, self.items(node.left), self.items(node.right), self.at(node))
        return fold(op, self.expr(node.left, kind), self.expr(node.right, kind), self.at(node))

    def _member(self, node: n.Binary) -> p.Expr:
        value = self._expr(node.left)
        if self.kind(node.right).word == "zone":
            return p.EInZone(value, self._expr(node.right))
        return p.EMember(value, self.items(node.right))

    def _is(self, node: n.Is) -> p.Expr:
        name = node.name.text
        world = self.world
        if name == "empty" and not node.cells:
            return p.ENot(self.items(node.value))
        card = world.symbols.card(name)
        if card is not None:
            tests = []
            for cell, item in zip(node.cells, card.fields, strict=False):
                tests.append((world.attr(item.name.text), self._expr(cell)))
            return p.EIsCard(self._expr(node.value), (world.card_kind(name),), tuple(tests))
        band = world.band(node)
        if band is not None:
            value = self._expr(node.value)
            unit = self.kind(node.value)
            low, high = (world.constant(x, unit) for x in (band.low, band.high))
            return p.EAnd(p.EOp(">=", value, p.EConst(low)), p.EOp("<=", value, p.EConst(high)))
        decl = world.symbols.globals.get(name)
        if isinstance(decl, n.Define) and decl.params and not self.frame.knows(name):
            return self.invoke(name, (node.value, *node.cells))
        return p.EOp("=", self._expr(node.value), self._ref(n.Ref(name, node.name.span)), self.at(node))

    def _prefix(self, node: n.Prefix) -> p.Expr:
        items = self.items(node.value)
        if node.word == "size":
            return p.EConst(len(items.values)) if isinstance(items, p.EList) else p.ESize(items)
        if node.word == "rest":
            return p.ERest(items)
        return p.EEnd(items, node.word == "last", self.at(node))

    def _loops(self, binders: tuple[n.Binder, ...]) -> tuple[p.Loop, ...]:
        loops = []
        for binder in binders:
            source = self.source(binder.source)
            loops.append(p.Loop(self.frame.new(binder.name.text), source))
        return tuple(loops)

    def _fold(self, node: n.Quantified) -> p.Expr:
        default = None if node.default is None else self.expr(node.default, k.as_value(self.kind(node)))
        self.frame.enter()
        loops = self._loops(node.binders)
        where = None if node.where is None else self._expr(node.where)
        value = None if node.value is None else self._expr(node.value)
        self.frame.leave()
        return p.EFold(node.word, loops, where, value, default, self.at(node))

    def _best(self, node: n.The) -> p.Expr:
        default = None if node.default is None else self._expr(node.default)
        if node.policy == "all" and default is None:
            default = p.EList(())
        self.frame.enter()
        (loop,) = self._loops((node.binder,))
        where = None if node.where is None else self._expr(node.where)
        criteria = tuple((c.most, self._expr(c.value)) for c in node.criteria)
        self.frame.leave()
        return p.EBest(loop, where, criteria, node.policy, default, self.at(node))


def costs_nothing(value: p.Expr) -> bool:
    """Whether evaluating it again makes no difference: a local, a constant, a cell reached by one of these."""
    match value:
        case p.ELocal() | p.EConst():
            return True
        case p.EOp(op="+"):
            return costs_nothing(value.left) and costs_nothing(value.right)
        case p.EVar() | p.EContents():
            return costs_nothing(value.index if isinstance(value, p.EVar) else value.zone)
        case _:
            return False


def is_small(decl: n.Define) -> bool:
    return all(count < LARGEST_WRITTEN_OUT for count, _ in enumerate(descend(decl.value)))


def because(notes: n.Notes) -> p.Because:
    cites = tuple(f"{c.source} {c.place}" for c in notes if isinstance(c, n.Cite))
    assumed = tuple(a.because + (f" (per {a.per})" if a.per else "") for a in notes if isinstance(a, n.Assumed))
    return p.Because(cites, assumed)


def fold(op: str, left: p.Expr, right: p.Expr, at: p.At) -> p.Expr:
    """An operation, worked out at once where both sides are known."""
    if isinstance(left, p.EConst) and isinstance(right, p.EConst) and op in FOLD:
        return p.EConst(FOLD[op](left.value, right.value))
    if op == "+" and isinstance(left, p.EConst) and left.value == 0:
        return right
    if op == "+" and isinstance(right, p.EConst) and right.value == 0:
        return left
    if op == "*" and isinstance(left, p.EConst) and left.value == 0:
        return left
    return p.EOp(op, left, right, at)


def items_of(values: tuple[p.Expr, ...]) -> p.Expr:
    constants = tuple(v.value for v in values if isinstance(v, p.EConst))
    return p.EList(constants) if len(constants) == len(values) else p.EItems(values)
