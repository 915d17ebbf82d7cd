"""What an author may want to write at a place: words of the language, names that fit, members behind a dot.

In: a file as an editor has it and an offset. Out: `Suggestion`s, best first. What may stand there is asked of the
parser's tables (accepting.py). Which names fit is asked of the pass that gives kinds: a name that nobody has is put at
the place, the line is ended in the shortest way, and the pass notes what it was looking for when it met that name.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import define, field, frozen

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.accepting import MARK, Here, fits, here
from cambist.dsl.diagnostics import Report, RulesError
from cambist.dsl.disk import Kept
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.imports import Gathered, gather
from cambist.dsl.infer_declarations import ORDERS
from cambist.dsl.kinds import Kind
from cambist.dsl.probe import Probe, Sought
from cambist.dsl.snippets import DECLARATIONS, HEADS, STATEMENTS
from cambist.dsl.source import Span
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES, Symbols, collect
from cambist.dsl.walk import descend
from cambist.dsl.words import DECLARATION

WORD_BEFORE = re.compile(r"[A-Za-z_]\w*$", re.ASCII)
HEADING = re.compile(r'(?:cites\b|,)[^"]*?([A-Za-z_]\w*)[ \t]*"([^"]*)$', re.ASCII)
SEATS = re.compile(r"\bplayers? ([A-Za-z_]\w*(?: *, *[A-Za-z_]\w*)*)", re.ASCII)
CITING = re.compile(r"\bcites[ \t]+(?:[^\"]*\"[^\"]*\"[ \t]*,[ \t]*)*([A-Za-z_]\w*)?$", re.ASCII)
BEHIND_NOTE = re.compile(r"\b(assumed|erratum)\b")
SETTABLE = (n.Variable, n.Track)
LARGE = 80  # libraries beside a file that are looked at


@frozen
class Suggestion:
    text: str
    what: str  # keyword, snippet, or what the name is of
    detail: str = ""
    snippet: str = ""  # with places to fill in, instead of the text
    rank: int = 1  # 0: what is looked for here
    replaces: int = 0  # so many characters before the place belong to it


def suggest(path: Path, kept: Kept, offset: int) -> list[Suggestion]:
    """At an offset of the file's text, counted as in `SourceFile`."""
    file = kept.read(path, path.name, Span(kept.nowhere(path), 0, 0), Report())
    if file is None or not 0 <= offset <= len(file.text):
        return []
    line = file.text[file.text.rfind("\n", 0, offset) + 1 : offset]
    in_note = _in_note(path, kept, line)
    if in_note is not None:
        return in_note
    word = WORD_BEFORE.search(line)
    start = offset - (len(word.group()) if word else 0)
    place = here(file.text, start)
    if place is None:
        return []
    return _Suggesting(path, kept, file.text, start, offset, place).all()


def _in_note(path: Path, kept: Kept, line: str) -> list[Suggestion] | None:
    """Headings behind `cites R"`, sources behind `cites`; None outside of notes."""
    code = line.split("#")[0] if line.count('"') % 2 == 0 else line
    if re.search(r"\b(cites|assumed|erratum|against)\b", code) is None:
        return None
    heading, citing = HEADING.search(line), CITING.search(line)
    if not heading and not citing:
        return []
    gathered = gather(path, path.name, Report(), disk=kept)
    sources = gathered.game.sources if gathered is not None else ()
    if heading and line.count('"') % 2:
        source = next((s for s in sources if s.name.text == heading.group(1)), None)
        found = source.headings if source is not None else ()
        return [
            Suggestion(s.title, "section", f"section of {heading.group(1)}", replaces=len(heading.group(2)))
            for s in found
        ]
    return [Suggestion(s.name.text, "source", s.file, f'{s.name.text}"${{1}}"', 0) for s in sources] if citing else []


