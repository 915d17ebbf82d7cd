"""Places as the protocol counts them: lines from 0, columns in UTF-16 units (or what the editor prefers), and URIs."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import PositionCodec

from cambist.dsl.source import SourceFile, Span

UNTITLED = Path("/untitled")


def path_of(uri: str) -> Path:
    """The file of a URI; one that was never saved lies in a folder that there is not."""
    if uri.startswith("file:"):
        found = uris.to_fs_path(uri)
        if found:
            return Path(found)
    name = "".join(c if c.isalnum() or c in "-_" else "_" for c in uri)
    return UNTITLED / f"{name[-80:]}.rules"


class Places:
    """Turns spans into ranges and positions into offsets, in the units that editor and server agreed on."""

    def __init__(self, codec: PositionCodec) -> None:
        self.codec = codec
        self.uris: dict[Path, str] = {}  # how the editor spells the URIs of what it has opened

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or path.as_uri()

    def position(self, file: SourceFile, offset: int) -> lsp.Position:
        offset = max(0, min(offset, len(file.text)))
        line = file.line_of(offset)
        before = file.text[file.starts[line - 1] : offset].rstrip("\r")
        return lsp.Position(line - 1, self.codec.client_num_units(before))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.file, span.start), self.position(span.file, span.end))

    def location(self, path: Path, span: Span) -> lsp.Location:
        return lsp.Location(self.uri(path), self.range(span))

    def offset(self, file: SourceFile, position: lsp.Position) -> int:
        """Where a position is in the text; one beyond the end of its line or file is that end."""
        if position.line >= len(file.starts):
            return len(file.text)
        start, text = file.starts[max(0, position.line)], file.line_text(max(0, position.line) + 1)
        units = 0
        for index, character in enumerate(text):
            if units >= position.character:
                return start + index
            units += self.codec.client_num_units(character)
        return start + len(text)
