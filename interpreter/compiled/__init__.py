"""The rules compiled to Python: the same games as the reference machine plays, faster.

In: a lowered program. Out: a machine with the surface of `interpreter/machine.py`, which stays the judge.
"""

from cambist.interpreter.compiled.engine import COMPILED as COMPILED
from cambist.interpreter.compiled.engine import ENGINES as ENGINES
from cambist.interpreter.compiled.engine import REFERENCE as REFERENCE
from cambist.interpreter.compiled.engine import CompiledMachine as CompiledMachine
from cambist.interpreter.compiled.engine import machine_of as machine_of
