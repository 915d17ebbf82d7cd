"""A tree of nodes -> text of rules: what says the same, parsed again. The way back from build.py.

In: nodes as they were built, or changed since. Out: text, one declaration after the other, not yet laid out as
layout.py does it. What nodes do not hold is not in it: comments, blank lines, where a line was broken, and which of two
ways of saying the same was chosen (`never decreases` comes out as the comparison that it means).

`mark` is what a variant's change stands against: a short fingerprint of a part as it is written here without its notes,
so that layout, comments and citations do not matter. A change to what is written here changes marks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import assert_never

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.unparse_expressions import (
    NUMBERED,
    arguments,
    binder,
    criteria,
    listed_binders,
    names,
    text,
    thing,
    where,
)
from cambist.dsl.unparse_statements import body, branch, lines_of
from cambist.dsl.walk import without_notes

SIGNS = "bcdfghjklmnpqrst"  # of marks: letters that make no words, sixteen of them


def unparse(tree: n.Tree) -> str:
    """A whole file: its head, then what it changes, then what it declares."""
    heads = [] if tree.variant is None else _variant(tree.variant)
    blocks = [heads, *(patch(one) for one in tree.patches), *(declaration(one) for one in tree.decls)]
    return "\n".join("\n".join(lines) + "\n" for lines in blocks if lines)


def mark(decl: n.Decl, rows: Iterable[str] = ()) -> str:
    """What a change of this part stands against: its text, and the rows of its sheet, as four letters."""
    if isinstance(decl, n.Option):
        decl = attrs.evolve(decl, meaning="")  # a description, like a comment
    taken_out = [_row(row) for row in decl.less] if isinstance(decl, n.Deck) else []
    words = " ".join((*declaration(without_notes(decl)), *rows, *taken_out)).split()  # however lines are broken
    digest = hashlib.sha256(" ".join(words).encode()).digest()
    return "".join(SIGNS[byte % len(SIGNS)] for byte in digest[:4])


# ---- heads


def _head(head: n.Game) -> list[str]:
    found = lines_of(f'{"library" if head.library else "game"} {head.name.text} "{head.title}"', head.notes, 0)
    found += _head_lines(head.players, head.sources)
    if head.needs:
        found += lines_of(f"needs {names(head.needs)}", (), 1)
    if head.offers:
        found += lines_of(f"offers {names(head.offers)}", (), 1)
    return found


def _variant(head: n.Variant) -> list[str]:
    stack = ", ".join(one.name.text + (f" after {one.after.text}" if one.after else "") for one in head.stack)
    of = f"{head.base.text} with {stack}" if stack else head.base.text
    found = lines_of(f'variant {head.name.text} of {of} "{head.title}"', head.notes, 0)
    found += _head_lines(head.players, head.sources)
    if head.renames:
        found += lines_of("rename " + ", ".join(f"{old.text} to {new.text}" for old, new in head.renames), (), 1)
    return found


def _head_lines(players: tuple[int, int] | None, sources: tuple[n.Source, ...]) -> list[str]:
    found = [] if players is None else [f"  players {players[0]}..{players[1]}"]
    for source in sources:
        language = f" language {source.language}" if source.language else ""
        sections = "" if source.sections is None else " sections {}..{}".format(*source.sections)
        found.append(f'  source {source.name.text} "{source.file}"{language}{sections}')
        for one in source.headings:
            number = "" if one.number is None else f"{one.number} "
            found += lines_of(f'section {number}"{one.title}"{_stands_for(one)}', (), 2)
    return found


def _stands_for(section: n.Section) -> str:
    places = [c.place if NUMBERED.fullmatch(c.place) else f'"{c.place}"' for c in section.stands_for]
    cited = ", ".join(c.source + place for c, place in zip(section.stands_for, places, strict=True))
    reason = f' no rule because "{section.no_rule}"' if section.no_rule else ""
    return (f" for {cited}" if cited else "") + reason


# ---- changes that a variant makes


def patch(change: n.Patch) -> list[str]:
    if isinstance(change, n.AddPart):
        return _prefixed("add", declaration(change.decls[0])) if len(change.decls) == 1 else _zones("add", change.decls)
    against = "" if change.against is None else f"against {change.against.mark}"
    match change:
        case n.SetPart():
            values = ", ".join(text(v, 1) if k is None else f"{text(k, 1)}: {text(v, 1)}" for k, v in change.values)
            if len(change.values) == 1 and change.values[0][0] is None:
                values = text(change.values[0][1])
            to = f"to {values}" if change.sheet is None else f'from "{change.sheet.value}"'
            return lines_of(f"set {change.name.text} {to}", change.notes, 0, against)
        case n.Replace():
            if len(change.decls) > 1:
                return _zones("replace", change.decls, against)
            return _prefixed("replace", declaration(change.decls[0], against))
        case n.Remove():
            label = f'"{change.label}"' if change.word == "example" else change.label
            return lines_of(f"remove {change.word} {label}", change.notes, 0, against)
        case n.Cards():
            code = f"{change.how} {_row(change.row)} {'to' if change.how == 'add' else 'from'} {change.deck.text}"
            return lines_of(code, change.row.notes, 0, against)
        case n.Lines():
            inner = body(change.body, 1) + [line for one in change.branches for line in branch(one, 1)]
            return [*lines_of(_place(change), change.notes, 0, against), *inner]
    assert_never(change)


def _place(change: n.Lines) -> str:
    if change.anchor is None:
        return f"insert at {change.how} of {change.rule.text}"
    word = change.how if change.how in ("replace", "remove") else f"insert {change.how}"
    which = f"{change.which} " if change.which else ""
    return f"{word} {which}{change.anchor.text} in {change.rule.text}"


def _prefixed(word: str, lines: list[str]) -> list[str]:
    return [f"{word} {lines[0]}", *lines[1:]]


def _zones(word: str, decls: tuple[n.Decl, ...], against: str = "") -> list[str]:
    """`zone right, left: …` is one declaration of several parts."""
    first = decls[0]
    assert isinstance(first, n.Zone)
    together = names(d.name for d in decls if isinstance(d, n.Zone))
    return _prefixed(word, lines_of(f"zone {together}{_zone(first)}", first.notes, 0, against))


# ---- declarations


def declaration(decl: n.Decl, against: str = "") -> list[str]:
    """The lines of one declaration."""

    def line(code: str) -> list[str]:
        return lines_of(code, decl.notes, 0, against)

    match decl:
        case n.Game():
            return _head(decl)
        case n.Use():
            bindings = ", ".join(f"{need.text} is {given.text}" for need, given in decl.bindings)
            return line(f"use {decl.module.text}{f' with {bindings}' if bindings else ''}")
        case n.Enum():
            return line(f"enum {decl.name.text}: {names(decl.members)}")
        case n.Card():
            fields = ", ".join(_field(one) for one in decl.fields)
            return line(f"card {decl.name.text}{f': {fields}' if fields else ''}")
        case n.Deck():
            sheet = "" if decl.sheet is None else f' from "{decl.sheet.value}"'
            head = line(f"deck {decl.name.text} of {names(decl.cards)}{sheet}{_seen(decl.seen)}")
            return [*head, *(out for row in decl.rows for out in lines_of(_row(row), row.notes, 1))]
        case n.Option():
            values = names(decl.values) or "flag"
            if decl.low is not None and decl.high is not None:
                values = f"{decl.low.value}..{decl.high.value}"
            meaning = f' "{decl.meaning}"' if decl.meaning else ""
            head = line(f"option {decl.name.text}{meaning}: {values} = {text(decl.default)}")
            return [*head, *(out for one in decl.conditions for out in _condition(one))]
        case n.Table():
            by = "" if decl.by is None else f" by {decl.by.text}"
            entries = ", ".join(v.value if k is None else f"{k.value}: {v.value}" for k, v in decl.entries)
            return line(f"table {decl.name.text}{by}: {entries}")
        case n.Unit():
            step = "" if decl.step == "1" else f" step {decl.step}"
            return line(f"unit {decl.name.text}{_owners(decl.owners)}{step}")
        case n.Account():
            rest = f"{', may be negative' if decl.negative else ''}{', unlimited' if decl.unlimited else ''}"
            head_text = f"account {decl.name.text}{_owners(decl.owners)}{_unit(decl.unit)}{_start(decl.start)}"
            return line(f"{head_text}{rest}{_seen(decl.seen)}")
        case n.Variable():
            kind = f"variable {decl.name.text}: {_kind(decl.kind)}"
            return line(f"{kind}{_owners(decl.owners)}{_start(decl.start)}{_seen(decl.seen)}")
        case n.Track():
            return [*line(_track(decl)), *(out for one in decl.bands for out in _band(one))]
        case n.Zone():
            return line(f"zone {decl.name.text}{_zone(decl)}")
        case n.Define():
            return line(f"define {decl.name.text}{_params(decl.params)} = {text(decl.value)}")
        case n.Procedure():
            name = decl.word if decl.word in ("setup", "play") else f"{decl.word} {decl.name.text}"
            return [*line(f"{name}{_params(decl.params)}"), *body(decl.body, 1)]
        case n.Whenever():
            owners = f" of {names(decl.owners)}" if decl.owners else ""
            verb = "enters" if decl.enters else "leaves"
            head_text = f"whenever {decl.component.text} {verb} {decl.zone.text}{owners}{where(decl.where)}"
            return [*line(head_text), *body(decl.body, 1)]
        case n.Score():
            return line(f"score {decl.player.text} = {text(decl.value)}")
        case n.Estimate():
            return line(f"estimate {decl.player.text} = {text(decl.value)}")
        case n.Winner():
            return line(f"winner {criteria(decl.criteria)}{', ties shared' if decl.shared else ''}")
        case n.Property():
            return line(_law(decl))
        case n.Example():
            return [*line(f'example "{decl.title}"'), *(out for one in decl.clauses for out in _clause(one))]
        case n.Show():
            return _show(decl, against)
    assert_never(decl)


def _condition(one: n.Condition) -> list[str]:
    when = "" if one.when is None else f"{text(one.when)} "
    return lines_of(f"{when}{'requires' if one.requires else 'excludes'} {text(one.test)}", one.notes, 1)


def _field(one: n.Field) -> str:
    kind = "" if one.kind.text == one.name.text else f": {one.kind.text}"
    if one.several:
        kind = f": list of {one.kind.text}"
    return f"{one.name.text}{kind}{'' if one.default is None else f' = {one.default.value}'}"


def _row(row: n.Row) -> str:
    return f"{row.count} {thing(row.card, row.cells)}"


def _seen(seen: n.Seen) -> str:
    by = "" if seen.by == "all" else f", seen by {seen.by}"
    return f"{by}{', count hidden' if seen.count_hidden else ''}{', until revealed' if seen.until_revealed else ''}"


def _owners(owners: tuple[n.Name, ...]) -> str:
    return f" of each {names(owners)}" if owners else ""


def _unit(unit: n.Name | None) -> str:
    return "" if unit is None else f" in {unit.text}"


def _start(start: n.Expr | None) -> str:
    return "" if start is None else f" = {text(start)}"


def _params(params: tuple[n.Name, ...]) -> str:
    return f"({names(params)})" if params else ""


def _kind(kind: n.KindName) -> str:
    return kind.name.text if kind.of is None else f"{kind.name.text} of {_kind(kind.of)}"


def _track(track: n.Track) -> str:
    start = "" if track.start is None else f", start {track.start.value}"
    sheet = "" if track.sheet is None else f', start from "{track.sheet.value}"'
    values = ", ".join(value.value for value in track.values)
    return f"track {track.name.text}{_owners(track.owners)}{_unit(track.unit)}: {values}{start}{sheet}"


def _band(band: n.Band) -> list[str]:
    return lines_of(f"{band.name.text}: {band.low.value}..{band.high.value}", band.notes, 1)


def _zone(zone: n.Zone) -> str:
    capacity = "" if zone.capacity is None else f", at most {text(zone.capacity, 7)}"
    seen = _seen(zone.seen) or ", seen by all"
    return f": {zone.order.text}{_owners(zone.owners)}{capacity}{seen}"


def _law(law: n.Property) -> str:
    after = "" if law.after is None else f" after {law.after.text}{_params(law.params)}"
    moment = " at end" if law.moment == "end" else after
    value = text(law.value)
    if law.leads_to is not None:
        each = f" for {listed_binders(law.binders)}" if law.binders else ""
        value = f"whenever {text(law.value, 1)} leads to {text(law.leads_to, 1)}{each}"
    of_each = f" of each {listed_binders(law.binders)}" if law.word == "measure" and law.binders else ""
    return f"{law.word} {law.name.text}{of_each}{moment}: {value}"


def _show(show: n.Show, against: str) -> list[str]:
    player = "" if show.player is None else f"({show.player.text})"
    rows = "" if show.rows is None else f" for {binder(show.rows)}"
    instead = f" instead of {names(show.instead)}" if show.instead else ""
    head = f"show {show.name.text}{player}{rows}{instead}{_seen(show.seen)}"
    found = lines_of(head, show.notes, 0, against)
    for one in show.columns:
        each = "" if one.each is None else f" of each {binder(one.each)}"
        found += lines_of(f"{one.name.text}{each}: {text(one.value)}", one.notes, 1)
    return found


# ---- examples


def _clause(clause: n.Clause) -> list[str]:
    said = [_act(act) for act in clause.acts] + [_fact(fact) for fact in clause.facts]
    because = "" if clause.because is None else f" because {clause.because.text}"
    return lines_of(f"{clause.word} {'; '.join(said)}{because}", clause.notes, 1)


def _act(act: n.Act) -> str:
    return f"{act.player.text} {'may choose' if act.if_legal else 'chooses'} {act.answer}"


def _fact(fact: n.Fact) -> str:
    match fact:
        case n.Named():
            return f"{'players' if fact.exactly else 'player'} {names(fact.names)}"
        case n.InPhase():
            return f"phase is {text(fact.call, 10)}"
        case n.WithOption():
            return f"option {fact.name.text} = {text(fact.value)}"
        case n.Holds():
            return f"{text(fact.zone, 10)} holds {_things(fact)}{', in order' if fact.in_order else ''}"
        case n.Learns():
            return f"{fact.player.text} learns nothing"
        case n.Chance():
            return f"chance gives {arguments(fact.values)}"
        case n.Claim():
            return text(fact.value)
    assert_never(fact)


def _things(fact: n.Holds) -> str:
    if not fact.things:
        return "nothing"
    counted = (f"{one.count} " if one.count != 1 else "" for one in fact.things)
    return ", ".join(count + thing(one.card, one.cells) for count, one in zip(counted, fact.things, strict=True))
