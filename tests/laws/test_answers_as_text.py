"""An answer written in words is read as the same answer, up to components that nobody can tell apart."""

from __future__ import annotations

import pytest

import cambist
from cambist.interpreter.choices import Refusal
from tests.laws.tables import TABLES, Table, canonical, moments, play_on

MOST_TRIED = 120


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_written_can_be_read(table: Table) -> None:
    length = len(play_on(table.start(1), 1).history)
    for moment in moments(table.start(1), 1, every=max(1, length // 40)):
        choice = moment.choice
        if choice is None:
            continue
        for seat in choice.deciders:
            answers = [
                *choice.options(seat, limit=MOST_TRIED),
                *(choice.sample(cambist.Source(n), seat) for n in range(4)),
            ]
            for answer in answers:
                text = choice.text(answer)
                read = moment.read(text, seat)
                assert not isinstance(read, Refusal), f"`{text}` is not understood: {read}"
                assert canonical(moment, read) == canonical(moment, answer), text


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_game_can_be_played_in_words(table: Table) -> None:
    match, words = table.start(2), table.start(2)
    rng = cambist.Source(2)
    while match.choice is not None:
        choice, by = match.choice, match.choice.player
        text = choice.text(choice.sample(rng))
        match.answer(text, by)
        words.answer(f"  {text.replace(' ', '   ')} ", by)
    assert words.log_lines() == match.log_lines()
    assert words.result == match.result


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_different_answers_are_written_differently(table: Table) -> None:
    for moment in moments(table.start(3), 3, every=9):
        choice = moment.choice
        if choice is not None:
            listed = choice.options(limit=MOST_TRIED)
            by_text = {choice.text(answer): canonical(moment, answer) for answer in listed}
            for answer in listed:
                assert by_text[choice.text(answer)] == canonical(moment, answer)
