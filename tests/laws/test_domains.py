"""One declaration of a choice, several ways to use it: they must agree on what is legal.

enumerate ⊆ contains; sample ∈ contains; what is complete leaves nothing out and offers nothing twice; shrinking makes
simpler.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations
from typing import Any

import pytest

import cambist
from tests.laws.tables import LABORATORY, TABLES, Table, canonical, moments, play_on, state_bytes

SAMPLES = 6
MOST_TRIED = 300


def _asked(table: Table, seed: int, wanted: int) -> Iterator[tuple[cambist.Match, cambist.Choice, int]]:
    """About so many choices of a game, with each seat that is asked."""
    length = len(play_on(table.start(seed), seed).history)
    for moment in moments(table.start(seed), seed, every=max(1, length // wanted)):
        choice = moment.choice
        if choice is not None:
            for seat in choice.deciders:
                yield moment, choice, seat


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_listed_is_legal(table: Table) -> None:
    for _, choice, seat in _asked(table, 1, 25):
        for answer in choice.options(seat, limit=MOST_TRIED):
            assert choice.refusal(answer, seat) is None
            assert choice.refusal(_as_json(answer), seat) is None


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_nothing_is_listed_twice(table: Table) -> None:
    for match, choice, seat in _asked(table, 2, 25):
        listed = [canonical(match, answer) for answer in choice.options(seat, limit=MOST_TRIED)]
        assert len(listed) == len(set(listed))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_sample_is_legal_and_among_what_is_listed(table: Table) -> None:
    for match, choice, seat in _asked(table, 3, 25):
        options = choice.options(seat)
        listed = {canonical(match, answer) for answer in options}
        for number in range(SAMPLES):
            answer = choice.sample(cambist.Source(number), seat)
            assert choice.refusal(answer, seat) is None
            assert not options.complete or canonical(match, answer) in listed


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_list_cut_short_says_so(table: Table) -> None:
    for _, choice, seat in _asked(table, 4, 12):
        whole = choice.options(seat)
        for limit in (1, 2, 5):
            part = choice.options(seat, limit=limit)
            assert len(part) <= limit
            assert part == whole[: len(part)]
            assert part.complete == (len(whole) <= limit)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_complete_leaves_nothing_out(table: Table) -> None:
    """Every answer of the right form, tried one by one: those that are legal are those that are listed."""
    tried = 0
    for match, choice, seat in _asked(table, 5, 30):
        options = choice.options(seat)
        form = list(_all_of_the_form(match, seat))
        if options.complete and form:
            tried += len(form)
            legal = {canonical(match, answer) for answer in form if choice.refusal(answer, seat) is None}
            listed = {canonical(match, answer) for answer in options}
            assert legal <= listed
            assert listed & {canonical(match, answer) for answer in form} == legal
    assert tried > 10


def _all_of_the_form(match: cambist.Match, seat: int) -> Iterator[Any]:
    """Every answer whose picks are all made from what they may be made from, if there are not too many."""
    machine, state = match.machine, match.state
    for branch in machine.domain(state).branches:
        if len(branch.picks) > 1 and any(pick.pick.shape != "in" for pick in branch.picks):
            continue
        found: list[tuple[Any, ...]] = [(branch.number,)]
        for pick in branch.picks:
            longer = []
            for answer in found:
                local = machine.locals_for(state, seat)
                for done, value in zip(branch.picks, answer[1:], strict=False):
                    local[done.slot] = value
                items = list(pick.source(state, local))
                longer += [(*answer, value) for value in _values(pick.pick.shape, items)]
            found = longer
        yield from found


def _values(shape: str, items: list[int]) -> list[Any]:
    if shape == "in":
        return list(items)
    if len(items) > 6:
        return []
    if shape == "some":
        return list(chain.from_iterable(combinations(sorted(items), size) for size in range(len(items) + 1)))
    if shape == "order":
        return list(permutations(items)) if len(items) < 5 else []
    return [tuple((item,) for item in sorted(items)), (tuple(items),)] if items else [()]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_shrinking_makes_simpler(table: Table) -> None:
    for match, choice, seat in _asked(table, 6, 30):
        domain = match.machine.domain(match.state)
        answer = choice.sample(cambist.Source(seat), seat)
        for simpler in domain.shrink(answer):
            assert _complexity(match, simpler) < _complexity(match, answer)
            choice.refusal(simpler, seat)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_shrinking_comes_to_an_end(table: Table) -> None:
    for match, choice, seat in _asked(table, 7, 15):
        domain, before = match.machine.domain(match.state), state_bytes(match)
        answer = choice.sample(cambist.Source(seat), seat)
        for _ in range(1000):
            legal = [a for a in domain.shrink(answer) if choice.refusal(a, seat) is None]
            if not legal:
                break
            answer = legal[0]
        else:
            pytest.fail("shrinking goes on for ever")
        assert state_bytes(match) == before


def _complexity(match: cambist.Match, answer: Any) -> tuple[int, int]:
    pending = match.state.pending
    assert pending is not None
    branch = match.program.choices[pending.choice].branches[answer[0]]
    total = 0
    for pick, value in zip(branch.picks, answer[1:], strict=False):
        if pick.shape == "in":
            total += max(value, 0)
        elif pick.shape == "some":
            total += len(value)
        elif pick.shape == "order":
            total += _disorder(value)
        else:
            total += 1000 * sum(len(pile) - 1 for pile in value) + _disorder([i for pile in value for i in pile])
    return answer[0], total


def _disorder(value: Any) -> int:
    return sum(a > b for index, a in enumerate(value) for b in value[index + 1 :])


def test_every_shape_of_an_answer_is_tried() -> None:
    shapes = {
        pick.shape
        for table in TABLES
        for choice in table.start(0).program.choices
        for branch in choice.branches
        for pick in branch.picks
    }
    assert shapes == {"in", "some", "order", "arrangement"}


def test_every_laboratory_ruleset_is_tried() -> None:
    assert {path.stem for path in LABORATORY.glob("*.rules")} <= {table.name for table in TABLES}


def _as_json(answer: Any) -> Any:
    return [_as_json(v) for v in answer] if isinstance(answer, tuple) else answer
