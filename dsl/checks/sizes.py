"""Not more places than a state may have: zones, accounts and variables, one for each of their owners."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset

MOST_PLACES = 10_000


def check(ruleset: CheckedRuleset, report: Report) -> None:
    symbols = ruleset.symbols
    for kinds in ((n.Zone, n.Deck), (n.Account,), (n.Variable, n.Track)):
        total = 0
        for decl in symbols.globals.values():
            if not isinstance(decl, kinds):
                continue
            count = 1
            for owner in getattr(decl, "owners", ()):
                count *= _size(ruleset, owner.text)
            total += count
            if total > MOST_PLACES:
                report.add(say.too_many(decl.span, "places", total, MOST_PLACES))
                break


def _size(ruleset: CheckedRuleset, owner: str) -> int:
    if owner == "player":
        return max(ruleset.players, default=1)
    enum = ruleset.symbols.enum(owner)
    return len(enum.members) if enum is not None else len(ruleset.components)
