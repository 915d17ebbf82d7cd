"""Moves of components -> lines of Python. What is known beforehand of a zone (pile, row or bag, how much it holds) is
not asked at run time.
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.flow import Node
from cambist.interpreter.compiled.statements import STATEMENTS, Writer


def families(w: Writer, zone: p.Expr) -> list[p.ZoneFamily]:
    """The families a zone can be of: one if its number begins with a constant, else all."""
    every = list(w.e.program.zones)
    known = w.e.known(zone, w.scope)
    while known is None and isinstance(zone, p.EOp) and zone.op == "+":
        zone = zone.left
        known = w.e.known(zone, w.scope)
    if known is None:
        return every
    return [f for f in every if f.base <= known < f.base + f.count] or every


def laid(w: Writer, to: p.Expr, end: str, target: str, z: str, one: str = "") -> list[str]:
    """`moved` (or the component `one`) into the zone `target`, number `z`."""
    kinds = {f.order for f in families(w, to)}
    if kinds == {"bag"}:
        return [f"{target} = sorted([*{target}, {one}])" if one else f"{target} = sorted({target} + moved)"]
    if "bag" in kinds or (not end and "pile" in kinds and len(kinds) > 1):
        return [f"{target} = laid({target}, {f'[{one}]' if one else 'moved'}, ORDER[{z}], {end!r})"]
    if end == "start" or (not end and kinds == {"pile"}):
        return [f"{target} = [{one}, *{target}]" if one else f"{target} = moved + {target}"]
    return [f"{target} = [*{target}, {one}]" if one else f"{target} = {target} + moved"]


def full(w: Writer, to: p.Expr, target: str, z: str) -> list[str]:
    limits = {f.capacity for f in families(w, to)}
    if limits == {-1}:
        return []
    return [f"if 0 <= CAPACITY[{z}] < len({target}): raise Failed('zone_full', {w.place}, {z})"]


def _moved(w: Writer, z: str) -> list[str]:
    """Tell who comes from where, before anything is changed."""
    where = w.e.layout.where
    if not w.told:
        return []
    return [
        "if X.log is not None:",
        f" come = tuple([c for c in moved if S[{where} + c] != {z}])",
        f" if come: X.log.append(Moved(come, tuple([S[{where} + c] for c in come]), {z}, AT[{w.place}]))",
    ]


def _move(w: Writer, one: p.IMove, node: Node) -> list[str]:
    zones, where = w.e.layout.zones, w.e.layout.where
    number = w.e.known(one.to, w.scope)
    z = "z" if number is None else str(number)
    target = f"S[{zones} + z]" if number is None else f"S[{zones + number}]"
    lines = [f"z = {w.text(one.to)}"] if number is None else []
    if one.single:
        lines += [f"c = {w.text(one.what)}", f"a = S[{where} + c]"]
        if w.told:
            lines += [
                f"if a != {z} and X.log is not None: X.log.append(Moved((c,), (a,), {z}, AT[{w.place}]))",
            ]
        lines += [f"lying = S[{zones} + a][:]", "lying.remove(c)", f"S[{zones} + a] = lying"]
        lines += [*laid(w, one.to, one.end, target, z, "c"), f"S[{where} + c] = {z}"]
        return lines + full(w, one.to, target, z)
    if isinstance(one.what, p.EContents):
        source = w.e.cell(zones, one.what.zone, w.scope)
        lines += [f"moved = {source}", f"if moved and S[{where} + moved[0]] != {z}:"]
        inner = [*_moved(w, z), f"{source} = []"]
    else:
        lines += [f"moved = {w.text(one.what)}", "if moved:"]
        if w.told:
            inner = ["moved = once(moved)", *_moved(w, z), f"taken(S, moved, {zones}, {where})"]
        else:
            inner = [f"moved = taken(S, moved, {zones}, {where})"]
    inner += [f"for c in moved: S[{where} + c] = {z}", *laid(w, one.to, one.end, target, z)]
    return [*lines, *(f" {line}" for line in [*inner, *full(w, one.to, target, z)])]


def _draw(w: Writer, one: p.IDrawTop, node: Node) -> list[str]:
    zones, where = w.e.layout.zones, w.e.layout.where
    number = w.e.known(one.to, w.scope)
    z = "z" if number is None else str(number)
    target = f"S[{zones} + z]" if number is None else f"S[{zones + number}]"
    source = w.e.cell(zones, one.source, w.scope)
    lines = [f"wanted = {w.text(one.count)}", f"pile = {source}"]
    lines += [f"z = {w.text(one.to)}"] if number is None else []
    if one.fill:
        lines += [f"wanted -= len({target})", "if wanted > len(pile): wanted = len(pile)"]
    else:
        lines += [f"if wanted > len(pile): raise Failed('too_few', {w.place}, wanted, len(pile))"]
    inner = ["moved = pile[:wanted]", *_moved(w, z), f"{source} = pile[wanted:]"]
    inner += [f"for c in moved: S[{where} + c] = {z}", *laid(w, one.to, one.end, target, z)]
    return [*lines, "if wanted > 0:", *(f" {line}" for line in [*inner, *full(w, one.to, target, z)])]


STATEMENTS[p.IMove] = _move
STATEMENTS[p.IDrawTop] = _draw
