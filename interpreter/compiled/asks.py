"""Choices -> Python: stopping at a choice, drawing an answer; fused.py puts the parts together.

The answers of a choice of plain things (`flat`) are listed by listing.py. `some of` and arrangements under conditions
are drawn by drawing.py where that is possible; the rest is left to domains/, with compiled conditions.
"""

from __future__ import annotations

import re

from cambist.dsl import program as p
from cambist.interpreter.chance import FEW
from cambist.interpreter.combinations import EVEN
from cambist.interpreter.compiled.drawing import drawing_lines, drawn
from cambist.interpreter.compiled.expressions import UNROLLED, Expressions
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.layout import ANSWERS, DECIDERS, DECISIONS, FORCED, FUEL, OFFERS, SEVERAL, WAITS, WHO
from cambist.interpreter.compiled.listing import Listing, flat
from cambist.interpreter.compiled.packing import family_of
from cambist.interpreter.compiled.plan import plain_some
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.whereabouts import is_seat
from cambist.interpreter.compiled.writer import Writer
from cambist.interpreter.limits import DECISIONS_PER_GAME, STEPS_PER_DECISION
from cambist.interpreter.steps.choosing import NO_ANSWER

REFUEL = f"S[{FUEL}] = {STEPS_PER_DECISION}"
DRAWN = re.compile(r"\b(left|chosen|rest)\b")
CALM = re.compile(r"(S\[\d+\]|K\d+\[may\]|\blen\(|[^\w\[(]|(?<!\w)\(|\w(?![\w\[(])|\w(?=\w))*")  # only looks at cells


def one_by_one(e: Expressions, one: p.IAskSealed, plan: p.Choice) -> bool:
    """Whether random answers to a sealed choice are drawn without a loop: some of several things, from few who are
    known and can all answer."""
    known = isinstance(one.deciders, p.EList) and len(set(one.deciders.values)) == len(one.deciders.values) <= UNROLLED
    return known and plan.otherwise < 0 and plain_some(plan) is not None


def sorted_items(e: Expressions, source: p.Expr) -> bool:
    """Whether the things of a pick come in order: those that lie in a bag, if none is ever shuffled that may be it."""
    family = family_of(e.program, source.zone) if isinstance(source, p.EContents) else None
    return family is not None and e.program.zones[family].order == "bag" and not {family, None} & e.shuffled


