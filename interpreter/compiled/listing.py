"""Choices of plain things -> Python: lines that list the answers.

Where all answers are known beforehand, a number whose bits tell which of them are possible picks a ready-made list.
Otherwise loops are written out, and conditions are asked as soon as what they speak of is bound. Drawing one of the
answers, or stopping for somebody's, is asks.py's.
"""

from __future__ import annotations

import re
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.asked import Asked
from cambist.interpreter.compiled.expressions import CHEAP, UNROLLED, WEIGHED, substituted
from cambist.interpreter.compiled.folds import conjuncts
from cambist.interpreter.compiled.grouping import around
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.reads import used
from cambist.interpreter.compiled.walking import unsifted
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.writer import Writer

PRINTED = re.compile(r"\b[AK]\d+\[(\w+)\]")  # one table asked for one thing
READY = 14  # answers of a choice that are ready-made


def flat(plan: p.Choice) -> bool:
    return all(pick.shape == "in" for branch in plan.branches for pick in branch.picks)


def known_things(source: p.Expr) -> tuple[tuple[int, ...] | None, p.EFold | None]:
    """The things of a pick, if they are known beforehand; and what sifts them."""
    if isinstance(source, p.EList):
        return source.values, None
    if isinstance(source, p.EFold) and source.op == "all" and isinstance(source.loops[0].items, p.EList):
        return source.loops[0].items.values, source
    return None, None


def ready(plan: p.Choice) -> list[tuple[int, ...]] | None:
    """All answers, if they are known beforehand and few."""
    found: list[tuple[int, ...]] = []
    if not flat(plan):
        return None
    for number, branch in enumerate(plan.branches):
        if not branch.picks:
            found.append((number,))
            continue
        (pick, *more) = branch.picks
        values, _ = known_things(pick.source)
        if more or values is None or len(values) > UNROLLED:
            return None
        found += [(number, value) for value in values]
    return found if len(found) <= READY else None


def _apart(picks: tuple[p.Pick, ...]) -> int:
    """How many picks come before those whose things do not depend on them; 0 if there is nothing to be gained."""
    for first in range(1, len(picks)):
        before, rest = {pick.slot for pick in picks[:first]}, picks[first:]
        if all(isinstance(pick.source, p.EList) for pick in rest):
            return 0
        if not any(used(pick.source) & before for pick in rest):
            return first
    return 0


