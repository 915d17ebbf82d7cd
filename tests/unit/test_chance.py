"""The seeded source: the same numbers on every computer, spread evenly, and independent from game to game."""

from __future__ import annotations

from collections import Counter

from cambist.interpreter.chance import GOLDEN, MASK, Source, mix, numbers, seed_of, shuffled


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


def test_sources_are_the_same_for_ever() -> None:
    rng = Source(1)
    assert [rng.below(100) for _ in range(10)] == [19, 85, 50, 73, 86, 84, 39, 29, 95, 42]
    assert Source(1).below(1 << 62) == 2350931579870458799
    state, found = numbers(1, 20)
    assert state == 10142565303423068263
    assert (*found[:3], *found[-3:]) == (4195787665, 1940627441, 3770742585, 2145929022, 1226432431, 1472153625)
    assert shuffled(1, [0, 1, 2, 3, 4, 5, 6], 7) == (state, [6, 5, 0, 1, 3, 2, 4])


def test_a_shuffle_is_even() -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    state = 5
    for _ in range(2400):
        state, found = shuffled(state, [7, 8, 9], 3)
        counts[tuple(found)] += 1
    assert len(counts) == 6 and all(320 < count < 480 for count in counts.values())
    assert shuffled(3, [], 0)[1] == [] and shuffled(3, [4], 1)[1] == [4] and len(shuffled(3, [1, 2, 3], 2)[1]) == 2


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
