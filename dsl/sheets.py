"""A YAML sheet -> rows of components with their places, behind a gate: no anchors, tags, floats or great
depth.

In: the text of a sheet (reading.py has let it through). Out: `SheetRow`s, or diagnostics that point into
the sheet. Knows the form of a sheet (schemas/sheet.schema.json), not the cards of any game.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from attrs import frozen
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML, MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.error import YAMLError

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Report
from cambist.dsl.source import SourceFile, Span

DEEPEST, MOST_NODES, MOST_DIGITS = 32, 50_000, 18
INT, BOOL, NULL = "tag:yaml.org,2002:int", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null"
STR = "tag:yaml.org,2002:str"
Path = tuple[str | int, ...]


@frozen
class SheetRow:
    card: str
    count: int
    values: dict[str, int | str | bool]
    spans: dict[str, Span]
    span: Span


@cache
def _validator() -> Draft202012Validator:
    text = resources.files("cambist.schemas").joinpath("sheet.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


def read_sheet(file: SourceFile, report: Report) -> list[SheetRow]:
    spans: dict[Path, Span] = {}
    try:
        if not _gate(file, report):
            return []
        root = YAML(typ="rt", pure=True).compose(file.text)
    except YAMLError as error:
        report.add(_yaml_problem(file, error))
        return []
    if root is None:
        report.add(say.bad_sheet(Span(file, 0, 0), "it is empty", "begin with `sheet: 1`"))
        return []
    before = len(report.items)
    data = _plain(file, root, (), spans, report)
    if len(report.items) > before:
        return []
    for problem in sorted(_validator().iter_errors(data), key=lambda e: [str(p) for p in e.absolute_path]):
        path = tuple(problem.absolute_path)
        report.add(say.bad_sheet(spans.get(path, Span(file, 0, 0)), _reason(problem), _remedy(problem)))
    if len(report.items) > before:
        return []
    rows = []
    for index, item in enumerate(data["cards"]):
        path = ("cards", index)
        values = {key: value for key, value in item.items() if key not in ("card", "count")}
        places = {key: spans[(*path, key)] for key in item}
        rows.append(SheetRow(item["card"], item.get("count", 1), values, places, spans[path]))
    return rows


def _reason(error: Any) -> str:
    if error.validator == "required":
        return f"`{error.message.split(chr(39))[1]}` is missing"
    if error.validator == "additionalProperties":
        return (
            "a sheet has `sheet` and `cards` only"
            if not error.absolute_path
            else "a value must be a word or a whole number"
        )
    if error.validator == "const":
        return "only sheets of form 1 are known"
    if error.validator == "type":
        return f"this should be {' or '.join(_words(error.validator_value))}"
    return "this value is not allowed"


def _remedy(error: Any) -> str:
    return (
        "the form is `- {card: note, count: 2, value: 20}`" if error.absolute_path else "write `sheet: 1` and `cards:`"
    )


def _words(kinds: str | list[str]) -> list[str]:
    names = {
        "object": "a table",
        "array": "a list",
        "integer": "a whole number",
        "string": "a word",
        "boolean": "true or false",
    }
    return [names.get(k, k) for k in ([kinds] if isinstance(kinds, str) else kinds)]


def _yaml_problem(file: SourceFile, error: YAMLError) -> Any:
    mark = getattr(error, "problem_mark", None)
    position = min(mark.index, len(file.text)) if mark is not None else 0
    what = getattr(error, "problem", None) or "it is not YAML"
    return say.bad_sheet(
        Span(file, position, position + 1), str(what).splitlines()[0], "check colons, dashes and quotes"
    )


def _gate(file: SourceFile, report: Report) -> bool:
    """Refuse on the event stream, before anything is built: what could explode or run."""
    depth = nodes = 0
    for event in YAML(typ="rt", pure=True).parse(file.text):
        name = type(event).__name__
        mark = event.start_mark
        span = Span(file, mark.index, mark.index + 1)
        nodes += 1
        if name == "AliasEvent" or getattr(event, "anchor", None):
            report.add(say.bad_sheet(span, "anchors and aliases are not allowed", "write the values out"))
            return False
        if getattr(event, "tag", None):
            report.add(say.bad_sheet(span, "tags are not allowed", "take the `!` out"))
            return False
        depth += name in ("SequenceStartEvent", "MappingStartEvent")
        depth -= name in ("SequenceEndEvent", "MappingEndEvent")
        if depth > DEEPEST or nodes > MOST_NODES:
            report.add(say.bad_sheet(span, "it is nested too deeply or too long", "a sheet is a flat list of cards"))
            return False
    return True


def _plain(file: SourceFile, node: Any, path: Path, spans: dict[Path, Span], report: Report) -> Any:
    span = Span(file, node.start_mark.index, max(node.end_mark.index, node.start_mark.index + 1))
    spans[path] = span
    if isinstance(node, MappingNode):
        found: dict[str, Any] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in found:
                report.add(
                    say.bad_sheet(
                        Span(file, key.start_mark.index, key.end_mark.index),
                        f"`{name}` stands twice",
                        "take one out",
                    )
                )
            found[name] = _plain(file, value, (*path, name), spans, report)
        return found
    if isinstance(node, SequenceNode):
        return [_plain(file, item, (*path, index), spans, report) for index, item in enumerate(node.value)]
    assert isinstance(node, ScalarNode)
    text = str(node.value)
    tag = str(node.ctag) if hasattr(node, "ctag") else str(node.tag)
    if tag == INT:
        digits = text.lstrip("+-").replace("_", "")
        if len(digits) > MOST_DIGITS or not digits.isdigit() or (len(digits) > 1 and digits[0] == "0"):
            report.add(say.bad_sheet(span, f"`{text[:24]}` is not a plain whole number", "write it in decimal digits"))
            return 0
        return int(text.replace("_", ""))
    if tag == BOOL:
        return text.lower() == "true"
    if tag == STR:
        return text
    report.add(
        say.bad_sheet(span, f"`{text[:24]}` is neither a word nor a whole number", "quote it, or write a whole number")
    )
    return 0
