"""The pass that gives kinds, with an eye on one name that nobody has: what would it have to be? See suggest.py."""

from __future__ import annotations

from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.accepting import MARK
from cambist.dsl.diagnostics import Report
from cambist.dsl.infer import Inferer
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.symbols import Symbols


@define
class Sought:
    """What the pass was looking for when it met the mark."""

    wanted: Kind | None = None
    locals: dict[str, Kind] = field(factory=dict)
    owner: Kind | None = None  # behind a dot: of what
    module: str = ""  # behind a dot: of which module
    role: str = ""  # value, procedure, settable, pattern, owner, kind, unit, card, zone


class Probe(Inferer):
    """The pass that gives kinds, with an eye on one name."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols, Report())
        self.sought: Sought | None = None
        self.pattern_of: Kind = k.UNKNOWN

    def met(self, role: str, scope: Scope | None = None, **more: Kind | str) -> None:
        seen = {name: kind for name in (scope.names() if scope else ()) if (kind := scope.kind(name)) is not None}  # type: ignore[union-attr]
        found = Sought(role=role, locals=seen, **more)  # type: ignore[arg-type]
        if self.sought is None or (self.sought.wanted is None and found.wanted is not None):
            self.sought = found

    def _is_mark(self, node: object) -> bool:
        return isinstance(node, n.Ref) and node.name == MARK

    def ref(self, node: n.Ref, scope: Scope) -> Kind:
        if node.name == MARK:
            self.met("value", scope)
            return k.UNKNOWN
        if node.name.endswith(f".{MARK}"):
            self.met("value", scope, module=node.name.removesuffix(f".{MARK}"))
            return k.UNKNOWN
        return super().ref(node, scope)

    def _wanted(self, node: n.Expr, scope: Scope, wanted: Kind) -> Kind:
        if self._is_mark(node):
            self.met("value", scope, wanted=wanted)
        return super()._wanted(node, scope, wanted)

    def condition(self, node: n.Expr, scope: Scope) -> None:
        if self._is_mark(node):
            self.met("value", scope, wanted=k.FLAG)
        super().condition(node, scope)

    def numeric(self, node: n.Expr, scope: Scope) -> Kind:
        if self._is_mark(node):
            self.met("value", scope, wanted=k.NUMBER)
        return super().numeric(node, scope)

    def elements(self, node: n.Expr, scope: Scope) -> Kind:
        if self._is_mark(node):
            self.met("value", scope, wanted=k.several(k.UNKNOWN))
        return super().elements(node, scope)

    def place(self, node: n.Expr, scope: Scope) -> None:
        if self._is_mark(node):
            self.met("value", scope, wanted=k.ZONE)
        super().place(node, scope)

    def purse(self, node: n.Expr, scope: Scope) -> Kind:
        if self._is_mark(node):
            self.met("value", scope, wanted=k.account(""))
        return super().purse(node, scope)

    def target(self, node: n.Expr, scope: Scope) -> Kind:
        if self._is_mark(node):
            self.met("settable", scope, wanted=k.UNKNOWN)
        return super().target(node, scope)

    def run_target(self, node: n.Expr, scope: Scope) -> tuple[Kind, ...]:
        if self._is_mark(node) or (isinstance(node, n.Call) and node.name.text == MARK):
            self.met("procedure", scope, wanted=k.UNKNOWN)
        elif isinstance(node, n.Ref) and node.name.endswith(f".{MARK}"):
            self.met("procedure", scope, module=node.name.removesuffix(f".{MARK}"))
        return super().run_target(node, scope)

    def dot(self, node: n.Dot, scope: Scope) -> Kind:
        if node.name.text == MARK:
            self.met("member", scope, owner=self.value(node.owner, scope))
            return k.UNKNOWN
        return super().dot(node, scope)

    def _is(self, node: n.Is, scope: Scope) -> Kind:
        if node.name.text == MARK:
            self.pattern_of = self.expr(node.value, scope)
            self.met("pattern", scope, wanted=self.pattern_of)
            return k.FLAG
        return super()._is(node, scope)

    def owner_kind(self, name: n.Name) -> Kind:
        if name.text == MARK:
            self.met("owner")
        return super().owner_kind(name)

    def kind_named(self, name: n.KindName) -> Kind:
        if name.name.text == MARK:
            self.met("kind")
        return super().kind_named(name)

    def unit_of(self, name: n.Name | None) -> str:
        if name is not None and name.text == MARK:
            self.met("unit")
        return super().unit_of(name)

    def _thing(self, thing: n.Thing) -> None:
        if thing.card.text == MARK:
            self.met("card")
        for cell in thing.cells:
            if self._is_mark(cell):
                card = self.symbols.card(thing.card.text)
                at = thing.cells.index(cell)
                if card is not None and at < len(card.fields):
                    self.met("value", Scope(), wanted=self.field_kind(card.fields[at]))
        super()._thing(thing)

    def choose(self, node: n.Choose, scope: Scope) -> None:
        if self._is_mark(node.who):
            self.met("value", scope, wanted=k.PLAYER)
        super().choose(node, scope)
