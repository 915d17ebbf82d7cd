"""Every example claims something, and names only conditions and as many components as there are."""

from __future__ import annotations

from collections import Counter

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.components import Printed
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset

OF_THE_MACHINE = frozenset(("form", "turn", "sealed", "unclear", "over"))


There = dict[str, Counter[tuple[Printed, ...]]]  # card -> the values on its components, and how often they are there


def check(ruleset: CheckedRuleset, report: Report) -> None:
    there: There = {}
    for made in ruleset.components:
        there.setdefault(made.card, Counter())[made.values] += 1
    for example in ruleset.examples:
        if not any(clause.word in ("then", "refused") for clause in example.clauses):
            report.add(say.example_proves_nothing(example.span, f'"{example.title}"'))
        if not report.lost:
            _enough(example, ruleset, report, there)
    named = {c.because for example in ruleset.examples for c in example.clauses if c.because is not None}
    if named:
        known = _conditions(ruleset)
        for name in named:
            if name.text not in known:
                report.add(say.unknown_name(name.span, name.text, known))


def _enough(example: n.Example, ruleset: CheckedRuleset, report: Report, there: There) -> None:
    """What is given in one place cannot be given in another: all of it together is compared with what there is."""
    zones: dict[str, tuple[n.Thing, ...]] = {}
    for clause in example.clauses:
        for fact in clause.facts if clause.word == "given" else ():
            if isinstance(fact, n.Holds):
                zones[fact.zone.span.text] = fact.things
    wanted: dict[tuple[str, tuple[int | None, ...]], list[n.Thing]] = {}
    for things in zones.values():
        for thing in things:
            wanted.setdefault((thing.card.text, _written(thing, ruleset)), []).append(thing)
    for (card, cells), same in wanted.items():
        here = there.get(card, Counter())
        fitting = sum(
            many for values, many in here.items() if all(c in (None, v) for c, v in zip(cells, values, strict=False))
        )
        asked = sum(thing.count for thing in same)
        if here and asked > fitting:
            report.add(say.too_few(same[-1].span, asked, fitting))


def _written(thing: n.Thing, ruleset: CheckedRuleset) -> tuple[int | None, ...]:
    """The values that a card is given with, as its components have them; None for what may be anything."""
    card = ruleset.symbols.card(thing.card.text)
    found: list[int | None] = []
    for cell, item in zip(thing.cells, card.fields if card is not None else (), strict=False):
        enum = ruleset.symbols.enum(item.kind.text)
        names = [m.text for m in enum.members] if enum is not None else []
        if isinstance(cell, n.Ref) and cell.name in names:
            found.append(names.index(cell.name))
        elif isinstance(cell, n.Number) and item.kind.text == "number" and cell.value.lstrip("-").isdecimal():
            found.append(int(cell.value))
        else:
            found.append(None)
    return tuple(found)


def _conditions(ruleset: CheckedRuleset) -> set[str]:
    """What can refuse an answer: a definition or a flag that is asked for, or a part of the answer itself."""
    parts = {pick.name.text for pick in ruleset.of(n.Pick)}
    asked = {name for name, d in ruleset.symbols.globals.items() if isinstance(d, (n.Define, n.Variable, n.Option))}
    return parts | asked | OF_THE_MACHINE
