"""Decks -> the components in them: rows and sheets checked against the fields of their cards.

In: symbols and the rows of the sheets. Out: one `Made` for each component, field values as written. Numbers
stay numbers; a member of an enum is its place in it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import attrs
from attrs import field, frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Edit, Report
from cambist.dsl.messages.registry import nearest
from cambist.dsl.sheets import Cell, SheetRow
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols

MOST_COMPONENTS = 10_000
Printed = int | tuple[int, ...]  # what stands in a field: a number, a place in an enum, or several of them


@frozen
class Made:
    deck: str
    card: str
    values: tuple[Printed, ...]  # one for each field of the card
    assumed: str = field(default="", eq=False, repr=False)  # why, where a sheet says that nothing tells it


def make_components(symbols: Symbols, sheets: dict[str, list[SheetRow]], report: Report) -> tuple[Made, ...]:
    made: list[Made] = []
    for deck in symbols.globals.values():
        if not isinstance(deck, n.Deck):
            continue
        allowed = {c.text for c in deck.cards}
        total = len(made)
        rows: list[tuple[Made, int]] = []
        for row in deck.rows:
            choices = _from_row(symbols, row, allowed, report)
            total += row.count * prod(len(c) for c in choices) if choices is not None else 0
            if total > MOST_COMPONENTS:
                report.add(say.too_many(row.span, "components", total, MOST_COMPONENTS))
                return ()
            if choices is not None:
                rows += [(Made(deck.name.text, row.card.text, combo), row.count) for combo in product(*choices)]
        rows += _from_sheet(symbols, deck, allowed, sheets.get(deck.name.text, []), report)
        for row in deck.less:
            rows = _less(symbols, deck, row, rows, allowed, report)
        total = len(made) + sum(count for _, count in rows)
        if total > MOST_COMPONENTS:
            report.add(say.too_many(deck.span, "components", total, MOST_COMPONENTS))
            return ()
        for one, count in rows:
            made.extend([one] * count)
    return tuple(made)


def _card(symbols: Symbols, name: str, span: Span, allowed: set[str], report: Report) -> n.Card | None:
    card = symbols.card(name)
    if card is None and name not in allowed:  # else it was told where the deck names its cards
        report.add(say.unknown_name(span, name, allowed))
    elif card is None:
        return None
    elif name not in allowed:
        if all(symbols.card(other) for other in allowed):
            cards = ", ".join(sorted({*allowed, name}))
            report.add(say.bad_row(span, f"this deck has no `{name}`", f"declare it `of {cards}`"))
        return None
    return card


def _from_row(symbols: Symbols, row: n.Row, allowed: set[str], report: Report) -> list[list[Printed]] | None:
    """For each field of the card the values that it takes in this row; None if something is wrong with it."""
    card = _card(symbols, row.card.text, row.card.span, allowed, report)
    if card is None:
        return None
    return _choices(symbols, row, card, report)


def _choices(symbols: Symbols, row: n.Row, card: n.Card, report: Report) -> list[list[Printed]] | None:
    if len(row.cells) > len(card.fields):
        extra, has = row.cells[len(card.fields)], len(card.fields)
        fields = f"{has or 'no'} field{'s' if has != 1 else ''}"
        report.add(say.bad_row(extra.span, f"`{card.name.text}` has {fields}", _form(card)))
        return None
    choices: list[list[Printed]] = []
    for index, item in enumerate(card.fields):
        cell = row.cells[index] if index < len(row.cells) else None
        values = _cell(symbols, item, cell, row.card.span, card, report)
        if values is None:
            return None
        choices.append(values)
    return choices


def _less(
    symbols: Symbols, deck: n.Deck, row: n.Row, rows: list[tuple[Made, int]], allowed: set[str], report: Report
) -> list[tuple[Made, int]]:
    """The rows without what a variant takes out: the last ones that fit, if they differ in what it does not say."""
    card = _card(symbols, row.card.text, row.card.span, allowed, report)
    if card is None:
        return rows
    named = attrs.evolve(card, fields=card.fields[: len(row.cells)])
    choices = _choices(symbols, row, named, report)
    for wanted in product(*choices) if choices is not None else ():
        left = row.count
        for at in range(len(rows) - 1, -1, -1):
            made, count = rows[at]
            if made.card == card.name.text and made.values[: len(wanted)] == wanted:
                rows[at] = (made, max(count - left, 0))
                left -= min(count, left)
        if left:
            what = row.span.text.partition(" ")[2] or card.name.text
            report.add(say.too_few_cards(row.span, row.count, what, deck.name.text, row.count - left))
            break
    return rows


def _form(card: n.Card) -> str:
    return "the row is `NUMBER " + " ".join([card.name.text, *(f.name.text for f in card.fields)]) + "`"


def _cell(
    symbols: Symbols, item: n.Field, cell: n.Cell | None, span: Span, card: n.Card, report: Report
) -> list[Printed] | None:
    enum = symbols.enum(item.kind.text)
    if cell is None:
        if item.default is None:
            report.add(say.bad_row(span, f"`{item.name.text}` is missing", _form(card)))
            return None
        cell = item.default
    if item.several != isinstance(cell, n.ListOf):
        why = f"`{item.name.text}` is {'a list' if item.several else 'one value'}"
        report.add(say.bad_row(cell.span, why, "write `[…]`" if item.several else _form(card)))
        return None
    if isinstance(cell, n.ListOf):
        parts = [_value(symbols, item, _written(x), x.span, report) for x in cell.items]
        found_all = tuple(x for x in parts if x is not None)
        return [found_all] if len(found_all) == len(parts) else None
    if isinstance(cell, n.EachCell):
        if enum is None and item.kind.text not in ("number", "flag") and item.kind.text not in symbols.globals:
            return None
        if enum is None:
            why = f"`each` needs an enum, and `{item.name.text}` is a {item.kind.text}"
            report.add(say.bad_row(cell.span, why, _form(card)))
            return None
        return list(range(len(enum.members)))
    found = _value(symbols, item, _written(cell), cell.span, report)
    return None if found is None else [found]


def _written(cell: n.Expr) -> Fraction | str | bool:
    assert isinstance(cell, (n.Ref, n.Number, n.Truth))
    if isinstance(cell, n.Truth):
        return cell.value
    return cell.name if isinstance(cell, n.Ref) else Fraction(cell.value)


def _value(
    symbols: Symbols, item: n.Field, written: Fraction | int | str | bool, span: Span, report: Report
) -> int | None:
    """What the program knows of a written value: a place in an enum, a number, steps of a unit."""
    enum = symbols.enum(item.kind.text)
    if enum is not None:
        names = [m.text for m in enum.members]
        if written in names:
            return names.index(str(written))
        help = f"one of {', '.join(names[:12])}"
        report.add(say.bad_row(span, f"`{written}` is no `{enum.name.text}`", help, names))
        return None
    if (item.kind.text == "flag") != isinstance(written, bool):
        shown = ("yes" if written else "no") if isinstance(written, bool) else str(written)
        why, help = (
            f"`{item.name.text}` is yes or no, not `{shown}`",
            "write `yes` or `no`; in a sheet `true` or `false`",
        )
        if isinstance(written, bool):
            why, help = f"`{item.name.text}` is a number, not `{shown}`", "write a whole number"
        report.add(say.bad_row(span, why, help))
        return None
    if isinstance(written, bool):
        return int(written)
    if item.kind.text != "number" and item.kind.text not in symbols.globals:
        return None  # what it is was told where the field stands, or could not be read
    if isinstance(written, str):
        why = f"`{item.name.text}` is a number, not `{written}`"
        report.add(say.bad_row(span, why, "write a whole number"))
        return None
    unit = item.kind.text if isinstance(symbols.globals.get(item.kind.text), n.Unit) else ""
    steps = Fraction(written) / Fraction(symbols.unit_step(unit))
    if steps.denominator != 1:
        report.add(say.does_not_fit_step(span, span.text, unit))
        return None
    return int(steps)


def _from_sheet(
    symbols: Symbols, deck: n.Deck, allowed: set[str], rows: list[SheetRow], report: Report
) -> list[tuple[Made, int]]:
    made: list[tuple[Made, int]] = []
    for row in rows:
        card = _card(symbols, row.card, row.spans["card"], allowed, report)
        if card is None:
            continue
        known = {f.name.text for f in card.fields}
        missing = known - set(row.values)
        for extra in sorted(set(row.values) - known):
            why = f"`{card.name.text}` has no field `{extra}`"
            meant = nearest(extra, known - set(row.values))
            help = f"did you mean `{meant}`?" if meant else f"it has {', '.join(sorted(known))}"
            report.add(say.bad_sheet(row.keys[extra], why, help, Edit(row.keys[extra], meant) if meant else None))
            missing.discard(meant)
        values: list[Printed | None] = []
        found: Printed | None
        for item in card.fields:
            name = item.name.text
            if name in row.values:
                found = _from_sheet_cell(symbols, item, row.values[name], row.spans[name], report)
            elif item.default is not None:
                found = _value(symbols, item, Fraction(item.default.value), item.default.span, report)
            else:
                if name in missing:
                    report.add(say.bad_sheet(row.span, f"`{name}` is missing", f"add `{name}: …`"))
                found = None
            values.append(found)
        complete = tuple(v for v in values if v is not None)
        if len(complete) == len(card.fields):
            made.append((Made(deck.name.text, card.name.text, complete, row.assumed), row.count))
    return made


def _from_sheet_cell(symbols: Symbols, item: n.Field, written: Cell, span: Span, report: Report) -> Printed | None:
    if item.several != isinstance(written, tuple):
        why = f"`{item.name.text}` is {'a list' if item.several else 'one value'}"
        report.add(say.bad_sheet(span, why, f"write `{item.name.text}: {'[…]' if item.several else '…'}`"))
        return None
    if not isinstance(written, tuple):
        return _value(symbols, item, written, span, report)
    parts = [_value(symbols, item, one, span, report) for one in written]
    found = tuple(x for x in parts if x is not None)
    return found if len(found) == len(parts) else None
