"""What is known not to be empty at a place in the rules, from the conditions around it.

A helper of totality.py and forced_choices.py: `all_rules` goes through the rules and tells each statement and
expression with the set of expressions (by their shape) that some enclosing `if`, `while`, `where` or
`require` has found not empty.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cambist.dsl import nodes as n
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import children, shape

Known = frozenset[Any]


def non_empty_if(test: n.Expr | None) -> Known:
    """What must have something in it when the test holds."""
    match test:
        case n.Binary(op="and"):
            return non_empty_if(test.left) | non_empty_if(test.right)
        case n.Not(value=n.Is(name=n.Name(text="empty")) as empty):
            return frozenset([shape(empty.value)])
        case n.Quantified(word="some", binders=(binder, *_)) if binder.source is not None:
            return frozenset([shape(binder.source)])
        case n.Binary(op=op, left=n.Prefix(word="size") as size, right=n.Number(value=value)):
            number = Fraction(value)
            if (op == ">" and number >= 0) or (op in (">=", "=") and number >= 1):
                return frozenset([shape(size.value)])
        case n.Binary(op=">", left=n.Quantified(word="count", binders=(binder, *_)), right=n.Number()):
            if binder.source is not None:
                return frozenset([shape(binder.source)])
        case _:
            pass
    return frozenset()


def non_empty_unless(test: n.Expr) -> Known:
    """What must have something in it when the test fails."""
    match test:
        case n.Is(name=n.Name(text="empty")):
            return frozenset([shape(test.value)])
        case n.Binary(op="or"):
            return non_empty_unless(test.left) | non_empty_unless(test.right)
        case _:
            return frozenset()


def picked(branch: n.Branch) -> Known:
    """The picks of several that are never none."""
    return frozenset(
        shape(n.Ref(pick.name.text, pick.span))
        for pick in branch.picks
        if pick.shape == "some" and not pick.possibly_none and (pick.least is None or _is_positive(pick.least))
    )


def _is_positive(value: n.Expr) -> bool:
    return isinstance(value, n.Number) and Fraction(value.value) > 0


Found = list[tuple[Any, Known]]


def walk(body: tuple[n.Stmt, ...], known: Known, found: Found) -> None:
    for statement in body:
        visit(statement, known, found)
        if isinstance(statement, n.Require):
            known |= non_empty_if(statement.test)
        if isinstance(statement, n.Choose) and not statement.named:  # its picks hold from here on
            known |= picked(statement.branches[0])
        if isinstance(statement, n.If) and not statement.other and len(statement.arms) == 1:
            test, arm = statement.arms[0]
            if arm and isinstance(arm[-1], (n.Return, n.Leave, n.EndGame)):
                known |= non_empty_unless(test)


def visit(node: Any, known: Known, found: Found) -> None:
    """Every node below with what is known there."""
    found.append((node, known))
    special = SPECIAL.get(node.__class__)
    if special is not None:
        special(node, known, found)
        return
    for child in children(node):
        if child.__class__ in ALONE:
            found.append((child, known))
        else:
            visit(child, known, found)


def _if(node: n.If, known: Known, found: Found) -> None:
    for test, arm in node.arms:
        visit(test, known, found)
        walk(arm, known | non_empty_if(test), found)
        known |= non_empty_unless(test)
    walk(node.other, known, found)


def _repeat(node: n.Repeat, known: Known, found: Found) -> None:
    for part in (node.times, node.test_first, node.until):
        if part is not None:
            visit(part, known, found)
    walk(node.body, known | non_empty_if(node.test_first), found)


def _each(node: n.Each, known: Known, found: Found) -> None:
    for binder in node.binders:
        visit(binder, known, found)
    if node.where is not None:
        visit(node.where, known, found)
    walk(node.body, known | non_empty_if(node.where), found)


def _choose(node: n.Choose, known: Known, found: Found) -> None:
    visit(node.who, known, found)
    for branch in node.branches:
        inside = known | non_empty_if(branch.where) | picked(branch)
        for pick in branch.picks:
            visit(pick, known, found)
        for part in (branch.where, branch.such_that):
            if part is not None:
                visit(part, known, found)
        walk(branch.body, inside, found)
    walk(node.otherwise or (), known, found)


def _secretly(node: n.Secretly, known: Known, found: Found) -> None:
    visit(node.binder, known, found)
    walk((node.choose, *node.body), known, found)


def _tentatively(node: n.Tentatively, known: Known, found: Found) -> None:
    walk(node.body, known, found)
    walk(node.otherwise or (), known, found)


def _if_else(node: n.IfElse, known: Known, found: Found) -> None:
    visit(node.test, known, found)
    visit(node.then, known | non_empty_if(node.test), found)
    visit(node.other, known | non_empty_unless(node.test), found)


def _binary(node: n.Binary, known: Known, found: Found) -> None:
    visit(node.left, known, found)
    if node.op == "and":
        known = known | non_empty_if(node.left)
    elif node.op == "or":
        known = known | non_empty_unless(node.left)
    visit(node.right, known, found)


def _quantified(node: n.Quantified, known: Known, found: Found) -> None:
    for binder in node.binders:
        visit(binder, known, found)
    inside = known | non_empty_if(node.where)
    for value in (node.where, node.value, node.default):
        if value is not None:
            visit(value, known if value is node.where else inside, found)


SPECIAL: dict[type, Callable[[Any, Known, Found], None]] = {
    n.If: _if,
    n.Repeat: _repeat,
    n.Each: _each,
    n.Choose: _choose,
    n.Secretly: _secretly,
    n.Tentatively: _tentatively,
    n.IfElse: _if_else,
    n.Binary: _binary,
    n.Quantified: _quantified,
}
ALONE = frozenset((n.Name, n.Ref, n.Number))  # with nothing below them


def all_rules(ruleset: CheckedRuleset) -> Found:
    """Every node of the rules with what is known there. Several checks ask for it."""
    found: Found = ruleset.shared.setdefault("all rules", [])
    if found:
        return found
    for decl in ruleset.decls:
        if isinstance(decl, (n.Procedure, n.Whenever)):
            walk(decl.body, frozenset(), found)
            if isinstance(decl, n.Whenever) and decl.where is not None:
                visit(decl.where, frozenset(), found)
        elif isinstance(decl, (n.Define, n.Score, n.Estimate, n.Property)):
            visit(decl.value, frozenset(), found)
            if isinstance(decl, n.Property) and decl.leads_to is not None:
                visit(decl.leads_to, frozenset(), found)
        elif isinstance(decl, n.Winner):
            for criterion in decl.criteria:
                visit(criterion.value, frozenset(), found)
    return found
