"""What the reader of sheets lets through is what schemas/sheet.schema.json describes, no more and no less."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import games_folder
from cambist.dsl.render import render
from cambist.dsl.sheets import read_sheet
from cambist.dsl.source import SourceFile
from cambist.dsl.value_sheets import read_values

SHEETS = [
    "sheet: 1\ncards:\n  - {card: note}\n",
    "sheet: 1\ncards:\n  - card: note\n    count: 3\n    value: -7\n    word: yes\n    flag: true\n",
    'sheet: 1\ncards: [{card: note, text: "1.5"}]\n',
    "sheet: 1\ncards: [{card: note, count: 10000}]\n",
    "sheet: 1\ncards: [{card: note, count: 10001}]\n",
    "sheet: 1\ncards: [{card: note, count: 0}]\n",
    "sheet: 1\ncards: [{card: note, count: two}]\n",
    "sheet: 1\ncards: [{card: note, count: true}]\n",
    "sheet: 1\ncards: [{count: 2}]\n",
    "sheet: 1\ncards: [{card: 3}]\n",
    "sheet: 1\ncards: [{card: two words}]\n",
    "sheet: 1\ncards: [{card: note, value: [1]}]\n",
    "sheet: 1\ncards: [{card: note, value: {a: 1}}]\n",
    "sheet: 1\ncards: [{card: note, value: 1.5}]\n",
    "sheet: 1\ncards: [{card: note, value: null}]\n",
    "sheet: 1\ncards: [note]\n",
    "sheet: 1\ncards: []\n",
    "sheet: 1\ncards: note\n",
    "sheet: 2\ncards: [{card: note}]\n",
    "sheet: one\ncards: [{card: note}]\n",
    "cards: [{card: note}]\n",
    "sheet: 1\n",
    "sheet: 1\ncards: [{card: note}]\nmore: 3\n",
    "[sheet, cards]\n",
    "word\n",
]
SCHEMA = json.loads(resources.files("cambist.schemas").joinpath("sheet.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("text", SHEETS)
def test_reader_and_schema_agree(text: str) -> None:
    report = Report()
    rows = read_sheet(SourceFile("cards.yaml", text), report)
    data = YAML(typ="safe", pure=True).load(text)
    described = next(Draft202012Validator(SCHEMA).iter_errors(data), None) is None
    assert bool(rows and not report.items) == described, [d.message for d in report.items]
    for diagnostic in report.items:
        assert diagnostic.code == "E0107" and diagnostic.help and "^" in render(diagnostic)


def test_rows_have_their_places() -> None:
    text = "sheet: 1\ncards:\n  - {card: note, count: 2, value: 20}\n  - card: coin\n"
    one, two = read_sheet(SourceFile("cards.yaml", text), Report())
    assert (one.card, one.count, one.values) == ("note", 2, {"value": 20})
    assert {name: span.text for name, span in one.spans.items()} == {"card": "note", "count": "2", "value": "20"}
    assert one.span.text.startswith("{card: note, count: 2, value: 20")
    assert (two.card, two.count, two.values, two.span.line) == ("coin", 1, {}, 4)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("3", 3), ("+3", 3), ("-3", -3), ("0", 0), ("no", "no"), ("'3'", "3"), ('"x y"', "x y"), ("false", False)],
)
def test_values(written: str, meant: object) -> None:
    report = Report()
    (row,) = read_sheet(SourceFile("c.yaml", f"sheet: 1\ncards: [{{card: note, value: {written}}}]\n"), report)
    assert row.values["value"] == meant and type(row.values["value"]) is type(meant)


@pytest.mark.parametrize(
    "written", ["1.5", "1e3", ".5", ".inf", "-.INF", "017", "0x1F", "2024-01-01", "12:30", "~", "", "1_000"]
)
def test_what_is_neither_a_word_nor_a_whole_number(written: str) -> None:
    report = Report()
    assert read_sheet(SourceFile("c.yaml", f"sheet: 1\ncards: [{{card: note, value: {written}}}]\n"), report) == []
    assert [d.code for d in report.items] == ["E0107"]


VALUES = [
    "sheet: 1\nstated: {red: 3}\n",
    "sheet: 1\nstated: {red: {blue: 1.5, green: -2}}\n",
    'sheet: 1\nassumed: {red: 3}\nbecause: "nobody knows"\nper: "a review"\n',
    'sheet: 1\nstated: {blue: 0}\nassumed: {red: 3}\nbecause: "nobody knows"\n',
    "sheet: 1\nassumed: {red: 3}\n",
    'sheet: 1\nstated: {red: 3}\nbecause: "nobody knows"\n',
    "sheet: 1\nassumed: {red: 3}\nbecause: 3\n",
    "sheet: 1\nstated: {red: 3}\nper: 3\n",
    "sheet: 1\nstated: {red: three}\n",
    "sheet: 1\nstated: {red: true}\n",
    "sheet: 1\nstated: {red: [3]}\n",
    "sheet: 1\nstated: {red: {}}\n",
    "sheet: 1\nstated: {}\n",
    "sheet: 1\nstated: 3\n",
    "sheet: 2\nstated: {red: 3}\n",
    "sheet: true\nstated: {red: 3}\n",
    "stated: {red: 3}\n",
    "sheet: 1\n",
    "sheet: 1\nstated: {red: 3}\nmore: 1\n",
    "[sheet]\n",
]
VALUES_SCHEMA = json.loads(resources.files("cambist.schemas").joinpath("values.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("text", VALUES)
def test_reader_and_schema_of_values_agree(text: str) -> None:
    report = Report()
    found, _ = read_values(SourceFile("starts.yaml", text), report)
    data = YAML(typ="safe", pure=True).load(text)
    described = next(Draft202012Validator(VALUES_SCHEMA).iter_errors(data), None) is None
    assert bool(found and not report.items) == described, [d.message for d in report.items]
    for diagnostic in report.items:
        assert diagnostic.code == "E0107" and diagnostic.help and "^" in render(diagnostic)


def test_values_have_their_places() -> None:
    text = "sheet: 1\nstated:\n  red: {blue: 1.5}\n  blue: {red: 2}\n"
    ((one, first), (_, second)), notes = read_values(SourceFile("starts.yaml", text), Report())
    assert notes == ()
    assert [name.text for name in one] == ["red", "blue"] and (one[1].span.line, first.span.line) == (3, 3)
    assert (first.value, first.span.text, second.value, second.span.line) == ("1.5", "1.5", "2", 4)


def test_shipped_sheets_fit_their_schemas() -> None:
    sheets = [path for path in sorted(games_folder().glob("*/*.yaml")) if ".equivalent" not in path.name]
    assert sheets
    for path in sheets:
        data = YAML(typ="safe", pure=True).load(path.read_text("utf-8"))
        schema = SCHEMA if "cards" in data else VALUES_SCHEMA
        assert [e.message for e in Draft202012Validator(schema).iter_errors(data)] == [], path.name
