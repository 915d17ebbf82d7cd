"""The seeded source: the same numbers on every computer, spread evenly, and independent from game to game."""

from __future__ import annotations

from collections import Counter

from cambist.interpreter.chance import GOLDEN, MASK, Source, below, mix, seed_of


def test_the_published_numbers_of_splitmix64() -> None:
    state, found = 1234567, []
    for _ in range(5):
        state = (state + GOLDEN) & MASK
        found.append(mix(state))
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_source_is_the_same_for_ever() -> None:
    rng, first_ten = Source(1), [84, 74, 61, 69, 94, 29, 99, 77, 4, 2]
    assert [rng.below(100) for _ in range(10)] == first_ten
    assert below(seed_of(1, 7), 100)[1] == first_ten[0]


def test_numbers_stay_in_range_and_are_even() -> None:
    rng = Source(5)
    counts = Counter(rng.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())
    assert {Source(n).below(1) for n in range(20)} == {0}


def test_games_of_one_run_differ() -> None:
    starts = {seed_of(seed, game) for seed in range(-3, 30) for game in range(30)}
    assert len(starts) == 33 * 30
    assert all(0 <= start <= MASK for start in starts)
