"""Bytes -> a `SourceFile`, or the reason why not. The one gate for rules and sheets alike: size, UTF-8,
characters.

Refuses what would hide from a reader (control and direction characters). Reads no file itself.
"""

from __future__ import annotations

import re
import unicodedata

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic
from cambist.dsl.source import SourceFile, Span

LARGEST_FILE = 256 * 1024
DOUBTFUL = re.compile(r"[^ -~\n\r\t]")  # characters that must be looked up


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
    for found in DOUBTFUL.finditer(text):
        character, position = found[0], found.start()
        if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
            file = SourceFile(name, text)
            return say.not_text(
                Span(file, position, position + 1), f"the character U+{ord(character):04X} is not allowed"
            )
    return SourceFile(name, text)
