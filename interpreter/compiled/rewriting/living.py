"""Which variables are read again behind each statement of a function, before they are set anew.

In: a parsed function. Out: by statement, the names. A variable that is not among them may hold what it likes: nobody
looks at it.
"""

from __future__ import annotations

import ast

Names = frozenset[str]
NONE: Names = frozenset()


class Living:
    def __init__(self, function: ast.FunctionDef) -> None:
        self._after: dict[ast.stmt, Names] = {}
        self._uses: dict[ast.AST, Names] = {}
        self._block(function.body, NONE, NONE, NONE, NONE)

    def after(self, node: ast.stmt) -> Names:
        return self._after.get(node, NONE)

    def uses(self, node: ast.AST | None) -> Names:
        """The variables that an expression reads."""
        if node is None:
            return NONE
        if node not in self._uses:
            names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
            self._uses[node] = frozenset(one.id for one in names)
        return self._uses[node]

    def _block(self, body: list[ast.stmt], out: Names, leaves: Names, again: Names, fails: Names) -> Names:
        """What is read in a block and behind it. `leaves`, `again`: behind a `break`, a `continue`; `fails`: where a
        fault is caught."""
        for node in reversed(body):
            out = out | fails
            self._after[node] = self._after.get(node, NONE) | out
            out = self._before(node, out, leaves, again, fails)
        return out

    def _before(self, node: ast.stmt, out: Names, leaves: Names, again: Names, fails: Names) -> Names:
        match node:
            case ast.Assign():
                set_anew = {target.id for target in node.targets if isinstance(target, ast.Name)}
                for target in node.targets:
                    if isinstance(target, ast.Tuple):
                        set_anew |= {part.id for part in target.elts if isinstance(part, ast.Name)}
                return (out - set_anew) | self.uses(node)
            case ast.AugAssign():
                return out | self.uses(node) | ({node.target.id} if isinstance(node.target, ast.Name) else NONE)
            case ast.If():
                then = self._block(node.body, out, leaves, again, fails)
                return self.uses(node.test) | then | self._block(node.orelse, out, leaves, again, fails)
            case ast.While() | ast.For():
                return self._loop(node, out, leaves, again, fails)
            case ast.Try():
                caught = NONE
                for handler in node.handlers:
                    caught |= self._block(handler.body, out, leaves, again, fails)
                then = self._block(node.orelse, out, leaves, again, fails)
                return caught | self._block(node.body, then, leaves, again, fails | caught)
            case ast.Return():
                return self.uses(node)
            case ast.Raise():
                return self.uses(node) | fails
            case ast.Break():
                return leaves
            case ast.Continue():
                return again
            case _:
                return out | self.uses(node)

    def _loop(self, node: ast.While | ast.For, out: Names, leaves: Names, again: Names, fails: Names) -> Names:
        ends = self._block(node.orelse, out, leaves, again, fails)
        forever = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        head = NONE if forever else ends
        if isinstance(node, ast.While):
            head |= self.uses(node.test)
        while True:
            inside = self._block(node.body, head, out, head, fails)
            if isinstance(node, ast.For):
                inside -= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
            if inside <= head:
                break
            head |= inside
        return head | (self.uses(node.iter) if isinstance(node, ast.For) else NONE)
