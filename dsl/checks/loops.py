"""`leave` stands in a loop."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import children


def check(ruleset: CheckedRuleset, report: Report) -> None:
    stack: list[tuple[object, bool]] = [(d, False) for d in ruleset.decls]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, n.Leave) and not inside:
            report.add(say.leave_outside_loop(node.span))
        inside = inside or isinstance(node, (n.Repeat, n.Each))
        stack.extend((child, inside) for child in children(node))
