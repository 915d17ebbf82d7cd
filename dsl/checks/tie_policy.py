"""Every `most` and `least` that picks one says what a tie does."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for node in ruleset.of(n.The):
        if not node.policy and len(node.criteria) < 2:
            report.add(say.tie_without_policy(node.criteria[0].span, node.criteria[0].span.text))
    for winner in ruleset.of(n.Winner):
        if not winner.shared:
            report.add(say.tie_without_policy(winner.span, "winner"))
