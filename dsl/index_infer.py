"""The pass that gives kinds, which notes each name as it looks it up: infer.py is the pass, index.py what it is for."""

from __future__ import annotations

from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.index_notes import Definition, Uses
from cambist.dsl.infer import Inferer
from cambist.dsl.kinds import Kind
from cambist.dsl.scopes import Scope
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols


class Noting(Inferer):
    def __init__(self, symbols: Symbols, report: Report, uses: Uses) -> None:
        super().__init__(symbols, report)
        self.uses = uses
        self.inside: n.Decl | None = None

    # ---- what a name leads to

    def meant(self, name: str, scope: Scope | None = None) -> Definition | None:
        """The definition that a name stands for here, locals first."""
        if scope is not None and scope.find(name) is not None:
            return self._local(name, scope)
        enum = self.symbols.members.get(name)
        if enum is not None:
            return self.uses.of(next((m for m in enum.members if m.text == name), None))
        decl = self.symbols.globals.get(name) or self.symbols.procedures.get(name)
        found = getattr(decl, "name", None)
        return self.uses.of(found) if isinstance(found, n.Name) else None

    def _local(self, name: str, scope: Scope) -> Definition | None:
        span = scope.span(name)
        if span is not None:
            return self.uses.definitions.get((span.file.name, span.start))
        score = self.symbols.one(n.Score)  # `winner` knows the score and whose it is without making them
        if not isinstance(score, n.Score):
            return None
        return self.uses.of(score.player if name == score.player.text else n.Name("score", score.span))

    def declare(self, name: n.Name, kind: Kind, scope: Scope) -> None:
        super().declare(name, kind, scope)
        self.uses.define(name, "name", self.inside, local=True).may_be(kind)

    def note_results(self) -> None:
        """What definitions and procedures give, and what things are, once all is known."""
        for (name, _), instance in self.instances.items():
            decl = self.symbols.globals.get(name) or self.symbols.procedures.get(name)
            found = self.uses.of(decl.name) if isinstance(decl, (n.Define, n.Procedure)) else None
            if found is not None and len(instance.results) == 1:
                found.may_be(instance.results[0])
        for name, decl in self.symbols.globals.items():
            found = self.meant(name)
            if found is not None and not isinstance(decl, (n.Define, n.Enum)):
                found.may_be(self.thing_kind(decl))
            for item in decl.fields if isinstance(decl, n.Card) else ():
                printed = self.uses.of(item.name)
                if printed is not None:
                    printed.may_be(self.field_kind(item))

    # ---- where names are looked up

    def ref(self, node: n.Ref, scope: Scope) -> Kind:
        self.uses.note(node.span, self.meant(node.name, scope))
        return super().ref(node, scope)

    def call(self, span: Span, name: str, args: tuple[Kind, ...], declared: Span | None) -> Kind:
        self.uses.note(span, self.meant(name))
        return super().call(span, name, args, declared)

    def owned(self, node: n.Call | n.Dot, decl: n.Decl, args: tuple[n.Expr, ...], scope: Scope) -> Kind:
        self.uses.note(node.name.span, self.meant(node.name.text))
        return super().owned(node, decl, args, scope)

    def dot(self, node: n.Dot, scope: Scope) -> Kind:
        kind = super().dot(node, scope)
        owner = self.current.of(node.owner)
        if self.symbols.owned(node.name.text) is None or self.symbols.is_field(node.name.text, owner):
            found = self.symbols.fields.get(node.name.text, [])
            fitting = [item for card, item in found if not owner.name or card.name.text == owner.name]
            for item in fitting or [item for _, item in found]:
                self.uses.note(node.name.span, self.uses.of(item.name))
        return kind

    def _call(self, node: n.Call, scope: Scope) -> Kind:
        if node.name.text in self.symbols.procedures:
            self.uses.note(node.name.span, self.meant(node.name.text))
        return super()._call(node, scope)

    def _index(self, node: n.Index, scope: Scope) -> Kind:
        if isinstance(node.table, n.Ref):
            self.uses.note(node.table.span, self.meant(node.table.name, scope))
        return super()._index(node, scope)

    def _is_card(self, node: n.Is, card: n.Card, value: Kind, scope: Scope) -> Kind:
        self.uses.note(node.name.span, self.uses.of(card.name))
        return super()._is_card(node, card, value, scope)

    def band(self, node: n.Is) -> n.Band | None:
        found = super().band(node)
        if found is not None:
            self.uses.note(node.name.span, self.uses.of(found.name))
        return found

    def owner_kind(self, name: n.Name) -> Kind:
        self.uses.note(name.span, self.meant(name.text))
        return super().owner_kind(name)

    def kind_named(self, name: n.KindName) -> Kind:
        self.uses.note(name.name.span, self.meant(name.name.text))
        return super().kind_named(name)

    def unit_of(self, name: n.Name | None) -> str:
        if name is not None:
            self.uses.note(name.span, self.meant(name.text))
        return super().unit_of(name)

    def run_target(self, node: n.Expr, scope: Scope) -> tuple[Kind, ...]:
        if isinstance(node, n.Ref):
            self.uses.note(node.span, self.meant(node.name))
        elif isinstance(node, n.Call):
            self.uses.note(node.name.span, self.meant(node.name.text))
        return super().run_target(node, scope)

    def _reveal(self, node: n.Reveal, scope: Scope) -> None:
        if isinstance(node.zone, n.Ref):
            self.uses.note(node.zone.span, self.meant(node.zone.name, scope))
        super()._reveal(node, scope)

    def option_value(self, option: n.Option, value: n.Expr) -> None:
        if isinstance(value, n.Ref):
            self.uses.note(value.span, self.meant(value.name))
        super().option_value(option, value)

    def _thing(self, thing: n.Thing) -> None:
        self.uses.note(thing.card.span, self.meant(thing.card.text))
        super()._thing(thing)

    # ---- declarations

    def declaration(self, decl: n.Decl) -> None:
        self.inside = decl
        match decl:
            case n.Deck():
                for name in (*decl.cards, *(row.card for row in decl.rows)):
                    self.uses.note(name.span, self.meant(name.text))
                for row in decl.rows:
                    for cell in row.cells:
                        for item in cell.items if isinstance(cell, n.ListOf) else (cell,):
                            if isinstance(item, n.Ref):
                                self.uses.note(item.span, self.meant(item.name))
            case n.Unit():
                for owner in decl.owners:
                    self.uses.note(owner.span, self.meant(owner.text))
            case n.Track():
                for names, _ in decl.starts:
                    for name in names:
                        self.uses.note(name.span, self.meant(name.text))
            case _:
                pass
        super().declaration(decl)

    def other(self, decl: n.Decl) -> None:
        self.inside = decl
        match decl:
            case n.Whenever():
                self.uses.note(decl.zone.span, self.meant(decl.zone.text))
            case n.Show():
                for name in decl.instead:
                    self.uses.note(name.span, self.meant(name.text))
            case n.Example():
                for clause in decl.clauses:
                    for fact in clause.facts:
                        if isinstance(fact, n.WithOption):
                            self.uses.note(fact.name.span, self.meant(fact.name.text))
                    if clause.because is not None:
                        self.uses.note(clause.because.span, self.meant(clause.because.text))
            case _:
                pass
        super().other(decl)

    def _law_after(self, decl: n.Property, after: n.Name) -> None:
        self.inside = decl
        found = self.meant(after.text) if after.text in self.symbols.procedures else None
        if found is None:
            found = next(
                (d for d in self.uses.definitions.values() if d.what == "branch" and d.name == after.text), None
            )
        self.uses.note(after.span, found)
        super()._law_after(decl, after)
