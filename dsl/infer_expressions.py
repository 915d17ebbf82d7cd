"""A kind for every expression; names are looked up here too, locals first. See infer.py for the whole
pass."""

from __future__ import annotations

from typing import assert_never

from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES, Symbols
from cambist.dsl.words import RESERVED

Key = tuple[str, tuple[Kind, ...]]
SIGNS = frozenset("+-*/")
ROUND_PRODUCT = "an amount times a rate is counted in whole units: add `rounded down` or `rounded up`"


@define
class Instance:
    """One rule for one combination of kinds of its parameters."""

    key: Key
    decl: n.Decl
    kinds: dict[int, Kind] = field(factory=dict)  # id of an expression node -> its kind
    params: dict[str, Kind] = field(factory=dict)
    results: tuple[Kind, ...] = ()
    small: bool | None = None  # whether it is put in the place of its calls, once somebody has asked
    refined: dict[Span, Kind] = field(factory=dict)  # a `let` that began as a number and turned out to be an amount

    def of(self, node: object) -> Kind:
        return self.kinds.get(id(node), k.UNKNOWN)


def law_key(decl: n.Property, kinds: tuple[Kind, ...]) -> Key:
    """Where a law stands that is asked after something with parameters of these kinds; no rule has such a name."""
    return (f"{decl.word} {decl.name.text}", kinds)


def param_kind(kind: Kind) -> Kind:
    """How a value is handed over: an account as what lies in it, a written number as a number."""
    return k.as_value(kind)


