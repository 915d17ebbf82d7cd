"""Lark tree -> expression nodes, and the small readers that all builders share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lark import Token, Tree

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.notes import read_notes
from cambist.dsl.source import SourceFile, Span

DEEPEST = 64
OPERATORS = frozenset("EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ PLUS MINUS STAR SLASH".split())


class ExpressionBuilder:
    def __init__(self, file: SourceFile, report: Report) -> None:
        self.file = file
        self.report = report
        self.depth = 0
        self.marks: list[n.Against] = []  # of the declaration that is being built

    # ---- readers

    def span(self, token: Any) -> Span:
        return Span(self.file, token.start_pos, token.end_pos)

    def whole(self, tree: Tree[Any]) -> Span:
        return Span(self.file, tree.start_pos, tree.end_pos)  # type: ignore[attr-defined]

    def head(self, tree: Tree[Any]) -> Span:
        """Up to the first token that opens something: what a caret should show of a long construct."""
        tokens = [t for t in tree.children if isinstance(t, Token) and t.type not in ("NOTE",)]
        if not tokens:
            return self.whole(tree)
        last = tokens[1] if len(tokens) > 1 and tokens[1].type in ("NAME", "STRING") else tokens[0]
        return self.span(tokens[0]).to(self.span(last))

    def tokens(self, tree: Tree[Any], *types: str) -> list[Token]:
        return [t for t in tree.children if isinstance(t, Token) and t.type in types]

    def trees(self, tree: Tree[Any], *names: str) -> Iterator[Tree[Any]]:
        return (t for t in tree.children if isinstance(t, Tree) and t.data in names)

    def name(self, token: Token) -> n.Name:
        return n.Name(str(token), self.span(token))

    def first_name(self, tree: Tree[Any]) -> n.Name:
        return self.name(next(t for t in tree.children if isinstance(t, Token) and t.type == "NAME"))

    def names(self, tree: Tree[Any]) -> tuple[n.Name, ...]:
        return tuple(self.name(t) for part in self.trees(tree, "names") for t in self.tokens(part, "NAME"))

    def string(self, tree: Tree[Any]) -> str:
        return next((str(t)[1:-1] for t in self.tokens(tree, "STRING")), "")

    def notes_of(self, tree: Tree[Any]) -> n.Notes:
        found = self.tokens(tree, "NOTE")
        for part in self.trees(tree, "end"):
            found += self.tokens(part, "NOTE")
        read = [note for t in found for note in read_notes(str(t), self.span(t), self.report)]
        self.marks += [note for note in read if isinstance(note, n.Against)]
        return tuple(note for note in read if not isinstance(note, n.Against))

    def complain(self, token: Token, expected: tuple[str, ...]) -> None:
        self.report.add(say.other_word(self.span(token), expected))

    def signed(self, tree: Tree[Any]) -> n.Number:
        text = "".join(str(t) for t in tree.children).lstrip("+")
        return n.Number(text, self.whole(tree))

    def cell(self, tree: Tree[Any]) -> n.Cell:
        if tree.data == "each_cell":
            return n.EachCell(self.whole(tree))
        if tree.data == "word":
            return n.Ref(str(tree.children[0]), self.whole(tree))
        if tree.data == "cells":
            return n.ListOf(tuple(self.plain(c) for c in tree.children if isinstance(c, Tree)), self.whole(tree))
        if tree.data in ("yes", "false"):
            return n.Truth(tree.data == "yes", self.whole(tree))
        return self.signed(tree)

    def plain(self, tree: Tree[Any]) -> n.Expr:
        found = self.cell(tree)
        assert not isinstance(found, n.EachCell)
        return found

    def where(self, tree: Tree[Any]) -> n.Expr | None:
        return next((self.last_expression(part) for part in self.trees(tree, "where", "such")), None)

    def last_expression(self, tree: Tree[Any]) -> n.Expr:
        skip = ("end", "params", "names")
        return self.expression([c for c in tree.children if isinstance(c, Tree) and c.data not in skip][-1])

    def args(self, tree: Tree[Any]) -> tuple[n.Expr, ...]:
        found: list[n.Expr] = []
        for part in tree.children:
            if isinstance(part, Tree) and part.data == "args":
                found += [self.expression(c) for c in part.children if isinstance(c, Tree)]
        return tuple(found)

    def binders(self, tree: Tree[Any]) -> tuple[n.Binder, ...]:
        return tuple(self.binder(b) for part in self.trees(tree, "binders") for b in self.trees(part, "binder"))

    def binder(self, tree: Tree[Any]) -> n.Binder:
        source = [c for c in tree.children if isinstance(c, Tree)]
        return n.Binder(self.first_name(tree), self.expression(source[0]) if source else None, self.whole(tree))

    def criteria(self, tree: Tree[Any]) -> tuple[n.Criterion, ...]:
        found: list[n.Criterion] = []
        pending: Token | None = None
        for child in tree.children:
            if isinstance(child, Token) and child.type in ("MOST", "LEAST"):
                pending = child
            elif isinstance(child, Tree) and pending is not None:
                found.append(n.Criterion(pending.type == "MOST", self.expression(child), self.span(pending)))
                pending = None
            elif isinstance(child, Tree) and child.data == "tie":
                word = child.children[0]
                most = isinstance(word, Token) and word.type == "THEN_MOST"
                found.append(n.Criterion(most, self.last_expression(child), self.span(word)))
        return tuple(found)

    def default(self, tree: Tree[Any]) -> n.Expr | None:
        return next((self.last_expression(part) for part in self.trees(tree, "or_else")), None)

    # ---- expressions

    def expression(self, tree: Tree[Any]) -> n.Expr:
        if tree.data == "name":  # most are
            if self.depth < DEEPEST:
                return n.Ref(str(tree.children[0]), self.whole(tree))
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                self.report.add(say.too_deep(self.whole(tree), "expressions", DEEPEST))
                return n.Number("0", self.whole(tree))
            build = BUILDERS.get(tree.data)
            return self._quantified(tree, self.whole(tree)) if build is None else build(self, tree, self.whole(tree))
        finally:
            self.depth -= 1

    def _parts(self, tree: Tree[Any]) -> list[Tree[Any]]:
        return [c for c in tree.children if isinstance(c, Tree)]

    def _one(self, tree: Tree[Any]) -> n.Expr:
        """The first expression inside."""
        return self.expression(next(c for c in tree.children if isinstance(c, Tree)))

    def _two(self, tree: Tree[Any]) -> tuple[n.Expr, n.Expr]:
        left, right = [self.expression(c) for c in tree.children if isinstance(c, Tree)]
        return left, right

    def _operator(self, tree: Tree[Any]) -> str:
        return next(str(t) for t in tree.children if isinstance(t, Token) and t.type in OPERATORS)

    def _number(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Number("".join(map(str, tree.children)).lstrip("+"), span)

    def _text(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Text(str(tree.children[0])[1:-1], span)

    def _truth(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Truth(tree.data == "yes", span)

    def _name(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Ref(str(tree.children[0]), span)

    def _call(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Call(self.first_name(tree), self.args(tree), span)

    def _dot(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Dot(self._one(tree), self.first_name(tree), self.args(tree), span)

    def _index(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Index(*self._two(tree), span)

    def _paren(self, tree: Tree[Any], span: Span) -> n.Expr:
        return self._one(tree)

    def _list(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.ListOf(self.args(tree), span)

    def _between(self, tree: Tree[Any], span: Span) -> n.Expr:
        items = [self.expression(part) for part in self._parts(tree)]
        return n.Between(items[0], items[1], items[2] if len(items) > 2 else None, span)

    def _binary(self, tree: Tree[Any], span: Span) -> n.Expr:
        left, right = self._two(tree)
        return n.Binary(self._operator(tree), left, right, "", span)

    def _times(self, tree: Tree[Any], span: Span) -> n.Expr:
        left, right = self._two(tree)
        rounding: Any = "down" if self.tokens(tree, "ROUNDED_DOWN") else ""
        rounding = "up" if self.tokens(tree, "ROUNDED_UP") else rounding
        return n.Binary(self._operator(tree), left, right, rounding, span)

    def _both(self, tree: Tree[Any], span: Span) -> n.Expr:
        left, right = self._two(tree)
        return n.Binary(str(tree.data), left, right, "", span)

    def _member(self, tree: Tree[Any], span: Span) -> n.Expr:
        left, right = self._two(tree)
        inside = n.Binary("in", left, right, "", span)
        return inside if tree.data == "member" else n.Not(inside, span)

    def _minus(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Negate(self._one(tree), span)

    def _not(self, tree: Tree[Any], span: Span) -> n.Expr:
        return n.Not(self._one(tree), span)

    def _if_else(self, tree: Tree[Any], span: Span) -> n.Expr:
        then, test, other = (self.expression(part) for part in self._parts(tree))
        return n.IfElse(then, test, other, span)

    def _is(self, tree: Tree[Any], span: Span) -> n.Expr:
        value, pattern = self._parts(tree)[:2]
        found = self._pattern(self.expression(value), pattern, span)
        return found if tree.data == "is" else n.Not(found, span)

    def _prefix(self, tree: Tree[Any], span: Span) -> n.Expr:
        word: Any = str(tree.children[0]).split()[0]
        return n.Prefix(word, self._one(tree), span)

    def _pattern(self, value: n.Expr, tree: Tree[Any], span: Span) -> n.Expr:
        names = self.tokens(tree, "NAME")
        cells = tuple(self.cell(c) for c in tree.children if isinstance(c, Tree))
        if not names:
            number = cells[0]
            assert isinstance(number, n.Number)
            return n.Binary("=", value, number, "", span)
        for cell in cells:
            if isinstance(cell, n.EachCell):
                self.report.add(say.unexpected(cell.span, "`each`", ("a value",)))
                return n.Truth(False, span)
        return n.Is(value, self.name(names[0]), tuple(c for c in cells if not isinstance(c, n.EachCell)), span)

    def _the(self, tree: Tree[Any], span: Span) -> n.The:
        policy: Any = ""
        for part in self.trees(tree, "policy"):
            policy = "all" if self.tokens(part, "ALL_TIED") else "first"
            for token in self.tokens(part, "NAME"):
                if str(token) != "first":
                    self.complain(token, ("`first`",))
        binder = self.binder(next(self.trees(tree, "binder")))
        word = tree.children[0]
        where = self.where(tree)
        rest = Tree(
            tree.data,
            [c for c in tree.children if not (isinstance(c, Tree) and c.data in ("binder", "such"))],
        )
        return n.The(binder, where, self.criteria(rest), policy, self.default(tree), self.span(word).to(span))

    def _quantified(self, tree: Tree[Any], span: Span) -> n.Quantified:
        word: Any = str(tree.children[0]).split()[0]
        binders = self.binders(tree)
        if tree.data == "all":
            binders = (self.binder(next(self.trees(tree, "binder"))),)
        value = None
        if tree.data in ("sum_of", "extreme"):
            value = self.expression(next(c for c in tree.children if isinstance(c, Tree)))
        return n.Quantified(word, value, binders, self.where(tree), self.default(tree), span)


BUILDERS: dict[str, Callable[[ExpressionBuilder, Tree[Any], Span], n.Expr]] = {
    "number": ExpressionBuilder._number,
    "signed": ExpressionBuilder._number,
    "text": ExpressionBuilder._text,
    "yes": ExpressionBuilder._truth,
    "false": ExpressionBuilder._truth,
    "name": ExpressionBuilder._name,
    "call": ExpressionBuilder._call,
    "dot": ExpressionBuilder._dot,
    "index": ExpressionBuilder._index,
    "paren": ExpressionBuilder._paren,
    "list": ExpressionBuilder._list,
    "span": ExpressionBuilder._between,
    "plus": ExpressionBuilder._binary,
    "compare": ExpressionBuilder._binary,
    "times": ExpressionBuilder._times,
    "and": ExpressionBuilder._both,
    "or": ExpressionBuilder._both,
    "member": ExpressionBuilder._member,
    "not_member": ExpressionBuilder._member,
    "minus": ExpressionBuilder._minus,
    "not": ExpressionBuilder._not,
    "if_else": ExpressionBuilder._if_else,
    "is": ExpressionBuilder._is,
    "is_not": ExpressionBuilder._is,
    "prefix": ExpressionBuilder._prefix,
    "the": ExpressionBuilder._the,
}
"""The expressions by the names of their trees; all others run through several things."""
