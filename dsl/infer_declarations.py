"""Declarations: what they are of, how they begin, whether their numbers can be. A part of infer.py's pass."""

from __future__ import annotations

from fractions import Fraction

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.infer_expressions import ExpressionInferer
from cambist.dsl.infer_names import Instance
from cambist.dsl.scopes import Scope
from cambist.dsl.unparse_expressions import text
from cambist.dsl.walk import descend

ORDERS = ("pile", "queue", "row", "bag")
LARGEST_KEY = 10_000


class DeclarationInferer(ExpressionInferer):
    singles: dict[int, Instance]

    def _single(self, decl: n.Decl) -> None:
        self.current = self.singles[id(decl)] = Instance((decl.span.text, ()), decl)

    def declaration(self, decl: n.Decl) -> None:
        self._single(decl)
        scope = Scope()
        match decl:
            case n.Card():
                self._no_name_twice([item.name for item in decl.fields])
                for item in decl.fields:
                    self._field(item)
            case n.Unit():
                if Fraction(decl.step) <= 0 or (1 / Fraction(decl.step)).denominator != 1:
                    self.report.add(say.bad_step(decl.step_span, decl.step))
                self._unit_kinds(decl)
            case n.Zone():
                self._owners(decl)
                if decl.order.text not in ORDERS:
                    self.report.add(say.unknown_name(decl.order.span, decl.order.text, ORDERS))
                if decl.capacity is not None:
                    self.expect(decl.capacity, scope, k.NUMBER)
                    self._fixed(decl.capacity)
                self._seen(decl.seen, bool(decl.owners))
            case n.Deck():
                for name in decl.cards:
                    if self.symbols.card(name.text) is None:
                        cards = [c for c, d in self.symbols.globals.items() if isinstance(d, n.Card)]
                        hint = f"declare it, for example `card {name.text}: value: number`"
                        self.report.add(say.unknown_name(name.span, name.text, cards, hint))
                    self.used.add(name.text)
                self._seen(decl.seen, False)
            case n.Account():
                self._owners(decl)
                self._account(decl, scope)
            case n.Variable():
                self._owners(decl)
                kind = self.kind_named(decl.kind)
                if decl.start is not None:
                    self.expect(decl.start, scope, kind)
                self._seen(decl.seen, bool(decl.owners))
            case n.Track():
                self._owners(decl)
                self._track(decl)
            case n.Option():
                self._option(decl)
            case n.Table():
                self._table(decl)
            case _:
                pass

    def _unit_kinds(self, decl: n.Unit) -> None:
        """`unit gold of each color`: of one enum."""
        enums = [name for name, d in self.symbols.globals.items() if isinstance(d, n.Enum)]
        for owner in decl.owners:
            self.used.add(owner.text)
            if self.symbols.enum(owner.text) is None or owner is not decl.owners[0]:
                self.report.add(say.unknown_name(owner.span, owner.text, enums, "a unit is of each member of one enum"))

    def _owners(self, decl: n.Zone | n.Account | n.Variable | n.Track) -> None:
        for owner in decl.owners:
            self.owner_kind(owner)

    def _no_name_twice(self, names: list[n.Name]) -> None:
        seen: dict[str, n.Name] = {}
        for name in names:
            first = seen.setdefault(name.text, name)
            if first is not name:
                self.report.add(say.declared_twice(name.span, name.text, first.span))

    def _field(self, item: n.Field) -> None:
        kind = self.field_kind(item)
        inner = kind.of if item.several and kind.of is not None else kind
        if inner.word not in ("number", "flag", "enum", "amount", "unknown"):
            self.report.add(
                say.wrong_kind(item.kind.span, "what can be printed on a card", str(kind), "a number or an enum")
            )
        first = self.symbols.fields[item.name.text][0][1]
        if first.several != item.several:
            wanted = self.field_kind(first)
            self.report.add(say.wrong_kind(item.kind.span, str(wanted), str(kind), "as on the other card"))

    def _seen(self, seen: n.Seen, owned: bool) -> None:
        allowed = ("all", "nobody", "owner") if owned else ("all", "nobody")
        if seen.by not in allowed:
            self.report.add(say.bad_viewer(seen.span, seen.by, owned))

    def _account(self, decl: n.Account, scope: Scope) -> None:
        units = [name for name, d in self.symbols.globals.items() if isinstance(d, n.Unit)]
        if decl.unit is None and len(units) > 1:
            self.report.add(say.which_unit(decl.name.span, decl.name.text, units))
        unit = self.unit_of(decl.unit)
        kinds = self.symbols.unit_kinds(unit)
        if kinds and [owner.text for owner in decl.owners].count(kinds) != 1:
            self.report.add(say.which_unit(decl.name.span, decl.name.text, (unit,), kinds))
        if decl.start is not None:
            self.expect(decl.start, scope, k.amount(unit))
        self._seen(decl.seen, bool(decl.owners))

    def _fixed(self, value: n.Expr) -> None:
        """Known before the game begins: made of numbers, options and what the number of players decides."""
        match value:
            case n.Number() | n.Prefix(word="size", value=n.Ref(name="players")):
                return
            case n.Ref() if isinstance(self.symbols.globals.get(value.name), (n.Option, n.Table)):
                return
            case n.Binary(op="+" | "-" | "*"):
                self._fixed(value.left)
                self._fixed(value.right)
            case _:
                self.report.add(say.not_fixed(value.span))

    def _track(self, decl: n.Track) -> None:
        if decl.unit is not None:
            self.unit_of(decl.unit)
        seen: dict[Fraction, n.Number] = {}
        for value in decl.values:
            first = seen.setdefault(Fraction(value.value), value)
            if first is not value:
                self.report.add(say.declared_twice(value.span, value.value, first.span, "write each space once"))
        self._no_name_twice([band.name for band in decl.bands])
        ends = [x for band in decl.bands for x in (band.low, band.high)]
        for item in [decl.start, *ends] if decl.start is not None else ends:
            if Fraction(item.value) not in seen:
                self.report.add(say.not_on_the_track(item.span, item.value, decl.name.text))
        self._starts(decl, set(seen))

    def _on_the_track(self, decl: n.Decl | None, value: n.Expr) -> None:
        """A marker that is set onto a number which is written out."""
        if isinstance(decl, n.Track) and isinstance(value, n.Number):
            if Fraction(value.value) not in {Fraction(space.value) for space in decl.values}:
                self.report.add(say.not_on_the_track(value.span, value.value, decl.name.text))

    def _starts(self, decl: n.Track, spaces: set[Fraction]) -> None:
        """What a sheet says: each marker of the family at most once, on a space that there is."""
        told: dict[tuple[str, ...], n.Name] = {}
        for names, value in decl.starts:
            if len(names) != len(decl.owners):
                owners = [owner.text for owner in decl.owners]
                name = decl.name
                self.report.add(say.wrong_number_of_owners(names[-1].span, name.text, owners, len(names), name.span))
                return
            for name, owner in zip(names, decl.owners, strict=True):
                enum = self.symbols.enum(owner.text)
                members = [m.text for m in enum.members] if enum is not None else []
                if name.text not in members:
                    self.report.add(say.unknown_name(name.span, name.text, members))
            if Fraction(value.value) not in spaces:
                self.report.add(say.not_on_the_track(value.span, value.value, decl.name.text))
            first = told.setdefault(tuple(name.text for name in names), names[-1])
            if first is not names[-1]:
                self.report.add(say.declared_twice(names[-1].span, names[-1].text, first.span, "write each once"))

    def _option(self, decl: n.Option) -> None:
        if decl.low is not None and decl.high is not None:
            for item in (decl.low, decl.high, decl.default):
                if isinstance(item, n.Number) and Fraction(item.value).denominator != 1:
                    self.report.add(say.does_not_fit_step(item.span, item.value, ""))
            if int(Fraction(decl.low.value)) > int(Fraction(decl.high.value)):
                self.report.add(say.bad_range(decl.low.span.to(decl.high.span), decl.low.value, decl.high.value))
                return
        first = decl.values[0] if len(decl.values) == 1 else None
        if first is not None and isinstance(decl.default, (n.Truth, n.Number)):
            self.report.add(say.not_a_range(first.span, decl.name.text, isinstance(decl.default, n.Truth)))
            return
        self.option_value(decl, decl.default)
        for condition in decl.conditions:
            self._condition(decl, condition)

    def _condition(self, decl: n.Option, condition: n.Condition) -> None:
        """Made of options and plain values: it is asked before a game begins."""
        match condition.when:
            case None:
                pass
            case n.Between(low=low, high=high):
                self.option_value(decl, low)
                self.option_value(decl, high)
            case one:
                self.option_value(decl, one)
        options = [name for name, d in self.symbols.globals.items() if isinstance(d, n.Option)]
        odd = settings.not_plain(condition.test)
        if isinstance(odd, n.Number):
            self.report.add(say.does_not_fit_step(odd.span, odd.value, ""))
            return
        if odd is not None:
            self.report.add(say.not_about_options(odd.span, f"`{text(odd)}`", options))
            return
        for node in descend(condition.test):
            if isinstance(node, n.Ref) and not isinstance(self.symbols.globals.get(node.name), n.Option):
                enum = self.symbols.members.get(node.name)
                if enum is None and node.name in self.symbols.names():
                    self.report.add(say.not_about_options(node.span, f"`{node.name}`", options))
                    return
                if enum is None:
                    known = [
                        *options,
                        *(v.text for d in self.symbols.globals.values() if isinstance(d, n.Option) for v in d.values),
                    ]
                    self.report.add(say.unknown_name(node.span, node.name, known))
                    return
        self.condition(condition.test, Scope())

    def option_value(self, option: n.Option, value: n.Expr) -> None:
        """Whether an option may have this value."""
        if option.low is not None and option.high is not None:
            low, high = int(Fraction(option.low.value)), int(Fraction(option.high.value))
            if not isinstance(value, n.Number) or not low <= Fraction(value.value) <= high:
                shown = value.value if isinstance(value, n.Number) else f"`{text(value)}`"
                self.report.add(say.bad_option(value.span, option.name.text, shown, f"{low} to {high}"))
        else:
            names = [v.text for v in option.values]
            fits = isinstance(value, n.Ref) and value.name in names if names else isinstance(value, n.Truth)
            if not fits:
                known = names or ["yes", "no"]
                shown = f"`{text(value)}`"
                self.report.add(say.bad_option(value.span, option.name.text, shown, ", ".join(known), known))

    def _table(self, decl: n.Table) -> None:
        if decl.by is not None and decl.by.text != "players":
            self.report.add(say.unknown_name(decl.by.span, decl.by.text, ("players",)))
        seen: dict[int, n.Number] = {}
        for place, (key, value) in enumerate(decl.entries):
            number = place if key is None else int(Fraction(key.value))
            shown = value if key is None else key
            if not 0 <= number <= LARGEST_KEY or (key is not None and Fraction(key.value).denominator != 1):
                self.report.add(say.bad_key(shown.span, shown.value, LARGEST_KEY))
            elif number in seen:
                first = seen[number].span
                self.report.add(say.declared_twice(shown.span, str(number), first, "write each entry once"))
            else:
                seen[number] = shown
        if decl.by is not None and self.symbols.game.players is not None:
            low, high = self.symbols.game.players
            missing = [count for count in range(low, min(high, 16) + 1) if count not in seen]
            if missing:
                self.report.add(say.table_without_entry(decl.name.span, decl.name.text, missing[0]))
