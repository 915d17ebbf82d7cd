"""A YAML sheet -> rows of components with their places, behind a gate: no anchors, tags, floats or great depth.

In: the text of a sheet (reading.py has let it through). Out: `SheetRow`s, or diagnostics that point into the sheet.
It is built from the events of the YAML parser alone, so that nothing which could explode or run is ever made; sheets in
the usual form are read by plain_sheets.py. The form of a sheet is written down in schemas/sheet.schema.json; the cards
of a game are not known here.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cambist.dsl import messages as say
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.plain_sheets import DECIMAL, Node, usual
from cambist.dsl.source import SourceFile, Span

if TYPE_CHECKING:
    from ruamel.yaml.error import YAMLError

DEEPEST, MOST_NODES, MOST_DIGITS, MOST_OF_ONE = 32, 50_000, 18, 10_000
WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
NUMBER_LIKE = re.compile(r"[-+.]?[0-9]|[-+]?\.(inf|nan)", re.IGNORECASE)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FORM = "the form is `- {card: note, count: 2, value: 20}`"
TOP = "write `sheet: 1` and `cards:`"
GUESSED = 'the form is `assumed: {because: "…", cards: […]}`'
NOT_YAML = ("this cannot be read", "check colons, dashes, brackets and quotes, here and in the line above")
TROUBLE = {
    "expected <block end>": ("this line stands in a column of its own", "indent it like the lines it belongs to"),
    "mapping values are not allowed": ("a second `:` stands here", "put texts with a `:` in them between quotes"),
    "could not find expected ':'": ("a `:` is missing here", "write `name: value`"),
    "found character that cannot start": ("a tab or a strange character stands here", "indent by spaces"),
    "found unexpected end of stream": ("a quote is never closed", "close it"),
    "expected ',' or '}'": ("a `,` is missing before this, or a `}`", "divide columns by `,` and close the row by `}`"),
    "expected ',' or ']'": ("a `,` is missing before this, or a `]`", "divide values by `,` and close the list by `]`"),
}
"""What the reader of YAML says, in the words of those who write sheets."""
Scalar = int | str | bool
Cell = Scalar | tuple[Scalar, ...]


@frozen
class SheetRow:
    card: str
    count: int
    values: dict[str, Cell]
    spans: dict[str, Span]
    span: Span
    assumed: str = ""  # why it is as it is, where nothing says so
    keys: dict[str, Span] = field(factory=dict)  # where the names of its columns stand


class _Refused(Exception):
    def __init__(self, span: Span, why: str, help: str) -> None:
        super().__init__(why)
        self.diagnostic = say.bad_sheet(span, why, help)


def read_tree(file: SourceFile, report: Report, fractions: bool = False) -> Node | None:
    """The sheet as nodes, whatever its form; None when it cannot be read. `fractions`: 1.5 is a number, too."""
    found = usual(file, fractions)
    if found is not None:
        return found
    from ruamel.yaml.error import YAMLError  # only unusual sheets pay for loading it

    try:
        return composed(file, fractions)
    except _Refused as refused:
        report.add(refused.diagnostic)
    except YAMLError as error:
        report.add(_yaml_problem(file, error))
    return None


def read_sheet(file: SourceFile, report: Report) -> list[SheetRow]:
    root = read_tree(file, report)
    try:
        return [] if root is None else _rows(root, report)
    except _Refused as refused:
        report.add(refused.diagnostic)
    return []


# ---- the form of a sheet


def _rows(root: Node, report: Report) -> list[SheetRow]:
    table = root.value
    if not isinstance(table, dict):
        raise _Refused(root.span, "this should be a table", TOP)
    for name in ("sheet", "cards"):
        if name not in table:
            raise _Refused(root.span, f"`{name}` is missing", TOP)
    for name, (key, _) in table.items():
        if name not in ("sheet", "cards", "assumed"):
            raise _Refused(key.span, f"a sheet has no `{name}`", "it has `sheet`, `cards` and `assumed` only")
    form, cards = table["sheet"][1], table["cards"][1]
    if form.value != 1 or isinstance(form.value, bool):
        raise _Refused(form.span, "only sheets of form 1 are known", "write `sheet: 1`")
    found = _listed(cards, "", report)
    if "assumed" in table:
        because, guessed = _assumed(table["assumed"][1])
        found += _listed(guessed, because, report)
    return found


def _assumed(node: Node) -> tuple[str, Node]:
    """The cards that nothing tells, apart from those that something does, and why they are as they are."""
    table = node.value
    if not isinstance(table, dict) or set(table) != {"because", "cards"}:
        raise _Refused(node.span, "`assumed` has `because` and `cards`", GUESSED)
    because = table["because"][1]
    if not isinstance(because.value, str) or not because.value.strip():
        raise _Refused(because.span, "this should be a reason", GUESSED)
    return because.value, table["cards"][1]


def _listed(cards: Node, assumed: str, report: Report) -> list[SheetRow]:
    if not isinstance(cards.value, list) or not cards.value:
        raise _Refused(cards.span, "this should be a list of cards", FORM)
    found = []
    for item in cards.value:
        try:
            found.append(_row(item, assumed))
        except _Refused as refused:
            report.add(refused.diagnostic)
    return found


def _row(item: Node, assumed: str) -> SheetRow:
    if not isinstance(item.value, dict):
        raise _Refused(item.span, "this should be a table with `card` in it", FORM)
    card, count = "", 1
    values: dict[str, Cell] = {}
    for name, (_, node) in item.value.items():
        value: Any = node.value
        if isinstance(value, list):
            value = tuple(part.value for part in value)
        if isinstance(value, (dict, Fraction)) or (
            isinstance(value, tuple) and any(isinstance(x, (dict, list, Fraction)) for x in value)
        ):
            raise _Refused(node.span, "a value is a word, a whole number or a list of them", FORM)
        if name == "card":
            if not isinstance(value, str) or not NAME.fullmatch(value):
                raise _Refused(node.span, "this should be the name of a card", FORM)
            card = value
        elif name == "count":
            if type(value) is not int or not 1 <= value <= MOST_OF_ONE:
                raise _Refused(node.span, f"`count` is a number from 1 to {MOST_OF_ONE:,}", FORM)
            count = value
        else:
            values[name] = value
    if not card:
        raise _Refused(item.span, "`card` is missing", FORM)
    spans = {name: node.span for name, (_, node) in item.value.items()}
    keys = {name: key.span for name, (key, _) in item.value.items()}
    return SheetRow(card, count, values, spans, item.span, assumed, keys)


# ---- from events to nodes


def composed(file: SourceFile, fractions: bool = False) -> Node:
    """The one document of the file, built without recursion; refused at the first thing that could explode or run."""
    from ruamel.yaml import YAML

    root: list[Node] = []
    parents: list[tuple[Any, list[Node]]] = []  # the event that opened each list or table, and what is in it so far
    for count, event in enumerate(YAML(typ="safe", pure=True).parse(file.text)):
        kind = type(event).__name__
        span = Span(file, event.start_mark.index, max(event.end_mark.index, event.start_mark.index + 1))
        _gate(event, kind, span, len(parents), count)
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            parents.append((event, []))
            continue
        if kind == "ScalarEvent":
            node = Node(_scalar(event, span, fractions), span)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            opened, inside = parents.pop()
            whole = Span(file, opened.start_mark.index, max(span.start, opened.start_mark.index + 1))
            node = Node(_table(inside) if kind == "MappingEndEvent" else inside, whole)
        elif kind == "DocumentStartEvent" and root:
            raise _Refused(span, "it holds several documents", "take the `---` out")
        else:
            continue
        (parents[-1][1] if parents else root).append(node)
    if not root:
        raise _Refused(Span(file, 0, 1), "it is empty", "begin with `sheet: 1`")
    return root[0]


def _gate(event: Any, kind: str, span: Span, depth: int, count: int) -> None:
    place = Span(span.file, span.start, span.start + 1)
    if kind == "AliasEvent" or getattr(event, "anchor", None):
        raise _Refused(place, "anchors and aliases are not allowed", "write the values out")
    if getattr(event, "tag", None):
        raise _Refused(place, "tags are not allowed", "take the `!` out")
    if depth > DEEPEST:
        raise _Refused(place, "it is nested too deeply", "a sheet is a flat list of cards")
    if count > MOST_NODES:
        raise _Refused(place, f"it has more than {MOST_NODES:,} parts", "write `count: 5` instead of five equal cards")


def _table(inside: list[Node]) -> dict[str, tuple[Node, Node]]:
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in zip(inside[::2], inside[1::2], strict=True):
        if not isinstance(key.value, str):
            raise _Refused(key.span, "a key must be a word", FORM)
        if key.value in found:
            raise _Refused(key.span, f"`{key.value}` stands twice", "take one out")
        found[key.value] = (key, value)
    return found


def _scalar(event: Any, span: Span, fractions: bool) -> int | str | bool | Fraction:
    text = str(event.value)
    if not event.implicit[0]:  # in quotes
        return text
    if text in ("true", "false"):
        return text == "true"
    if WHOLE.fullmatch(text) and len(text.lstrip("+-")) <= MOST_DIGITS:
        return int(text)
    if fractions and DECIMAL.fullmatch(text):
        return Fraction(text)
    if NUMBER_LIKE.match(text) or text in ("", "~", "null"):
        shown = f"`{text[:24]}` is" if text else "this is"
        raise _Refused(span, f"{shown} neither a word nor a whole number", "quote it, or write a whole number")
    return text


def _yaml_problem(file: SourceFile, error: YAMLError) -> Diagnostic:
    mark = getattr(error, "problem_mark", None)
    position = min(mark.index, max(len(file.text) - 1, 0)) if mark is not None else 0
    problem = str(getattr(error, "problem", None) or "")
    what, help = next((told for begins, told in TROUBLE.items() if problem.startswith(begins)), NOT_YAML)
    return say.bad_sheet(Span(file, position, position + 1), what, help)
