"""A kind for every expression. A part of infer.py's pass; names are looked up by infer_names.py."""

from __future__ import annotations

from typing import assert_never

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.infer_names import NameInferer, param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS

ROUND_PRODUCT = "an amount times a rate is counted in whole units: add `rounded down` or `rounded up`"


class ExpressionInferer(NameInferer):
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
        known = {d: len(decl.params) for d, decl in self.symbols.globals.items() if isinstance(decl, n.Define)}
        self.unknown_call(node.name.span, name, known | BUILT_IN_FUNCTIONS, len(args))
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
