"""A law (`invariant`, `reachable`) -> functions that are asked of states, and when.

In: a declaration whose kinds are known. Out: a `Property`. A law behind `after` has one function for each way its
phase or procedure is run; what is never run has none, and such a law is never asked. Whether a law holds is not
judged here.
"""

from __future__ import annotations

from typing import Protocol

import attrs

from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.infer_expressions import Instance, Key, law_key
from cambist.dsl.kinds import PLAYER
from cambist.dsl.lower_expressions import BEFORE, because
from cambist.dsl.lower_statements import FunctionWorld
from cambist.dsl.walk import descend


class LawWorld(FunctionWorld, Protocol):
    procedure_index: dict[Key, int]


def lower_law(lowering: LawWorld, decl: n.Property) -> p.Property:
    compares = _compares(decl, lowering)
    earlier = (BEFORE,) if compares else ()
    params = tuple(param.text for param in decl.params)

    def function(value: n.Expr, names: tuple[str, ...], instance: Instance) -> int:
        made = lowering.make_function(decl.name.text, (*earlier, *names), value, instance, decl.notes, decl)
        if instance.of(value).word == "zone":
            made = attrs.evolve(made, value=p.EContents(made.value))
        return lowering.add_function(made)

    def things(binder: n.Binder, names: tuple[str, ...], instance: Instance) -> int:
        if binder.source is not None:
            return function(binder.source, names, instance)
        count = len(earlier) + len(names)
        everybody = p.EList(tuple(range(lowering.players)))
        return lowering.add_function(p.Function("players", count, count, everybody, p.At(decl.span)))

    found = p.Property(
        decl.word, decl.name.text, -1, p.At(decl.span, because(decl.notes)), decl.moment, compares, params=len(params)
    )
    if decl.after is not None and decl.after.text in lowering.symbols.procedures:
        ways = [(kinds, index) for (name, kinds), index in lowering.procedure_index.items() if name == decl.after.text]
        functions = [
            (index, function(decl.value, params, lowering.instance(law_key(decl, kinds)))) for kinds, index in ways
        ]
        return attrs.evolve(found, procedures=tuple(functions))
    if decl.after is not None:
        instance = lowering.instance(law_key(decl, (PLAYER,)[: len(params)]))
        return attrs.evolve(found, function=function(decl.value, params, instance), action=decl.after.text)
    instance = lowering.ruleset.inferred.singles[id(decl)]
    bound = tuple(binder.name.text for binder in decl.binders)
    binders = tuple(things(binder, bound[:place], instance) for place, binder in enumerate(decl.binders))
    leads_to = -1 if decl.leads_to is None else function(decl.leads_to, bound, instance)
    value = function(decl.value, bound, instance)
    return attrs.evolve(found, function=value, leads_to=leads_to, binders=binders)


def _compares(decl: n.Property, lowering: LawWorld) -> bool:
    if "before" in lowering.symbols.globals:
        return False
    return any(isinstance(node, n.Call) and node.name.text == "before" for node in descend(decl))
