"""Examples and laws -> sentences: what is given, who answers what, what holds then; what is always so."""

from __future__ import annotations

import re
from typing import assert_never

import attrs

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.prose.english import counted, is_plural, listed
from cambist.dsl.prose.marks import clean, marked, sentence
from cambist.dsl.prose.statements import Teller
from cambist.dsl.prose.world import Local, World

WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def player_name(name: str) -> str:
    """`a` is A, `ann` is Ann: a letter alone would read as a word."""
    said = clean(name.replace("_", " "))
    return said[:1].upper() + said[1:]


class ExampleTeller(Teller):
    def lines(self, example: n.Example) -> list[str]:
        return [line for clause in example.clauses if (line := self._clause_line(clause))]

    def _clause_line(self, node: n.Clause) -> str:
        marks = self.world.notes.mark(node.notes, self.told)
        match node.word:
            case "given":
                told = [self._given(fact) for fact in node.facts]
                return sentence(f"{marked('action', 'Given:')} {'; '.join(told)}") + marks
            case "when":
                return sentence("; ".join(self._act(act) for act in node.acts)) + marks
            case "refused":
                why = f", because of {self.world.term(node.because.text)}" if node.because is not None else ""
                acts = "; ".join(f"{self._name(a.player)} may not choose {self.answer(a.answer)}" for a in node.acts)
                return sentence(acts + why) + marks
            case "then":
                told = [self._given(fact) for fact in node.facts]
                return sentence(f"{marked('action', 'Then:')} {'; '.join(told)}") + marks
            case _ as never:
                assert_never(never)

    def _name(self, name: n.Name) -> str:
        return self.locals[name.text].phrase if name.text in self.locals else player_name(name.text)

    def _act(self, act: n.Act) -> str:
        return f"{self._name(act.player)} {'may choose' if act.if_legal else 'chooses'} {self.answer(act.answer)}"

    def answer(self, text: str) -> str:
        """What somebody types as an answer, with names as words."""

        def said(word: re.Match[str]) -> str:
            name = word.group()
            local = self.locals.get(name)
            return local.phrase if local is not None else name.replace("_", " ")

        told = re.sub(r"\s+([,)\]])", r"\1", WORD.sub(said, text))
        return marked("name", re.sub(r"([(\[])\s+", r"\1", told))

    def _given(self, fact: n.Fact) -> str:
        match fact:
            case n.Named():
                names = listed(self._name(name) for name in fact.names)
                if fact.exactly:
                    return f"{names} {'play' if len(fact.names) > 1 else 'plays'}"
                return f"{names} {'are' if len(fact.names) > 1 else 'is'} among the players"
            case n.InPhase():
                return f"the game is at {self._called(fact.call)}"
            case n.WithOption():
                return f"the option {self.world.name(fact.name.text)} is {self.value(fact.value)}"
            case n.Holds():
                return self._holds(fact)
            case n.Learns():
                return f"{self._name(fact.player)} can tell nothing of it"
            case n.Chance():
                return f"chance gives {', '.join(self.value(value) for value in fact.values)}"
            case n.Claim():
                return self.claim(fact.value)
            case _ as never:
                assert_never(never)

    def _called(self, node: n.Expr) -> str:
        name = node.name.text if isinstance(node, n.Call) else node.name if isinstance(node, n.Ref) else ""
        args = node.args if isinstance(node, n.Call) else ()
        return self.world.phase(name) + (f" of {listed(self.value(arg) for arg in args)}" if args else "")

    def claim(self, node: n.Expr) -> str:
        negated, inside = (True, node.value) if isinstance(node, n.Not) else (False, node)
        if isinstance(inside, n.Is) and isinstance(inside.value, n.Ref) and inside.name.text not in self.locals:
            who = self._name(n.Name(inside.value.name))
            match inside.name.text:
                case "asked":
                    return f"it is {'not ' if negated else ''}for {who} to choose"
                case "winner":
                    return f"{who} {'does not win' if negated else 'wins'}"
                case "over" if inside.value.name == "game":
                    return f"the game is {'not ' if negated else ''}over"
                case _:
                    pass
        return self.clause(node)

    def _holds(self, fact: n.Holds) -> str:
        things = [self.thing(thing) for thing in fact.things]
        place = self.value(fact.zone)
        if not things:
            return f"{place} is empty"
        told = f"{', '.join(things[:-1])} and {things[-1]}" if len(things) > 1 else things[0]
        return f"{place} {'hold' if is_plural(place) else 'holds'} {told}{', in this order' if fact.in_order else ''}"

    def thing(self, thing: n.Thing) -> str:
        noun = self.world.words(thing.card.text)
        cells = ", ".join(self._cell(cell) for cell in thing.cells)
        return counted(thing.count, noun) + (f" ({cells})" if cells else "")

    def _cell(self, cell: n.Cell) -> str:
        if isinstance(cell, n.EachCell):
            return "each"
        if isinstance(cell, n.ListOf):
            return "-".join(self.value(item) for item in cell.items)
        return self.value(cell)


def example_lines(world: World, example: n.Example) -> list[str]:
    players = [
        name.text
        for clause in example.clauses
        for fact in clause.facts
        if isinstance(fact, n.Named)
        for name in fact.names
    ]
    voice = ExampleTeller(world, world.ruleset.inferred.singles.get(id(example)), told=example.notes)
    return voice.inner({name: Local(player_name(name), k.PLAYER) for name in players}).lines(example)


def law_line(world: World, law: n.Property) -> str:
    """What is always so, or can come about."""
    voice = ExampleTeller(world, world.ruleset.inferred.singles.get(id(law)), told=())
    when = ""
    if law.after is not None:
        instance = next((i for i in world.ruleset.inferred.instances.values() if i.decl is law), None)
        given = instance.key[1] if instance is not None else ()
        kinds = {param.text: kind for param, kind in zip(law.params, given, strict=False)}
        voice = attrs.evolve(voice, instance=instance or voice.instance).declare(kinds)
        when = f"after {world.phase(law.after.text)}: "
    elif law.moment == "end":
        when = "at the end of the game: "
    inside, shown = voice.each_of(law.binders, None) if law.binders else (voice, "")
    told = inside.clause(law.value)
    if law.leads_to is not None:
        told = f"whenever {told}, then or later {inside.clause(law.leads_to)}"
    told = f"for every {shown}, {told}" if shown else told
    return sentence(f"{when}{told}") + world.notes.mark(law.notes)
