"""What the rules tell of where things lie, before a game is played: the zone that something probably lies in, and which
zones a local can stand for.
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.numbered import DEEP, values_of
from cambist.interpreter.compiled.packing import family_of
from cambist.interpreter.compiled.walking import every_node, used
from cambist.interpreter.compiled.writer import Writer

STILL = (p.ISetLocal, p.ISetVar, p.ISetSpace, p.ITransfer, p.IRequire, p.IMark, p.IUnless)  # they move nothing


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


def elsewhere(w: Writer, what: p.Expr, depth: int = 0) -> list[int]:
    """The families of zones that those who call have a component from, as far as they are not always the same zone."""
    here = w.q
    if not isinstance(what, p.ELocal) or what.slot >= w.e.program.procedures[here].params or depth >= DEEP:
        return []
    found: list[int] = []
    for call in w.plan.calls.get(here, ()):
        one = w.plan.codes[call.caller][call.pc] if call.pc >= 0 else None
        if isinstance(one, p.ICall):
            w.q = call.caller
            zone = guess(w, one.args[what.slot], call.pc, depth + 1)
            family = None if zone is None else family_of(w.e.program, zone)
            if family is not None and not isinstance(zone, p.EConst):
                found.append(family)
            found += elsewhere(w, one.args[what.slot], depth + 1)
            w.q = here
    return list(dict.fromkeys(found))


def at_end(w: Writer, what: p.Expr, pc: int) -> int | None:
    """0 or -1 if a component was the first or the last of where it lay when it was named."""
    if isinstance(what, p.EEnd) and isinstance(what.items, p.EContents):
        return -1 if what.last else 0
    if isinstance(what, p.ELocal):
        for before in range(pc - 1, -1, -1):
            one = w.plan.codes[w.q][before]
            if what.slot in w.plan.written_by(w.q, before):
                return at_end(w, one.value, before) if isinstance(one, p.ISetLocal) else None
    return None


def untouched(w: Writer, what: p.Expr, pc: int, zone: p.Expr) -> bool:
    """Whether a component certainly lies in the zone that it was found in: on the only way from there nothing moves,
    and the zone is still called the same."""
    named: set[int] = set()
    places = w.plan.arrivals(w.q)
    while True:
        match what:
            case p.EContents():
                plain = all(isinstance(part, (p.EConst, p.ELocal, p.EOp)) for part in every_node(zone))
                return plain and what.zone == zone and not used(zone) & named
            case p.EEnd():
                what = what.items
            case p.EFold(op="all", loops=(loop,)) if what.value in (None, p.ELocal(loop.slot)):
                what = loop.items
            case p.ELocal():
                one = None
                while not isinstance(one, p.ISetLocal) or one.slot != what.slot:
                    pc -= 1
                    one = w.plan.codes[w.q][pc] if pc >= 0 and pc + 1 not in places else None
                    if not isinstance(one, STILL):
                        return False
                    named |= {*w.plan.written_by(w.q, pc)}
                what = one.value
            case _:
                return False


def families_of(w: Writer, zone: p.Expr) -> list[p.ZoneFamily]:
    """The families that a zone can be of."""
    families = list(w.e.program.zones)
    family = family_of(w.e.program, zone)
    if family is not None:
        return [families[family]]
    values = values_of(w.plan, w.q, zone)
    if values is None:
        return families
    return [f for f in families if any(f.base <= value < f.base + f.count for value in values)] or families


def is_seat(w: Writer, who: p.Expr) -> bool:
    """Whether this is certainly somebody."""
    values = values_of(w.plan, w.q, who)
    return values is not None and values <= set(range(w.e.program.players))
