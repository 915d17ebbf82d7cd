"""The rules with the modules they use and the sheets beside them, one flat list of declarations; finding.py reads the
files.

A variant is read with its base, and its base's base; the changes are made before modules are added, so that a variant
may use others. A module is a `library` file. What it `needs` it declares as stand-ins, so that it can be tested
alone; a ruleset that uses it puts its own things in their place. What it `offers` is called `module.name` from
outside; its tests stay at home.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs
from attrs import define, field

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.finding import MOST_NEARBY, NAME, exists, library_folder, own_name, read, shipped, short
from cambist.dsl.modules import KINDS, Thing, is_kept, noted, qualify, takes_part, things
from cambist.dsl.reading import decode
from cambist.dsl.sheets import SheetRow, read_sheet
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.value_sheets import read_values
from cambist.dsl.variant_stack import check_stack
from cambist.dsl.variants import Base, Earlier, Marked, patch, renamed_rows
from cambist.dsl.walk import renamed, used_names

MOST_FILES, LARGEST_RULESET = 64, 1024 * 1024


@define
class Gathered:
    game: n.Game
    decls: tuple[n.Decl, ...]
    file: SourceFile
    sheets: dict[str, list[SheetRow]] = field(factory=dict)
    digested: list[str] = field(factory=list)  # texts of all files read, for the digest
    own: tuple[n.Decl, ...] = ()  # without those of modules
    met: dict[str, dict[str, str]] = field(factory=dict)  # what each module of the ruleset needs, by what is given
    homes: dict[str, Path | None] = field(factory=dict)  # where the files of rules lie, by how they are shown
    renames: dict[str, str] = field(factory=dict)  # by variants: old name -> new one
    modules: list[Path] = field(factory=list)  # those that lie beside the rules
    marks: list[Marked] = field(factory=list)  # of a variant: what each change would stand against now


@define
class Disk:
    """Where files and their trees come from: here from the disk, built anew each time. disk.py has another."""

    def read(self, path: Path, shown: str, span: Span, report: Report) -> SourceFile | None:
        return read(path, shown, span, report)

    def tree(self, file: SourceFile, report: Report) -> n.Tree:
        return build(file, report)


DISK = Disk()


def gather(path: Path, shown: str, report: Report, more: str = "", disk: Disk = DISK) -> Gathered | None:
    """The ruleset of one file with all it uses; None if it cannot be read at all. `more` is read as its last lines."""
    gatherer = Gatherer(report, disk)
    shown = short(shown)
    file = disk.read(path, shown, Span(SourceFile(shown, ""), 0, 0), report)
    if file is not None and more:
        file = SourceFile(file.name, f"{file.text.rstrip()}\n\n{more}")
    return None if file is None else gatherer.whole(file, path)


def gather_text(text: str, shown: str, report: Report) -> Gathered | None:
    """A ruleset that is not on disk; it can use the library, but no files beside it."""
    file = decode(shown, text.encode("utf-8", "surrogatepass"))
    if isinstance(file, Diagnostic):
        report.add(file)
        return None
    return Gatherer(report).whole(file, None)


@define
class Gatherer:
    report: Report
    disk: Disk = DISK
    files: int = 0
    size: int = 0
    sheets: dict[str, list[SheetRow]] = field(factory=dict)
    texts: list[str] = field(factory=list)
    homes: dict[str, Path | None] = field(factory=dict)  # where each file of rules lies, by how it is shown
    renames: dict[str, str] = field(factory=dict)  # by variants: old name -> new one
    marks: list[Marked] = field(factory=list)  # of what a variant changes
    met: dict[str, dict[str, str]] = field(factory=dict)  # what each module of the ruleset needs, by what is given
    modules: list[Path] = field(factory=list)  # those that lie beside the rules

    def whole(self, file: SourceFile, path: Path | None) -> Gathered | None:
        """A ruleset with all it uses."""
        found = self.declared(file, path, ())
        if found is None:
            return None
        head, own = found
        decls = self.with_modules(own, path, (path.stem if path else head.name.text,))
        found_out = (self.met, self.homes, self.renames, self.modules, self.marks)
        return Gathered(head, decls, file, self.sheets, self.texts, own, *found_out)

    def declared(
        self, file: SourceFile, path: Path | None, chain: tuple[str, ...]
    ) -> tuple[n.Game, tuple[n.Decl, ...]] | None:
        """What a ruleset declares, a variant on top of its base; sheets are read, modules are not."""
        self.texts.append(file.text)
        self.homes[file.name] = path
        tree = self.disk.tree(file, self.report)
        if tree.variant is not None:
            return self.on_its_base(tree.variant, tree, path, chain)
        for change in tree.patches if "variant" not in self.report.lost else ():  # else that is told already
            self.report.add(say.patch_outside(change.span, change.span.text.split()[0]))
            self.report.lost |= set(NAME.findall(file.text[change.span.end : file.text.find("\n", change.span.end)]))
        head = next((d for d in tree.decls if isinstance(d, n.Game)), None)
        if head is None:
            if "game" not in self.report.lost and "library" not in self.report.lost:
                if not tree.decls and not self.report.items:
                    self.report.add(say.empty_rules(Span(file, 0, 1)))
                if tree.decls:
                    self.report.add(say.missing_part(Span(file, 0, 1), {"game": 'game market "Market day"'}))
            if not tree.decls:
                return None
            head = n.Game(n.Name("game", tree.span), "", True, None, (), (), ())
        self.load_sheets(tree.decls, path)
        return head, self.all_with_starts(tree.decls, file, path)

    def on_its_base(
        self, variant: n.Variant, tree: n.Tree, path: Path | None, chain: tuple[str, ...]
    ) -> tuple[n.Game, tuple[n.Decl, ...]] | None:
        base, chain = variant.base, (*chain, variant.name.text)
        if base.text in chain:
            self.report.add(say.import_cycle(base.span, (*chain, base.text)))
            return None
        place = self.base_place(base, path)
        if place is None:
            return None
        self.files += 1
        file = self.disk.read(place, _shown_base(place, path, base.span), base.span, self.report)
        if file is None or self.too_much(file, base.span):
            return None
        found = self.declared(file, place, chain)
        if found is None:
            return None
        head, decls = found
        if head.library:
            self.report.add(say.no_such_base(base.span, base.text, shipped()))
            return None
        origin = Base(head, decls, self.sheets)
        now, earlier = origin, Earlier()
        for other, place in self.stacked(variant, path, chain):
            now, earlier = self.changed(other, place, now, origin, earlier)
        now, _ = self.changed(tree, path, now, now, Earlier())
        return now.game, (now.game, *now.decls)

    def changed(
        self, tree: n.Tree, path: Path | None, now: Base, written_for: Base, earlier: Earlier
    ) -> tuple[Base, Earlier]:
        """What is there after the changes of one variant, and what was done to the base up to here."""
        assert tree.variant is not None
        file = tree.variant.span.file
        done = patch(tree, now, written_for, earlier, self.report)
        self.marks = done.marks  # those of the ruleset itself come last
        self.renames = _composed(self.renames, done.renames)
        self.sheets = {
            done.renames.get(deck, deck): renamed_rows(rows, done.renames) for deck, rows in self.sheets.items()
        }
        for deck in done.decls:
            if isinstance(deck, n.Deck) and deck.sheet is not None and deck.sheet.span.file is file:
                self.load_sheets((deck,), path)
                self.sheets[deck.name.text] = renamed_rows(self.sheets.get(deck.name.text, []), earlier.renames)
        made = Base(done.game, self.all_with_starts(done.decls, file, path), self.sheets)
        return made, Earlier(_composed(earlier.renames, done.renames), earlier.files | {file.name})

    def stacked(self, variant: n.Variant, path: Path | None, chain: tuple[str, ...]) -> list[tuple[n.Tree, Path]]:
        """The variants that are stacked below this one, as far as they can be: each with its file."""
        found: dict[str, tuple[n.Tree, Path]] = {}
        for one in variant.stack:
            name = one.name
            place = None if name.text in found else self.base_place(name, path)
            if name.text in chain:
                self.report.add(say.import_cycle(name.span, (*chain, name.text)))
                continue
            if place is None:
                continue
            self.files += 1
            file = self.disk.read(place, _shown_base(place, path, name.span), name.span, self.report)
            if file is None or self.too_much(file, name.span):
                continue
            self.texts.append(file.text)
            self.homes[file.name] = place
            tree = self.disk.tree(file, self.report)
            if tree.variant is None or tree.variant.stack or tree.variant.base.text != variant.base.text:
                self.report.add(say.cannot_be_stacked(name.span, name.text, *_why_not(tree.variant, variant)))
            else:
                found[name.text] = (tree, place)
        check_stack(variant.stack, {name: tree for name, (tree, _) in found.items()}, self.report)
        return list(found.values())

    def base_place(self, base: n.Name, path: Path | None) -> Path | None:
        """The file of a variant's base: beside it, by the name of the file or its own, or shipped."""
        if path is not None:
            beside = path.parent / f"{base.text}.rules"
            near = [beside, *sorted(path.parent.glob("*.rules"))[:MOST_NEARBY]]
            for place in near:
                if place != path and exists(place) and _inside(place, path.parent) and own_name(place) == base.text:
                    return place
        games = shipped()
        if base.text in games:
            return games[base.text]
        self.report.add(say.no_such_base(base.span, base.text, games))
        return None

    def with_modules(self, decls: tuple[n.Decl, ...], path: Path | None, chain: tuple[str, ...]) -> tuple[n.Decl, ...]:
        """The declarations with those of all used modules added, and `module.name` turned into one name."""
        own: dict[str, n.Decl] = dict(things(decls))
        added: list[n.Decl] = []
        modules: dict[str, set[str]] = {}
        for use in decls:
            if isinstance(use, n.Use):
                found = self.module(use, self.homes.get(use.span.file.name, path), chain, own)
                if found is None:
                    modules[use.module.text] = set()
                    self.report.lost.add(use.module.text)
                else:
                    modules[use.module.text] = {d.name.text for d in found if hasattr(d, "name")}
                    added += found
                    own |= things(found)
        if modules:
            decls = qualify(decls, modules)
        return (*decls, *added)

    def module(
        self, use: n.Use, path: Path | None, chain: tuple[str, ...], own: dict[str, n.Decl]
    ) -> list[n.Decl] | None:
        name = use.module.text
        span = use.module.span
        beside = path.parent / f"{name}.rules" if path else None
        library = library_folder() / f"{name}.rules"
        place = beside if beside is not None and beside.exists() and _inside(beside, beside.parent) else library
        if name in chain:
            self.report.add(say.import_cycle(span, (*chain, name)))
            return None
        if not place.exists():
            known = [p.stem for p in library_folder().glob("*.rules")]
            unknown = say.unknown_library(span, name, known)
            self.report.add(unknown)
            if unknown.fix is not None:
                self.report.lost.add(unknown.fix.text)  # what is used of it is meant, and not told to be missing
            return None
        if self.files > MOST_FILES:
            return None  # that is told already
        self.files += 1
        shown = _beside(span, name) if place == beside else f"library/{name}.rules"
        self.modules += [place] if place == beside else []
        file = self.disk.read(place, shown, span, self.report)
        if file is None or self.too_much(file, span):
            return None
        self.texts.append(file.text)
        tree = self.disk.tree(file, self.report)
        head = next((d for d in tree.decls if isinstance(d, n.Game)), None)
        if head is None or not head.library:
            if head is not None or not self.report.has_errors:
                self.report.add(say.not_a_library(span, name))
            return None
        decls = self.with_modules(tree.decls, place, (*chain, name))
        return self.adapted(use, head, decls, own)

    def too_much(self, file: SourceFile, span: Span) -> bool:
        self.size += len(file.text)
        if self.files > MOST_FILES:
            self.report.add(say.too_many(span, "files", self.files, MOST_FILES))
            return True
        if self.size > LARGEST_RULESET:
            self.report.add(say.too_many(span, "characters", self.size, LARGEST_RULESET))
            return True
        return False

    def adapted(
        self, use: n.Use, head: n.Game, decls: tuple[n.Decl, ...], own: dict[str, n.Decl]
    ) -> list[n.Decl] | None:
        """The module's declarations under their outside names, its needs replaced by the ruleset's own
        things."""
        module = use.module.text
        given = {need.text: name for need, name in use.bindings}
        stand_ins = things(decls)
        needs = {name.text for name in head.needs}
        odd = [need for need, _ in use.bindings if need.text not in needs]
        for need in odd:
            self.report.add(say.unknown_name(need.span, need.text, needs))
        mapping = {need: given[need].text if need in given else self.renames.get(need, need) for need in needs}
        if odd or not self.needs_met(use, given, stand_ins, mapping, own):
            return None
        self.met[module] = dict(mapping)
        offered = self.offered(head, stand_ins)
        kept = [d for d in decls if is_kept(d, offered, needs, set(stand_ins))]
        for d in kept:
            if hasattr(d, "name"):
                mapping.setdefault(d.name.text, f"{module}.{d.name.text}")
            if isinstance(d, n.Enum):
                mapping.update({m.text: f"{module}.{m.text}" for m in d.members})
        return [renamed(noted(d, use.notes), lambda name: mapping.get(name, name)) for d in kept]

    def needs_met(
        self,
        use: n.Use,
        given: dict[str, n.Name],
        stand_ins: dict[str, Thing],
        mapping: dict[str, str],
        own: dict[str, n.Decl],
    ) -> bool:
        """Whether everything that the module needs is there and can take the part of its stand-in."""
        missing: list[tuple[str, str]] = []
        good = True
        for need, target in sorted(mapping.items()):
            stand_in, found = stand_ins.get(need), own.get(target)
            wanted = KINDS[type(stand_in)] if stand_in is not None else "something"
            if found is None and need in given:
                fitting = [name for name, d in own.items() if stand_in is not None and takes_part(d, stand_in)]
                self.report.add(say.unknown_name(given[need].span, target, fitting))
                good = False
            elif found is None or stand_in is None:
                missing.append((need, wanted))
            elif not takes_part(found, stand_in):
                span = given[need].span if need in given else use.module.span
                self.report.add(say.wrong_part(span, use.module.text, need, wanted, KINDS[type(found)]))
                good = False
        if missing:
            self.report.add(say.unmet_needs(use.module.span, use.module.text, missing))
        return good and not missing

    def offered(self, head: n.Game, stand_ins: dict[str, Thing]) -> set[str]:
        """What the module gives, and all that this is made of; its needs and its tests are not in it."""
        needs = {name.text for name in head.needs}
        waiting = []
        for name in head.offers:
            if name.text not in stand_ins:
                self.report.add(say.unknown_name(name.span, name.text, stand_ins))
            else:
                waiting.append(name.text)
        found: set[str] = set()
        while waiting:
            name_text = waiting.pop()
            if name_text not in found and name_text not in needs:
                found.add(name_text)
                waiting += used_names(stand_ins[name_text]) & set(stand_ins)
        return found

    def load_sheets(self, decls: tuple[n.Decl, ...], path: Path | None) -> None:
        for deck in decls:
            if isinstance(deck, n.Deck) and deck.sheet is not None:
                file = self.sheet(deck.sheet, path)
                if file is not None:
                    self.sheets[deck.name.text] = read_sheet(file, self.report)

    def all_with_starts(self, decls: tuple[n.Decl, ...], file: SourceFile, path: Path | None) -> tuple[n.Decl, ...]:
        """Tracks that this file gives a sheet, with what stands in it."""
        return tuple(
            self.with_starts(d, path) if isinstance(d, n.Track) and d.sheet and d.sheet.span.file is file else d
            for d in decls
        )

    def with_starts(self, track: n.Track, path: Path | None) -> n.Track:
        """The track with what its sheet says where each marker begins."""
        file = None if track.sheet is None else self.sheet(track.sheet, path)
        if file is None:
            return track
        starts, notes = read_values(file, self.report)
        return attrs.evolve(track, starts=starts, notes=(*track.notes, *notes))

    def sheet(self, named: n.Text, path: Path | None) -> SourceFile | None:
        span, name = named.span, named.value
        if path is None or not _inside(path.parent / name, path.parent):
            self.report.add(
                say.no_such_file(span, f"`{name}` is not beside the rules", "put the sheet into the same folder")
            )
            return None
        self.files += 1
        file = self.disk.read(path.parent / name, _beside(span, name), span, self.report)
        if file is None or self.too_much(file, span):
            return None
        self.texts.append(file.text)
        return file


