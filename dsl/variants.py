"""A base's declarations and a variant's changes -> one flat list, as if the variant were a game of its own.

In: what the base declares (its modules not yet added) and the variant's tree. Out: the game's head and the
declarations, each still with the place where it was written, so that whatever is said of a rule later points into
the right file. The order is: rename in the base, then change by the new names, then add. Each change must find its
part, as it was when the change was written if it says so (`against mdkt`); each addition must be new. Citations of the
base's rulebook become citations of the variant's own, where its sections say which they stand for. No file is read
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, assert_never

import attrs
from attrs import define, frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Diagnostic, Label, Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.sheets import SheetRow
from cambist.dsl.source import Span
from cambist.dsl.stretches import stretch
from cambist.dsl.unparse import mark
from cambist.dsl.variant_lines import with_lines
from cambist.dsl.walk import descend, rewritten, used_names
from cambist.dsl.words import RESERVED

WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
Part = tuple[str, str]  # what kind of part, and its name or title


@frozen
class Base:
    """What changes are made to: a game, or one that was changed already."""

    game: n.Game
    decls: tuple[n.Decl, ...]
    sheets: Mapping[str, list[SheetRow]]

    def part(self, label: Part) -> n.Decl | None:
        return next((d for d in self.decls if not isinstance(d, n.Game) and label_of(d) == label), None)

    def mark(self, label: Part) -> str:
        decl = self.part(label)
        rows = self.sheets.get(decl.name.text, []) if isinstance(decl, n.Deck) and decl.sheet is not None else []
        return "" if decl is None else mark(decl, [str((r.count, r.card, sorted(r.values.items()))) for r in rows])


@frozen
class Marked:
    """A change, and the mark of the part it is made to as that is now."""

    change: n.Patch
    part: str
    mark: str


@frozen
class Earlier:
    """What other variants in a stack have done before."""

    renames: Mapping[str, str] = attrs.field(factory=dict)  # old name -> new one
    files: frozenset[str] = frozenset()


@define
class Patched:
    game: n.Game
    decls: tuple[n.Decl, ...]
    renames: dict[str, str]  # old name -> new one
    marks: list[Marked]


def patch(tree: n.Tree, now: Base, written_for: Base, earlier: Earlier, report: Report) -> Patched:
    """The changes of one variant, made to what is there `now`. It was `written_for` the base before other variants in a
    stack changed it, and speaks by the names there."""
    variant = tree.variant
    assert variant is not None
    modules = frozenset(d.module.text for d in now.decls if isinstance(d, n.Use))
    marks = list(_marks(tree, variant, written_for, report))
    tree = _translated(tree, earlier.renames, modules)
    assert tree.variant is not None
    renames = _renames(tree.variant, now.decls, report)
    places = _places(variant)
    _once(tree.patches, report)
    patcher = Patcher(now.game, {}, report, earlier.files | {variant.span.file.name})
    for decl in now.decls:
        if not isinstance(decl, n.Game):
            patcher.keep(_recited(_with_new_names(decl, renames, modules), places))
    for change in tree.patches:
        patcher.apply(change)
    for decl in tree.decls:
        if not isinstance(decl, n.Game):
            patcher.add(decl)
    return Patched(_head(variant, now.game), tuple(patcher.parts.values()), renames, marks)


def _once(changes: tuple[n.Patch, ...], report: Report) -> None:
    """What is set or replaced as a whole has one new form."""
    first: dict[Part, Span] = {}
    for change in changes:
        if isinstance(change, (n.SetPart, n.Replace)):
            for label in changed_part(change):
                if label in first:
                    report.add(say.changed_twice(change.span, label[1], first[label]))
                first.setdefault(label, change.span)


def _marks(tree: n.Tree, variant: n.Variant, base: Base, report: Report) -> Iterable[Marked]:
    """The marks of what is changed; one that is not what the change was written against is told."""
    old_names = {new.text: old.text for old, new in variant.renames}
    for change in tree.patches:
        label = next(iter(changed_part(change)), None)
        if label is None:
            continue
        kind, name = label
        label = (kind, old_names.get(name, name)) if kind == "name" else label
        found, against = base.part(label), change.against if not isinstance(change, n.AddPart) else None
        if found is None:
            continue  # that it is not there is told when it is to be changed
        part, now = said(found), base.mark(label)
        yield Marked(change, part, now)
        if against is not None and against.mark != now:
            file = against.span.file.name
            report.add(say.part_changed(against.span, part, variant.base.text, found.span, now, file))


def _translated(tree: n.Tree, earlier: Mapping[str, str], modules: frozenset[str]) -> n.Tree:
    """A variant's tree by the names that others in its stack have given."""
    if not earlier or tree.variant is None:
        return tree

    def new(node: Any) -> Any:
        node = _with_new_names(node, earlier, modules)
        return attrs.evolve(node, label=earlier.get(node.label, node.label)) if isinstance(node, n.Remove) else node

    own = {new.text for _, new in tree.variant.renames}
    earlier = {old: name for old, name in earlier.items() if old not in own}
    renames = tuple((new(old), name) for old, name in tree.variant.renames)
    patches, decls = tuple(new(change) for change in tree.patches), tuple(new(decl) for decl in tree.decls)
    return attrs.evolve(tree, variant=attrs.evolve(tree.variant, renames=renames), patches=patches, decls=decls)


