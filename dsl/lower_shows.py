"""A `show` -> functions for its rows and columns, called with the owner, a row's thing and a column's thing."""

from __future__ import annotations

import attrs

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.lower_statements import FunctionWorld


def lower_show(lowering: FunctionWorld, decl: n.Show) -> p.Show:
    instance = lowering.ruleset.inferred.singles[id(decl)]
    owner = (decl.player.text,) if decl.player is not None else ()

    def function(value: n.Expr, params: tuple[str, ...]) -> int:
        made = lowering.make_function(decl.name.text, params, value, instance, decl.notes, decl)
        if instance.of(value).word == "zone":
            made = attrs.evolve(made, value=p.EContents(made.value))
        return lowering.add_function(made)

    def things(binder: n.Binder | None) -> tuple[int, p.Meaning | None]:
        """A function that gives the things of rows or columns, and how one of them is written."""
        if binder is None:
            return -1, None
        if binder.source is None:
            everybody = p.Function(
                "players", len(owner), len(owner), p.EList(tuple(range(lowering.players))), p.At(decl.span)
            )
            return lowering.add_function(everybody), p.Meaning("player")
        member = k.element(instance.of(binder.source)) or k.UNKNOWN
        return function(binder.source, owner), lowering.meaning(member)

    def column(shown: n.Shown) -> p.Shown:
        binders = [b for b in (decl.rows, shown.each) if b is not None]
        params = (*owner, *(b.name.text for b in binders))
        each, heading = things(shown.each)
        value = lowering.meaning(instance.of(shown.value))
        return p.Shown(shown.name.text, function(shown.value, params), value, each, heading)

    rows, meaning = things(decl.rows)
    columns = tuple(column(shown) for shown in decl.columns)
    instead = tuple(name.text for name in decl.instead)
    return p.Show(decl.name.text, bool(owner), rows, meaning, columns, instead, decl.seen.by)
