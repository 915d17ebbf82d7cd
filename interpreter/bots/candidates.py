"""Some of the answers to a choice, for bots that try each: all of them if they are few, else some drawn at random.

In: a world, a player, a source. Out: different answers, equal things once. Where there are too many to list, those that
random players give (step by step, so that large and small answers come up), the same without what they need not hold,
and those next to a good one: with one thing more, one less, or one exchanged.
"""

from __future__ import annotations

from cambist.interpreter.bots.seat import World
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer
from cambist.interpreter.domains import LinkedChoice
from cambist.interpreter.domains.alternatives import put
from cambist.interpreter.domains.picking import Tried
from cambist.interpreter.domains.subset import Subset
from cambist.interpreter.faults import Fault
from cambist.interpreter.limits import STEPS_PER_DECISION, STEPS_TO_LIST
from cambist.interpreter.state import State

TRIES = 16  # values that may be tried for each answer that is wanted, before answers are drawn


def candidates(world: World, player: int, rng: Source, limit: int) -> list[Answer]:
    found: list[Answer] = []
    complete = _listed(world, player, limit, found)
    if complete and found:
        return found
    drawn = dict.fromkeys(found[: max(1, limit // 4)])  # the smallest, too
    for _ in range(limit):
        try:
            answer = world.sample(player, rng)
        except Fault:  # even one takes too long to find: those that are listed must do
            break
        drawn[answer] = None
        drawn[_without_ballast(world, player, answer)] = None
        if len(drawn) >= limit:
            break
    return list(drawn)[:limit] or found


def _listed(world: World, player: int, limit: int, found: list[Answer]) -> bool:
    """Adds answers in their order; whether these are all."""
    machine, state = world.machine, world.state
    domain = machine.domain(state)
    state.fuel = STEPS_TO_LIST
    listed = machine.listed(state, player)
    if listed is not None:
        found += _once(domain, state, listed, limit + 1)
        complete = len(found) <= limit
        del found[limit:]
        return complete
    picks = [pick for branch in domain.branches for pick in branch.picks]
    state = machine.still(state)
    for pick in picks:
        pick.tries = TRIES * limit
    try:
        for answer in domain.values(state, machine.locals_for(state, player)):
            if len(found) >= limit:
                return False
            found.append(answer)
    except Tried:
        return False
    except Fault as fault:
        if fault.diagnostic.code != "R0101":
            raise
        return False
    finally:
        for pick in picks:
            pick.tries = -1
    return True


def _once(domain: LinkedChoice, state: State, listed: list[Answer], limit: int) -> list[Answer]:
    """The first answers of a list, equal components once."""
    where, values, looks = state.where, state.vars, set()
    found = []
    for answer in listed:
        picks = domain.branches[answer[0]].picks
        look = (answer[0], *[pick.look(value, where, values) for pick, value in zip(picks, answer[1:], strict=True)])
        if look not in looks:
            looks.add(look)
            found.append(answer)
            if len(found) == limit:
                break
    return found


def _without_ballast(world: World, player: int, answer: Answer) -> Answer:
    """The same with as little in the last `some of` as is legal: what is paid with need not be more than is due."""
    machine, state = world.machine, world.state
    picks = machine.domain(state).branches[answer[0]].picks
    if not picks or not isinstance(picks[-1], Subset) or picks[-1].accept is None:
        return answer
    local = machine.locals_for(state, player)
    for pick, value in zip(picks[:-1], answer[1:-1], strict=True):
        put(local, pick.slot, value)
    state.fuel = STEPS_PER_DECISION
    _, least, _ = picks[-1].bounds(state, local)
    chosen = answer[-1]
    for item in answer[-1]:
        fewer = tuple(other for other in chosen if other != item)
        if len(fewer) >= least and picks[-1].accepted(state, local, fewer):
            chosen = fewer
    return (*answer[:-1], chosen)


def neighbours(world: World, player: int, answer: Answer, rng: Source, limit: int) -> list[Answer]:
    """Legal answers that differ from this one in one thing of one `some of`."""
    machine, state = world.machine, world.state
    branch = machine.domain(state).branches[answer[0]]
    local = machine.locals_for(state, player)
    state.fuel = STEPS_PER_DECISION
    found: dict[Answer, None] = {}
    for index, pick in enumerate(branch.picks, 1):
        if isinstance(pick, Subset):
            items = {pick.key(state, item): item for item in pick.source(state, local) if item not in answer[index]}
            gone = {pick.key(state, item): item for item in answer[index]}
            more = [(*answer[index], item) for item in items.values()]
            less = [tuple(i for i in answer[index] if i != item) for item in gone.values()]
            swapped = [(*fewer, item) for fewer in less for item in items.values()]
            for chosen in (*more, *less, *swapped):
                found[(*answer[:index], tuple(sorted(chosen)), *answer[index + 1 :])] = None
        put(local, pick.slot, answer[index])
    near = list(found)
    while len(near) > limit:
        near.pop(rng.below(len(near)))
    return [other for other in near if machine.refusal(state, player, other) is None]