@define
class Patcher:
    game: n.Game
    parts: dict[Part, n.Decl]
    report: Report
    aside: frozenset[str]  # the files of variants that may have put lines into rules

    @property
    def base(self) -> str:
        return self.game.name.text

    def apply(self, change: n.Patch) -> None:
        match change:
            case n.Cards():
                self.cards(change)
            case n.Lines():
                self.lines(change)
            case n.SetPart():
                self.set_part(change)
            case n.Replace():
                for decl in change.decls:
                    self.replace(decl)
            case n.AddPart():
                for decl in change.decls:
                    self.add(decl)
            case n.Remove():
                (label,) = changed_part(change)
                found = self.parts.get(label)
                if found is None or _word(found) != change.word:
                    self.missing(change.label_span, change.word, label)
                else:
                    del self.parts[label]
            case _:
                assert_never(change)

    def lines(self, change: n.Lines) -> None:
        (label,) = changed_part(change)
        found = self.parts.get(label)
        if found is None:
            self.missing(change.rule.span, "rule", label)
        elif not isinstance(found, n.Procedure):
            why = f"`{change.rule.text}` is {_a(_word(found))}, which has no lines to change"
            self.report.add(say.wrong_lines(change.span, why, found.span))
        else:
            made = with_lines(found, change, self.aside)
            if isinstance(made, Diagnostic):
                self.report.add(made)
            else:
                self.parts[label] = made

    def cards(self, change: n.Cards) -> None:
        (label,) = changed_part(change)
        found = self.parts.get(label)
        if not isinstance(found, n.Deck):
            self.missing(change.deck.span, "deck", label)
        elif change.how == "add":
            self.parts[label] = attrs.evolve(found, rows=(*found.rows, change.row))
        else:
            self.parts[label] = attrs.evolve(found, less=(*found.less, change.row))

    def replace(self, decl: n.Decl) -> None:
        label = label_of(decl)
        if label[0] == "unlabelled":
            remedy = "put what differs into a procedure of its own in the base, and replace that"
            self.report.add(say.no_such_part(decl.span, f"`{_word(decl)}` with a label", self.base, remedy))
        elif label not in self.parts:
            self.missing(_label_span(decl), _word(decl), label)
        else:
            self.parts[label] = decl

    def add(self, decl: n.Decl) -> None:
        label = label_of(decl)
        if label in self.parts and label[0] != "unlabelled":
            self.report.add(say.part_exists(_label_span(decl), label[1], self.base, self.parts[label].span))
        else:
            self.keep(decl)

    def keep(self, decl: n.Decl) -> None:
        """Under its label; what has none, or one that is there already, under one that nobody can name."""
        kind, text = label_of(decl)
        while (kind, text) in self.parts:
            kind, text = "unlabelled", f"{text}'"
        self.parts[(kind, text)] = decl

    def missing(self, span: Span, word: str, label: Part, fits: Callable[[n.Decl], bool] = lambda _: True) -> None:
        """Told with what the base has that is called nearly so, and to which the same could be done."""
        what = f"{word} `{label[1]}`" if label[0] != "only" else f"`{label[1]}`"
        found = self.parts.get(label)
        other = [text for (kind, text), decl in self.parts.items() if kind == label[0] and fits(decl)]
        hint = f"`{label[1]}` is of another kind: `{_word(found)}`" if found else did_you_mean(label[1], other)
        meant = found or (self.parts.get((label[0], hint.split("`")[1])) if hint else None)
        if label[0] == "example" and not hint:
            hint = say.nearest_titles(label[1], other)
        near = Label(self.game.span, "the base begins here") if meant is None else Label(meant.span, "it has this")
        self.report.add(say.no_such_part(span, what, self.base, hint, (near,)))

    # ---- new values

    def set_part(self, change: n.SetPart) -> None:
        label = ("name", change.name.text)
        found = self.parts.get(label)
        if found is None:
            self.missing(change.name.span, "part", label, lambda decl: isinstance(decl, SETTABLE))
            return
        try:
            made = _with_values(found, change)
        except _CannotSet as problem:
            self.report.add(say.cannot_be_set(change.span, change.name.text, problem.why, problem.remedy))
            return
        self.parts[label] = attrs.evolve(made, notes=change.notes, span=change.span)  # a new value, a new reason


