"""Lines inside a rule that a variant changes: `insert after bidding in rounds`, `replace keep in exchange`.

In: a rule of the base and one change. Out: the rule with the lines put in, taken out or exchanged, or why that cannot
be. A line is named by what is stable and can be read in the base: what it calls (`bidding`, `sealed.bids`), what it
makes (`let quiet = …`, `p chooses c in …`), its `mark` or `limit`; a branch of a choice by its label. Lines that
variants have put in (`aside`: their files) are meant only where the base has none of that name.
"""

from __future__ import annotations

from typing import Any

import attrs

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Diagnostic
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.source import Span
from cambist.dsl.walk import descend

Line = n.Stmt | n.Branch


def with_lines(rule: n.Procedure, change: n.Lines, aside: frozenset[str]) -> n.Procedure | Diagnostic:
    body = tuple(_noted(stmt, change.notes) for stmt in change.body)
    if change.anchor is None:
        if change.branches:
            return say.wrong_lines(change.span, "a branch stands in a choice, not at the start or end of a rule")
        return attrs.evolve(rule, body=(*body, *rule.body) if change.how == "start" else (*rule.body, *body))
    selected = _selected(rule, change, change.anchor, aside)
    if isinstance(selected, Diagnostic):
        return selected
    branches = tuple(_noted(branch, change.notes) for branch in change.branches)
    made = _Editor(change.how, selected, branches or body).edited(rule.body)
    if any(isinstance(stmt, n.Choose) and not stmt.branches for stmt in descend(made)):
        return say.wrong_lines(change.span, f"`{change.anchor.text}` is the only branch of its choice")
    return attrs.evolve(rule, body=made)


def _selected(rule: n.Procedure, change: n.Lines, anchor: n.Name, aside: frozenset[str]) -> list[Line] | Diagnostic:
    named = [(line, names) for line in descend(rule.body) if (names := names_of(line))]
    every = [line for line, names in named if anchor.text in names]
    found = [line for line in every if line.span.file.name not in aside] or every
    if not found:
        known = [name for _, names in named for name in names]
        what = f"{rule.word} {rule.name.text}" if rule.word not in ("setup", "play") else rule.word
        return say.no_such_line(anchor.span, anchor.text, what, rule.span, did_you_mean(anchor.text, known), known)
    if not change.which and len(found) > 1:
        return say.which_line(anchor.span, anchor.text, [line.span for line in found])
    found = {"": found, "each": found, "first": found[:1], "last": found[-1:]}[change.which]
    if change.how != "remove" and any(isinstance(line, n.Branch) != bool(change.branches) for line in found):
        wanted = "a branch of a choice" if isinstance(found[0], n.Branch) else "a statement"
        return say.wrong_lines(change.span, f"`{anchor.text}` is {wanted}, and what stands below is not", found[0].span)
    return found


def names_of(line: Any) -> tuple[str, ...]:
    """By which names a variant can speak of a statement or branch."""
    match line:
        case n.Run():
            return (_called(line.target),)
        case n.Let():
            return tuple(name.text for name in line.names)
        case n.Draw() | n.Mark():
            return (line.name.text,)
        case n.Branch():
            return (line.label.text,) if line.label.text else ()
        case n.Choose() if not line.named:
            return tuple(pick.name.text for pick in line.branches[0].picks)
        case _:
            return ()


def _called(target: n.Expr) -> str:
    match target:
        case n.Ref():
            return target.name
        case n.Call():
            return target.name.text
        case n.Dot(owner=n.Ref(name=module)):
            return f"{module}.{target.name.text}"
        case _:
            return ""


def _noted(line: Any, notes: n.Notes) -> Any:
    """What is put in holds for the reason that the change gives, unless it has its own."""
    return line if line.notes or not notes else attrs.evolve(line, notes=notes)


@attrs.frozen
class _Editor:
    how: str
    selected: list[Line]
    lines: tuple[Any, ...]

    def edited(self, node: Any) -> Any:
        """The same tree, and the very same where nothing in it changes."""
        if isinstance(node, tuple):
            return self._items(node)
        if not attrs.has(type(node)) or isinstance(node, Span):
            return node
        if isinstance(node, n.Secretly):  # its choice is the first line of its block
            first, *rest = self._items((node.choose, *node.body))
            return attrs.evolve(node, choose=first, body=tuple(rest))
        values = {f.name: getattr(node, f.name) for f in attrs.fields(type(node)) if f.name not in ("span", "notes")}
        changes = {name: new for name, old in values.items() if (new := self.edited(old)) is not old}
        return attrs.evolve(node, **changes) if changes else node

    def _items(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        out: list[Any] = []
        for item in items:
            new = self.edited(item)
            out += self._in_its_place(new) if any(item is line for line in self.selected) else [new]
        if not out and items and not isinstance(items[0], n.Branch):
            out = [n.Nothing((), items[0].span)]
        return items if len(out) == len(items) and all(a is b for a, b in zip(out, items, strict=True)) else tuple(out)

    def _in_its_place(self, line: Any) -> list[Any]:
        match self.how:
            case "before":
                return [*self.lines, line]
            case "after":
                return [line, *self.lines]
            case _:
                return [*self.lines]  # `replace`, or nothing for `remove`
