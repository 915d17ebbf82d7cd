"""A book as one HTML file that loads nothing: own style for screen and paper, light and dark, a table of contents.
A ruleset may come from a stranger, so every text goes through `escape`, and links lead only to places in the same
file.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib import resources
from urllib.parse import quote

from cambist.dsl.prose.marks import Piece, bare, pieces
from cambist.dsl.prose.steps import Step
from cambist.rulebook.document import Block, Document, Entries, Heading, Paragraph, ShownExample, Steps, Table

ALLOWED = "default-src 'none'; style-src 'unsafe-inline'"
CLASSES = {"name": "name", "term": "term", "action": "action"}


def anchor(key: str) -> str:
    return quote(key, safe="-_").replace("%", ".")


def html(book: Document) -> str:
    known = {block.key for block in book.blocks if isinstance(block, Heading) and block.key}
    known |= {entry.key for block in book.blocks if isinstance(block, Entries) for entry in block.entries if entry.key}
    known |= {f"example-{block.number}" for block in book.blocks if isinstance(block, ShownExample)}
    body = "\n".join(line for block in book.blocks for line in _block(block, known))
    facts = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in book.facts)
    title = escape(book.title)
    style = resources.files("cambist").joinpath("templates", "rulebook.css").read_text("utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(ALLOWED)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: the rules</title>
<style>
{style}</style>
</head>
<body>
<nav aria-label="Contents">
<p class="nav-title"><a href="#top">{title}</a></p>
<ol>
{_contents(book)}</ol>
</nav>
<main id="top">
<header>
<h1>{title}</h1>
<dl class="facts">{facts}</dl>
</header>
{body}
</main>
</body>
</html>
"""


def _contents(book: Document) -> str:
    lines = []
    for block in book.blocks:
        if isinstance(block, Heading) and block.level in (2, 3) and block.key:
            text = escape(bare(block.text))
            lines.append(f'<li class="level{block.level}"><a href="#{anchor(block.key)}">{text}</a></li>\n')
    return "".join(lines)


def inline(text: str, known: set[str]) -> str:
    return "".join(_piece(piece, known) for piece in pieces(text))


def _piece(piece: Piece, known: set[str]) -> str:
    text = escape(piece.text)
    match piece.style:
        case "term":
            key = f"term-{piece.key}"
            return f'<a class="term" href="#{anchor(key)}">{text}</a>' if key in known else f"<em>{text}</em>"
        case "phase":
            key = piece.key if piece.key in known else f"phase-{piece.key}"
            return f'<a class="phase" href="#{anchor(key)}">{text}</a>' if key in known else f"<em>{text}</em>"
        case "name":
            return f"<em>{text}</em>"
        case "action":
            target = f' id="{anchor(piece.key)}"' if piece.key.startswith(("cite-", "assumed-", "erratum-")) else ""
            return f"<strong{target}>{text}</strong>"
        case "cite" | "assumed" | "erratum":
            sign = {"cite": "", "assumed": "A", "erratum": "E"}[piece.style]
            return (
                f'<sup class="note {piece.style}"><a href="#{piece.style}-{anchor(piece.key)}">{sign}{text}</a></sup>'
            )
        case _:
            return text


def _block(block: Block, known: set[str]) -> Iterator[str]:
    match block:
        case Heading():
            target = f' id="{anchor(block.key)}"' if block.key else ""
            yield f"<h{block.level}{target}>{inline(block.text + block.marks, known)}</h{block.level}>"
        case Paragraph():
            style = f' class="{block.style}"' if block.style else ""
            yield f"<p{style}>{inline(block.text, known)}</p>"
        case Steps():
            yield _steps(block.steps, block.style, known)
        case Table():
            caption = f"<caption>{inline(block.title, known)}</caption>" if block.title else ""
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.grid.head)
            yield f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>'
            for row in block.grid.rows:
                cells = "".join(_cell(cell) for cell in row[1:])
                yield f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>'
            yield "</tbody></table></div>"
        case Entries():
            yield '<dl class="entries">'
            for entry in block.entries:
                more = f' <span class="more">{inline(entry.more, known)}</span>' if entry.more else ""
                inside = _steps(entry.inside, "options", known) if entry.inside else ""
                yield f'<dt id="{anchor(entry.key)}">{escape(entry.term)}{more}</dt>'
                yield f"<dd>{inline(entry.text, known)}{inside}</dd>"
            yield "</dl>"
        case ShownExample():
            outcome = f"does not hold: {escape(block.outcome)}" if block.outcome else "holds"
            kind = "fails" if block.outcome else "holds"
            yield f'<section class="example {kind}" id="example-{block.number}">'
            yield f"<h5>{block.number}. {escape(block.title)}{inline(block.marks, known)}</h5>"
            yield "".join(f"<p>{inline(line, known)}</p>" for line in block.lines)
            yield f'<p class="outcome">{"✗" if block.outcome else "✓"} {outcome}</p></section>'


def _cell(text: str) -> str:
    """A list of many things breaks between them only."""
    items = text.split("; ")
    if len(items) == 1:
        return f"<td>{escape(text)}</td>"
    return f'<td class="many">{"; ".join(f"<span>{escape(item)}</span>" for item in items)}</td>'


def _steps(steps: tuple[Step, ...], style: str, known: set[str]) -> str:
    tag = "ol" if style == "steps" and len(steps) > 1 else "ul"
    inside = "".join(
        f"<li>{inline(step.text, known)}{_steps(step.inside, step.style, known) if step.inside else ''}</li>\n"
        for step in steps
    )
    return f'<{tag} class="{style}">\n{inside}</{tag}>\n'
