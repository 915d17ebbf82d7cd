"""Rules as different people would type them: the same words, other blanks, depths and line ends, more comments."""

from __future__ import annotations

from random import Random

from cambist.dsl.tokens import PIECE

WORDLIKE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")
REMARKS = ("# why?", '# "half a quote', "#", "# cites nothing", "#: , = ( [", "# é – ü", "# fmt: of", "#\tx")


def retyped(text: str, random: Random) -> str:
    """Says the same; comments and where lines end are kept. The text is canonical."""
    lines = [_respaced(line, random) for line in _reindented(text.split("\n"), random)]
    out: list[str] = []
    for line in lines:
        out += [line] + ([" " * random.randrange(3)] * random.randrange(3) if not line.strip() else [])
    end = random.choice(("\n", "\r\n"))
    whole = end.join(line + " " * random.choice((0, 0, 0, 3)) for line in out)
    return random.choice(("", "\ufeff")) + random.choice((whole, whole.rstrip(), whole + end * 3))


def _reindented(lines: list[str], random: Random) -> list[str]:
    """Every block by another number of blanks, the lines of one block alike."""
    out = []
    stack = [(0, 0)]
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if not text:
            out.append("")
            continue
        while stack[-1][0] > indent:
            stack.pop()
        if stack[-1][0] < indent:
            stack.append((indent, stack[-1][1] + random.choice((1, 2, 3, 4, 8))))
        out.append(" " * stack[-1][1] + text)
    return out


def _respaced(line: str, random: Random) -> str:
    """Blanks between words taken out where they can be, and put in anywhere."""
    pieces = [match.group() for match in PIECE.finditer(line) if match.lastgroup != "space"]
    out = line[: len(line) - len(line.lstrip(" "))]
    for before, piece in zip(["", *pieces], pieces, strict=False):
        apart = not before or (before[-1] in WORDLIKE and piece[0] in WORDLIKE)
        out += " " * (random.choice((1, 1, 1, 5) if apart else (0, 1, 1, 3)) if before else 0) + piece
    return out


def with_remarks(text: str, random: Random) -> str:
    """With comments and empty lines anywhere, between the lines and at their ends."""
    out = []
    for line in text.split("\n"):
        if random.random() < 0.1:
            out += [""] * random.randrange(3)
        if random.random() < 0.15:
            out.append(" " * random.choice((0, 2, 4, 7, len(line) - len(line.lstrip()), 70)) + random.choice(REMARKS))
        if line.strip() and "#" not in line and random.random() < 0.2:
            line += " " * random.choice((0, 1, 4)) + random.choice(REMARKS)
        out.append(line)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + "\n".join(out).replace("\ufeff", "")


def comments(text: str) -> list[str]:
    """All comments, found without the formatter."""
    found = []
    for line in text.removeprefix("\ufeff").splitlines():
        inside = False
        for at, character in enumerate(line):
            inside ^= character == '"'
            if character == "#" and not inside:
                found.append(line[at:].rstrip())
                break
    return found
