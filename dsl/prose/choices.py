"""Choices -> steps: who may choose what under which condition, and what follows."""

from __future__ import annotations

from typing import TypeVar

import attrs

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.contents import conjuncts
from cambist.dsl.prose.english import a, listed, plural
from cambist.dsl.prose.marks import bare, clean, marked, sentence
from cambist.dsl.prose.steps import Sentences, Step, line_above
from cambist.dsl.prose.voice import SHORT_NAME

C = TypeVar("C", bound="Choices")
LONGEST_CONDITION = 120  # characters of what stands behind one alternative


class Choices(Sentences):
    def choose(self: C, node: n.Choose) -> tuple[C, list[Step]]:
        who = node.who
        inside = self.as_subject(who.name if isinstance(who, n.Ref) else None)
        subject = self.value(who)
        comment = self.world.comments.beside(node.span)
        if not node.named:
            branch, others = _others(node.branches[0], who)
            after = self._picked(branch.picks)
            text = f"{subject} chooses {inside._picks(branch.picks, others)}"
            conditions = after._conditions(branch, " so that ")
            notes = (*node.notes, *branch.notes)
            only = after._only_if(branch) if len(bare(conditions)) > LONGEST_CONDITION else None
            if only is not None:
                lead = self.noted(f"{text} so that all of this holds:", comment, notes)
                steps = [Step(lead, only.inside, "options")]
            else:
                steps = [Step(self.noted(text + conditions, comment, notes))]
        else:
            after = self
            options = tuple(self._branch(branch, who) for branch in node.branches)
            lead = "chooses one of these" if len(options) > 1 else "chooses this"
            steps = [Step(self.noted(f"{subject} {lead}:", comment, node.notes), options, "options")]
        if node.otherwise is not None:
            lead = "if nothing of this is possible" if node.named else "if there is nothing to choose"
            arm = attrs.evolve(node, span=line_above(node.otherwise[0].span), notes=())
            steps.append(self.head(lead, arm, node.otherwise))
        return after, steps

    def _picked(self: C, picks: tuple[n.Pick, ...]) -> C:
        voice = self
        for pick in picks:
            kept = {name: local for name, local in voice.locals.items() if name != pick.name.text}
            voice = attrs.evolve(voice, locals=kept).declare({pick.name.text: voice._pick_kind(pick)})
        return voice

    def _pick_kind(self, pick: n.Pick) -> Kind:
        inner = self.element_of(pick.source)
        match pick.shape:
            case "in":
                return inner
            case "some" | "order":
                return k.several(inner)
            case "arrangement":
                return k.several(k.several(inner))

    def _branch(self, branch: n.Branch, who: n.Expr) -> Step:
        inside = self.as_subject(who.name if isinstance(who, n.Ref) else None)
        after = self._picked(branch.picks)
        text = marked("action", self.world.words(branch.label.text), branch.label.text)
        branch, others = _others(branch, who)
        text += f" {inside._picks(branch.picks, others)}" if branch.picks else ""
        conditions = after._conditions(branch, ", if ")
        only = after._only_if(branch) if len(bare(conditions)) > LONGEST_CONDITION else None
        text += conditions if only is None else ""
        comment = self.world.comments.beside(branch.span)
        if branch.body and branch.body[0].span.line == branch.span.line:
            comment = ""
        if only is not None:
            return Step(after.noted(f"{text}:", comment, branch.notes), (only, *after.tell(branch.body)))
        if len(branch.body) == 1 and isinstance(branch.body[0], n.Nothing):
            beside = self.world.comments.beside(branch.body[0].span)
            return Step(after.noted(text, beside or comment, (*branch.notes, *branch.body[0].notes)))
        short = after.in_one(branch.body)
        if short:
            told, more = short
            notes = self.all_notes(branch, branch.body)  # type: ignore[arg-type]
            comments = "; ".join(c for c in dict.fromkeys((comment, more)) if c)
            return Step(after.noted(f"{text}: {told}", comments, notes))
        return Step(after.noted(f"{text}:", comment, branch.notes), after.tell(branch.body))

    def _only_if(self, branch: n.Branch) -> Step | None:
        """Several conditions one below the other."""
        tests = [*conjuncts(branch.where), *conjuncts(branch.such_that)]
        if len(tests) < 2:
            return None
        return Step("Only if all of this holds:", tuple(Step(sentence(self.clause(test))) for test in tests), "options")

    def _conditions(self, branch: n.Branch, lead: str) -> str:
        tests = [test for test in (branch.where, branch.such_that) if test is not None]
        return lead + listed(self.clause(test) for test in tests) if tests else ""

    def _picks(self, picks: tuple[n.Pick, ...], others: frozenset[str] = frozenset()) -> str:
        told, voice = [], self
        for pick in picks:
            told.append(voice._pick(pick, pick.name.text in others))
            voice = voice._picked((pick,))
            if voice.locals[pick.name.text].kind.word == "player":
                voice = voice.in_full()
        return listed(told)

    def _pick(self, pick: n.Pick, other: bool = False) -> str:
        kind = self.element_of(pick.source)
        noun = self.world.noun(kind)
        among = self.among(pick.source)
        name = pick.name.text
        called = clean(name.replace("_", " ")) if len(name) > SHORT_NAME or "_" in name else ""
        called = "" if called == noun else called
        match pick.shape:
            case "in":
                if isinstance(pick.source, n.Call) and pick.source.name.text == "others":
                    return "another player"
                if isinstance(pick.source, n.ListOf):
                    return f"{a(called or noun)}{among}"
                if isinstance(pick.source, n.Between):
                    return f"a number{among}" + (
                        f" ({marked('name', called)})" if called else f" ({marked('name', name)})"
                    )
                what = f"{f'another {noun}' if other else a(noun)}{among}"
                return what + (f" ({marked('name', called)})" if called else "")
            case "some":
                bounds = [f"at least {self.value(pick.least)}"] if pick.least is not None else []
                bounds += [f"at most {self.value(pick.most)}"] if pick.most is not None else []
                bounds += ["possibly none"] if pick.possibly_none else []
                limits = f", {listed(bounds)}" if bounds else ", at least one"
                text = f"any {plural(noun)}{among}{limits}"
                return text + (f" ({marked('name', called)})" if called and called != plural(noun) else "")
            case "order":
                return f"an order for {self.value(pick.source)}" + (f" ({marked('name', called)})" if called else "")
            case "arrangement":
                text = f"how to divide {self.value(pick.source)} into groups, each in an order"
                return text + (f" ({marked('name', called)})" if called else "")


def _others(branch: n.Branch, who: n.Expr) -> tuple[n.Branch, frozenset[str]]:
    """`q in players where q is not p` is “another player”: the condition is told by the noun."""
    picks = {pick.name.text for pick in branch.picks}
    found, kept = set[str](), list[n.Expr]()
    for test in conjuncts(branch.where):
        inside = test.value if isinstance(test, n.Not) else None
        if (
            isinstance(inside, n.Is)
            and isinstance(inside.value, n.Ref)
            and inside.value.name in picks
            and not inside.cells
        ):
            if isinstance(who, n.Ref) and inside.name.text == who.name:
                found.add(inside.value.name)
                continue
        kept.append(test)
    if not found:
        return branch, frozenset()
    where = kept[0] if kept else None
    for test in kept[1:]:
        assert where is not None
        where = n.Binary("and", where, test, span=test.span)
    return attrs.evolve(branch, where=where), frozenset(found)
