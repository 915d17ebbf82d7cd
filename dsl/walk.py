"""Going through trees of nodes without naming every class: children, rewriting of names, a shape without
places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.source import Span

T = TypeVar("T")
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


_FIELDS: dict[Any, tuple[str, ...]] = {}
_NODES: dict[Any, bool] = {}
_VALUES: dict[Any, Callable[[Any], tuple[Any, ...]]] = {}
PLAIN = frozenset((str, int, bool, type(None), type))  # what most fields hold, and no node


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


def _values(node: Any) -> tuple[Any, ...]:
    """What stands in the fields of a node."""
    kind = type(node)
    values = _VALUES.get(kind)
    if values is None:
        names = _fields(kind)
        values = _VALUES[kind] = attrgetter(*names, "__class__") if names else lambda node: ()
    found: tuple[Any, ...] = values(node)
    return found


def children(node: Any) -> Iterator[Any]:
    return iter(_below(node))


def _below(node: Any) -> list[Any]:
    found: list[Any] = []
    if isinstance(node, tuple):
        _gather(node, found)
    elif _is_node(type(node)):
        _gather(_values(node), found)
    return found


def _gather(values: tuple[Any, ...], found: list[Any]) -> None:
    for value in values:
        kind = type(value)
        if kind is tuple:
            if value:
                _gather(value, found)
        elif kind not in PLAIN and _is_node(kind):
            found.append(value)


def descend(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    stack = [node]
    while stack:
        top = stack.pop()
        if _is_node(type(top)):
            yield top
        below = _below(top)
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
        for name in _fields(type(node))
        if name not in skip and name != "notes"
    }
    return attrs.evolve(node, **changes)


def rewritten(
    node: Any, new_name: Callable[[str], str], new_answer: Callable[[str], str], modules: frozenset[str]
) -> Any:
    """The same tree with every name rewritten, made or used, and the answers of examples; not the words of modules."""

    def again(item: Any) -> Any:
        return rewritten(item, new_name, new_answer, modules)

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
    names = [name for name in _fields(type(node)) if name != "notes"]
    if isinstance(node, n.Dot) and isinstance(node.owner, n.Ref) and node.owner.name in modules:
        names = ["args"]
    return attrs.evolve(node, **{name: again(getattr(node, name)) for name in names})


def shape(node: Any) -> Any:
    """What a tree says, without places and notes: equal shapes behave equally."""
    if isinstance(node, tuple):
        return tuple(shape(item) for item in node)
    if _is_node(type(node)):
        return (
            type(node).__name__,
            *(shape(getattr(node, name)) for name in _fields(type(node)) if name != "notes"),
        )
    return node


def without_notes(node: Any) -> Any:
    """The same tree without citations and assumptions."""
    if isinstance(node, tuple):
        return tuple(without_notes(item) for item in node)
    if not _is_node(type(node)):
        return node
    return attrs.evolve(
        node, **{name: () if name == "notes" else without_notes(getattr(node, name)) for name in _fields(type(node))}
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
