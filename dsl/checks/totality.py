"""Every expression has a value: no `most`, `least`, `the`, `first of` or `last of` of what may be empty."""

from __future__ import annotations

from fractions import Fraction

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.checks.guards import Known, all_rules
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import shape


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for node, known in all_rules(ruleset):
        found: tuple[str, n.Expr | None] | None = None
        match node:
            case n.Quantified(word=("most" | "least") as word, default=None):
                if node.where is not None or any(_may_be_empty(b.source, known, ruleset.symbols) for b in node.binders):
                    found = f"{word} of", node.binders[0].source if node.where is None else None
            case n.The(default=None) if node.policy != "all":
                if node.where is not None or _may_be_empty(node.binder.source, known, ruleset.symbols):
                    found = "the", node.binder.source if node.where is None else None
            case n.Prefix(word=("first" | "last") as word):
                if _may_be_empty(node.value, known, ruleset.symbols):
                    found = f"{word} of", node.value
            case _:
                pass
        if found is not None:
            in_a_value = _in_a_value(node.span, ruleset)
            report.add(say.may_be_empty(node.span, found[0], _text(found[1]), in_a_value))


def _in_a_value(span: Span, ruleset: CheckedRuleset) -> bool:
    """Whether it stands where no statement can, as in a definition: what is asked first is asked in the value then."""
    above = [d for d in ruleset.decls if d.span.file is span.file and d.span.start <= span.start]
    return not isinstance(max(above, key=lambda d: d.span.start, default=None), (n.Procedure, n.Whenever))


def _text(source: n.Expr | None) -> str:
    """As it would stand before `is not empty`; nothing if to ask that would not do, as it says nothing of a `where`."""
    text = " ".join(source.span.text.split()) if source is not None else ""
    return f"({text})" if isinstance(source, (n.Quantified, n.The)) else text


def _may_be_empty(source: n.Expr | None, known: Known, symbols: Symbols) -> bool:
    """False only when it is certain that there is something."""
    if source is None or shape(source) in known:
        return False
    match source:
        case n.Ref(name="players"):
            return False
        case n.Ref():
            return not isinstance(symbols.globals.get(source.name), n.Enum)
        case n.ListOf():
            return not source.items
        case n.Between(low=n.Number(value=low), high=n.Number(value=high)):
            return Fraction(low) > Fraction(high)
        case n.Between(low=n.Number(value="0")):
            return not _never_negative(source.high, symbols)
        case n.Call(name=n.Name(text="around")):
            return False
        case n.The(policy="all"):
            return source.where is not None or _may_be_empty(source.binder.source, known, symbols)
        case _:
            return True


def _never_negative(value: n.Expr, symbols: Symbols) -> bool:
    """Whether it is certainly 0 or more: what is counted, what an account holds, and what is made of these."""

    def all_so(*values: n.Expr) -> bool:
        return all(_never_negative(one, symbols) for one in values)

    match value:
        case n.Number():
            return not value.value.startswith("-")
        case n.Prefix(word="size") | n.Quantified(word="count"):
            return True
        case n.Quantified(word="sum") if value.value is not None:
            return all_so(value.value)
        case n.Binary(op="+" | "*" | "/"):
            return all_so(value.left, value.right)
        case n.IfElse():
            return all_so(value.then, value.other)
        case n.Call(name=n.Name(text="min")):
            return all_so(*value.args)
        case n.Call(name=n.Name(text="max")):
            return any(all_so(one) for one in value.args)
        case n.Call() | n.Dot() if value.name.text not in symbols.fields:  # a card's own field goes before
            return _holds_none_below(symbols.globals.get(value.name.text), symbols)
        case n.Ref():
            return _holds_none_below(symbols.globals.get(value.name), symbols)
        case _:
            return False


def _holds_none_below(decl: n.Decl | None, symbols: Symbols) -> bool:
    match decl:
        case n.Account():
            return not decl.negative and not decl.unlimited
        case n.Track():
            return all(not space.value.startswith("-") for space in decl.values)
        case n.Define():
            return _never_negative(decl.value, symbols)  # no rule asks itself, so this ends
        case _:
            return False


may_be_empty = _may_be_empty
