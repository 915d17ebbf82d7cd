"""What is called otherwise, and how to compare the rest as if it were not.

A part that both rulesets have from one file keeps its place there: a name at the same place with another text was
renamed by a variant. In other files a name is taken for another's if what it names is built alike, or if it stands
where the other stood, again and again. Names of locals (`p`, `c`, what `let` names) say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.walk import descend, rewritten, shape

Decls = tuple[n.Decl, ...]
LOCALS: dict[type, tuple[str, ...]] = {
    n.Let: ("names",),
    n.Draw: ("name",),
    n.Binder: ("name",),
    n.Pick: ("name",),
    n.Define: ("params",),
    n.Procedure: ("params",),
    n.Whenever: ("component", "owners"),
    n.Property: ("params",),
    n.Score: ("player",),
    n.Estimate: ("player",),
    n.Show: ("player",),
    n.Named: ("names",),
}
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ENOUGH = 2  # places where one name stands instead of another
ROUNDS = 4


def declared(decls: Iterable[n.Decl]) -> dict[str, n.Name]:
    """Every name that a ruleset has given, and where."""
    found: dict[str, n.Name] = {}
    for decl in decls:
        for name in _given(decl):
            if name.text and "." not in name.text:
                found.setdefault(name.text, name)
    return found


def _given(decl: n.Decl) -> Iterator[n.Name]:
    own = getattr(decl, "name", None)
    if isinstance(own, n.Name) and not isinstance(decl, n.Game) and own.text not in ("setup", "play"):
        yield own
    for node in descend(decl):
        match node:
            case n.Enum():
                yield from node.members
            case n.Option():
                yield from node.values
            case n.Branch():
                yield node.label
            case n.Field() | n.Band() | n.Mark():
                yield node.name


def renames(a: Decls, b: Decls) -> dict[str, str]:
    """What the second ruleset calls otherwise: the name in the first -> the name in the second."""
    here, there = declared(a), declared(b)
    places = {(name.span.file.text, name.span.start): text for text, name in there.items() if name.span.file.text}
    found: dict[str, str] = {}
    for text, name in here.items():
        other = places.get((name.span.file.text, name.span.start))
        if other is not None and other != text:
            found[text] = other
    for _ in range(ROUNDS):
        more = _guessed(renamed(a, found), b)
        if not more:
            break
        found = {old: more.get(new, new) for old, new in found.items()} | {
            old: new for old, new in more.items() if old not in found.values()
        }
    return found


def renamed(decls: Decls, names: Mapping[str, str]) -> Decls:
    if not names:
        return decls

    def in_answer(text: str) -> str:
        return WORD.sub(lambda word: names.get(word.group(), word.group()), text)

    found: Decls = rewritten(decls, lambda name: names.get(name, name), in_answer, frozenset())
    return found


def label(decl: n.Decl) -> str:
    """What a part is found by in the other ruleset; of several triggers on one zone, all have the same."""
    match decl:
        case n.Example():
            return f'example "{decl.title}"'
        case n.Score() | n.Estimate() | n.Winner():
            return type(decl).__name__.lower()
        case n.Whenever():
            return f"whenever {'enters' if decl.enters else 'leaves'} {decl.zone.text}"
        case n.Use():
            return f"use {decl.module.text}"
        case _:
            return decl.name.text


def _guessed(a: Decls, b: Decls) -> dict[str, str]:
    """Names of the first that the second lacks, each with the one name of the second that stands in its place."""
    here, there = declared(a), declared(b)
    lost, new = set(here) - set(there), set(there) - set(here)
    if not lost or not new:
        return {}
    votes: Counter[tuple[str, str]] = Counter()
    others = {label(decl): decl for decl in b}
    for decl in a:
        other = others.get(label(decl))
        if other is not None and type(other) is type(decl):
            votes.update(pair for pair in _standing_for(decl, other) if pair[0] in lost and pair[1] in new)
    for pair in _built_alike(a, b, lost, new):
        votes[pair] += ENOUGH
    found: dict[str, str] = {}
    for (old, called), count in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if count >= ENOUGH and old not in found and called not in found.values():
            found[old] = called
    return found


def _standing_for(a: Any, b: Any) -> Iterator[tuple[str, str]]:
    """Pairs of names at the same place of two trees."""
    if isinstance(a, n.Ref) and isinstance(b, n.Ref):
        if a.name != b.name:
            yield a.name, b.name
    elif isinstance(a, n.Name) and isinstance(b, n.Name):
        if a.text != b.text:
            yield a.text, b.text
    elif isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) == len(b):
            for x, y in zip(a, b, strict=True):
                yield from _standing_for(x, y)
            if a and isinstance(a[0], n.Name):  # members of an enum: standing there once is enough
                for x, y in zip(a, b, strict=True):
                    yield from _standing_for(x, y)
    elif type(a) is type(b) and attrs.has(type(a)):
        for item in attrs.fields(type(a)):
            if item.name != "notes" and not item.name.endswith("span"):
                yield from _standing_for(getattr(a, item.name), getattr(b, item.name))


def _built_alike(a: Decls, b: Decls, lost: set[str], new: set[str]) -> Iterator[tuple[str, str]]:
    """Parts that only one side has, each with the only part of the other side that has the same form."""
    forms: dict[Any, tuple[list[str], list[str]]] = {}
    for side, decls, names in ((0, a, lost), (1, b, new)):
        for decl in decls:
            name = label(decl)
            if name in names:
                forms.setdefault(_form(decl), ([], []))[side].append(name)
    for ones, others in forms.values():
        if len(ones) == len(others) == 1:
            yield ones[0], others[0]


def _form(decl: n.Decl) -> Any:
    """Its shape with its own name left out and locals by number."""
    blank: Any = decl
    if hasattr(decl, "name"):
        blank = attrs.evolve(blank, name=n.Name(""))
    made = {name: f"local {number}" for number, name in enumerate(made_locals(blank))}
    return shape(with_locals(blank, made))


# ---- locals


def made_locals(node: Any) -> list[str]:
    """The names of a declaration's locals, in the order in which they are made."""
    found: dict[str, None] = {}
    for one in descend(node):
        for field in LOCALS.get(type(one), ()):
            value = getattr(one, field)
            for name in value if isinstance(value, tuple) else (value,):
                if name is not None:
                    found.setdefault(name.text)
    return list(found)


