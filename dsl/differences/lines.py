"""Rules as lines within lines, and two such lists laid side by side.

A `Line` is a statement, a branch, an `else`: its own text, and what stands below it. `aligned` finds the lines that
belong together; it treats both sides alike, so that a comparison read backwards tells the same backwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import attrs
from attrs import field, frozen

from cambist.dsl import nodes as n
from cambist.dsl.unparse_expressions import POSTFIX, SUM, binder, listed_binders, where
from cambist.dsl.unparse_expressions import text as text_of
from cambist.dsl.unparse_statements import offer, simple
from cambist.dsl.walk import shape

SAME, ALIKE, RELATED = 1000, 900, 400
WORD = re.compile(r"\w+|[^\w\s]")


@frozen
class Line:
    kind: str  # the statement's class; branch, arm, otherwise
    text: str
    node: Any  # without what stands below it
    inner: tuple[Line, ...] = ()
    shape: Any = field(default=None, repr=False)

    @property
    def words(self) -> Counter[str]:
        found = Counter(WORD.findall(self.text))
        for line in self.inner:
            found += line.words
        return found

    @property
    def whole(self) -> str:
        """The line with what stands below it, on one line."""
        if not self.inner:
            return self.text
        return f"{self.text}: {'; '.join(line.whole for line in self.inner)}"


def lines(body: Sequence[n.Stmt]) -> tuple[Line, ...]:
    return tuple(_line(statement) for statement in body)


def _line(node: n.Stmt) -> Line:
    text, kind, whole = _head(node), type(node).__name__, shape(node)
    head: Any
    match node:
        case n.Each() | n.Repeat():
            return Line(kind, text, attrs.evolve(node, body=()), lines(node.body), whole)
        case n.If():
            (test, body), *more = node.arms
            arms = [_arm(f"else if {text_of(t)}", t, b) for t, b in more]
            arms += [_arm("else", None, node.other)] if node.other else []
            head = attrs.evolve(node, arms=((test, ()),), other=())
            return Line(kind, text, head, (*lines(body), *arms), whole)
        case n.Choose():
            below = [_branch(branch) for branch in node.branches] if node.named else []
            below += _otherwise(node.otherwise)
            head = attrs.evolve(node, branches=() if node.named else node.branches, otherwise=None)
            return Line(kind, text, head, tuple(below), whole)
        case n.Secretly():
            head = attrs.evolve(node, choose=n.Nothing(), body=())
            return Line(kind, text, head, lines((node.choose, *node.body)), whole)
        case n.Tentatively():
            head = attrs.evolve(node, body=(), otherwise=None)
            return Line(kind, text, head, (*lines(node.body), *_otherwise(node.otherwise)), whole)
        case _:
            return Line(kind, text, node, (), whole)


def _head(node: n.Stmt) -> str:
    """The statement, or the first line of one that has a block; a loop's end belongs to it."""
    match node:
        case n.Each():
            return f"each {listed_binders(node.binders)}{where(node.where)}"
        case n.If():
            return f"if {text_of(node.arms[0][0])}"
        case n.Repeat():
            if node.test_first is not None:
                return f"while {text_of(node.test_first)}"
            if node.times is not None:
                return f"repeat {text_of(node.times, SUM)} times"
            return "repeat forever" if node.until is None else f"repeat until {text_of(node.until)}"
        case n.Choose():
            who = f"{text_of(node.who, POSTFIX)} chooses"
            return who if node.named else f"{who} {offer(node.branches[0])}"
        case n.Secretly():
            return f"secretly each {binder(node.binder)}"
        case n.Tentatively():
            return "tentatively"
        case _:
            return simple(node)


def _branch_head(node: n.Branch) -> str:
    return f"{node.label.text}{' ' if node.picks else ''}{offer(node)}"


def _arm(text: str, test: n.Expr | None, body: tuple[n.Stmt, ...]) -> Line:
    node = test if test is not None else n.Nothing((), body[0].span)
    return Line("arm" if test is not None else "else", text, node, lines(body), (shape(test), shape(body)))


def _branch(node: n.Branch) -> Line:
    return Line("branch", _branch_head(node), attrs.evolve(node, body=()), lines(node.body), shape(node))


def _otherwise(body: tuple[n.Stmt, ...] | None) -> list[Line]:
    if not body:
        return []
    return [Line("otherwise", "otherwise", n.Nothing((), body[0].span), lines(body), shape(body))]


def weight(a: Line, b: Line) -> int:
    """How much two lines look like one another; 0: they have nothing to do with each other."""
    if a.kind != b.kind:
        return 0
    if a.shape == b.shape:
        return SAME
    if a.kind in ("otherwise", "else"):
        return ALIKE
    if a.kind == "branch" and a.node.label.text == b.node.label.text:
        return ALIKE
    ours, theirs = a.words, b.words
    common = sum((ours & theirs).values())
    found = ALIKE * 2 * common // (ours.total() + theirs.total())
    return found if found >= RELATED else 0


def aligned(a: Sequence[Line], b: Sequence[Line]) -> list[tuple[Line | None, Line | None]]:
    """Both lists in order, side by side; None where the other side has nothing like it."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    ours, theirs = Counter(x.shape for x in a), Counter(y.shape for y in b)
    twins = {key for key, count in ours.items() if theirs[key] == count}  # these are the same, or moved
    weights = [[weight(x, y) if x.shape == y.shape or not {x.shape, y.shape} & twins else 0 for y in b] for x in a]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            matched = weights[i][j] + best[i + 1][j + 1] if weights[i][j] else 0
            best[i][j] = max(matched, best[i + 1][j], best[i][j + 1])
    found: list[tuple[Line | None, Line | None]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        skip_a, skip_b = best[i + 1][j], best[i][j + 1]
        if weights[i][j] and best[i][j] == weights[i][j] + best[i + 1][j + 1]:
            found.append((a[i], b[j]))
            i, j = i + 1, j + 1
        elif skip_a > skip_b or (skip_a == skip_b and a[i].whole <= b[j].whole):  # the same, read from either side
            found.append((a[i], None))
            i += 1
        else:
            found.append((None, b[j]))
            j += 1
    found += [(x, None) for x in a[i:]]
    found += [(None, y) for y in b[j:]]
    return found
