"""What becomes of a module's declarations in the ruleset that uses it: which of them come along, what can take the part
of a stand-in, and `module.name` as one name. Trees only; imports.py finds the files and does it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_
from typing import Any

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.source import Span
from cambist.dsl.walk import PLAIN, READERS, open_fields, used_names

Thing = (
    n.Enum
    | n.Card
    | n.Deck
    | n.Zone
    | n.Account
    | n.Variable
    | n.Track
    | n.Define
    | n.Procedure
    | n.Table
    | n.Unit
    | n.Option
)

KINDS = {
    n.Enum: "an enum",
    n.Card: "a card",
    n.Deck: "a deck",
    n.Zone: "a zone",
    n.Account: "an account",
    n.Variable: "a variable",
    n.Track: "a track",
    n.Define: "a definition",
    n.Procedure: "a procedure",
    n.Table: "a table",
    n.Unit: "a unit",
    n.Option: "an option",
}


def things(decls: Iterable[n.Decl]) -> dict[str, Thing]:
    """What has a name that rules can use, by that name."""
    return {d.name.text: d for d in decls if isinstance(d, Thing) and d.name.text not in ("setup", "play")}


def takes_part(found: n.Decl, stand_in: n.Decl) -> bool:
    zones = (n.Zone, n.Deck)
    return type(found) is type(stand_in) or (isinstance(found, zones) and isinstance(stand_in, zones))


def noted(decl: n.Decl, notes: n.Notes) -> n.Decl:
    """A module's rule holds in a game for the reason the game gives where it uses the module."""
    return decl if decl.notes or not notes else attrs.evolve(decl, notes=notes)


def is_kept(decl: n.Decl, offered: set[str], needs: set[str], known: set[str]) -> bool:
    """Offered things come along, and laws and triggers that speak of nothing else."""
    if isinstance(decl, (n.Property, n.Whenever)):
        return used_names(decl) & known <= offered | needs
    return isinstance(decl, Thing) and decl.name.text in offered


def qualify(node: Any, modules: dict[str, set[str]]) -> Any:
    """`module.name(p, i)` is one name with a dot in it, where `module` is one that is used; the rest stays as it is."""
    kind = node.__class__
    if kind is tuple:
        items = [item if item.__class__ in STAYING else qualify(item, modules) for item in node]
        return node if all(map(is_, node, items)) else tuple(items)
    if isinstance(node, n.Dot) and isinstance(node.owner, n.Ref) and node.owner.name in modules:
        full = n.Name(f"{node.owner.name}.{node.name.text}", node.span if not node.args else node.name.span)
        args = tuple(qualify(a, modules) for a in node.args)
        return n.Call(full, args, node.span) if args else n.Ref(full.text, node.span)
    read = READERS[kind]
    if read is None:
        return node
    changes = {}
    for place, value in enumerate(read(node)):
        if value and value.__class__ not in STAYING:
            name = open_fields(kind)[place]
            new = qualify(value, modules) if name != "notes" else value
            if new is not value:
                changes[name] = new
    return attrs.evolve(node, **changes) if changes else node


STAYING = PLAIN | {Span, n.Name, n.Ref, n.Number, n.Cite, n.Assumed, n.Erratum}
"""Kinds of nodes in which no such name can stand."""
