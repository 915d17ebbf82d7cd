"""Blocks of statements and choices -> steps: sentences with further steps inside them.

In: the body of a phase. Out: `Step`s, numbered or a list of alternatives, with the author’s comments and the marks of notes.
A procedure that is run in one place only is told there, in the words of that place; others have a place of their own.
"""

from __future__ import annotations

import re
from typing import Literal, TypeGuard, get_args

import attrs
from attrs import define, frozen

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.contents import conjuncts
from cambist.dsl.prose.deeds import Deed, Deeds, Told
from cambist.dsl.prose.english import a, listed, plural
from cambist.dsl.prose.expressions import SHORT_NAME, V
from cambist.dsl.prose.marks import bare, capital, clean, marked, sentence
from cambist.dsl.prose.world import Local, World, run_name
from cambist.dsl.source import Span

DEEPEST_TOLD = 4  # procedures told inside one another
LONGEST_CONDITION = 120  # characters of what stands behind one alternative
SIMPLE = get_args(Told)
LETTER = re.compile(r"(?<![\w’'`-])[b-hj-z](?![\w’'`-])")  # `a` and `I` are words


@frozen
class Step:
    text: str
    inside: tuple[Step, ...] = ()
    style: Literal["steps", "options"] = "steps"  # of what is inside


def is_simple(node: object) -> TypeGuard[Told]:
    return isinstance(node, SIMPLE)


