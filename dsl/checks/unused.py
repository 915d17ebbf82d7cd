"""Things that are declared and never used (advice). A library is there to be used by others."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset

PARTS = (n.Option, n.Zone, n.Track, n.Account)
WORDS: dict[type, str] = {
    n.Define: "definition", n.Variable: "variable", n.Table: "table",
    n.Option: "option", n.Zone: "zone", n.Track: "track", n.Account: "account",
}  # fmt: skip


def check(ruleset: CheckedRuleset, report: Report) -> None:
    symbols = ruleset.symbols
    if "play" not in symbols.procedures or symbols.game.library:
        return
    used = ruleset.inferred.used | report.meant
    for name, decl in symbols.globals.items():
        if "." not in name and name not in used and isinstance(decl, (n.Define, n.Variable, n.Table, *PARTS)):
            report.add(say.never_used(decl.name.span, WORDS[type(decl)], name, isinstance(decl, PARTS)))
