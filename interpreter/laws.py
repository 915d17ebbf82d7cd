"""The laws of a ruleset, followed through one game: `invariant` and `reachable`, each asked when it says so.

In: a machine, and one game as following.py tells it. Out: a `Fault` that names a broken invariant; `seen`, the
reachable facts this game came by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from cambist.dsl.program import Property
from cambist.interpreter import faults
from cambist.interpreter.faults import Fault
from cambist.interpreter.following import Chosen, Follower, Values
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State


class Laws:
    """What a program's laws need, worked out once. Without the `whole` of a game, those that compare or come after
    something: the others speak of a beginning or an end that is not there.
    """

    def __init__(self, machine: Machine, whole: bool = True) -> None:
        self.machine = machine
        laws = [
            law
            for law in machine.program.properties
            if whole or (law.moment == "after" or law.compares) and law.moment != "end" and law.leads_to < 0
        ]
        self.always = [law for law in laws if law.moment == "always" and law.leads_to < 0]
        self.at_end = [law for law in laws if law.moment == "end" and law.leads_to < 0]
        self.leading = [law for law in laws if law.leads_to >= 0]
        self.actions = [law for law in laws if law.action]
        self.after: dict[int, list[tuple[Property, int]]] = {}
        for law in laws:
            for procedure, function in law.procedures:
                self.after.setdefault(procedure, []).append((law, function))
        self.compared = {number for number, asked in self.after.items() if any(law.compares for law, _ in asked)}
        self.keeps = any(law.compares for law in laws if not law.procedures)

    def follow(self, broken: dict[str, Fault] | None = None) -> Following:
        return Following(self, broken)


@frozen
class Promise:
    """Something that must come before the game ends."""

    law: int
    values: Values
    since: int  # answers given when it was promised


class Following(Follower):
    tests = True

    def __init__(self, laws: Laws, broken: dict[str, Fault] | None = None) -> None:
        super().__init__(laws.machine, laws.after, laws.compared, laws.keeps)
        self.laws = laws
        self.broken = broken  # where broken invariants are gathered; without it the first is raised
        self.seen: set[str] = set()
        self._promises: list[Promise] = []

    def kept(self) -> list[Promise]:
        return list(self._promises)

    def go_back(self, state: State, kept: list[Promise] | None) -> None:
        self._promises = list(kept or ())

    # ---- asking

    def ended(self, state: State, procedure: int, args: Values, began: State) -> None:
        for law, function in self.laws.after[procedure]:
            if not self._holds(state, law, function, args, began):
                name = self.machine.program.procedures[procedure].name
                self._tell(law, f" after `{name.partition('#')[0]}`")

    def asked(self, state: State, before: State, chosen: Chosen) -> None:
        for law in self.laws.always:
            if not self._holds(state, law, law.function, (), before):
                self._tell(law)
        for law in self.laws.actions:
            for player, label in chosen:
                if label == law.action and not self._holds(state, law, law.function, (player,)[: law.params], before):
                    self._tell(law, f" after `{label}`")
        if self.laws.leading:
            self._promise(state, before)
        if state.pending is None:
            self._over(state, before)

    def _over(self, state: State, before: State) -> None:
        for law in self.laws.at_end:
            if not self._holds(state, law, law.function, (), before):
                self._tell(law, " at the end")
        for promise in self._promises:
            law = self.laws.leading[promise.law]
            self._tell(law, f": what it promised after {promise.since} answers never came")

    def _tell(self, law: Property, when: str = "") -> None:
        fault = faults.broken_invariant(law.at, law.name, when)
        if self.broken is None:
            raise fault
        self.broken.setdefault(law.name, fault)

    def _promise(self, state: State, before: State) -> None:
        """What has come is no longer owed; what is newly promised, and not there already, is."""
        found = []
        for promise in self._promises:
            law = self.laws.leading[promise.law]
            if not self._ask(state, law, law.leads_to, promise.values, before):
                found.append(promise)
        owed = {(promise.law, promise.values) for promise in found}
        for number, law in enumerate(self.laws.leading):
            if law.moment == "end" and state.pending is not None:
                continue
            for values in self._bound(state, law, before):
                if (number, values) in owed or not self._ask(state, law, law.function, values, before):
                    continue
                if not self._ask(state, law, law.leads_to, values, before):
                    found.append(Promise(number, values, state.decisions))
        self._promises = found

    def _bound(self, state: State, law: Property, before: State, values: Values = ()) -> Iterator[Values]:
        """All that the binders of a law run through."""
        if len(values) == len(law.binders):
            yield values
            return
        for value in self._ask(state, law, law.binders[len(values)], values, before):
            yield from self._bound(state, law, before, (*values, value))

    def _holds(self, state: State, law: Property, function: int, values: Values, before: State) -> bool:
        """Whether an invariant holds; a reachable fact is only noted."""
        if law.word == "invariant":
            return bool(self._ask(state, law, function, values, before))
        if law.name not in self.seen and self._ask(state, law, function, values, before):
            self.seen.add(law.name)
        return True

    def _ask(self, state: State, law: Property, function: int, values: Values, before: State) -> Any:
        return self.ask(state, before if law.compares else None, function, values)