@define
class Teller(Deeds):
    told: n.Notes = ()  # notes that stand at the heading
    running: tuple[str, ...] = ()  # procedures that are being told inside one another

    # ---- blocks

    def tell(self, body: tuple[n.Stmt, ...]) -> tuple[Step, ...]:
        """One after the other; what one names the next ones know."""
        voice, steps = self, list[Step]()
        body = tuple(node for node in body if not _goes_without_saying(node))
        for index, node in enumerate(body):
            below = body[index + 1] if index + 1 < len(body) else None
            shared = below is not None and below.span.line == node.span.line and below.span.file == node.span.file
            voice, more = voice._statement(node, not shared)
            steps += more
        return tuple(steps)

    def _statement(self, node: n.Stmt, with_comment: bool = True) -> tuple[Teller, list[Step]]:
        match node:
            case n.Let() | n.Draw():
                return self._new_names(node, with_comment)
            case n.Choose():
                return self._choose(node)
            case n.Each():
                return self, [self._each(node)]
            case n.If():
                return self, self._if(node)
            case n.Repeat():
                return self, [self._repeat(node)]
            case n.Secretly():
                return self, [self._secretly(node)]
            case n.Tentatively():
                return self, self._tentatively(node)
            case n.Run() if self._told_here(run_name(node)):
                return self, [self._run_here(node, with_comment)]
            case _:
                return self, [Step(self._finish(self.said(self.deed(node)), node, with_comment))]

    def _finish(self, text: str, node: n.Stmt, with_comment: bool = True) -> str:
        """A whole sentence, with the author’s comment and the marks of its notes."""
        comment = self.world.comments.beside(node.span) if with_comment else ""
        return self._noted(text, comment, node.notes)

    def _in_words(self, comment: str) -> str:
        """A comment that speaks of `q` means what `q` is called here."""

        def said(word: re.Match[str]) -> str:
            local = self.locals.get(word.group())
            return word.group() if local is None or local.phrase in ("they", "") else bare(local.phrase)

        return LETTER.sub(said, comment)

    def _noted(self, text: str, comment: str, notes: n.Notes) -> str:
        comment = self._in_words(comment)
        marks = self.world.notes.mark(notes, self.told)
        colon = text.endswith(":")
        told = f"{text.rstrip(':')} ({comment})" if comment else text.rstrip(":")
        return sentence(f"{told}:" if colon else told) + marks

    def _head(self, text: str, node: n.Stmt, body: tuple[n.Stmt, ...], alone: str = "") -> Step:
        """What opens a block: with one simple statement in one sentence, else with steps inside."""
        short = self._in_one(body)
        inner_line = body[0].span.line if body else 0
        comment = self.world.comments.beside(node.span) if inner_line != node.span.line else ""
        if short:
            told, more = short
            return Step(
                self._noted(
                    f"{text}{alone or ','} {told}",
                    ", ".join(c for c in (comment, more) if c),
                    self._all_notes(node, body),
                )
            )
        return Step(self._noted(f"{text.rstrip(',')}:", comment, node.notes), self.tell(body))

    def _all_notes(self, node: n.Stmt, body: tuple[n.Stmt, ...]) -> n.Notes:
        return tuple(dict.fromkeys((*node.notes, *(note for one in body for note in one.notes))))

    def _in_one(self, body: tuple[n.Stmt, ...]) -> tuple[str, str] | None:
        """A body that fits into the sentence above it, and its comment."""
        if len(body) != 1 or not is_simple(body[0]) or isinstance(body[0], (n.Let, n.Draw)):
            return None
        if self._told_here(run_name(body[0])):
            return None
        return self.said(self.deed(body[0])), self.world.comments.beside(body[0].span)

    # ---- names for values

    def let(self, node: n.Let | n.Draw) -> str:
        names = [node.name] if isinstance(node, n.Draw) else list(node.names)
        new = self._with(names, node)
        called = listed(as_name(new.locals[name.text].phrase) for name in names)
        if isinstance(node, n.Draw):
            what = self._source_noun(node.source, node.count is None)
            if node.count is None:
                return f"one of {what} is drawn by lot: {called}"
            count = self.value(node.count)
            if not count.isdecimal():
                return f"some of {what} are drawn by lot, as many as {count}: {called}"
            return f"{count} of {what} {'is' if count == '1' else 'are'} drawn by lot: {called}"
        if run_name(node) in self.world.ruleset.symbols.procedures:
            return f"{self.said(self.run(node.value))}; its results are {called}"
        return f"let {called} be {self.value(node.value)}"

    def _source_noun(self, source: n.Expr, one: bool) -> str:
        if self.kind(source).word == "zone":
            return f"the {plural(self.card_in(source))} in {self.value(source)}"
        return self.value(source)

    def _with(self, names: list[n.Name], node: n.Let | n.Draw) -> Teller:
        kinds: dict[str, Kind] = {}
        for index, name in enumerate(names):
            kinds[name.text] = self._new_kind(node, index)
        kept = {name: local for name, local in self.locals.items() if name not in kinds}
        return attrs.evolve(self, locals=kept).declare(kinds)

    def _new_kind(self, node: n.Let | n.Draw, index: int) -> Kind:
        if isinstance(node, n.Draw):
            inner = self.element_of(node.source)
            return inner if node.count is None else k.several(inner)
        name = run_name(node)
        if name in self.world.ruleset.symbols.procedures and isinstance(node.value, (n.Call, n.Ref)):
            args = node.value.args if isinstance(node.value, n.Call) else ()
            instance = self.world.instance(name, tuple(self.kind(arg) for arg in args))
            results = instance.results if instance is not None else ()
            return results[index] if index < len(results) else k.UNKNOWN
        kind = k.as_value(self.kind(node.value))
        if kind.word == "card":
            return self.narrow(kind, node.value)
        return k.several(self.element_of(node.value)) if kind.word == "list" else kind

    def _new_names(self, node: n.Let | n.Draw, with_comment: bool) -> tuple[Teller, list[Step]]:
        names = [node.name] if isinstance(node, n.Draw) else list(node.names)
        new = self._with(names, node)
        if self._told_here(run_name(node)) and isinstance(node, n.Let):
            called = listed(as_name(new.locals[name.text].phrase) for name in names)
            inside = self._steps_of(node.value)
            return new, [
                Step(
                    self._finish(
                        f"{self.world.phase(run_name(node))}, with {called} as its result:", node, with_comment
                    ),
                    inside,
                )
            ]
        return new, [Step(self._finish(self.let(node), node, with_comment))]

    # ---- other parts of the rules

    def _told_here(self, name: str) -> bool:
        decl = self.world.ruleset.symbols.procedures.get(name)
        return (
            decl is not None
            and decl.word == "procedure"
            and self.world.called.get(name) == 1
            and name not in self.running
            and len(self.running) < DEEPEST_TOLD
        )

    def _run_here(self, node: n.Run, with_comment: bool) -> Step:
        name = run_name(node)
        decl = self.world.ruleset.symbols.procedures[name]
        own = self.world.comments.of(Span(decl.span.file, decl.name.span.start, decl.name.span.end))
        comment = "; ".join(c for c in (self.world.comments.beside(node.span) if with_comment else "", own) if c)
        steps = self._steps_of(node.target)
        notes = (*node.notes, *decl.notes)
        if len(steps) == 1 and not steps[0].inside and not comment:
            return Step(f"{capital(self.world.phase(name))}: {steps[0].text}{self.world.notes.mark(notes, self.told)}")
        return Step(self._noted(f"{self.world.phase(name)}:", comment, notes), steps)

    def _steps_of(self, target: n.Expr) -> tuple[Step, ...]:
        """The steps of a procedure, its parameters being what it is run with."""
        name = target.name.text if isinstance(target, n.Call) else target.name if isinstance(target, n.Ref) else ""
        args = target.args if isinstance(target, n.Call) else ()
        decl = self.world.ruleset.symbols.procedures[name]
        kinds = tuple(self.kind(arg) for arg in args)
        given = {
            param.text: Local(self._as_owner(arg), kind)
            for param, arg, kind in zip(decl.params, args, kinds, strict=False)
        }
        inside = attrs.evolve(
            self,
            instance=self.world.instance(name, kinds),
            locals=given,
            told=(*self.told, *decl.notes),
            running=(*self.running, name),
        )
        return inside.tell(decl.body)

    # ---- each, if, repeat

    def _each(self, node: n.Each) -> Step:
        inside, shown = self.each_of(node.binders, None)
        if len(node.binders) == 1:
            step = self._each_does(node)
            if step is not None:
                return step
        inside = self._called_plainly(node.binders)
        test = f" for which {inside.clause(node.where)}" if node.where is not None else ""
        if node.where is not None and len(node.binders) == 1:
            shown = self.those(node.binders[0], node.where, False)
            test = ""
        shown = shown.replace(" and a ", " and each ").replace(" and an ", " and each ")
        return inside._head(f"for each {shown}{test}", node, node.body)

    def _called_plainly(self: Teller, binders: tuple[n.Binder, ...]) -> Teller:
        """In the body it is “the player”, not “that player”."""
        kinds: dict[str, Kind] = {}
        voice = self
        for binder in binders:
            kinds[binder.name.text] = voice.element(binder)
            voice = voice.inner({binder.name.text: Local("", kinds[binder.name.text])})
        return self.declare(kinds, bound=True)

    def _each_does(self, node: n.Each) -> Step | None:
        """“Each player takes 6 cards from the stock into their hand.”"""
        binder = node.binders[0]
        if self.element(binder).word != "player" or len(node.body) != 1 or not is_simple(node.body[0]):
            return None
        body = node.body[0]
        if isinstance(body, (n.Let, n.Draw)) or self._told_here(run_name(body)):
            return None
        inside = self._called_plainly(node.binders)
        deed = inside.deed(body)
        if not isinstance(deed.who, n.Ref) or deed.who.name != binder.name.text:
            return None
        those = self.those(binder, node.where, False)
        those = those.replace("player other than", "other player than") if node.where is not None else those
        text = f"each {those} {deed.third()} {deed.rest}"
        comments = dict.fromkeys((self.world.comments.beside(node.span), self.world.comments.beside(body.span)))
        return Step(self._noted(text, "; ".join(c for c in comments if c), self._all_notes(node, node.body)))

    def _if(self, node: n.If) -> list[Step]:
        found = []
        for index, (test, body) in enumerate(node.arms):
            lead = "if" if index == 0 else "otherwise, if"
            arm = attrs.evolve(node, span=test.span, notes=node.notes if index == 0 else ())
            found.append(self._head(f"{lead} {self.clause(test)}", arm, body))
        if node.other:
            found.append(
                self._head("otherwise", attrs.evolve(node, span=_line_above(node.other[0].span), notes=()), node.other)
            )
        return found

    def _repeat(self, node: n.Repeat) -> Step:
        if node.times is not None:
            return self._head(f"repeat {self.how_often(node.times)}", node, node.body, ":")
        if node.test_first is not None:
            return self._head(f"as long as {self.clause(node.test_first)}", node, node.body)
        steps = self.tell(node.body)
        comment = self.world.comments.beside(node.span)
        if node.until is not None:
            return Step(self._noted(f"repeat this until {self.clause(node.until)}:", comment, node.notes), steps)
        return Step(self._noted("repeat this until something below ends it:", comment, node.notes), steps)

    # ---- secretly, tentatively

    def _secretly(self, node: n.Secretly) -> Step:
        inside = self._called_plainly((node.binder,))
        comment = self.world.comments.beside(node.span)
        asked: list[Step] = []
        if isinstance(node.choose, n.Choose):
            those = self.those(node.binder, None, False)
            whose = inside.inner({node.binder.name.text: Local(f"each {those}", k.PLAYER)})
            _, asked = whose._choose(node.choose)
            inside, _ = inside._choose(node.choose)
        after = inside.tell(node.body)
        if after:
            asked.append(
                Step(
                    sentence("when all have decided, this is done for each of them in the order of their seats:"), after
                )
            )
        return Step(self._noted("all at once, each unseen by the others:", comment, node.notes), tuple(asked))

    def _tentatively(self, node: n.Tentatively) -> list[Step]:
        comment = self.world.comments.beside(node.span)
        found = [
            Step(
                self._noted("tentatively, so that it may be taken back until it is done:", comment, node.notes),
                self.tell(node.body),
            )
        ]
        if node.otherwise is not None:
            found.append(
                self._head(
                    "if it was taken back",
                    attrs.evolve(node, span=_line_above(node.otherwise[0].span), notes=()),
                    node.otherwise,
                )
            )
        return found

    def whenever(self, decl: n.Whenever) -> Step:
        """“Whenever a card enters a player’s hand …”"""
        zone = self.world.declared(decl.zone.text)
        owners = zone.owners if isinstance(zone, n.Zone) else ()
        card = self.narrow(k.CARD, n.Ref(decl.zone.text))
        kinds = {decl.component.text: card}
        for name, owner in zip(decl.owners, owners, strict=False):
            kinds[name.text] = k.PLAYER if owner.text == "player" else k.enum(owner.text)
        inside = self.declare(kinds)
        whose = listed(a(self.world.noun(kinds[name.text])) for name in decl.owners)
        place = f"the {self.world.words(decl.zone.text)}" + (f" of {whose}" if whose else "")
        text = f"whenever {a(self.world.noun(card))} {'enters' if decl.enters else 'leaves'} {place}"
        text += f" and {inside.clause(decl.where)}" if decl.where is not None else ""
        comment = self.world.comments.of(decl.component.span)
        return Step(inside._noted(f"{text}:", comment, decl.notes), inside.tell(decl.body))

    # ---- choices

    def _choose(self, node: n.Choose) -> tuple[Teller, list[Step]]:
        who = node.who
        inside = self.as_subject(who.name if isinstance(who, n.Ref) else None)
        subject = self.value(who)
        comment = self.world.comments.beside(node.span)
        if not node.named:
            branch, others = _others(node.branches[0], who)
            after = self._picked(branch.picks)
            text = f"{subject} chooses {inside._picks(branch.picks, others)}"
            text += after._conditions(branch, " so that ")
            steps = [Step(self._noted(text, comment, (*node.notes, *branch.notes)))]
        else:
            after = self
            options = tuple(self._branch(branch, who) for branch in node.branches)
            lead = "chooses one of these" if len(options) > 1 else "chooses this"
            steps = [Step(self._noted(f"{subject} {lead}:", comment, node.notes), options, "options")]
        if node.otherwise is not None:
            lead = "if nothing of this is possible" if node.named else "if there is nothing to choose"
            arm = attrs.evolve(node, span=_line_above(node.otherwise[0].span), notes=())
            steps.append(self._head(lead, arm, node.otherwise))
        return after, steps

    def _picked(self, picks: tuple[n.Pick, ...]) -> Teller:
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
            return Step(after._noted(f"{text}:", comment, branch.notes), (only, *after.tell(branch.body)))
        if len(branch.body) == 1 and isinstance(branch.body[0], n.Nothing):
            beside = self.world.comments.beside(branch.body[0].span)
            return Step(after._noted(text, beside or comment, (*branch.notes, *branch.body[0].notes)))
        short = after._in_one(branch.body)
        if short:
            told, more = short
            notes = self._all_notes(branch, branch.body)  # type: ignore[arg-type]
            comments = "; ".join(c for c in dict.fromkeys((comment, more)) if c)
            return Step(after._noted(f"{text}: {told}", comments, notes))
        return Step(after._noted(f"{text}:", comment, branch.notes), after.tell(branch.body))

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


