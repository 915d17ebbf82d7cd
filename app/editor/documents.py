"""The files an editor has open, and what is known of each: checked when asked, kept until one of its files changes.

In: texts by path. Out: `Known` of a file: its ruleset, what is wrong, its index of names. The protocol is not its
affair.
"""

from __future__ import annotations

import os
from pathlib import Path

from attrs import define, field

from cambist.dsl.api import Gathered, check_open
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.disk import Kept, real
from cambist.dsl.finding import library_folder
from cambist.dsl.index import Definition, Index, Use, index_of
from cambist.dsl.nodes import Tree
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.source import SourceFile, Span

MOST_FILES, MOST_FOLDERS = 400, 2_000
SKIPPED = frozenset(("node_modules", "build", "dist", "__pycache__", "venv"))


@define
class Known:
    """One file with all that its ruleset is made of."""

    path: Path
    file: SourceFile
    gathered: Gathered | None
    ruleset: CheckedRuleset | None
    diagnostics: tuple[Diagnostic, ...]
    files: dict[str, Path]  # all that was read, by how it is shown
    trees: dict[SourceFile, Tree]
    stamps: dict[Path, object]  # what each file was when it was read
    _index: Index | None = None

    @property
    def tree(self) -> Tree:
        return self.trees.get(self.file, Tree(()))

    @property
    def index(self) -> Index:
        if self._index is None:
            self._index = index_of(self.gathered, self.file, self.trees)
        return self._index

    def place_of(self, span: Span) -> Path | None:
        """Where the file of a span lies."""
        return self.files.get(span.file.name)


@define
class Documents:
    kept: Kept = field(factory=Kept)
    strict: bool = False
    folders: list[Path] = field(factory=list)  # what the editor works in
    _known: dict[tuple[Path, bool], Known] = field(factory=dict)

    def open(self, path: Path, text: str) -> None:
        self.kept.texts[real(path)] = text

    def close(self, path: Path) -> None:
        self.kept.texts.pop(real(path), None)
        self._known = {key: known for key, known in self._known.items() if key[0] != real(path)}

    def is_open(self, path: Path) -> bool:
        return real(path) in self.kept.texts

    def known(self, path: Path) -> Known:
        """What is known of a file; checked anew if any file it is made of has changed."""
        key = (real(path), self.strict)
        found = self._known.get(key)
        if found is None or any(self._stamp(place) != stamp for place, stamp in found.stamps.items()):
            found = self._known[key] = self._check(real(path))
        return found

    def _check(self, path: Path) -> Known:
        gathered, ruleset, report = check_open(path, self.kept, self.strict)
        seen = list(self.kept.seen)
        files = {file.name: self.kept.places[file.name] for file in seen}
        main = next((f for f in seen if f.name == path.name), SourceFile(path.name, self.kept.texts.get(path, "")))
        files.setdefault(main.name, path)
        trees = {f: self.kept.tree(f, Report()) for f in seen if f.name.endswith(".rules") or f is main}
        stamps = {place: self._stamp(place) for place in files.values()}
        if report.has_errors:  # what is missing may come
            stamps[path.parent] = self._stamp(path.parent)
        return Known(path, main, gathered, ruleset, report.sorted(), files, trees, stamps)

    def _stamp(self, path: Path) -> object:
        text = self.kept.texts.get(path)
        if text is not None:
            return text
        try:
            found = path.stat()
        except (OSError, ValueError):
            return None
        return found.st_mtime_ns, found.st_size

    # ---- other files of the author

    def mine(self) -> list[Path]:
        """All rules in the folders that the editor works in, and those that are open."""
        found: dict[Path, None] = dict.fromkeys(p for p in self.kept.texts if p.suffix == ".rules")
        for folder in self.folders:
            looked_at = 0
            for place, inner, names in os.walk(folder):
                inner[:] = sorted(name for name in inner if name not in SKIPPED and not name.startswith("."))
                looked_at += 1
                for name in sorted(names):
                    if name.endswith(".rules"):
                        found.setdefault(real(Path(place, name)))
                if len(found) >= MOST_FILES or looked_at >= MOST_FOLDERS:
                    break
        return list(found)

    def is_mine(self, path: Path) -> bool:
        """Whether a file may be changed: it lies where the editor works, or is open and not of the library."""
        place = real(path)
        if any(place.is_relative_to(real(folder)) for folder in self.folders):
            return True
        return self.is_open(place) and not place.is_relative_to(real(library_folder()))

    def parsed(self, path: Path) -> Known:
        """A file alone, not checked: enough to know what it declares."""
        found = self._known.get((real(path), self.strict))
        if found is not None and all(self._stamp(place) == stamp for place, stamp in found.stamps.items()):
            return found
        file = self.kept.read(path, path.name, Span(self.kept.nowhere(path), 0, 0), Report())
        if file is None:
            return Known(path, self.kept.nowhere(path), None, None, (), {}, {}, {})
        return Known(path, file, None, None, (), {file.name: path}, {file: self.kept.tree(file, Report())}, {})

    def text_of(self, path: Path) -> str:
        text = self.kept.texts.get(real(path))
        if text is not None:
            return text
        try:
            return path.read_text("utf-8")
        except (OSError, ValueError):
            return ""

    def uses(self, known: Known, definition: Definition) -> list[tuple[Path, Use]]:
        """All places of a name, in this ruleset and in the author's other files."""
        home = known.place_of(definition.span)
        found: dict[tuple[Path, int, int], tuple[Path, Use]] = {}

        def gather(where: Known, of: Definition) -> None:
            for use in where.index.of(of):
                place = where.place_of(use.span)
                if place is not None:
                    found.setdefault((place, use.span.start, use.span.end), (place, use))

        gather(known, definition)
        words = {use.span.text for _, use in found.values()}
        for path in [] if definition.local else self.mine():
            if path != known.path and any(word in self.text_of(path) for word in words):
                other = self.known(path)
                for there in other.index.definitions.values():
                    same = there.span.start == definition.span.start and other.place_of(there.span) == home
                    if same and there.span.text == definition.span.text:
                        gather(other, there)
        return [found[key] for key in sorted(found)]
