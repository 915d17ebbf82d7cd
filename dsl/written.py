"""Nodes -> their text in the language, on one line each: the way back from the tree.

In: an expression, a statement, a branch, a declaration's value. Out: text that would be read as the same node again
(with modules' names as they are in the flat list, `module.name`). Of what has a block, only the first line. Comments
and notes are not told. What a variant has renamed is told by its new name, which the text of the file does not know.
"""

from __future__ import annotations

from typing import assert_never

from cambist.dsl import nodes as n

ANY, CONDITIONAL, EITHER, BOTH, NEGATION, COMPARISON, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(11)
LEVELS = {"or": EITHER, "and": BOTH, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}
PREFIXES = {"size": "size of", "first": "first of", "last": "last of", "rest": "rest of"}
QUANTIFIERS = {"sum": "sum of", "count": "count of", "most": "most of", "least": "least of"}


def expression(node: n.Expr | n.Cell, level: int = ANY) -> str:
    """As it is written where at least this level stands; in parentheses if it is of a lower one."""
    text, own = _expression(node)
    return text if own >= level else f"({text})"


def _expression(node: n.Expr | n.Cell) -> tuple[str, int]:
    match node:
        case n.Number():
            return node.value, UNARY if node.value.startswith("-") else POSTFIX
        case n.Text():
            return f'"{node.value}"', POSTFIX
        case n.Truth():
            return "yes" if node.value else "no", POSTFIX
        case n.Ref():
            return node.name, POSTFIX
        case n.EachCell():
            return "each", POSTFIX
        case n.Call():
            return f"{node.name.text}({listed(node.args)})", POSTFIX
        case n.Dot():
            args = f"({listed(node.args)})" if node.args else ""
            return f"{expression(node.owner, POSTFIX)}.{node.name.text}{args}", POSTFIX
        case n.Index():
            return f"{expression(node.table, POSTFIX)}[{expression(node.key)}]", POSTFIX
        case n.ListOf():
            return f"[{listed(node.items)}]", POSTFIX
        case n.Between():
            by = "" if node.step is None else f" by {expression(node.step, SUM)}"
            return f"{expression(node.low, SUM)}..{expression(node.high, SUM)}{by}", RANGE
        case n.Binary():
            return _binary(node)
        case n.Negate():
            return f"-{expression(node.value, UNARY)}", UNARY
        case n.Not():
            return _negated(node.value)
        case n.IfElse():
            then, test = expression(node.then, EITHER), expression(node.test, EITHER)
            return f"{then} if {test} else {expression(node.other, CONDITIONAL)}", CONDITIONAL
        case n.Is():
            return f"{expression(node.value, RANGE)} is {_pattern(node)}", COMPARISON
        case n.Prefix():
            return f"{PREFIXES[node.word]} {expression(node.value, UNARY)}", UNARY
        case n.Quantified():
            return _quantified(node), ANY
        case n.The():
            return _the(node), ANY
        case _ as never:
            assert_never(never)


def listed(items: tuple[n.Expr, ...]) -> str:
    alone = len(items) == 1
    return ", ".join(expression(item, ANY if alone else CONDITIONAL) for item in items)


def _binary(node: n.Binary) -> tuple[str, int]:
    level = LEVELS.get(node.op, COMPARISON)
    left, right = (RANGE, RANGE) if level == COMPARISON else (level, level + 1)
    rounding = f" rounded {node.rounding}" if node.rounding else ""
    return f"{expression(node.left, left)} {node.op} {expression(node.right, right)}{rounding}", level


def _negated(value: n.Expr) -> tuple[str, int]:
    if isinstance(value, n.Is):
        return f"{expression(value.value, RANGE)} is not {_pattern(value)}", COMPARISON
    if isinstance(value, n.Binary) and value.op == "in":
        return f"{expression(value.left, RANGE)} not in {expression(value.right, RANGE)}", COMPARISON
    return f"not {expression(value, NEGATION)}", NEGATION


def _pattern(node: n.Is) -> str:
    return " ".join((node.name.text, *(expression(cell) for cell in node.cells)))


def binder(node: n.Binder) -> str:
    return node.name.text if node.source is None else f"{node.name.text} in {expression(node.source, RANGE)}"


def binders(nodes: tuple[n.Binder, ...]) -> str:
    return ", ".join(binder(node) for node in nodes)


def _where(node: n.Expr | None, level: int = EITHER) -> str:
    return "" if node is None else f" where {expression(node, level)}"


def _or_else(node: n.Expr | None) -> str:
    return "" if node is None else f", or {expression(node, SUM)} if none"


