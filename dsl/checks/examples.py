"""Every example claims something."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for example in ruleset.examples:
        if not any(clause.word in ("then", "refused") for clause in example.clauses):
            report.add(say.example_proves_nothing(example.span, f'"{example.title}"'))
