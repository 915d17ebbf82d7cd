"""Nothing hidden from a player decides what that player is offered or shown.

For each choice, the zones its offer looks into (through definitions too) are compared with who may see
them. How many components lie in a zone counts as seen, unless its count is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import children

Look = tuple[
    n.Zone | n.Deck | n.Account | n.Variable, str, Span
]  # what, the owner's name ("" if none is written), where


EVERYBODY = "(everybody)"


def check(ruleset: CheckedRuleset, report: Report) -> None:
    for node in ruleset.of(n.Choose):
        if isinstance(node.who, n.Ref):
            who = node.who.name
            for branch in node.branches:
                offered = [p.source for p in branch.picks]
                offered += [b for p in branch.picks for b in (p.least, p.most) if b is not None]
                offered += [t for t in (branch.where, branch.such_that) if t is not None]
                for expr in offered:
                    for what, owner, span in _looks(expr, ruleset.symbols, {}, 0):
                        if _hidden(what, owner, who) and (what.seen.by != "owner" or _owned(what)):
                            report.add(say.sees_hidden(span, what.name.text, who, what.seen.span))
    for show in ruleset.of(n.Show):
        _shown(show, ruleset, report)


def _shown(node: n.Show, ruleset: CheckedRuleset, report: Report) -> None:
    """What everybody is shown is made of what everybody may see; what one player is shown, of what that one may."""
    who = node.player.text if node.player is not None and node.seen.by == "owner" else EVERYBODY
    for expr in (node.rows, *node.columns):
        for what, owner, span in _looks(expr, ruleset.symbols, {}, 0):
            if _hidden(what, owner, who):
                report.add(say.shows_hidden(span, what.name.text, node.name.text, what.seen.span))


def _owned(what: n.Zone | n.Deck | n.Account | n.Variable) -> bool:
    """Of something without an owner it is told elsewhere that it cannot be seen by one."""
    return not isinstance(what, n.Deck) and bool(what.owners)


def _hidden(what: n.Zone | n.Deck | n.Account | n.Variable, owner: str, who: str) -> bool:
    if what.seen.until_revealed:
        return False
    return what.seen.by == "nobody" or (what.seen.by == "owner" and owner != who)


def _looks(node: Any, symbols: Symbols, names: dict[str, str], depth: int) -> Iterator[Look]:
    """What an expression looks into; `names` turns a definition's parameters into the caller's names."""
    match node:
        case n.Prefix(word="size") | n.Is(name=n.Name(text="empty")):
            inner = _thing(node.value, symbols, names)
            if inner is not None and not inner[0].seen.count_hidden and isinstance(inner[0], (n.Zone, n.Deck)):
                return
        case n.Call() | n.Ref() | n.Is() | n.Dot():
            found = _thing(node, symbols, names)
            if found is not None:
                yield found
            elif depth < 32:
                name = node.name if isinstance(node, n.Ref) else node.name.text
                decl = symbols.globals.get(name)
                if isinstance(decl, n.Define):
                    args = _arguments(node)
                    inside = {
                        param.text: names.get(arg.name, arg.name) if isinstance(arg, n.Ref) else "?"
                        for param, arg in zip(decl.params, args, strict=False)
                    }
                    for what, owner, _ in _looks(decl.value, symbols, inside, depth + 1):
                        yield what, owner, node.span
        case _:
            pass
    for child in children(node):
        if not isinstance(child, n.Name):
            yield from _looks(child, symbols, names, depth)


def _arguments(node: Any) -> tuple[Any, ...]:
    if isinstance(node, n.Is):
        return (node.value, *node.cells)
    return node.args if isinstance(node, n.Call) else ()


def _thing(node: Any, symbols: Symbols, names: dict[str, str]) -> Look | None:
    owner: n.Expr | None = None
    if isinstance(node, n.Dot):
        name, owner = node.name.text, node.owner
    elif isinstance(node, n.Call):
        name, owner = node.name.text, node.args[0] if node.args else None
    elif isinstance(node, n.Ref):
        name = node.name
    else:
        return None
    decl = symbols.globals.get(name)
    if not isinstance(decl, (n.Zone, n.Deck, n.Account, n.Variable)):
        return None
    written = names.get(owner.name, owner.name) if isinstance(owner, n.Ref) else ""
    return decl, written, node.span