def _quantified(node: n.Quantified) -> str:
    rest = f"{binders(node.binders)}{_where(node.where)}{_or_else(node.default)}"
    word = QUANTIFIERS.get(node.word, node.word)
    return f"{word} {rest}" if node.value is None else f"{word} {expression(node.value, SUM)} for {rest}"


def criteria(nodes: tuple[n.Criterion, ...]) -> str:
    return ", then ".join(f"{'most' if c.most else 'least'} {expression(c.value, SUM)}" for c in nodes)


def _the(node: n.The) -> str:
    policy = {"": "", "all": ", all tied", "first": ", ties to first"}[node.policy]
    head = f"the {binder(node.binder)}{_where(node.where)} with {criteria(node.criteria)}"
    return f"{head}{policy}{_or_else(node.default)}"


# ---- statements


def statement(node: n.Stmt) -> str:
    """The statement, or the first line of one that has a block."""
    match node:
        case n.Move():
            what = expression(node.what, ANY if node.source is None else SUM)
            drawn = "" if node.source is None else f" from {expression(node.source, SUM)}"
            end = f"{node.end} of " if node.end else ""
            return f"move {what}{drawn} to {end}{expression(node.to, SUM)}"
        case n.Fill():
            return (
                f"fill {expression(node.zone, SUM)} to {expression(node.size, SUM)} from {expression(node.source, SUM)}"
            )
        case n.Transfer():
            ends = f"from {expression(node.source, SUM)} to {expression(node.to, SUM)}"
            return f"transfer {expression(node.amount, SUM)} {ends}"
        case n.Let():
            return f"let {', '.join(name.text for name in node.names)} = {expression(node.value)}"
        case n.Draw():
            count = "" if node.count is None else f" {expression(node.count, SUM)}"
            return f"let {node.name.text} = random{count} of {expression(node.source, RANGE)}"
        case n.Set():
            return f"set {expression(node.target, POSTFIX)} to {expression(node.value)}"
        case n.Add():
            return f"add {expression(node.value, SUM)} to {expression(node.target, POSTFIX)}"
        case n.Shift():
            return f"shift {expression(node.target, POSTFIX)} by {expression(node.by, SUM)}"
        case n.Shuffle():
            return f"shuffle {expression(node.zone, SUM)}"
        case n.Reveal():
            return f"{'reveal' if node.shown else 'hide'} {expression(node.zone, SUM)}"
        case n.Return():
            return f"return {listed(node.values)}" if node.values else "return"
        case n.Leave():
            return "leave"
        case n.EndGame():
            return f'end game because "{node.reason}"' if node.reason else "end game"
        case n.RollBack():
            return "roll back"
        case n.Nothing():
            return "nothing"
        case n.Require():
            return f"require {expression(node.test)}"
        case n.Mark():
            return f"{'limit' if node.limit else 'mark'} {node.name.text}"
        case n.Run():
            return expression(node.target, POSTFIX)
        case _:
            return _with_a_block(node)


def _with_a_block(node: n.Each | n.If | n.Repeat | n.Choose | n.Secretly | n.Tentatively) -> str:
    match node:
        case n.Each():
            return f"each {binders(node.binders)}{_where(node.where, ANY)}"
        case n.If():
            return f"if {expression(node.arms[0][0])}"
        case n.Repeat():
            if node.test_first is not None:
                return f"while {expression(node.test_first)}"
            if node.times is not None:
                return f"repeat {expression(node.times, SUM)} times"
            return "repeat forever" if node.until is None else f"repeat until {expression(node.until)}"
        case n.Choose():
            who = f"{expression(node.who, POSTFIX)} chooses"
            return who if node.named else f"{who} {branch(node.branches[0])}"
        case n.Secretly():
            return f"secretly each {binder(node.binder)}"
        case n.Tentatively():
            return "tentatively"
        case _ as never:
            assert_never(never)


def branch(node: n.Branch) -> str:
    """`take c in shelf where …`; without a label, the picks alone."""
    picks = ", ".join(pick(one) for one in node.picks)
    head = " ".join(part for part in (node.label.text, picks) if part)
    such = "" if node.such_that is None else f" such that {expression(node.such_that)}"
    return f"{head}{_where(node.where, ANY)}{such}"


def pick(node: n.Pick) -> str:
    name, source = node.name.text, node.source
    if node.shape == "in":
        return f"{name} in {expression(source, RANGE)}"
    if node.shape != "some":
        return f"{name}: any {node.shape} of {expression(source, SUM)}"
    least = "" if node.least is None else f", at least {expression(node.least, SUM)}"
    most = "" if node.most is None else f", at most {expression(node.most, SUM)}"
    none = ", possibly none" if node.possibly_none else ""
    return f"{name}: some of {expression(source, SUM)}{least}{most}{none}"