SETTABLE = (n.Table, n.Track, n.Option, n.Variable, n.Account, n.Define, n.Deck)


class _CannotSet(Exception):
    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


def _with_values(found: n.Decl, change: n.SetPart) -> Any:
    if change.sheet is not None:
        if not isinstance(found, n.Deck):
            raise _CannotSet("it is not a deck", "only a deck is set `from` a sheet")
        return attrs.evolve(found, sheet=change.sheet, rows=())
    match found:
        case n.Table():
            entries = tuple((None if key is None else _number(key), _number(value)) for key, value in change.values)
            return attrs.evolve(found, entries=entries)
        case n.Track():
            return attrs.evolve(found, values=tuple(x for pair in change.values for x in _spaces(_plain(pair))))
        case n.Option():
            return attrs.evolve(found, default=_one(change))
        case n.Variable() | n.Account():
            return attrs.evolve(found, start=_one(change))
        case n.Define():
            return attrs.evolve(found, value=_one(change))
        case _:
            raise _CannotSet(
                f"it is {_a(_word(found))}",
                f"write `replace {_word(found)} …` with the whole of it",
            )


def _one(change: n.SetPart) -> n.Expr:
    if len(change.values) != 1:
        raise _CannotSet("it has one value", f"write `set {change.name.text} to` and one value")
    return _plain(change.values[0])


def _plain(pair: tuple[n.Expr | None, n.Expr]) -> n.Expr:
    if pair[0] is not None:
        raise _CannotSet("a colon stands in tables only", "write the values alone")
    return pair[1]


def _number(value: n.Expr) -> n.Number:
    if isinstance(value, n.Number):
        return value
    if isinstance(value, n.Negate) and isinstance(value.value, n.Number):
        return n.Number(f"-{value.value.value}", value.span)
    raise _CannotSet("its values are numbers", "write numbers with commas between them")


def _spaces(value: n.Expr) -> tuple[n.Number, ...]:
    if not isinstance(value, n.Between):
        return (_number(value),)
    by = None if value.step is None else _number(value.step)
    found = stretch(_number(value.low), _number(value.high), by, value.span)
    if isinstance(found, Diagnostic):
        raise _CannotSet(found.message, found.help)
    return found


# ---- names


def _renames(variant: n.Variant, decls: tuple[n.Decl, ...], report: Report) -> dict[str, str]:
    declared = _declared(decls)
    taken = used_names(decls) | {w for d in descend(decls) if isinstance(d, n.Act) for w in WORD.findall(d.answer)}
    found: dict[str, str] = {}
    leaving = {old.text for old, _ in variant.renames}
    for old, new in variant.renames:
        if old.text not in declared:
            hint = did_you_mean(old.text, declared)
            report.add(say.no_such_part(old.span, f"`{old.text}`", variant.base.text, hint))
        elif new.text in RESERVED:
            report.add(say.reserved_name(new.span, new.text))
        elif new.text in taken - leaving or new.text in found.values():
            report.add(say.name_taken(new.span, new.text, variant.base.text))
        else:
            found[old.text] = new.text
    return found


def _declared(decls: tuple[n.Decl, ...]) -> set[str]:
    """What the base has given a name: all that a variant may call something else."""
    found: set[str] = set()
    for node in descend(decls):
        match node:
            case n.Enum():
                found |= {node.name.text, *(member.text for member in node.members)}
            case n.Option():
                found |= {node.name.text, *(value.text for value in node.values)}
            case n.Branch():
                found.add(node.label.text)
            case n.Procedure() if node.word in ("setup", "play"):
                pass
            case n.Card() | n.Field() | n.Band() | n.Mark() | n.Procedure() | n.Property():
                found.add(node.name.text)
            case n.Deck() | n.Zone() | n.Account() | n.Variable() | n.Track() | n.Define() | n.Table() | n.Unit():
                found.add(node.name.text)
    return found


