"""Local names while a rule is walked: parameters, `let`, binders, picks. Inner ones may not hide outer
ones."""

from __future__ import annotations

from attrs import define, field

from cambist.dsl.kinds import Kind
from cambist.dsl.source import Span


@define
class Scope:
    kinds: dict[str, Kind] = field(factory=dict)
    parent: Scope | None = None
    spans: dict[str, Span] = field(factory=dict)  # where each name was made

    def find(self, name: str) -> Scope | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.kinds:
                return scope
            scope = scope.parent
        return None

    def kind(self, name: str) -> Kind | None:
        scope = self.find(name)
        return None if scope is None else scope.kinds[name]

    def span(self, name: str) -> Span | None:
        scope = self.find(name)
        return None if scope is None else scope.spans.get(name)

    def inner(self) -> Scope:
        return Scope({}, self)

    def names(self) -> set[str]:
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found |= set(scope.kinds)
            scope = scope.parent
        return found
