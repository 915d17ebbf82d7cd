"""Going through trees of nodes without naming every class: children, rewriting of names, a shape without
places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
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
_VALUES: dict[Any, Read] = {}
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
    return attrgetter(*names, "__class__") if names else lambda node: ()


def _values(kind: Any) -> Read:
    """What reads all fields of a class in which nodes may stand."""
    found = _VALUES[kind] = _reading(open_fields(kind)) if _is_node(kind) else lambda node: ()
    return found


def children(node: Any) -> Iterator[Any]:
    return iter(_below(node))


def _below(node: Any) -> list[Any]:
    found: list[Any] = []
    kind = type(node)
    _gather(node if kind is tuple else (_VALUES.get(kind) or _values(kind))(node), found)
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
    stack = _below(node) if isinstance(node, tuple) else [node] if _is_node(type(node)) else []
    stack.reverse()
    while stack:
        top = stack.pop()
        yield top
        kind = type(top)
        below: list[Any] = []
        _gather((_VALUES.get(kind) or _values(kind))(top), below)
        if below:
            below.reverse()
            stack += below


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
        return tuple(again(item) for item in node)
    if isinstance(node, n.Name):
        return attrs.evolve(node, text=new_name(node.text))
    if isinstance(node, n.Ref):
        return attrs.evolve(node, name=new_name(node.name))
    if isinstance(node, n.Use):
        return attrs.evolve(node, bindings=tuple((need, again(given)) for need, given in node.bindings))
    if isinstance(node, n.Act):
        return attrs.evolve(node, player=again(node.player), answer=new_answer(node.answer))
    if not _is_node(type(node)) or isinstance(node, (Span, n.Cite, n.Assumed, n.Erratum)):
        return node
    names = [name for name in open_fields(type(node)) if name != "notes"]
    if isinstance(node, n.Dot) and isinstance(node.owner, n.Ref) and node.owner.name in modules:
        names = ["args"]
    return attrs.evolve(node, **{name: again(getattr(node, name)) for name in names})


def shape(node: Any) -> Any:
    """What a tree says, without places and notes: equal shapes behave equally."""
    kind = type(node)
    if kind in PLAIN:
        return node
    if isinstance(node, tuple):
        return tuple([shape(item) for item in node])
    if not _is_node(kind):
        return node
    read = _SHAPES.get(kind)
    if read is None:
        read = _SHAPES[kind] = _reading(tuple(name for name in _fields(kind) if name != "notes"))
    return (kind.__name__, *[value if type(value) in PLAIN else shape(value) for value in read(node)[:-1]])


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
