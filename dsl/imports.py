"""Finds and reads files: the rules, the modules they use, the sheets beside them. One flat list of
declarations comes out.

A variant is read with its base, and its base's base; the changes are made before modules are added, so that a variant
may use others. A module is a `library` file. What it `needs` it declares as stand-ins, so that it can be tested
alone; a ruleset that uses it puts its own things in their place. What it `offers` is called `module.name` from
outside; its tests stay at home. This is the only file of dsl/ that reads from the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import resources
from pathlib import Path
from typing import Any

import attrs
from attrs import define, field

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.reading import LARGEST_FILE, decode
from cambist.dsl.sheets import SheetRow, read_sheet
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.value_sheets import read_values
from cambist.dsl.variants import patch, renamed_rows
from cambist.dsl.walk import renamed, used_names

Thing = (
    n.Enum
    | n.Card
    | n.Deck
    | n.Zone
    | n.Account
    | n.Variable
    | n.Track
    | n.Define
    | n.Procedure
    | n.Table
    | n.Unit
    | n.Option
)

MOST_FILES, LARGEST_RULESET, LONGEST_SHOWN = 64, 1024 * 1024, 240
MOST_NEARBY = 200
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
OWN_NAME = re.compile(r"^(?:game|variant) +([A-Za-z_]\w*)", re.ASCII | re.MULTILINE)
_INSTEAD: ContextVar[Mapping[Path, bytes]] = ContextVar("instead of files", default={})  # noqa: B039 - never changed
KINDS = {
    n.Enum: "an enum",
    n.Card: "a card",
    n.Deck: "a deck",
    n.Zone: "a zone",
    n.Account: "an account",
    n.Variable: "a variable",
    n.Track: "a track",
    n.Define: "a definition",
    n.Procedure: "a procedure",
    n.Table: "a table",
    n.Unit: "a unit",
    n.Option: "an option",
}


@define
class Gathered:
    game: n.Game
    decls: tuple[n.Decl, ...]
    file: SourceFile
    sheets: dict[str, list[SheetRow]] = field(factory=dict)
    digested: list[str] = field(factory=list)  # texts of all files read, for the digest


def library_folder() -> Path:
    return Path(str(resources.files("cambist.dsl").joinpath("library")))


def games_folder() -> Path:
    return Path(str(resources.files("cambist.games")))


def shipped() -> dict[str, Path]:
    """Every ruleset below games/, by its own name, wherever its file lies."""
    found = {own_name(path): path.resolve() for path in games_folder().rglob("*.rules")}
    return {name: found[name] for name in sorted(found) if name}


def own_name(path: Path) -> str:
    """The name that a ruleset gives itself; nothing for a library or a file that cannot be read."""
    try:
        with path.open(encoding="utf-8") as stream:
            found = OWN_NAME.search(stream.read(LARGEST_FILE))
    except (OSError, ValueError):
        return ""
    return found.group(1) if found else ""


def nearby() -> dict[str, Path]:
    """Rulesets in this folder and the folders in it, by their own names: a shipped game goes before."""
    paths = [*Path().glob("*.rules"), *Path().glob("*/*.rules")]
    return {own_name(path): path for path in reversed(sorted(paths)[:MOST_NEARBY])}


def find(name_or_path: str, report: Report) -> Path | None:
    """A shipped game's name, a path to a .rules file, or a folder with the rules of its own name."""
    games = shipped()
    if name_or_path in games:
        return games[name_or_path]
    path = Path(name_or_path)
    own = path / f"{path.name}.rules"
    if path.suffix != ".rules" and _exists(own):
        return own
    if NAME.fullmatch(name_or_path) and not _exists(path):
        near = nearby()
        if name_or_path in near:
            return near[name_or_path]
    nowhere = Span(SourceFile(_short(name_or_path) or "(nothing)", ""), 0, 0)
    if path.suffix != ".rules" and not _exists(path):
        hint = (
            did_you_mean(name_or_path, games) or f"shipped games: {', '.join(games)}; or give a path to a .rules file"
        )
        report.add(say.no_such_file(nowhere, f"there is no game `{_short(name_or_path)}`", hint))
        return None
    return path


def _short(name: str) -> str:
    """A name to show: one of thousands of characters is nobody's."""
    return name if len(name) <= LONGEST_SHOWN else name[:LONGEST_SHOWN] + "…"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


