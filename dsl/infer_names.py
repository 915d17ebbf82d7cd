"""Names and what they stand for, locals first; what is found of a rule is an `Instance`. A part of infer.py's pass."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.kinds import Kind
from cambist.dsl.messages.registry import nearest
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES, Symbols
from cambist.dsl.words import RESERVED

Key = tuple[str, tuple[Kind, ...]]
SIGNS = frozenset("+-*/")


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


class NameInferer:
    """What names mean, locals first, and what every part of the pass asks of an expression."""

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

    def _expr(self, node: n.Expr, scope: Scope) -> Kind:
        """The kind of an expression: infer_expressions.py finds it."""
        raise NotImplementedError

    # ---- helpers

    def expr(self, node: n.Expr, scope: Scope) -> Kind:
        kind = self._expr(node, scope)
        self.current.kinds[id(node)] = kind
        return kind

    def value(self, node: n.Expr, scope: Scope) -> Kind:
        return k.as_value(self.expr(node, scope))

    def expect(self, node: n.Expr, scope: Scope, wanted: Kind, why: str = "", help: str = "") -> Kind:
        found = self._wanted(node, scope, wanted)
        if found.word == "amount" and wanted == k.NUMBER:
            self.report.add(say.wrong_kind(node.span, str(wanted), str(found), why))
        elif not k.agree(found, wanted):
            self.report.add(say.wrong_kind(node.span, str(wanted), str(found), why, help))
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
            one_of_many = isinstance(node, n.The) and not node.policy
            told = say.only_one_of_the_tied if one_of_many else say.not_a_list
            self.report.add(told(node.span, str(found)))
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
        hint = self._nobody_yet(name) if len(name) == 1 else ""
        self.report.add(say.unknown_name(node.span, name, self.known | scope.names(), hint))
        return k.UNKNOWN

    def _nobody_yet(self, name: str) -> str:
        """How a name for one of several comes to stand for somebody, where nothing above could say so."""
        if self.in_example:
            return f"name the players first: `given player {name}`"
        if self.in_law:
            return f"say of whom: `every {name} where …`, `sum of … for {name} in players`"
        return ""

    def call(self, span: Span, name: str, args: tuple[Kind, ...], declared: Span | None) -> Kind:
        raise NotImplementedError  # infer.py

    def unknown_call(self, span: Span, name: str, known: Mapping[str, int], given: int) -> None:
        """Told with what can be called instead (by name, with how many arguments): not what is running already, and
        for certain only what takes as many."""
        others = {other: wanted for other, wanted in known.items() if other not in self.running}
        fitting = {other for other, wanted in others.items() if wanted == given}
        self.report.meant |= {nearest(name, others)}
        self.report.add(say.unknown_name(span, name, others, fitting=fitting))

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
            help = self._by_field(node, owner, scope) if isinstance(node, n.Dot) and arg is node.owner else ""
            self.expect(arg, scope, self.owner_kind(owner), f"`{decl.name.text}` is of each {owner.text}", help)
        for extra in args[len(decl.owners) :]:
            self.expr(extra, scope)
        return self.thing_kind(decl)

    def _by_field(self, node: n.Dot, owner: n.Name, scope: Scope) -> str:
        """What to write for `c.price` where a field of the card c is what has the price; a card may have none such."""
        card = self.value(node.owner, scope)
        if card.word != "card":
            return ""
        ways = [
            name
            for name, found in self.symbols.fields.items()
            if any(f.kind.text == owner.text and not f.several and card.name in ("", c.name.text) for c, f in found)
        ]
        return f"write `{node.owner.span.text}.{ways[0]}.{node.name.text}`" if len(ways) == 1 else ""

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
            hint = self._called(node)
            if found is not None and k.element(owner) is not None:
                hint = f"for one of them: `(first of …).{name}`; for all: `sum of c.{name} for c in …`"
            self.report.add(
                say.unknown_field(node.name.span, name, self._shown(node.owner, scope), self._dots_of(owner), hint)
            )
            return k.UNKNOWN
        if owner.name and not any(c.name.text == owner.name for c, _ in found):
            self.report.add(
                say.unknown_field(node.name.span, name, self._shown(node.owner, scope), self._dots_of(owner))
            )
            return k.UNKNOWN
        self.used.add(name)
        return self.field_kind(found[0][1])

    def _called(self, node: n.Dot) -> str:
        """What to write for `p.riches` where `riches(p)` is defined."""
        decl = self.symbols.globals.get(node.name.text)
        args = (node.owner, *node.args)
        if not isinstance(decl, n.Define) or len(decl.params) != len(args):
            return ""
        self.used.add(node.name.text)
        return f"write `{node.name.text}({', '.join(arg.span.text for arg in args)})`"

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
