"""A YAML sheet of values -> what each member of an enum (or pair of members) begins with, with its place.

In: the text of a sheet. Out: names and numbers as they are written, or diagnostics that point into the sheet. What the
rulebook states and what is assumed stand apart, and what is assumed says why. The form is written down in
schemas/values.schema.json; whether the names and numbers fit the rules is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.plain_sheets import Node
from cambist.dsl.sheets import read_tree
from cambist.dsl.source import SourceFile, Span

KEYS = ("sheet", "stated", "assumed", "because", "per")
TOP = 'write `sheet: 1`, `stated:`, and `assumed:` with `because: "..."`'
FORM = "the form is `red: 3`, or for pairs `red: {blue: 1.5}`"

Start = tuple[tuple[n.Name, ...], n.Number]


def read_values(file: SourceFile, report: Report) -> tuple[tuple[Start, ...], n.Notes]:
    """The values, and why those that are assumed are so."""
    root = read_tree(file, report, fractions=True)
    if root is None:
        return (), ()
    before = len(report.items)
    found = tuple(_starts(root, report))
    return (found, _reasons(root)) if len(report.items) == before else ((), ())


def _reasons(root: Node) -> n.Notes:
    table = root.value
    if not isinstance(table, dict) or "because" not in table:
        return ()
    because = table["because"][1]
    per = str(table["per"][1].value) if "per" in table else ""
    return (n.Assumed(str(because.value), per, (), because.span),)


def _starts(root: Node, report: Report) -> Iterator[Start]:
    table = root.value
    if not isinstance(table, dict):
        report.add(say.bad_sheet(root.span, "this should be a table", TOP))
        return
    for name, (key, _) in table.items():
        if name not in KEYS:
            report.add(say.bad_sheet(key.span, f"a sheet of values has no `{name}`", TOP))
    if "sheet" not in table or not ("stated" in table or "assumed" in table):
        report.add(say.bad_sheet(root.span, "`sheet` or its values are missing", TOP))
        return
    form = table["sheet"][1]
    if form.value != 1 or isinstance(form.value, bool):
        report.add(say.bad_sheet(form.span, "only sheets of form 1 are known", "write `sheet: 1`"))
    if ("assumed" in table) != ("because" in table):
        report.add(say.bad_sheet(root.span, "`assumed` and `because` go together", TOP))
    for name in ("because", "per"):
        if name in table and not isinstance(table[name][1].value, str):
            report.add(say.bad_sheet(table[name][1].span, f"`{name}` is a text", TOP))
    for name in ("stated", "assumed"):
        if name in table:
            yield from _leaves(table[name][1], (), report)


def _leaves(node: Node, above: tuple[n.Name, ...], report: Report) -> Iterator[Start]:
    value = node.value
    if isinstance(value, dict) and value:
        for name, (key, inner) in value.items():
            yield from _leaves(inner, (*above, n.Name(name, key.span)), report)
    elif isinstance(value, (int, Fraction)) and not isinstance(value, bool) and above:
        yield above, n.Number(node.span.text.strip(), _trimmed(node.span))
    else:
        report.add(say.bad_sheet(node.span, "this is neither a number nor a table of numbers", FORM))


def _trimmed(span: Span) -> Span:
    return Span(span.file, span.start, span.start + len(span.text.rstrip()))
