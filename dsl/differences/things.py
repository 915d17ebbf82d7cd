"""What differs in declarations of things: who sees what, how it starts, what is in it. Rules are in rules.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.differences.changes import Told, code
from cambist.dsl.differences.lines import lines
from cambist.dsl.unparse_expressions import criteria, text
from cambist.dsl.walk import shape


def enum(a: n.Enum, b: n.Enum) -> Iterator[Told]:
    yield from _names(f"`{b.name.text}`", a.members, b.members)


def _names(what: str, a: tuple[n.Name, ...], b: tuple[n.Name, ...]) -> Iterator[Told]:
    ours, theirs = [x.text for x in a], [x.text for x in b]
    for name in a:
        if name.text not in theirs:
            yield Told("removed", f"{what} has no `{name.text}`", name.text, None, name)
    for name in b:
        if name.text not in ours:
            yield Told("added", f"{what} also has `{name.text}`", None, name.text, None, name)
    if sorted(ours) == sorted(theirs) and ours != theirs:
        order = ", ".join(theirs)
        yield Told("changed", f"the order of {what} is {order}", ", ".join(ours), order)


def card(a: n.Card, b: n.Card) -> Iterator[Told]:
    what = f"a `{b.name.text}`"
    ours, theirs = {f.name.text: f for f in a.fields}, {f.name.text: f for f in b.fields}
    for name, field in ours.items():
        if name not in theirs:
            yield Told("removed", f"{what} has no `{name}`", _field(field), None, field)
    for name, field in theirs.items():
        old = ours.get(name)
        if old is None:
            yield Told("added", f"{what} also has `{name}`", None, _field(field), None, field)
        elif shape(old) != shape(field):
            sentence = f"{what} has `{_field(field)}` instead of `{_field(old)}`"
            yield Told("changed", sentence, _field(old), _field(field), old, field)
    if list(ours) != list(theirs) and set(ours) == set(theirs):
        yield Told("changed", f"{what} has its fields in another order", ", ".join(ours), ", ".join(theirs))


def _field(field: n.Field) -> str:
    kind = f"list of {field.kind.text}" if field.several else field.kind.text
    default = "" if field.default is None else f" = {field.default.value}"
    return f"{field.name.text}: {kind}{default}"


def seen(name: str, a: n.Seen, b: n.Seen) -> Iterator[Told]:
    if shape(a) != shape(b):
        before, after = _seen(a), _seen(b)
        comma = "," if "," in after else ""
        sentence = f"`{name}` is {after}{comma} instead of {before.removeprefix('seen ')}"
        yield Told("changed", sentence, before, after, a, b)


def _seen(seen: n.Seen) -> str:
    by = {"owner": "seen by its owner", "all": "seen by all", "nobody": "seen by nobody"}.get(seen.by, seen.by)
    hidden = ", the number hidden" if seen.count_hidden else ""
    return f"{by}{hidden}{', until it is revealed' if seen.until_revealed else ''}"


def zone(a: n.Zone, b: n.Zone) -> Iterator[Told]:
    name = b.name.text
    if a.order.text != b.order.text:
        sentence = f"`{name}` is a {b.order.text} instead of a {a.order.text}"
        yield Told("changed", sentence, a.order.text, b.order.text, a.order, b.order)
    yield from _owners(name, a, b)
    if shape(a.capacity) != shape(b.capacity):
        before, after = ("any number" if x is None else text(x) for x in (a.capacity, b.capacity))
        sentence = f"`{name}` holds at most {after} instead of {before}"
        if b.capacity is None:
            sentence = f"`{name}` holds any number instead of at most {before}"
        yield Told("changed", sentence, before, after, a.capacity or a, b.capacity or b)
    yield from seen(name, a.seen, b.seen)


def _owners(name: str, a: Any, b: Any) -> Iterator[Told]:
    if shape(a.owners) != shape(b.owners):
        before, after = _of(a), _of(b)
        yield Told("changed", f"`{name}` is {after} instead of {before}", before, after)


def _of(decl: Any) -> str:
    return f"one for each {' and '.join(o.text for o in decl.owners)}" if decl.owners else "one for all"


def account(a: n.Account, b: n.Account) -> Iterator[Told]:
    name = b.name.text
    yield from _owners(name, a, b)
    yield from _start(name, a.start, b.start, bool(b.owners))
    before, after = (x.text if x is not None else "the only unit" for x in (a.unit, b.unit))
    if before != after:
        yield Told("changed", f"`{name}` is counted in `{after}` instead of `{before}`", before, after)
    if a.negative != b.negative:
        may = ("may not be negative", "may be negative")
        yield Told("changed", f"`{name}` {may[b.negative]}", may[a.negative], may[b.negative])
    if a.unlimited != b.unlimited:
        words = ("limited", "unlimited")
        sentence = f"`{name}` is {words[b.unlimited]}"
        yield Told("changed", sentence, words[a.unlimited], words[b.unlimited])
    yield from seen(name, a.seen, b.seen)


def _start(name: str, a: n.Expr | None, b: n.Expr | None, each: bool) -> Iterator[Told]:
    if shape(a) != shape(b):
        before, after = ("nothing" if x is None else text(x) for x in (a, b))
        what = f"each `{name}`" if each else f"`{name}`"
        yield Told("changed", f"{what} starts with {after} instead of {before}", before, after, a, b)


def variable(a: n.Variable, b: n.Variable) -> Iterator[Told]:
    name = b.name.text
    if shape(a.kind) != shape(b.kind):
        before, after = _kind(a.kind), _kind(b.kind)
        yield Told("changed", f"`{name}` is a {after} instead of a {before}", before, after, a.kind, b.kind)
    yield from _owners(name, a, b)
    yield from _start(name, a.start, b.start, bool(b.owners))
    yield from seen(name, a.seen, b.seen)


def _kind(kind: n.KindName) -> str:
    return kind.name.text if kind.of is None else f"{kind.name.text} of {_kind(kind.of)}"


def table(a: n.Table, b: n.Table) -> Iterator[Told]:
    name, by = b.name.text, " players" if b.by is not None else ""
    if (a.by is None) != (b.by is None):
        words = ("by place", "by players")
        after = words[b.by is not None]
        yield Told("changed", f"`{name}` goes {after}", words[a.by is not None], after)
    ours, theirs = _entries(a), _entries(b)
    for key in sorted({*ours, *theirs}):
        old, new = ours.get(key), theirs.get(key)
        if new is None and old is not None:
            sentence = f"`{name}` has nothing for {key}{by} any more; it was {old.value}"
            yield Told("removed", sentence, old.value, None, old)
        elif old is None and new is not None:
            yield Told("added", f"`{name}` for {key}{by} is {new.value}", None, new.value, None, new)
        elif old is not None and new is not None and old.value != new.value:
            sentence = f"`{name}` for {key}{by} is {new.value} instead of {old.value}"
            yield Told("changed", sentence, old.value, new.value, old, new)


def _entries(decl: n.Table) -> dict[int, n.Number]:
    return {place if key is None else int(key.value): value for place, (key, value) in enumerate(decl.entries)}


def track(a: n.Track, b: n.Track) -> Iterator[Told]:
    name = b.name.text
    yield from _owners(name, a, b)
    before, after = ([v.value for v in x.values] for x in (a, b))
    if before != after:
        yield _spaces(name, before, after)
    if shape(a.start) != shape(b.start):
        old, new = ("its first space" if x is None else x.value for x in (a.start, b.start))
        yield Told("changed", f"the track `{name}` starts at {new} instead of {old}", old, new, a.start, b.start)
    yield from _starts(name, a, b)
    units = [x.unit.text if x.unit is not None else "plain numbers" for x in (a, b)]
    if units[0] != units[1]:
        yield Told("changed", f"the track `{name}` is in {units[1]} instead of {units[0]}", *units)
    ours, theirs = {x.name.text: x for x in a.bands}, {x.name.text: x for x in b.bands}
    for key in [*theirs, *(k for k in ours if k not in theirs)]:
        x, y = ours.get(key), theirs.get(key)
        if y is None and x is not None:
            yield Told("removed", f"the track `{name}` has no band `{key}`", _band(x), None, x)
        elif x is None and y is not None:
            yield Told("added", f"on the track `{name}`, {_band(y)} is `{key}`", None, _band(y), None, y)
        elif x is not None and y is not None and shape(x) != shape(y):
            sentence = f"on the track `{name}`, `{key}` is {_band(y)} instead of {_band(x)}"
            yield Told("changed", sentence, _band(x), _band(y), x, y)


def _band(band: n.Band) -> str:
    return f"{band.low.value} to {band.high.value}"


def _spaces(name: str, before: list[str], after: list[str]) -> Told:
    old, new = ", ".join(before), ", ".join(after)
    gone, more = ([v for v in x if v not in y] for x, y in ((before, after), (after, before)))
    what = f"the track `{name}`"
    if [v for v in before if v in after] != [v for v in after if v in before]:
        sentence = f"{what} goes {code(new)} instead of {code(old)}"
    elif gone and more:
        sentence = f"{what} has {', '.join(more)} instead of {', '.join(gone)}"
    else:
        sentence = f"{what} also has {', '.join(more)}" if more else f"{what} has no {', '.join(gone)}"
    return Told("changed", sentence, old, new)


def _starts(name: str, a: n.Track, b: n.Track) -> Iterator[Told]:
    ours, theirs = ({tuple(x.text for x in names): value for names, value in t.starts} for t in (a, b))
    for key in sorted({*ours, *theirs}):
        x, y = ours.get(key), theirs.get(key)
        old, new = ("where the track does" if v is None else v.value for v in (x, y))
        if old != new:
            of = " and ".join(f"`{part}`" for part in key)
            sentence = f"`{name}` of {of} starts at {new} instead of {old}"
            yield Told("changed", sentence, old, new, x or a, y or b)


def unit(a: n.Unit, b: n.Unit) -> Iterator[Told]:
    if a.step != b.step:
        sentence = f"`{b.name.text}` goes in steps of {b.step} instead of {a.step}"
        yield Told("changed", sentence, a.step, b.step)
    yield from _owners(b.name.text, a, b)


def option(a: n.Option, b: n.Option) -> Iterator[Told]:
    name = b.name.text
    before, after = _allowed(a), _allowed(b)
    if before != after:
        yield Told("changed", f"`{name}` may be {after} instead of {before}", before, after)
    old, new = (settings.written(settings.default(x)) for x in (a, b))
    if old != new:
        sentence = f"`{name}` is usually {new} instead of {old}"
        yield Told("changed", sentence, old, new, a.default, b.default)
    ours, theirs = ({shape(c): c for c in x.conditions} for x in (a, b))
    gone = [c for key, c in ours.items() if key not in theirs]
    more = [c for key, c in theirs.items() if key not in ours]
    for x, y in zip_longest(gone, more):
        was, now = ("" if c is None else _condition(c) for c in (x, y))
        if x is None:
            yield Told("added", f"`{name}`: {code(now)}", None, now, None, y)
        elif y is None:
            yield Told("removed", f"`{name}`: no longer {code(was)}", was, None, x)
        else:
            yield Told("changed", f"`{name}`: {code(now)} instead of {code(was)}", was, now, x, y)


def _allowed(decl: n.Option) -> str:
    ends = settings.bounds(decl)
    if ends is not None:
        return f"{ends[0]} to {ends[1]}"
    return " or ".join(settings.written(value) for value in settings.allowed(decl))


def _condition(one: n.Condition) -> str:
    when = "" if one.when is None else f"{text(one.when)} "
    return f"{when}{'requires' if one.requires else 'excludes'} {text(one.test)}"


def brief(decl: n.Decl) -> str:
    """A declaration in few words, where one side has it and the other does not."""
    match decl:
        case n.Enum():
            return f"{decl.name.text}: {', '.join(m.text for m in decl.members)}"
        case n.Card():
            return f"{decl.name.text}: {', '.join(_field(f) for f in decl.fields)}" if decl.fields else decl.name.text
        case n.Option():
            return f"{decl.name.text}: {_allowed(decl)}, usually {settings.written(settings.default(decl))}"
        case n.Table():
            return f"{decl.name.text}: {', '.join(f'{k}: {v.value}' for k, v in _entries(decl).items())}"
        case n.Zone():
            return f"{decl.name.text}: {decl.order.text}, {_of(decl)}, {_seen(decl.seen)}"
        case n.Account() | n.Variable():
            start = "" if decl.start is None else f", starts with {text(decl.start)}"
            return f"{decl.name.text}: {_of(decl)}{start}"
        case n.Track():
            return f"{decl.name.text}: {', '.join(v.value for v in decl.values)}"
        case n.Define():
            return f"{_head(decl)} = {text(decl.value)}"
        case n.Procedure():
            return _head(decl)
        case n.Score() | n.Estimate():
            return text(decl.value)
        case n.Winner():
            return winner(decl)
        case n.Property():
            return text(decl.value)
        case n.Example():
            return decl.title
        case n.Use():
            return decl.module.text
        case n.Whenever():
            return "; ".join(line.whole for line in lines(decl.body))
        case _:
            return decl.name.text


def _head(decl: n.Define | n.Procedure) -> str:
    params = f"({', '.join(p.text for p in decl.params)})" if decl.params else ""
    return f"{decl.name.text}{params}"


def winner(decl: n.Winner) -> str:
    return f"{criteria(decl.criteria)}{', ties shared' if decl.shared else ''}"
