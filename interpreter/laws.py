"""The laws of a ruleset, followed through one game: `invariant` and `reachable`, each asked when it says so.

In: a machine, the game's states at its choices and at its end (`moment`), and what the machine tells in between (as the
`watch` of the state: procedures that end, branches that are chosen, blocks that are rolled back). Out: a `Fault` that
names a broken invariant; `seen`, the reachable facts this game came by. What was is kept here, as clones: a state knows
nothing of its laws, and a game that nobody follows pays nothing.

`before` is the choice before; for a law behind `after`, the beginning of what has ended. What is rolled back was not.
A phase that `end game` cuts short has not ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from cambist.dsl.program import Property
from cambist.interpreter import faults
from cambist.interpreter.faults import Fault
from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import Frame, State

Values = tuple[Any, ...]


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
class Running:
    """A procedure that runs: what it was run with, and how all stood then if a law asks for it."""

    frame: Frame
    args: Values
    began: State | None


@frozen
class Promise:
    """Something that must come before the game ends."""

    law: int
    values: Values
    since: int  # answers given when it was promised


@define
class Kept:
    """What a rolled back block goes back to."""

    state: State | None
    promises: list[Promise]


@define
class Following:
    laws: Laws
    broken: dict[str, Fault] | None = None  # where broken invariants are gathered; without it the first is raised
    seen: set[str] = field(factory=set)
    _kept: list[Kept] = field(factory=list)  # by the number of tentative blocks that were open
    _running: list[Running] = field(factory=list)  # one for each frame
    _chosen: list[tuple[int, str]] = field(factory=list)  # since the moment before
    _promises: list[Promise] = field(factory=list)

    # ---- what the machine tells

    def runs(self, state: State) -> None:
        laws = self.laws
        for frame in state.frames[len(self._running) :]:
            procedure = frame[0]
            args: Values = ()
            if procedure in laws.after:
                args = tuple(frame[2][: laws.machine.program.procedures[procedure].params])
            self._running.append(Running(frame, args, state.clone() if procedure in laws.compared else None))

    def switched(self, state: State, frame: Frame) -> None:
        running = self._running
        if len(state.frames) < len(running):
            returned = running[-1] if running[-1].frame is frame and not state.ended else None
            del running[len(state.frames) :]
            if returned is not None:
                self._ended(state, returned)
        self.runs(state)

    def answered(self, player: int, label: str) -> None:
        self._chosen.append((player, label))

    def rolled_back(self, state: State) -> None:
        del self._running[len(state.frames) :]
        del self._kept[len(state.tentative) + 1 :]
        self._chosen.clear()
        self._promises = list(self._kept[-1].promises) if self._kept else []

    # ---- asking

    def _ended(self, state: State, returned: Running) -> None:
        procedure = returned.frame[0]
        for law, function in self.laws.after.get(procedure, ()):
            if not self._holds(state, law, function, returned.args, returned.began or state):
                name = self.laws.machine.program.procedures[procedure].name
                self._tell(law, f" after `{name.partition('#')[0]}`")

    def moment(self, state: State) -> None:
        """Somebody is asked, or the game is over."""
        if state.pending is not None and any(answer is not None for answer in state.pending.answers):
            return  # some of several sealed answers are in: nothing has happened yet
        earlier = self._kept[-1].state if self._kept else None
        before = earlier or state
        for law in self.laws.always:
            if not self._holds(state, law, law.function, (), before):
                self._tell(law)
        chosen, self._chosen = self._chosen, []
        for law in self.laws.actions:
            for player, label in chosen:
                if label == law.action and not self._holds(state, law, law.function, (player,)[: law.params], before):
                    self._tell(law, f" after `{label}`")
        if self.laws.leading:
            self._promise(state, before)
        if state.pending is None:
            self._over(state, before)
        self._keep(state)

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
        left, before.fuel = state.fuel, STEPS_PER_DECISION
        found = self.laws.machine.call(state, function, [before, *values] if law.compares else list(values))
        state.fuel = left  # a rule that runs too long is found all the same
        return found

    def _keep(self, state: State) -> None:
        """For the next moment, and for a block that is rolled back before it."""
        depth = len(state.tentative)
        kept = Kept(state.clone() if self.laws.keeps else None, list(self._promises))
        while len(self._kept) < depth:
            self._kept.append(self._kept[-1] if self._kept else kept)
        self._kept[depth:] = [kept]
