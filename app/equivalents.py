"""Changes to rules that are known to make no difference: read from `<rules>.equivalent.yaml` beside the rules.

In: where the rules lie and the changes that can be made. Out: the reason for each change that is listed, and the
entries that fit none any more. The form is in schemas/equivalent.schema.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from cambist.dsl.diagnostics import Report
from cambist.dsl.mutants import Mutant
from cambist.dsl.plain_sheets import Node
from cambist.dsl.sheets import read_tree
from cambist.dsl.source import SourceFile
from cambist.files import read_text
from cambist.problems import FOUND, UserError
from cambist.schema_check import problems

FORM = 'an entry is {rule: "phase trade", line: "move 2 from pile to shelf", change: "2 -> 3", because: "..."}'


@frozen
class Equivalents:
    reasons: dict[int, str]  # by the place of the change in the list of all
    stale: tuple[str, ...]  # entries that speak of a change which cannot be made
    texts: tuple[str, ...]  # of the files read


def read_equivalents(rules: Path, found: Sequence[Mutant]) -> Equivalents:
    """All lists beside the rules, one for each file that changes are made in."""
    reasons: dict[int, str] = {}
    stale: list[str] = []
    texts: list[str] = []
    stems = dict.fromkeys([rules.stem, *(_stem(m) for m in found)])
    for stem in stems:
        path = rules.parent / f"{stem}.equivalent.yaml"
        if path.exists():
            texts.append(read_text(path, "a list of changes"))
            for entry in _entries(path, texts[-1]):
                place = _fitting(entry, found)
                if place is not None:
                    reasons[place] = entry["because"]
                elif stem == rules.stem:  # what a variant has replaced is still in its base's list
                    stale.append(f"{path.name}: {entry['rule']}: {entry['line']}: {entry['change']}")
    return Equivalents(reasons, tuple(stale), tuple(texts))


def _stem(mutant: Mutant) -> str:
    return Path(mutant.span.file.name).stem


def _fitting(entry: dict[str, Any], found: Sequence[Mutant]) -> int | None:
    wanted = (entry["rule"], _words(entry["line"]), entry["change"])
    fitting = [place for place, m in enumerate(found) if (m.rule, _words(m.line), m.change) == wanted]
    which = entry.get("which", 1)
    return fitting[which - 1] if which <= len(fitting) else None


def _words(line: str) -> str:
    """A line without its layout, which `fmt` may change."""
    return " ".join(line.split())


def _entries(path: Path, text: str) -> list[dict[str, Any]]:
    report = Report()
    root = read_tree(SourceFile(str(path), text), report)
    if root is None:
        first = report.sorted()[0]
        raise UserError(f"{path}, line {first.primary.span.line}: {first.message}", FORM, FOUND)
    data = plain(root)
    wrong = problems("equivalent", data)
    if wrong:
        raise UserError(f"{path}: {wrong[0]}", FORM, FOUND)
    entries: list[dict[str, Any]] = data["changes"]
    return entries


def plain(node: Node) -> Any:
    """A tree of YAML as lists, dictionaries and values."""
    if isinstance(node.value, dict):
        return {key: plain(inner) for key, (_, inner) in node.value.items()}
    if isinstance(node.value, list):
        return [plain(inner) for inner in node.value]
    return node.value
