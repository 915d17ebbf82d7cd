"""Transfers of money -> lines of Python. What is known beforehand of an account (may it go below zero, in which unit is
it kept) is not asked at run time. An account that nobody looks at is not kept (pool.py).
"""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.walking import leading
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.writer import STATEMENTS, Writer
from cambist.interpreter.limits import LARGEST_NUMBER


def _transfer(w: Writer, one: p.ITransfer, node: Node) -> list[str]:
    base, here = w.e.layout.accounts, w.place
    source, to = w.e.cell(base, one.source, w.scope), w.e.cell(base, one.to, w.scope)
    i, j = w.text(one.source), w.text(one.to)
    lines = [f"x = {w.text(one.amount)}"]
    rules = Accounts(w.e)
    if not w.e.never_negative(one.amount, w.scope):
        lines.append(f"if x < 0: raise Failed('negative_transfer', {here}, {i}, x)")
    free = rules.always_negative(one.source) and w.e.modest and rules.one_unit
    pool = rules.pool
    paid = [] if _is(one.to, pool) else [f"{to} += x"]
    if free:
        lines += [*([] if _is(one.source, pool) else [f"{source} -= x"]), *paid]
    else:
        lines += [f"y = {source} - x"]
        if not rules.always_negative(one.source):
            lines.append(f"if y < 0 and not NEGATIVE[{i}]: raise Failed('overdrawn', {here}, {i}, y)")
        if not w.e.modest:
            far = LARGEST_NUMBER
            lines.append(
                f"if x >= {far} or {to} + x >= {far} or y <= -{far}: "
                f"raise Failed('bad_number', {here}, 'the amount is too large')"
            )
        if not rules.one_unit:
            lines.append(f"if UNIT[{i}] != UNIT[{j}]: raise Failed('mixed_units', {here})")
        lines += [f"{source} = y", *paid]
    if w.told:
        lines += [f"if x and X.log is not None: X.log.append(Transferred(x, {i}, {j}, AT[{here}]))"]
    return lines


class Accounts:
    """What is known of accounts beforehand."""

    def __init__(self, e: Expressions) -> None:
        self.families = e.program.accounts
        self.one_unit = e.one_unit
        self.pool = e.layout.pool - e.layout.accounts if e.layout.pool >= 0 else -1

    def always_negative(self, index: p.Expr) -> bool:
        """Whether every account there may go below zero."""
        base = leading(index) or 0
        for f in self.families:
            if f.base <= base < f.base + f.count:
                return f.negative or f.unlimited
        return False


def _is(index: p.Expr, account: int) -> bool:
    return isinstance(index, p.EConst) and index.value == account


STATEMENTS[p.ITransfer] = _transfer
