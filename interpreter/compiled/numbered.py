"""What the rules tell of the numbers that locals of procedures can be, before a game is played: the seats, what is in a
list, what all callers give. No game is looked at.
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.plan import Plan

DEEP = 8  # steps that a guess goes back


def values_of(plan: Plan, q: int, what: p.Expr, depth: int = 0) -> set[int] | None:
    """All numbers that an expression of a procedure can be, or that are in its list, if the rules name them."""
    match what:
        case p.EConst():
            return {what.value}
        case p.EList():
            return set(what.values)
        case p.EFold() if what.op == "all" and what.value in (None, p.ELocal(what.loops[0].slot)):
            return values_of(plan, q, what.loops[0].items, depth)
        case p.EEnd() | p.ERest():
            return values_of(plan, q, what.items, depth)
        case p.EBest() if what.default is None:
            return values_of(plan, q, what.loop.items, depth)
        case p.EOp(op="next") | p.EAround():
            return set(range(plan.program.players))
        case p.ELocal() if depth == 0:
            key = (q, what.slot)
            if key not in plan.values:
                plan.values[key] = _values_of_local(plan, q, what.slot, 1)
            return plan.values[key]
        case p.ELocal() if depth < DEEP:
            return _values_of_local(plan, q, what.slot, depth + 1)
    return None


def _values_of_local(plan: Plan, q: int, slot: int, depth: int) -> set[int] | None:
    sources: list[tuple[int, p.Expr]] = []
    for pc, one in enumerate(plan.codes[q]):
        if slot not in plan.written_by(q, pc):
            continue
        if isinstance(one, p.ISetLocal):
            sources.append((q, one.value))
        elif isinstance(one, p.IRandom):
            sources.append((q, one.items))
        elif isinstance(one, (p.IAsk, p.ITakeAnswer)):
            picks = [pick for b in plan.program.choices[one.choice].branches for pick in b.picks if pick.slot == slot]
            if any(pick.shape != "in" for pick in picks):
                return None
            sources += [(q, pick.source) for pick in picks]
        elif isinstance(one, p.IEachNext) and one.slot == slot:
            sources.append((q, p.ELocal(one.list_slot)))
        elif isinstance(one, p.IEachStart) and one.list_slot == slot:
            sources.append((q, one.items))
        elif not isinstance(one, p.IEachNext):  # which only empties the list at the end
            return None
    if slot < plan.program.procedures[q].params:
        for other in plan.running:
            calls = [one for one in plan.codes[other] if isinstance(one, p.ICall) and one.procedure == q]
            sources += [(other, call.args[slot]) for call in calls]
    found: set[int] = set()
    for where, source in sources:
        values = values_of(plan, where, source, depth)
        if values is None:
            return None
        found |= values
    return found or None
