"""Bytes -> a `SourceFile`, or the reason why not. The one gate for rules and sheets alike: size, UTF-8,
characters.

Refuses what would hide from a reader (control and direction characters). Reads no file itself.
"""

from __future__ import annotations

import unicodedata

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic
from cambist.dsl.source import SourceFile, Span

LARGEST_FILE = 256 * 1024
ALLOWED_CONTROLS = frozenset("\n\r\t")


def decode(name: str, data: bytes) -> SourceFile | Diagnostic:
    if len(data) > LARGEST_FILE:
        empty = SourceFile(name, "")
        return say.file_too_large(Span(empty, 0, 0), len(data), LARGEST_FILE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        file = SourceFile(name, before.replace("\0", "?"))
        end = len(file.text)
        return say.not_text(Span(file, end, end), f"byte {error.start + 1} is not UTF-8")
    text = text.replace("\r\n", "\n")
    for position, character in enumerate(text):
        if character < " " or character > "~":
            category = unicodedata.category(character)
            if category in ("Cc", "Cf", "Co", "Cs") and character not in ALLOWED_CONTROLS:
                file = SourceFile(name, text)
                return say.not_text(
                    Span(file, position, position + 1), f"the character U+{ord(character):04X} is not allowed"
                )
    return SourceFile(name, text)
