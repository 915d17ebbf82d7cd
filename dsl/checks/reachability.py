"""Phases and procedures that can never run (advice)."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import descend


def check(ruleset: CheckedRuleset, report: Report) -> None:
    symbols = ruleset.symbols
    if "play" not in symbols.procedures:
        return  # which is told already
    running = _reached(symbols, report.lost | report.meant)
    for name, procedure in symbols.procedures.items():
        if name not in running and "." not in name and not symbols.game.library:
            report.add(say.never_runs(procedure.name.span, procedure.word, name))


def _reached(symbols: Symbols, lost: set[str]) -> set[str]:
    """What runs from setup, play, the triggers and what could not be read. Only names that a statement runs count."""
    roots = {"setup", "play", *lost}
    waiting: list[object] = [p for name, p in symbols.procedures.items() if name in roots]
    waiting += [d for d in symbols.others if isinstance(d, n.Whenever)]
    reached = {"setup", "play", *(lost & symbols.procedures.keys())}
    while waiting:
        for node in descend(waiting.pop()):
            target = node.target if isinstance(node, n.Run) else node.value if isinstance(node, n.Let) else None
            name = target.name.text if isinstance(target, n.Call) else target.name if isinstance(target, n.Ref) else ""
            if name in symbols.procedures and name not in reached:
                reached.add(name)
                waiting.append(symbols.procedures[name])
    return reached
