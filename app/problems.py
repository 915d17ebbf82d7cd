"""What goes wrong because of what somebody typed or a file holds: told in two lines, never as a traceback.

Exit codes of the command: 0 good, 1 problems found, 2 wrong usage, 70 a fault of Cambist, 130 interrupted,
141 the reader of the output has gone.
"""

from __future__ import annotations

FOUND, USAGE, BUG, INTERRUPTED, READER_GONE = 1, 2, 70, 130, 141


class UserError(Exception):
    """What is wrong and what to do about it."""

    def __init__(self, what: str, remedy: str = "", code: int = USAGE) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.code = code
