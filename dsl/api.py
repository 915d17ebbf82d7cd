"""The door: text to a checked ruleset, a ruleset to a program. Alone knows the order of the passes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.checks import CHECKS, STRICT
from cambist.dsl.checks.citations import check_sources
from cambist.dsl.components import make_components
from cambist.dsl.diagnostics import Diagnostic, Report, RulesError
from cambist.dsl.disk import Kept
from cambist.dsl.finding import as_on_disk, files_read, find, instead, shipped
from cambist.dsl.flatten import Flat, flattened
from cambist.dsl.imports import Gathered, gather, gather_text
from cambist.dsl.infer import infer
from cambist.dsl.layout import Unsafe, formatted
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.symbols import collect

if TYPE_CHECKING:
    from cambist.dsl.program import Program

__all__ = [
    "Gathered",
    "Unsafe",
    "as_on_disk",
    "check_file",
    "check_gathered",
    "check_open",
    "check_text",
    "find",
    "flatten",
    "formatted",
    "gathered",
    "load",
    "load_text",
    "lower",
    "files_read",
    "shown",
    "shipped",
]


def check_file(
    name_or_path: str, strict: bool = False, more: str = "", texts: Mapping[Path, bytes] | None = None
) -> tuple[CheckedRuleset | None, Report]:
    """All that is wrong with a ruleset, and the ruleset if nothing is. `more` is read as its last lines; `texts` are
    what some files (by their resolved paths) are taken to hold, whatever they hold on the disk."""
    report = Report()
    try:
        with instead(texts or {}):
            path = find(name_or_path, report)
            gathered = None if path is None else gather(path, shown(path), report, more)
        return _checked(gathered, report, strict), report
    except RulesError:
        return None, report


def check_text(text: str, name: str = "<text>", strict: bool = False) -> tuple[CheckedRuleset | None, Report]:
    report = Report()
    try:
        return _checked(gather_text(text, name, report), report, strict), report
    except RulesError:
        return None, report


def check_open(path: Path, kept: Kept, strict: bool = False) -> tuple[Gathered | None, CheckedRuleset | None, Report]:
    """A file as an editor has it: what could be read of the ruleset, the ruleset if nothing is wrong, what is wrong."""
    report = Report()
    gathered = None
    kept.seen.clear()
    try:
        gathered = gather(path, path.name, report, disk=kept)
        return gathered, _checked(gathered, report, strict), report
    except RulesError:
        return gathered, None, report


def gathered(name_or_path: str) -> tuple[Gathered, Path]:
    """All declarations and sheets of a ruleset, not yet checked, and where it lies."""
    report = Report()
    path = find(name_or_path, report)
    found = None if path is None else gather(path, shown(path), report)
    if path is None or found is None or report.has_errors:
        raise RulesError(report.sorted())
    return found, path


def check_gathered(gathered: Gathered) -> CheckedRuleset | None:
    """The ruleset of declarations that were gathered, and perhaps changed since; None if something is wrong with it."""
    try:
        return _checked(gathered, Report(), False)
    except RulesError:
        return None


def flatten(name_or_path: str) -> tuple[Flat, Gathered]:
    """A variant, or any ruleset, as one text that needs no base."""
    ruleset = load(name_or_path)
    found, _ = gathered(name_or_path)
    return flattened(found, ruleset.symbols, ruleset.components), found


def load(name_or_path: str) -> CheckedRuleset:
    ruleset, report = check_file(name_or_path)
    if ruleset is None:
        raise RulesError(report.sorted())
    return ruleset


def load_text(text: str, name: str = "<text>") -> CheckedRuleset:
    ruleset, report = check_text(text, name)
    if ruleset is None:
        raise RulesError(report.sorted())
    return ruleset


def lower(
    ruleset: CheckedRuleset,
    players: int,
    options: Mapping[str, int] | None = None,
    examples: bool = True,
) -> Program:
    """The program for one number of players and one setting of the options. Without its examples it plays the same."""
    from cambist.dsl import (
        lower as lowering,
    )  # takes a tenth of a second to load, which a check need not spend

    return lowering.lower(ruleset, players, options, examples)


def shown(path: Path) -> str:
    """A path as a reader would type it: relative to here when it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _check_fractions(ruleset: CheckedRuleset, report: Report) -> None:
    from cambist.dsl.fitting import check_fractions  # loads all that lowers, which most rules need not be checked with

    check_fractions(ruleset, report)


def _told_of_heir(found: Diagnostic, gathered: Gathered) -> Diagnostic:
    """What is wrong with a rule only in the variant that inherits it: the variant is named, and how it can differ."""
    span, file = found.primary.span, gathered.file
    here = [d for d in gathered.own if d.span.file is span.file and d.span.start <= span.start]
    if span.file is file or not here or found.notes or found.severity != "error":
        return found
    inherited = max(here, key=lambda d: d.span.start)
    note = f"`{file.name}` inherits it"
    if isinstance(inherited, n.Example):
        note += f'; `replace example "{inherited.title}"` there says what holds instead'
    found = attrs.evolve(found, notes=(note,))
    if found.about in {mark.change.label for mark in gathered.marks if isinstance(mark.change, n.Remove)}:
        help = f"`{file.name}` removes `{found.about}`: it has to change this rule, too"
        return attrs.evolve(found, help=help, fix=None)  # the base is right as it is
    return found


def _checked(gathered: Gathered | None, report: Report, strict: bool) -> CheckedRuleset | None:
    if gathered is None:
        return None
    read = len(report.items)  # what was wrong before tells both places itself
    symbols = collect(gathered.decls, gathered.game, report)
    inferred = infer(symbols, report)
    components = make_components(symbols, gathered.sheets, report)
    ruleset = CheckedRuleset(symbols, gathered.decls, inferred, components, gathered.file, tuple(gathered.digested))
    check_sources(ruleset, report)
    laws = Report(lost=report.lost, meant=report.meant)
    for check in (*CHECKS, *(STRICT if strict else ())):
        check(ruleset, laws)
    report.add_where_silent(laws)
    report.items[read:] = [_told_of_heir(d, gathered) for d in report.items[read:]]
    if ruleset.with_fractions and not report.has_errors:
        _check_fractions(ruleset, report)
    if report.has_errors:
        return None
    warnings = tuple(d for d in report.sorted() if d.severity == "warning")
    return CheckedRuleset(
        symbols, gathered.decls, inferred, components, gathered.file, tuple(gathered.digested), warnings
    )