@contextmanager
def instead(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """While it lasts, these files (by their resolved paths) are read as if they held this: nothing is written."""
    before = _INSTEAD.set(texts)
    try:
        yield
    finally:
        _INSTEAD.reset(before)


def read(path: Path, shown: str, span: Span, report: Report) -> SourceFile | None:
    try:
        if texts := _INSTEAD.get():
            data = texts.get(path.resolve())
            if data is not None:
                return _decoded(shown, data, report)
        if path.is_dir():
            report.add(say.no_such_file(span, f"`{shown}` is a folder", "name a .rules file in it"))
            return None
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
            size = path.stat().st_size
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
        report.add(say.no_such_file(span, f"`{shown}` {why}", "check the name"))
        return None
    if size > LARGEST_FILE:
        report.add(say.file_too_large(Span(SourceFile(shown, ""), 0, 0), size, LARGEST_FILE))
        return None
    return _decoded(shown, data, report)


def _decoded(shown: str, data: bytes, report: Report) -> SourceFile | None:
    found = decode(shown, data)
    if isinstance(found, Diagnostic):
        report.add(found)
        return None
    return found


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
    shown = _short(shown)
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

    def whole(self, file: SourceFile, path: Path | None) -> Gathered | None:
        """A ruleset with all it uses."""
        found = self.declared(file, path, ())
        if found is None:
            return None
        head, decls = found
        decls = self.with_modules(decls, path, (path.stem if path else head.name.text,))
        return Gathered(head, decls, file, self.sheets, self.texts)

    def declared(
        self, file: SourceFile, path: Path | None, chain: tuple[str, ...]
    ) -> tuple[n.Game, tuple[n.Decl, ...]] | None:
        """What a ruleset declares, a variant on top of its base; sheets are read, modules are not."""
        self.texts.append(file.text)
        self.homes[file.name] = path
        tree = self.disk.tree(file, self.report)
        if tree.variant is not None:
            return self.on_its_base(tree.variant, tree, path, chain)
        for change in tree.patches:
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
        done = patch(variant, tree, head, decls, self.report)
        self.renames |= done.renames
        self.sheets = {
            done.renames.get(deck, deck): renamed_rows(rows, done.renames) for deck, rows in self.sheets.items()
        }
        decks = (d for d in done.decls if isinstance(d, n.Deck) and d.sheet is not None)
        self.load_sheets(tuple(d for d in decks if d.sheet and d.sheet.span.file is variant.span.file), path)
        return done.game, (done.game, *self.all_with_starts(done.decls, variant.span.file, path))

    def base_place(self, base: n.Name, path: Path | None) -> Path | None:
        """The file of a variant's base: beside it, by the name of the file or its own, or shipped."""
        if path is not None:
            beside = path.parent / f"{base.text}.rules"
            near = [beside, *sorted(path.parent.glob("*.rules"))[:MOST_NEARBY]]
            for place in near:
                if place != path and _exists(place) and _inside(place, path.parent) and own_name(place) == base.text:
                    return place
        games = shipped()
        if base.text in games:
            return games[base.text]
        self.report.add(say.no_such_base(base.span, base.text, games))
        return None

    def with_modules(self, decls: tuple[n.Decl, ...], path: Path | None, chain: tuple[str, ...]) -> tuple[n.Decl, ...]:
        """The declarations with those of all used modules added, and `module.name` turned into one name."""
        own: dict[str, n.Decl] = dict(_things(decls))
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
                    own |= _things(found)
        if modules:
            decls = _qualify(decls, modules)
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
        stand_ins = _things(decls)
        needs = {name.text for name in head.needs}
        odd = [need for need, _ in use.bindings if need.text not in needs]
        for need in odd:
            self.report.add(say.unknown_name(need.span, need.text, needs))
        mapping = {need: given[need].text if need in given else self.renames.get(need, need) for need in needs}
        if odd or not self.needs_met(use, given, stand_ins, mapping, own):
            return None
        offered = self.offered(head, stand_ins)
        kept = [d for d in decls if _is_kept(d, offered, needs, set(stand_ins))]
        for d in kept:
            if hasattr(d, "name"):
                mapping.setdefault(d.name.text, f"{module}.{d.name.text}")
            if isinstance(d, n.Enum):
                mapping.update({m.text: f"{module}.{m.text}" for m in d.members})
        return [renamed(_noted(d, use.notes), lambda name: mapping.get(name, name)) for d in kept]

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
                fitting = [name for name, d in own.items() if stand_in is not None and _takes_part(d, stand_in)]
                self.report.add(say.unknown_name(given[need].span, target, fitting))
                good = False
            elif found is None or stand_in is None:
                missing.append((need, wanted))
            elif not _takes_part(found, stand_in):
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


def _things(decls: Iterable[n.Decl]) -> dict[str, Thing]:
    """What has a name that rules can use, by that name."""
    return {d.name.text: d for d in decls if isinstance(d, Thing) and d.name.text not in ("setup", "play")}


def _takes_part(found: n.Decl, stand_in: n.Decl) -> bool:
    zones = (n.Zone, n.Deck)
    return type(found) is type(stand_in) or (isinstance(found, zones) and isinstance(stand_in, zones))


def _noted(decl: n.Decl, notes: n.Notes) -> n.Decl:
    """A module's rule holds in a game for the reason the game gives where it uses the module."""
    return decl if decl.notes or not notes else attrs.evolve(decl, notes=notes)


def _is_kept(decl: n.Decl, offered: set[str], needs: set[str], known: set[str]) -> bool:
    """Offered things come along, and laws and triggers that speak of nothing else."""
    if isinstance(decl, (n.Property, n.Whenever)):
        return used_names(decl) & known <= offered | needs
    return isinstance(decl, Thing) and decl.name.text in offered


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


def _qualify(node: Any, modules: dict[str, set[str]]) -> Any:
    """`module.name(p, i)` is one name with a dot in it, where `module` is one that is used."""
    if isinstance(node, tuple):
        return tuple(_qualify(item, modules) for item in node)
    if isinstance(node, (Span, n.Cite, n.Assumed, n.Erratum)) or not attrs.has(type(node)):
        return node
    if isinstance(node, n.Dot) and isinstance(node.owner, n.Ref) and node.owner.name in modules:
        full = n.Name(f"{node.owner.name}.{node.name.text}", node.span if not node.args else node.name.span)
        args = tuple(_qualify(a, modules) for a in node.args)
        return n.Call(full, args, node.span) if args else n.Ref(full.text, node.span)
    changes = {
        f.name: _qualify(getattr(node, f.name), modules)
        for f in attrs.fields(type(node))
        if f.name not in ("span", "notes")
    }
    return attrs.evolve(node, **changes)


__all__ = ["Gathered", "find", "gather", "gather_text", "library_folder", "shipped"]