class Asking(Listing):
    """The functions of one place that asks."""

    def __init__(self, w: Writer, node: Node) -> None:
        super().__init__(w, node)
        self.number = w.plan.leaders[node]
        self.drawn = drawn(self.plan) is not None

    def seg(self, pc: int) -> int:
        return self.w.plan.leaders[self.w.plan.node(self.q, pc)]

    # ---- stopping

    def step(self) -> None:
        """Stop here, or go on where nothing can be answered."""
        w, plan, listed = self.w, self.plan, False
        w.enter(self.node)
        w.put(0, f"def ask_{self.number}(S, X):")
        if isinstance(self.one, p.IAskSealed):
            self._sealed_begin()
            w.put(1, f"S[{WHO}] = {SEVERAL}")
            w.put(1, f"S[{DECIDERS}] = able")
            w.put(1, f"S[{ANSWERS}] = {self._unanswered('able', None)}")
        else:
            if plan.otherwise >= 0 and flat(plan):
                w.put(1, f"offers = list_{self.number}(S)")
                w.put(1, f"if not offers: return {self.seg(plan.otherwise)}")
                listed = True
            elif plan.otherwise >= 0:
                w.put(1, f"if not {self.can}(S, {self.args}-1): return {self.seg(plan.otherwise)}")
            else:
                listed = self._listed_at_once()
            if is_seat(w, self.one.who):
                w.put(1, f"S[{WHO}] = {w.text(self.one.who)}")
            else:
                w.put(1, f"who = {w.text(self.one.who)}")
                w.put(1, f"if not 0 <= who < {w.e.program.players}: raise Failed('nothing_there', {w.place})")
                w.put(1, f"S[{WHO}] = who")
        w.put(1, f"S[{OFFERS}] = {'offers' if listed else 'None'}")
        w.put(1, f"S[{WAITS}] = {self.number}")
        w.put(1, "return -1")

    def _listed_at_once(self) -> bool:
        """Ready-made answers are listed when the game comes here, if that can't fail: clones then have them, too."""
        if self.ready is None:
            return False
        begin = len(self.w.lines)
        self.collect(self.w.scope, 1)
        text = "\n".join(line for _, line, _ in self.w.lines[begin:])
        if CALM.fullmatch(text):
            return True
        del self.w.lines[begin:]
        return False

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
    def one_of_many(self) -> str:
        """A number below `many`, drawn as `Source.below` draws it."""
        drawn = "X(24) * many >> 24"
        return drawn if self.ready is not None else f"{drawn} if many <= {FEW} else below(many, X)"

    @property
    def some(self) -> p.Pick | None:
        return plain_some(self.plan)

    @property
    def drawable(self) -> bool:
        """Whether a random answer is drawn here, and not left to domains/."""
        return flat(self.plan) or self.some is not None or self.drawn

    @property
    def can(self) -> str:
        return f"can_{self.number}" if self.drawn else "possible"

    @property
    def args(self) -> str:
        return "" if self.drawn else f"{self.number}, "

    def draw(self, whole: bool) -> None:
        """A random answer; None if there is none. `whole`: for whole games, in which nobody else looks at it."""
        w = self.w
        w.enter(self.node)
        if self.drawn:
            inside = w.scope.bind(self.plan.who_slot, "player") if self.plan.who_slot >= 0 else w.scope
            for line in drawing_lines(w.e, self.plan, self.number, inside, FORCED, whole):
                w.put(int(line.startswith(" ")), line.strip())
            return
        w.put(0, f"def draw_{self.number}(S, player, X):")
        if flat(self.plan):
            sealed = isinstance(self.one, p.IAskSealed)
            listed = f"list_{self.number}(S{', player' if sealed else ''})"
            w.put(1, f"offers = {listed} if S[{OFFERS}] is None else S[{OFFERS}]")
            w.put(1, "many = len(offers)")
            w.put(1, f"if many > 1: return offers[{self.one_of_many}]")
            w.put(1, "return offers[0] if offers else None")
            return
        scope = w.scope.bind(self.plan.who_slot, "player") if self.plan.who_slot >= 0 else w.scope
        self._some(scope, 1, ["return None"], "one(left)")
        w.put(1, "answer = (0, tuple(chosen))")
        w.put(1, f"S[{w.e.layout.rests(w.e.program.players)} + player] = (answer, left, rest)")
        w.put(1, "return answer")

    def _some(
        self, scope: Scope, indent: int, nothing: list[str], chosen: str = "[*one(left)]", counts: bool = False
    ) -> None:
        """Lines that leave some things in `chosen` and the others in `rest`; `nothing`: if there is no answer.
        `counts`: whether there was one way only is counted."""
        pick, w, e = self.some, self.w, self.w.e
        assert pick is not None
        in_order = sorted_items(e, pick.source)
        w.put(indent, f"left = {e.text(pick.source, scope)}")
        if pick.least is None and pick.most is None:
            w.put(indent, "size = len(left)")
            w.put(indent, f"if size and size <= {EVEN}:")
            w.put(indent + 1, "wide, count, apart = EVENLY[size] or evened(size)")
            w.put(indent + 1, "one, other = apart[X(wide) * count >> wide]")
            w.put(indent + 1, f"chosen = {chosen}")
            w.put(indent + 1, "rest = [*other(left)]")
            w.put(indent, "else:")
            w.put(indent + 1, f"chosen, rest = any_of{'' if in_order else '_row'}(left, X)")
            if counts:
                w.put(indent + 1, f"if not left: S[{FORCED}] += 1")
        else:
            least = "0" if pick.least is None else f"max(0, {e.text(pick.least, scope)})"
            most = "len(left)" if pick.most is None else f"min(len(left), {e.text(pick.most, scope)})"
            w.put(indent, f"least, most = {least}, {most}")
            w.put(indent, "parted = some_of(left, least, most, X)")
            w.put(indent, f"if parted is None: {'; '.join(nothing)}")
            w.put(indent, "chosen, rest = parted")
            if counts:
                w.put(indent, f"if most <= 0 or least == most == len(left): S[{FORCED}] += 1")
        if not in_order:
            w.put(indent, "chosen = sorted(chosen)")

    def _asked(self, indent: int) -> None:
        """Lines that leave in `found` who is asked and in `able` who of them can answer."""
        w, one = self.w, self.one
        known = isinstance(one.deciders, p.EList) and len(set(one.deciders.values)) == len(one.deciders.values)
        who = w.text(one.deciders)
        w.put(indent, f"found = {who if known else f'list(dict.fromkeys({who}))'}")
        w.put(indent, f"{w.local(one.deciders_slot)} = found")
        if self.plan.otherwise >= 0:
            w.put(indent, f"able = [player for player in found if {self.can}(S, {self.args}player)]")
        else:
            w.put(indent, "able = found")

    def _sealed_begin(self) -> None:
        w = self.w
        self._asked(1)
        w.put(1, f"{w.local(self.one.answers_slot)} = {self._unanswered('found', (NO_ANSWER,))}")
        w.put(1, f"if not able: return {self.seg(self.pc + 1)}")

    def _unanswered(self, asked: str, none: tuple[int, ...] | None) -> str:
        """No answer yet of those who are asked: what is known of a list that is never changed, all games share."""
        if isinstance(self.one.deciders, p.EList) and self.plan.otherwise < 0:
            return self.w.e.constant(("unanswered", len(set(self.one.deciders.values)), none))
        return f"[{none}] * len({asked})"

    # ---- answering at random

    @property
    def by_branch(self) -> bool:
        """Whether values are listed branch by branch: no answers are made of them."""
        return flat(self.plan) and self.ready is None

    @property
    def at_once(self) -> bool:
        """Whether the draw itself tells that there is no answer."""
        return self.plan.otherwise >= 0 and self.drawn and isinstance(self.one.who, p.ELocal)

    @property
    def nothing(self) -> str:
        """The test that there is no answer."""
        if not flat(self.plan):
            return "answer is None" if self.at_once else f"not {self.can}(S, {self.args}-1)"
        return "not many" if self.by_branch else "not offers"

    def listed(self, indent: int) -> None:
        """Lines that leave in `offers`, or branch by branch in lists and `many`, what may be answered."""
        w = self.w
        if self.by_branch:
            sizes = []
            for number, branch in enumerate(self.plan.branches):
                if branch.picks:
                    self._branch(number, branch, w.scope, indent, bare=True)
                    w.put(indent, f"size{number} = len(list{number})")
                else:
                    tests = [test.test for test in (*branch.where, *branch.such_that)]
                    texts = " and ".join(w.truth(t) for t in tests)
                    w.put(indent, f"size{number} = {f'1 if {texts} else 0' if texts else '1'}")
                sizes.append(f"size{number}")
            w.put(indent, f"many = {' + '.join(sizes)}")
        elif flat(self.plan):
            self.collect(w.scope, indent)
        elif self.at_once:
            w.put(indent, f"answer = draw_{self.number}(S, {w.text(self.one.who)}, X)")

    def draw_one(self, indent: int) -> None:
        """Lines that draw one of these, and count it."""
        w, plan = self.w, self.plan
        who = w.text(self.one.who)
        if not is_seat(w, self.one.who):
            w.put(indent, f"who = {who}")
            w.put(indent, f"if not 0 <= who < {w.e.program.players}: raise Failed('nothing_there', {w.place})")
            who = "who"
        if self.by_branch:
            if plan.otherwise < 0:
                w.put(indent, f"if not many: raise Failed('no_answer', {w.e.place(plan.at)}, {who})")
            w.put(indent, f"if many > 1: place = {self.one_of_many}")
            w.put(indent, "else:")
            w.put(indent + 1, "place = 0")
            w.put(indent + 1, f"S[{FORCED}] += 1")
        elif not self.at_once:
            self._sample(w.scope, who, indent)
        self._counted("1", indent)
        if not self.by_branch and len(plan.branches) > 1:
            w.put(indent, "branch = answer[0]")

    def given(self, indent: int) -> None:
        """One more sealed answer; with the last one the game goes on."""
        w, one = self.w, self.one
        w.put(indent, f"answers = S[{ANSWERS}][:]")
        known = one_by_one(w.e, one, self.plan) and one.deciders.values == tuple(range(w.e.program.players))
        w.put(indent, f"answers[{'player' if known else f'S[{DECIDERS}].index(player)'}] = answer")
        w.put(indent, f"S[{ANSWERS}] = answers")
        if one_by_one(w.e, one, self.plan):
            w.put(indent, f"[{', '.join(f'given{player}' for player in one.deciders.values)}] = answers")
            for player in one.deciders.values:
                w.put(indent, f"if given{player} is None: return -1")
            w.put(indent, REFUEL)
            rests = w.e.layout.rests(w.e.program.players)
            for player in one.deciders.values:
                w.put(indent, f"kept{player} = S[{rests + player}]")
        else:
            w.put(indent, "if None in answers: return -1")
            w.put(indent, REFUEL)
            if self.plan.otherwise >= 0:
                w.put(indent, f"by = dict(zip(S[{DECIDERS}], answers))")
                w.put(indent, f"answers = [by.get(one, ({NO_ANSWER},)) for one in {w.local(one.deciders_slot)}]")
        w.put(indent, f"{w.local(one.answers_slot)} = answers")

    def sealed_at_random(self, indent: int) -> None:
        """The answers of all who are asked."""
        w, one = self.w, self.one
        w.put(indent, REFUEL)
        some_cannot = self.plan.otherwise >= 0
        if one_by_one(w.e, one, self.plan):
            w.put(indent, f"{w.local(one.deciders_slot)} = {w.text(one.deciders)}")
            self._one_by_one(indent)
            return
        self._asked(indent)
        w.put(indent, "answers = {}" if some_cannot else "answers = []")
        w.put(indent, "for player in able:")
        scope = w.scope.bind(self.plan.who_slot, "player")
        if flat(self.plan):
            self.collect(scope, indent + 1)
        self._sample(scope, "player", indent + 1)
        w.put(indent + 1, "answers[player] = answer" if some_cannot else "answers.append(answer)")
        self._counted("len(able)", indent)
        every = f"[answers.get(player, ({NO_ANSWER},)) for player in found]" if some_cannot else "answers"
        w.put(indent, f"{w.local(one.answers_slot)} = {every}")

    def _one_by_one(self, indent: int) -> None:
        """The same where it is known who is asked: no loop, and a variable for each answer."""
        w, one = self.w, self.one
        begin = len(w.lines)
        for player in one.deciders.values:
            self._some(w.scope.bind(self.plan.who_slot, player), indent, [self._no_answer(str(player))], counts=True)
            self._named(begin, str(player))
            begin = len(w.lines)
        self._counted(str(len(one.deciders.values)), indent)
        answers = ", ".join(f"(0, chosen{k}, left{k}, rest{k})" for k in one.deciders.values)
        w.put(indent, f"{w.local(one.answers_slot)} = [{answers}]")  # left out if it is not needed

    @property
    def in_variables(self) -> bool:
        """Whether what is drawn, and what that leaves, are variables of their own instead of an answer."""
        w = self.w
        return w.at_random and w.answering is None and self.some is not None and isinstance(self.one, p.IAsk)

    def _named(self, begin: int, whose: str) -> None:
        """What was drawn in the lines from there on, in variables that say whose or where it was drawn."""
        lines = self.w.lines
        lines[begin:] = [(i, DRAWN.sub(rf"\g<1>{whose}", text), at) for i, text, at in lines[begin:]]

    def _no_answer(self, who: str) -> str:
        return f"raise Failed('no_answer', {self.w.e.place(self.plan.at)}, {who})"

    def _counted(self, answers: str, indent: int) -> None:
        self.w.put(indent, f"S[{DECISIONS}] += {answers}")
        at = self.w.e.place(self.plan.at)
        self.w.put(indent, f"if S[{DECISIONS}] > {DECISIONS_PER_GAME}: raise Failed('endless_game', {at})")

    def _sample(self, scope: Scope, who: str, indent: int) -> None:
        """Lines that leave a random answer in `answer`; with at least two to choose from it counts as a decision."""
        w, plan = self.w, self.plan
        if flat(plan):
            if (plan.otherwise < 0 or plan.who_slot >= 0) and self.one.choice not in w.e.always:
                w.put(indent, f"if not offers: {self._no_answer(who)}")
            w.put(indent, "many = len(offers)")
            w.put(indent, f"if many > 1: answer = offers[{self.one_of_many}]")
            w.put(indent, "else:")
            w.put(indent + 1, "answer = offers[0]")
            w.put(indent + 1, f"S[{FORCED}] += 1")
            return
        if self.some is not None:
            begin = len(w.lines)
            self._some(scope, indent, [self._no_answer(who)], counts=True)
            if self.in_variables:
                self._named(begin, f"_{self.number}")
            else:
                w.put(indent, "answer = (0, chosen, left, rest)")
            return
        if self.drawn:
            w.put(indent, f"answer = draw_{self.number}(S, {who}, X)")
            return
        w.put(indent, f"answer = sampled(S, {self.number}, {who}, X)")
