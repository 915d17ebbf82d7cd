"""Blocks of statements and choices -> steps: sentences with further steps inside them.

In: the body of a phase. Out: `Step`s, numbered or a list of alternatives, with the author’s comments and the marks
of notes. A procedure that is run in one place only is told there, in the words of that place; others have a place
of their own.
"""

from __future__ import annotations

import attrs

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.choices import Choices
from cambist.dsl.prose.contents import conjuncts
from cambist.dsl.prose.english import a, listed, plural
from cambist.dsl.prose.marks import capital, sentence
from cambist.dsl.prose.steps import Step, as_name, is_simple, line_above
from cambist.dsl.prose.world import Local, World, run_name
from cambist.dsl.source import Span


class Teller(Choices):
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
                return self.choose(node)
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
            case n.Run() if self.told_here(run_name(node)):
                return self, [self._run_here(node, with_comment)]
            case _:
                return self, [Step(self.finish(self.said(self.deed(node)), node, with_comment))]

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
        if self.told_here(run_name(node)) and isinstance(node, n.Let):
            called = listed(as_name(new.locals[name.text].phrase) for name in names)
            inside = self._steps_of(node.value)
            return new, [
                Step(
                    self.finish(
                        f"{self.world.phase(run_name(node))}, with {called} as its result:", node, with_comment
                    ),
                    inside,
                )
            ]
        return new, [Step(self.finish(self.let(node), node, with_comment))]

    # ---- other parts of the rules

    def _run_here(self, node: n.Run, with_comment: bool) -> Step:
        name = run_name(node)
        decl = self.world.ruleset.symbols.procedures[name]
        own = self.world.comments.of(Span(decl.span.file, decl.name.span.start, decl.name.span.end))
        comment = "; ".join(c for c in (self.world.comments.beside(node.span) if with_comment else "", own) if c)
        steps = self._steps_of(node.target)
        notes = (*node.notes, *decl.notes)
        if len(steps) == 1 and not steps[0].inside and not comment:
            return Step(f"{capital(self.world.phase(name))}: {steps[0].text}{self.world.notes.mark(notes, self.told)}")
        return Step(self.noted(f"{self.world.phase(name)}:", comment, notes), steps)

    def _steps_of(self, target: n.Expr) -> tuple[Step, ...]:
        """The steps of a procedure, its parameters being what it is run with."""
        name = target.name.text if isinstance(target, n.Call) else target.name if isinstance(target, n.Ref) else ""
        args = target.args if isinstance(target, n.Call) else ()
        decl = self.world.ruleset.symbols.procedures[name]
        kinds = tuple(self.kind(arg) for arg in args)
        given = {
            param.text: Local(self.as_owner(arg), kind)
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
        return inside.head(f"for each {shown}{test}", node, node.body)

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
        if isinstance(body, (n.Let, n.Draw)) or self.told_here(run_name(body)):
            return None
        inside = self._called_plainly(node.binders)
        deed = inside.deed(body)
        if not isinstance(deed.who, n.Ref) or deed.who.name != binder.name.text:
            return None
        those = self.those(binder, node.where, False)
        those = those.replace("player other than", "other player than") if node.where is not None else those
        text = f"each {those} {deed.third()} {deed.rest}"
        comments = dict.fromkeys((self.world.comments.beside(node.span), self.world.comments.beside(body.span)))
        return Step(self.noted(text, "; ".join(c for c in comments if c), self.all_notes(node, node.body)))

    def _if(self, node: n.If) -> list[Step]:
        found = []
        for index, (test, body) in enumerate(node.arms):
            lead = "if" if index == 0 else "otherwise, if"
            arm = attrs.evolve(node, span=test.span, notes=node.notes if index == 0 else ())
            found.append(self.head(f"{lead} {self.clause(test)}", arm, body))
        if node.other:
            found.append(
                self.head("otherwise", attrs.evolve(node, span=line_above(node.other[0].span), notes=()), node.other)
            )
        return found

    def _repeat(self, node: n.Repeat) -> Step:
        if node.times is not None:
            return self.head(f"repeat {self.how_often(node.times)}", node, node.body, ":")
        if node.test_first is not None:
            return self.head(f"as long as {self.clause(node.test_first)}", node, node.body)
        steps = self.tell(node.body)
        comment = self.world.comments.beside(node.span)
        if node.until is not None:
            return Step(self.noted(f"repeat this until {self.clause(node.until)}:", comment, node.notes), steps)
        return Step(self.noted("repeat this until something below ends it:", comment, node.notes), steps)

    # ---- secretly, tentatively

    def _secretly(self, node: n.Secretly) -> Step:
        inside = self._called_plainly((node.binder,))
        comment = self.world.comments.beside(node.span)
        asked: list[Step] = []
        if isinstance(node.choose, n.Choose):
            those = self.those(node.binder, None, False)
            whose = inside.inner({node.binder.name.text: Local(f"each {those}", k.PLAYER)})
            _, asked = whose.choose(node.choose)
            inside, _ = inside.choose(node.choose)
        after = inside.tell(node.body)
        if after:
            asked.append(
                Step(
                    sentence("when all have decided, this is done for each of them in the order of their seats:"), after
                )
            )
        return Step(self.noted("all at once, each unseen by the others:", comment, node.notes), tuple(asked))

    def _tentatively(self, node: n.Tentatively) -> list[Step]:
        comment = self.world.comments.beside(node.span)
        found = [
            Step(
                self.noted("tentatively, so that it may be taken back until it is done:", comment, node.notes),
                self.tell(node.body),
            )
        ]
        if node.otherwise is not None:
            found.append(
                self.head(
                    "if it was taken back",
                    attrs.evolve(node, span=line_above(node.otherwise[0].span), notes=()),
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
        return Step(inside.noted(f"{text}:", comment, decl.notes), inside.tell(decl.body))


def _goes_without_saying(node: n.Stmt) -> bool:
    """`require x is not empty`: nobody at a table takes a card where none is."""
    tests = conjuncts(node.test) if isinstance(node, n.Require) else []
    return bool(tests) and all(
        isinstance(test, n.Not) and isinstance(test.value, n.Is) and test.value.name.text == "empty" for test in tests
    )


def teller(world: World, name: str = "", decl: n.Procedure | n.Define | None = None) -> Teller:
    """A voice for a whole rule: its parameters are called by what they are."""
    voice = Teller(world)
    if decl is None:
        return voice
    instance = world.instance(name)
    kinds = {}
    for param in decl.params:
        kind = instance.params.get(param.text, k.UNKNOWN) if instance is not None else k.UNKNOWN
        cards = world.handed.get((name, param.text), frozenset())
        kinds[param.text] = k.card(next(iter(cards))) if kind == k.CARD and len(cards) == 1 else kind
    return attrs.evolve(voice, instance=instance, told=decl.notes).declare(kinds)