class Listing:
    """The answers to one choice, at one place that asks."""

    def __init__(self, w: Writer, node: Node) -> None:
        self.w, self.node = w, node
        self.q, self.pc, _ = node
        self.one: Any = w.plan.codes[self.q][self.pc]
        self.plan = w.e.program.choices[self.one.choice]
        self.ready = ready(self.plan)

    def collect(self, scope: Scope, indent: int) -> None:
        """Lines that leave all answers in `offers`."""
        if self.ready is not None:
            self._bits(scope, indent)
            return
        self.w.put(indent, "offers = []")
        for number, branch in enumerate(self.plan.branches):
            self._branch(number, branch, scope, indent)

    def _bits(self, scope: Scope, indent: int) -> None:
        w, bit, sure = self.w, 1, 0
        assert self.ready is not None
        tests: list[tuple[int, str]] = []
        asked = Asked(w.e, scope)
        for branch in self.plan.branches:
            conditions = [test.test for test in (*branch.where, *branch.such_that)]
            things, sifted = known_things(branch.picks[0].source) if branch.picks else ((None,), None)
            if sifted is not None and sifted.where is not None:
                conditions.insert(0, sifted.where)
            for value in things or ():
                inside, slots = scope, {branch.picks[0].slot} if branch.picks else set()
                if sifted is not None:
                    slots.add(sifted.loops[0].slot)
                for slot in slots:
                    inside = inside if value is None else inside.bind(slot, value)
                if not any(w.e.truth_known(c, inside) is False for c in conditions):
                    text = asked.text([c for c in conditions if w.e.truth_known(c, inside) is not True], inside, slots)
                    if text:
                        tests.append((bit, text))
                    else:
                        sure += bit
                bit <<= 1
        for line in asked.lines([text for _, text in tests]):
            w.put(indent, line)
        if sure:
            w.e.always.add(self.one.choice)
        w.put(indent, f"may = {sure}")
        for bit, test in tests:
            w.put(indent, f"if {asked.settled(test)}: may += {bit}")
        w.put(indent, f"offers = {w.e.constant(('ready', *self.ready))}[may]")

    def _branch(self, number: int, branch: p.Branch, scope: Scope, indent: int, bare: bool = False) -> None:
        """Lines that add the answers of a branch to `offers`; or, `bare`, its values to a list of their own.

        Tests are asked as soon as what they speak of is bound. Loops are written out where they are: that is faster
        than Python's lists in brackets, whose loops are functions of their own.
        """
        w, e = self.w, self.w.e
        waiting = [part for test in (*branch.where, *branch.such_that) for part in conjuncts(test.test)]
        slots = {pick.slot for pick in branch.picks}

        def due(bound: set[int], last: int | None) -> str:
            now = [t for t in waiting if not (used(t) & slots - bound)]
            for test in now:
                waiting.remove(test)
            texts = []
            if last is not None:  # what is printed on the component is looked up in one table
                printed = [t for t in now if e.column((last,), [t], None, scope) is not None]
                column = e.column((last,), printed, None, scope) if printed else None
                if column is not None:
                    texts = [f"{e.constant(('row', *column))}[{scope.read(last)}]"]
                    now = [t for t in now if t not in printed]
            return " and ".join([*texts, *(e.truth(t, scope) for t in now)])

        turns = 1
        for pick in branch.picks:
            turns *= max(1, e.longest(pick.source, {}))
        inner = 1 + e.cost(tuple(waiting), {})
        counted = turns * inner > CHEAP
        lines: list[tuple[int, str]] = []  # put at the end: what they need before may still be found out
        names: dict[int, str] = {}

        def loops(picks: tuple[p.Pick, ...], depth: int) -> int:
            """The heads of loops over picks; the depth inside of them."""
            nonlocal scope
            for pick in picks:
                sifted = None if counted else self._sifting(pick.source, scope)
                items = e.things(pick.source if sifted is None else sifted.loops[0].items, scope)
                names[pick.slot] = e.fresh()
                scope = scope.bind(pick.slot, names[pick.slot], e.largest_in(pick.source))
                if counted:
                    items = e.spent(items, branch.at, 1 + inner // WEIGHED)
                lines.append((depth, f"for {names[pick.slot]} in {items}:"))
                depth += 1
                if sifted is not None:
                    at_first = substituted(sifted.where, {sifted.loops[0].slot: p.ELocal(pick.slot)}, 0)
                    waiting[:0] = conjuncts(at_first)
                tests = due({one.slot for one in picks if one.slot in names}, pick.slot)
                if tests:
                    lines.append((depth, f"if {tests}:"))
                    depth += 1
            return depth

        def gathered(picks: tuple[p.Pick, ...], depth: int, name: str) -> str:
            """All that loops over picks come to, in a list; who it is of."""
            lines.append((depth, f"{name} = []"))
            inside = loops(picks, depth)
            own = ", ".join(names[pick.slot] for pick in picks)
            lines.append((inside, f"{name}.append({f'({own})' if len(picks) > 1 else own})"))
            return own

        target = f"list{number}" if bare else "offers"
        first = due(set(), None)
        if not first and branch.picks:
            e.around = around(e, branch.picks, lambda text: self._before(text, indent))
        depth = indent
        alone = bare and not counted and len(branch.picks) == 1 and self._as_they_lie(branch.picks[0].source)
        if alone and not (first or waiting):
            e.around = None
            w.put(indent, f"{target} = {e.things(branch.picks[0].source, scope)}")
            return
        if bare:
            w.put(indent, f"{target} = []")
        if first:
            lines.append((depth, f"if {first}:"))
            depth += 1
        apart = _apart(branch.picks)
        if apart:  # what the later picks run through is gathered once, if there is anything to begin with
            some, more = e.fresh("some"), e.fresh("more")
            one = gathered(branch.picks[:apart], depth, some)
            lines.append((depth, f"if {some}:"))
            other = gathered(branch.picks[apart:], depth + 1, more)
            tests, printed = self._looked_up_once(due(slots, None), {names[p.slot] for p in branch.picks[:apart]})
            lines.append((depth + 1, f"for {one} in {some}:"))
            lines += [(depth + 2, line) for line in printed]
            lines.append((depth + 2, f"for {other} in {more}:"))
            depth += 3
            if tests:
                lines.append((depth, f"if {tests}:"))
                depth += 1
        else:
            depth = loops(branch.picks, depth)
        e.around = None
        own = [names[pick.slot] for pick in branch.picks]
        value = own[0] if bare and len(own) == 1 else f"({', '.join(own if bare else [str(number), *own])},)"
        if not bare and len(own) == 1 and isinstance(unsifted(branch.picks[0].source), p.EContents):
            value = f"{e.constant(('answers', number, len(e.program.components)))}[{own[0]}]"
        lines.append((depth, f"{target}.append({value})"))
        for depth, text in lines:
            w.put(depth, text)

    def _looked_up_once(self, tests: str, outer: set[str]) -> tuple[str, list[str]]:
        """Conditions of an inner loop, with what is printed on the things of the outer one looked up before it."""
        before: dict[str, str] = {}

        def name(found: re.Match[str]) -> str:
            return before.setdefault(found[0], self.w.e.fresh("row")) if found[1] in outer else found[0]

        tests = PRINTED.sub(name, tests)
        return tests, [f"{name} = {text}" for text, name in before.items()]

    def _sifting(self, source: p.Expr, scope: Scope) -> p.EFold | None:
        """The fold, if these are all things of a list with something printed on them: asked in the loop over them."""
        if not isinstance(source, p.EFold) or source.op != "all" or len(source.loops) > 1 or source.where is None:
            return None
        slot = source.loops[0].slot
        if source.value not in (None, p.ELocal(slot)):
            return None
        column = self.w.e.column((slot,), [source.where], None, scope.bind(slot, "x"))
        return source if column is not None else None

    def _as_they_lie(self, source: p.Expr) -> bool:
        """Whether the answers are just the things of a zone, in a list."""
        return isinstance(source, p.EContents) and not self.w.e.is_number(source)

    def _before(self, text: str, indent: int) -> str:
        """What is worked out before the answers are listed."""
        name = self.w.e.fresh("same")
        self.w.put(indent, f"{name} = {text}")
        return name
