"""The frame of a page, its look, and the few pieces of HTML that sections are made of.

One file that needs nothing else: no script, no font, no picture from anywhere. Light or dark as the reader's system
is, and fit for paper. Whatever is text is escaped here, so that a ruleset cannot put anything into a page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # a browser then loads and runs nothing, whatever gets in here
CODE = re.compile(r"`([^`]*)`")
STYLE = """
:root { color-scheme: light dark; --ground: #fdfdfb; --panel: #fff; --text: #21252b; --faint: #68707c; --line: #d9dce1;
  --one: #2563a8; --two: #d9822b; --wide: #2563a826; --close: #2563a84d; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181c; --panel: #1e2126; --text: #e4e6ea; --faint: #9aa2ae;
  --line: #383d46; --one: #6ea8e6; --two: #e8a35c; --wide: #6ea8e626; --close: #6ea8e650; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 72rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.25rem; margin: 0 0 .3rem; }
h3 { font-size: 1rem; margin: 1rem 0 0; flex-basis: 100%; }
p { margin: .3rem 0; max-width: 48rem; }
.under, figcaption, footer { color: var(--faint); }
.summary { background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--one);
  border-radius: 6px; padding: .8rem 1.2rem; margin: 1.2rem 0; }
.summary li { margin: .35rem 0; }
.summary ul { margin: 0; padding-left: 1.1rem; }
nav { font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1rem 0; }
a { color: var(--one); }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem 1.2rem;
  margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; align-items: flex-start; }
section > h2, section > p, section > details, section > pre { flex-basis: 100%; }
figure { margin: .4rem 0; max-width: 100%; display: table; }
figcaption { font-size: .85rem; display: table-caption; caption-side: bottom; }
svg.plot { max-width: 100%; height: auto; display: block; font: 11px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .tick, svg .small { fill: var(--faint); } svg .axis { font-weight: 600; }
svg .middle { text-anchor: middle; } svg .end { text-anchor: end; }
svg .grid { stroke: var(--line); stroke-width: .6; } svg .line { stroke: var(--faint); fill: none; }
svg .bar { fill: var(--one); opacity: .82; } svg .bar:hover { opacity: 1; }
svg .whisker { stroke: var(--text); stroke-width: 1.6; } svg .between { stroke: var(--line); stroke-width: 3; }
svg .expected { stroke: var(--two); stroke-width: 1.4; stroke-dasharray: 5 3; }
svg .dot.one { fill: var(--one); } svg .dot.two { fill: var(--two); } svg .dot { stroke: var(--panel); }
svg .band.wide { fill: var(--wide); } svg .band.close { fill: var(--close); }
svg .median { fill: none; stroke: var(--one); stroke-width: 2; }
.one { color: var(--one); } .two { color: var(--two); } .more { color: var(--one); } .less { color: var(--two); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; font-size: .82rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--one); }
@media print { body { max-width: none; padding: 0; font-size: 11px; background: none; } nav { display: none; }
  section, .summary { break-inside: avoid; border: none; padding: .2rem 0; } }
"""


def page(title: str, under: str, sentences: Sequence[str], parts: Sequence[str], made_by: str) -> str:
    points = "".join(f"<li>{marked_up(sentence)}</li>" for sentence in sentences)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="under">{escape(under)}</p>\n'
        f'<div class="summary"><ul>{points}</ul></div>\n'
        + "\n".join(part for part in parts if part)
        + f"\n<footer><p>{made_by}</p></footer>\n</body>\n</html>\n"
    )


def section(title: str, text: str, *parts: str) -> str:
    """A heading, a paragraph and what follows it, which is HTML already."""
    return f"<section><h2>{escape(title)}</h2>{paragraph(text) if text else ''}{''.join(parts)}</section>"


def paragraph(text: str) -> str:
    return f"<p>{marked_up(text)}</p>"


def marked_up(text: str) -> str:
    """Escaped; what stands between backticks is code, and a percent sign stays with its number."""
    return CODE.sub(r"<code>\1</code>", escape(text)).replace(" %", "&#160;%")


def figure(drawn: str, text: str = "", more: str = "") -> str:
    if not drawn:
        return ""
    below = f"<figcaption>{more}{' ' if more else ''}{marked_up(text)}</figcaption>" if text or more else ""
    return f"<figure>{drawn}{below}</figure>"


def caption(text: str, look: str) -> str:
    return f'<span class="{look}">{escape(text)}</span> '


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of numbers are set to the right."""
    right = [all(row[place][:1] in "0123456789-+−" for row in rows) for place in range(len(heads))]
    look = ['class="number"' if numbers and rows else "" for numbers in right]
    head = "".join(f"<th {k}>{escape(text)}</th>" for k, text in zip(look, heads, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td {k}>{marked_up(text)}</td>" for k, text in zip(look, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def details(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"
