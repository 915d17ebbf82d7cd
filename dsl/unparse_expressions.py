"""Expressions, names and notes -> the text that says them, with no bracket more than it takes. No line breaks.

The levels are those of grammar.lark: what stands at a level may stand, without brackets, wherever the grammar asks for
this level or one above it. Parsed again, the text gives an equal tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from cambist.dsl import nodes as n

EXPR, CONDITIONAL, EITHER, BOTH, NEGATION, COMPARISON, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(11)
BINARY = {"or": EITHER, "and": BOTH, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}
NUMBERED = re.compile(r"§\d+")


def text(node: n.Expr, level: int = EXPR) -> str:
    """The expression where the grammar asks for `level`."""
    found, own = _written(node)
    return found if own >= level else f"({found})"


def _written(node: n.Expr) -> tuple[str, int]:
    match node:
        case n.Number():
            return node.value, UNARY if node.value.startswith("-") else POSTFIX
        case n.Text():
            return f'"{node.value}"', POSTFIX
        case n.Truth():
            return "yes" if node.value else "no", POSTFIX
        case n.Ref():
            return node.name, POSTFIX
        case n.Call():
            return f"{node.name.text}({arguments(node.args)})", POSTFIX
        case n.Dot():
            args = f"({arguments(node.args)})" if node.args else ""
            return f"{text(node.owner, POSTFIX)}.{node.name.text}{args}", POSTFIX
        case n.Index():
            return f"{text(node.table, POSTFIX)}[{text(node.key)}]", POSTFIX
        case n.ListOf():
            return f"[{arguments(node.items)}]", POSTFIX
        case n.Between():
            step = "" if node.step is None else f" by {text(node.step, SUM)}"
            return f"{text(node.low, SUM)}..{text(node.high, SUM)}{step}", RANGE
        case n.Negate():
            return f"-{text(node.value, UNARY)}", UNARY
        case n.Not():
            return _negated(node)
        case n.IfElse():
            then, test, other = text(node.then, EITHER), text(node.test, EITHER), text(node.other, CONDITIONAL)
            return f"{then} if {test} else {other}", CONDITIONAL
        case n.Is():
            return f"{text(node.value, RANGE)} is {thing(node.name, node.cells)}", COMPARISON
        case n.Prefix():
            return f"{node.word} of {text(node.value, UNARY)}", UNARY
        case n.Binary():
            return _binary(node)
        case n.Quantified():
            return _quantified(node), EXPR
        case n.The():
            return _the(node), EXPR
    assert_never(node)


def _binary(node: n.Binary) -> tuple[str, int]:
    if node.op in BINARY:
        level = BINARY[node.op]
        rounding = f" rounded {node.rounding}" if node.rounding else ""
        return f"{text(node.left, level)} {node.op} {text(node.right, level + 1)}{rounding}", level
    if node.op == "=" and isinstance(node.right, n.Number) and node.right.value.startswith("-"):
        return f"{text(node.left, RANGE)} is {node.right.value}", COMPARISON  # else it would be a number with a minus
    return f"{text(node.left, RANGE)} {node.op} {text(node.right, RANGE)}", COMPARISON


def _negated(node: n.Not) -> tuple[str, int]:
    inner = node.value
    if isinstance(inner, n.Is):
        return f"{text(inner.value, RANGE)} is not {thing(inner.name, inner.cells)}", COMPARISON
    if isinstance(inner, n.Binary) and inner.op == "in":
        return f"{text(inner.left, RANGE)} not in {text(inner.right, RANGE)}", COMPARISON
    return f"not {text(inner, NEGATION)}", NEGATION


def _quantified(node: n.Quantified) -> str:
    binders, such = listed_binders(node.binders), where(node.where, EITHER)
    other = or_else(node.default)
    if node.value is not None:
        return f"{node.word} of {text(node.value, SUM)} for {binders}{such}{other}"
    return f"{node.word}{' of' if node.word == 'count' else ''} {binders}{such}{other}"


def _the(node: n.The) -> str:
    policy = {"": "", "all": ", all tied", "first": ", ties to first"}[node.policy]
    return (
        f"the {binder(node.binder)}{where(node.where, EITHER)} with {criteria(node.criteria)}{policy}"
        f"{or_else(node.default)}"
    )


def criteria(found: tuple[n.Criterion, ...]) -> str:
    words = [f"{'most' if c.most else 'least'} {text(c.value, SUM)}" for c in found]
    return ", then ".join(words)


def or_else(default: n.Expr | None) -> str:
    return "" if default is None else f", or {text(default, SUM)} if none"


def where(test: n.Expr | None, level: int = EXPR) -> str:
    return "" if test is None else f" where {text(test, level)}"


def arguments(values: tuple[n.Expr, ...]) -> str:
    """A quantifier reaches to the end: alone it needs no brackets."""
    if len(values) == 1:
        return text(values[0])
    return ", ".join(text(value, CONDITIONAL) for value in values)


def listed_binders(binders: tuple[n.Binder, ...]) -> str:
    return ", ".join(binder(one) for one in binders)


def binder(one: n.Binder) -> str:
    return one.name.text if one.source is None else f"{one.name.text} in {text(one.source, RANGE)}"


def names(found: Iterable[n.Name]) -> str:
    return ", ".join(name.text for name in found)


def thing(card: n.Name, cells: Iterable[n.Cell | n.Expr]) -> str:
    return " ".join([card.text, *(cell(one) for one in cells)])


def cell(one: n.Cell | n.Expr) -> str:
    return "each" if isinstance(one, n.EachCell) else text(one)


# ---- notes


def note_texts(notes: n.Notes) -> list[str]:
    """What each stretch of notes says; citations that follow one another are one."""
    found: list[str] = []
    citing = False
    for note in notes:
        match note:
            case n.Cite():
                place = note.place if NUMBERED.fullmatch(note.place) else f'"{note.place}"'
                if citing:
                    found[-1] += f", {note.source}{place}"
                else:
                    found.append(f"cites {note.source}{place}")
            case n.Assumed():
                per = f' per "{note.per}"' if note.per else ""
                others = f" or {', '.join(note.others)}" if note.others else ""
                found.append(f'assumed because "{note.because}"{per}{others}')
            case n.Erratum():
                found.append(f'erratum "{note.wrong}" because "{note.because}"')
        citing = isinstance(note, n.Cite)
    return found
