"""Hypothesis as the player of all seats and of chance's seed: what it finds, it shrinks.

In: a property that some game breaks, the numbers of players and settings it may be played with. Out: a shorter game
that breaks it, or the one that was given. Everything a game depends on is drawn: how many play, the options, the seed,
and which of the listed answers is given; so shrinking works on all of them at once. Hypothesis is loaded here alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cambist.interpreter.api import Match
from cambist.interpreter.chance import Source
from cambist.interpreter.verify import BRANCHING, Broken, Game, LawBroken, Left, MachineFor, Options, Watch, as_broken

EXAMPLES, SEEDS = 150, 64


class _Found(Exception):
    """The property is broken; Hypothesis looks for a smaller way to this."""


def shrunken(
    best: Broken, machine_for: MachineFor, settings: Sequence[tuple[int, Options]], left: Left, seed: int
) -> Broken:
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import seed as seeded
    from hypothesis import settings as how
    from hypothesis import strategies as st
    from hypothesis.errors import Flaky, HypothesisException

    watches: dict[tuple[int, Options], Watch] = {}
    found = [best]

    @seeded(seed)
    @how(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(st.data())
    def play(data: Any) -> None:
        setting = data.draw(st.sampled_from(list(settings)))
        if setting not in watches:
            watches[setting] = Watch(machine_for(setting[0], dict(setting[1])), best.name)
        broken = _one_game(watches[setting], setting, data, st, len(found[0].game.answers), left)
        if broken is not None:
            if len(broken.game.answers) < len(found[0].game.answers):
                found[0] = broken
            raise _Found

    try:
        play()
    except (_Found, Flaky, HypothesisException):  # Flaky: the time was up while it was trying again
        pass
    return found[0]


def _one_game(
    watch: Watch, setting: tuple[int, Options], data: Any, st: Any, longest: int, left: Left
) -> Broken | None:
    game = Game(*setting, data.draw(st.integers(0, SEEDS - 1)))
    match: Match | None = None
    try:
        match, following = watch.begin(game)
        while True:
            watch.look(match, Source(len(match.history)), False, following)
            choice = match.choice
            if choice is None or len(match.history) >= longest or not left():
                return None
            answers = choice.options(choice.player, limit=BRANCHING)
            watch.go_on(match, choice.player, answers[data.draw(st.integers(0, len(answers) - 1))])
    except LawBroken as broken:
        if broken.name != watch.only:
            return None
        return as_broken(broken, game, match.history if match is not None else ())
