"""Moves of components -> lines of Python. What is known beforehand of a zone (pile, row or bag, how much it holds) is
not asked at run time.

Nothing says where a component lies but the zones themselves. Where it comes from is guessed from the rules (the first
of a zone lies in that zone); if it is not there, all zones are looked through.
"""

from __future__ import annotations

import re

from cambist.dsl import program as p
from cambist.interpreter.compiled.packing import family_of
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.whereabouts import at_end, elsewhere, families_of, guess, untouched
from cambist.interpreter.compiled.writer import STATEMENTS, Writer

SIMPLE = re.compile(r"S\[\d+ \+ (S\[\d+\]|\w+)\]")  # the cell of a zone that takes no time to name


class Target:
    """The zone that components are moved to."""

    def __init__(self, w: Writer, to: p.Expr, end: str) -> None:
        zones = w.e.layout.zones
        self.w, self.end = w, end
        known = w.e.known(to, w.scope)
        self.cell = f"S[{zones + known}]" if known is not None else w.e.cell(zones, to, w.scope)
        self.number = w.text(to)
        self.before: list[str] = []
        family = family_of(w.e.program, p.EConst(known) if known is not None else to)
        self.packed = family in w.e.layout.packed
        self.families = families_of(w, to) if family is None else [w.e.program.zones[family]]
        if known is None and not SIMPLE.fullmatch(self.cell):
            self.before = [f"z = {self.number}"]
            self.number, self.cell = "z", f"S[{zones} + z]"

    @property
    def is_row(self) -> bool:
        """Whether what is moved here comes to the end, whichever zone it is."""
        kinds = {f.order for f in self.families}
        return (
            not self.packed and "bag" not in kinds and self.end != "start" and (self.end != "" or "pile" not in kinds)
        )

    @property
    def size(self) -> str:
        return f"{self.cell}.bit_count()" if self.packed else f"len({self.cell})"

    def laid(self, one: str = "", in_order: bool = False) -> list[str]:
        """`moved`, or the component `one`, into the zone. `in_order`: as a bag has them."""
        cell, end = self.cell, self.end
        if self.packed:
            return [f"{cell} |= BIT[{one}]" if one else f"{cell} |= mask_of(moved)", *self.full()]
        kinds = {f.order for f in self.families}
        if kinds == {"bag"}:
            lines = [
                f"lying = [*{cell}, {one}]" if one else f"lying = {cell} + moved",
                "lying.sort()",
                f"{cell} = lying",
            ]
            if in_order and not one:
                lines = [f"if {cell}:", *(f" {line}" for line in lines), f"else: {cell} = moved"]
        elif "bag" in kinds or (not end and "pile" in kinds and len(kinds) > 1):
            lines = [f"{cell} = laid({cell}, {f'[{one}]' if one else 'moved'}, ORDER[{self.number}], {end!r})"]
        elif end == "start" or (not end and kinds == {"pile"}):
            lines = [f"{cell} = [{one}, *{cell}]" if one else f"{cell} = moved + {cell}"]
        else:
            lines = [f"{cell} = [*{cell}, {one}]" if one else f"{cell} = {cell} + moved"]
        return [*lines, *self.full()]

    def full(self) -> list[str]:
        if {f.capacity for f in self.families} == {-1}:
            return []
        z = self.number
        return [f"if 0 <= CAPACITY[{z}] < {self.size}: raise Failed('zone_full', {self.w.place}, {z})"]


def _told(w: Writer, z: str, first: int, last: int) -> list[str]:
    """Tell who comes from where, before anything is changed."""
    if not w.told:
        return []
    return [
        "if X.log is not None:",
        f" pairs = [(c, a) for c, a in zip(moved, sources(S, moved, {first}, {last})) if a != {z}]",
        " if pairs:",
        "  who, whence = zip(*pairs)",
        f"  X.log.append(Moved(who, whence, {z}, AT[{w.place}], depths(S, who, whence, {first})))",
    ]


def _move(w: Writer, one: p.IMove, node: Node) -> list[str]:
    first, last = w.e.layout.zones, w.e.layout.accounts
    target = Target(w, one.to, one.end)
    z, lines = target.number, target.before
    zone = guess(w, one.what, node[1])
    source = "" if zone is None else w.e.cell(first, zone, w.scope)
    number = zone is not None and family_of(w.e.program, zone) in w.e.layout.packed
    if one.single:
        lines += [f"c = {w.text(one.what)}"]
        if w.told:
            lines += [
                f"a = sources(S, [c], {first}, {last}) if X.log is not None and c >= 0 else ()",
                f"d = depths(S, [c], a, {first})",
                f"a = take(S, c, range({first}, {last})) - {first}",
                f"if a != {z} and X.log is not None: X.log.append(Moved((c,), (a,), {z}, AT[{w.place}], d))",
            ]
        elif not source:
            lines += [_searched(w, one.what)]
        elif source == target.cell and not number and target.is_row:  # to the end of where it lies
            lines += [f"lying = {source}[:]", "try: lying.remove(c)", f"except ValueError: {_searched(w, one.what)}"]
            return [*lines, "lying.append(c)", f"{source} = lying", *target.full()]
        else:
            assert zone is not None
            there = "" if untouched(w, one.what, node[1], zone) else _searched(w, one.what)
            lines += _taken_bit(source, there) if number else _taken_one(source, there, at_end(w, one.what, node[1]))
        return [*lines, *target.laid("c")]
    if isinstance(one.what, p.EContents):
        whole = f"BITS[{source}]" if number else source
        same = "" if _apart(w, one.what.zone, one.to) else f" and {w.text(one.what.zone)} != {z}"
        lines += [f"moved = {whole}", f"if moved{same}:"]
        inner = [*_told(w, z, first, last), f"{source} = {0 if number else '[]'}"]
    elif not w.told and isinstance(one.what, p.EList) and len(one.what.values) == len(w.e.program.components):
        lines += [f"S[{first}:{last}] = {w.e.constant(('none', *w.e.layout.numbers))}", f"moved = {w.text(one.what)}"]
        return [*lines, *target.laid(in_order=True)]
    else:
        lines += [f"moved = {w.text(one.what)}", "if moved:"]
        cell = source[2:-1] if source else str(first)
        inner = [*(["moved = once(moved)"] if w.told else []), *_told(w, z, first, last)]
        take = f"moved = taken(S, moved, {cell}, {first}, {last})"
        if source and not number and not w.told and _some_of_zone(one.what):
            take = f"{source} = left_of({source}, moved)"  # some of what lies there
        if source and w.latest is not None and one.what == p.ELocal(w.latest.slot):
            inner += _left(w, source, take)
        else:
            inner += [take]
    in_order = zone is not None and _in_order(w, one.what, zone)
    return [*lines, *(f" {line}" for line in [*inner, *target.laid(in_order=in_order)])]


