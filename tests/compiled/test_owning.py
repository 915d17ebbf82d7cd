"""Which lists in cells are changed where they are: a function on the left, the same on the right, and whose lists.

`None`: it stays as it is, for somebody may have the list as it was.
"""

from __future__ import annotations

import pytest

from cambist.interpreter.compiled.rewriting.owning import changed_in_place
from tests.compiled.functions import LAYOUT, lines_of, text_of

MORE = "  S[27] = [*S[27], c]"  # one more card is played, as a changed copy
ADDED = "  S[27].append(c)"  # and the same in place


def _done(body: str, others: str = "") -> tuple[str, tuple[int, ...]]:
    lines = lines_of(f"def play_1(S, X):\n{body}\n  return -1")
    made, owned = changed_in_place(lines, lines_of(others) if others else [], LAYOUT)
    return text_of(made[1:-1]), owned


CHANGED = {
    "one more": (MORE, ADDED, (27,)),
    "one before": ("  S[27] = [c, *S[27]]", "  S[27].insert(0, c)", (27,)),
    "more": ("  S[27] = S[27] + moved", "  S[27] += moved", (27,)),
    "without the first ones": (
        "  pile = S[15]\n  moved = pile[:wanted]\n  S[15] = pile[wanted:]",
        "  pile = S[15]\n  moved = pile[:wanted]\n  del pile[:wanted]",
        (15,),
    ),
    "without the first": ("  lying = S[15]\n  S[15] = lying[1:]", "  lying = S[15]\n  del lying[0]", (15,)),
    "without the last": (
        "  lying = S[16 + c1]\n  S[16 + c1] = lying[:-1]",
        "  lying = S[16 + c1]\n  del lying[-1]",
        (16, 17, 18),
    ),
    "one is taken out": (
        "  lying = S[23 + c1][:]\n  try: lying.remove(c)\n  except ValueError: take(S, c, range(14, 30))\n"
        "  else: S[23 + c1] = lying",
        "  lying = S[23 + c1]\n  try: lying.remove(c)\n  except ValueError: take(S, c, range(14, 30))",
        (23, 24, 25, 26),
    ),
    "sorted in": (
        "  lying = S[23] + moved\n  lying.sort()\n  S[23] = lying",
        "  lying = S[23]\n  lying += moved\n  lying.sort()",
        (23,),
    ),
    "a place in a row": ("  S[17 + c1] = [*S[17 + c1], c]", "  S[17 + c1].append(c)", (16, 17, 18)),
    "nobody asks for it any more": (f"  z = S[27]\n  x = len(z)\n{MORE}", f"  z = S[27]\n  x = len(z)\n{ADDED}", (27,)),
    "its length is kept": (f"  S[205] = len(S[27])\n{MORE}", f"  S[205] = len(S[27])\n{ADDED}", (27,)),
    "a row of rows": (f"  S[35 + c1 * 7 + c2] += x\n{MORE}", f"  S[35 + c1 * 7 + c2] += x\n{ADDED}", (27,)),
    "moved to another cell": (
        f"  moved = S[27]\n  S[27] = []\n  S[28] = moved\n{MORE}\n  S[28] = [*S[28], c]",
        f"  moved = S[27]\n  S[27] = []\n  S[28] = moved\n{ADDED}\n  S[28].append(c)",
        (27, 28),
    ),
    "a constant": (f"  S[27] = K3\n{MORE}", f"  S[27] = [*K3]\n{ADDED}", (27,)),
    "in another cell, too": (f"  S[28] = S[27]\n{MORE}", f"  S[28] = [*(S[27])]\n{ADDED}", (27,)),
    "in one of two cells": (
        f"  if a: z = S[27]\n  else: z = S[28]\n  S[29] = z\n{MORE}",
        f"  if a: z = S[27]\n  else: z = S[28]\n  S[29] = [*z]\n{ADDED}",
        (27,),
    ),
    "new, in two cells": (
        f"  x = [c]\n  S[27] = x\n  S[28] = x\n{MORE}",
        f"  x = [c]\n  S[27] = x\n  S[28] = [*x]\n{ADDED}",
        (27,),
    ),
    "taken from wherever it lies": (
        f"  moved = [c]\n  if x: moved = taken(S, moved, 23, 14, 30)\n  S[27] = moved\n{MORE}",
        f"  moved = [c]\n  if x: moved = taken(S, moved, 23, 14, 30)\n  S[27] = moved\n{ADDED}",
        (27,),
    ),
    "somebody has it as it was": (f"  z = S[27]\n{MORE}\n  x = len(z)", None, ()),
    "somebody has it in the next turn": (
        f"  z = S[28]\n  for v in K3:\n    x = len(z)\n    z = S[27]\n  {MORE}",
        None,
        (),
    ),
    "a loop goes through it": (f"  for v in S[27]:\n  {MORE}", None, ()),
    "kept in a local of the rules": (f"  S[205] = S[27]\n{MORE}", None, ()),
    "in two cells at once": (f"  S[27] = S[28] = x\n{MORE}", None, ()),
    "in another list": (f"  x = [S[27]]\n{MORE}\n  y = x[0]", None, ()),
    "twice itself": ("  S[27] = S[27] + S[27]", None, ()),
    "in all zones": (f"  S[14:30] = K3\n{MORE}", None, ()),
    "perhaps any cell": (f"  S[x] = y\n{MORE}", None, ()),
    "others look at the game": (f"{MORE}\n  rolled_back(S)", None, ()),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_list_that_nobody_else_has_is_changed_where_it_is(name: str) -> None:
    before, after, owned = CHANGED[name]
    assert _done(before) == (before if after is None else after, owned)


def test_a_function_may_keep_what_it_is_given() -> None:
    body = f"  x = G1(S, S[27])\n{MORE}"
    assert _done(body, "def G1(S, a0):\n  K1[0] = a0\n  return a0") == (body, ())


def test_what_is_read_behind_a_call_is_not_changed_in_it() -> None:
    lines = lines_of(
        f"def play_1(S, X):\n  z = S[27]\n  run_2(S, X)\n  return len(z)\ndef run_2(S, X):\n{MORE}\n  return"
    )
    assert changed_in_place(lines, [], LAYOUT) == (lines, ())
