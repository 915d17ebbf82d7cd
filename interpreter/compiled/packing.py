"""Which bags are kept as one number whose bits are the components in them, instead of a list.

Counting what is of a kind is then one operation. It pays for bags that are mostly counted; a bag whose components are
picked one by one stays a list. Where rules hold zones in locals, all stay lists.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.walking import leading, parts


def family_of(program: p.Program, zone: p.Expr) -> int | None:
    """The family a zone is of, if its number begins with a constant."""
    first = leading(zone)
    if first is None:
        return None
    return next((k for k, f in enumerate(program.zones) if f.base <= first < f.base + f.count), None)


def is_test_of(node: p.Expr, slot: int) -> bool:
    """Whether a condition asks only what is printed on the component in a local, and things outside of the loop."""
    match node:
        case p.EIsCard():
            return node.component == p.ELocal(slot) and not any(mentions(value, slot) for _, value in node.tests)
        case p.EOp(op="=", left=p.EAttr(component=p.ELocal(other)), right=right) if other == slot:
            return not mentions(right, slot)
        case p.EAnd() | p.EOr():
            return is_test_of(node.left, slot) and is_test_of(node.right, slot)
        case p.ENot():
            return is_test_of(node.value, slot)
        case _:
            return False


def mentions(node: Any, slot: int) -> bool:
    if isinstance(node, p.ELocal):
        return node.slot == slot
    return any(mentions(part, slot) for part in parts(node))


def counted(node: Any) -> p.Expr | None:
    """The zone whose components are counted or sifted by what is printed on them."""
    if isinstance(node, p.EFold) and node.op in ("count", "some", "no", "all") and len(node.loops) == 1:
        (loop,) = node.loops
        if isinstance(loop.items, p.EContents) and node.where is not None and is_test_of(node.where, loop.slot):
            return loop.items.zone
    return None


SPEAKING = frozenset((p.EFold, p.ESize, p.ENot, p.EContents, p.IMove, p.IDrawTop))  # of zones


def packed(program: p.Program) -> frozenset[int]:
    votes: dict[int, list[int]] = {}  # family -> times counted, times used otherwise

    def look(node: Any) -> bool:
        """Whether every zone that is spoken of is of a known family."""
        if type(node) not in SPEAKING:
            return sum([not look(part) for part in parts(node)]) == 0  # all of it is looked at
        zone = counted(node)
        if zone is not None:
            family = family_of(program, zone)
            votes.setdefault(-1 if family is None else family, [0, 0])[0] += 1
            return family is not None and look(zone) and look(node.where)
        match node:
            case p.ESize(items=p.EContents(zone)) | p.ENot(value=p.EContents(zone)):
                return family_of(program, zone) is not None and look(zone)
            case p.EContents():
                family = family_of(program, node.zone)
                votes.setdefault(-1 if family is None else family, [0, 0])[1] += 1
                return family is not None and look(node.zone)
            case p.IMove() | p.IDrawTop():
                zones = [node.to] if isinstance(node, p.IMove) else [node.to, node.source]
                if any(family_of(program, zone) is None for zone in zones):
                    return False
                return sum(not look(part) for part in parts(node)) == 0  # all of it is looked at
            case _:
                return sum(not look(part) for part in parts(node)) == 0  # all of it is looked at

    used = (program.procedures, program.choices, tuple(program.functions[k] for k in _needed(program)))
    shuffles = [n for q in program.procedures for n in q.code if isinstance(n, (p.IShuffle, p.IRandom))]
    if not look(used) or any(isinstance(n, p.IShuffle) and family_of(program, n.zone) is None for n in shuffles):
        return frozenset()
    shuffled = {family_of(program, n.zone) for n in shuffles if isinstance(n, p.IShuffle)}
    return frozenset(
        family
        for family, (often, seldom) in votes.items()
        if program.zones[family].order == "bag" and often and not seldom and family not in shuffled
    )


def _needed(program: p.Program) -> set[int]:
    """Functions that play needs; those of laws are asked elsewhere."""
    found: set[int] = set()
    todo: list[Any] = [program.procedures, program.choices]
    todo += [p.ECall(k, ()) for k in (program.score, *(k for _, k in program.ranking))]
    while todo:
        node = todo.pop()
        if isinstance(node, p.ECall) and node.function not in found:
            found.add(node.function)
            todo.append(program.functions[node.function].value)
        todo.extend(parts(node))
    return found
