"""What the examples of Venture cannot say: best collections against trying all of them, sheets as they were meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import cambist

COLLECTION = {2: 16, 3: 32, 4: 64}
Money = tuple[int, int]  # value, symbol


def _groupings(cards: tuple[Money, ...]) -> Iterator[int]:
    """What the cards are worth in each way of laying them together."""
    if not cards:
        yield 0
        return
    first, rest = cards[0], cards[1:]
    for size in range(len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            together = [first, *(rest[i] for i in others)]
            values, symbols = {v for v, _ in together}, {s for _, s in together}
            if size and (len(values) != len(together) or len(symbols) > 1 or size > 3):
                continue
            left = tuple(card for i, card in enumerate(rest) if i not in others)
            worth = COLLECTION[size + 1] if size else first[0]
            yield from (worth + more for more in _groupings(left))


def _hand(match: cambist.Match, cards: list[int]) -> cambist.Match:
    """The same match with exactly these components in the first player's hand."""
    copy = match.clone()
    state, words = copy.state, copy.words
    hand, pile = words.zone_names.index("p1.hand"), words.zone_names.index("resources")
    for component in state.zones[hand]:
        state.where[component] = pile
        state.zones[pile].append(component)
    state.zones[hand] = []
    for component in cards:
        state.zones[state.where[component]].remove(component)
        state.where[component] = hand
        state.zones[hand].append(component)
    return copy


def test_no_grouping_is_worth_more_than_what_a_hand_is_said_to_be_worth() -> None:
    match = cambist.load("venture").start(2, seed=1)
    kinds = [kind.name for kind in match.program.kinds]
    capital: list[tuple[int, Any]] = [
        (number, one.fields) for number, one in enumerate(match.program.components) if kinds[one.kind] == "capital"
    ]
    marked = [(number, fields) for number, fields in capital if fields[1] != 3]
    assert len(marked) == 27
    rng = Random(5)
    seen = set()
    for _ in range(120):
        symbols = [(n, f) for n, f in marked if f[1] in range(rng.choice((1, 2, 3)))]
        chosen = rng.sample(symbols, min(len(symbols), rng.randrange(1, 10)))
        found = _hand(match, sorted(number for number, _ in chosen)).view(0)["tables"]["p1.worth"]
        best = sum(
            max(_groupings(tuple((f[0], f[1]) for _, f in chosen if f[1] == symbol)))  # symbols never mix
            for symbol in {f[1] for _, f in chosen}
        )
        assert found == {"owner": "p1", "columns": [["worth"]], "rows": [["", str(best)]]}
        seen.add(best)
    assert len(seen) > 40


def test_the_companies_are_balanced() -> None:
    match = cambist.load("venture").start(2)
    kinds = [kind.name for kind in match.program.kinds]
    companies: list[Any] = [one.fields for one in match.program.components if kinds[one.kind] == "company"]
    assert set(Counter(industry for industry, _, _ in companies).values()) == {9}
    assert set(Counter(letter for _, letters, _ in companies for letter in letters).values()) == {27}
    assert len(set(companies)) == 54
    assert all(price == 4 + 4 * len(letters) for _, letters, price in companies)


def test_what_is_assumed_is_told_apart() -> None:
    made = cambist.load("venture").ruleset.components
    assert Counter((one.card, bool(one.assumed)) for one in made) == {
        ("company", False): 13,
        ("company", True): 41,
        ("profit", False): 2,
        ("capital", True): 44,
        ("takeover", True): 8,
    }
