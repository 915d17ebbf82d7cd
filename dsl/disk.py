"""Files for those who ask again and again: as an editor holds them, saved or not, and parsed once.

In: texts by path; then a path, how to show it, the place that names it. Out: a `SourceFile` and its `Tree`, or a line
in the report. Texts that were put into it go before those on the disk; a file that has not changed is not parsed
again, and in one that has, a declaration that has not.
"""

from __future__ import annotations

from pathlib import Path

from attrs import define, field, frozen

from cambist.dsl import nodes as n
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.finding import read
from cambist.dsl.imports import Disk
from cambist.dsl.reading import decode
from cambist.dsl.remembered import Memory, remembering
from cambist.dsl.source import SourceFile, Span

MOST_KEPT = 3  # texts of one file: the one of now, and those that were tried in between


@frozen
class Built:
    """A tree with what was said while it was made."""

    tree: n.Tree
    said: Report


@define
class Kept(Disk):
    """Files as an editor has them; trees of unchanged files are kept."""

    texts: dict[Path, str] = field(factory=dict)  # what is open and perhaps not saved, by resolved path
    places: dict[str, Path] = field(factory=dict)  # where each file that was read lies, by how it is shown
    seen: list[SourceFile] = field(factory=list)  # what was read since somebody emptied it
    _files: dict[str, list[SourceFile]] = field(factory=dict)  # by how each is shown, the latest last
    _built: dict[SourceFile, Built] = field(factory=dict)
    _parsed: dict[str, Memory] = field(factory=dict)  # of each file, the declarations of its latest text

    @staticmethod
    def real(path: Path) -> Path:
        return real(path)

    @staticmethod
    def nowhere(path: Path) -> SourceFile:
        """What a place is in that is named by nobody but an editor."""
        return SourceFile(path.name, "")

    def read(self, path: Path, shown: str, span: Span, report: Report) -> SourceFile | None:
        place = real(path)
        self.places[shown] = place
        if place not in self.texts:
            found = read(path, shown, span, report)
        else:
            decoded = decode(shown, self.texts[place].encode("utf-8", "surrogatepass"))
            if isinstance(decoded, Diagnostic):
                report.add(decoded)
                return None
            found = decoded
        if found is None:
            return None
        file = self._known(found)
        self.seen.append(file)
        return file

    def _known(self, file: SourceFile) -> SourceFile:
        """One object for one text, since what is kept hangs on it; of each file only the latest."""
        latest = self._files.setdefault(file.name, [])
        known = next((f for f in latest if f.text == file.text), file)
        latest[:] = [*(f for f in latest if f is not known), known]
        for old in latest[:-MOST_KEPT]:
            self._built.pop(old, None)
        del latest[:-MOST_KEPT]
        return known

    def tree(self, file: SourceFile, report: Report) -> n.Tree:
        built = self._built.get(file)
        if built is None:
            said = Report()
            memory = self._parsed.setdefault(file.name, Memory())
            with remembering(memory):
                built = self._built[file] = Built(build(file, said), said)
        for diagnostic in built.said.items:
            report.add(diagnostic)
        report.lost |= built.said.lost
        report.too_much = report.too_much or built.said.too_much
        return built.tree


def real(path: Path) -> Path:
    """A path without links, so that one file has one name; as it is where that cannot be told."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path


__all__ = ["Kept", "real"]
