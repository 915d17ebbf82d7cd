"""The machine of the compiled engine, and the door that chooses between the engines."""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.machine import Machine

REFERENCE, COMPILED = "reference", "compiled"
ENGINES = (REFERENCE, COMPILED)


class CompiledMachine(Machine):
    """Plays what `Machine` plays: the same choices, states, logs and results for the same seed."""


def machine_of(program: p.Program, engine: str) -> Machine:
    return CompiledMachine(program) if engine == COMPILED else Machine(program)
