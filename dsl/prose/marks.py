"""Inline marks: a sentence is a plain string in which terms, headings and notes are marked by characters that no
rules file can bring in. Whatever an author wrote goes through `clean`; whoever prints a sentence goes through
`pieces`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from attrs import frozen

OPEN, MIDDLE, CLOSE = "\ue000", "\ue001", "\ue002"
OWN = re.compile("[\ue000-\ue002]")
MARK = re.compile(f"{OPEN}([a-z]+){MIDDLE}([^{MIDDLE}]*){MIDDLE}([^{OPEN}{CLOSE}]*){CLOSE}")
Style = Literal["plain", "name", "action", "term", "phase", "cite", "assumed", "erratum"]


@frozen
class Piece:
    style: str
    text: str
    key: str = ""  # what it leads to: a term, a phase, the number of a note


def clean(text: str) -> str:
    """What an author wrote, without characters that mean something here and without control characters."""
    return "".join(c if c.isprintable() or c == " " else " " for c in OWN.sub("", text))


def marked(style: Style, text: str, key: str = "") -> str:
    return f"{OPEN}{style}{MIDDLE}{clean(key)}{MIDDLE}{clean(text)}{CLOSE}"


def pieces(text: str) -> Iterator[Piece]:
    at = 0
    for found in MARK.finditer(text):
        if found.start() > at:
            yield Piece("plain", text[at : found.start()])
        yield Piece(found.group(1), found.group(3), found.group(2))
        at = found.end()
    if at < len(text):
        yield Piece("plain", text[at:])


def bare(text: str) -> str:
    """As it is read: without marks and without the numbers of notes."""
    return "".join(p.text for p in pieces(text) if p.style not in ("cite", "assumed", "erratum"))


def capital(text: str) -> str:
    """The first letter that is read, in upper case."""
    at = 0
    if text.startswith(OPEN) and len(next(pieces(text)).text) == 1:
        return text  # a letter that stands for a number stays as it is
    while text[at : at + 1] == OPEN:
        at = text.index(MIDDLE, text.index(MIDDLE, at) + 1) + 1
    while text[at : at + 1] in ("(", "“"):
        at += 1
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def sentence(text: str) -> str:
    """A capital at the beginning, a point at the end unless something else ends it."""
    text = text.strip()
    if not text:
        return ""
    last = bare(text).rstrip("”) ")[-1:]
    return capital(text) + ("" if last and last in ".:!?" else ".")
