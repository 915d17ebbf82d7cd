"""Decks compared as the cards in them: how many there are of each, and what stands on those that differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import frozen

from cambist.dsl.differences.changes import Told
from cambist.dsl.ruleset import CheckedRuleset

MOST_LISTED = 12  # cards that are told one by one
MOST_ALIKE = 2
MOST_PAIRED = 60  # cards that are looked through for the ones that differ in one thing only
Printed = tuple[str, ...]
NUMBER = re.compile(r"-?\d+")


@frozen
class Printing:
    """A card as it is printed: its kind, and a text for each field."""

    kind: str
    fields: tuple[str, ...]
    values: Printed

    @property
    def text(self) -> str:
        return " ".join((self.kind, *self.values))


def cards(ruleset: CheckedRuleset, renames: Mapping[str, str]) -> dict[str, Counter[Printing]]:
    """The cards of each deck, by the names that the other ruleset has for them."""

    def called(name: str) -> str:
        return renames.get(name, name)

    found: dict[str, Counter[Printing]] = {}
    for made in ruleset.components:
        card = ruleset.symbols.card(made.card)
        assert card is not None
        values = []
        for item, value in zip(card.fields, made.values, strict=True):
            enum = ruleset.symbols.enum(item.kind.text)
            many = value if isinstance(value, tuple) else (value,)
            kind = item.kind.text
            words = [called(enum.members[v].text) if enum else ruleset.symbols.as_written(kind, v) for v in many]
            values.append(f"[{', '.join(words)}]" if isinstance(value, tuple) else words[0])
        names = tuple(called(item.name.text) for item in card.fields)
        printing = Printing(called(made.card), names, tuple(values))
        found.setdefault(called(made.deck), Counter())[printing] += 1
    return found


def differing(deck: str, a: Counter[Printing], b: Counter[Printing]) -> Iterator[Told]:
    for kind in sorted({card.kind for card in (*a, *b)}):
        ours, theirs = ({c: k for c, k in side.items() if c.kind == kind} for side in (a, b))
        yield from _of_one_kind(deck, kind, Counter(ours), Counter(theirs))


def _of_one_kind(deck: str, kind: str, a: Counter[Printing], b: Counter[Printing]) -> Iterator[Told]:
    gone, new = a - b, b - a
    if not gone and not new:
        return
    total_a, total_b = a.total(), b.total()
    if not total_a or not total_b:
        sentence = f"`{deck}` has no `{kind}`"
        if total_b:
            sentence = f"`{deck}` also has {_number_of(total_b)} `{kind}`"
        yield Told("added" if total_b else "removed", sentence, *_totals(kind, total_a, total_b))
        return
    unique = total_a == len(a) and total_b == len(b)  # each card is printed once: a number of its own is on it
    alone_a, alone_b, pairs = _paired(gone, new) if unique else (gone, new, [])
    for x, y, count in pairs if len(pairs) + len(alone_a) + len(alone_b) <= MOST_LISTED else []:
        yield _printed_otherwise(x, y, count)
    if len(pairs) + len(alone_a) + len(alone_b) > MOST_LISTED:
        yield _many(deck, kind, gone, new, total_a, total_b)
        return
    alike: dict[tuple[int, int], list[Printing]] = {}
    for card in sorted(alone_a + alone_b, key=lambda one: one.text):
        alike.setdefault((a[card], b[card]), []).append(card)
    for (old, now), same in alike.items():
        if len(same) > MOST_ALIKE and not unique:
            yield _each_of(deck, same, old, now)
        else:
            for card in same:
                yield _counted(deck, card, old, now, total_a, total_b, unique)


def _totals(kind: str, a: int, b: int) -> tuple[str | None, str | None]:
    return (f"{a} {kind}" if a else None), (f"{b} {kind}" if b else None)


def _each_of(deck: str, cards: list[Printing], old: int, new: int) -> Told:
    """What happens to many cards of a kind alike."""
    names = ", ".join(f"`{card.text}`" for card in cards)
    sentence = f"{_more(old, new)} of each of {names} in `{deck}`: {new} instead of {old}"
    return Told("changed", sentence, *(f"{count} of each of {names}" for count in (old, new)))


def _number_of(count: int) -> str:
    return "one" if count == 1 else str(count)


def _more(old: int, new: int) -> str:
    return f"{_number_of(abs(new - old))} {'more' if new > old else 'fewer'}"


def _counted(deck: str, card: Printing, old: int, new: int, total_a: int, total_b: int, unique: bool) -> Told:
    """`one coin fewer: 7 instead of 8`."""
    number, more = _more(old, new).split(" ")
    before, after = f"{old} {card.text}", f"{new} {card.text}"
    if not unique and not old:
        return Told("added", f"`{deck}` has a new card, {_number_of(new)} `{card.text}`", before, after)
    if not unique and not new:
        return Told("removed", f"`{deck}` has no `{card.text}` any more", before, after)
    if unique:
        sentence = f"{number} `{card.kind}` {more} in `{deck}` (`{card.text}`): {total_b} instead of {total_a}"
    else:
        sentence = f"{number} `{card.text}` {more} in `{deck}`: {new} instead of {old}"
    return Told("changed", sentence, before, after)


def _printed_otherwise(x: Printing, y: Printing, count: int) -> Told:
    differ = [f"{name} {b} instead of {a}" for name, a, b in zip(y.fields, x.values, y.values, strict=True) if a != b]
    which = f"the card `{x.text}`" if count == 1 else f"{count} cards `{x.text}`"
    sentence = f"{which} {'has' if count == 1 else 'have'} {' and '.join(differ)}"
    return Told("changed", sentence, f"{count} {x.text}", f"{count} {y.text}")


def _many(deck: str, kind: str, gone: Counter[Printing], new: Counter[Printing], total_a: int, total_b: int) -> Told:
    number = max(gone.total(), new.total())
    whole = f"{total_b} instead of {total_a} `{kind}`" if total_a != total_b else f"as many `{kind}`, {total_b}"
    example = min(new or gone, key=lambda card: card.text).text
    sentence = f"`{deck}` has {whole}, of which {number} are others, such as `{example}`"
    return Told("changed", sentence, *_totals(kind, total_a, total_b))


def _paired(
    gone: Counter[Printing], new: Counter[Printing]
) -> tuple[Counter[Printing], Counter[Printing], list[tuple[Printing, Printing, int]]]:
    """Cards that differ in one number only are one card, printed otherwise."""
    gone, new, pairs = gone.copy(), new.copy(), []
    if len(gone) + len(new) > MOST_PAIRED:
        return gone, new, []
    for x in sorted(gone, key=lambda card: card.text):
        for y in sorted((y for y in new if y.fields == x.fields), key=lambda card: card.text):
            differ = [pair for pair in zip(x.values, y.values, strict=True) if pair[0] != pair[1]]
            one_number = len(differ) == 1 and all(NUMBER.fullmatch(value) for value in differ[0])
            if one_number and gone[x] and gone[x] == new[y]:
                pairs.append((x, y, gone[x]))
                gone[x] = new[y] = 0
    return +gone, +new, pairs
