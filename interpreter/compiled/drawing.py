"""Choices that go on under conditions -> Python: whether there is an answer at all, and a random one.

`some of` things such that a condition holds, and arrangements into piles each of which is as a condition says. What is
written draws as domains/ draw, number by number, where that needs no looking ahead: all of the things are an answer,
or the condition speaks of one pile at a time. Everything else is left to domains/.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable
from functools import reduce
from operator import and_
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.chance import FEW
from cambist.interpreter.compiled.expressions import Expressions, substituted
from cambist.interpreter.compiled.folds import conjuncts
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.packing import family_of, mentions
from cambist.interpreter.compiled.runtime import below
from cambist.interpreter.compiled.sets import told_one_by_one
from cambist.interpreter.compiled.walking import unsifted

NONE = -1  # no local

# ---- what compiled rules call


def chosen_under(
    things: list[int], least: int, holds: Callable[[list[int]], Any], bits: Callable[[int], int]
) -> list[int]:
    """Some of the things, of which all together are an answer: as domains/subset.py draws them one by one."""
    left = things[:]
    chosen: list[int] = []
    size = len(left)
    while size:
        many = size + 1 if len(chosen) >= least and holds(chosen[:]) else size  # what is asked may remember its list
        step = 0 if many < 2 else bits(24) * many >> 24 if many <= FEW else below(many, bits)
        if step == size:
            break
        insort(chosen, left.pop(step))
        size -= 1
    return chosen


def in_piles(things: list[int], lawful: Callable[[list[int]], Any], bits: Callable[[int], int]) -> list[list[int]]:
    """The things in lawful piles, as domains/arrangement.py lays them. Each alone is lawful: no dead end."""
    left = things[:]
    piles: list[list[int]] = []
    while left:
        size = len(left)
        thing = left.pop(0 if size < 2 else bits(24) * size >> 24 if size <= FEW else below(size, bits))
        places = list(range(len(piles) + 1))
        while True:
            size = len(places)
            place = places.pop(0 if size < 2 else bits(24) * size >> 24 if size <= FEW else below(size, bits))
            if place == len(piles):
                piles.append([thing])
                break
            pile = piles[place][:]
            size = len(pile) + 1
            pile.insert(bits(24) * size >> 24 if size <= FEW else below(size, bits), thing)
            if lawful(pile):
                piles[place] = pile
                break
    return sorted(piles)


def in_piles_by_marks(
    things: list[int], mark: Callable[[int], int], look: Callable[[int], Any], bits: Callable[[int], int]
) -> list[list[int]]:
    """The same where the things of a pile share a mark and no two look the same."""
    if len(things) >= FEW:
        return _in_many_piles_by_marks(things, mark, look, bits)
    left = things[:]
    piles: list[list[int]] = []
    shared: list[int] = []
    looks: list[list[Any]] = []
    while left:
        size = len(left)
        thing = left.pop(bits(24) * size >> 24 if size > 1 else 0)
        marks, seen = mark(thing), look(thing)
        many = len(piles)
        place = bits(24) * (many + 1) >> 24 if many else 0
        places = None  # those that are left, when the first was not the right one
        while place < many:
            pile, alike = piles[place], looks[place]
            depth = bits(24) * (len(pile) + 1) >> 24
            if shared[place] & marks and seen not in alike:
                pile.insert(depth, thing)
                shared[place] &= marks
                alike.append(seen)
                break
            if places is None:
                places = list(range(many + 1))
                del places[place]
            size = len(places)
            place = places.pop(bits(24) * size >> 24 if size > 1 else 0)
        else:
            piles.append([thing])
            shared.append(marks)
            looks.append([seen])
    return sorted(piles)


def _in_many_piles_by_marks(
    things: list[int], mark: Callable[[int], int], look: Callable[[int], Any], bits: Callable[[int], int]
) -> list[list[int]]:
    """So many that numbers of 24 bits do not do."""

    def lawful(pile: list[int]) -> bool:
        shared = reduce(and_, map(mark, pile))
        return bool(shared) and len({look(thing) for thing in pile}) == len(pile)

    return in_piles(things, lawful, bits)


def opened(answer: tuple[int, Any]) -> tuple[int, list[Any]]:
    """An answer of others as whole games have it: in lists."""
    return answer[0], [[*part] if type(part) is tuple else part for part in answer[1]]


class Alone(dict[int, bool]):
    """Whether a thing alone is a lawful pile, worked out once for each."""

    def __init__(self, lawful: Callable[[list[int]], Any]) -> None:
        super().__init__()
        self.lawful = lawful

    def __missing__(self, thing: int) -> bool:
        self[thing] = found = bool(self.lawful([thing]))
        return found


DRAWING = {f.__name__: f for f in (chosen_under, in_piles, in_piles_by_marks, opened, Alone)}


# ---- what is written


def differing(node: p.Expr) -> bool:
    """Whether no two things of a list are the same, as far as that shows."""
    match node:
        case p.EContents() | p.EAround():
            return True
        case p.EList():
            return len(set(node.values)) == len(node.values)
        case p.EFold(op="all"):
            return differing(node.loops[0].items)
        case _:
            return False


def in_order(e: Expressions, node: p.Expr) -> bool:
    """Whether the things of a list come by their numbers: as they lie in a bag."""
    node = unsifted(node)
    family = family_of(e.program, node.zone) if isinstance(node, p.EContents) else None
    return family is not None and e.program.zones[family].order == "bag"


def drawn(plan: p.Choice) -> p.Pick | None:
    """The only pick of a choice, if its drawing is written here."""
    (branch, *more) = plan.branches
    if more or len(branch.picks) != 1:
        return None
    pick: p.Pick = branch.picks[0]
    if not differing(pick.source):
        return None
    tests = conditions(branch)
    if pick.shape == "some" and tests:
        return pick
    if pick.shape == "arrangement" and all(of_each_pile(test, pick.slot) for test in tests):
        return pick
    return None


def conditions(branch: p.Branch) -> list[p.Expr]:
    return [test.test for test in (*branch.where, *branch.such_that)]


def of_each_pile(test: p.Expr, slot: int) -> bool:
    """Whether a condition says something of every pile, and of each alone."""
    if not isinstance(test, p.EFold) or test.op != "every" or len(test.loops) != 1 or test.where is None:
        return False
    return test.loops[0].items == p.ELocal(slot) and not mentions(test.where, slot)


def of_a_pile(branch: p.Branch) -> tuple[list[p.Expr], int]:
    """What must hold of each pile, and the local that is the pile."""
    found: list[p.Expr] = []
    slot = NONE
    for test in conditions(branch):
        assert isinstance(test, p.EFold)
        own = test.loops[0].slot
        slot = own if slot == NONE else slot
        found += conjuncts(substituted(test.where, {own: p.ELocal(slot)}, 0))
    return found, slot


def holds(e: Expressions, branch: p.Branch, thing: str, scope: Scope) -> str:
    """The text of what must hold of `thing`: of some things, or of one pile of an arrangement."""
    (pick,) = branch.picks
    if pick.shape == "arrangement":
        tests, slot = of_a_pile(branch)
        return " and ".join(e.truth(test, scope.bind(slot, thing)) for test in tests) or "True"
    parts = []
    for test in conditions(branch):
        parts += [e.truth(part, scope.bind(pick.slot, thing)) for part in conjuncts(test)]
    return " and ".join(parts) or "True"


def drawing_lines(e: Expressions, plan: p.Choice, number: int, scope: Scope, forced: int, whole: bool) -> list[str]:
    """Two functions: `can_N` tells whether there is an answer, `draw_N` gives a random one, None if there is none and
    the rules say what happens then. `whole`: it is only taken apart at once, and stays in lists."""
    (branch,) = plan.branches
    (pick,) = branch.picks
    e.distinct = frozenset({"a"})
    test = holds(e, branch, "a", scope)
    e.distinct = frozenset()
    after: list[str] = []
    other = f"sampled(S, {number}, player, X)"
    if whole:
        other = f"opened({other})"
    if plan.otherwise >= 0:
        other += f" if possible(S, {number}, player) else None"
    if pick.shape == "some":
        fewest = p.EConst(0) if pick.least is None else pick.least
        known = e.known(fewest, scope)
        least = f"max(0, {e.text(fewest, scope)})" if known is None else str(max(0, known))
        most = "len(left)" if pick.most is None else f"min(len(left), {e.text(pick.most, scope)})"
        begin = [
            f"left = {e.text(pick.source, scope)}",
            f"holds = lambda a: {test}",
            f"least, most = {least}, {most}",
        ]
        many = "least <= len(left)" if pick.most is None else "least <= len(left) <= most"
        sure = f"{many} and holds({'left' if in_order(e, pick.source) else 'sorted(left)'})"
        draw = [
            f"if not ({sure}): return {other}",
            f"if not (most > 0 and least < most): S[{forced}] += 1",
            "chosen = chosen_under(left, least, holds, X)",
            f"return (0, {'chosen' if whole else 'tuple(chosen)'})",
        ]
    else:
        begin = [f"left = {e.text(pick.source, scope)}"]
        sure = "all([lawful([c]) for c in left])"
        if re.search(r"\bS\b|\bplayer\b", test):
            begin.append(f"lawful = lambda a: {test}")
        else:  # what is printed on the things tells it
            after = [f"lawful_{number} = lambda a: {test}", f"ALONE_{number} = Alone(lawful_{number}).__getitem__"]
            sure = f"all(map(ALONE_{number}, left))"
        columns = told_one_by_one(e, *of_a_pile(branch))
        laid = f"in_piles(left, lawful{f'_{number}' if after else ''}"
        if columns is not None:
            laid = f"in_piles_by_marks(left, {columns[0]}, {columns[1]}"
        draw = [
            f"if not {sure}: return {other}",
            f"if len(left) < 2: S[{forced}] += 1",
            f"piles = {laid}, X)",
            f"return (0, {'piles' if whole else 'tuple(map(tuple, piles))'})",
        ]
    return [
        f"def can_{number}(S, player):",
        *(f" {line}" for line in begin),
        f" return {sure} or possible(S, {number}, player)",
        "",
        f"def draw_{number}(S, player, X):",
        *(f" {line}" for line in begin),
        *(f" {line}" for line in draw),
        *after,
    ]
