"""transfer(): the only function that changes an account. What leaves one arrives in another, so nothing is made."""

from __future__ import annotations

from cambist.dsl.program import AccountFamily, At, Program
from cambist.interpreter import faults
from cambist.interpreter.events import Transferred
from cambist.interpreter.limits import LARGEST_NUMBER
from cambist.interpreter.state import State
from cambist.interpreter.values import in_units


class AccountRules:
    __slots__ = ("names", "negative", "one_unit", "scale", "unit")

    def __init__(self, program: Program) -> None:
        self.negative: list[bool] = []
        self.unit: list[tuple[str, int]] = []
        self.names: list[str] = []
        self.scale: list[int] = []
        for family in program.accounts:
            kinds = [owner.name if owner.word == "enum" else "" for owner in family.owners]
            by_unit = [i for i, name in enumerate(kinds) if name == family.kinds]
            for place in range(family.count):
                self.negative.append(family.negative or family.unlimited)
                self.unit.append((family.unit, _coordinate(place, family.sizes, by_unit[0]) if by_unit else 0))
                self.names.append(_owned_name(family, place))
                self.scale.append(family.scale)
        self.one_unit = len(set(self.unit)) < 2


def _owned_name(family: AccountFamily, place: int) -> str:
    """Whose account it is, in words that need no names of seats."""
    seats = [axis for axis, owner in enumerate(family.owners) if owner.word == "player"]
    whose = f" of player {_coordinate(place, family.sizes, seats[0]) + 1}" if seats else ""
    return f"`{family.name}`{whose}"


def _coordinate(place: int, sizes: tuple[int, ...], axis: int) -> int:
    """Which owner along one axis a cell of a family belongs to."""
    for size in reversed(sizes[axis + 1 :]):
        place //= size
    return place % sizes[axis]


def transfer(state: State, rules: AccountRules, amount: int, source: int, to: int, at: At) -> None:
    if amount < 0:
        raise faults.negative_transfer(at, in_units(amount, rules.scale[source]))
    accounts = state.accounts
    left = accounts[source] - amount
    if left < 0 and not rules.negative[source]:
        raise faults.overdrawn(at, rules.names[source], in_units(left, rules.scale[source]))
    if amount >= LARGEST_NUMBER or accounts[to] + amount >= LARGEST_NUMBER or left <= -LARGEST_NUMBER:
        raise faults.bad_number(at, "the amount is too large")
    if not rules.one_unit and rules.unit[source] != rules.unit[to]:
        raise faults.mixed_units(at)
    accounts[source] = left
    accounts[to] += amount
    if state.log is not None and amount:
        state.log.append(Transferred(amount, source, to, at))
