"""What a few lines of rules are told as: plain text, one line a step. For the cases and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from cambist.dsl import nodes as n
from cambist.dsl.prose.declared import cards_of, entry, enum_line, label, meaning, option_line, unit_line
from cambist.dsl.prose.examples import example_lines, law_line
from cambist.dsl.prose.marks import bare
from cambist.dsl.prose.statements import Teller, teller
from cambist.dsl.prose.steps import Step
from cambist.dsl.prose.world import World, world_of
from cambist.dsl.ruleset import CheckedRuleset

BLOCKS = re.compile(r"^```rules\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@frozen
class Case:
    heading: str
    rules: str
    told: str

    def __str__(self) -> str:
        return self.heading


def read(path: Path) -> list[Case]:
    text = path.read_text("utf-8")
    headings = [(m.start(), m.group(1)) for m in HEADING.finditer(text)]
    found = []
    for block in BLOCKS.finditer(text):
        above = [name for start, name in headings if start < block.start()]
        found.append(Case(above[-1], block.group(1), block.group(2) or ""))
    return found


def rewritten(path: Path, told: dict[str, str]) -> str:
    """The file with what its blocks are told as."""
    cases = iter(read(path))

    def one(block: re.Match[str]) -> str:
        return f"```rules\n{block.group(1)}```\n\n```text\n{told[next(cases).heading]}```\n"

    return BLOCKS.sub(one, path.read_text("utf-8"))


def told(ruleset: CheckedRuleset, first: int, last: int) -> str:
    """What stands on these lines of the file, in words."""
    world = world_of(ruleset)
    lines = []
    for decl in ruleset.decls:
        if first <= decl.span.line <= last and decl.span.file.name == ruleset.file.name:
            lines += list(_lines(world, decl))
    return "".join(f"{line}\n" for line in lines)


def _lines(world: World, decl: n.Decl) -> Iterator[str]:
    match decl:
        case n.Procedure():
            yield from _steps(teller(world, decl.name.text, decl).tell(decl.body), "")
        case n.Define():
            of, step = meaning(world, decl)
            yield from _steps((Step(f"{world.words(decl.name.text)}{of}: {step.text}", step.inside),), "")
        case n.Zone() | n.Account() | n.Variable() | n.Track():
            yield f"{label(world, decl)}: {bare(entry(world, decl))}"
        case n.Deck():
            for kind in cards_of(world, decl):
                yield bare(kind.text)
                for row in (kind.grid.head, *kind.grid.rows) if kind.grid is not None else ():
                    yield "  " + " | ".join(row)
        case n.Enum():
            yield bare(enum_line(world, decl))
        case n.Unit():
            yield bare(unit_line(world, decl))
        case n.Option():
            yield f"{world.words(decl.name.text)}: {bare(option_line(world, decl))}"
        case n.Whenever():
            yield from _steps((Teller(world, world.ruleset.inferred.singles.get(id(decl))).whenever(decl),), "")
        case n.Example():
            yield from (bare(line) for line in example_lines(world, decl))
        case n.Property():
            yield bare(law_line(world, decl))
        case _:
            pass


def _steps(steps: tuple[Step, ...], indent: str) -> Iterator[str]:
    for step in steps:
        yield f"{indent}{bare(step.text)}"
        yield from _steps(step.inside, f"{indent}  ")
