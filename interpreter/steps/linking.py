"""What all steps share: the expressions linked, the rules of zones and accounts, the triggers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.domains import LinkedChoice
from cambist.interpreter.emit import Emitter
from cambist.interpreter.evaluate import Linker
from cambist.interpreter.ledger import AccountRules
from cambist.interpreter.limits import FRAMES
from cambist.interpreter.state import State
from cambist.interpreter.zones import ZoneRules

Step = Callable[[State, list[Any]], int]
SWITCH = -1


class StepLinker:
    """`plain`: expressions by evaluate.py, the judge; otherwise compiled by emit.py, which must agree with it."""

    def __init__(self, program: p.Program, plain: bool = False) -> None:
        self.program = program
        self.values: Linker = Linker(program) if plain else Emitter(program)
        self.expr = self.values.expr
        self.optional = self.values.optional
        self.functions = self.values.functions
        self.code: tuple[Any, ...] = ()  # of the procedure being linked
        self.zone_rules = ZoneRules(program)
        self.account_rules = AccountRules(program)
        self.triggers = [(t, None if t.where is None else self.expr(t.where)) for t in program.triggers]
        self.domains: dict[int, LinkedChoice] = {}
        self.rooms = [[0] * proc.locals for proc in program.procedures]

    def link(self, procedure: p.Procedure, steps: dict[type, Callable[[StepLinker, Any, int], Step]]) -> list[Step]:
        self.code = procedure.code
        return [steps[type(node)](self, node, here) for here, node in enumerate(procedure.code)]

    def settled(self, place: int) -> int:
        """Where a jump to `place` ends up: jumps to jumps are followed beforehand."""
        seen = set()
        while place not in seen and isinstance(self.code[place], p.IJump):
            seen.add(place)
            place = self.code[place].to
        return place

    def after(self, here: int) -> int:
        return self.settled(here + 1)

    def domain(self, choice: int) -> LinkedChoice:
        if choice not in self.domains:
            self.domains[choice] = LinkedChoice(self.values, self.program.choices[choice])
        return self.domains[choice]

    def frame(self, procedure: int, args: list[Any]) -> list[Any]:
        """A new frame: procedure, place, locals, where its results go."""
        room = self.rooms[procedure]
        return [procedure, 0, args + room[len(args) :], ()]

    def pull_triggers(self, state: State, moved: list[int], sources: list[int], to: int) -> bool:
        """Frames for every trigger that the move sets off; the first to run lies on top."""
        calls = []
        for index, component in enumerate(moved):
            for trigger, where in self.triggers:
                zone = to if trigger.enters else sources[index]
                if self.zone_rules.family[zone] != trigger.family or sources[index] == to:
                    continue
                family = self.program.zones[trigger.family]
                args = [component, *owners_of(zone - family.base, family.sizes)[: trigger.owners]]
                if where is None or where(state, args + [0] * 8):
                    calls.append(self.frame(trigger.procedure, args))
        if len(state.frames) + len(calls) > FRAMES:
            raise faults.too_deep(self.program.procedures[calls[0][0]].at, FRAMES)
        state.frames.extend(reversed(calls))
        return bool(calls)


def owners_of(place: int, sizes: tuple[int, ...]) -> list[int]:
    """The owners' numbers of one cell of a family."""
    found = []
    for size in reversed(sizes):
        place, owner = divmod(place, size)
        found.append(owner)
    return found[::-1]