def _composed(earlier: Mapping[str, str], later: Mapping[str, str]) -> dict[str, str]:
    """Old names to the newest ones, where what was renamed is renamed again."""
    return {**later, **{old: later.get(name, name) for old, name in earlier.items()}}


def _why_not(other: n.Variant | None, variant: n.Variant) -> tuple[str, str]:
    """Why a ruleset cannot be stacked on this variant's base, and what to do."""
    base = variant.base.text
    if other is None:
        return "it is a game, not a variant", f"name variants of `{base}`"
    if other.base.text != base:
        return f"it is a variant of `{other.base.text}`, not of `{base}`", f"name variants of `{base}`"
    return "it is a stack itself", f"name its variants: {', '.join(one.name.text for one in other.stack)}"


def _shown_base(place: Path, path: Path | None, span: Span) -> str:
    """How to show a base: like its variant if it lies in the same folder."""
    if path is not None and place.parent.resolve() == path.parent.resolve():
        return _beside(span, place.name)
    return f"{place.parent.name}/{place.name}"


def _beside(span: Span, name: str) -> str:
    """How to show a file that stands beside the one that names it."""
    shown = Path(span.file.name).parent / (name if "." in name else f"{name}.rules")
    return str(shown)


def _inside(path: Path, folder: Path) -> bool:
    """Below the folder, links resolved: a ruleset from elsewhere cannot read your files."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a loop of links is a RuntimeError before Python 3.13
        return False


__all__ = ["Gathered", "gather", "gather_text"]
