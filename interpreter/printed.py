"""What is printed on components: a field that cards of one kind have and others do not is read with care.

In: an attribute of the program and a component. Out: what is printed there; where there is nothing, 0 or no list. Rules
should not ask for that, but most can't be shown never to do so: they would count a card of another kind as the first of
all members. So in a game that somebody follows to test its rules it is a fault, with its place.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.state import State


class Printed:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        having = [{k for k, kind in enumerate(program.kinds) if _has(kind, attr)} for attr in range(len(program.attrs))]
        self.lacking = [
            frozenset(c for c, one in enumerate(program.components) if one.kind not in kinds) for kinds in having
        ]

    def read(self, state: State, attr: int, component: int, at: p.At) -> Any:
        if component in self.lacking[attr] and state.watch is not None and state.watch.tests:
            raise self._fault(attr, component, at)
        return self.program.attrs[attr][component]

    def _fault(self, attr: int, component: int, at: p.At) -> faults.Fault:
        kinds = self.program.kinds
        having = next(kind for kind in kinds if _has(kind, attr))
        name = next(name for name, number, _ in having.attrs if number == attr)
        return faults.no_field(at, kinds[self.program.components[component].kind].name, name, having.name)


def _has(kind: p.CardKind, attr: int) -> bool:
    return any(number == attr for _, number, _ in kind.attrs)
