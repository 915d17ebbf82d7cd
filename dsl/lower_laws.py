"""A law (`invariant`, `reachable`) or a `measure` -> functions that are asked of states, and when.

In: a declaration whose kinds are known. Out: a `Property` or a `Measure`. Behind `after` there is one function for each
way the phase or procedure is run; what is never run has none, and is never asked. Whether a law holds is not judged
here.
"""

from __future__ import annotations

from typing import Protocol

import attrs

from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.infer_names import Instance, Key, law_key
from cambist.dsl.kinds import PLAYER, UNKNOWN, Kind, element
from cambist.dsl.lower_expressions import BEFORE, because
from cambist.dsl.lower_statements import FunctionWorld
from cambist.dsl.walk import descend


class LawWorld(FunctionWorld, Protocol):
    procedure_index: dict[Key, int]


def lower_law(lowering: LawWorld, decl: n.Property) -> p.Property:
    asking = _Asking(lowering, decl)
    params = len(decl.params)
    at = p.At(decl.span, because(decl.notes))
    found = p.Property(decl.word, decl.name.text, -1, at, decl.moment, asking.compares, params=params)
    if asking.procedure:
        return attrs.evolve(found, procedures=tuple((index, asking.value(i)) for index, i in asking.ways()))
    [(_, instance)] = asking.ways()
    if decl.after is not None:
        return attrs.evolve(found, function=asking.value(instance), action=decl.after.text)
    leads_to = -1 if decl.leads_to is None else asking.function(decl.leads_to, asking.bound, instance)
    binders = asking.binders(instance)
    return attrs.evolve(found, function=asking.value(instance), leads_to=leads_to, binders=binders)


def lower_measure(lowering: LawWorld, decl: n.Property) -> p.Measure:
    asking = _Asking(lowering, decl)
    ways = asking.ways()
    meaning, of = p.Meaning("number"), tuple(p.Meaning("player") for _ in decl.binders)
    for _, instance in ways[:1]:
        meaning = lowering.meaning(instance.of(decl.value))
        of = tuple(lowering.meaning(_member(binder, instance)) for binder in decl.binders)
    return p.Measure(
        decl.name.text,
        decl.moment,
        asking.compares,
        decl.after.text if decl.after is not None and not asking.procedure else "",
        len(decl.params),
        meaning,
        of,
        tuple(p.Asked(index, asking.value(instance), asking.binders(instance)) for index, instance in ways),
        p.At(decl.span, because(decl.notes)),
    )


class _Asking:
    """The functions of one declaration. Behind `after`, names of parameters come before those of binders."""

    def __init__(self, lowering: LawWorld, decl: n.Property) -> None:
        self.lowering = lowering
        self.decl = decl
        self.compares = _compares(decl, lowering)
        self.earlier = (BEFORE,) if self.compares else ()
        self.params = tuple(param.text for param in decl.params)
        self.bound = tuple(binder.name.text for binder in decl.binders)
        self.procedure = decl.after is not None and decl.after.text in lowering.symbols.procedures

    def ways(self) -> list[tuple[int, Instance]]:
        """Each procedure it is asked after, or -1, with the kinds that hold there."""
        lowering, decl = self.lowering, self.decl
        if decl.after is None:
            return [(-1, lowering.ruleset.inferred.singles[id(decl)])]
        if not self.procedure:
            return [(-1, lowering.instance(law_key(decl, (PLAYER,)[: len(self.params)])))]
        run = [(kinds, index) for (name, kinds), index in lowering.procedure_index.items() if name == decl.after.text]
        return [(index, lowering.instance(law_key(decl, kinds))) for kinds, index in run]

    def function(self, value: n.Expr, names: tuple[str, ...], instance: Instance) -> int:
        lowering, decl = self.lowering, self.decl
        made = lowering.make_function(decl.name.text, (*self.earlier, *names), value, instance, decl.notes, decl)
        if instance.of(value).word == "zone":
            made = attrs.evolve(made, value=p.EContents(made.value))
        return lowering.add_function(made)

    def value(self, instance: Instance) -> int:
        return self.function(self.decl.value, (*self.params, *self.bound), instance)

    def binders(self, instance: Instance) -> tuple[int, ...]:
        return tuple(
            self._things(binder, (*self.params, *self.bound[:place]), instance)
            for place, binder in enumerate(self.decl.binders)
        )

    def _things(self, binder: n.Binder, names: tuple[str, ...], instance: Instance) -> int:
        if binder.source is not None:
            return self.function(binder.source, names, instance)
        count = len(self.earlier) + len(names)
        everybody = p.EList(tuple(range(self.lowering.players)))
        return self.lowering.add_function(p.Function("players", count, count, everybody, p.At(self.decl.span)))


def _member(binder: n.Binder, instance: Instance) -> Kind:
    if binder.source is None:
        return PLAYER
    return element(instance.of(binder.source)) or UNKNOWN


def _compares(decl: n.Property, lowering: LawWorld) -> bool:
    if "before" in lowering.symbols.globals:
        return False
    return any(isinstance(node, n.Call) and node.name.text == "before" for node in descend(decl))
