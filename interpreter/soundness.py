"""What must hold in every game: the ruleset's own laws, and those the machine itself promises.

In: a machine, then the states of games one by one. Out: nothing, or a `Fault` that names what is broken. What the
machine promises: what is in all accounts of a unit stays what it was at the beginning; every component lies in exactly
one zone; no zone holds more than it may. `check` asks what one state tells; a game that is followed (`follow`) is asked
all of its laws. Changes nothing, except that asking a law uses up steps of the state.
"""

from __future__ import annotations

from cambist.interpreter import faults
from cambist.interpreter.faults import Fault
from cambist.interpreter.laws import Following, Laws
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State


class Soundness:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.laws = Laws(machine)
        self.invariants = [p for p in machine.program.properties if p.word == "invariant" and p.plain]
        self.count = len(machine.program.components)
        self.zones = machine.linker.zone_rules
        self.accounts = machine.linker.account_rules
        self.totals = self._totals(machine.blank(0))

    def _totals(self, state: State) -> dict[tuple[str, int], int]:
        found = dict.fromkeys(self.accounts.unit, 0)
        for unit, amount in zip(self.accounts.unit, state.accounts, strict=True):
            found[unit] += amount
        return found

    def follow(self, broken: dict[str, Fault] | None = None) -> Following:
        """Somebody who follows one game: give it to `Machine.start` as its watch, then to `check` at each moment.

        With `broken`, the invariants that do not hold are gathered there by name, and the game goes on.
        """
        return self.laws.follow(broken)

    def check(self, state: State, following: Following | None = None) -> None:
        self.check_places(state)
        self.check_money(state)
        if following is not None:
            following.moment(state)
            return
        for invariant in self.invariants:
            if not self.machine.holds(state, invariant.function):
                raise faults.broken_invariant(invariant.at, invariant.name)

    def check_places(self, state: State) -> None:
        where, lying = state.where, 0
        for number, zone in enumerate(state.zones):
            lying += len(zone)
            for component in zone:
                if where[component] != number:
                    raise faults.broken_machine(f"component {component} lies where it is not looked for")
            if 0 <= self.zones.capacity[number] < len(zone):
                raise faults.broken_machine(f"`{self.zones.names[number]}` holds more than it may")
        # as many as there are, each where it is looked for, none twice in a zone: each is in exactly one
        if lying != self.count or any(len(set(zone)) != len(zone) for zone in state.zones):
            raise faults.broken_machine("a component is missing, or lies in two places")

    def check_money(self, state: State) -> None:
        for index, amount in enumerate(state.accounts):
            if amount < 0 and not self.accounts.negative[index]:
                raise faults.broken_machine(f"`{self.accounts.names[index]}` is below zero")
        if self._totals(state) != self.totals:
            raise faults.broken_machine("money was made or lost")
