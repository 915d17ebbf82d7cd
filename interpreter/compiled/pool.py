"""An account that need not be kept: there is no limit to it, and no rule looks at it, as at a bank.

Money is only ever moved, so what it has is what all have together less what the others have. Its cell holds that sum,
which no transfer changes; `Layout.held` works the account out for who asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cambist.dsl import program as p
from cambist.interpreter.compiled.walking import leading


def pool_of(accounts: Sequence[p.AccountFamily], nodes: Iterable[p.EAccount | p.ITransfer]) -> int | None:
    """Its number; `nodes` are all that speak of accounts."""
    looked_at: set[int | None] = set()
    named: set[int | None] = set()
    for node in nodes:
        if isinstance(node, p.EAccount):
            looked_at |= _meant(node.index)
        else:
            named |= _meant(node.source) | _meant(node.to)
    if ANY in looked_at | named:
        return None
    fit = (f.base for f in accounts if f.count == 1 and f.unlimited and f.base in named - looked_at)
    return next(fit, None)


ANY = None


def _meant(index: p.Expr) -> set[int | None]:
    """The account of this number, if it is one alone; `ANY` if its family does not stand in front."""
    if isinstance(index, p.EConst):
        return {index.value}
    return set() if leading(index) else {ANY}
