"""Every choice has an answer, or says what happens when there is none."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.checks.guards import Known, all_rules
from cambist.dsl.checks.totality import may_be_empty
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.symbols import Symbols


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for node, known in all_rules(ruleset):
        if isinstance(node, n.Choose) and node.otherwise is None:
            if not any(_always(branch, known, ruleset.symbols) for branch in node.branches):
                report.add(say.choice_without_otherwise(node.span, node.named))


def _always(branch: n.Branch, known: Known, symbols: Symbols) -> bool:
    if branch.where is not None or branch.such_that is not None:
        return False
    return not any(_pick_may_fail(pick, known, symbols) for pick in branch.picks)


def _pick_may_fail(pick: n.Pick, known: Known, symbols: Symbols) -> bool:
    if pick.shape == "some":
        if pick.possibly_none or pick.least is not None or pick.most is not None:
            return not pick.possibly_none or pick.least is not None
        return may_be_empty(pick.source, known, symbols)
    if pick.shape in ("order", "arrangement"):
        return False
    return may_be_empty(pick.source, known, symbols)
