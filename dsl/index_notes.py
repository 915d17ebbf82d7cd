"""What is noted of names: where each was made (`Definition`), where each stands (`Use`). Data only."""

from __future__ import annotations

import re

from attrs import define, field, frozen

from cambist.dsl import nodes as n
from cambist.dsl.kinds import Kind
from cambist.dsl.source import NOWHERE, Span

LAST_NAME = re.compile(r"[A-Za-z_]\w*(?=\W*$)", re.ASCII)


@define(eq=False)
class Definition:
    """A name that was made somewhere, with what is known of it."""

    name: str  # as rules call it: a module's things have the module's name before theirs
    what: str  # zone, phase, field of `chip`, parameter …
    span: Span  # of the name itself
    notes: n.Notes = ()
    kinds: list[Kind] = field(factory=list)  # what it is, or may be
    local: bool = False  # made and known inside one rule
    home: n.Decl | None = None  # the declaration it is made by, or in

    @property
    def key(self) -> tuple[str, int]:
        return self.span.file.name, self.span.start

    @property
    def written(self) -> str:
        """The name as it stands where it was made."""
        return self.span.text

    def may_be(self, kind: Kind) -> None:
        if kind.word != "unknown" and kind not in self.kinds:
            self.kinds.append(kind)


@frozen
class Use:
    span: Span
    definition: Definition


@define
class Uses:
    """All that is noted, each once."""

    definitions: dict[tuple[str, int], Definition] = field(factory=dict)
    found: dict[tuple[str, int, int, tuple[str, int]], Use] = field(factory=dict)

    def define(
        self, name: n.Name, what: str, home: n.Decl | None = None, notes: n.Notes = (), local: bool = False
    ) -> Definition:
        """A name that is made here; a title in quotes is one, too."""
        key = name.span.file.name, name.span.start
        found = self.definitions.get(key)
        if found is None:
            found = self.definitions[key] = Definition(name.text, what, name.span, notes, [], local, home)
            (self.note_whole if name.span.text.startswith('"') else self.note)(name.span, found)
        return found

    def note(self, span: Span, definition: Definition | None) -> None:
        """That this name means that; of `module.name`, the last part does."""
        if definition is None or span.file is NOWHERE.file:
            return
        name = _name_in(span)
        if name is not None:
            key = (name.file.name, name.start, name.end, definition.key)
            self.found.setdefault(key, Use(name, definition))

    def note_whole(self, span: Span, definition: Definition) -> None:
        """The same for what is no name: a heading in quotes."""
        key = (span.file.name, span.start, span.end, definition.key)
        self.found.setdefault(key, Use(span, definition))

    def of(self, name: n.Name | None) -> Definition | None:
        return None if name is None else self.definitions.get((name.span.file.name, name.span.start))


def _name_in(span: Span) -> Span | None:
    match = LAST_NAME.search(span.text)
    if match is None:
        return None
    return Span(span.file, span.start + match.start(), span.start + match.end())
