"""The budgets of a running game; exceeding one is a fault with a code and a place, never a hang."""

STEPS_PER_DECISION = 100_000
STEPS_FOR_SETUP = 200_000
STEPS_TO_LIST = 100_000
VALUES_TO_LOOK = 1_000  # tried to find out whether there is more than one answer
DECISIONS_PER_GAME = 10_000
FRAMES = 64
LIST_SIZE = 10_000
LARGEST_NUMBER = 2**63
LISTED_ANSWERS = 4_096
