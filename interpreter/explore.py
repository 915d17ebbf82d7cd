"""Many games played at random, for speed tests, balance and finding broken rules. No input, output or clock.

In: a machine, a seed and the number of the game. Out: how that game went. Game number k depends on the seed
and k alone, whatever was played before; the players draw from a source of their own, never from the game's. A
fault of the rules comes out as `Fault`, with the game it happened in.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attrs import define, field, frozen

from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.faults import Fault
from cambist.interpreter.laws import Following
from cambist.interpreter.machine import Machine
from cambist.interpreter.measures import Measures, measured
from cambist.interpreter.soundness import Soundness
from cambist.interpreter.state import State


@frozen
class Played:
    scores: tuple[int, ...]  # in steps of the score's unit
    winners: tuple[int, ...]
    decisions: int  # answers where there were at least two to choose from
    ended_by: str
    limits: tuple[str, ...]  # assumed limits that were reached
    seen: tuple[str, ...] = field(default=(), eq=False)  # the reachable facts it came by; empty if nobody looked
    marks: tuple[tuple[str, int], ...] = ()  # what the rules `mark`, and how often it happened
    measured: tuple[tuple[str, Fraction], ...] = ()  # every `measure`, in units; empty if nobody asked


@define
class Tally:
    """Sums over many games, by seat."""

    players: int
    games: int = 0
    decisions: int = 0
    scores: list[int] = field(init=False)  # in steps of the score's unit
    wins: list[int] = field(init=False)  # a shared win counts for each
    ended_by: dict[str, int] = field(factory=dict)
    seen: dict[str, int] = field(factory=dict)  # in how many games each reachable fact was seen

    def __attrs_post_init__(self) -> None:
        self.scores = [0] * self.players
        self.wins = [0] * self.players

    def add(self, played: Played) -> None:
        self.games += 1
        self.decisions += played.decisions
        for seat, score in enumerate(played.scores):
            self.scores[seat] += score
        for seat in played.winners:
            self.wins[seat] += 1
        reason = f"limit: {played.limits[0]}" if played.limits else played.ended_by
        self.ended_by[reason] = self.ended_by.get(reason, 0) + 1
        for name in played.seen:
            self.seen[name] = self.seen.get(name, 0) + 1


def bot_source(seed: int, game: int) -> Source:
    """Where the players of game number `game` draw from."""
    return Source(seed_of(seed, game))


def play_random(
    machine: Machine,
    seed: int,
    game: int,
    check: bool = False,
    sound: Soundness | None = None,
    broken: dict[str, Fault] | None = None,
    measures: Measures | None = None,
) -> Played:
    """One game to its end. `check`: test all that must hold; `sound` spares making the tests anew.

    With `broken`, invariants that do not hold are gathered there and end nothing. With `measures`, they are taken
    instead of tests.
    """
    known = set(broken or ())
    begun = seed_of(seed, game)
    rng = Source(begun)
    seen: set[str] = set()
    found: dict[str, Fraction] = {}
    try:
        if check:
            sound = sound or Soundness(machine)
            following = sound.follow(broken)
            state = machine.start(begun, watch=following)
            decisions = _play_checked(machine, state, rng, sound, following)
            seen = following.seen
        elif measures is not None:
            measuring = measures.follow()
            state = machine.start(begun, watch=measuring)
            decisions = _play_followed(machine, state, rng, measuring.moment)
            found = measured(machine, measuring.samples)
        else:
            state = machine.start(begun)
            decisions = machine.play_out(state, rng)
        scores = machine.scores(state)
        winners = machine.winners(state, scores)
    except Fault as fault:
        fault.add_moment(f"in game {game}, seed {seed}, {machine.program.players} players")
        raise
    finally:
        for name in set(broken or ()) - known:
            assert broken is not None
            broken[name].add_moment(f"in game {game}, seed {seed}, {machine.program.players} players")
    limits = tuple(sorted(state.limits))
    marks = tuple(sorted(state.marks.items()))
    told = tuple(sorted(seen))
    return Played(tuple(scores), tuple(winners), decisions, state.ended, limits, told, marks, tuple(found.items()))


def reached(machine: Machine, seed: int, games: int) -> dict[str, int]:
    """Of every reachable fact, in how many of so many random games it was seen."""
    sound, tally = Soundness(machine), Tally(machine.program.players)
    for number in range(games):
        tally.add(play_random(machine, seed, number, True, sound))
    return {name: tally.seen.get(name, 0) for name in reachable(machine)}


def reachable(machine: Machine) -> list[str]:
    return [law.name for law in machine.program.properties if law.word == "reachable"]


def _play_checked(machine: Machine, state: State, rng: Source, sound: Soundness, following: Following) -> int:
    """The same game, with everything that must hold tested at every choice and at the end."""
    return _play_followed(machine, state, rng, lambda now: sound.check(now, following))


def _play_followed(machine: Machine, state: State, rng: Source, moment: Callable[[State], None]) -> int:
    """The same game, with somebody who is told of every choice and of the end."""
    answers = decisions = 0
    try:
        while True:
            moment(state)
            pending = state.pending
            if pending is None:
                return decisions
            domain = machine.domain(state)
            for player in pending.deciders:
                answer = machine.sample(state, player, rng)
                decisions += domain.was_open
                answers += 1
                machine.advance(state, player, answer)
    except Fault as fault:
        fault.add_moment(f"after {answers} answers")
        raise
