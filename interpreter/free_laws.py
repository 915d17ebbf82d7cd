"""What holds for every ruleset without being written: laws of a moment of a game, each with a name.

In: a match at a choice or at its end, and a source. Out: nothing, or the reason why a law is broken. Money, places
and capacities are checked by soundness.py. A fault of the rules comes out as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from cambist.interpreter.api import Choice, Match
from cambist.interpreter.chance import Source
from cambist.interpreter.domains.subset import Subset
from cambist.interpreter.saves import save_state
from cambist.interpreter.stepwise import Stepwise
from cambist.interpreter.twins import twin

LISTED, SPECTATOR = 60, -1


def state_text(match: Match) -> str:
    return json.dumps(save_state(match.program, match.state), sort_keys=True)


def somebody_can_answer(match: Match, rng: Source) -> str:
    """Everybody who is asked has a legal answer."""
    choice = match.choice
    if choice is not None:
        for seat in choice.deciders:
            if not choice.options(seat, limit=1):
                return f"{match.words.player(seat)} is asked and has nothing to answer"
    return ""


def answers_agree(match: Match, rng: Source) -> str:
    """What is listed, what is drawn at random and what is accepted are the same answers."""
    choice = match.choice
    if choice is None:
        return ""
    for seat in choice.deciders:
        listed = choice.options(seat, limit=LISTED)
        for answer in (*listed, choice.sample(rng, seat)):
            refusal = choice.refusal(answer, seat)
            if refusal is not None:
                return f"`{choice.text(answer)}` is offered to {match.words.player(seat)} and refused: {refusal}"
        drawn = choice.text(choice.sample(rng, seat))
        if listed.complete and drawn not in {choice.text(answer) for answer in listed}:
            return f"`{drawn}` may be drawn but is not listed for {match.words.player(seat)}"
    return ""


def steps_lead_on(match: Match, rng: Source) -> str:
    """Whoever answers step by step never gets stuck."""
    choice = match.choice
    if choice is None:
        return ""
    seat = choice.player
    steps = Stepwise(match, seat)
    branches = [branch for branch in steps.branches if steps.possible(branch)]
    if not branches:
        return f"no branch is offered to {match.words.player(seat)}"
    branch = branches[rng.below(len(branches))]
    so_far: tuple[Any, ...] = ()
    for pick in branch.picks:
        if isinstance(pick, Subset):
            return ""  # its own law: `answers_agree` draws it step by step
        values = steps.values(branch, so_far, LISTED)
        if not values:
            return f"after {len(so_far)} parts of its answer {match.words.player(seat)} has nothing to choose from"
        so_far = (*so_far, values[rng.below(len(values))])
    return ""


def same_again(match: Match, rng: Source) -> str:
    """The same answer in a copy gives the same state."""
    choice = match.choice
    if choice is None:
        return ""
    seat = choice.player
    answer = choice.sample(rng, seat)
    one, two = match.clone(), match.clone()
    one.advance(seat, answer)
    two.advance(seat, answer)
    return "" if state_text(one) == state_text(two) else f"`{choice.text(answer)}` leads to two different states"


def saves_go_on(match: Match, rng: Source) -> str:
    """A saved and restored game goes on as the game itself does."""
    again = Match.restored(match.machine, json.loads(json.dumps(match.save())))
    if state_text(again) != state_text(match):
        return "a restored game is not what was saved"
    choice = match.choice
    if choice is None:
        return ""
    seat = choice.player
    answer = choice.sample(rng, seat)
    one = match.clone()
    one.advance(seat, answer)
    again.advance(seat, answer)
    return "" if state_text(one) == state_text(again) else f"after `{choice.text(answer)}` a restored game differs"


def nothing_leaks(match: Match, rng: Source) -> str:
    """Two states that look the same to a player are the same to that player: same view, same offers."""
    for seat in (*range(match.program.players), SPECTATOR):
        other = twin(match, seat, rng)
        name = match.words.player(seat) if seat >= 0 else "a spectator"
        if match.view(seat) != other.view(seat):
            return f"what {name} sees depends on what is hidden from {name}"
        choice, there = match.choice, other.choice
        if choice is None or there is None or seat not in choice.deciders:
            continue
        if _offered(choice, seat) != _offered(there, seat):
            return f"what {name} is offered depends on what is hidden from {name}"
    return ""


def _offered(choice: Choice, seat: int) -> tuple[list[str], bool]:
    options = choice.options(seat, limit=LISTED)
    return [choice.text(answer) for answer in options], options.complete


Law = Callable[[Match, Source], str]
FREE: dict[str, Law] = {
    law.__name__: law
    for law in (somebody_can_answer, answers_agree, steps_lead_on, same_again, saves_go_on, nothing_leaks)
}
