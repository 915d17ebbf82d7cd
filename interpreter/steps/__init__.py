"""What each instruction of a program does: one file a family. STEPS maps an instruction to the function that links it.

A linked step is `f(state, locals) -> int`: the place in the code to go on with, or SWITCH when the frames changed, a
choice is pending or the game is over.
"""

from cambist.interpreter.steps.chance import STEPS as _CHANCE
from cambist.interpreter.steps.choosing import STEPS as _CHOOSING
from cambist.interpreter.steps.components import STEPS as _COMPONENTS
from cambist.interpreter.steps.control import STEPS as _CONTROL
from cambist.interpreter.steps.linking import SWITCH as SWITCH
from cambist.interpreter.steps.linking import Step as Step
from cambist.interpreter.steps.linking import StepLinker as StepLinker
from cambist.interpreter.steps.money import STEPS as _MONEY
from cambist.interpreter.steps.tentative import STEPS as _TENTATIVE

STEPS = _CONTROL | _MONEY | _COMPONENTS | _CHANCE | _CHOOSING | _TENTATIVE
