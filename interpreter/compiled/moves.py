"""Moves of components -> lines of Python. What is known beforehand of a zone (pile, row or bag, how much it holds) is
not asked at run time.

Nothing says where a component lies but the zones themselves. Where it comes from is guessed from the rules (the first
of a zone lies in that zone); if it is not there, all zones are looked through.
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.flow import Node
from cambist.interpreter.compiled.packing import family_of
from cambist.interpreter.compiled.statements import STATEMENTS, Writer

DEEP = 8  # steps that a guess goes back


class Target:
    """The zone that components are moved to."""

    def __init__(self, w: Writer, to: p.Expr, end: str) -> None:
        zones = w.e.layout.zones
        self.w, self.end = w, end
        known = w.e.known(to, w.scope)
        self.number = "z" if known is None else str(known)
        self.cell = f"S[{zones} + z]" if known is None else f"S[{zones + known}]"
        self.before = [f"z = {w.text(to)}"] if known is None else []
        family = family_of(w.e.program, p.EConst(known) if known is not None else to)
        self.families = list(w.e.program.zones) if family is None else [w.e.program.zones[family]]
        self.packed = family in w.e.layout.packed

    @property
    def size(self) -> str:
        return f"{self.cell}.bit_count()" if self.packed else f"len({self.cell})"

    def laid(self, one: str = "", in_order: bool = False) -> list[str]:
        """`moved`, or the component `one`, into the zone. `in_order`: as a bag has them."""
        cell, end = self.cell, self.end
        if self.packed:
            return [f"{cell} |= BIT[{one}]" if one else f"{cell} |= mask_of(moved)", *self._full()]
        kinds = {f.order for f in self.families}
        if kinds == {"bag"}:
            lines = [f"{cell} = sorted([*{cell}, {one}])" if one else f"{cell} = sorted({cell} + moved)"]
            if in_order and not one:
                lines = [f"{cell} = sorted({cell} + moved) if {cell} else moved"]
        elif "bag" in kinds or (not end and "pile" in kinds and len(kinds) > 1):
            lines = [f"{cell} = laid({cell}, {f'[{one}]' if one else 'moved'}, ORDER[{self.number}], {end!r})"]
        elif end == "start" or (not end and kinds == {"pile"}):
            lines = [f"{cell} = [{one}, *{cell}]" if one else f"{cell} = moved + {cell}"]
        else:
            lines = [f"{cell} = [*{cell}, {one}]" if one else f"{cell} = {cell} + moved"]
        return [*lines, *self._full()]

    def _full(self) -> list[str]:
        if {f.capacity for f in self.families} == {-1}:
            return []
        z = self.number
        return [f"if 0 <= CAPACITY[{z}] < {self.size}: raise Failed('zone_full', {self.w.place}, {z})"]


def guess(w: Writer, what: p.Expr, pc: int, depth: int = 0) -> p.Expr | None:
    """The zone that something probably lies in: what it was taken out of when it was named."""
    match what:
        case p.EContents():
            return what.zone
        case p.EEnd() | p.ERest():
            return guess(w, what.items, pc, depth)
        case p.EFold() if what.op == "all":
            return guess(w, what.loops[0].items, pc, depth)
        case p.ELocal() if depth < DEEP:
            code, q = w.plan.codes[w.q], w.q
            for before in [*range(pc - 1, -1, -1), *range(len(code) - 1, pc, -1)]:
                one = code[before]
                if what.slot not in w.plan.written_by(q, before):
                    continue
                found = None
                if isinstance(one, p.ISetLocal):
                    found = guess(w, one.value, before, depth + 1)
                elif isinstance(one, (p.IAsk, p.ITakeAnswer)):
                    picks = [pick for b in w.e.program.choices[one.choice].branches for pick in b.picks]
                    found = next((guess(w, k.source, before, depth + 1) for k in picks if k.slot == what.slot), None)
                elif isinstance(one, p.IEachNext) and one.slot == what.slot:
                    found = guess(w, p.ELocal(one.list_slot), before, depth + 1)
                elif isinstance(one, p.IEachStart) and one.list_slot == what.slot:
                    found = guess(w, one.items, before, depth + 1)
                if found is not None:
                    return found
            return _guess_of_call(w, what.slot, depth)
    return None


def _guess_of_call(w: Writer, slot: int, depth: int) -> p.Expr | None:
    """What a procedure is given lies where its caller has it from, if that is always the same zone."""
    here = w.q
    if slot >= w.e.program.procedures[here].params:
        return None
    for call in w.plan.calls.get(here, ()):
        one = w.plan.codes[call.caller][call.pc] if call.pc >= 0 else None
        if isinstance(one, p.ICall):
            w.q = call.caller
            found = guess(w, one.args[slot], call.pc, depth + 1)
            w.q = here
            if isinstance(found, p.EConst):
                return found
    return None


def at_end(w: Writer, what: p.Expr, pc: int) -> int | None:
    """0 or -1 if a component was the first or the last of where it lay when it was named."""
    if isinstance(what, p.EEnd):
        return -1 if what.last else 0
    if isinstance(what, p.ELocal):
        for before in range(pc - 1, -1, -1):
            one = w.plan.codes[w.q][before]
            if what.slot in w.plan.written_by(w.q, before):
                return at_end(w, one.value, before) if isinstance(one, p.ISetLocal) else None
    return None


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
                f"a = take(S, c, {first}, {last})",
                f"if a != {z} and X.log is not None: X.log.append(Moved((c,), (a,), {z}, AT[{w.place}], d))",
            ]
        elif not source:
            lines += [f"take(S, c, {first}, {last})"]
        elif number:
            lines += [f"if {source} >> c & 1: {source} ^= BIT[c]", f"else: take(S, c, {first}, {last})"]
        else:
            lines += [f"lying = {source}"]
            end = at_end(w, one.what, node[1])
            if end is not None:
                lines += [f"if lying and lying[{end}] == c: {source} = {'lying[:-1]' if end else 'lying[1:]'}", "else:"]
            rest = [
                "lying = lying[:]",
                "try: lying.remove(c)",
                f"except ValueError: take(S, c, {first}, {last})",
                f"else: {source} = lying",
            ]
            lines += rest if end is None else [f" {line}" for line in rest]
        return [*lines, *target.laid("c")]
    if isinstance(one.what, p.EContents):
        whole = f"BITS[{source}]" if number else source
        lines += [f"moved = {whole}", f"if moved and {w.text(one.what.zone)} != {z}:"]
        inner = [*_told(w, z, first, last), f"{source} = {0 if number else '[]'}"]
    else:
        lines += [f"moved = {w.text(one.what)}", "if moved:"]
        cell = source[2:-1] if source else str(first)
        inner = [*(["moved = once(moved)"] if w.told else []), *_told(w, z, first, last)]
        take = f"moved = taken(S, moved, {cell}, {first}, {last})"
        if source and w.latest is not None and one.what == p.ELocal(w.latest.slot):
            inner += [f"if {source} is answer[2]: {source} = answer[3]", f"else: {take}"]  # the rest was found with it
        else:
            inner += [take]
    in_order = zone is not None and _in_order(w, one.what, zone)
    return [*lines, *(f" {line}" for line in [*inner, *target.laid(in_order=in_order)])]


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