class ExpressionInferer:
    def __init__(self, symbols: Symbols, report: Report) -> None:
        self.symbols = symbols
        self.report = report
        self.current = Instance(("", ()), symbols.game)
        self.instances: dict[Key, Instance] = {}
        self.running: list[str] = []
        self.used: set[str] = set()
        self.in_example = False
        self.in_law = False
        self.known = symbols.names()

    # ---- helpers

    def expr(self, node: n.Expr, scope: Scope) -> Kind:
        kind = self._expr(node, scope)
        self.current.kinds[id(node)] = kind
        return kind

    def value(self, node: n.Expr, scope: Scope) -> Kind:
        return k.as_value(self.expr(node, scope))

    def expect(self, node: n.Expr, scope: Scope, wanted: Kind, why: str = "") -> Kind:
        found = self._wanted(node, scope, wanted)
        if found.word == "amount" and wanted == k.NUMBER:
            self.report.add(say.wrong_kind(node.span, str(wanted), str(found), why))
        elif not k.agree(found, wanted):
            self.report.add(say.wrong_kind(node.span, str(wanted), str(found), why))
        return found

    def _wanted(self, node: n.Expr, scope: Scope, wanted: Kind) -> Kind:
        """The value's kind; a name that is unknown where a member of an enum belongs is told which there are."""
        enum = self.symbols.enum(wanted.name) if wanted.word == "enum" else None
        if enum is not None and isinstance(node, n.Ref) and not self._is_known(node.name, scope):
            self.report.add(say.unknown_name(node.span, node.name, [m.text for m in enum.members]))
            self.current.kinds[id(node)] = k.UNKNOWN
            return k.UNKNOWN
        return self.value(node, scope)

    def _is_known(self, name: str, scope: Scope) -> bool:
        return scope.kind(name) is not None or name in self.known

    def condition(self, node: n.Expr, scope: Scope) -> None:
        found = self.expr(node, scope)
        if found.word not in ("flag", "unknown"):
            self.report.add(say.not_a_condition(node.span, str(found)))

    def numeric(self, node: n.Expr, scope: Scope) -> Kind:
        found = self.value(node, scope)
        if not k.is_numeric(found):
            self.report.add(say.wrong_kind(node.span, "a number", str(found)))
            return k.UNKNOWN
        return found

    def elements(self, node: n.Expr, scope: Scope) -> Kind:
        if isinstance(node, n.Binary) and node.op in SIGNS and k.element(self.expr(node.left, scope)) is not None:
            self.expr(node.right, scope)
            self.report.add(say.reaches_too_far(node.right.span, node.op, node.left.span))
            return k.UNKNOWN
        found = self.expr(node, scope)
        inner = k.element(found)
        if inner is None:
            self.report.add(say.not_a_list(node.span, str(found)))
            return k.UNKNOWN
        return inner

    def bind(self, binder: n.Binder, scope: Scope) -> None:
        kind = k.PLAYER if binder.source is None else self.elements(binder.source, scope)
        self.declare(binder.name, kind, scope)

    def declare(self, name: n.Name, kind: Kind, scope: Scope) -> None:
        if name.text in RESERVED:
            self.report.add(say.reserved_name(name.span, name.text))
        elif name.text in self.known or name.text in BUILT_IN_FUNCTIONS:
            other = self._declared(name.text)
            if other is not None:
                self.report.add(say.declared_twice(name.span, name.text, other))
            else:
                self.report.add(say.reserved_name(name.span, name.text))
        else:
            first = scope.span(name.text)
            if first is not None:
                self.report.add(say.declared_twice(name.span, name.text, first))
        scope.kinds[name.text] = kind
        scope.spans[name.text] = name.span

    def _declared(self, name: str) -> Span | None:
        decl = self.symbols.globals.get(name) or self.symbols.procedures.get(name)
        if decl is not None:
            found = getattr(decl, "name", None)
            return found.span if isinstance(found, n.Name) else decl.span
        enum = self.symbols.members.get(name)
        return None if enum is None else next(m.span for m in enum.members if m.text == name)

    def owner_kind(self, name: n.Name) -> Kind:
        if name.text == "player":
            return k.PLAYER
        if name.text == "card":
            return k.CARD
        if self.symbols.enum(name.text):
            return k.enum(name.text)
        if self.symbols.card(name.text):
            return k.card(name.text)
        self.report.add(say.unknown_name(name.span, name.text, self._owner_names()))
        return k.UNKNOWN

    def _owner_names(self) -> list[str]:
        kinds = (n.Enum, n.Card)
        return ["player", "card"] + [name for name, d in self.symbols.globals.items() if isinstance(d, kinds)]

    def kind_named(self, name: n.KindName) -> Kind:
        word = name.name.text
        if word == "list":
            return k.several(self.kind_named(name.of)) if name.of else k.several(k.UNKNOWN)
        simple = {"number": k.NUMBER, "flag": k.FLAG, "player": k.PLAYER, "card": k.CARD, "zone": k.ZONE}
        if word in simple:
            return simple[word]
        decl = self.symbols.globals.get(word)
        if isinstance(decl, n.Enum):
            return k.enum(word)
        if isinstance(decl, n.Card):
            return k.card(word)
        if isinstance(decl, n.Unit):
            return k.amount(word)
        self.report.add(say.unknown_name(name.name.span, word, [*simple, "list", *self._owner_names()]))
        return k.UNKNOWN

    def field_kind(self, item: n.Field) -> Kind:
        kind = self.kind_named(n.KindName(item.kind, None, item.kind.span))
        return k.several(kind) if item.several else kind

    def unit_of(self, name: n.Name | None) -> str:
        if name is None:
            units = [u for u, d in self.symbols.globals.items() if isinstance(d, n.Unit)]
            return units[0] if len(units) == 1 else ""
        decl = self.symbols.globals.get(name.text)
        if isinstance(decl, (n.Unit, n.Enum)):
            return name.text
        units = [u for u, d in self.symbols.globals.items() if isinstance(d, n.Unit)]
        self.report.add(say.unknown_name(name.span, name.text, units))
        return ""

    # ---- names

    def thing_kind(self, decl: n.Decl) -> Kind:
        """What an owned or global thing is when it is reached."""
        match decl:
            case n.Zone() | n.Deck():
                return k.ZONE
            case n.Account():
                return k.account(self.unit_of(decl.unit))
            case n.Variable():
                return self.kind_named(decl.kind)
            case n.Track():
                return k.amount(self.unit_of(decl.unit)) if decl.unit else k.NUMBER
            case n.Option():
                if decl.low is not None or isinstance(decl.default, n.Number):
                    return k.NUMBER
                return k.FLAG if not decl.values or isinstance(decl.default, n.Truth) else k.enum(decl.name.text)
            case n.Enum():
                return k.several(k.enum(decl.name.text))
            case _:
                return k.UNKNOWN

    def ref(self, node: n.Ref, scope: Scope) -> Kind:
        name = node.name
        local = scope.kind(name)
        if local is not None:
            return local
        self.used.add(name)
        if name in BUILT_IN_VALUES:
            return BUILT_IN_VALUES[name]
        if name in self.symbols.members:
            return k.enum(self.symbols.members[name].name.text)
        decl = self.symbols.globals.get(name)
        if isinstance(decl, n.Define):
            return self.call(node.span, name, (), decl.span)
        if isinstance(decl, n.Table) and decl.by is not None:
            return k.NUMBER
        if isinstance(decl, n.Table):
            self.report.add(say.wrong_kind(node.span, "a value", "a table", "", f"look into it: `{name}[…]`"))
            return k.UNKNOWN
        if isinstance(decl, (n.Zone, n.Account, n.Variable, n.Track)) and decl.owners:
            example = "p" if decl.owners[0].text == "player" else decl.owners[0].text[:1]
            self.report.add(
                say.wrong_kind(
                    node.span,
                    "one of them",
                    f"`{name}` of each {decl.owners[0].text}",
                    "of which?",
                    f"write `{example}.{name}`",
                )
            )
            return k.UNKNOWN
        if isinstance(decl, n.Card):
            self.report.add(
                say.wrong_kind(
                    node.span, "a value", "a kind of card", "", f"ask whether something is one: `c is {name}`"
                )
            )
            return k.UNKNOWN
        if decl is not None:
            return self.thing_kind(decl)
        if name in self.symbols.procedures:
            self.report.add(say.not_in_an_expression(node.span, name))
            self.report.lost.add(name)
            return k.UNKNOWN
        hint = f"name the players first: `given player {name}`" if self.in_example and len(name) == 1 else ""
        self.report.add(say.unknown_name(node.span, name, self.known | scope.names(), hint))
        return k.UNKNOWN

    def call(self, span: Span, name: str, args: tuple[Kind, ...], declared: Span | None) -> Kind:
        raise NotImplementedError  # infer.py

    def owned(self, node: n.Call | n.Dot, decl: n.Decl, args: tuple[n.Expr, ...], scope: Scope) -> Kind:
        assert isinstance(decl, (n.Zone, n.Account, n.Variable, n.Track))
        self.used.add(decl.name.text)
        if not decl.owners:
            whose = self._shown(args[0], scope) if args else "nothing"
            self.report.add(say.belongs_to_nobody(node.name.span, decl.name.text, whose, decl.name.span))
        elif len(args) != len(decl.owners):
            owners = [owner.text for owner in decl.owners]
            self.report.add(
                say.wrong_number_of_owners(node.name.span, decl.name.text, owners, len(args), decl.name.span)
            )
        for arg, owner in zip(args, decl.owners, strict=False):
            self.expect(arg, scope, self.owner_kind(owner), f"`{decl.name.text}` is of each {owner.text}")
        for extra in args[len(decl.owners) :]:
            self.expr(extra, scope)
        return self.thing_kind(decl)

    def dot(self, node: n.Dot, scope: Scope) -> Kind:
        name = node.name.text
        decl = self.symbols.owned(name)
        if decl is not None and not self.symbols.is_field(name, self.value(node.owner, scope)):
            return self.owned(node, decl, (node.owner, *node.args), scope)
        before = len(self.report.items)
        owner = self.value(node.owner, scope)
        missing = isinstance(node.owner, n.Ref) and node.owner.name in self.report.lost
        if owner == k.UNKNOWN and (missing or len(self.report.items) > before):
            return k.UNKNOWN
        found = self.symbols.fields.get(name)
        if found is None or owner.word not in ("card", "unknown"):
            hint = f"for one of them: `(first of …).{name}`; for all: `sum of c.{name} for c in …`"
            many = found is not None and k.element(owner) is not None
            self.report.add(
                say.unknown_field(
                    node.name.span, name, self._shown(node.owner, scope), self._dots_of(owner), hint if many else ""
                )
            )
            return k.UNKNOWN
        if owner.name and not any(c.name.text == owner.name for c, _ in found):
            self.report.add(
                say.unknown_field(node.name.span, name, self._shown(node.owner, scope), self._dots_of(owner))
            )
            return k.UNKNOWN
        self.used.add(name)
        return self.field_kind(found[0][1])

    def _shown(self, node: n.Expr, scope: Scope) -> str:
        """What something is, or its own words where that is not known."""
        kind = self.value(node, scope)
        return f"`{node.span.text}`" if kind.word == "unknown" else str(kind)

    def _dots_of(self, owner: Kind) -> list[str]:
        names = []
        for name in self.symbols.dot_names():
            decl = self.symbols.owned(name)
            if decl is not None and decl.owners and k.agree(self.owner_kind(decl.owners[0]), owner):
                names.append(name)
            elif name in self.symbols.fields and owner.word in ("card", "unknown"):
                names.append(name)
        return names

    # ---- expressions

    def _expr(self, node: n.Expr, scope: Scope) -> Kind:
        match node:
            case n.Number():
                return k.LITERAL
            case n.Text():
                return k.TEXT
            case n.Truth():
                return k.FLAG
            case n.Ref():
                return self.ref(node, scope)
            case n.Call():
                return self._call(node, scope)
            case n.Dot():
                return self.dot(node, scope)
            case n.Index():
                return self._index(node, scope)
            case n.ListOf():
                return self._list(node, scope)
            case n.Between():
                return self._between(node, scope)
            case n.Binary():
                return self._binary(node, scope)
            case n.Negate():
                return self.numeric(node.value, scope)
            case n.Not():
                self.condition(node.value, scope)
                return k.FLAG
            case n.IfElse():
                self.condition(node.test, scope)
                return self._same(node.then, node.other, scope)
            case n.Is():
                return self._is(node, scope)
            case n.Prefix():
                return self._prefix(node, scope)
            case n.Quantified():
                return self._quantified(node, scope)
            case n.The():
                return self._the(node, scope)
            case _:
                assert_never(node)

    def _same(self, left: n.Expr, right: n.Expr, scope: Scope) -> Kind:
        a, b = self.value(left, scope), self.value(right, scope)
        if not k.agree(a, b):
            self.report.add(say.wrong_kind(right.span, str(a), str(b), "both sides must be of one kind"))
            return k.UNKNOWN
        return k.joined(a, b)

    def _call(self, node: n.Call, scope: Scope) -> Kind:
        name = node.name.text
        decl = self.symbols.globals.get(name)
        if isinstance(decl, (n.Zone, n.Account, n.Variable, n.Track)):
            return self.owned(node, decl, node.args, scope)
        args = tuple(self.expr(arg, scope) for arg in node.args)
        if name in BUILT_IN_FUNCTIONS:
            return self._built_in(node, args)
        if name == "before" and name not in self.known:
            return self._before(node, args)
        if isinstance(decl, n.Define):
            return self.call(node.name.span, name, tuple(param_kind(a) for a in args), decl.span)
        if name in self.symbols.procedures:
            self.report.add(say.not_in_an_expression(node.name.span, name))
            self.report.lost.add(name)  # it is meant to run here
            return k.UNKNOWN
        if isinstance(decl, n.Table) and len(args) == 1:
            self.used.add(name)
            self.report.add(say.table_in_brackets(node.name.span, name, decl.name.span))
            return k.UNKNOWN
        if decl is not None or name in self.known:
            self.report.add(say.wrong_number_of_arguments(node.name.span, name, 0, len(args), None))
            return k.UNKNOWN
        known = [d for d, decl in self.symbols.globals.items() if isinstance(decl, n.Define)]
        self.report.add(say.unknown_name(node.name.span, name, known + list(BUILT_IN_FUNCTIONS)))
        return k.UNKNOWN

    def _built_in(self, node: n.Call, args: tuple[Kind, ...]) -> Kind:
        name, wanted = node.name.text, BUILT_IN_FUNCTIONS[node.name.text]
        if len(args) != wanted:
            self.report.add(say.wrong_number_of_arguments(node.name.span, name, wanted, len(args), None))
            return k.UNKNOWN
        if name in ("min", "max", "abs"):
            for arg, kind in zip(node.args, args, strict=True):
                if not k.is_numeric(kind):
                    self.report.add(say.wrong_kind(arg.span, "a number", str(kind)))
                    return k.UNKNOWN
            return k.joined(args[0], args[-1])
        if not k.agree(args[0], k.PLAYER):
            self.report.add(say.wrong_kind(node.args[0].span, "a player", str(args[0])))
        return k.PLAYER if name == "next" else k.several(k.PLAYER)

    def _before(self, node: n.Call, args: tuple[Kind, ...]) -> Kind:
        """What a value was: of a zone, what lay in it."""
        if not self.in_law:
            self.report.add(say.before_outside_law(node.span))
        if len(args) != 1:
            self.report.add(say.wrong_number_of_arguments(node.name.span, "before", 1, len(args), None))
            return k.UNKNOWN
        return k.several(k.CARD) if args[0].word == "zone" else k.as_value(args[0])

    def _index(self, node: n.Index, scope: Scope) -> Kind:
        key = self.value(node.key, scope)
        if isinstance(node.table, n.Ref):
            table = self.symbols.globals.get(node.table.name)
            if isinstance(table, n.Table):
                self.used.add(table.name.text)
                if not k.agree(key, k.NUMBER):
                    self.report.add(say.wrong_kind(node.key.span, "a number", str(key)))
                return k.NUMBER
        found = self.expr(node.table, scope)
        if found != k.UNKNOWN:
            hint = "`[…]` looks into a table; of several things there are `first of`, `last of` and `rest of`"
            self.report.add(say.wrong_kind(node.table.span, "a table", str(found), "", hint))
        return k.UNKNOWN

    def _list(self, node: n.ListOf, scope: Scope) -> Kind:
        inner = k.UNKNOWN
        for item in node.items:
            kind = self.value(item, scope)
            if not k.agree(inner, kind):
                self.report.add(say.wrong_kind(item.span, str(inner), str(kind), "a list holds one kind"))
            else:
                inner = k.joined(inner, kind)
        return k.several(inner)

    def _between(self, node: n.Between, scope: Scope) -> Kind:
        low, high = self.numeric(node.low, scope), self.numeric(node.high, scope)
        if node.step is not None:
            self.numeric(node.step, scope)
        self._units(node.low, low, node.high, high)
        return k.several(k.joined(low, high))

    def _units(self, left: n.Expr, a: Kind, right: n.Expr, b: Kind) -> None:
        if a.word == b.word == "amount" and a.name != b.name and a.name and b.name:
            self.report.add(say.wrong_unit(right.span, b.name, a.name, left.span))

    def _binary(self, node: n.Binary, scope: Scope) -> Kind:
        match node.op:
            case "and" | "or":
                self.condition(node.left, scope)
                self.condition(node.right, scope)
                return k.FLAG
            case "=" | "!=":
                left = self.value(node.left, scope)
                right = self._wanted(node.right, scope, left)
                if left.word == right.word == "amount":
                    self._units(node.left, left, node.right, right)
                elif not k.agree(left, right):
                    self.report.add(say.cannot_compare(node.span, str(left), str(right)))
                return k.FLAG
            case "<" | "<=" | ">" | ">=":
                left = self.numeric(node.left, scope)
                right = self.numeric(node.right, scope) if left != k.UNKNOWN else self.value(node.right, scope)
                self._units(node.left, left, node.right, right)
                return k.FLAG
            case "in":
                left = self.value(node.left, scope)
                inner = self.elements(node.right, scope)
                if not k.agree(left, inner):
                    self.report.add(say.cannot_compare(node.span, str(left), str(inner)))
                return k.FLAG
            case "*" | "/":
                return self._product(node, scope)
            case _:
                left, right = self.numeric(node.left, scope), self.numeric(node.right, scope)
                self._units(node.left, left, node.right, right)
                return k.UNKNOWN if k.UNKNOWN in (left, right) else k.joined(left, right)

    def _product(self, node: n.Binary, scope: Scope) -> Kind:
        left, right = self.numeric(node.left, scope), self.numeric(node.right, scope)
        if node.op == "/" and not node.rounding:
            self.report.add(say.division_unrounded(node.span))
        if left.word == right.word == "amount":
            if node.op == "*" and not node.rounding:
                self.report.add(
                    say.wrong_kind(node.right.span, "a number", str(right), "money times money", ROUND_PRODUCT)
                )
                return k.UNKNOWN
            self._units(node.left, left, node.right, right)
            return k.NUMBER
        if "amount" in (left.word, right.word):
            return left if left.word == "amount" else right
        return k.NUMBER

    def _is(self, node: n.Is, scope: Scope) -> Kind:
        name = node.name.text
        if self.in_example and name in ("asked", "over", "winner") and not node.cells:
            if name != "over":
                self.expect(node.value, scope, k.PLAYER)
            return k.FLAG
        value = self.expr(node.value, scope)
        if name == "empty" and not node.cells:
            if k.element(value) is None:
                self.report.add(say.not_a_list(node.value.span, str(value)))
            return k.FLAG
        card = self.symbols.card(name)
        if card is not None:
            return self._is_card(node, card, value, scope)
        if self.band(node) is not None:
            return k.FLAG
        decl = self.symbols.globals.get(name)
        if isinstance(decl, n.Define) and decl.params and scope.kind(name) is None:
            args = (value, *(self.expr(c, scope) for c in node.cells))
            return self.call(node.name.span, name, tuple(param_kind(a) for a in args), decl.span)
        other = self.ref(n.Ref(name, node.name.span), scope)
        if not k.agree(value, other):
            self.report.add(say.cannot_compare(node.span, str(k.as_value(value)), str(other)))
        return k.FLAG

    def band(self, node: n.Is) -> n.Band | None:
        """`c.yield is grey`: the value lies in that band of the track."""
        reached = node.value.name if isinstance(node.value, (n.Dot, n.Ref)) else None
        track = self.symbols.owned(reached.text if isinstance(reached, n.Name) else reached or "")
        if isinstance(track, n.Track):
            return next((b for b in track.bands if b.name.text == node.name.text), None)
        return None

    def _is_card(self, node: n.Is, card: n.Card, value: Kind, scope: Scope) -> Kind:
        self.used.add(card.name.text)
        if not k.agree(value, k.card(card.name.text)):
            self.report.add(say.cannot_compare(node.span, str(value), f"a `{card.name.text}`"))
        if len(node.cells) > len(card.fields):
            self.report.add(
                say.too_many_fields(node.cells[len(card.fields)].span, card.name.text, len(card.fields), card.name.span)
            )
        for cell, item in zip(node.cells, card.fields, strict=False):
            self.expect(cell, scope, self.field_kind(item), f"the field `{item.name.text}`")
        return k.FLAG

    def _prefix(self, node: n.Prefix, scope: Scope) -> Kind:
        inner = self.elements(node.value, scope)
        if node.word == "size":
            return k.NUMBER
        return inner if node.word in ("first", "last") else k.several(inner)

    def _quantified(self, node: n.Quantified, scope: Scope) -> Kind:
        inside = scope.inner()
        for binder in node.binders:
            self.bind(binder, inside)
        if node.where is not None:
            self.condition(node.where, inside)
        value = self.numeric(node.value, inside) if node.value is not None else k.NUMBER
        if node.default is not None:
            self.expect(node.default, scope, value)
        match node.word:
            case "sum" | "most" | "least":
                return value
            case "count":
                return k.NUMBER
            case "all":
                return k.several(inside.kinds[node.binders[0].name.text])
            case _:
                return k.FLAG

    def _the(self, node: n.The, scope: Scope) -> Kind:
        inside = scope.inner()
        self.bind(node.binder, inside)
        if node.where is not None:
            self.condition(node.where, inside)
        for criterion in node.criteria:
            self.numeric(criterion.value, inside)
        found = inside.kinds[node.binder.name.text]
        if node.default is not None:
            self.expect(node.default, scope, k.several(found) if node.policy == "all" else found)
        return k.several(found) if node.policy == "all" else found
