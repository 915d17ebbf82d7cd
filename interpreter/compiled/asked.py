"""Conditions of ready-made answers -> text. What does not depend on the answer is asked once for all of them.

In: the conditions of one answer after the other. Out: the text of each, and the lines that come before all. Only what
certainly can't fail is asked beforehand: comparisons of numbers in cells.
"""

from __future__ import annotations

import re

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import OWN_SLOTS, Expressions, inlined, substituted
from cambist.interpreter.compiled.folds import conjuncts
from cambist.interpreter.compiled.knowing import COMPARED, Scope
from cambist.interpreter.compiled.packing import mentions

NAMED = re.compile(r"<(\d+)>")
OFTEN = 2  # answers that make it worth while


class Asked:
    def __init__(self, e: Expressions, scope: Scope) -> None:
        self.e, self.scope = e, scope
        self.texts: list[str] = []  # what is the same for all answers; `<k>` stands for it until all are known
        self.names: dict[int, str] = {}

    def text(self, conditions: list[p.Expr], scope: Scope, slots: set[int]) -> str:
        """All conditions of an answer; `slots`: the locals that are the answer."""
        return " and ".join(self._all([c for one in conditions for c in conjuncts(self._plain(one))], scope, slots))

    def lines(self, tests: list[str]) -> list[str]:
        """What comes before the tests."""
        found = []
        for number, text in enumerate(self.texts):
            if sum(test.count(f"<{number}>") for test in tests) >= OFTEN:
                self.names[number] = self.e.fresh("same")
                found.append(f"{self.names[number]} = {text}")
        return found

    def settled(self, test: str) -> str:
        return NAMED.sub(lambda found: self.names.get(int(found[1]), self.texts[int(found[1])]), test)

    def _plain(self, node: p.Expr) -> p.Expr:
        """With definitions put in their places."""
        if isinstance(node, p.ECall) and inlined(self.e.program.functions[node.function].value, node.args):
            self.e.placed += OWN_SLOTS
            value = self.e.program.functions[node.function].value
            return self._plain(substituted(value, dict(enumerate(node.args)), self.e.placed))
        if isinstance(node, (p.EAnd, p.EOr)):
            return type(node)(self._plain(node.left), self._plain(node.right))
        return node

    def _all(self, conditions: list[p.Expr], scope: Scope, slots: set[int]) -> list[str]:
        """Those that are the same for all answers first."""
        same = [c for c in conditions if self._calm(c) and not any(mentions(c, slot) for slot in slots)]
        found = []
        if same:
            text = " and ".join(self.e.truth(c, self.scope) for c in same)
            if text not in self.texts:
                self.texts.append(text)
            found.append(f"<{self.texts.index(text)}>")
        before = self.e.sure
        for one in conditions:
            if one not in same and self.e.truth_known(one, scope) is not True:
                found.append(self._one(one, scope, slots))
                self.e.sure |= self.e.shown(one, scope)
        self.e.sure = before
        return found

    def _one(self, node: p.Expr, scope: Scope, slots: set[int]) -> str:
        if isinstance(node, p.EOr):
            ways = []
            for way in either(node):
                if self.e.truth_known(way, scope) is not False:
                    ways.append(" and ".join(self._all(conjuncts(way), scope, slots)))
            return f"({' or '.join(ways)})" if all(ways) and ways else "True" if ways else "False"
        return self.e.truth(node, scope)

    def _calm(self, node: p.Expr) -> bool:
        """Whether it compares numbers in cells: it can't fail, and costs little."""
        match node:
            case p.EOp() if node.op in COMPARED:
                return self._number(node.left) and self._number(node.right)
            case p.ENot():
                return self._calm(node.value)
            case p.EAnd() | p.EOr():
                return self._calm(node.left) and self._calm(node.right)
            case _:
                return False

    def _number(self, node: p.Expr) -> bool:
        match node:
            case p.EConst():
                return True
            case p.EVar() | p.EAccount():
                return isinstance(node.index, p.EConst)
            case p.EOp() if node.op in ("+", "-"):
                return self._number(node.left) and self._number(node.right)
            case _:
                return False


def either(node: p.Expr) -> list[p.Expr]:
    """The parts of a condition of which one must hold."""
    return either(node.left) + either(node.right) if isinstance(node, p.EOr) else [node]
