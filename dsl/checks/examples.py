"""Every example claims something, and names only conditions that there are."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import descend

OF_THE_MACHINE = frozenset(("form", "turn", "sealed", "unclear", "over"))


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for example in ruleset.examples:
        if not any(clause.word in ("then", "refused") for clause in example.clauses):
            report.add(say.example_proves_nothing(example.span, f'"{example.title}"'))
    named = {c.because for example in ruleset.examples for c in example.clauses if c.because is not None}
    if named:
        known = _conditions(ruleset)
        for name in named:
            if name.text not in known:
                report.add(say.unknown_name(name.span, name.text, known))


def _conditions(ruleset: CheckedRuleset) -> set[str]:
    """What can refuse an answer: a definition or a flag that is asked for, or a part of the answer itself."""
    parts = {node.name.text for node in descend(ruleset.decls) if isinstance(node, n.Pick)}
    asked = {name for name, d in ruleset.symbols.globals.items() if isinstance(d, (n.Define, n.Variable, n.Option))}
    return parts | asked | OF_THE_MACHINE
