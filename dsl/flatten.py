"""A variant -> one ruleset of its own, as text: what `cambist flatten` prints. It gives the same games.

In: what imports.py gathered, and the checked ruleset (for the cards that are in a deck after all). Out: text in the
layout of all shipped files, and the files that must stand beside it. A declaration that is as it was written keeps its
text with all comments; one that was changed is written anew, with the comments above it. Modules stay `use`d, sheets of
cards become rows. A rulebook's sections that nothing cites any more are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import attrs
from attrs import define, field, frozen

from cambist.dsl import nodes as n
from cambist.dsl.build import build
from cambist.dsl.components import Made, Printed
from cambist.dsl.diagnostics import Report
from cambist.dsl.imports import Gathered
from cambist.dsl.layout import formatted
from cambist.dsl.source import SourceFile
from cambist.dsl.symbols import Symbols
from cambist.dsl.unparse import declaration
from cambist.dsl.walk import descend

CLOSING = (")", "]", "}")
KEY = re.compile(r"[A-Za-z_]\w*(?=\s*:)", re.ASCII)


@frozen
class Flat:
    text: str
    beside: dict[str, str]  # sheets and modules that it needs in the same folder: what they hold, by their names


def flattened(gathered: Gathered, symbols: Symbols, made: tuple[Made, ...]) -> Flat:
    flattener = Flattener(gathered, symbols, made)
    blocks = list(flattener.blocks())
    return Flat(formatted("\n".join(blocks) + "\n", gathered.file.name), flattener.beside())


@define
class Flattener:
    gathered: Gathered
    symbols: Symbols
    made: tuple[Made, ...]
    _written: dict[str, _Written] = field(factory=dict)

    def blocks(self) -> Iterator[str]:
        """The text of each declaration, comments above it included."""
        told: set[tuple[str, int]] = set()
        decls = [d for d in self.gathered.own if not isinstance(d, n.Game)]
        head = self.head()
        for decl in (head, *decls):
            written = self.written(decl.span.file)
            place = (decl.span.file.name, decl.span.start)
            whole = self.plain(decl)
            original = None if decl is head else written.unchanged(whole, decls)
            above = [] if place in told else written.comments(decl.span.line)
            if original is None:
                yield "\n".join([*above, *declaration(whole)])
            elif place not in told:
                yield "\n".join([*above, *original])
            told.add(place)

    def written(self, file: SourceFile) -> _Written:
        if file.name not in self._written:
            self._written[file.name] = _Written.of(file)
        return self._written[file.name]

    def plain(self, decl: n.Decl) -> n.Decl:
        """The declaration as a game of its own would have it."""
        match decl:
            case n.Use():
                given = {need.text for need, _ in decl.bindings}
                met = self.gathered.met.get(decl.module.text, {})
                more = [(n.Name(need), n.Name(thing)) for need, thing in met.items() if need != thing]
                more = sorted((pair for pair in more if pair[0].text not in given), key=lambda pair: pair[0].text)
                return attrs.evolve(decl, bindings=(*decl.bindings, *more))
            case n.Deck() if decl.sheet is not None or decl.less:
                return attrs.evolve(decl, sheet=None, rows=tuple(self.rows(decl)), less=())
            case n.Track() if decl.sheet is not None:
                notes = tuple(note for note in decl.notes if not note.span.file.name.endswith((".yaml", ".yml")))
                return attrs.evolve(decl, starts=(), notes=notes)
            case _:
                return decl

    # ---- cards

    def rows(self, deck: n.Deck) -> Iterator[n.Row]:
        for one, equal in groupby(m for m in self.made if m.deck == deck.name.text):
            card = self.symbols.card(one.card)
            assert card is not None
            cells = tuple(self.cell(item, value) for item, value in zip(card.fields, one.values, strict=True))
            notes = (n.Assumed(one.assumed),) if one.assumed else ()
            yield n.Row(len(list(equal)), card.name, cells, notes)

    def cell(self, item: n.Field, value: Printed) -> n.Cell:
        if isinstance(value, tuple):
            return n.ListOf(tuple(self.one(item, part) for part in value))
        return self.one(item, value)

    def one(self, item: n.Field, value: int) -> n.Ref | n.Number:
        enum = self.symbols.enum(item.kind.text)
        if enum is not None:
            return n.Ref(enum.members[value].text)
        text = self.symbols.as_written(item.kind.text, value)
        return n.Ref(text) if item.kind.text == "flag" else n.Number(text)

    # ---- the head and its rulebooks

    def head(self) -> n.Game:
        cited: dict[str, set[str]] = {}
        for node in descend(self.gathered.own):
            for note in getattr(node, "notes", ()):
                if isinstance(note, n.Cite):
                    cited.setdefault(note.source, set()).add(note.place)
        sources = []
        for source in self.gathered.game.sources:
            places = cited.get(source.name.text, set())
            own = source.span.file.name == self.gathered.file.name
            kept = tuple(
                attrs.evolve(section, stands_for=())
                for section in source.headings
                if own or section.no_rule or any(section.is_place(place) for place in places)
            )
            if own or places:
                sources.append(attrs.evolve(source, headings=kept))
        return attrs.evolve(self.gathered.game, sources=tuple(sources))

    # ---- files beside it

    def beside(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for decl in self.gathered.own:
            if isinstance(decl, n.Track) and decl.sheet is not None:
                home = self.gathered.homes.get(decl.sheet.span.file.name)
                if home is not None:
                    found[decl.sheet.value] = self._values(home.parent / decl.sheet.value, decl)
        for path in self.gathered.modules:
            found[path.name] = path.read_text("utf-8")
        return found

    def _values(self, path: Path, track: n.Track) -> str:
        """The sheet of values, by the names that the variant gives."""
        text = path.read_text("utf-8")
        renames = self.gathered.renames
        return KEY.sub(lambda key: renames.get(key.group(), key.group()), text) if renames else text


@define
class _Written:
    """The lines of a file, and what they declare."""

    file: SourceFile
    tree: n.Tree
    starts: list[int]  # the lines where something stands in the first column

    @staticmethod
    def of(file: SourceFile) -> _Written:
        lines = [file.line_text(number) for number in range(1, len(file.starts) + 1)]
        starts = [at for at, line in enumerate(lines, 1) if line[:1].strip() and not line.startswith(("#", *CLOSING))]
        return _Written(file, build(file, Report()), starts)

    def unchanged(self, decl: n.Decl, all_decls: Sequence[n.Decl]) -> list[str] | None:
        """The lines of a declaration as its author wrote them, if it still says the same."""
        here = [d for d in self.tree.decls if d.span.start == decl.span.start]
        now = [d for d in all_decls if d.span.file is decl.span.file and d.span.start == decl.span.start]
        if not here or here != now or decl not in here:
            return None
        begin = decl.span.line
        end = next((start for start in self.starts if start > begin), len(self.file.starts) + 1)
        lines = [self.file.line_text(number) for number in range(begin, end)]
        while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
            lines.pop()
        return lines

    def comments(self, line: int) -> list[str]:
        """The comments that stand above a line in the first column, with the empty lines between and above them."""
        found: list[str] = []
        for number in range(line - 1, 0, -1):
            text = self.file.line_text(number)
            if text.strip() and not text.startswith("#"):
                break
            found.append(text)
        return found[::-1]
