"""Where everything of a game lies in the one flat list of the compiled engine: control first, then what lies on the
table, then the locals of procedures.

No procedure runs itself, so each has one place for its locals. Lists inside are replaced, never changed: a copy of the
flat list is an independent game.
"""

from __future__ import annotations

from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.state import State

RNG, DECISIONS, WAITS, WHO, DECIDERS, ANSWERS, OFFERS, ENDED, MARKS, LIMITS, REVEALED, TENTATIVE, FUEL, OPEN = range(14)
CONTROL = 14  # cells of control, before anything of the game
OVER = -1  # WAITS: no choice is pending


class Layout:
    def __init__(self, program: p.Program) -> None:
        self.zones = CONTROL
        self.where = self.zones + sum(f.count for f in program.zones)
        self.accounts = self.where + len(program.components)
        self.vars = self.accounts + sum(f.count for f in program.accounts)
        self.locals: list[int] = []  # procedure -> its first local
        place = self.vars + sum(f.count for f in program.variables)
        self.locals_begin = place
        for procedure in program.procedures:
            self.locals.append(place)
            place += procedure.locals
        self.returns = place  # procedure -> the call it goes back to
        self.size = place + len(program.procedures)

    def fill(self, state: State) -> list[Any]:
        """The cells of what lies on the table and of control; no frames, nothing pending."""
        cells: list[Any] = [0] * self.size
        cells[RNG], cells[DECISIONS], cells[WAITS], cells[OFFERS] = state.rng, state.decisions, OVER, None
        cells[ENDED], cells[MARKS], cells[LIMITS] = state.ended, dict(state.marks), dict(state.limits)
        cells[REVEALED], cells[TENTATIVE], cells[FUEL] = frozenset(state.revealed), (), state.fuel
        cells[DECIDERS] = cells[ANSWERS] = ()
        self.lay(cells, state.zones, state.where, state.accounts, state.vars)
        return cells

    def lay(
        self, cells: list[Any], zones: list[list[int]], where: list[int], accounts: list[int], values: list[Any]
    ) -> None:
        cells[self.zones : self.where] = [list(zone) for zone in zones]
        cells[self.where : self.accounts] = where
        cells[self.accounts : self.vars] = accounts
        cells[self.vars : self.vars + len(values)] = [list(v) if isinstance(v, (list, tuple)) else v for v in values]
