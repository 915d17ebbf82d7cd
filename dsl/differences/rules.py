"""What differs within rules: expressions by their smallest part that does, statements line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.differences.changes import LONGEST, Told, code, value
from cambist.dsl.differences.lines import Line, aligned
from cambist.dsl.unparse_expressions import binder, criteria, text
from cambist.dsl.walk import shape

PLAIN = (n.Number, n.Truth, n.Ref, n.Text)
MOST_LEAVES = 3


@frozen
class Leaf:
    """Two parts that differ as wholes, and the nearest expressions around them."""

    a: Any
    b: Any
    around_a: Any
    around_b: Any


def leaves(a: Any, b: Any, around_a: Any = None, around_b: Any = None) -> list[Leaf]:
    """The smallest parts of two trees that differ."""
    if shape(a) == shape(b):
        return []
    here = [Leaf(a, b, around_a, around_b)]
    if type(a) is not type(b) or isinstance(a, PLAIN):
        return here
    if isinstance(a, n.Expr):
        around_a, around_b = a, b
    found: list[Leaf] = []
    for item in attrs.fields(type(a)):
        if item.name == "notes" or item.name.endswith("span"):
            continue
        x, y = getattr(a, item.name), getattr(b, item.name)
        if shape(x) == shape(y):
            continue
        if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y) and all(map(_is_node, (*x, *y))):
            for one, other in zip(x, y, strict=True):
                found += leaves(one, other, around_a, around_b)
        elif _is_node(x) and _is_node(y):
            found += leaves(x, y, around_a, around_b)
        else:
            return here
    return found


def _is_node(value: Any) -> bool:
    return attrs.has(type(value)) and not isinstance(value, n.Name)


def expressions(where: str, a: n.Expr, b: n.Expr, whole: str = "") -> Iterator[Told]:
    """`in WHERE, 150 instead of 100: …`; with `whole`, that begins the sentence if it is not about a small part."""
    found = leaves(a, b)
    if found and len(found) <= MOST_LEAVES and all(_is_small(leaf) for leaf in found) and found[0].around_b is not None:
        for leaf in _together(found):
            yield _small(where, leaf, text(leaf.b if leaf.around_b is None else leaf.around_b))
        return
    before, after = text(a), text(b)
    if len(found) == 1 and max(len(before), len(after)) > LONGEST:
        leaf = found[0]
        x, y = _text(leaf.a), _text(leaf.b)
        if x and y:
            yield Told("changed", f"in {where}, {code(y)} instead of {code(x)}", x, y, leaf.a, leaf.b)
            return
    begins = whole or f"{where} is"
    yield Told("changed", f"{begins} {value(after)} instead of {value(before)}", before, after, a, b)


def _together(found: list[Leaf]) -> list[Leaf]:
    """Several parts of one expression are told as that expression."""
    out: list[Leaf] = []
    for leaf in found:
        same = [other for other in found if other.around_b is leaf.around_b and leaf.around_b is not None]
        one = leaf if len(same) < 2 else Leaf(leaf.around_a, leaf.around_b, None, None)
        if not any(other.b is one.b for other in out):
            out.append(one)
    return out


def _is_small(leaf: Leaf) -> bool:
    return isinstance(leaf.a, PLAIN) and isinstance(leaf.b, PLAIN)


def _small(where: str, leaf: Leaf, context: str) -> Told:
    before, after = text(leaf.a), text(leaf.b)
    if leaf.around_b is None and after == context:
        return Told("changed", f"in {where}, {code(after)} instead of {code(before)}", before, after, leaf.a, leaf.b)
    new, old = (text if isinstance(x, n.Number) else f"`{text}`" for x, text in ((leaf.b, after), (leaf.a, before)))
    return Told("changed", f"in {where}, {new} instead of {old}: {code(context)}", before, after, leaf.a, leaf.b)


def _text(node: Any) -> str:
    if isinstance(node, n.Expr):
        return text(node)
    if isinstance(node, n.Binder):
        return binder(node)
    return criteria((node,)) if isinstance(node, n.Criterion) else ""


def blocks(where: str, a: Sequence[Line], b: Sequence[Line], head: str | None = None) -> Iterator[Told]:
    """The differences of two lists of lines, and of what stands below each pair. `head` is what goes before each line,
    None at the beginning of a part."""
    ours = [line for line in a if line.kind != "Nothing"]
    theirs = [line for line in b if line.kind != "Nothing"]
    pairs = aligned(ours, theirs)
    gone = [x for x, y in pairs if x is not None and y is None]
    new = [y for x, y in pairs if y is not None and x is None]
    moved = _moved(gone, new)
    for x, y in pairs:
        if x is not None and y is not None:
            yield from _pair(where, x, y, head)
        elif y is not None:
            if id(y) in moved:
                yield _move(where, moved[id(y)], y, ours, theirs, pairs)
            else:
                yield _added(where, y, theirs, head is None)
        elif x is not None and id(x) not in moved:
            yield _removed(where, x)


def _moved(gone: list[Line], new: list[Line]) -> dict[int, Line]:
    """Lines that stand elsewhere in the same list, by both."""
    found: dict[int, Line] = {}
    for x in gone:
        y = next((y for y in new if y.shape == x.shape and y.kind == x.kind and id(y) not in found), None)
        if y is not None:
            found[id(y)], found[id(x)] = x, y
    return found


def _move(
    where: str, x: Line, y: Line, ours: list[Line], theirs: list[Line], pairs: list[tuple[Line | None, Line | None]]
) -> Told:
    """By the nearest line on whose other side it stands now."""
    at, before = _index(theirs, y), _index(ours, x)
    best: tuple[int, str, str] | None = None
    for one, other in pairs:
        if one is not None and other is not None:
            first, now = _index(ours, one) > before, _index(theirs, other) > at
            near = (abs(_index(theirs, other) - at), "before" if now else "after", other.text)
            if first != now and (best is None or near < best):
                best = near
    sentence = f"in {where}, {code(y.text)} stands elsewhere"
    if best is not None:
        sentence = f"in {where}, {code(y.text)} comes {best[1]} {code(best[2])}"
    return Told("moved", sentence, x.whole, y.whole, x.node, y.node)


def _index(lines: list[Line], line: Line) -> int:
    return next(number for number, one in enumerate(lines) if one is line)


def _added(where: str, line: Line, among: list[Line], outermost: bool) -> Told:
    at = _index(among, line)
    if line.kind == "branch":
        sentence = f"in {where}, one may also choose {code(line.text)}"
    elif line.kind in ("arm", "else", "otherwise"):
        sentence = f"in {where}, there is a new {code(line.whole)}"
    elif at == 0 and outermost:
        sentence = f"{where} begins with {code(line.whole)}"
    elif at == 0:
        behind = f", before {code(among[1].text)}" if len(among) > 1 else ""
        sentence = f"in {where}, {code(line.whole)} is new{behind}"
    else:
        sentence = f"in {where}, {code(line.whole)} is new, after {code(among[at - 1].text)}"
    return Told("added", sentence, None, line.whole, None, line.node)


def _removed(where: str, line: Line) -> Told:
    if line.kind == "branch":
        sentence = f"in {where}, one can no longer choose {code(line.text)}"
    elif line.kind == "otherwise":
        sentence = f"in {where}, there is no {code(line.whole)} any more"
    else:
        sentence = f"in {where}, {code(line.whole)} is left out"
    return Told("removed", sentence, line.whole, None, line.node, None)


def _pair(where: str, x: Line, y: Line, head: str | None) -> Iterator[Told]:
    if x.shape == y.shape:
        return
    if shape(x.node) != shape(y.node):
        yield from _heads(where, x, y, head or "")
    inside = where
    if y.kind == "branch":
        inside = f"{where}, choice `{y.node.label.text}`"
    elif y.kind == "otherwise":
        inside = f"{where}, otherwise"
    alone = f"{y.text}: " if y.kind in ("Each", "If") and len(x.inner) == len(y.inner) == 1 else ""
    yield from blocks(inside, x.inner, y.inner, alone)


def _heads(where: str, x: Line, y: Line, head: str) -> Iterator[Told]:
    """The first lines of two statements, or two branches."""
    if y.kind == "branch" and shape(x.node.picks) == shape(y.node.picks) and x.node.label == y.node.label:
        for field, word in (("where", "where"), ("such_that", "such that")):
            yield from _condition(where, y.node.label.text, word, getattr(x.node, field), getattr(y.node, field), x, y)
        return
    if y.kind == "branch":
        sentence = f"in {where}, one may choose {code(y.text)} instead of {code(x.text)}"
        yield Told("changed", sentence, x.text, y.text, x.node, y.node)
        return
    found = leaves(x.node, y.node)
    if 0 < len(found) <= MOST_LEAVES and all(_is_small(leaf) for leaf in found):
        for leaf in _together(found):
            around = leaf.around_b
            whole = head + y.text if len(y.text) <= LONGEST or around is None else text(around)
            yield _small(where, leaf, whole)
        return
    if len(found) == 1 and max(len(x.text), len(y.text)) > LONGEST:
        leaf = found[0]
        before, after = _text(leaf.a), _text(leaf.b)
        if before and after:
            sentence = f"in {where}, {code(after)} instead of {code(before)}: {code(y.text)}"
            yield Told("changed", sentence, before, after, leaf.a, leaf.b)
            return
    yield Told("changed", f"in {where}, {code(y.text)} instead of {code(x.text)}", x.text, y.text, x.node, y.node)


def _condition(
    where: str, name: str, word: str, a: n.Expr | None, b: n.Expr | None, x: Line, y: Line
) -> Iterator[Told]:
    choice = f"in {where}, `{name}`"
    if a is not None and b is not None:
        if shape(a) != shape(b):
            before, after = text(a), text(b)
            found = leaves(a, b)
            if len(found) == 1 and max(len(before), len(after)) > LONGEST and _text(found[0].a) and _text(found[0].b):
                a, b = found[0].a, found[0].b
                before, after = _text(a), _text(b)
            sentence = f"{choice} may be chosen {word} {code(after)} instead of {word} {code(before)}"
            yield Told("changed", sentence, before, after, a, b)
    elif b is not None:
        after = text(b)
        yield Told("changed", f"{choice} may be chosen only {word} {code(after)}", x.text, y.text, x.node, b)
    elif a is not None:
        before = text(a)
        yield Told("changed", f"{choice} no longer needs {code(before)}", x.text, y.text, a, y.node)
