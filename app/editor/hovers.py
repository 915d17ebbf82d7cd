"""What is told about a name when the cursor rests on it: its line, its kind, the comment above it, why it holds."""

from __future__ import annotations

import re

from cambist.dsl import nodes as n
from cambist.dsl.index import Definition, Use
from cambist.dsl.source import SourceFile, Span
from cambist.editor.documents import Known

WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
NOTE = re.compile(r"(?:^|\s+)\b(?:cites|assumed|erratum)\b.*$")
COMMENT = re.compile(r"\s+#(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$).*$")
WHOLE = frozenset("define enum card table track option invariant reachable measure show".split())
MOST_LINES = 8
BUILT_IN = {
    "players": "all who play, in the order of their seats",
    "everything": "all components of the game",
    "nobody": "no player, no card",
    "min": "`min(a, b)`: the smaller of two numbers",
    "max": "`max(a, b)`: the greater of two numbers",
    "abs": "`abs(a)`: a number without its sign",
    "next": "`next(p)`: the player to the left of p",
    "around": "`around(p)`: all players, clockwise from p",
    "others": "`others(p)`: all players but p, clockwise",
    "before": "`before(x)`: in a law, what x was before",
    "empty": "`x is empty`: nothing lies in it",
}


def hover(known: Known, use: Use) -> str:
    """In Markdown."""
    definition = use.definition
    span, file = definition.span, definition.span.file
    parts = []
    if definition.what.startswith("section of"):
        parts.append(_section(known, definition))
    elif definition.local:
        parts.append(f"`{definition.name}`: {kinds_of(definition) or 'of any kind'}")
        parts.append(_code(file, span.line))
    else:
        parts.append(_code(file, span.line, MOST_LINES if definition.what in WHOLE else 1))
        kinds = kinds_of(definition)
        what = f"**{definition.what}** `{definition.name}`"
        parts.append(f"{what}: {kinds}" if kinds else what)
    comment = comment_of(file, span.line)
    if comment:
        parts.append(comment)
    parts += [shown for note in definition.notes if (shown := _note(known, note))]
    if file.name != known.file.name:
        parts.append(f"*{file.name}, line {span.line}*")
    return "\n\n".join(parts)


def kinds_of(definition: Definition) -> str:
    return " or ".join(dict.fromkeys(str(kind) for kind in definition.kinds))


def _code(file: SourceFile, line: int, most: int = 1) -> str:
    """The line, with those that belong to it if they are few; without what justifies it."""
    lines = [file.line_text(line)]
    depth = len(lines[0]) - len(lines[0].lstrip())
    for number in range(line + 1, line + most):
        text = file.line_text(number)
        if not text.strip() or len(text) - len(text.lstrip()) <= depth:
            break
        lines.append(text)
    shown = [COMMENT.sub("", NOTE.sub("", text)).rstrip() for text in lines]
    return "```rules\n" + "\n".join(text[depth:] for text in shown if text) + "\n```"


def comment_of(file: SourceFile, line: int) -> str:
    """The lines of comment right above a line, and the comment at its end."""
    found: list[str] = []
    above = line - 1
    while above >= 1 and file.line_text(above).lstrip().startswith("#"):
        found.insert(0, file.line_text(above).strip().lstrip("#").strip())
        above -= 1
    code = re.sub(r'"[^"]*"', lambda text: "_" * len(text.group()), file.line_text(line))
    if "#" in code:
        found.append(file.line_text(line)[code.index("#") + 1 :].strip())
    return " ".join(text for text in found if text and not set(text) <= set("-=#"))


def _note(known: Known, note: n.Note) -> str:
    match note:
        case n.Cite():
            return _cite(known, note)
        case n.Assumed():
            told = f"assumed because “{note.because}”"
            told += f", per “{note.per}”" if note.per else ""
            return told + (f"; or {', '.join(note.others)}" if note.others else "")
        case n.Erratum():
            return f"erratum: “{note.wrong}” because “{note.because}”"


def _cite(known: Known, cite: n.Cite) -> str:
    """A citation with the title of its section, and the rulebook it is in."""
    source = next((s for s in known.index.game.sources if s.name.text == cite.source), None)
    if source is None:
        return f"cites {cite.source}: “{cite.place}”"
    section = next((s for s in source.headings if s.is_place(cite.place)), None)
    title = cite.place if section is None else section.title
    number = f"§{section.number} " if section is not None and section.number is not None else ""
    return f"cites {number}“{title}” of {source.file}"


def _section(known: Known, definition: Definition) -> str:
    name = definition.what.removeprefix("section of ")
    source = next((s for s in known.index.game.sources if s.name.text == name), None)
    section = next((s for s in source.headings if s.span == definition.span), None) if source else None
    number = f"§{section.number} " if section is not None and section.number is not None else ""
    of = f" of {source.file}" if source is not None else ""
    rules = len(known.index.of(definition)) - 1
    cited = "cited once" if rules == 1 else f"cited {rules} times"
    why = f"; no rule because “{section.no_rule}”" if section is not None and section.no_rule else ""
    return f"**section** {number}“{definition.name}”{of}, {cited}{why}"


def word_at(file: SourceFile, offset: int) -> Span | None:
    for word in WORD.finditer(file.line_text(file.line_of(offset))):
        start = file.starts[file.line_of(offset) - 1]
        if start + word.start() <= offset <= start + word.end():
            return Span(file, start + word.start(), start + word.end())
    return None
