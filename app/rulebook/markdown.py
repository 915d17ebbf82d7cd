"""A book as Markdown: readable as plain text, and as a page wherever Markdown is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cambist.dsl.prose.english import superscript
from cambist.dsl.prose.marks import Piece, bare, pieces
from cambist.dsl.prose.steps import Step
from cambist.rulebook.document import Block, Document, Entries, Heading, Paragraph, ShownExample, Steps, Table

SPECIAL = re.compile(r"([\\`*_<>\[\]|~])")
LINE_START = re.compile(r"^(\s*)([#>+-]|\d+[.)])(?=\s|$)")
NOTES = {"assumed": ("ᴬ", "what-is-assumed"), "erratum": ("ᴱ", "read-otherwise-than-printed")}


def escaped(text: str) -> str:
    return LINE_START.sub(r"\1\\\2", SPECIAL.sub(r"\\\1", text)).replace("&", "&amp;")


def inline(text: str, anchors: dict[str, str]) -> str:
    return "".join(_piece(piece, anchors) for piece in pieces(text))


def _piece(piece: Piece, anchors: dict[str, str]) -> str:
    text = SPECIAL.sub(r"\\\1", piece.text).replace("&", "&amp;")
    match piece.style:
        case "name" | "term":
            return f"*{text}*"
        case "action":
            return f"**{text}**"
        case "phase":
            key = piece.key if piece.key in anchors else f"phase-{piece.key}"
            return f"[{text}](#{anchors[key]})" if key in anchors else f"*{text}*"
        case "cite":
            return f"[{superscript(text)}](#where-it-is-written)"
        case "assumed" | "erratum":
            sign, place = NOTES[piece.style]
            return f"[{sign}{superscript(text)}](#{place})"
        case _:
            return text


def slug(text: str, used: dict[str, int]) -> str:
    """The anchor that a heading gets where Markdown is shown."""
    made = re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")
    number = used.get(made, 0)
    used[made] = number + 1
    return f"{made}-{number}" if number else made


def markdown(book: Document) -> str:
    used: dict[str, int] = {}
    anchors: dict[str, str] = {}
    slug(book.title, used)
    for block in book.blocks:
        if isinstance(block, Heading):
            made = slug(bare(block.text), used)
            if block.key:
                anchors[block.key] = made
        elif isinstance(block, ShownExample):
            anchors[f"example-{block.number}"] = anchors.get("examples", "examples")
    lines = [f"# {escaped(book.title)}", ""]
    lines += [f"- **{label}:** {escaped(text)}" for label, text in book.facts]
    lines += [""]
    chapters = [b for b in book.blocks if isinstance(b, Heading) and b.level == 2]
    lines += [f"- [{escaped(bare(b.text))}](#{anchors[b.key]})" for b in chapters]
    for block in book.blocks:
        lines += ["", *_block(block, anchors)]
    return "\n".join(line.rstrip() for line in lines).strip() + "\n"


def _block(block: Block, anchors: dict[str, str]) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * min(block.level, 5)} {inline(block.text, anchors)}"
            if block.marks:  # behind the heading they would be a part of its anchor
                yield ""
                yield f"Source: {inline(block.marks, anchors)}"
        case Paragraph():
            text = inline(block.text, anchors)
            yield f"*{text}*" if block.style == "aside" and "*" not in text and "[" not in text else text
        case Steps():
            yield from _steps(block.steps, block.style, anchors, "")
        case Table():
            if block.title:
                yield f"{inline(block.title, anchors)}:"
                yield ""
            yield f"| {' | '.join(escaped(cell) for cell in block.grid.head)} |"
            yield f"| {' | '.join('---' for _ in block.grid.head)} |"
            for row in block.grid.rows:
                yield f"| {' | '.join(escaped(cell) for cell in row)} |"
        case Entries():
            for entry in block.entries:
                more = f" {inline(entry.more, anchors)}" if entry.more else ""
                yield f"- **{escaped(entry.term)}**{more}: {inline(entry.text, anchors)}"
                yield from _steps(entry.inside, "options", anchors, "  ")
        case ShownExample():
            yield f"**{block.number}. {escaped(block.title)}**{inline(block.marks, anchors)}"
            yield ""
            for line in block.lines:
                yield f"- {inline(line, anchors)}"
            yield f"- ✗ *This does not hold:* {escaped(block.outcome)}" if block.outcome else "- ✓"


def _steps(steps: tuple[Step, ...], style: str, anchors: dict[str, str], indent: str) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        bullet = f"{number}." if style == "steps" and len(steps) > 1 else "-"
        yield f"{indent}{bullet} {inline(step.text, anchors)}"
        yield from _steps(step.inside, step.style, anchors, indent + " " * (len(bullet) + 1))
