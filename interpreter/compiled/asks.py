"""Choices -> Python: listing the answers, stopping at a choice, and answering at random without stopping.

A choice of plain things (`flat`) is written out. Where all its answers are known beforehand, a number whose bits tell
which of them are possible picks a ready-made list. What goes on (`some of`, orders, arrangements) under conditions is
left to domains/, with compiled conditions.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.drawing import drawing_lines, drawn
from cambist.interpreter.compiled.expressions import CHEAP, UNROLLED, WEIGHED
from cambist.interpreter.compiled.flow import Node
from cambist.interpreter.compiled.folds import conjuncts
from cambist.interpreter.compiled.gathering import around
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.layout import ANSWERS, DECIDERS, DECISIONS, FUEL, OFFERS, OPEN, WAITS, WHO
from cambist.interpreter.compiled.reading import used
from cambist.interpreter.compiled.statements import Writer
from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.steps.choosing import NO_ANSWER

REFUEL = f"S[{FUEL}] = {STEPS_PER_DECISION}"
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


class Asking:
    """The functions of one place that asks."""

    def __init__(self, w: Writer, node: Node) -> None:
        self.w, self.node = w, node
        self.q, self.pc, _ = node
        self.one: Any = w.plan.codes[self.q][self.pc]
        self.plan = w.e.program.choices[self.one.choice]
        self.number = w.plan.leaders[node]
        self.ready = ready(self.plan)
        self.drawn = drawn(self.plan) is not None

    def seg(self, pc: int) -> int:
        return self.w.plan.leaders[self.w.plan.node(self.q, pc)]

    # ---- listing

    def collect(self, scope: Scope, indent: int) -> None:
        """Lines that leave all answers in `offers`."""
        if self.ready is not None:
            self._bits(scope, indent)
            return
        parts = [self._branch(number, branch, scope, indent) for number, branch in enumerate(self.plan.branches)]
        self.w.put(indent, f"offers = [{', '.join(parts)}]" if len(parts) > 1 else f"offers = {parts[0][1:]}")

    def _bits(self, scope: Scope, indent: int) -> None:
        w, bit, sure = self.w, 1, 0
        assert self.ready is not None
        tests: list[tuple[int, str]] = []
        for branch in self.plan.branches:
            conditions = [test.test for test in (*branch.where, *branch.such_that)]
            things, sifted = known_things(branch.picks[0].source) if branch.picks else ((None,), None)
            if sifted is not None and sifted.where is not None:
                conditions.insert(0, sifted.where)
            for value in things or ():
                inside = scope if value is None else scope.bind(branch.picks[0].slot, value)
                if sifted is not None and value is not None:
                    inside = inside.bind(sifted.loops[0].slot, value)
                texts = [w.e.truth(c, inside) for c in conditions if w.e.truth_known(c, inside) is not True]
                if not texts:
                    sure += bit
                elif not any(w.e.truth_known(c, inside) is False for c in conditions):
                    tests.append((bit, " and ".join(texts)))
                bit <<= 1
        w.put(indent, f"bits = {sure}")
        for bit, test in tests:
            w.put(indent, f"if {test}: bits += {bit}")
        w.put(indent, f"offers = {w.e.constant(('ready', *self.ready))}[bits]")

    def _branch(self, number: int, branch: p.Branch, scope: Scope, indent: int, bare: bool = False) -> str:
        """Tests are asked as soon as what they speak of is bound; what later picks run through is listed once."""
        e = self.w.e
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
        first = due(set(), None)
        if not branch.picks:
            return f"*([({number},)] if {first} else [])" if first else f"*[({number},)]"
        names: list[str] = []
        if not first:
            e.around = around(e, branch.picks, lambda text: self._before(text, indent))

        def loops(picks: tuple[p.Pick, ...]) -> tuple[str, str]:
            """The loops over picks, and all that they run through as a list."""
            nonlocal scope
            text, bound = "", set()
            for pick in picks:
                items = e.things(pick.source, scope)
                names.append(e.fresh())
                scope = scope.bind(pick.slot, names[-1], e.largest_in(pick.source))
                bound.add(pick.slot)
                if counted:
                    items = e.spent(items, branch.at, 1 + inner // WEIGHED)
                text += f" for {names[-1]} in {items}"
                tests = due(bound, pick.slot)
                text += f" if {tests}" if tests else ""
            own = ", ".join(names[-len(picks) :])
            return text, items if text == f" for {own} in {items}" else f"[({own}){text}]"

        apart = _apart(branch.picks)
        if apart:
            (_, begin), (_, rest) = loops(branch.picks[:apart]), loops(branch.picks[apart:])
            one, other = (", ".join(part) for part in (names[:apart], names[apart:]))
            some, more = e.fresh("some"), e.fresh("more")
            text = f" for {some} in ({begin},) if {some} for {more} in ({rest},)"
            tests = due(slots, None)
            text += f" for {one} in {some} for {other} in {more}" + (f" if {tests}" if tests else "")
        else:
            text, _ = loops(branch.picks)
        e.around = None
        value = names[0] if bare and len(names) == 1 else f"({', '.join(names if bare else [str(number), *names])})"
        listed = f"[{value}{text}]"
        if bare:
            return f"{listed} if {first} else []" if first else listed
        return f"*({listed} if {first} else [])" if first else f"*{listed}"

    def _before(self, text: str, indent: int) -> str:
        """What is worked out before the answers are listed."""
        name = self.w.e.fresh("same")
        self.w.put(indent, f"{name} = {text}")
        return name

    # ---- stopping

    def step(self) -> None:
        """Stop here, or go on where nothing can be answered."""
        w, plan = self.w, self.plan
        w.enter(self.node)
        w.put(0, f"def ask_{self.number}(S, X):")
        if isinstance(self.one, p.IAskSealed):
            self._sealed_begin()
            w.put(1, f"S[{WHO}] = -1")
            w.put(1, f"S[{DECIDERS}] = able")
            w.put(1, f"S[{ANSWERS}] = [None] * len(able)")
        else:
            if plan.otherwise >= 0 and flat(plan):
                w.put(1, f"offers = list_{self.number}(S)")
                w.put(1, f"if not offers: return {self.seg(plan.otherwise)}")
            elif plan.otherwise >= 0:
                w.put(1, f"if not {self.can}(S, {self.args}-1): return {self.seg(plan.otherwise)}")
            w.put(1, f"who = {w.text(self.one.who)}")
            w.put(1, f"if not 0 <= who < {w.e.program.players}: raise Failed('nothing_there', {w.place})")
            w.put(1, f"S[{WHO}] = who")
        listed = plan.otherwise >= 0 and flat(plan) and not isinstance(self.one, p.IAskSealed)
        w.put(1, f"S[{OFFERS}] = {'offers' if listed else 'None'}")
        w.put(1, f"S[{WAITS}] = {self.number}")
        w.put(1, "return -1")

    def lists(self) -> None:
        """All answers of a flat choice; of a sealed one, those of `player`."""
        w = self.w
        w.enter(self.node)
        sealed = isinstance(self.one, p.IAskSealed)
        w.put(0, f"def list_{self.number}(S{', player' if sealed else ''}):")
        scope = w.scope.bind(self.plan.who_slot, "player") if sealed else w.scope
        self.collect(scope, 1)
        w.put(1, "return offers")

    @property
    def some(self) -> p.Pick | None:
        """The pick of a choice that is nothing but some of several things, under no condition."""
        (branch, *more) = self.plan.branches
        if more or len(branch.picks) != 1 or branch.where or branch.such_that or branch.picks[0].shape != "some":
            return None
        pick: p.Pick = branch.picks[0]
        return pick

    @property
    def can(self) -> str:
        return f"can_{self.number}" if self.drawn else "possible"

    @property
    def args(self) -> str:
        return "" if self.drawn else f"{self.number}, "

    def draw(self) -> None:
        """A random answer to such a choice; None if there is none."""
        w = self.w
        w.enter(self.node)
        if self.drawn:
            inside = w.scope.bind(self.plan.who_slot, "player") if self.plan.who_slot >= 0 else w.scope
            for line in drawing_lines(w.e, self.plan, self.number, inside, OPEN):
                w.put(int(line.startswith(" ")), line.strip())
            return
        w.put(0, f"def draw_{self.number}(S, player, X):")
        scope = w.scope.bind(self.plan.who_slot, "player") if self.plan.who_slot >= 0 else w.scope
        self._bounds(scope, 1)
        w.put(1, "chosen = some_of(left, least, most, X)")
        w.put(1, "return None if chosen is None else (0, chosen)")

    def _bounds(self, scope: Scope, indent: int) -> None:
        pick, e = self.some, self.w.e
        assert pick is not None
        self.w.put(indent, f"left = {e.text(pick.source, scope)}")
        least = "0" if pick.least is None else f"max(0, {e.text(pick.least, scope)})"
        most = "len(left)" if pick.most is None else f"min(len(left), {e.text(pick.most, scope)})"
        self.w.put(indent, f"least, most = {least}, {most}")

    def _sealed_begin(self) -> None:
        w, one = self.w, self.one
        w.put(1, f"found = list(dict.fromkeys({w.text(one.deciders)}))")
        w.put(1, f"{w.local(one.deciders_slot)} = found")
        if self.plan.otherwise >= 0:
            w.put(1, f"able = [player for player in found if {self.can}(S, {self.args}player)]")
        else:
            w.put(1, "able = found")
        w.put(1, f"{w.local(one.answers_slot)} = [[{NO_ANSWER}] for _ in found]")
        w.put(1, f"if not able: return {self.seg(self.pc + 1)}")

    # ---- answering at random

    def bulk(self) -> None:
        """Answer at random and go on: nothing stops, nothing is told."""
        w, plan, drawn = self.w, self.plan, False
        w.enter(self.node)
        w.put(0, f"def play_{self.number}(S, X):")
        w.put(1, REFUEL)
        if isinstance(self.one, p.IAskSealed):
            self._bulk_sealed()
            return
        if flat(plan) and self.ready is None:
            self._bulk_lists()
            return
        if flat(plan):
            self.collect(w.scope, 1)
            if plan.otherwise >= 0:
                w.put(1, f"if not offers: return {self.seg(plan.otherwise)}")
        elif plan.otherwise >= 0 and self.drawn and isinstance(self.one.who, p.ELocal):
            w.put(1, f"answer = draw_{self.number}(S, {w.text(self.one.who)}, X)")
            w.put(1, f"if answer is None: return {self.seg(plan.otherwise)}")
            drawn = True
        elif plan.otherwise >= 0:
            w.put(1, f"if not {self.can}(S, {self.args}-1): return {self.seg(plan.otherwise)}")
        w.put(1, f"who = {w.text(self.one.who)}")
        w.put(1, f"if not 0 <= who < {w.e.program.players}: raise Failed('nothing_there', {w.place})")
        if not drawn:
            self._sample(w.scope, "who", 1)
        self._counted("1")
        branches = plan.branches
        last = len(branches) - 1
        if last:
            w.put(1, "branch = answer[0]")
        for number, branch in enumerate(branches):
            inner = 1
            if number < last:
                w.put(1, f"if branch == {number}:")
                inner = 2
            for place, pick in enumerate(branch.picks, 1):
                value = f"answer[{place}]"
                if pick.shape == "arrangement":
                    value = f"[list(pile) for pile in {value}]"
                elif pick.shape != "in":
                    value = f"list({value})"
                w.put(inner, f"{w.local(pick.slot)} = {value}")
            w.put(inner, f"return {self.seg(branch.target)}")

    def _bulk_lists(self) -> None:
        """A list of values for each branch; which of all of them, then of which branch it is."""
        w, plan = self.w, self.plan
        sizes = []
        for number, branch in enumerate(plan.branches):
            if branch.picks:
                listed = self._branch(number, branch, w.scope, 1, bare=True)
                w.put(1, f"list{number} = {listed}")
                w.put(1, f"size{number} = len(list{number})")
            else:
                tests = [test.test for test in (*branch.where, *branch.such_that)]
                texts = " and ".join(w.truth(t) for t in tests)
                w.put(1, f"size{number} = {f'1 if {texts} else 0' if texts else '1'}")
            sizes.append(f"size{number}")
        w.put(1, f"many = {' + '.join(sizes)}")
        if plan.otherwise >= 0:
            w.put(1, f"if not many: return {self.seg(plan.otherwise)}")
        w.put(1, f"who = {w.text(self.one.who)}")
        w.put(1, f"if not 0 <= who < {w.e.program.players}: raise Failed('nothing_there', {w.place})")
        if plan.otherwise < 0:
            w.put(1, f"if not many: raise Failed('no_answer', {w.e.place(plan.at)}, who)")
        w.put(1, "if many > 1:")
        w.put(2, f"S[{OPEN}] += 1")
        w.put(2, "place = X(32) * many >> 32")
        w.put(1, "else: place = 0")
        self._counted("1")
        last = len(plan.branches) - 1
        for number, branch in enumerate(plan.branches):
            inner = 1
            if number < last:
                w.put(1, f"if place < size{number}:")
                inner = 2
            if len(branch.picks) == 1:
                w.put(inner, f"{w.local(branch.picks[0].slot)} = list{number}[place]")
            elif branch.picks:
                w.put(inner, f"answer = list{number}[place]")
                for k, pick in enumerate(branch.picks):
                    w.put(inner, f"{w.local(pick.slot)} = answer[{k}]")
            w.put(inner, f"return {self.seg(branch.target)}")
            if number < last:
                w.put(1, f"place -= size{number}")

    def _counted(self, answers: str) -> None:
        self.w.put(1, f"S[{DECISIONS}] += {answers}")
        self.w.put(1, f"if S[{DECISIONS}] > DECISIONS: raise Failed('endless_game', {self.w.e.place(self.plan.at)})")

    def _sample(self, scope: Scope, who: str, indent: int) -> None:
        """Lines that leave a random answer in `answer`; with at least two to choose from it counts as a decision."""
        w, plan = self.w, self.plan
        at = w.e.place(plan.at)
        if flat(plan):
            if plan.otherwise < 0 or plan.who_slot >= 0:
                w.put(indent, f"if not offers: raise Failed('no_answer', {at}, {who})")
            w.put(indent, "many = len(offers)")
            w.put(indent, "if many > 1:")
            w.put(indent + 1, f"S[{OPEN}] += 1")
            w.put(indent + 1, "answer = offers[X(32) * many >> 32]")
            w.put(indent, "else: answer = offers[0]")
            return
        if self.some is not None:
            self._bounds(scope, indent)
            w.put(indent, "chosen = some_of(left, least, most, X)")
            w.put(indent, f"if chosen is None: raise Failed('no_answer', {at}, {who})")
            w.put(indent, f"if most > 0 and not least == most == len(left): S[{OPEN}] += 1")
            w.put(indent, "answer = (0, chosen)")
            return
        if self.drawn:
            w.put(indent, f"answer = draw_{self.number}(S, {who}, X)")
            return
        w.put(indent, f"answer = sampled(S, {self.number}, {who}, X)")

    def _bulk_sealed(self) -> None:
        w, one = self.w, self.one
        self._sealed_begin()
        w.put(1, "given = {}")
        w.put(1, "for player in able:")
        scope = w.scope.bind(self.plan.who_slot, "player")
        if flat(self.plan):
            self.collect(scope, 2)
        self._sample(scope, "player", 2)
        w.put(2, "given[player] = answer")
        self._counted("len(able)")
        w.put(1, f"{w.local(one.answers_slot)} = [given.get(player, ({NO_ANSWER},)) for player in found]")
        w.put(1, f"return {self.seg(self.pc + 1)}")
