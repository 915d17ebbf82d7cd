"""Places, names and notes: what every node may carry."""

from __future__ import annotations

from attrs import field, frozen

from cambist.dsl.source import NOWHERE, Span


def span_field() -> Span:
    """Spans take no part in comparisons and do not clutter what is printed."""
    return field(eq=False, repr=False, default=NOWHERE)


@frozen
class Cite:
    source: str
    place: str  # a heading or `§4`
    span: Span = span_field()


@frozen
class Assumed:
    because: str
    per: str = ""
    others: tuple[str, ...] = ()  # alternatives, as written
    span: Span = span_field()


@frozen
class Erratum:
    wrong: str
    because: str
    span: Span = span_field()


Note = Cite | Assumed | Erratum
Notes = tuple[Note, ...]


@frozen
class Name:
    text: str
    span: Span = span_field()
