"""Small changes to rules, one at a time, to find out whether the tests of a ruleset notice them.

In: what was gathered of a ruleset, sheets and library modules included. Out: `Mutant`s, each a place and what stands
there instead, and the same with one of them made. Examples, laws, notes and what is merely shown are left alone: they
say what must hold, or change nothing. Whether a changed ruleset is sound, and who notices, is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.imports import Gathered
from cambist.dsl.register import rule_name
from cambist.dsl.sheets import SheetRow
from cambist.dsl.source import Span
from cambist.dsl.stretches import is_in_a_stretch
from cambist.dsl.walk import used_names

Step = str | int  # a field of a node, or a place in a tuple
Replacement = tuple[str, str, Any]  # kind, change, what stands there instead
LEFT_ALONE = (n.Game, n.Use, n.Example, n.Property, n.Unit, n.Show, n.Estimate)
SKIPPED = (Span, n.Cite, n.Assumed, n.Erratum, n.Name, n.Text)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
OTHER_OPERATORS = {"+": "-", "-": "+", "and": "or", "or": "and"}
OTHER_WORDS = {"most": "least", "least": "most", "some": "every", "every": "some", "first": "last", "last": "first"}
KEPT_STEPS = (n.Let, n.Draw, n.Return, n.Nothing, n.Require, n.Mark)
CONDITIONS = {"where": "where", "such_that": "such that"}


@frozen
class Mutant:
    kind: str  # constant, comparison, order, tie, dropped, visibility, logic
    rule: str  # the declaration it stands in: `phase trade`
    span: Span
    change: str  # `3 -> 4`
    path: tuple[Step, ...]  # from what was gathered down to what is changed
    new: Any

    @property
    def line(self) -> str:
        """The text of the line, without its notes."""
        return _bare(self.span.file.line_text(self.span.line))

    @property
    def in_sheet(self) -> bool:
        return self.path[0] == "sheets"

    @property
    def name(self) -> str:
        return f"{self.span.file.name}:{self.span.line}:{self.span.column} {self.change}"


def mutants(gathered: Gathered) -> list[Mutant]:
    """All changes that can be made, in the order of their places."""
    found: list[Mutant] = []
    idle = _never_used(gathered.decls)
    for number, decl in enumerate(gathered.decls):
        if not isinstance(decl, LEFT_ALONE) and id(decl) not in idle:
            found += _below(decl, ("decls", number), decl.span, rule_name(decl))
    for deck, rows in gathered.sheets.items():
        for number, row in enumerate(rows):
            found += _in_row(row, ("sheets", deck, number))
    return sorted(found, key=lambda m: (m.span.file.name, m.span.start, m.change))


def _never_used(decls: tuple[n.Decl, ...]) -> set[int]:
    """What a module offers and the game does not take: definitions and procedures that nothing leads to."""
    named = {d.name.text: d for d in decls if isinstance(d, (n.Define, n.Procedure))}
    waiting: list[n.Decl] = [d for d in decls if not isinstance(d, (n.Define, n.Procedure))]
    waiting += [named[name] for name in ("setup", "play") if name in named]
    reached: set[str] = {"setup", "play"}
    while waiting:
        for name in used_names(waiting.pop()) & set(named) - reached:
            reached.add(name)
            waiting.append(named[name])
    return {id(d) for name, d in named.items() if name not in reached}


def numbers_on(gathered: Gathered, span: Span) -> list[tuple[tuple[Step, ...], n.Number]]:
    """The numbers of the rules that stand on the line of a place, with the ways to them."""
    return [
        (path, node)
        for path, node in _nodes(gathered.decls, ("decls",))
        if isinstance(node, n.Number) and node.span.file.name == span.file.name and node.span.line == span.line
    ]


def _nodes(node: Any, path: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], Any]]:
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from _nodes(item, (*path, index))
    elif attrs.has(type(node)) and not isinstance(node, SKIPPED):
        yield path, node
        for item in attrs.fields(type(node)):
            if item.name != "notes":
                yield from _nodes(getattr(node, item.name), (*path, item.name))


def applied(gathered: Gathered, mutant: Mutant) -> Gathered:
    return with_change(gathered, mutant.path, mutant.new)


def with_change(gathered: Gathered, path: tuple[Step, ...], new: Any) -> Gathered:
    """The same, with something else at the end of a path; nothing of the old is touched."""
    if path[0] == "decls":
        return attrs.evolve(gathered, decls=_with(gathered.decls, path[1:], new))
    _, deck, number = path
    assert isinstance(deck, str) and isinstance(number, int)
    rows = list(gathered.sheets[deck])
    rows[number] = new
    return attrs.evolve(gathered, sheets={**gathered.sheets, deck: rows})


def _with(node: Any, path: tuple[Step, ...], new: Any) -> Any:
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*node[:step], _with(node[step], rest, new), *node[step + 1 :])
    return attrs.evolve(node, **{step: _with(getattr(node, step), rest, new)})


def _below(node: Any, path: tuple[Step, ...], around: Span, rule: str) -> Iterator[Mutant]:
    """The changes at a node and all below it; `around` is the nearest place known."""
    if isinstance(node, tuple):
        yield from _in_block(node, path, around, rule)
        for index, item in enumerate(node):
            yield from _below(item, (*path, index), around, rule)
        return
    if not attrs.has(type(node)) or isinstance(node, SKIPPED):
        return
    place = getattr(node, "span", around)
    place = place if place.file.text else around
    for kind, change, new in _at(node):
        yield Mutant(kind, rule, place, change, path, new)
    for item in attrs.fields(type(node)):
        if item.name != "notes" and not item.name.endswith("span") and not _is_about_settings(node, item.name):
            yield from _below(getattr(node, item.name), (*path, item.name), place, rule)


def _is_about_settings(node: Any, name: str) -> bool:
    """Which settings are allowed, not what they do: no game notices that."""
    return isinstance(node, n.Option) and name in ("low", "high", "conditions")


def _in_row(row: SheetRow, path: tuple[Step, ...]) -> Iterator[Mutant]:
    """A row of a sheet: how many there are, and the numbers on them."""
    rule = f"sheet {row.span.file.name.rpartition('/')[2]}"
    more, span = row.count + 1, row.spans.get("count", row.span)
    yield Mutant("constant", rule, span, f"count {row.count} -> {more}", path, attrs.evolve(row, count=more))
    for name, value in row.values.items():
        if type(value) is int:
            changed = attrs.evolve(row, values={**row.values, name: value + 1})
            yield Mutant("constant", rule, row.spans[name], f"{name} {value} -> {value + 1}", path, changed)


def _at(node: Any) -> Iterator[Replacement]:
    """What may stand instead of one node."""
    match node:
        case n.Number() if not is_in_a_stretch(node):
            for value in (_more(node.value), _less(node.value)):
                if not value.startswith("-") or node.value.startswith("-"):
                    yield "constant", f"{node.value} -> {value}", attrs.evolve(node, value=value)
        case n.Row():
            for count in (node.count + 1, node.count - 1):
                if count:
                    yield "constant", f"{node.count} -> {count}", attrs.evolve(node, count=count)
        case n.Truth():
            old, new = ("yes", "no") if node.value else ("no", "yes")
            yield "constant", f"{old} -> {new}", attrs.evolve(node, value=not node.value)
        case n.Binary():
            yield from _operators(node)
        case n.Not():
            yield "logic", "not -> (taken out)", node.value
        case n.Quantified() | n.Prefix() if node.word in OTHER_WORDS:
            kind = "order" if isinstance(node, n.Prefix) else "logic"
            yield kind, f"{node.word} -> {OTHER_WORDS[node.word]}", _evolved(node, word=OTHER_WORDS[node.word])
        case n.Criterion():
            yield "tie", "most -> least" if node.most else "least -> most", attrs.evolve(node, most=not node.most)
        case n.Seen():
            for by in ("all", "owner", "nobody"):
                if by != node.by:
                    yield "visibility", f"seen by {node.by} -> {by}", attrs.evolve(node, by=by)
        case n.IfElse():
            yield "logic", "if, else -> swapped", attrs.evolve(node, then=node.other, other=node.then)
        case n.Move() if node.end:
            other = "end" if node.end == "start" else "start"
            yield "order", f"{node.end} of -> {other} of", _evolved(node, end=other)
        case n.Call() if node.name.text == "around":
            yield "order", "around -> players", n.Ref("players", node.span)
        case n.Zone() if node.order.text in ("pile", "queue"):
            other = "queue" if node.order.text == "pile" else "pile"
            yield "order", f"{node.order.text} -> {other}", attrs.evolve(node, order=n.Name(other, node.order.span))
        case n.Account() if node.negative:
            yield "constant", "may be negative -> (taken out)", attrs.evolve(node, negative=False)
        case n.Pick() if node.possibly_none:
            yield "constant", "possibly none -> (taken out)", attrs.evolve(node, possibly_none=False)
    yield from _left_out(node)


def _left_out(node: Any) -> Iterator[Replacement]:
    """Conditions that hold no longer, and the last of several criteria."""
    for field, word in CONDITIONS.items():
        if getattr(node, field, None) is not None:
            yield "logic", f"{word} -> (taken out)", _evolved(node, **{field: None})
    if isinstance(node, (n.The, n.Winner)) and len(node.criteria) > 1:
        yield "tie", "last criterion -> (taken out)", _evolved(node, criteria=node.criteria[:-1])


def _evolved(node: Any, **changes: Any) -> Any:
    """Words of a node are literals to mypy, and these come out of tables."""
    return attrs.evolve(node, **changes)


def _more(value: str) -> str:
    return _moved(value, 1)


def _less(value: str) -> str:
    return _moved(value, -1)


def _moved(value: str, by: int) -> str:
    """One more or less, as it would be written; `1.5` becomes `2.5`."""
    whole, point, rest = value.partition(".")
    return f"{int(whole) + by}{point}{rest}"


def _operators(node: n.Binary) -> Iterator[Replacement]:
    if node.op in COMPARISONS:
        other = COMPARISONS[node.op]
        yield "comparison", f"{node.op} -> {other}", attrs.evolve(node, op=other)
    elif node.op in OTHER_OPERATORS:
        other = OTHER_OPERATORS[node.op]
        kind = "logic" if node.op in ("and", "or") else "constant"
        yield kind, f"{node.op} -> {other}", attrs.evolve(node, op=other)
    if node.rounding:
        other = "up" if node.rounding == "down" else "down"
        yield "constant", f"rounded {node.rounding} -> {other}", _evolved(node, rounding=other)


def _in_block(block: tuple[Any, ...], path: tuple[Step, ...], around: Span, rule: str) -> Iterator[Mutant]:
    """Steps dropped or swapped, branches and arms turned, in one list of statements or branches."""
    for index, item in enumerate(block):
        here = (*path, index)
        if isinstance(item, (n.Simple, n.Each, n.If, n.Repeat)) and not isinstance(item, KEPT_STEPS):
            yield Mutant("dropped", rule, item.span, f"{_head(item)} -> nothing", here, n.Nothing((), item.span))
            behind = block[index + 1] if index + 1 < len(block) else None
            if isinstance(behind, n.Simple) and not isinstance(behind, (*KEPT_STEPS, n.Leave, n.EndGame)):
                swapped = (*block[:index], behind, item, *block[index + 2 :])
                yield Mutant("order", rule, item.span, f"{_head(item)} -> after the next", path, swapped)
        if isinstance(item, n.Branch) and len(block) > 1:
            fewer = (*block[:index], *block[index + 1 :])
            yield Mutant("dropped", rule, item.span, f"branch {item.label.text} -> (taken out)", path, fewer)
        if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], tuple) and _is_statement(item[1]):
            test, body = item  # an arm of an `if`
            turned = (n.Not(test, test.span), body)
            yield Mutant("logic", rule, test.span if test.span.file.text else around, "if -> if not", here, turned)


def _is_statement(body: tuple[Any, ...]) -> bool:
    return bool(body) and isinstance(body[0], n.Stmt)


def _head(item: Any) -> str:
    """The statement as it is written; of one that goes over several lines, the first."""
    text = _bare(str(item.span.text.split("\n")[0]))
    if " " not in text and text in ("if", "each", "repeat", "while"):  # the place is only its first word
        text = _bare(item.span.file.line_text(item.span.line)[item.span.column - 1 :])
    return text or type(item).__name__.lower()


def _bare(text: str) -> str:
    for word in ("  cites ", "  assumed ", "  erratum ", "  #"):
        text = text.split(word)[0]
    return text.strip()
