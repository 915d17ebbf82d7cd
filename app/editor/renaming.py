"""Renaming a thing everywhere it is named: rules, examples, sheets, the author's other files. Refuses with a reason.

A new name is tried before it is offered: all rulesets that it touches are checked with it, and if one of them has a
problem that it had not before, nothing is renamed.
"""

from __future__ import annotations

import re
from pathlib import Path

from cambist.dsl.disk import real
from cambist.dsl.index import Use
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES
from cambist.dsl.words import NOTES, RESERVED
from cambist.editor.documents import Documents, Known

NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)
FIXED = ("game", "library", "example", "score")
WITHOUT_TEXT = re.compile(r'"[^"\n]*"|#[^\n]*')


class CannotRename(Exception):
    """Why, in the author's words."""


def may_rename(documents: Documents, known: Known, use: Use | None) -> Use:
    if use is None:
        raise CannotRename("here is no name that rules have made")
    definition = use.definition
    if definition.what in FIXED or definition.what.startswith("section of"):
        raise CannotRename(f"the name of a {definition.what.split()[0]} is changed where it is written")
    home = known.place_of(definition.span)
    if use.span.text == definition.written and (home is None or not documents.is_mine(home)):
        remedy = "a variant can call it otherwise with `rename … to …`"
        if definition.span.file.name.startswith("library/"):
            remedy = "put a copy of that file beside yours to change it"
        where = definition.span.file.name
        raise CannotRename(f"`{use.span.text}` is made in {where}, which comes with Cambist: {remedy}")
    return use


def edits(documents: Documents, known: Known, use: Use, new: str) -> dict[Path, list[tuple[Span, str]]]:
    """What to write where; `CannotRename` if it cannot be."""
    old = may_rename(documents, known, use).span.text
    if not NAME.fullmatch(new):
        raise CannotRename(f"`{new}` is no name: letters, digits and `_`, at most 64, no digit first")
    if new in RESERVED or new in NOTES:
        raise CannotRename(f"`{new}` is a word of the language")
    if new in BUILT_IN_VALUES or new in BUILT_IN_FUNCTIONS or new in ("player", "card", "number", "flag", "before"):
        raise CannotRename(f"`{new}` has a meaning of its own in the language")
    if new == old:
        return {}
    found: dict[Path, list[tuple[Span, str]]] = {}
    for path, one in documents.uses(known, use.definition):
        if one.span.text == old:
            if not documents.is_mine(path):
                raise CannotRename(f"`{old}` is also named in {one.span.file.name}, which comes with Cambist")
            found.setdefault(path, []).append((one.span, new))
    found = {path: found[path] for path in sorted(found, key=lambda path: (path != known.path, path))}
    _refuse_clashes(documents, found, use, new)
    _refuse_problems(documents, known, found, old, new)
    return found


def _refuse_clashes(documents: Documents, found: dict[Path, list[tuple[Span, str]]], use: Use, new: str) -> None:
    """A name that stands in one of the files already; for a local name, in its own rule."""
    word = re.compile(rf"\b{new}\b")
    for path, places in found.items():
        text = WITHOUT_TEXT.sub(lambda m: " " * len(m.group()), documents.text_of(path).replace("\r\n", "\n"))
        start, end = 0, len(text)
        if use.definition.local:
            first = min(span.start for span, _ in places)
            start = max(text.rfind(f"\n{c}", 0, first) for c in "abcdefghijklmnopqrstuvwxyz")
            later = re.compile(r"\n[a-z]").search(text, max(span.end for span, _ in places))
            end = later.start() if later else len(text)
        clash = word.search(text, max(start, 0), end)
        if clash:
            line = text.count("\n", 0, clash.start()) + 1
            raise CannotRename(f"`{new}` is already a name in {path.name}, line {line}")


def _refuse_problems(
    documents: Documents, known: Known, found: dict[Path, list[tuple[Span, str]]], old: str, new: str
) -> None:
    """Whether all rulesets that are touched are as good with the new name as with the old one."""
    touched = [known.path, *(p for p in found if p != known.path and p.suffix == ".rules")]
    before = {path: _errors(documents.known(path)) for path in touched}
    tried = Documents(strict=documents.strict, folders=documents.folders)
    tried.kept.texts.update(documents.kept.texts)
    for path, places in found.items():
        tried.open(path, written(documents.text_of(path), places))
    for path in touched:
        after = _errors(tried.known(path))
        if len(after) > len(before[path]):
            worse = next(message for message in after if message not in before[path])
            raise CannotRename(f"with `{new}` instead of `{old}` there would be a problem in {path.name}: {worse}")


def _errors(known: Known) -> list[str]:
    return [d.message for d in known.diagnostics if d.severity == "error"]


def written(text: str, places: list[tuple[Span, str]]) -> str:
    """The text with all of these put in."""
    text = text.replace("\r\n", "\n")
    for span, new in sorted(places, key=lambda place: place[0].start, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text


__all__ = ["CannotRename", "edits", "may_rename", "real", "written"]
