"""The rules proper: which phases and procedures get a place of their own, in what order, and which terms stand
beside each.

Told is what the set-up and the course of the game run, in that order; what runs nowhere comes last. A term stands
beside the rule that needs it first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.prose.declared import meaning
from cambist.dsl.prose.english import a, is_plural, listed
from cambist.dsl.prose.marks import marked, sentence
from cambist.dsl.prose.statements import Teller, teller
from cambist.dsl.prose.world import World, run_name
from cambist.dsl.walk import descend
from cambist.rulebook.document import Block, Entries, Entry, Heading, Paragraph, Steps

WHOLE = ("setup", "play")


def title_of(world: World, name: str) -> str:
    said = world.words(name)
    return said[:1].upper() + said[1:]


@define
class Rules:
    world: World
    examples: dict[str, list[int]]  # a phase -> the numbers of its examples
    told: set[str] = field(factory=set)  # definitions
    modules: set[str] = field(factory=set)  # whose purpose was told
    headings: set[str] = field(factory=set)  # of the author, as far as they explain something and are told

    # ---- which and in what order

    def has_own_place(self, name: str) -> bool:
        decl = self.world.ruleset.symbols.procedures[name]
        return decl.word == "phase" or self.world.called.get(name, 0) != 1

    def in_order(self, start: str, seen: set[str]) -> list[str]:
        """What a rule runs that has a place of its own, each before what it runs itself."""
        procedures = self.world.ruleset.symbols.procedures
        found: list[str] = []
        for name in runs(procedures[start].body):
            if name in procedures and name not in seen:
                seen.add(name)
                if self.has_own_place(name):
                    found.append(name)
                found += self.in_order(name, seen)
        return found

    def left_over(self, seen: set[str]) -> list[str]:
        """Rules that nothing runs, and what they run; those of modules are no part of this game."""
        procedures = self.world.ruleset.symbols.procedures
        found = []
        for name in procedures:
            if self.world.called.get(name, 0) == 0 and name not in seen and "." not in name and name not in WHOLE:
                seen.add(name)
                found += [name, *self.in_order(name, seen)]
        return found

    def told_inside(self, body: tuple[n.Stmt, ...]) -> Iterator[str]:
        """Procedures that are told in the place where they are run."""
        procedures = self.world.ruleset.symbols.procedures
        for name in runs(body):
            if name in procedures and not self.has_own_place(name):
                yield name
                yield from self.told_inside(procedures[name].body)

    # ---- one rule

    def section(self, name: str, level: int = 3) -> Iterator[Block]:
        decl = self.world.ruleset.symbols.procedures[name]
        marks = self.world.notes.mark(decl.notes)
        yield Heading(level, title_of(self.world, name), f"phase-{name}", marks)
        yield from self.heading(decl)
        yield from self.module(name)
        voice = teller(self.world, name, decl)
        said = [self._comment(voice, decl)]
        given = [_given(voice, param.text) for param in decl.params]
        if [g for g in given if g != "a player"] or len(given) > 1:
            said.append(sentence(f"carried out with {listed(given)}"))
        if any(said):
            yield Paragraph(" ".join(text for text in said if text), "aside")
        yield from self.body(name)

    def body(self, name: str) -> Iterator[Block]:
        decl = self.world.ruleset.symbols.procedures[name]
        for inside in self.told_inside(decl.body):
            yield from self.module(inside)
        yield Steps(teller(self.world, name, decl).tell(decl.body))
        yield from self.terms([decl])
        numbers = self.examples.get(name, [])
        if numbers:
            first, last = (marked("phase", str(number), f"example-{number}") for number in (numbers[0], numbers[-1]))
            between = "and" if len(numbers) == 2 else "to"  # those of a phase follow one another
            several = f"See examples {first} {between} {last}."
            yield Paragraph(f"See example {first}." if len(numbers) == 1 else several, "aside")

    def _comment(self, voice: Teller, decl: n.Procedure) -> str:
        return sentence(voice.in_words(self.world.comments.of(decl.name.span)))

    def heading(self, decl: n.Procedure | n.Define) -> Iterator[Block]:
        """What the author says above several rules, told at the first of them."""
        said = self.world.comments.heading(decl.span)
        if said and said not in self.headings:
            self.headings.add(said)
            yield Paragraph(sentence(said), "aside")

    def module(self, name: str) -> Iterator[Block]:
        """What a module is for, told where it is met first."""
        file = self.world.ruleset.symbols.procedures[name].span.file
        if "." in name and file.name not in self.modules:
            self.modules.add(file.name)
            top = self.world.comments.top(file)
            if top:
                yield Paragraph(sentence(top), "aside")

    # ---- terms

    def needed(self, nodes: Iterable[Any]) -> list[str]:
        """Definitions that these rules use, and those that these use, as far as they are not told yet."""
        found: list[str] = []
        waiting = list(nodes)
        while waiting:
            for item in descend(waiting.pop(0)):
                name = used_name(item)
                if name in self.world.ruleset.symbols.procedures and not self.has_own_place(name):
                    if name not in self.told:
                        self.told.add(name)
                        waiting.append(self.world.ruleset.symbols.procedures[name].body)
                if self.world.definition(name) is not None and name not in self.told:
                    self.told.add(name)
                    found.append(name)
                    waiting.append(self.world.definition(name))
        return found

    def terms(self, nodes: Iterable[Any]) -> Iterator[Block]:
        names = self.needed(nodes)
        if names:
            yield Heading(5, "Words used here", "")
            for decl in filter(None, map(self.world.definition, names)):
                yield from self.heading(decl)
            yield Entries(tuple(self.entry(name) for name in names))

    def entry(self, name: str) -> Entry:
        decl = self.world.definition(name)
        assert decl is not None
        of, step = meaning(self.world, decl)
        return Entry(title_of(self.world, name), f"term-{name}", step.text, step.inside, of.strip())

    def untold(self) -> list[str]:
        """Definitions that no rule uses; those of modules are no part of this game."""
        names = [d.name.text for d in self.world.ruleset.decls if isinstance(d, n.Define)]
        return [name for name in names if name not in self.told and "." not in name]


def _given(voice: Teller, param: str) -> str:
    phrase = voice.locals[param].phrase
    if not phrase.startswith("the "):
        return phrase
    noun = phrase[4:]
    return noun if is_plural(noun) else a(noun)


def runs(body: tuple[n.Stmt, ...]) -> list[str]:
    return [name for node in descend(body) if (name := run_name(node))]


def used_name(node: object) -> str:
    match node:
        case n.Ref():
            return node.name
        case n.Call() | n.Is():
            return node.name.text
        case _:
            return ""