def _goes_without_saying(node: n.Stmt) -> bool:
    """`require x is not empty`: nobody at a table takes a card where none is."""
    tests = conjuncts(node.test) if isinstance(node, n.Require) else []
    return bool(tests) and all(
        isinstance(test, n.Not) and isinstance(test.value, n.Is) and test.value.name.text == "empty" for test in tests
    )


def as_name(phrase: str) -> str:
    """Where a local is introduced it stands out."""
    return phrase if bare(phrase) != phrase else marked("name", phrase)


def _line_above(span: Span) -> Span:
    """Where `else` or `otherwise` stands: on the line of its one statement, or on the one above."""
    file = span.file
    line = span.line
    text = file.line_text(line).lstrip()
    if text.startswith(("else", "otherwise")) or line < 2:
        return span
    start = file.starts[line - 2]
    return Span(file, start, start)


def teller(world: World, name: str = "", decl: n.Procedure | n.Define | None = None) -> Teller:
    """A voice for a whole rule: its parameters are called by what they are."""
    voice = Teller(world)
    if decl is None:
        return voice
    instance = world.instance(name)
    kinds = {
        param.text: (instance.params.get(param.text, k.UNKNOWN) if instance is not None else k.UNKNOWN)
        for param in decl.params
    }
    return attrs.evolve(voice, instance=instance, told=decl.notes).declare(kinds)


__all__ = ["Deed", "Step", "Teller", "V", "teller"]
