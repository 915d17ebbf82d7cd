"""Rulesets mended by the remedies that their diagnostics carry.

In: a ruleset's name or path, and the sheets that may be changed too. Out: the new texts and what was changed in them.
An edit is kept only if fewer errors are left with it, so that no file gets worse; nothing is written here but by
`Mended.write`, which leaves a file alone that somebody else has changed meanwhile. Line ends, the byte order mark and
the rights stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

from attrs import define, field, frozen

from cambist.dsl.api import check_file, find, shipped, shown
from cambist.dsl.diagnostics import Edit, Report
from cambist.dsl.finding import games_folder, library_folder
from cambist.dsl.fixes import chosen
from cambist.files import write_whole
from cambist.problems import FOUND, UserError

ROUNDS = 25  # each mends all that it can, and what comes to light then is for the next
MARK = "\ufeff"
MOST_ALONE = 40  # edits tried one by one, when all together do no good
Checked = Callable[[], Report]


@frozen
class Change:
    """One edit that was kept, with its place in the file as it was when it was made."""

    edit: Edit

    def __str__(self) -> str:
        span, new = self.edit.span, self.edit.text
        old = span.text
        place = f"{span.file.name}:{span.line}"
        if not old.strip() and new.strip():
            return f"{place}: put in {_quoted(new)}"
        if not new.strip() and old.strip():
            return f"{place}: took out {_quoted(old)}"
        if not old.strip():
            return f"{place}: mended the indentation" if "\n" not in old else f"{place}: mended the layout"
        if old.split() == new.split():
            return f"{place}: mended the indentation"
        return f"{place}: {_quoted(old)} -> {_quoted(new)}"


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f"`{words if len(words) < 60 else words[:57] + '...'}`"


@define
class Mended:
    """A file before and after."""

    path: Path
    name: str  # as it is shown
    before: bytes
    after: bytes
    changes: list[Change] = field(factory=list)

    def diff(self) -> str:
        old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (self.before, self.after))
        lines = unified_diff(old, new, self.name, self.name)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> None:
        if not self.changes:
            return
        if self.path.read_bytes() != self.before:
            raise UserError(f"`{self.name}` has changed meanwhile", "check it again", FOUND)
        write_whole(self.path, self.after.decode("utf-8"))


def mended(
    name_or_path: str,
    strict: bool = False,
    sheets: Sequence[Path] = (),
    texts: Mapping[Path, bytes] | None = None,
    rounds: int = ROUNDS,
) -> tuple[list[Mended], Report]:
    """What becomes of the file of a ruleset and of its sheets that are named, and what is left to tell then. `texts`
    are what other files are taken to hold: those that were mended before and not yet written."""
    others = dict(texts or {})
    path = find(name_or_path, Report())
    if path is None or not path.is_file():
        return [], check_file(name_or_path, strict, texts=others)[1]
    files: dict[str, Mended] = {}
    for given, one in ((name_or_path, path), *((str(sheet), sheet) for sheet in sheets)):
        _refuse_shipped(given, one)
        data = one.resolve().read_bytes()
        files[shown(one)] = Mended(one.resolve(), shown(one), data, others.pop(one.resolve(), data))

    def checked() -> Report:
        return check_file(str(path), strict, texts={**others, **{f.path: f.after for f in files.values()}})[1]

    report = checked()
    for _ in range(rounds):
        edits = [d.fix for d in report.sorted() if d.fix is not None and d.fix.span.file.name in files]
        after = _better(files, edits, report, checked)
        if after is None:
            break
        report = after
    return list(files.values()), report


def does_good(name_or_path: str, strict: bool = False) -> bool:
    """Whether `mended` would change the file of a ruleset, where its report has remedies for that file."""
    try:
        files, _ = mended(name_or_path, strict, rounds=1)
    except UserError:
        return False
    return any(file.changes for file in files)


def _better(files: dict[str, Mended], edits: list[Edit], before: Report, checked: Checked) -> Report | None:
    """Make all edits if there are fewer errors with them, else those that are good one by one; None if none is."""
    if not edits:
        return None
    for batch in ([edits], [[edit] for edit in edits[:MOST_ALONE]] if len(edits) > 1 else []):
        for some in batch:
            kept = {name: file.after for name, file in files.items()}
            made = {name: chosen(e for e in some if e.span.file.name == name) for name in files}
            for name, file in files.items():
                file.after = changed(file.after, made[name])
            after = checked()
            if _errors(after) < _errors(before):
                for name, file in files.items():
                    file.changes += [Change(edit) for edit in made[name]]
                return after
            for name, file in files.items():
                file.after = kept[name]
    return None


def _errors(report: Report) -> int:
    return sum(d.severity == "error" for d in report.items)


def changed(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes of a file after edits that count in its decoded text, where each line ends with one character."""
    raw = data.decode("utf-8")
    mark = MARK if raw.startswith(MARK) else ""
    raw = raw.removeprefix(MARK)
    ends = "\r\n" if "\r\n" in raw else "\n"
    places = [i for i, character in enumerate(raw) if not (character == "\r" and raw[i + 1 : i + 2] == "\n")]
    places.append(len(raw))
    for edit in reversed(edits):
        start, end = places[edit.span.start], places[edit.span.end]
        if ends == "\r\n":  # an edit ends before a line's end, not between its two characters
            start, end = (p - 1 if raw[p : p + 1] == "\n" and raw[p - 1 : p] == "\r" else p for p in (start, end))
        raw = raw[:start] + edit.text.replace("\n", ends) + raw[end:]
    return (mark + raw).encode("utf-8")


def _refuse_shipped(given: str, path: Path) -> None:
    if given in shipped():
        raise UserError(f"`{given}` is a shipped game, which is not changed", "copy its file and name the copy")
    for folder in (games_folder(), library_folder()):
        if path.absolute().is_relative_to(folder.absolute()):
            raise UserError(f"`{given}` belongs to Cambist itself, and is not changed", "copy it and name the copy")
