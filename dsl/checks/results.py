"""A procedure that is asked for a result gives one, whichever way it goes."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import descend


def check(ruleset: CheckedRuleset, report: Report) -> None:
    procedures = ruleset.symbols.procedures
    if any(d.code == "E0110" for d in report.items):
        return  # what runs itself gives nothing
    for node in ruleset.of(n.Let):
        if isinstance(node.value, (n.Call, n.Ref)):
            name = node.value.name.text if isinstance(node.value, n.Call) else node.value.name
            procedure = procedures.get(name)
            if procedure is not None and not _returns(procedure.body):
                report.add(say.may_give_no_result(node.value.span, name, procedure.name.span))


def _returns(body: tuple[n.Stmt, ...]) -> bool:
    """Whether every way through ends with a `return` that gives something, or ends the game."""
    return any(_surely(statement) for statement in body)


def _surely(statement: n.Stmt) -> bool:
    match statement:
        case n.Return():
            return bool(statement.values)
        case n.EndGame():
            return True
        case n.If():
            return bool(statement.other) and all(
                _returns(b) for b in [a for _, a in statement.arms] + [statement.other]
            )
        case n.Choose(named=True):
            ways = [branch.body for branch in statement.branches]
            return all(_returns(body) for body in ways + ([statement.otherwise] if statement.otherwise else []))
        case n.Repeat(times=None, until=None, test_first=None):
            return not any(isinstance(x, n.Leave) for x in descend(statement.body))
        case n.Tentatively():
            return statement.otherwise is not None and _returns(statement.body) and _returns(statement.otherwise)
        case _:
            return False
