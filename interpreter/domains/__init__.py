"""What a player may answer, bound to a state: one shape a file, each with the same operations.

possible (is there any?), raw (one by one, equal components apart), values (equal components once), contains (and the
reason when not), sample (step by step, each step even over what is offered), offers (the next step), shrink (simpler
values).
"""

from cambist.interpreter.domains.alternatives import LinkedChoice as LinkedChoice
