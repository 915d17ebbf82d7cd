"""Games among bots, for simulations and to measure strength.

In: a machine, a seed, the number of the game, a bot for each seat. Out: how it went. Game number k depends on the seed,
k and who sits where; its chance on the seed and k alone, so that the same game can be played again with others.
"""

from __future__ import annotations

from collections.abc import Sequence

from cambist.interpreter.api import Match
from cambist.interpreter.bots import Bot, Seat
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.events import Answered, Event
from cambist.interpreter.explore import Played
from cambist.interpreter.faults import Fault
from cambist.interpreter.machine import Machine


def play_seated(machine: Machine, seed: int, game: int, bots: Sequence[Bot]) -> Played:
    """One game to its end. A fault of the rules comes out as `Fault`, with the game it happened in."""
    log: list[Event] = []
    begun = seed_of(seed, game)
    try:
        match = Match(machine, machine.start(begun, log), seed, None, log)
        while (choice := match.choice) is not None:
            player = choice.player
            source = Source(seed_of(begun, len(match.history) + 1))
            answer = bots[player].answer(Seat(match, player), source)
            match.advance(player, answer)
        result = match.result
    except Fault as fault:
        fault.add_moment(f"in game {game}, seed {seed}, {machine.program.players} players")
        raise
    assert result is not None
    decisions = sum(isinstance(event, Answered) and not event.forced for event in log)
    marks = tuple(sorted(match.state.marks.items()))
    return Played(result.scores, result.winners, decisions, result.ended_by, result.limits, (), marks)
