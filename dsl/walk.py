"""Going through trees of nodes without naming every class: children, rewriting of names, a shape without
places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, is_
from typing import Any, TypeVar

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.source import Span

T = TypeVar("T")
WORD = re.compile(r"\w+")
BINDING = {
    n.Let: {"names"},
    n.Draw: {"name"},
    n.Binder: {"name"},
    n.Pick: {"name"},
    n.Branch: {"label"},
    n.Define: {"params"},
    n.Procedure: {"params"},
    n.Mark: {"name"},
    n.Whenever: {"component", "owners"},
    n.Property: {"params"},
    n.Score: {"player"},
    n.Estimate: {"player"},
    n.Show: {"name", "player"},
    n.Field: {"name"},
    n.Band: {"name"},
    n.Shown: {"name"},
    n.Named: {"names"},
}
"""Fields that make a name rather than use one."""


Read = Callable[[Any], tuple[Any, ...]]
PLAIN = frozenset((str, int, bool, type(None), type))  # what most fields hold, and no node
PLAIN_WORDS = frozenset("str int bool None Span tuple".split())  # of annotations: no node stands in such a field
_FIELDS: dict[Any, tuple[str, ...]] = {}
_NODES: dict[Any, bool] = dict.fromkeys(PLAIN, False)
_OPEN: dict[Any, tuple[str, ...]] = {}
_SHAPES: dict[Any, Read] = {}


def _fields(kind: Any) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in attrs.fields(kind) if not f.name.endswith("span"))
    return found


def _is_node(kind: Any) -> bool:
    """Whether it is a class of nodes: asked of every part of every tree, and attrs itself takes long to say so."""
    found = _NODES.get(kind)
    if found is None:
        found = _NODES[kind] = attrs.has(kind) and kind is not Span
    return found


def open_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a class in which nodes may stand, by what is written beside them."""
    found = _OPEN.get(kind)
    if found is None:
        plain = {f.name for f in attrs.fields(kind) if set(WORD.findall(str(f.type))) <= PLAIN_WORDS}
        found = _OPEN[kind] = tuple(name for name in _fields(kind) if name not in plain)
    return found


def _reading(names: tuple[str, ...]) -> Read:
    if len(names) == 1:
        read = attrgetter(names[0])
        return lambda node: (read(node),)
    return attrgetter(*names) if names else _nothing


def _nothing(node: Any) -> tuple[Any, ...]:
    return ()


class _Readers(dict[Any, Read | None]):
    """What reads all fields of a class in which nodes may stand, in the order of `open_fields`; None if it is no class
    of nodes."""

    def __missing__(self, kind: Any) -> Read | None:
        found = self[kind] = _reading(open_fields(kind)) if _is_node(kind) else None
        return found


READERS = _Readers(dict.fromkeys(PLAIN))


def children(node: Any) -> Iterator[Any]:
    return iter(_below(node))


def _below(node: Any) -> list[Any]:
    found: list[Any] = []
    kind = node.__class__
    if kind is tuple:
        _gather(node, found)
    else:
        read = READERS[kind]
        if read is not None:
            _gather(read(node), found)
    return found


def _gather(values: tuple[Any, ...], found: list[Any]) -> None:
    for value in values:
        kind = type(value)
        if kind is tuple:
            if value:
                _gather(value, found)
        else:
            is_node = _NODES.get(kind)
            if is_node or (is_node is None and _is_node(kind)):
                found.append(value)


def descend(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    stack = [node]
    values = READERS
    while stack:
        top = stack.pop()
        kind = top.__class__
        if kind is tuple:
            stack += top[::-1]
            continue
        read = values[kind]
        if read is not None:
            yield top
            stack += read(top)[::-1]


def renamed(node: T, new_name: Callable[[str], str]) -> T:
    """The same tree with every *used* name rewritten; names that are made stay."""
    return _renamed(node, new_name)  # type: ignore[no-any-return]


def _renamed(node: Any, new_name: Callable[[str], str]) -> Any:
    if isinstance(node, tuple):
        return tuple(_renamed(item, new_name) for item in node)
    if isinstance(node, n.Name):
        return attrs.evolve(node, text=new_name(node.text))
    if isinstance(node, n.Ref):
        return attrs.evolve(node, name=new_name(node.name))
    if not _is_node(type(node)) or isinstance(node, (Span, n.Cite, n.Assumed, n.Erratum)):
        return node
    skip = BINDING.get(type(node), set())
    changes = {
        name: _renamed(getattr(node, name), new_name)
        for name in open_fields(type(node))
        if name not in skip and name != "notes"
    }
    return attrs.evolve(node, **changes)


def rewritten(
    node: Any, new_name: Callable[[str], str], new_answer: Callable[[str], str], modules: frozenset[str]
) -> Any:
    """The same tree with every name rewritten, made or used, and the answers of examples; not the words of modules."""

    def again(item: Any) -> Any:
        return rewritten(item, new_name, new_answer, modules)

    if type(node) in PLAIN:
        return node
    if isinstance(node, tuple):
        items = tuple([again(item) for item in node])
        return node if all(map(is_, node, items)) else items
    if isinstance(node, n.Name):
        text = new_name(node.text)
        return node if text == node.text else n.Name(text, node.span)
    if isinstance(node, n.Ref):
        text = new_name(node.name)
        return node if text == node.name else n.Ref(text, node.span)
    if isinstance(node, n.Use):
        return attrs.evolve(node, bindings=tuple((need, again(given)) for need, given in node.bindings))
    if isinstance(node, n.Act):
        return attrs.evolve(node, player=again(node.player), answer=new_answer(node.answer))
    if not _is_node(type(node)) or isinstance(node, (Span, n.Cite, n.Assumed, n.Erratum)):
        return node
    names: Iterable[str] = open_fields(type(node))
    if isinstance(node, n.Dot) and isinstance(node.owner, n.Ref) and node.owner.name in modules:
        names = ("args",)
    changes = {}
    for name in names:
        value = getattr(node, name)
        if name != "notes" and value.__class__ not in PLAIN:
            new = again(value)
            if new is not value:
                changes[name] = new
    return attrs.evolve(node, **changes) if changes else node


def shape(node: Any) -> Any:
    """What a tree says, without places and notes: equal shapes behave equally."""
    kind = node.__class__
    if kind is tuple:
        return tuple([item if item.__class__ in PLAIN else shape(item) for item in node])
    read = _SHAPES.get(kind)
    if read is None:
        if not _is_node(kind):
            return node
        read = _SHAPES[kind] = _reading(tuple(name for name in _fields(kind) if name != "notes"))
    return (kind.__name__, *[value if value.__class__ in PLAIN else shape(value) for value in read(node)])


def without_notes(node: Any) -> Any:
    """The same tree without citations and assumptions."""
    if isinstance(node, tuple):
        return tuple(without_notes(item) for item in node)
    if not _is_node(type(node)):
        return node
    return attrs.evolve(
        node,
        **{name: () if name == "notes" else without_notes(getattr(node, name)) for name in open_fields(type(node))},
    )


def used_names(node: Any) -> set[str]:
    """Every name that stands anywhere below."""
    found = set()
    for item in descend(node):
        if isinstance(item, n.Name):
            found.add(item.text)
        elif isinstance(item, n.Ref):
            found.add(item.name)
    return found
