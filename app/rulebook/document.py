"""What a book is made of, whatever it is printed as: headings, paragraphs, steps, tables, entries. Texts hold marks of
dsl/prose/marks.py. Data only.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cambist.dsl.prose.declared import Grid
from cambist.dsl.prose.steps import Step


@frozen
class Heading:
    level: int
    text: str
    key: str  # where links lead
    marks: str = ""  # of its notes


@frozen
class Paragraph:
    text: str
    style: Literal["", "lead", "aside"] = ""


@frozen
class Steps:
    steps: tuple[Step, ...]
    style: Literal["steps", "options"] = "steps"


@frozen
class Table:
    grid: Grid
    title: str = ""


@frozen
class Entry:
    term: str
    key: str
    text: str
    inside: tuple[Step, ...] = ()
    more: str = ""  # beside the term, less loud


@frozen
class Entries:
    entries: tuple[Entry, ...]


@frozen
class ShownExample:
    number: int
    title: str
    lines: tuple[str, ...]
    marks: str
    outcome: str  # empty: it holds


Block = Heading | Paragraph | Steps | Table | Entries | ShownExample


@frozen
class Document:
    title: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
