"""Where everything of a game lies in the one flat list of the compiled engine: control first, then what lies on the
table, then the locals of procedures.

No procedure runs itself, so each has one place for its locals. Lists inside are replaced, never changed: a copy of the
flat list is an independent game.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.plan import Plan
from cambist.interpreter.state import State

CONTROL = 14  # cells of control, before anything of the game
RNG, DECISIONS, WAITS, WHO, DECIDERS, ANSWERS, OFFERS = range(7)
ENDED, MARKS, LIMITS, REVEALED, TENTATIVE, FUEL, FORCED = range(7, CONTROL)  # FORCED: decisions with one way on
OVER = -1  # WAITS: no choice is pending
SEVERAL, NOBODY = -1, -2  # WHO: a sealed choice of those in DECIDERS; nobody, the game is over


def bits(number: int) -> list[int]:
    """The components of a bag that is a number."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found


def mask_of(components: list[int]) -> int:
    number = 0
    for component in components:
        number |= 1 << component
    return number


class Layout:
    def __init__(self, program: p.Program, plan: Plan, numbers: frozenset[int]) -> None:
        self.zones = CONTROL
        self.accounts = self.zones + sum(f.count for f in program.zones)
        self.packed = numbers  # families whose zones are numbers (packing.py)
        self.numbers = [k in self.packed for k, f in enumerate(program.zones) for _ in range(f.count)]
        self.components = len(program.components)
        self.vars = self.accounts + sum(f.count for f in program.accounts)
        self.pool = -1  # the cell of an account that is worked out (pool.py): it holds what all have together
        self.locals_begin = self.vars + sum(f.count for f in program.variables)
        self.locals: dict[int, dict[int, int]] = {}  # procedure -> local -> cell; those without one are always 0
        self.sizes = [procedure.locals for procedure in program.procedures]
        place = self.locals_begin
        for q in sorted(plan.running - plan.plain):
            used = sorted({*range(program.procedures[q].params), *plan.stored(q)})
            self.locals[q] = {slot: place + k for k, slot in enumerate(used)}
            place += len(used)
        self.locals_end = place
        several = [q for q in sorted(plan.running - plan.plain) if len(plan.calls[q]) > 1]
        self.returns = {
            q: place + k for k, q in enumerate(several)
        }  # procedure -> the cell of the call it goes back to
        self.size = self.game_end = place + len(several)  # what comes behind is no part of the game
        self.families = self._families(program)
        self.reaches = self._reaches()
        self.memories: dict[str, int] = {}  # what is worked out of a list -> the cells of the list and of the result

    def _families(self, program: p.Program) -> list[tuple[int, int]]:
        """Where each family begins and ends."""
        kinds = ((self.zones, program.zones), (self.accounts, program.accounts), (self.vars, program.variables))
        places = [(begin + family.base, family.count) for begin, families in kinds for family in families]
        return [(begin, begin + count) for begin, count in places]

    def _reaches(self) -> dict[int, tuple[int, int]]:
        """Where a family begins -> where it ends. The first of its kind may stand for all: any zone, any account."""
        ends = {self.zones: self.accounts, self.accounts: self.vars, self.vars: self.locals_begin}
        return {begin: (begin, ends.get(begin, end)) for begin, end in self.families}

    def reach(self, begin: int) -> tuple[int, int]:
        """The cells that are meant by a number and something added to it: a family, also if what is known of the place
        in it is added already."""
        if begin in self.reaches:
            return self.reaches[begin]
        around = [(first, last) for first, last in self.families if first < begin < last]
        return around[0] if around else (0, self.size)

    def memory(self, text: str) -> int:
        """Two cells that remember what was worked out last: no part of the game, only of how fast it is played."""
        if text not in self.memories:
            self.memories[text] = self.size
            self.size += 2
        return self.memories[text]

    def rests(self, players: int) -> int:
        """A cell of each player that remembers the last random answer of some things, and what it leaves."""
        if "rests" not in self.memories:
            self.memories["rests"] = self.size
            self.size += players
        return self.memories["rests"]

    def fill(self, state: State) -> list[Any]:
        """The cells of what lies on the table and of control; no frames, nothing pending."""
        cells: list[Any] = [0] * self.size
        cells[RNG], cells[DECISIONS], cells[WAITS], cells[OFFERS] = state.rng, state.decisions, OVER, None
        cells[ENDED], cells[MARKS], cells[LIMITS] = state.ended, dict(state.marks), dict(state.limits)
        cells[REVEALED], cells[TENTATIVE], cells[FUEL] = frozenset(state.revealed), (), state.fuel
        cells[WHO], cells[DECIDERS], cells[ANSWERS] = NOBODY, (), ()
        self.lay(cells, state.zones, state.accounts, state.vars)
        return cells

    def frame(self, cells: list[Any], q: int) -> list[Any]:
        """The locals of a procedure."""
        found = [0] * self.sizes[q]
        for slot, cell in self.locals[q].items():
            found[slot] = cells[cell]
        return found

    def lay_frame(self, cells: list[Any], q: int, local: list[Any]) -> None:
        for slot, cell in self.locals[q].items():
            cells[cell] = local[slot][:] if type(local[slot]) is list else local[slot]

    def lying(self, cells: list[Any]) -> list[list[int]]:
        """The zones as lists of their own."""
        return [bits(z) if type(z) is int else z[:] for z in cells[self.zones : self.accounts]]

    def where(self, cells: list[Any]) -> list[int]:
        """Component -> zone."""
        found = [0] * self.components
        for number, zone in enumerate(self.lying(cells)):
            for component in zone:
                found[component] = number
        return found

    def held(self, cells: list[Any]) -> list[int]:
        """What is in each account."""
        accounts = cells[self.accounts : self.vars]
        if self.pool >= 0:
            accounts[self.pool - self.accounts] = 2 * cells[self.pool] - sum(accounts)
        return accounts

    def lay(self, cells: list[Any], zones: list[list[int]], accounts: list[int], values: list[Any]) -> None:
        pairs = zip(zones, self.numbers, strict=True)
        cells[self.zones : self.accounts] = [mask_of(zone) if number else list(zone) for zone, number in pairs]
        cells[self.accounts : self.vars] = accounts
        if self.pool >= 0:
            cells[self.pool] = sum(accounts)
        cells[self.vars : self.vars + len(values)] = [list(v) if isinstance(v, (list, tuple)) else v for v in values]
