"""The shape of a file: its outline, what can be folded, what its names are (for colours)."""

from __future__ import annotations

from lsprotocol import types as lsp

from cambist.dsl import nodes as n
from cambist.dsl.index_more import NAMED, word_of
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.walk import descend
from cambist.editor.documents import Known
from cambist.editor.positions import Places

S = lsp.SymbolKind
SYMBOLS = {
    "game": S.Module,
    "use": S.Package,
    "enum": S.Enum,
    "card": S.Struct,
    "deck": S.Array,
    "option": S.Property,
    "table": S.Constant,
    "unit": S.Constant,
    "account": S.Field,
    "variable": S.Variable,
    "track": S.Array,
    "zone": S.Field,
    "define": S.Function,
    "phase": S.Event,
    "procedure": S.Method,
    "setup": S.Event,
    "play": S.Event,
    "whenever": S.Event,
    "invariant": S.Boolean,
    "reachable": S.Boolean,
    "measure": S.Number,
    "example": S.Object,
    "show": S.Interface,
}
TOKENS = [
    "enum",
    "enumMember",
    "struct",
    "property",
    "variable",
    "parameter",
    "function",
    "method",
    "namespace",
    "event",
]
LOOKS = {
    "enum": "enum",
    "card": "struct",
    "define": "function",
    "phase": "method",
    "procedure": "method",
    "library": "namespace",
    "branch": "event",
}


def outline(known: Known, places: Places) -> list[lsp.DocumentSymbol]:
    decls: list[tuple[int, n.Decl, str]] = [(d.span.start, d, "") for d in known.tree.decls]
    variant = known.tree.variant
    for change in known.tree.patches:
        if isinstance(change, (n.Replace, n.AddPart)):
            word = "replace" if isinstance(change, n.Replace) else "add"
            decls += [(change.span.start, decl, word) for decl in change.decls]
    plain = [(c.span.start, c) for c in known.tree.patches if not isinstance(c, (n.Replace, n.AddPart))]
    starts = sorted({at for at, *_ in decls} | {at for at, _ in plain} | ({variant.span.start} if variant else set()))
    found: list[tuple[int, lsp.DocumentSymbol]] = []

    def whole(at: int) -> lsp.Range:
        following = [s for s in starts if s > at]
        return _whole(known.file, at, following[0] if following else len(known.file.text), places)

    if variant is not None:
        children = [_symbol(s.title, S.String, s.span, places) for source in variant.sources for s in source.headings]
        found.append((variant.span.start, lsp.DocumentSymbol(
            variant.name.text, S.Module, whole(variant.span.start), places.range(variant.name.span),
            f"variant of {variant.base.text}", children=children,
        )))  # fmt: skip
    for at, decl, word in decls:
        name, span = _name(decl)
        what = f"{word} {word_of(decl)}".strip()
        symbol = lsp.DocumentSymbol(name, SYMBOLS.get(word_of(decl), S.Object), whole(at), places.range(span), what)
        symbol.children = _children(decl, places)
        found.append((at, symbol))
    for at, change in plain:
        word, _, name = change.span.text.partition(" ")
        if isinstance(change, n.Remove):
            word, name = f"remove {change.word}", change.label
        found.append((at, lsp.DocumentSymbol(name or word, S.Operator, whole(at), places.range(change.span), word)))
    return [symbol for _, symbol in sorted(found, key=lambda pair: pair[0])]


def _name(decl: n.Decl) -> tuple[str, Span]:
    match decl:
        case n.Use():
            return decl.module.text, decl.module.span
        case n.Example():
            return decl.title or "(no title)", decl.span
        case n.Whenever():
            verb = "enters" if decl.enters else "leaves"
            return f"whenever {decl.component.text} {verb} {decl.zone.text}", decl.zone.span
        case n.Score() | n.Estimate() | n.Winner():
            return word_of(decl), decl.span
        case _:
            return decl.name.text, decl.name.span


