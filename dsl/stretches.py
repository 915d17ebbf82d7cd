"""`0..200 by 10`, where spaces of a track are written: the numbers it stands for, or what is wrong with it."""

from __future__ import annotations

from decimal import Decimal

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Diagnostic
from cambist.dsl.source import Span

MOST_SPACES = 1_000


def stretch(low: n.Number, high: n.Number, by: n.Number | None, span: Span) -> tuple[n.Number, ...] | Diagnostic:
    """Each a number of its own, whose place is the whole stretch."""
    first, last, step = Decimal(low.value), Decimal(high.value), Decimal(1 if by is None else by.value)
    if step <= 0 and by is not None:
        return say.no_way_forward(by.span, by.value)
    if last < first:
        return say.bad_range(low.span.to(high.span), low.value, high.value)
    count = int((last - first) / step) + 1
    if count > MOST_SPACES:
        return say.too_many(span, "spaces", count, MOST_SPACES)
    return tuple(n.Number(format(first + step * number, "f"), span) for number in range(count))


def is_in_a_stretch(number: n.Number) -> bool:
    """Whether it is not written itself."""
    return ".." in number.span.text
