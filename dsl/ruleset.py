"""A checked ruleset: what a correct file means. Symbols, kinds and components; ready to be lowered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.components import Made
from cambist.dsl.diagnostics import Diagnostic
from cambist.dsl.infer import Inferred
from cambist.dsl.source import SourceFile
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import descend

N = TypeVar("N")


@frozen
class CheckedRuleset:
    symbols: Symbols
    decls: tuple[n.Decl, ...]
    inferred: Inferred
    components: tuple[Made, ...]
    file: SourceFile
    texts: tuple[str, ...]  # of all files read
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def by_decl(self) -> tuple[tuple[Any, ...], ...]:
        """Of every declaration its nodes, each before what is below it."""
        return tuple(tuple(descend(decl)) for decl in self.decls)

    @cached_property
    def nodes(self) -> tuple[Any, ...]:
        """All of them: several checks go through them."""
        return tuple(chain.from_iterable(self.by_decl))

    @cached_property
    def by_kind(self) -> dict[type, list[Any]]:
        found: dict[type, list[Any]] = {}
        for node in self.nodes:
            found.setdefault(node.__class__, []).append(node)
        return found

    def of(self, *kinds: type[N]) -> list[N]:
        """The nodes of these classes."""
        return [node for kind in kinds for node in self.by_kind.get(kind, ())]

    @cached_property
    def noted(self) -> tuple[Any, ...]:
        """The nodes with notes."""
        kinds: set[Any] = {kind for kind in self.by_kind if hasattr(kind, "notes")}
        return tuple(node for node in self.nodes if node.__class__ in kinds and node.notes)

    @cached_property
    def with_fractions(self) -> tuple[n.Decl, ...]:
        """The declarations in which a number has a point: only such a one can be finer than its unit's step."""

        def has_one(nodes: Iterable[Any]) -> bool:
            return any(node.__class__ is n.Number and "." in node.value for node in nodes)

        return tuple(decl for decl, nodes in zip(self.decls, self.by_decl, strict=True) if has_one(nodes))

    @cached_property
    def shared(self) -> dict[str, Any]:
        """What one pass has found out and others ask for, too."""
        return {}

    @property
    def game(self) -> n.Game:
        return self.symbols.game

    @property
    def players(self) -> range:
        low, high = self.game.players or (2, 4)
        return range(low, high + 1)

    @property
    def options(self) -> dict[str, n.Option]:
        return {name: d for name, d in self.symbols.globals.items() if isinstance(d, n.Option)}

    @property
    def examples(self) -> tuple[n.Example, ...]:
        return tuple(d for d in self.decls if isinstance(d, n.Example))
