"""Going through parts of a program without naming every class: what they are made of, which locals they look at.

In: an expression, an instruction, or tuples of them. Out: its parts. The fields of a class are looked up once, and by
what is written beside them in the class: no node stands in most of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from cambist.dsl import program as p

Read = Callable[[Any], tuple[Any, ...]]
WORD = re.compile(r"\w+")
PLAIN_WORDS = frozenset("int str bool None tuple At Meaning".split())  # of annotations: no node stands in such a field
_READ: dict[type, Read | None] = {tuple: None, p.At: None, p.Meaning: None}  # None: it is no node


def _reader(kind: type) -> Read | None:
    """What reads all fields of a class in which nodes may stand."""
    found: Read | None = None
    if hasattr(kind, "__attrs_attrs__"):
        fields = [a.name for a in kind.__attrs_attrs__ if not set(WORD.findall(str(a.type))) <= PLAIN_WORDS]
        found = attrgetter(*fields) if len(fields) > 1 else _one(fields[0]) if fields else _none
    _READ[kind] = found
    return found


def _one(field: str) -> Read:
    read = attrgetter(field)
    return lambda node: (read(node),)


def _none(node: Any) -> tuple[Any, ...]:
    return ()


def parts(node: Any) -> tuple[Any, ...]:
    """What a node is made of, or what is in a tuple; nothing of anything else."""
    kind = node.__class__
    if kind is tuple:
        return node  # type: ignore[no-any-return]
    read = _READ[kind] if kind in _READ else _reader(kind)
    return () if read is None else read(node)


def every_node(node: Any) -> Iterator[Any]:
    """All that a part of a program is made of, each before its parts."""
    todo = [node]
    while todo:
        top = todo.pop()
        kind = top.__class__
        if kind is tuple:
            todo += top[::-1]
            continue
        read = _READ[kind] if kind in _READ else _reader(kind)
        if read is not None:
            yield top
            todo += read(top)[::-1]


def used(node: Any) -> set[int]:
    """The locals an expression looks at."""
    return {part.slot for part in every_node(node) if part.__class__ is p.ELocal}


def leading(index: p.Expr) -> int | None:
    """The constant that a number of a cell begins with: the first of its family; None if there is none in front."""
    while isinstance(index, p.EOp) and index.op == "+":
        index = index.left
    return index.value if isinstance(index, p.EConst) else None


def unsifted(node: p.Expr) -> p.Expr:
    """What all things of a list with something in common are sifted out of; the node itself if nothing is sifted."""
    while isinstance(node, p.EFold) and node.op == "all" and node.value in (None, p.ELocal(node.loops[0].slot)):
        node = node.loops[0].items
    return node