@define
class _Suggesting:
    path: Path
    kept: Kept
    text: str
    start: int
    offset: int
    place: Here
    found: dict[str, Suggestion] = field(factory=dict)

    def add(self, text: str, what: str, detail: str = "", rank: int = 1, snippet: str = "") -> None:
        if MARK in text:
            return
        if text not in self.found or self.found[text].rank > rank:
            self.found[text] = Suggestion(text, what, detail, snippet, rank)

    def all(self) -> list[Suggestion]:
        self._words()
        if self.place.takes_name:
            gathered, symbols, probe = self._probed()
            if not self._by_words(gathered, symbols) and symbols is not None and probe is not None:
                self._names(symbols, probe, gathered)
        return sorted(self.found.values(), key=lambda s: (s.rank, s.text))

    # ---- words

    def _words(self) -> None:
        line = self.place.line
        first_column = not line and not self.place.declaration
        variant = re.search(r"^variant\b", self.text, re.MULTILINE)
        headed = re.search(r"^(variant|game|library)\b", self.text, re.MULTILINE)
        for word in self.place.words:
            if first_column and word in ("set", "replace", "remove", "add", "insert") and not variant:
                continue
            if first_column and word in HEADS and headed:
                continue
            if not line and not first_column and word in ("yes", "no"):
                continue
            self.add(word, "keyword", rank=2)
        if first_column or (len(line) == 1 and line[0][0] in ("ADD", "REPLACE") and line[0][1] in DECLARATION):
            for name, snippet in (*DECLARATIONS.items(), *(() if headed else HEADS.items())):
                if name.split()[0] in self.place.words:
                    self.add(f"{name} …", "snippet", rank=1, snippet=snippet)
        elif not line:
            for name, snippet in STATEMENTS.items():
                if name in self.place.words:
                    self.add(f"{name} …", "snippet", rank=2, snippet=snippet)

    def _by_words(self, gathered: Gathered | None, symbols: Symbols | None) -> bool:
        """Names of which the words before them tell what they are; whether it is such a place."""
        line = self.place.line
        types = [t for t, _ in line]
        last = types[-1] if types else ""
        first = types[0] if types else ""
        if types == ["USE"]:
            beside = [p for p in sorted(self.path.parent.glob("*.rules"))[:LARGE] if p != self.path and _is_library(p)]
            for path in [*sorted(library_folder().glob("*.rules")), *beside]:
                self.add(path.stem, "library", _title(path), 0)
        elif first == "USE" and last in ("WITH", "COMMA"):
            for name, what in self._needs(line[1][1]):
                self.add(name, what, f"needed by {line[1][1]}", 0, f"{name} is ${{1}}")
        elif first == "VARIANT" and last in ("OF", "WITH", "COMMA"):
            for name in shipped():
                self.add(name, "game", "shipped", 0)
            for path in sorted(self.path.parent.glob("*.rules"))[:LARGE]:
                if path != self.path and not _is_library(path):
                    self.add(path.stem, "game", _title(path), 0)
        elif types[:1] == ["ZONE"] and last == "COLON":
            for order in ORDERS:
                self.add(order, "keyword", rank=0)
        elif last in ("SEEN_BY", "COMMA_SEEN_BY"):
            for who in ("all", "owner", "nobody"):
                self.add(who, "keyword", rank=0)
        elif last == "TIES_TO":
            self.add("first", "keyword", rank=0)
        elif first == "WHENEVER" and len(types) == 2 and self.place.declaration[0][0] == "WHENEVER":
            self.add("enters", "keyword", rank=0)
            self.add("leaves", "keyword", rank=0)
        elif types == ["SOURCE", "NAME", "STRING"]:
            self.add("language", "keyword", rank=0)
            self.add("sections", "keyword", rank=0)
        elif symbols is not None:
            return self._by_words_of_rules(types, symbols)
        else:
            return True
        return True

    def _by_words_of_rules(self, types: list[str], symbols: Symbols) -> bool:
        line = self.place.line
        last, first = (types[-1], types[0]) if types else ("", "")
        opening = self.place.declaration[0][0] if self.place.declaration else first
        if first == "USE" and last == "IS":
            self._globals(symbols, object, 0)
        elif first == "WHENEVER" and len(types) == 3:
            self._globals(symbols, (n.Zone, n.Deck), 0)
        elif last == "AFTER" or (first == "INSERT" and last == "BEFORE"):
            self._procedures(symbols, 0)
            self._branches(symbols)
        elif first in ("INSERT", "REPLACE", "REMOVE") and last in ("IN", "START_OF", "END_OF"):
            for name in symbols.procedures:
                self.add(name, symbols.procedures[name].word, rank=0)
        elif first in ("ADD", "REMOVE") and types[1:2] == ["INT"] and last in ("TO", "FROM"):
            self._globals(symbols, n.Deck, 0)
        elif last == "BECAUSE" and opening == "EXAMPLE":
            self._globals(symbols, n.Define, 0)
        elif last == "OPTION" and opening == "EXAMPLE":
            self._globals(symbols, n.Option, 0)
        elif opening == "EXAMPLE" and {"CHOOSES", "MAY_CHOOSE"} & set(types) and first in ("WHEN", "REFUSED"):
            self._seats()
            self._branches(symbols)
            self._globals(symbols, n.Card, 1)
            self._members(symbols, "", 1)
        elif last == "INSTEAD_OF":
            self._globals(symbols, (n.Zone, n.Deck, n.Account, n.Variable, n.Track), 0)
        elif first == "DECK" and last in ("OF", "COMMA") and len(line) < 40 and "FROM" not in types:
            self._globals(symbols, n.Card, 0)
        elif opening == "DECK" and types == ["INT"]:
            self._globals(symbols, n.Card, 0)
        elif opening == "DECK" and types[:2] == ["INT", "NAME"]:
            card = symbols.card(line[1][1])
            at = len(types) - 2
            if card is not None and at < len(card.fields):
                self._members(symbols, card.fields[at].kind.text, 0)
        elif first == "CARD" and last in ("COLON", "COMMA"):
            self._globals(symbols, (n.Enum, n.Unit), 0)
            for word in ("number", "flag", "list"):
                self.add(word, "keyword", rank=1)
        elif first == "SET" and opening == "SET" and len(types) == 1 and not self._indented():
            self._globals(symbols, (n.Table, n.Option, n.Variable, n.Account, n.Track, n.Define, n.Deck), 0)
        elif first in ("REMOVE", "REPLACE") and len(types) == 2:
            self._of_word(symbols, types[1])
        elif first == "RENAME" and last in ("RENAME", "COMMA"):
            self._globals(symbols, object, 0)
            self._members(symbols, "", 0)
        elif first in ("NEEDS", "OFFERS"):
            self._globals(symbols, object, 0)
            self._procedures(symbols, 0)
        elif first == "UNIT" and last == "NAME":
            self.add("step", "keyword", rank=0)
        else:
            return False
        return True

    def _indented(self) -> bool:
        start = self.text.rfind("\n", 0, self.start) + 1
        return self.text[start : start + 1] == " "

    def _seats(self) -> None:
        """The players of the example that is being written."""
        begin = self.text.rfind("\nexample", 0, self.offset)
        for named in SEATS.findall(self.text[max(begin, 0) : self.offset]):
            for name in named.split(","):
                self.add(name.strip(), "player", rank=0)

    def _of_word(self, symbols: Symbols, word: str) -> None:
        for name, decl in symbols.globals.items():
            if type(decl).__name__.upper() == word:
                self._global(name, decl, 0)
        for name, procedure in symbols.procedures.items():
            if procedure.word.upper() == word and "." not in name:
                self.add(name, procedure.word, rank=0)
        for other in symbols.others:
            if isinstance(other, n.Property) and other.word.upper() == word:
                self.add(other.name.text, other.word, rank=0)
            elif isinstance(other, n.Use) and word == "USE":
                self.add(other.module.text, "library", rank=0)

    def _needs(self, module: str) -> list[tuple[str, str]]:
        for folder in (self.path.parent, library_folder()):
            place = folder / f"{module}.rules"
            file = self.kept.read(place, str(place), Span(self.kept.nowhere(place), 0, 0), Report())
            if file is not None:
                tree = self.kept.tree(file, Report())
                head = next((d for d in tree.decls if isinstance(d, n.Game)), None)
                kinds = {
                    d.name.text: type(d).__name__.lower()
                    for d in tree.decls
                    if not isinstance(d, n.Game) and hasattr(d, "name")
                }
                return [(name.text, kinds.get(name.text, "thing")) for name in head.needs] if head is not None else []
        return []

    # ---- names

    def _probed(self) -> tuple[Gathered | None, Symbols | None, Probe | None]:
        """The ruleset with the mark at the place, and what the pass was looking for there."""
        end = self.text.find("\n", self.offset)
        end = len(self.text) if end < 0 else end
        if fits(self.text[: self.start] + self.text[self.offset :], self.start):
            rest = self.text[self.offset : end]
        else:
            rest = f" {self.place.ending}" if self.place.ending else ""
        tried = self.text[: self.start] + MARK + rest + self.text[end:]
        shown, before = self.kept.real(self.path), self.kept.texts.get(self.kept.real(self.path))
        self.kept.texts[shown] = tried
        report = Report()
        try:
            gathered = gather(self.path, self.path.name, report, disk=self.kept)
            if gathered is None:
                return None, None, None
            symbols = collect(gathered.decls, gathered.game, report)
            probe = Probe(symbols)
            probe.run()
            return gathered, symbols, probe
        except RulesError:
            return None, None, None
        finally:
            if before is None:
                del self.kept.texts[shown]
            else:
                self.kept.texts[shown] = before

    def _names(self, symbols: Symbols, probe: Probe, gathered: Gathered | None) -> None:
        sought = probe.sought
        if sought is None:
            return
        if sought.module:
            self._of_module(symbols, probe, sought)
            return
        match sought.role:
            case "member":
                self._of_owner(symbols, probe, sought.owner or k.UNKNOWN)
            case "owner":
                self._globals(symbols, (n.Enum, n.Card), 0)
                for word in ("player", "card"):
                    self.add(word, "keyword", rank=0)
            case "kind":
                self._globals(symbols, (n.Enum, n.Card, n.Unit), 0)
                for word in ("number", "flag", "player", "card", "list"):
                    self.add(word, "keyword", rank=0)
            case "unit":
                self._globals(symbols, n.Unit, 0)
            case "card":
                self._globals(symbols, n.Card, 0)
            case "procedure":
                self._procedures(symbols, 0)
                if self.place.declaration[:1] and self.place.declaration[0][0] == "EXAMPLE":
                    self.add("play", "phase", "the whole game", 0)
                for name, kind in sought.locals.items():
                    self.add(name, "name", str(kind), 0 if kind == k.PLAYER else 2)
            case "pattern":
                self.add("empty", "keyword", rank=0)
                self._globals(symbols, n.Card, 0)
                for name, decl in symbols.globals.items():
                    if isinstance(decl, n.Define) and decl.params:
                        self._global(name, decl, 0)
                    elif isinstance(decl, n.Track):
                        for band in decl.bands:
                            self.add(band.name.text, "band", f"of {name}", 1)
                self._values(symbols, probe, sought)
            case "settable":
                for name, kind in sought.locals.items():
                    self.add(name, "name", str(kind), 0)
                self._globals(symbols, SETTABLE, 0)
            case _:
                self._values(symbols, probe, sought)

    def _values(self, symbols: Symbols, probe: Probe, sought: Sought) -> None:
        wanted = sought.wanted or k.UNKNOWN
        for name, kind in sought.locals.items():
            self.add(name, "name", str(kind), 0 if _agrees(kind, wanted) else 1)
        for name, kind in BUILT_IN_VALUES.items():
            self.add(name, "built in", str(kind), _rank(kind, wanted))
        for name, count in BUILT_IN_FUNCTIONS.items():
            arguments = ", ".join(f"${{{i + 1}}}" for i in range(count))
            self.add(name, "built in", "a function", 3, f"{name}({arguments})")
        for name, enum in symbols.members.items():
            if wanted.word in ("unknown", "enum", "list"):
                self.add(name, "member", f"of {enum.name.text}", _rank(k.enum(enum.name.text), wanted))
        for name, decl in symbols.globals.items():
            if isinstance(decl, (n.Unit, n.Card)):
                continue
            kind = probe.thing_kind(decl)
            if isinstance(decl, n.Define):
                kinds = [i.results[0] for (called, _), i in probe.instances.items() if called == name and i.results]
                kind = kinds[0] if kinds else k.UNKNOWN
            elif isinstance(decl, n.Table):
                kind = k.NUMBER
            if not getattr(decl, "owners", ()):  # what is of each one is reached by a dot
                self._global(name, decl, _rank(kind, wanted))
            elif decl.owners[0].text != "player":  # type: ignore[union-attr]
                self._global(name, decl, 3)
        for use in symbols.others:
            if isinstance(use, n.Use):
                self.add(use.module.text, "library", "", 2)

    def _of_owner(self, symbols: Symbols, probe: Probe, owner: Kind) -> None:
        for name in probe._dots_of(owner):
            decl = symbols.owned(name)
            if decl is not None and not symbols.is_field(name, owner):
                self._global(name, decl, 0)
            else:
                cards = [c for c, _ in symbols.fields[name] if not owner.name or c.name.text == owner.name]
                if cards:
                    kind = probe.field_kind(symbols.fields[name][0][1])
                    self.add(name, "field", f"{kind}, of {cards[0].name.text}", 0)

    def _of_module(self, symbols: Symbols, probe: Probe, sought: Sought) -> None:
        before = f"{sought.module}."
        for name, decl in symbols.globals.items():
            if name.startswith(before) and isinstance(decl, (n.Define, n.Zone, n.Variable, n.Account, n.Track, n.Deck)):
                self._global(name, decl, 0, name.removeprefix(before))
        for name, procedure in symbols.procedures.items():
            if name.startswith(before):
                self._procedure(name.removeprefix(before), procedure, 0 if sought.role == "procedure" else 1)

    def _globals(self, symbols: Symbols, kinds: type | tuple[type, ...], rank: int) -> None:
        for name, decl in symbols.globals.items():
            if isinstance(decl, kinds) and "." not in name:
                self._global(name, decl, rank)

    def _global(self, name: str, decl: n.Decl, rank: int, shown: str = "") -> None:
        word = type(decl).__name__.lower()
        if "." in name and not shown:
            return
        snippet = ""
        if isinstance(decl, n.Define) and decl.params:
            arguments = ", ".join(f"${{{i}:{p.text}}}" for i, p in enumerate(decl.params, 1))
            snippet = f"{shown or name}({arguments})"
        self.add(shown or name, word, _line(decl), rank, snippet)

    def _procedures(self, symbols: Symbols, rank: int) -> None:
        for name, procedure in symbols.procedures.items():
            if name not in ("setup", "play") and "." not in name:
                self._procedure(name, procedure, rank)
        for use in symbols.others:
            if isinstance(use, n.Use):
                self.add(use.module.text, "library", "", rank + 1)

    def _procedure(self, name: str, procedure: n.Procedure, rank: int) -> None:
        arguments = ", ".join(f"${{{i}:{p.text}}}" for i, p in enumerate(procedure.params, 1))
        self.add(name, procedure.word, _line(procedure), rank, f"{name}({arguments})" if arguments else "")

    def _branches(self, symbols: Symbols) -> None:
        for procedure in symbols.procedures.values():
            for node in descend(procedure):
                if isinstance(node, n.Branch) and node.label.text:
                    self.add(node.label.text, "branch", f"in {procedure.name.text}", 0)

    def _members(self, symbols: Symbols, enum: str, rank: int) -> None:
        for name, home in symbols.members.items():
            if not enum or home.name.text == enum:
                self.add(name, "member", f"of {home.name.text}", rank)


def _agrees(kind: Kind, wanted: Kind) -> bool:
    if wanted.word == "account":
        return kind.word == "account"
    if wanted.word == "number":
        return k.is_numeric(kind)
    return k.agree(kind, wanted)


def _rank(kind: Kind, wanted: Kind) -> int:
    return 0 if wanted != k.UNKNOWN and kind != k.UNKNOWN and _agrees(kind, wanted) else 2


def _line(decl: n.Decl) -> str:
    """The line of a declaration without what justifies it."""
    line = decl.span.file.line_text(decl.span.line)
    return re.split(r" +(?:cites|assumed|erratum)\b|  +#", line)[0].strip()


def _is_library(path: Path) -> bool:
    try:
        return re.search(r"^library\b", path.read_text("utf-8"), re.MULTILINE) is not None
    except (OSError, ValueError):
        return False


def _title(path: Path) -> str:
    try:
        found = re.search(r'^\w+ +\w+(?: +of +\w+)? +"([^"]*)"', path.read_text("utf-8"), re.MULTILINE)
    except (OSError, ValueError):
        return ""
    return found.group(1) if found else ""
