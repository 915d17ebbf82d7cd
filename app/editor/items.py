"""Suggestions -> completion items of the protocol."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from cambist.dsl.snippets import filled_in
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.suggest import Suggestion
from cambist.editor.positions import Places

K = lsp.CompletionItemKind
KINDS = {
    "keyword": K.Keyword,
    "snippet": K.Snippet,
    "library": K.Module,
    "game": K.Module,
    "section": K.Reference,
    "source": K.Reference,
    "enum": K.Enum,
    "member": K.EnumMember,
    "band": K.EnumMember,
    "card": K.Struct,
    "field": K.Field,
    "zone": K.Field,
    "deck": K.Field,
    "account": K.Field,
    "track": K.Field,
    "table": K.Constant,
    "unit": K.Unit,
    "option": K.Property,
    "define": K.Function,
    "built in": K.Function,
    "phase": K.Method,
    "procedure": K.Method,
    "branch": K.Event,
}
WORD = re.compile(r"[A-Za-z_]\w*$", re.ASCII)


def items(
    found: list[Suggestion], file: SourceFile, offset: int, places: Places, snippets: bool
) -> list[lsp.CompletionItem]:
    line = file.text[file.text.rfind("\n", 0, offset) + 1 : offset]
    word = WORD.search(line)
    back = len(word.group()) if word else 0
    return [_item(one, file, offset, one.replaces or back, places, snippets) for one in found]


def _item(
    one: Suggestion, file: SourceFile, offset: int, back: int, places: Places, snippets: bool
) -> lsp.CompletionItem:
    where = places.range(Span(file, offset - back, offset))
    text = one.snippet or one.text
    plain = not (one.snippet and snippets)
    return lsp.CompletionItem(
        label=one.text,
        kind=KINDS.get(one.what, K.Variable),
        detail=one.detail or one.what,
        sort_text=f"{one.rank}{one.text}",
        filter_text=one.text.removesuffix(" …"),
        insert_text_format=lsp.InsertTextFormat.PlainText if plain else lsp.InsertTextFormat.Snippet,
        insert_text_mode=lsp.InsertTextMode.AdjustIndentation if "\n" in text else None,
        text_edit=lsp.TextEdit(where, filled_in(text) if plain and one.snippet else text),
    )
