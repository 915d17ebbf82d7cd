"""The searching bot, `mcts:N`: information-set Monte Carlo tree search with N playouts a decision.

One tree a decision. Each playout imagines a world anew (what is hidden differs, what the player knows does not), goes
down the tree by the answers that have done well there, adds one answer, plays on for a while and hands what came of
it to all answers on the way. An answer of one world may not exist in another: only those that do are compared.

What keeps it strong with few playouts: answers start with what the greedy bot thinks of them; the players of a playout
are greedy most of the time; and a playout stops after a number of decisions, where the standing is asked (standing.py).
What keeps it honest: nobody in a playout answers a sealed choice by looking at what others have sealed.

A choice with too many answers to list is answered step by step: some answers are put together at random, and while
playouts go on, answers one step away from the best join them.
"""

from __future__ import annotations

from math import isqrt

from cambist.interpreter.bots.candidates import candidates, neighbours
from cambist.interpreter.bots.greedy import PARTS, greedy_part, value_after
from cambist.interpreter.bots.seat import Seat, World
from cambist.interpreter.bots.standing import WHOLE, Standing
from cambist.interpreter.chance import Source
from cambist.interpreter.choices import Answer
from cambist.interpreter.faults import Fault

FIRST_WORLDS = 3  # in which answers are looked at before the first playout
ANSWERS, INNER = 40, 8  # listed at the root, and below it
CURIOUS = 3  # one part in so many of how far rewards lie apart is what an untried answer is given in advance
TRUST = 2  # how many playouts the first look counts for
HORIZON = 5  # decisions of a playout, for each player
TRIED, AT_RANDOM = 4, 5  # answers a greedy player of a playout tries; every so-manyth decision is made at random
DEEPEST = 6  # of the tree


class Node:
    """An answer that was tried, and those after it: how often, and what it brought in all to the one who gave it."""

    __slots__ = ("below", "total", "visits")

    def __init__(self, first: int = 0, trust: int = 0) -> None:
        self.below: dict[Answer, Node] = {}
        self.visits, self.total = trust, first * trust

    def promise(self, often: int, curiosity: int) -> int:
        """What it has brought on average, and more the less it was tried."""
        if not self.visits:
            return 2 * WHOLE
        return self.total // self.visits + isqrt(curiosity * curiosity * often // self.visits)


class Search:
    def __init__(self, playouts: int) -> None:
        self.playouts = playouts
        self.name = f"mcts:{playouts}"

    def answer(self, seat: Seat, rng: Source) -> Answer:
        only = seat.options(2)
        if len(only) == 1 and only.complete:
            return only[0]
        worlds = [seat.imagine(rng) for _ in range(FIRST_WORLDS)]
        tree = _Tree(seat.player, worlds, rng)
        for _ in range(self.playouts):
            tree.playout(seat.imagine(rng))
        return tree.best()


class _Tree:
    def __init__(self, player: int, worlds: list[World], rng: Source) -> None:
        self.player = player
        self.rng = rng
        self.standing = Standing(worlds[0].machine)
        self.root = Node()
        self.worlds = worlds
        self.low, self.high = WHOLE, 0  # of the rewards of this player, so far
        found = candidates(worlds[0], player, rng, ANSWERS)
        self.many = len(found) >= ANSWERS
        for answer in found:
            self._look(answer)

    def _look(self, answer: Answer) -> None:
        """A first look at an answer to the choice itself, as the greedy bot has it."""
        total = 0
        for world in self.worlds:
            tried = world.clone()
            value_after(tried, self.player, answer, self.standing, self.rng, PARTS)
            total += self._heard(self.standing.rewards(tried.state))
        self.root.below[answer] = Node(total // len(self.worlds), TRUST)

    def _heard(self, rewards: list[int]) -> int:
        reward = rewards[self.player]
        self.low, self.high = min(self.low, reward), max(self.high, reward)
        return reward

    def best(self) -> Answer:
        """Tried most often; of those tried equally often, the better."""
        below = self.root.below
        return max(below, key=lambda answer: (below[answer].visits, below[answer].total))

    def playout(self, world: World) -> None:
        try:
            path = self._descend(world)
            self._play_on(world)
            rewards = self.standing.rewards(world.state)
        except Fault:  # a world in which the rules break teaches nothing
            return
        self._heard(rewards)
        self.root.visits += 1
        for player, node in path:
            node.visits += 1
            node.total += rewards[player]

    def _descend(self, world: World) -> list[tuple[int, Node]]:
        node, path = self.root, list[tuple[int, Node]]()
        if self.many and self.root.visits % 4 == 3:
            self._widen()
        while not world.over and len(path) < DEEPEST:
            player = world.decider
            if path and len(world.state.pending.deciders) > 1:  # type: ignore[union-attr]
                return path  # sealed answers of others must not depend on ours
            offered = list(node.below) if not path else candidates(world, player, self.rng, INNER)
            answer = self._choose(node, offered) if node is self.root or node.below else None
            if answer is None:
                answer = greedy_part(world, player, self.standing, self.rng, TRIED)
            new = answer not in node.below
            node = node.below.setdefault(answer, Node())
            path.append((player, node))
            world.answer(player, answer)
            if new or node.visits == 0:
                return path
        return path

    def _choose(self, node: Node, offered: list[Answer]) -> Answer | None:
        """The most promising of those offered; None: one that was never tried."""
        often, curiosity = max(1, node.visits).bit_length(), max(0, self.high - self.low) // CURIOUS
        untried = (self.high + self.low) // 2 + isqrt(curiosity * curiosity * often)
        best, most = None, -WHOLE
        for answer in offered:
            child = node.below.get(answer)
            value = untried if child is None else child.promise(often, curiosity)
            if value > most:
                best, most = (answer, value)
        return best

    def _widen(self) -> None:
        near = neighbours(self.worlds[0], self.player, self.best(), self.rng, 12)
        new = [answer for answer in near if answer not in self.root.below]
        if new:
            self._look(new[self.rng.below(len(new))])

    def _play_on(self, world: World) -> None:
        machine, state, rng = world.machine, world.state, self.rng
        for _ in range(HORIZON * machine.program.players):
            pending = state.pending
            if pending is None:
                return
            player = world.decider
            if len(pending.deciders) > 1 or rng.below(AT_RANDOM) == 0:
                world.answer(player, world.sample(player, rng))
            else:
                world.answer(player, greedy_part(world, player, self.standing, rng, TRIED))