def with_locals(node: Any, names: Mapping[str, str]) -> Any:
    """The same with its locals called otherwise; what stands behind a dot or is called is no local."""
    if isinstance(node, tuple):
        return tuple(with_locals(item, names) for item in node)
    if isinstance(node, n.Ref):
        return attrs.evolve(node, name=names.get(node.name, node.name))
    if not attrs.has(type(node)) or isinstance(node, (n.Cite, n.Assumed, n.Erratum, n.Name)):
        return node
    own = (*LOCALS.get(type(node), ()), *(("name",) if isinstance(node, n.Is) else ()))
    changes: dict[str, Any] = {}
    for item in attrs.fields(type(node)):
        value = getattr(node, item.name)
        if item.name in own:
            changes[item.name] = _called(value, names)
        elif item.name != "notes" and not item.name.endswith("span"):
            changes[item.name] = with_locals(value, names)
    return attrs.evolve(node, **changes)


def _called(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_called(item, names) for item in value)
    return None if value is None else attrs.evolve(value, text=names.get(value.text, value.text))


def with_locals_of(a: Any, b: Any) -> Any:
    """The first with the locals of the second, where both make equally many."""
    ours, theirs = made_locals(a), made_locals(b)
    if ours == theirs or len(ours) != len(theirs):
        return a
    turned = with_locals(a, dict(zip(ours, theirs, strict=True)))
    return turned if set(ours) != set(theirs) or shape(turned) == shape(b) else a
