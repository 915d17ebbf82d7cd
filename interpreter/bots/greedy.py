"""The greedy bot: answers with what looks best right after it, and sees nothing beyond.

Each answer is tried in the same few imagined worlds, so that they differ by the answer alone; right after it means when
what it has set off is done: further parts of it (which card, how much) are chosen greedily too, others in between
answer at random. Better is: to stand further before the best of the others (standing.py). Of equals, one at random.
"""

from __future__ import annotations

from cambist.interpreter.bots.candidates import candidates, neighbours
from cambist.interpreter.bots.seat import Seat, World
from cambist.interpreter.bots.standing import Standing
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer
from cambist.interpreter.faults import Fault

WORLDS = 3
ANSWERS, NEXT_TO_IT = 48, 24  # tried of a choice, and round the best of those if there are more
PARTS, TRIED_OF_A_PART = 4, 12  # how far one follows what an answer has set off, and how many ways
TRIED_OF_THE_NEXT = 3  # ways to go on when an answer of somebody in a playout is looked at
LOST = -(10**15)


class Greedy:
    name = "greedy"

    def answer(self, seat: Seat, rng: Source) -> Answer:
        worlds = [seat.imagine(rng) for _ in range(WORLDS)]
        player, standing = seat.player, Standing(worlds[0].machine)
        found = candidates(worlds[0], player, rng, ANSWERS)
        if len(found) == 1:
            return found[0]
        best, values = _best(found, worlds, player, standing, rng)
        if len(found) >= ANSWERS:
            near = [other for other in neighbours(worlds[0], player, best, rng, NEXT_TO_IT) if other not in values]
            best, _ = _best([best, *near], worlds, player, standing, rng)
        return best


def _best(
    answers: list[Answer], worlds: list[World], player: int, standing: Standing, rng: Source
) -> tuple[Answer, dict[Answer, int]]:
    values: dict[Answer, int] = {}
    for answer in answers:
        total = 0
        for world in worlds:
            tried = world.clone()
            total += value_after(tried, player, answer, standing, rng, PARTS)
        values[answer] = total
    most = max(values.values())
    equal = [answer for answer in answers if values[answer] == most]
    return equal[rng.below(len(equal))], values


def value_after(world: World, player: int, answer: Answer, standing: Standing, rng: Source, parts: int) -> int:
    """How far the player leads when what the answer sets off is done. The world is used up."""
    depth = world.depth
    try:
        world.answer(player, answer)
        follow(world, player, depth, standing, rng, parts)
    except Fault:  # rules that break there: nothing one would want
        return LOST
    return standing.lead(world.state, player)


def follow(world: World, player: int, depth: int, standing: Standing, rng: Source, parts: int) -> None:
    """Until the phase that the answer began is left again, or somebody else is asked something of their own."""
    state = world.state
    for _ in range(parts):
        pending = state.pending
        if pending is None or (world.depth <= depth and None in pending.answers and len(pending.deciders) < 2):
            return
        decider = world.decider
        if decider != player:
            world.answer(decider, world.sample(decider, rng))
            continue
        world.answer(player, greedy_part(world, player, standing, rng))


def greedy_part(
    world: World, player: int, standing: Standing, rng: Source, tried: int = TRIED_OF_A_PART, parts: int = 0
) -> Answer:
    """The best of a few answers, each looked at right after it, or when so many further parts of it are chosen as
    well: it is asked often, and looks at few of those."""
    found = candidates(world, player, rng, tried)
    if len(found) == 1:
        return found[0]
    depth = world.depth if parts else 0
    best, most = found[:1], None
    for answer in found:
        after = world.clone()
        try:
            after.answer(player, answer)
            for _ in range(parts):
                pending = after.state.pending
                if pending is None or pending.deciders != [player] or after.depth <= depth:
                    break
                after.answer(player, greedy_part(after, player, standing, rng, TRIED_OF_THE_NEXT))
            value = standing.lead(after.state, player)
        except Fault:
            continue
        if most is None or value > most:
            best, most = [answer], value
        elif value == most:
            best.append(answer)
    return best[rng.below(len(best))]
