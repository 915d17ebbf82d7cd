"""What a player can know of cards that lie hidden: what was seen stays known until it is mixed with others."""

from __future__ import annotations

import pytest

import cambist

TABLE = """
game table "Table"
  players 2..2
  source R "rules" language en
card slip: value: number
deck box of slip, seen by all
  1 slip 1
  1 slip 2
  1 slip 3
  1 slip 4
  1 slip 5
  1 slip 6
zone pile:   pile, seen by nobody
zone hand:   bag of each player, seen by owner
zone secret: row of each player, seen by nobody
zone veiled: row of each player, seen by owner, until revealed
zone shelf:  row, seen by all
play                                                                cites R"Play"
  {play}
  let last = first of players
  last chooses n in 1..2
score p = 0                                                         cites R"Play"
winner most score, ties shared                                      cites R"Play"
"""


def possible(play: list[str], zone: str, seat: int = 0) -> tuple[list[set[int]], list[int]]:
    """Of each card in a zone, the values that the seat thinks it may have, as many deals show; and the true ones."""
    match = cambist.loads(TABLE.replace("{play}", "\n  ".join(play))).start(2, 3)
    number = match.words.zone_names.index(zone)
    rng, found = cambist.Source(1), [set[int]() for _ in match.state.zones[number]]
    for _ in range(60):
        for place, card in enumerate(match.resample(seat, rng).state.zones[number]):
            found[place].add(card + 1)  # slip 1 is the first
    return found, [card + 1 for card in match.state.zones[number]]


FIRST, SECOND = "(first of players)", "(last of players)"
CASES: list[tuple[list[str], str, list[set[int] | str], str]] = [
    (["move box to pile"], "pile", [{1}, {2}, {3}, {4}, {5}, {6}], "what was seen going there, in the order it lies"),
    (["move box to pile", "shuffle pile"], "pile", [{1, 2, 3, 4, 5, 6}] * 6, "until it is shuffled"),
    (
        ["move box to pile", "shuffle pile", f"move 1 from pile to {FIRST}.hand", f"move {FIRST}.hand to pile"],
        "pile",
        ["true", *["another"] * 5],
        "a card of one's own that one puts back on top",
    ),
    (
        [f"move 2 from box to {SECOND}.hand", "move box to pile", "shuffle pile", f"move 1 from pile to {SECOND}.hand"],
        "pile",
        [{3, 4, 5, 6}] * 3,
        "what was seen going to another's hand is not in the pile",
    ),
    (
        [f"move 2 from box to {SECOND}.hand", f"move 1 from {SECOND}.hand to {SECOND}.secret"],
        "p2.secret",
        [{1, 2}],
        "one of two known cards leaves the hand unseen",
    ),
    (
        [f"move 2 from box to {SECOND}.hand", f"move 1 from {SECOND}.hand to shelf", f"move {SECOND}.hand to pile"],
        "pile",
        [{2}],
        "one leaves it before all eyes: the other is known",
    ),
    (
        ["move box to pile", "shuffle pile", f"move 2 from pile to {SECOND}.veiled", f"reveal {SECOND}.veiled"]
        + [f"hide {SECOND}.veiled", f"move 1 from {SECOND}.veiled to {SECOND}.secret"],
        "p2.secret",
        ["true"],
        "what was shown once and is hidden again",
    ),
    (
        ["move box to pile", "move all c in pile where c.value = 4 to " + f"{SECOND}.hand"],
        "p2.hand",
        [{1, 2, 3, 4, 5, 6}],
        "a card taken out of the middle may be any",
    ),
]


@pytest.mark.parametrize(("play", "zone", "expected", "why"), CASES, ids=[case[3] for case in CASES])
def test_what_is_known(play: list[str], zone: str, expected: list[set[int] | str], why: str) -> None:
    """`true`: it is known; `another`: it may be any that is not known."""
    found, true = possible(play, zone)
    known = {card for card, word in zip(true, expected, strict=True) if word == "true"}
    words: dict[object, set[int]] = {"another": set(range(1, 7)) - known}
    wanted = [{card} if one == "true" else words.get(str(one), one) for card, one in zip(true, expected, strict=True)]
    assert found == wanted


def test_what_one_player_sees_another_does_not() -> None:
    play = ["move box to pile", "shuffle pile", f"move 1 from pile to {FIRST}.hand", f"move {FIRST}.hand to pile"]
    assert possible(play, "pile", seat=1)[0] == [{1, 2, 3, 4, 5, 6}] * 6
    assert possible(play, "pile", seat=-1)[0] == [{1, 2, 3, 4, 5, 6}] * 6


def test_a_state_that_no_events_lead_to() -> None:
    match = cambist.loads(TABLE.replace("{play}", "move box to pile\n  shuffle pile")).start(2, 3)
    match.state.zones[1].reverse()
    pile = match.state.zones[1]
    match.state.where[pile.pop()] = 2
    match.state.zones[2].append(next(c for c in range(6) if c not in pile))
    worlds = [match.resample(1, cambist.Source(seed)).state.zones for seed in range(20)]
    assert {len(zones[1]) for zones in worlds} == {5}
    assert len({zones[2][0] for zones in worlds}) > 2
