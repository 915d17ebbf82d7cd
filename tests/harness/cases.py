"""Reads the cases of the specification: Markdown with fenced blocks of rules and expectations on their lines.

    ```rules                     a fragment, put into the stub, or a whole ruleset (it begins with `game` or `library`)
    ```rules strict              checked strictly: every rule and number is cited or assumed
    ```rules name=market.rules   a file that stands beside the blocks below it, under the same heading
    ```yaml name=cards.yaml      a sheet beside them

An expectation is a comment at the end of the line that is wrong, `# error: [E0301] "two can be equal"` (or `warning:`),
with more of them behind it if the line has more. Where a comment cannot stand, it stands alone on the line below and
begins with `#^`. A block without expectations is right, and its examples hold.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import field, frozen

FENCE = re.compile(r"```(rules|yaml)((?: [a-z]+(?:=[\w.]+)?)*)$")
EXPECTED = re.compile(r"(?P<above>#\^|#) (?P<severity>error|warning): (?P<rest>\[.*)$")
ONE = re.compile(r'\[([EW]\d{4})\] "([^"]*)"')


@frozen
class Expectation:
    file: str  # the name of the block; empty for one without a name
    line: int  # of the block, counted from 1
    code: str
    text: str  # stands in the message, a label or the help


@frozen
class Case:
    source: str  # the Markdown file and the line of the fence, to find it
    heading: str
    text: str
    strict: bool = False
    files: dict[str, str] = field(factory=dict)  # what stands beside it, by name
    expected: tuple[Expectation, ...] = ()

    def __str__(self) -> str:
        return f"{self.source} {self.heading}"


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = []
    heading, files = "", dict[str, str]()
    lines = path.read_text("utf-8").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("#"):
            heading, files = line.lstrip("# "), {}
        opening = FENCE.match(line)
        if line.startswith("```") and opening is None:
            raise ValueError(f"{path.name}:{at + 1}: this fence says neither `rules` nor `yaml`")
        at += 1
        if opening is None:
            continue
        end = lines.index("```", at)
        text = "\n".join(lines[at:end]) + "\n"
        words = opening.group(2).split()
        name = next((w.removeprefix("name=") for w in words if w.startswith("name=")), "")
        if name:
            files = files | {name: text}
        else:
            place = f"{path.name}:{at}"
            beside = [one for file, body in files.items() for one in expectations(body, file)]
            cases.append(Case(place, heading, text, "strict" in words, files, (*expectations(text), *beside)))
        at = end + 1
    return cases


def expectations(text: str, file: str = "") -> tuple[Expectation, ...]:
    found: list[Expectation] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = EXPECTED.search(line)
        if match is not None:
            ones = ONE.findall(match.group("rest"))
            if "; ".join(f'[{code}] "{words}"' for code, words in ones) != match.group("rest"):
                raise ValueError(f"not an expectation: {match.group('rest')}")
            above = match.group("above") == "#^"
            found += [Expectation(file, number - above, code, words) for code, words in ones]
        elif re.search(r"# *(error|warning)\b", line):
            raise ValueError(f"not an expectation: {line.strip()}")
    return tuple(found)
