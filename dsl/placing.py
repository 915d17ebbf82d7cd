"""Where trees begin and end in the text, found while they are made.

Lark's own way keeps lines, columns and more for every rule that a text goes through, most of which only hand their one
child on; that took a seventh of the time to load rules. Here a tree gets `start_pos` and `end_pos`, and a rule that
hands its child on costs nothing. Brackets count as a part of what they enclose for the tree around it, as in Lark.
Which children a tree has is settled as Lark settles it, in one function instead of three.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Lark, Tree
from lark.parse_tree_builder import ChildFilterLALR_NoPlaceholders, ExpandSingleChild, PropagatePositions

Children = list[Any]
Make = Callable[[Children], Any]


class PlacedTree(Tree[Any]):
    """A tree that knows itself where it stands, and where it stands with the brackets around it; nowhere if `empty`."""

    empty = True
    start_pos = end_pos = outer_start = outer_end = 0

    def __init__(self, data: str, children: Children) -> None:
        self.data, self.children = data, children

    @property
    def meta(self) -> Any:
        return self


def placed(parser: Lark) -> Lark:
    """The same parser with our way of finding places."""
    inner: Any = parser.parser
    rules: dict[Any, Any] = inner.parser.parser.callbacks
    for rule, make in rules.items():
        if isinstance(make, PropagatePositions):
            alone = len(rule.expansion) == 1 and isinstance(make.node_builder, ExpandSingleChild)
            rules[rule] = handed_on if alone else _placing(make.node_builder)
    return parser


def handed_on(children: Children) -> Any:
    """A rule that consists of one other and is that other."""
    return children[0]


def _placing(make: Any) -> Make:
    """What makes the tree of a rule: of which children, and whether one alone is handed on."""
    included: list[tuple[int, bool]] | None = None
    if isinstance(make, ChildFilterLALR_NoPlaceholders):
        included, make = make.to_include, make.node_builder
    single = isinstance(make, ExpandSingleChild)
    if single:
        make = make.node_builder
    assert isinstance(make, partial) and make.func is Tree, make
    (data,) = make.args

    def placing(children: Children) -> Any:
        inside = children
        if included is not None:
            inside = []
            for number, opened in included:
                if not opened:
                    inside.append(children[number])
                elif inside:
                    inside += children[number].children
                else:  # nobody else has it, and lists that grow on their left would be copied again and again
                    inside = children[number].children
        if single and len(inside) == 1:
            return _bracketed(inside[0], children)
        made = PlacedTree(data, inside)
        found = _stretch(children)
        if found is not None:
            made.start_pos, made.end_pos = made.outer_start, made.outer_end = found
            made.empty = False
        return made

    return placing


def _stretch(children: Children) -> tuple[int, int] | None:
    """From the first child that stands somewhere to the last: tokens do, and trees that have any."""
    if not children:
        return None
    first, last = children[0], children[-1]
    begins, ends = first.__class__ is PlacedTree, last.__class__ is PlacedTree
    if (begins and first.empty) or (ends and last.empty):
        return _stretch([child for child in children if child.__class__ is not PlacedTree or not child.empty])
    return first.outer_start if begins else first.start_pos, last.outer_end if ends else last.end_pos


def _bracketed(made: Any, children: Children) -> Any:
    """A child that is handed on from between others: they count as a part of it for the tree around it."""
    if made.__class__ is not PlacedTree or (len(children) == 1 and made is children[0]):
        return made
    whole = _stretch(children)
    if whole is not None:
        made.outer_start, made.outer_end = whole
        if made.empty:
            made.start_pos, made.end_pos = whole
            made.empty = False
    return made
