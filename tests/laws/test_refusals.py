"""A wrong answer gets a reason and changes nothing; no answer, however odd, is anything but legal or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cambist
from cambist.interpreter.choices import Refusal
from tests.laws.tables import TABLES, Table, moments, play_on, state_bytes

LISTS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just(b"x"),
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=12,
)


def _deep(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def _mutants(answer: tuple[Any, ...], components: int) -> Iterator[Any]:
    """Answers like a legal one, but for one thing."""
    yield from (
        answer[1:],
        (*answer, 0),
        (answer[0] + 1, *answer[1:]),
        (-1, *answer[1:]),
        (10**30, *answer[1:]),
    )
    yield from (
        (True, *answer[1:]),
        (float(answer[0]), *answer[1:]),
        (str(answer[0]), *answer[1:]),
        (None, *answer[1:]),
    )
    for place in range(1, len(answer)):
        before, value, after = answer[:place], answer[place], answer[place + 1 :]
        for other in _other_values(value, components):
            yield (*before, other, *after)


def _other_values(value: Any, components: int) -> Iterator[Any]:
    yield from (
        None,
        "",
        "x",
        0.5,
        True,
        False,
        float("nan"),
        -1,
        components,
        10**30,
        [],
        [None],
        (),
        {},
        b"x",
        object(),
    )
    if isinstance(value, int):
        yield from (float(value), str(value), (value,), [value], value + 1, value - 1, -(10**6))
        return
    flat = list(value)
    yield from (
        [*flat, *flat],
        flat[1:],
        [*flat, components + 3],
        [*flat, -1],
        [*flat, None],
        [*flat, "x"],
        [*flat, 1.5],
        [flat],
    )
    yield from ([*flat, foreign] for foreign in range(0, components, max(1, components // 5)))
    if flat and isinstance(flat[0], int):
        yield from (
            [float(v) for v in flat],
            [str(v) for v in flat],
            [[v] for v in flat],
            [None for _ in flat],
            flat[0],
        )
        yield [bool(v) for v in flat]
    elif flat:
        yield from (
            [[float(v) for v in pile] for pile in flat],
            [[None for _ in pile] for pile in flat],
            [*flat, []],
            flat[0],
        )
        yield [[str(v) for v in pile] for pile in flat]


def _only_integers(value: Any) -> bool:
    return type(value) is int or (isinstance(value, (list, tuple)) and all(_only_integers(v) for v in value))


def _kept(match: cambist.Match) -> tuple[bytes, list[Any]]:
    return state_bytes(match), list(match.history)


def _tried(match: cambist.Match, answer: Any, seat: int) -> None:
    """Legal, and then made of integers alone; or refused twice over, and nothing has changed."""
    choice = match.choice
    assert choice is not None
    before, told = _kept(match), len(match.log)
    refusal = choice.refusal(answer, seat)
    if refusal is None:
        assert isinstance(answer, str) or _only_integers(answer), f"{answer!r} is taken for an answer"
    else:
        assert isinstance(refusal, Refusal) and refusal.reason and refusal.rule
        with pytest.raises(cambist.Refused) as caught:
            match.answer(answer, seat)
        assert str(caught.value) and caught.value.refusal == refusal
    assert _kept(match) == before and len(match.log) == told


def _some_moments(table: Table, seed: int, wanted: int) -> Iterator[cambist.Match]:
    """Different choices of one game, each by its name at most twice."""
    length = len(play_on(table.start(seed), seed).history)
    seen: dict[str, int] = {}
    for moment in moments(table.start(seed), seed, every=max(1, length // wanted)):
        if moment.choice is not None:
            seen[moment.choice.name] = seen.get(moment.choice.name, 0) + 1
            if seen[moment.choice.name] <= 2:
                yield moment


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_answers_that_are_wrong_in_one_place(table: Table) -> None:
    for moment in _some_moments(table, 1, 40):
        assert moment.choice is not None
        seat = moment.choice.player
        legal = [moment.choice.sample(cambist.Source(number), seat) for number in range(2)]
        for answer in dict.fromkeys(legal):
            for mutant in _mutants(answer, len(moment.program.components)):
                _tried(moment, mutant, seat)


ODD: dict[str, Any] = {
    "nothing": None,
    "a number": 7,
    "a fraction": 0.5,
    "a flag": True,
    "an empty list": [],
    "a list of lists": [[[]]],
    "a mapping": {0: 1},
    "bytes": b"0",
    "no text": "",
    "spaces": "   ",
    "a control character": "\x00",
    "brackets": "((((",
    "commas": ",,,,",
    "a raised two before a thing": "² thing",
    "a very large number before a thing": "9" * 5000 + " thing",
    "a text of many words": "nothing " * 5000,
    "a lone surrogate": "\ud800",
    "a right-to-left mark": "\u202e",
    "a list nested 50 deep": _deep(50),
    "a list nested 20,000 deep": _deep(20_000),
    "a list nested in an answer": [0, _deep(20_000)],
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers(odd: str) -> None:
    for table in TABLES:
        if table.players == table.game.players[0]:
            for moment in _some_moments(table, 2, 15):
                assert moment.choice is not None
                _tried(moment, ODD[odd], moment.choice.player)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_who_is_not_asked_is_refused(table: Table) -> None:
    for moment in _some_moments(table, 3, 30):
        choice = moment.choice
        assert choice is not None
        answer = choice.sample()
        for seat in (-1, *range(table.players + 2)):
            if seat not in choice.deciders:
                _tried(moment, answer, seat)
                _tried(moment, choice.text(answer), seat)
                assert choice.refusal(answer, seat) is not None


@pytest.mark.parametrize("name", sorted({table.name for table in TABLES}))
def test_anything_at_all(name: str) -> None:
    table = next(t for t in TABLES if t.name == name)
    reached = [moment.clone() for moment in _some_moments(table, 4, 12)]

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(range(len(reached))), LISTS | st.tuples(st.just(0), LISTS) | st.text())
    def tried(number: int, answer: Any) -> None:
        choice = reached[number].choice
        assert choice is not None
        _tried(reached[number], answer, choice.player)

    tried()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_an_answer_that_is_in_cannot_be_given_again(table: Table) -> None:
    for moment in moments(table.start(5), 5, every=1):
        choice = moment.choice
        if choice is not None and choice.sealed and len(choice.deciders) > 1:
            match, seat = moment.clone(), choice.player
            answer = choice.sample(cambist.Source(1), seat)
            match.answer(answer, seat)
            assert match.choice is not None and seat not in match.choice.deciders
            _tried(match, answer, seat)
            assert match.choice.refusal(answer, seat) is not None
            return
