"""A whole file."""

from __future__ import annotations

from attrs import frozen

from cambist.dsl.nodes.declarations import (
    Account,
    Card,
    Deck,
    Define,
    Enum,
    Game,
    Option,
    Procedure,
    Property,
    Score,
    Show,
    Table,
    Track,
    Unit,
    Use,
    Variable,
    Whenever,
    Winner,
    Zone,
)
from cambist.dsl.nodes.examples import Example
from cambist.dsl.nodes.notes import span_field
from cambist.dsl.source import Span

Decl = (
    Game | Use | Enum | Card | Deck | Option | Table | Unit | Account | Variable | Track | Zone |
    Define | Procedure | Whenever | Score | Winner | Property | Show | Example
)  # fmt: skip


@frozen
class Tree:
    """One file."""

    decls: tuple[Decl, ...]
    span: Span = span_field()