def _with_new_names(decl: Any, renames: Mapping[str, str], modules: frozenset[str]) -> Any:
    """Every name that is renamed, wherever it stands, in the answers of examples too."""
    if not renames:
        return decl

    def in_answer(text: str) -> str:
        return WORD.sub(lambda word: renames.get(word.group(), word.group()), text)

    return rewritten(decl, lambda name: renames.get(name, name), in_answer, modules)


def renamed_rows(rows: list[SheetRow], renames: Mapping[str, str]) -> list[SheetRow]:
    """The rows of the base's sheets by the new names."""

    def new(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(new(v) for v in value)
        return renames.get(value, value) if isinstance(value, str) else value

    return [
        attrs.evolve(
            row,
            card=new(row.card),
            values={new(name): new(value) for name, value in row.values.items()},
            spans={new(name): span for name, span in row.spans.items()},
        )
        for row in rows
    ]


# ---- sources


def _head(variant: n.Variant, base: n.Game) -> n.Game:
    return n.Game(
        variant.name,
        variant.title,
        False,
        variant.players or base.players,
        (*variant.sources, *base.sources),
        (),
        (),
        variant.notes or base.notes,
        variant.players_span if variant.players else base.players_span,
        variant.span,
    )


def _places(variant: n.Variant) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """For a place in the base's rulebook, where it stands in the variant's own."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for source in variant.sources:
        for section in source.headings:
            place = section.title if section.number is None else f"§{section.number}"
            for theirs in section.stands_for:
                found.setdefault((theirs.source, theirs.place), []).append((source.name.text, place))
    return found


def _recited(node: Any, places: dict[tuple[str, str], list[tuple[str, str]]]) -> Any:
    """The same rule with its citations in the variant's own rulebook."""
    if not places:
        return node
    if isinstance(node, n.Cite):
        raise AssertionError("a citation is rewritten with the notes it stands in")
    if isinstance(node, tuple):
        if any(isinstance(item, n.Cite) for item in node):
            return tuple(one for item in node for one in _own_cites(item, places))
        return tuple(_recited(item, places) for item in node)
    if not attrs.has(type(node)) or isinstance(node, (Span, n.Assumed, n.Erratum, n.Name)):
        return node
    names = [f.name for f in attrs.fields(type(node)) if not f.name.endswith("span")]
    changes = {name: _recited(getattr(node, name), places) for name in names}
    if all(changes[name] is getattr(node, name) for name in names):
        return node
    return attrs.evolve(node, **changes)


def _own_cites(note: Any, places: dict[tuple[str, str], list[tuple[str, str]]]) -> list[Any]:
    if not isinstance(note, n.Cite):
        return [note]
    own = places.get((note.source, note.place))
    return [note] if own is None else [n.Cite(source, place, note.span) for source, place in own]


# ---- labels


def _word(decl: n.Decl) -> str:
    if isinstance(decl, (n.Procedure, n.Property)):
        return decl.word
    return type(decl).__name__.lower()


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def said(decl: n.Decl) -> str:
    """A part as a message speaks of it."""
    kind, text = label_of(decl)
    return f"`{text}`" if kind in ("only", "unlabelled") or isinstance(decl, n.Use) else f"{_word(decl)} `{text}`"


def label_of(decl: n.Decl) -> Part:
    """By what a variant speaks of a declaration."""
    match decl:
        case n.Example():
            return "example", decl.title
        case n.Score() | n.Estimate() | n.Winner():
            return "only", _word(decl)
        case n.Procedure() if decl.word in ("setup", "play"):
            return "only", decl.word
        case n.Whenever():
            verb = "enters" if decl.enters else "leaves"
            return "unlabelled", f"whenever {decl.component.text} {verb} {decl.zone.text}"
        case n.Use():
            return "name", f"use {decl.module.text}"
        case _:
            return "name", decl.name.text


def changed_part(change: n.Patch) -> tuple[Part, ...]:
    """The parts of the base that must be there for a change."""
    match change:
        case n.SetPart():
            return (("name", change.name.text),)
        case n.Replace():
            return tuple(label_of(decl) for decl in change.decls)
        case n.AddPart():
            return ()
        case n.Remove():
            if change.word == "example":
                return (("example", change.label),)
            return (("name", f"use {change.label}" if change.word == "use" else change.label),)
        case n.Cards():
            return (("name", change.deck.text),)
        case n.Lines():
            return (("only" if change.rule.text in ("setup", "play") else "name", change.rule.text),)
    assert_never(change)


def _label_span(decl: n.Decl) -> Span:
    name = getattr(decl, "name", None)
    return name.span if isinstance(name, n.Name) else decl.span
