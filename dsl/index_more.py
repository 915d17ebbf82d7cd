"""Names that no rule's walk meets: parts of declarations, sheets, modules, citations, answers, a variant's changes.

In: declarations, symbols and trees, as they are. Out: what is noted in `Uses`. See index.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cambist.dsl import nodes as n
from cambist.dsl.imports import Gathered
from cambist.dsl.index_notes import Definition, Uses
from cambist.dsl.sheets import SheetRow
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.symbols import Symbols
from cambist.dsl.walk import descend

WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
NAMED = (
    n.Enum | n.Card | n.Deck | n.Option | n.Table | n.Unit | n.Account | n.Variable | n.Track | n.Zone
    | n.Define | n.Procedure | n.Property | n.Show
)  # fmt: skip


def word_of(decl: n.Decl) -> str:
    return decl.word if isinstance(decl, (n.Procedure, n.Property)) else type(decl).__name__.lower()


def note_parts(uses: Uses, decls: tuple[n.Decl, ...], game: n.Game) -> None:
    """Everything that declarations give a name."""
    word = "library" if game.library else "game"
    uses.define(game.name, word, game, game.notes)
    for source in game.sources:
        uses.define(source.name, f'source "{source.file}"', game)
        for section in source.headings:
            uses.define(n.Name(section.title, section.span), f"section of {source.name.text}", game)
    for decl in decls:
        if isinstance(decl, NAMED):
            uses.define(decl.name, word_of(decl), decl, decl.notes)
        _parts_of(uses, decl)
        for node in descend(decl):
            if isinstance(node, n.Branch) and node.label.text:
                uses.define(node.label, "branch", decl, node.notes or decl.notes)
            elif isinstance(node, n.Mark):
                uses.define(node.name, "limit" if node.limit else "mark", decl, node.notes)


def _parts_of(uses: Uses, decl: n.Decl) -> None:
    match decl:
        case n.Enum():
            for member in decl.members:
                uses.define(member, f"member of `{decl.name.text}`", decl, decl.notes)
        case n.Option():
            for value in decl.values:
                uses.define(value, f"value of the option `{decl.name.text}`", decl, decl.notes)
        case n.Card():
            for item in decl.fields:
                uses.define(item.name, f"field of `{decl.name.text}`", decl, decl.notes)
        case n.Track():
            for band in decl.bands:
                uses.define(band.name, f"band of `{decl.name.text}`", decl, band.notes or decl.notes)
        case n.Score():
            uses.define(n.Name("score", score_word(decl)), "score", decl, decl.notes)
        case n.Show():
            for column in decl.columns:
                uses.define(column.name, f"column of `{decl.name.text}`", decl, column.notes)
        case n.Example():
            title = Span(decl.span.file, max(decl.span.start, decl.span.end - len(decl.title) - 2), decl.span.end)
            uses.define(n.Name(decl.title, title), "example", decl, decl.notes)
        case _:
            pass


def score_word(decl: n.Score) -> Span:
    return Span(decl.span.file, decl.span.start, decl.span.start + len("score"))


def note_rows(uses: Uses, symbols: Symbols, sheets: Mapping[str, list[SheetRow]]) -> None:
    """Words in sheets: members of enums and fields of cards."""
    for rows in sheets.values():
        for row in rows:
            for name, span in row.spans.items():
                value = row.values.get(name)
                for word in WORD.finditer(span.text):
                    enum = symbols.members.get(word.group())
                    if enum is not None and word.group() in (value if isinstance(value, tuple) else (value,)):
                        member = next(m for m in enum.members if m.text == word.group())
                        uses.note(Span(span.file, span.start + word.start(), span.start + word.end()), uses.of(member))


def note_uses(uses: Uses, symbols: Symbols, decls: tuple[n.Decl, ...], trees: Mapping[SourceFile, n.Tree]) -> None:
    """`use market with token is share`: the module, what it needs, what it is given; and `market.` before its names."""
    libraries = {
        head.name.text: (head, tree)
        for tree in trees.values()
        for head in tree.decls
        if isinstance(head, n.Game) and head.library
    }
    for use in decls:
        if isinstance(use, n.Use) and use.module.text in libraries:
            head, tree = libraries[use.module.text]
            module = uses.define(head.name, "library", head)
            uses.note(use.module.span, module)
            things = {d.name.text: d for d in tree.decls if isinstance(d, NAMED)}
            for need, given in use.bindings:
                if need.text in things:
                    thing = things[need.text]
                    uses.note(need.span, uses.define(thing.name, word_of(thing), thing, thing.notes))
                found = symbols.globals.get(given.text) or symbols.procedures.get(given.text)
                if isinstance(found, NAMED):
                    uses.note(given.span, uses.of(found.name))
    _note_modules(uses, {name: head for name, (head, _) in libraries.items()})
    game = symbols.game
    if game.library:
        for name in (*game.needs, *game.offers):
            found = symbols.globals.get(name.text) or symbols.procedures.get(name.text)
            if isinstance(found, NAMED):
                uses.note(name.span, uses.of(found.name))


def _note_modules(uses: Uses, libraries: Mapping[str, n.Game]) -> None:
    for use in list(uses.found.values()):
        module = use.definition.name.partition(".")[0] if "." in use.definition.name else ""
        if module in libraries and use.definition.what != "example":
            file, end = use.span.file, use.span.start - 1
            start = end - len(module)
            if start >= 0 and file.text[start : end + 1] == f"{module}.":
                uses.note(Span(file, start, end), uses.define(libraries[module].name, "library", libraries[module]))


def note_citations(uses: Uses, gathered: Gathered, tree: n.Tree) -> None:
    """The sources and sections that notes speak of."""
    sources: dict[str, n.Source] = {}
    for source in gathered.game.sources:
        sources.setdefault(source.name.text, source)
    for cite in _cites((gathered.decls, tree.decls, tree.patches, tree.variant and tree.variant.sources)):
        source_of = sources.get(cite.source)
        if source_of is None or not cite.span.text.startswith(cite.source):
            continue  # a variant cites the base's rules from a rulebook of its own
        start = cite.span.start
        uses.note(Span(cite.span.file, start, start + len(cite.source)), uses.of(source_of.name))
        section = next((s for s in source_of.headings if s.is_place(cite.place)), None)
        if section is not None:
            found = uses.define(n.Name(section.title, section.span), f"section of {source_of.name.text}", gathered.game)
            uses.note_whole(Span(cite.span.file, start + len(cite.source), cite.span.end), found)


def _cites(nodes: tuple[object, ...]) -> Iterator[n.Cite]:
    for node in nodes:
        for found in descend(node):
            if isinstance(found, n.Cite):
                yield found


def note_answers(uses: Uses, symbols: Symbols) -> None:
    """Words of answers in examples: branches, cards, members of enums, the players it names."""
    branches: dict[str, Definition] = {}
    for definition in uses.definitions.values():
        if definition.what == "branch":
            branches.setdefault(definition.name, definition)
    for decl in symbols.others:
        if not isinstance(decl, n.Example):
            continue
        named = {name.text: name for node in descend(decl) if isinstance(node, n.Named) for name in node.names}
        for act in (a for clause in decl.clauses for a in clause.acts):
            behind = act.span.text.find("choose")
            for number, word in enumerate(WORD.finditer(act.span.text, behind + len("chooses"))):
                text, enum = word.group(), symbols.members.get(word.group())
                if number == 0 and text in branches:
                    found: Definition | None = branches[text]
                elif text in named:
                    found = uses.of(named[text])
                elif enum is not None:
                    found = uses.of(next(m for m in enum.members if m.text == text))
                else:
                    card = symbols.card(text)
                    found = uses.of(card.name) if card is not None else branches.get(text)
                uses.note(Span(act.span.file, act.span.start + word.start(), act.span.start + word.end()), found)


def note_patches(
    uses: Uses, symbols: Symbols, tree: n.Tree, main: SourceFile, trees: Mapping[SourceFile, n.Tree]
) -> None:
    """A variant's changes: the parts of the base that they are about."""
    variant = tree.variant
    assert variant is not None
    old_names = {new.text: old.text for old, new in variant.renames}
    base: dict[tuple[str, str], tuple[n.Name, n.Decl]] = {}
    anything: dict[str, Definition] = {d.name: d for d in uses.definitions.values() if not d.local}
    for file, other in trees.items():
        head = next((d for d in other.decls if isinstance(d, n.Game)), None)
        if file is main or (head is not None and head.library):
            continue
        if head is not None and head.name.text == variant.base.text:
            uses.note(variant.base.span, uses.define(head.name, "game", head))
        if other.variant is not None and other.variant.name.text == variant.base.text:
            uses.note(variant.base.span, uses.define(other.variant.name, "game"))
        for one in variant.stack:
            for named in (one.name, one.after):
                if other.variant is not None and named is not None and named.text == other.variant.name.text:
                    uses.note(named.span, uses.define(other.variant.name, "game"))
        changed = [d for p in other.patches if isinstance(p, (n.Replace, n.AddPart)) for d in p.decls]
        for decl in (*changed, *other.decls):
            if isinstance(decl, NAMED):
                base.setdefault(("", decl.name.text), (decl.name, decl))
            elif isinstance(decl, n.Example):
                start = max(decl.span.start, decl.span.end - len(decl.title) - 2)
                name = n.Name(decl.title, Span(decl.span.file, start, decl.span.end))
                base.setdefault(("example", decl.title), (name, decl))

    def part(name: str, kind: str = "") -> Definition | None:
        found = base.get((kind, old_names.get(name, name))) or base.get((kind, name))
        return None if found is None else uses.define(found[0], word_of(found[1]), found[1], found[1].notes)

    for old, new in variant.renames:
        found = anything.get(new.text) or part(old.text)
        uses.note(old.span, found)
        uses.note(new.span, found)
    for change in tree.patches:
        match change:
            case n.SetPart():
                uses.note(change.name.span, part(change.name.text) or anything.get(change.name.text))
            case n.Remove() if change.word == "example":
                found = part(change.label, "example")
                if found is not None:
                    uses.note_whole(change.label_span, found)
            case n.Remove():
                uses.note(change.label_span, part(change.label))
            case n.Replace():
                for decl in change.decls:
                    if isinstance(decl, NAMED):
                        uses.note(decl.name.span, part(decl.name.text))
            case n.Cards():
                uses.note(change.deck.span, part(change.deck.text))
            case n.Lines():
                uses.note(change.rule.span, part(change.rule.text))
                if change.anchor is not None:
                    uses.note(change.anchor.span, part(change.anchor.text) or anything.get(change.anchor.text))
            case n.AddPart():
                pass