def _children(decl: n.Decl, places: Places) -> list[lsp.DocumentSymbol]:
    match decl:
        case n.Game():
            return [_symbol(s.title, S.String, s.span, places) for source in decl.sources for s in source.headings]
        case n.Enum():
            return [_symbol(m.text, S.EnumMember, m.span, places) for m in decl.members]
        case n.Option():
            return [_symbol(m.text, S.EnumMember, m.span, places) for m in decl.values]
        case n.Card():
            return [_symbol(f.name.text, S.Property, f.name.span, places) for f in decl.fields]
        case n.Track():
            return [_symbol(b.name.text, S.Key, b.name.span, places) for b in decl.bands]
        case n.Procedure() | n.Whenever():
            branches = (b.label for b in descend(decl.body) if isinstance(b, n.Branch) and b.label.text)
            return [_symbol(label.text, S.EnumMember, label.span, places, "choice") for label in branches]
        case n.Show():
            return [_symbol(c.name.text, S.Key, c.name.span, places) for c in decl.columns if c.name != decl.name]
        case _:
            return []


def _symbol(name: str, kind: S, span: Span, places: Places, detail: str = "") -> lsp.DocumentSymbol:
    where = places.range(span)
    return lsp.DocumentSymbol(name or "(no title)", kind, where, where, detail or None)


def _whole(file: SourceFile, start: int, end: int, places: Places) -> lsp.Range:
    """From the first word of a declaration to its last line; the comment above the next one is the next one's."""
    first, last = file.line_of(start), file.line_of(max(start, end - 1))
    while last > first and (not file.line_text(last).strip() or file.line_text(last).startswith("#")):
        last -= 1
    stop = file.starts[last - 1] + len(file.line_text(last))
    return places.range(Span(file, start, max(stop, start)))


def symbols_named(known: Known, query: str, places: Places) -> list[lsp.WorkspaceSymbol]:
    """What a file declares whose name has these letters in this order."""
    found = []
    for decl in known.tree.decls:
        if not isinstance(decl, (*NAMED.__args__, n.Example, n.Game)):
            continue
        name, span = _name(decl)
        if _has_letters(name.lower(), query.lower()):
            kind = SYMBOLS.get(word_of(decl), S.Object)
            where = places.location(known.path, span)
            found.append(lsp.WorkspaceSymbol(where, name, kind, container_name=known.path.name))
    return found


def _has_letters(name: str, query: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in query)


def folds(file: SourceFile) -> list[lsp.FoldingRange]:
    """Lines that stand deeper than the one above them, and blocks of comments."""
    found: list[lsp.FoldingRange] = []
    opened: list[tuple[int, int]] = []  # depth, line
    last, comment = 0, 0
    for number in range(1, len(file.starts) + 2):
        text = file.line_text(number) if number <= len(file.starts) else ""
        if text.lstrip().startswith("#"):
            comment = comment or number
            continue
        if comment and number - comment > 2:
            found.append(lsp.FoldingRange(comment - 1, number - 2, kind=lsp.FoldingRangeKind.Comment))
        comment = 0
        if not text.strip() and number <= len(file.starts):
            continue
        depth = len(text) - len(text.lstrip(" "))
        while opened and opened[-1][0] >= depth:
            _, start = opened.pop()
            if last > start:
                found.append(lsp.FoldingRange(start - 1, last - 1, kind=lsp.FoldingRangeKind.Region))
        if number <= len(file.starts):
            opened.append((depth, number))
            last = number
    return found


def colours(known: Known, places: Places) -> list[int]:
    """Semantic tokens: five numbers for each name, relative to the one before."""
    data: list[int] = []
    line, column, end = 0, 0, -1
    for use in known.index.in_file(known.file.name):
        look = _look(use.definition.what, use.definition.local)
        where = places.range(use.span)
        if look is None or use.span.start < end or where.start.line != where.end.line:
            continue
        end = use.span.end
        start = where.start
        ahead = start.character - (column if start.line == line else 0)
        made = int(use.definition.span.start == use.span.start and use.definition.span.file is use.span.file)
        data += [start.line - line, ahead, where.end.character - start.character, TOKENS.index(look), made]
        line, column = start.line, start.character
    return data


def _look(what: str, local: bool) -> str | None:
    if local:
        return "parameter"
    if what.startswith(("section", "source")) or what in ("example", "game", "score"):
        return None
    if what.startswith(("member", "value", "band")):
        return "enumMember"
    if what.startswith("field"):
        return "property"
    return LOOKS.get(what, "variable")
