"""Which name means what: every place of a ruleset where a name stands, and where that name was made.

In: what was gathered of a ruleset (perhaps with mistakes, perhaps nothing) and the trees of its files. Out: an `Index`.
Nothing is resolved anew here: names are looked up by the pass that gives kinds (infer.py), and noted while it does so.
What that pass does not reach (a variant's changes, citations, rows of decks, answers of examples) is added. It says
nothing about mistakes and reads no file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report, RulesError
from cambist.dsl.imports import Gathered
from cambist.dsl.index_infer import Noting
from cambist.dsl.index_more import note_answers, note_citations, note_parts, note_patches, note_rows, note_uses
from cambist.dsl.index_notes import Definition, Use, Uses
from cambist.dsl.source import SourceFile
from cambist.dsl.symbols import collect

Trees = Mapping[SourceFile, n.Tree]


@define
class Index:
    game: n.Game
    uses: list[Use] = field(factory=list)
    definitions: dict[tuple[str, int], Definition] = field(factory=dict)
    _by_file: dict[str, list[Use]] = field(factory=dict)  # in the order of the text
    _longest: dict[str, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for use in self.uses:
            self._by_file.setdefault(use.span.file.name, []).append(use)
        for file, uses in self._by_file.items():
            uses.sort(key=lambda u: (u.span.start, u.span.end))
            self._longest[file] = max(u.span.end - u.span.start for u in uses)

    def at(self, file: str, offset: int) -> Use | None:
        """What stands there; the cursor may be just behind it."""
        return next(iter(self.all_at(file, offset)), None)

    def all_at(self, file: str, offset: int) -> list[Use]:
        """The smallest that stands there: two where a name is made and used at once."""
        uses = self._by_file.get(file, [])
        stop = bisect_right(uses, offset, key=lambda u: u.span.start)
        start = bisect_left(uses, offset - self._longest.get(file, 0), key=lambda u: u.span.start)
        found = [u for u in uses[start:stop] if offset <= u.span.end]
        inside = [u for u in found if offset < u.span.end] or found
        smallest = min((u.span.end - u.span.start for u in inside), default=0)
        return [u for u in inside if u.span.end - u.span.start == smallest]

    def of(self, definition: Definition) -> list[Use]:
        """All places, the one where it was made too, in the order of the text."""
        found = [u for u in self.uses if u.definition.key == definition.key]
        return sorted(found, key=lambda u: (u.span.file.name, u.span.start))

    def in_file(self, file: str) -> list[Use]:
        return self._by_file.get(file, [])


def index_of(gathered: Gathered | None, main: SourceFile, trees: Trees) -> Index:
    """The index of a ruleset; where it could not be gathered, of the one file alone."""
    tree = trees.get(main, n.Tree(()))
    if gathered is None:
        gathered = _alone(main, tree)
    report = Report()
    uses = Uses()
    note_parts(uses, gathered.decls, gathered.game)
    symbols = collect(gathered.decls, gathered.game, report)
    inferer = Noting(symbols, report, uses)
    try:
        inferer.run()
        inferer.note_results()
    except RulesError:
        pass  # more mistakes than anybody reads: what was found so far is enough
    note_rows(uses, symbols, gathered.sheets)
    note_uses(uses, symbols, gathered.decls, trees)
    note_citations(uses, gathered, tree)
    note_answers(uses, symbols)
    if tree.variant is not None:
        note_patches(uses, symbols, tree, main, trees)
    return Index(gathered.game, list(uses.found.values()), uses.definitions)


def _alone(main: SourceFile, tree: n.Tree) -> Gathered:
    changed = [d for p in tree.patches if isinstance(p, (n.Replace, n.AddPart)) for d in p.decls]
    decls = (*tree.decls, *changed)
    head = next((d for d in decls if isinstance(d, n.Game)), None)
    variant = tree.variant
    if head is None and variant is not None:
        head = n.Game(variant.name, variant.title, False, variant.players, variant.sources, (), (), (), variant.span)
    return Gathered(head or n.Game(n.Name("game", tree.span), "", True, None, (), (), ()), decls, main)


__all__ = ["Definition", "Index", "Use", "index_of"]
