"""What is known not to be empty at a place in the rules, from the conditions around it.

A helper of totality.py and forced_choices.py: `walk` goes through a body and tells each statement and
expression with the set of expressions (by their shape) that some enclosing `if`, `while`, `where` or
`require` has found not empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from cambist.dsl import nodes as n
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


def walk(body: tuple[n.Stmt, ...], known: Known = frozenset()) -> Iterator[tuple[Any, Known]]:
    for statement in body:
        yield from visit(statement, known)
        if isinstance(statement, n.Require):
            known |= non_empty_if(statement.test)
        if isinstance(statement, n.Choose) and not statement.named:  # its picks hold from here on
            known |= picked(statement.branches[0])
        if isinstance(statement, n.If) and not statement.other and len(statement.arms) == 1:
            test, arm = statement.arms[0]
            if arm and isinstance(arm[-1], (n.Return, n.Leave, n.EndGame)):
                known |= non_empty_unless(test)


def visit(node: Any, known: Known) -> Iterator[tuple[Any, Known]]:
    """Every node below with what is known there."""
    yield node, known
    match node:
        case n.If():
            for test, arm in node.arms:
                yield from visit(test, known)
                yield from walk(arm, known | non_empty_if(test))
                known |= non_empty_unless(test)
            yield from walk(node.other, known)
        case n.Repeat():
            for part in (node.times, node.test_first, node.until):
                if part is not None:
                    yield from visit(part, known)
            yield from walk(node.body, known | non_empty_if(node.test_first))
        case n.Each():
            for binder in node.binders:
                yield from visit(binder, known)
            if node.where is not None:
                yield from visit(node.where, known)
            yield from walk(node.body, known | non_empty_if(node.where))
        case n.Choose():
            yield from visit(node.who, known)
            for branch in node.branches:
                inside = known | non_empty_if(branch.where) | picked(branch)
                for pick in branch.picks:
                    yield from visit(pick, known)
                for part in (branch.where, branch.such_that):
                    if part is not None:
                        yield from visit(part, known)
                yield from walk(branch.body, inside)
            yield from walk(node.otherwise or (), known)
        case n.Secretly():
            yield from visit(node.binder, known)
            yield from walk((node.choose, *node.body), known)
        case n.Tentatively():
            yield from walk(node.body, known)
            yield from walk(node.otherwise or (), known)
        case n.IfElse():
            yield from visit(node.test, known)
            yield from visit(node.then, known | non_empty_if(node.test))
            yield from visit(node.other, known | non_empty_unless(node.test))
        case n.Binary(op="and"):
            yield from visit(node.left, known)
            yield from visit(node.right, known | non_empty_if(node.left))
        case n.Binary(op="or"):
            yield from visit(node.left, known)
            yield from visit(node.right, known | non_empty_unless(node.left))
        case n.Quantified():
            for binder in node.binders:
                yield from visit(binder, known)
            inside = known | non_empty_if(node.where)
            for value in (node.where, node.value, node.default):
                if value is not None:
                    yield from visit(value, known if value is node.where else inside)
        case _:
            for child in children(node):
                yield from visit(child, known)


def all_rules(decls: tuple[n.Decl, ...]) -> Iterator[tuple[Any, Known]]:
    for decl in decls:
        if isinstance(decl, (n.Procedure, n.Whenever)):
            yield from walk(decl.body)
            if isinstance(decl, n.Whenever) and decl.where is not None:
                yield from visit(decl.where, frozenset())
        elif isinstance(decl, (n.Define, n.Score, n.Estimate, n.Property)):
            yield from visit(decl.value, frozenset())
            if isinstance(decl, n.Property) and decl.leads_to is not None:
                yield from visit(decl.leads_to, frozenset())
        elif isinstance(decl, n.Winner):
            for criterion in decl.criteria:
                yield from visit(criterion.value, frozenset())
