"""Decks -> the components in them: rows and sheets checked against the fields of their cards.

In: symbols and the rows of the sheets. Out: one `Made` for each component, field values as written. Numbers
stay numbers; a member of an enum is its place in it.
"""

from __future__ import annotations

from itertools import product

from attrs import frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.sheets import SheetRow
from cambist.dsl.source import Span
from cambist.dsl.symbols import Symbols

MOST_COMPONENTS = 10_000


@frozen
class Made:
    deck: str
    card: str
    values: tuple[int, ...]  # one for each field of the card


def make_components(symbols: Symbols, sheets: dict[str, list[SheetRow]], report: Report) -> tuple[Made, ...]:
    made: list[Made] = []
    for deck in symbols.globals.values():
        if not isinstance(deck, n.Deck):
            continue
        allowed = {c.text for c in deck.cards}
        before = len(made)
        rows = [*_from_rows(symbols, deck, allowed, report)]
        rows += _from_sheet(symbols, deck, allowed, sheets.get(deck.name.text, []), report)
        total = before + sum(count for _, count in rows)
        if total > MOST_COMPONENTS:
            report.add(say.too_many(deck.span, "components", total, MOST_COMPONENTS))
            return ()
        for one, count in rows:
            made.extend([one] * count)
    return tuple(made)


def _card(symbols: Symbols, name: str, span: Span, allowed: set[str], report: Report) -> n.Card | None:
    card = symbols.card(name)
    if card is None or name not in allowed:
        report.add(say.unknown_name(span, name, allowed))
        return None
    return card


def _from_rows(symbols: Symbols, deck: n.Deck, allowed: set[str], report: Report) -> list[tuple[Made, int]]:
    made: list[tuple[Made, int]] = []
    for row in deck.rows:
        card = _card(symbols, row.card.text, row.card.span, allowed, report)
        if card is None:
            continue
        if len(row.cells) > len(card.fields):
            report.add(
                say.bad_row(
                    row.cells[-1].span, f"`{card.name.text}` has {len(card.fields)} fields", _form(card)
                )
            )
            continue
        choices: list[list[int]] = []
        for index, item in enumerate(card.fields):
            cell = row.cells[index] if index < len(row.cells) else None
            values = _cell(symbols, item, cell, row.card.span, card, report)
            if values is None:
                break
            choices.append(values)
        else:
            made += [(Made(deck.name.text, card.name.text, combo), row.count) for combo in product(*choices)]
    return made


def _form(card: n.Card) -> str:
    return "the row is `NUMBER " + " ".join([card.name.text, *(f.name.text for f in card.fields)]) + "`"


def _cell(
    symbols: Symbols, item: n.Field, cell: n.Cell | None, span: Span, card: n.Card, report: Report
) -> list[int] | None:
    enum = symbols.enum(item.kind.text)
    if cell is None:
        if item.default is None:
            report.add(say.bad_row(span, f"`{item.name.text}` is missing", _form(card)))
            return None
        return [int(float(item.default.value))]
    if isinstance(cell, n.EachCell):
        if enum is None:
            report.add(
                say.bad_row(
                    cell.span, f"`each` needs an enum, and `{item.name.text}` is a number", _form(card)
                )
            )
            return None
        return list(range(len(enum.members)))
    written: int | str = cell.name if isinstance(cell, n.Ref) else int(float(cell.value))
    found = _value(enum, item, written, cell.span, report)
    return None if found is None else [found]


def _value(
    enum: n.Enum | None, item: n.Field, written: int | str | bool, span: Span, report: Report
) -> int | None:
    if enum is not None:
        names = [m.text for m in enum.members]
        if written in names:
            return names.index(str(written))
        report.add(
            say.bad_row(span, f"`{written}` is no `{enum.name.text}`", f"one of {', '.join(names[:12])}")
        )
        return None
    if isinstance(written, str):
        report.add(
            say.bad_row(span, f"`{item.name.text}` is a number, not `{written}`", "write a whole number")
        )
        return None
    return int(written)


def _from_sheet(
    symbols: Symbols, deck: n.Deck, allowed: set[str], rows: list[SheetRow], report: Report
) -> list[tuple[Made, int]]:
    made: list[tuple[Made, int]] = []
    for row in rows:
        card = _card(symbols, row.card, row.spans["card"], allowed, report)
        if card is None:
            continue
        known = {f.name.text for f in card.fields}
        for extra in set(row.values) - known:
            report.add(
                say.bad_sheet(
                    row.spans[extra],
                    f"`{card.name.text}` has no field `{extra}`",
                    f"it has {', '.join(sorted(known))}",
                )
            )
        values = []
        for item in card.fields:
            name = item.name.text
            if name in row.values:
                found = _value(symbols.enum(item.kind.text), item, row.values[name], row.spans[name], report)
            elif item.default is not None:
                found = int(float(item.default.value))
            else:
                report.add(say.bad_sheet(row.span, f"`{name}` is missing", f"add `{name}: …`"))
                found = None
            values.append(found)
        complete = tuple(v for v in values if v is not None)
        if len(complete) == len(card.fields):
            made.append((Made(deck.name.text, card.name.text, complete), row.count))
    return made
