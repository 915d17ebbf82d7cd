"""Lark tree -> statement nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Tree

from cambist.dsl import nodes as n
from cambist.dsl.build_expressions import ExpressionBuilder


class StatementBuilder(ExpressionBuilder):
    def block(self, tree: Tree[Any]) -> tuple[n.Stmt, ...]:
        return tuple(s for child in tree.children if isinstance(child, Tree) for s in self.statement(child))

    def body(self, tree: Tree[Any]) -> tuple[n.Stmt, ...]:
        for part in self.trees(tree, "inline"):
            return self.line(part)
        return self.block(next(self.trees(tree, "block")))

    def body_notes(self, tree: Tree[Any]) -> n.Notes:
        """Notes behind a header line that ends in a body; an inline body keeps its own."""
        if next(self.trees(tree, "inline"), None) is not None:
            return ()
        return self.notes_of(tree)

    def line(self, tree: Tree[Any]) -> tuple[n.Stmt, ...]:
        notes = self.notes_of(tree)
        return tuple(
            self.simple(child, notes) for child in tree.children if isinstance(child, Tree) and child.data != "end"
        )

    def statement(self, tree: Tree[Any]) -> tuple[n.Stmt, ...]:
        if tree.data == "line":
            return self.line(tree)
        make: Callable[[Tree[Any]], n.Stmt] = getattr(self, f"stmt_{tree.data}")
        return (make(tree),)

    def simple(self, tree: Tree[Any], notes: n.Notes) -> n.Stmt:
        span = self.whole(tree)
        what = [
            self.expression(c)
            for c in tree.children
            if isinstance(c, Tree) and c.data not in ("names", "args", "drawn")
        ]
        match tree.data:
            case "move":
                drawn = next(self.trees(tree, "drawn"), None)
                end: Any = str(next(iter(self.tokens(tree, "START_OF", "END_OF")), "")).split(" ")[0]
                if drawn is not None:
                    count, source = (self.expression(c) for c in drawn.children if isinstance(c, Tree))
                    return n.Move(count, source, what[0], end, notes, span)
                return n.Move(what[0], None, what[1], end, notes, span)
            case "fill":
                return n.Fill(what[0], what[1], what[2], notes, span)
            case "transfer":
                return n.Transfer(what[0], what[1], what[2], notes, span)
            case "let":
                return n.Let(self.names(tree), what[-1], notes, span)
            case "draw":
                count_of = what[0] if len(what) == 2 else None
                return n.Draw(self.names(tree)[0], count_of, what[-1], notes, span)
            case "set":
                return n.Set(what[0], what[1], notes, span)
            case "add":
                return n.Add(what[0], what[1], notes, span)
            case "shift":
                return n.Shift(what[0], what[1], notes, span)
            case "shuffle":
                return n.Shuffle(what[0], notes, span)
            case "reveal" | "hide":
                return n.Reveal(what[0], tree.data == "reveal", notes, span)
            case "return":
                return n.Return(self.args(tree), notes, span)
            case "leave":
                return n.Leave(notes, span)
            case "end_game":
                return n.EndGame(self.string(tree), notes, span)
            case "roll_back":
                return n.RollBack(notes, span)
            case "require":
                return n.Require(what[0], notes, span)
            case "mark" | "limit":
                return n.Mark(self.first_name(tree), tree.data == "limit", notes, span)
            case "run":
                return n.Run(what[0], notes, span)
            case _:
                return n.Nothing(notes, span)

    def stmt_each(self, tree: Tree[Any]) -> n.Each:
        body = next(self.trees(tree, "body"))
        return n.Each(self.binders(tree), self.where(tree), self.body(body), self.body_notes(body), self.head(tree))

    def stmt_if(self, tree: Tree[Any]) -> n.If:
        parts = [c for c in tree.children if isinstance(c, Tree)]
        arms: list[tuple[n.Expr, tuple[n.Stmt, ...]]] = []
        other: tuple[n.Stmt, ...] = ()
        index = 0
        while index < len(parts):
            if parts[index].data == "else":
                other = self.body(next(self.trees(parts[index], "body")))
                index += 1
            else:
                arms.append((self.expression(parts[index]), self.body(parts[index + 1])))
                index += 2
        return n.If(tuple(arms), other, self.body_notes(parts[1]), self.head(tree))

    def stmt_while(self, tree: Tree[Any]) -> n.Repeat:
        test, body = (c for c in tree.children if isinstance(c, Tree))
        notes = self.body_notes(body)
        return n.Repeat(None, None, self.expression(test), self.body(body), notes, self.head(tree))

    def stmt_repeat_times(self, tree: Tree[Any]) -> n.Repeat:
        times, body = (c for c in tree.children if isinstance(c, Tree))
        notes = self.body_notes(body)
        return n.Repeat(self.expression(times), None, None, self.body(body), notes, self.head(tree))

    def stmt_repeat_until(self, tree: Tree[Any]) -> n.Repeat:
        block, test = (c for c in tree.children if isinstance(c, Tree) and c.data != "end")
        until = self.expression(test)
        return n.Repeat(None, until, None, self.block(block), self.notes_of(tree), self.head(tree))

    def stmt_repeat_forever(self, tree: Tree[Any]) -> n.Repeat:
        block = next(self.trees(tree, "block"))
        return n.Repeat(None, None, None, self.block(block), self.notes_of(tree), self.head(tree))

    def otherwise(self, tree: Tree[Any]) -> tuple[n.Stmt, ...] | None:
        for part in self.trees(tree, "otherwise"):
            return self.body(next(self.trees(part, "body")))
        return None

    def stmt_choose_branch(self, tree: Tree[Any]) -> n.Choose:
        branches = tuple(self.branch(b) for b in self.trees(tree, "branch"))
        who = self.expression(tree.children[0])
        return n.Choose(who, branches, True, self.otherwise(tree), self.notes_of(tree), self.chooser(tree))

    def stmt_choose_picks(self, tree: Tree[Any]) -> n.Choose:
        picks = next(self.trees(tree, "picks"))
        span = self.chooser(tree)
        branch = n.Branch(
            n.Name("", span),
            self.picks(picks),
            self.where(tree),
            self.such_that(tree),
            (),
            (),
            self.whole(picks),
        )
        who = self.expression(tree.children[0])
        return n.Choose(who, (branch,), False, self.otherwise(tree), self.notes_of(tree), span)

    def chooser(self, tree: Tree[Any]) -> Any:
        """`p chooses`, which is what a caret under a choice should show."""
        keyword = next(t for t in tree.children if isinstance(t, Token) and t.type == "CHOOSES")
        first = tree.children[0]
        start = self.whole(first) if isinstance(first, Tree) else self.span(first)
        return start.to(self.span(keyword))

    def branch(self, tree: Tree[Any]) -> n.Branch:
        picks = next(self.trees(tree, "picks"), None)
        body = next(self.trees(tree, "body"))
        return n.Branch(
            self.first_name(tree),
            self.picks(picks) if picks is not None else (),
            self.where(tree),
            self.such_that(tree),
            self.body(body),
            self.body_notes(body),
            self.head(tree),
        )

    def picks(self, tree: Tree[Any]) -> tuple[n.Pick, ...]:
        return tuple(self.pick(c) for c in tree.children if isinstance(c, Tree))

    def pick(self, tree: Tree[Any]) -> n.Pick:
        shape: Any = str(tree.data).removeprefix("pick_")
        source = self.expression(next(c for c in tree.children if isinstance(c, Tree)))
        least = most = None
        none = False
        for bound in self.trees(tree, "bound"):
            kind = bound.children[0]
            if isinstance(kind, Token) and kind.type == "POSSIBLY_NONE":
                none = True
            elif isinstance(kind, Token) and kind.type == "AT_LEAST":
                least = self.last_expression(bound)
            else:
                most = self.last_expression(bound)
        return n.Pick(self.first_name(tree), shape, source, least, most, none, self.whole(tree))

    def such_that(self, tree: Tree[Any]) -> n.Expr | None:
        return next((self.last_expression(part) for part in self.trees(tree, "such_that")), None)

    def stmt_secretly(self, tree: Tree[Any]) -> n.Secretly:
        binder = self.binder(next(self.trees(tree, "binder")))
        first, *rest = self.block(next(self.trees(tree, "block")))
        return n.Secretly(binder, first, tuple(rest), self.notes_of(tree), self.head(tree))

    def stmt_tentatively(self, tree: Tree[Any]) -> n.Tentatively:
        block = self.block(next(self.trees(tree, "block")))
        return n.Tentatively(block, self.otherwise(tree), self.notes_of(tree), self.head(tree))