def _searched(w: Writer, what: p.Expr) -> str:
    """The component `c` out of any zone: first where those who call have it from, then everywhere."""
    first, last = w.e.layout.zones, w.e.layout.accounts
    families = [w.e.program.zones[family] for family in elsewhere(w, what)]
    if not families:
        return f"take(S, c, range({first}, {last}))"
    likely = [first + zone for f in families for zone in range(f.base, f.base + f.count)]
    return f"take(S, c, {w.e.constant((*likely, *(cell for cell in range(first, last) if cell not in likely)))})"


def _taken_bit(source: str, otherwise: str) -> list[str]:
    """The component `c` out of a zone that is a number. `otherwise`: if it does not lie there; empty: it does."""
    if not otherwise:
        return [f"{source} ^= BIT[c]"]
    return [f"if {source} >> c & 1: {source} ^= BIT[c]", f"else: {otherwise}"]


def _taken_one(source: str, otherwise: str, end: int | None) -> list[str]:
    """The same out of a list, of which it was the first or the last when it was named."""
    rest = "lying[:-1]" if end else "lying[1:]"
    if not otherwise and end is not None:
        return [f"lying = {source}", f"{source} = {rest}"]
    if not otherwise:
        return [f"lying = {source}[:]", "lying.remove(c)", f"{source} = lying"]
    if " K" in otherwise:  # it often lies elsewhere: then trying costs more than asking
        lines = ["if c in lying:", " lying = lying[:]", " lying.remove(c)", f" {source} = lying", f"else: {otherwise}"]
    else:
        lines = [
            "lying = lying[:]",
            "try: lying.remove(c)",
            f"except ValueError: {otherwise}",
            f"else: {source} = lying",
        ]
    if end is None:
        return [f"lying = {source}", *lines]
    return [
        f"lying = {source}",
        f"if lying and lying[{end}] == c: {source} = {rest}",
        "else:",
        *(f" {x}" for x in lines),
    ]


def _left(w: Writer, source: str, take: str) -> list[str]:
    """Some at random are moved: what they leave in their zone was found with them."""
    if w.at_random:
        return [f"if {source} is {w.drawn('left', 2)}: {source} = {w.drawn('rest', 3)}", f"else: {take}"]
    kept, take = f"kept{w.giver}", take.replace("taken(", "sorted(taken(") + ")"
    return [f"if {kept} and {kept}[0] is answer and {kept}[1] is {source}: {source} = {kept}[2]", f"else: {take}"]


def _some_of_zone(what: p.Expr) -> bool:
    """Whether these are some of what lies in one zone, in that order, each once."""
    if not isinstance(what, p.EFold) or what.op != "all" or len(what.loops) > 1:
        return False
    (loop,) = what.loops
    return isinstance(loop.items, p.EContents) and what.value in (None, p.ELocal(loop.slot))


def _apart(w: Writer, one: p.Expr, other: p.Expr) -> bool:
    """Whether two zones are certainly not the same: of different families."""
    return not {f.base for f in families_of(w, one)} & {f.base for f in families_of(w, other)}


def _in_order(w: Writer, what: p.Expr, zone: p.Expr) -> bool:
    """Whether what is moved comes in order, in a list of its own: all of a bag, or some of it at random."""
    family = family_of(w.e.program, zone)
    if family is None or w.e.program.zones[family].order != "bag":
        return False
    return isinstance(what, p.EContents) or (w.latest is not None and what == p.ELocal(w.latest.slot))


def _draw(w: Writer, one: p.IDrawTop, node: Node) -> list[str]:
    first, last = w.e.layout.zones, w.e.layout.accounts
    target = Target(w, one.to, one.end)
    source = w.e.cell(first, one.source, w.scope)
    number = family_of(w.e.program, one.source) in w.e.layout.packed
    lines = [f"wanted = {w.text(one.count)}", f"pile = {f'BITS[{source}]' if number else source}", *target.before]
    if one.fill:
        lines += [f"wanted -= {target.size}", "if wanted > len(pile): wanted = len(pile)"]
    else:
        lines += [f"if wanted > len(pile): raise Failed('too_few', {w.place}, wanted, len(pile))"]
    rest = "pile[wanted:]"
    inner = ["moved = pile[:wanted]", *_told(w, target.number, first, last)]
    inner += [f"{source} = {f'mask_of({rest})' if number else rest}", *target.laid()]
    return [*lines, "if wanted > 0:", *(f" {line}" for line in inner)]


STATEMENTS[p.IMove] = _move
STATEMENTS[p.IDrawTop] = _draw
