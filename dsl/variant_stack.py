"""Variants that are stacked: `variant both of money with rich, quick after rich`. Do they fit each other?

In: the trees of the stacked variants in their order. Two that touch the same part need an order that is written down,
since it decides what comes out; the places of both are told. Different lines of one rule, and different cards of one
deck, are different parts.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import Span
from cambist.dsl.unparse_expressions import thing
from cambist.dsl.variants import Part, changed_part

WHOLE = frozenset(("",))


@frozen
class Touch:
    part: Part
    places: frozenset[str]  # where in it; WHOLE for all of it
    span: Span

    def meets(self, other: Touch) -> bool:
        if self.part != other.part:
            return False
        return any(_within(a, b) or _within(b, a) for a in self.places for b in other.places)


def _within(place: str, outer: str) -> bool:
    """`chip red` is within `chip`, and everything within the whole."""
    return not outer or f"{place} ".startswith(f"{outer} ")


def check_stack(stack: tuple[n.Stacked, ...], trees: dict[str, n.Tree], report: Report) -> None:
    """`trees`: of the variants in the stack that could be read, by their names."""
    before: dict[str, set[str]] = {}  # which others each comes after, directly or not
    touches: dict[str, list[Touch]] = {}
    for one in stack:
        name = one.name.text
        if name in before:
            report.add(say.cannot_be_stacked(one.span, name, "it is named twice", "name it once"))
            continue
        before[name] = set()
        if one.after is not None and one.after.text not in touches:
            why = f"it is to come after `{one.after.text}`, which does not stand before it"
            report.add(say.cannot_be_stacked(one.after.span, name, why, f"name `{one.after.text}` first"))
        elif one.after is not None:
            before[name] = {one.after.text, *before[one.after.text]}
        touches[name] = list(_touches(trees[name])) if name in trees else []
        for other, theirs in touches.items():
            if other != name and other not in before[name]:
                _compare(other, theirs, name, touches[name], report)


def _compare(first: str, theirs: list[Touch], second: str, own: list[Touch], report: Report) -> None:
    told: set[Part] = set()
    for touch in own:
        met = next((t for t in theirs if t.meets(touch)), None)
        if met is not None and touch.part not in told:
            told.add(touch.part)
            report.add(say.both_change(touch.span, _said(touch.part), first, second, met.span))


def _said(part: Part) -> str:
    return {"rename": f"the name of `{part[1]}`", "head": f"the {part[1]}"}.get(part[0], f"`{part[1]}`")


def _touches(tree: n.Tree) -> Iterator[Touch]:
    """What a variant changes, by the names of the base; that something is added twice is told when it is added."""
    variant = tree.variant
    assert variant is not None
    old_names = {new.text: old.text for old, new in variant.renames}
    if variant.players is not None:
        yield Touch(("head", "players"), WHOLE, variant.players_span)
    for source in variant.sources:
        yield Touch(("head", f"source `{source.name.text}`"), WHOLE, source.span)
    for old, new in variant.renames:
        yield Touch(("rename", old.text), WHOLE, old.span.to(new.span))
    for change in tree.patches:
        for kind, name in changed_part(change):
            part = (kind, old_names.get(name, name)) if kind == "name" else (kind, name)
            yield Touch(part, _places(change), change.span)


def _places(change: n.Patch) -> frozenset[str]:
    if isinstance(change, n.Cards):
        return frozenset((thing(change.row.card, change.row.cells),))
    if not isinstance(change, n.Lines):
        return WHOLE
    if change.anchor is None:
        return frozenset((f"at {change.how}",))
    sides = (change.how,) if change.how in ("before", "after") else ("before", "after")
    return frozenset(f"{side} {change.anchor.text}" for side in sides)
