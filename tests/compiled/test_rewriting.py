"""What is done to the lines of compiled functions: a function on the left, the same on the right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cambist.interpreter.compiled.rewriting.capturing import named_apart
from cambist.interpreter.compiled.rewriting.comparing import compared_once
from cambist.interpreter.compiled.rewriting.handing import handing_over
from cambist.interpreter.compiled.rewriting.keeping import Line
from cambist.interpreter.compiled.rewriting.looping import added_up, through_once
from cambist.interpreter.compiled.rewriting.lowest import lowest_ones
from cambist.interpreter.compiled.rewriting.rereading import read_once
from tests.compiled.functions import (
    ASIDE,
    CASH,
    CELL,
    CHART,
    EVENTS,
    HAND,
    HOLD,
    LAYOUT,
    LOCALS,
    PILE,
    PLAYED,
    lines_of,
    text_of,
)
from tests.laws.tables import game


def test_the_cells_are_where_the_texts_below_have_them() -> None:
    assert [LAYOUT.reach(begin) for begin in (CHART, HOLD, HAND, CASH)] == [(16, 19), (19, 23), (23, 27), (31, 35)]
    assert [LAYOUT.reach(begin) for begin in (PILE, PLAYED, EVENTS, ASIDE)] == [(15, 16), (27, 28), (28, 29), (29, 30)]
    assert LAYOUT.reach(LAYOUT.zones) == (LAYOUT.zones, LAYOUT.accounts), "any zone may be meant"
    assert LAYOUT.reach(CHART + 2) == LAYOUT.reach(CHART), "what is known of the place is added already"
    assert (LAYOUT.vars, LAYOUT.locals_begin) == (CELL, LOCALS)
    assert LAYOUT.reach(LOCALS) == (0, LAYOUT.size), "nothing is known"


def _done(change: Callable[[list[Line]], list[Line]], body: str) -> str:
    return text_of(change(lines_of(f"def f(S, X):\n{body}"))[1:])


AGAIN = {
    "read twice": (
        "  if not S[16 + c1]: raise Failed\n  c2 = S[16 + c1][0]",
        "  z0 = S[16 + c1]\n  if not z0: raise Failed\n  c2 = z0[0]",
    ),
    "read once": ("  c2 = S[16 + c1][0]", "  c2 = S[16 + c1][0]"),
    "a variable has it": ("  lying = S[16 + c1]\n  x = S[16 + c1]", "  lying = S[16 + c1]\n  x = lying"),
    "a copy of the number": ("  c3 = c1\n  a = S[31 + c1]\n  b = S[31 + c3]", "  c3 = c1\n  a = S[31 + c1]\n  b = a"),
    "what was written": ("  S[31 + c1] = x = y + 1\n  z = S[31 + c1]", "  S[31 + c1] = x = y + 1\n  z = x"),
    "what was changed": ("  a = S[31 + c1]\n  S[31 + c1] -= x", "  a = S[31 + c1]\n  S[31 + c1] = a - x"),
    "changed and read": (
        "  S[31 + c1] -= x\n  a = len(y) + S[31 + c1]",
        "  z0 = S[31 + c1] = S[31 + c1] - x\n  a = len(y) + z0",
    ),
    "only changed": ("  S[31 + c1] -= x\n  S[30] += x", "  S[31 + c1] -= x\n  S[30] += x"),
    "a variable that has it already": ("  c5 = S[5]\n  x = 1\n  c5 = S[5]", "  c5 = S[5]\n  x = 1"),
    "a constant": ("  S[119] = 0\n  c119 = S[119]", "  S[119] = 0\n  c119 = 0"),
    "the number of a cell": (
        "  i = 35 + c1\n  S[i] = x = S[35 + c2]\n  i = 35 + c1\n  x = S[i] + 1",
        "  i = 35 + c1\n  S[i] = x = S[35 + c2]\n  x = x + 1",
    ),
    "another of the same kind is written": (
        "  a = S[16 + c1]\n  S[16 + c2] = []\n  b = S[16 + c1]",
        "  a = S[16 + c1]\n  S[16 + c2] = []\n  b = S[16 + c1]",
    ),
    "a cell whose number is worked out is written": (
        "  a = S[31 + c1]\n  S[31 + (k1 + 1 if (k1 := f(S[3])[0]) < 3 else 0)] += a\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  S[31 + (k1 + 1 if (k1 := f(S[3])[0]) < 3 else 0)] += a\n  b = S[31 + c1]",
    ),
    "another kind is written": (
        "  a = S[16 + c1]\n  S[31 + c2] = 5\n  b = S[16 + c1]",
        "  a = S[16 + c1]\n  S[31 + c2] = 5\n  b = a",
    ),
    "any zone is written": (
        "  a = S[16 + c1]\n  S[14 + c2] = []\n  b = S[16 + c1]",
        "  a = S[16 + c1]\n  S[14 + c2] = []\n  b = S[16 + c1]",
    ),
    "something is taken": (
        "  a = S[16 + c1]\n  d = S[31 + c1]\n  take(S, c, range(14, 30))\n  b = S[16 + c1]\n  e = S[31 + c1]",
        "  a = S[16 + c1]\n  d = S[31 + c1]\n  take(S, c, range(14, 30))\n  b = S[16 + c1]\n  e = d",
    ),
    "a procedure runs": (
        "  a = S[31 + c1]\n  run_5(S, X)\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  run_5(S, X)\n  b = S[31 + c1]",
    ),
    "the number is another": (
        "  a = S[31 + c1]\n  c1 = c2\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  c1 = c2\n  b = S[31 + c1]",
    ),
    "the variable is another": (
        "  a = S[31 + c1]\n  a = 5\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  a = 5\n  b = S[31 + c1]",
    ),
    "one of two ways writes": (
        "  a = S[31 + c1]\n  if x:\n    S[31 + c1] = 5\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  if x:\n    S[31 + c1] = 5\n  b = S[31 + c1]",
    ),
    "a way that writes is left": (
        "  a = S[31 + c1]\n  if x:\n    S[31 + c1] = 5\n    return -1\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  if x:\n    S[31 + c1] = 5\n    return -1\n  b = a",
    ),
    "perhaps written in one line": (
        "  a = S[31 + c1]\n  if x: S[31 + c1] = 5\n  b = S[31 + c1]",
        "  a = S[31 + c1]\n  if x: S[31 + c1] = 5\n  b = S[31 + c1]",
    ),
    "it is what it is": (
        "  left = S[27]\n  if S[27] is left: S[27] = rest\n  else: moved = taken(S, moved, 27, 14, 30)\n  x = S[27]",
        "  left = S[27]\n  S[27] = rest\n  x = S[27]",
    ),
    "it is what it is, and nothing otherwise": (
        "  left = S[27]\n  if S[27] is left: x = 1\n  y = S[27]",
        "  left = S[27]\n  x = 1\n  y = left",
    ),
    "it was what it is": (
        "  left = S[27]\n  S[27] = rest_1\n  if S[27] is left: x = 1\n  else: x = 2",
        "  left = S[27]\n  S[27] = rest_1\n  if rest_1 is left: x = 1\n  else: x = 2",
    ),
    "it is what it is, or something else": (
        "  left = S[27]\n  if S[27] is left: x = 1\n  elif y: x = 2\n  else: x = 3",
        "  left = S[27]\n  if left is left: x = 1\n  elif y: x = 2\n  else: x = 3",
    ),
    "it is what it is, or a block": (
        "  left = S[27]\n  if S[27] is left: x = 1\n  else:\n    x = 3",
        "  left = S[27]\n  if left is left: x = 1\n  else:\n    x = 3",
    ),
    "perhaps read is not read before": (
        "  if x and S[16 + c1]: y = 1\n  b = S[16 + c1][0]",
        "  if x and S[16 + c1]: y = 1\n  b = S[16 + c1][0]",
    ),
    "a loop": (
        "  a = S[31 + c1]\n  for v in d:\n    b = S[31 + c1]\n    S[31 + c1] = b + v",
        "  a = S[31 + c1]\n  for v in d:\n    b = S[31 + c1]\n    S[31 + c1] = b + v",
    ),
    "one of two ways ends with a loop": (
        "  if x:\n    a = S[31 + c1]\n  else:\n    for v in d:\n      y = v\n  b = S[31 + c1]",
        "  if x:\n    a = S[31 + c1]\n  else:\n    for v in d:\n      y = v\n  b = S[31 + c1]",
    ),
    "a loop of one line": (
        "  S[31 + c1] = x = 0\n  for v in d: x += S[31 + c1]",
        "  S[31 + c1] = x = 0\n  for v in d: x += S[31 + c1]",
    ),
}


@pytest.mark.parametrize("name", AGAIN)
def test_what_is_known_is_not_read(name: str) -> None:
    before, after = AGAIN[name]
    assert _done(lambda lines: read_once(lines, LAYOUT, {}), before) == after


LOWEST = {
    "only the first": (
        "  c1 = BITS[S[19] & 7]\n  if not c1: raise Failed\n  c2 = c1[0]",
        "  c1 = S[19] & 7\n  if not c1: raise Failed\n  c2 = ((c1 & -c1).bit_length() - 1)",
    ),
    "all of them": (
        "  c1 = BITS[S[19] & 7]\n  c2 = c1[0]\n  x = len(c1)",
        "  c1 = BITS[S[19] & 7]\n  c2 = c1[0]\n  x = len(c1)",
    ),
    "the last": ("  c1 = BITS[S[19]]\n  c2 = c1[-1]", "  c1 = BITS[S[19]]\n  c2 = c1[-1]"),
    "given on": ("  c1 = BITS[S[19]]\n  c2 = c1", "  c1 = BITS[S[19]]\n  c2 = c1"),
}


@pytest.mark.parametrize("name", LOWEST)
def test_no_list_is_made_for_its_first(name: str) -> None:
    before, after = LOWEST[name]
    assert _done(lowest_ones, before) == after


def test_the_first_of_a_number_is_the_first_of_its_list() -> None:
    rules = game("buy_low_sell_high").machine(4, engine="compiled").rules  # type: ignore[attr-defined]
    for number in (1, 6, 40, 1 << 35, (1 << 36) - 8):
        assert rules.space["BITS"][number][0] == (number & -number).bit_length() - 1


ADDED_UP = {
    "a sum": (
        "  x = sum([A1[v2] for v2 in S[27] if K1[v2]])",
        "  x = 0\n  for v2 in S[27]:\n    if K1[v2]: x += A1[v2]",
    ),
    "how many": (
        "  x = len([1 for v2 in z3 if K1[v2] and S[4]])",
        "  x = 0\n  for v2 in z3:\n    if K1[v2] and S[4]: x += 1",
    ),
    "of itself": ("  x = sum([x for v2 in z3 if K1[v2]])", "  x = sum([x for v2 in z3 if K1[v2]])"),
    "loop in loop": (
        "  x = sum([len([1 for v3 in S[v2] if K2[v3]]) for v2 in z3 if K1[v2]])",
        "  x = sum([len([1 for v3 in S[v2] if K2[v3]]) for v2 in z3 if K1[v2]])",
    ),
    "part of more": ("  x = 1 + sum([1 for v2 in z3 if K1[v2]])", "  x = 1 + sum([1 for v2 in z3 if K1[v2]])"),
}


@pytest.mark.parametrize("name", ADDED_UP)
def test_sums_are_added_up_in_place(name: str) -> None:
    before, after = ADDED_UP[name]
    assert _done(added_up, before) == after


def _sorted_out(item: str, things: str, table: str, gathered: str) -> str:
    return f"  for {item} in {things}:\n    if {table}[{item}]:\n      {gathered}.append({item})\n"


FIRST, SECOND = _sorted_out("v1", "z1", "K1", "a"), _sorted_out("v2", "z1", "K2", "b")
BOTH = f"{FIRST}    if K2[v1]:\n      b.append(v1)\n"
THROUGH = {
    "two": (f"{FIRST}  n = len(a)\n  b = []\n{SECOND}  return a", f"  b = []\n{BOTH}  n = len(a)\n  return a"),
    "three": (
        f"{FIRST}{SECOND}{_sorted_out('v3', 'z1', 'K3', 'c')}  return a",
        f"{BOTH}{_sorted_out('v3', 'z1', 'K3', 'c')}  return a",
    ),
    "another list": (f"{FIRST}{_sorted_out('v2', 'z2', 'K2', 'b')}  return a", None),
    "into the same": (f"{FIRST}{_sorted_out('v2', 'z1', 'K2', 'a')}  return a", None),
    "counted too early": (f"{FIRST}  n = len(b)\n{SECOND}  return a", None),
    "begun anew": (f"{FIRST}  a = []\n{SECOND}  return a", None),
    "something between": (f"{FIRST}  S[3] = a\n{SECOND}  return a", None),
    "more in the loop": (f"{FIRST}    x = v1\n{SECOND}  return a", None),
    "deeper": (f"{FIRST}  if a:\n    b = []\n{SECOND.replace('  for', '    for')}  return a", None),
}


@pytest.mark.parametrize("name", THROUGH)
def test_a_list_is_gone_through_once(name: str) -> None:
    before, after = THROUGH[name]
    assert _done(lambda lines: through_once(lines, lambda one, other: False), before) == (
        before if after is None else after
    )


def test_of_two_tables_that_say_the_opposite_one_is_asked() -> None:
    made = _done(
        lambda lines: through_once(lines, lambda one, other: (one, other) == ("K1", "K2")), f"{FIRST}{SECOND}  n = 1"
    )
    assert made == f"{BOTH.replace('if K2[v1]', 'else')}  n = 1"


def test_cells_have_another_name_where_functions_inside_see_them() -> None:
    body = ["x = 1"] * 9
    lines = [(0, "def f(S, X):", -1), *((1, text, -1) for text in ("y = [S[v] for v in S[3]]", "S[4] = y", *body))]
    first = [text for _, text, _ in named_apart(lines)[:4]]
    assert first == ["def f(S, X):", "C = S", "y = [C[v] for v in C[3]]", "S[4] = y"]
    assert named_apart(lines[:1] + lines[2:]) == lines[:1] + lines[2:]


COMPARED = {
    "given back": (
        "  x = (v if (S[35 + v] == (-9)) else S[35 + v])",
        "  x = (v if (w0_ := S[35 + v]) == (-9) else w0_)",
    ),
    "of each": (
        "  x = [(v if (C[35 + v] == 0) else C[35 + v]) for v in a]",
        "  x = [(v if (w0_ := C[35 + v]) == 0 else w0_) for v in a]",
    ),
    "twice": (
        "  x = f((a if (S[3 + a] == 0) else S[3 + a]), (b if (S[3 + b] == 0) else S[3 + b]))",
        "  x = f((a if (w0_ := S[3 + a]) == 0 else w0_), (b if (w1_ := S[3 + b]) == 0 else w1_))",
    ),
    "something else is given back": ("  x = (v if (S[35 + v] == 0) else S[36 + v])", None),
    "what is gone through": ("  x = [v for v in K1[(a if (S[3 + a] == 0) else S[3 + a])]]", None),
    "what is gone through, deeper": ("  x = sum([v for v in f((a if (S[3 + a] == 0) else S[3 + a]), [1])])", None),
}


@pytest.mark.parametrize("name", COMPARED)
def test_what_is_compared_and_given_back_is_read_once(name: str) -> None:
    before, after = COMPARED[name]
    made = _done(compared_once, before)
    assert made == (before if after is None else after)
    compile(f"def f(S, C, a, b, v):\n{made}", "made", "exec")


ASKS = "  S[3] = c7\n  S[6] = offers\n"
HANDED = {
    "asked again": (f"{ASKS}  S[2] = 5\n  return -1", f"{ASKS}  return c7"),
    "asked something else": (f"{ASKS}  S[2] = 6\n  return -1", f"{ASKS}  S[2] = 6\n  return c7"),
    "asked in secret": (
        "  S[3] = -1\n  S[4] = able\n  S[5] = K1\n  S[6] = None\n  S[2] = 6\n  return -1",
        "  S[3] = -1\n  S[4] = able\n  S[5] = K1\n  S[6] = None\n  S[2] = 6\n  return able[0]",
    ),
    "some are not in": ("  if None in answers: return -1", "  if None in answers: return S[4][answers.index(None)]"),
    "one is not in": ("  if given2 is None: return -1", "  if given2 is None: return 2"),
    "another goes on": ("  if not offers: return 0", "  if not offers: return -2"),
    "another goes on, at last": ("  return 12", "  return -14"),
    "asked by another": ("  return ask_3(S, X)", "  return -1 if (number := ask_3(S, X)) < 0 else -2 - number"),
    "asked by another, here or there": (
        "  if x: return ask_3(S, X)",
        "  if x: return -1 if (number := ask_3(S, X)) < 0 else -2 - number",
    ),
    "over": ("  S[2] = -1\n  S[3] = -2\n  return -1", None),
    "who is asked is worked out": ("  S[3] = f(S)\n  S[2] = 6\n  return -1", None),
    "asked on another way": ("  if x:\n    S[3] = c7\n  S[2] = 6\n  return -1", None),
    "going on where it was": (
        "  following = rolled_back(S)\n  return following",
        "  following = rolled_back(S)\n  return -2 - following",
    ),
    "rolled back": (
        f"  rolled_back(S)\n{ASKS}  S[2] = 5\n  return -1",
        f"  rolled_back(S)\n{ASKS}  S[2] = 5\n  return c7",
    ),
}


@pytest.mark.parametrize("name", HANDED)
def test_who_is_asked_next_is_given_back(name: str) -> None:
    before, after = HANDED[name]
    lines = handing_over(lines_of(f"def take_5(S, player, answer, X=None):\n{before}"))[1:]
    assert text_of(lines) == (before if after is None else after)
    others = lines_of(f"def on_5(S, X):\n{before}")
    assert handing_over(others) == others, "only what takes an answer"
