"""`leave` stands in a loop; a loop can end."""

from __future__ import annotations

from typing import Any, get_args

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import children, descend

VALUES = get_args(n.Expr)  # no statement stands in them


def check(ruleset: CheckedRuleset, report: Report) -> None:
    symbols = ruleset.symbols
    stack: list[tuple[object, bool]] = [(d, False) for d in ruleset.decls if isinstance(d, (n.Procedure, n.Whenever))]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, n.Leave) and not inside:
            report.add(say.leave_outside_loop(node.span))
        if isinstance(node, n.Repeat) and _goes_on(node) and not _is_left(node.body, symbols, True, frozenset()):
            test = node.until or node.test_first
            report.add(say.never_ends(node.span if test is None else test.span, test is not None))
        inside = inside or isinstance(node, (n.Repeat, n.Each))
        stack.extend((child, inside) for child in children(node) if not isinstance(child, VALUES))


def _goes_on(loop: n.Repeat) -> bool:
    """Whether nothing that can change ends it by itself."""
    test = loop.until or loop.test_first
    if test is None:
        return loop.times is None
    return not any(isinstance(x, (n.Ref, n.Call, n.Dot)) for x in descend(test))


def _is_left(node: Any, symbols: Symbols, leaves: bool, seen: frozenset[str]) -> bool:
    """Whether a statement in it ends the loop, or the whole game from a procedure that it runs."""
    if isinstance(node, (n.EndGame, n.RollBack)) or (isinstance(node, n.Leave) and leaves):
        return True
    if isinstance(node, n.Return) and not seen:
        return True
    name = node.name.text if isinstance(node, n.Call) else node.name if isinstance(node, n.Ref) else ""
    if name in symbols.procedures and name not in seen:
        return _is_left(symbols.procedures[name].body, symbols, False, seen | {name})
    leaves = leaves and not isinstance(node, (n.Repeat, n.Each))  # which it would leave instead
    return any(_is_left(part, symbols, leaves, seen) for part in children(node))
