"""The searching bot, `mcts:N`: information-set Monte Carlo tree search with N playouts a decision.

One tree a decision. A playout takes a world that the player imagines (what is hidden differs, what the player knows
does not), goes down the tree by the answers that have done well there, adds one answer, plays on for a while and hands
what came of it to all answers on the way. An answer of one world may not exist in another: only those that do are
compared.

What keeps it strong with few playouts: answers to the choice itself begin with what the greedy bot thinks of them, and
all that are still in the running are tried in the same worlds with the same luck, so that they differ by the answer
alone; the worse half drops out, again and again, until the playouts are used up. Below that the tree grows slowly: at
first everybody answers greedily there. A playout stops where the player is about to decide again and everybody else has
had their turn, after as many such rounds for every answer, and the standing is asked there (standing.py): in the middle
of a turn, with something bought and not paid yet, it would be of little use. What keeps it honest: nobody in a playout
answers a sealed choice by looking at what others have sealed.

A choice with too many answers to list is answered step by step: some answers are put together at random, and answers
one step away from the best of them join them.
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
ANSWERS, NEXT_TO_IT = 40, 12  # looked at, and round the best of those if there are more
FEWEST = 4  # playouts there are for each answer that is in the running, at least
TRUST = 2  # how many playouts the first look counts for
WIDEN = 8  # after so many playouts more one answer more is tried at a place below the first
CURIOUS = 3  # one part in so many of how far rewards lie apart is what a little tried answer is given in advance
LEAST, MOST = 5, 12  # decisions of a playout for each player: so many before it may stop, and where it must
TRIED, FOLLOWED = 4, 2  # answers a player of a playout tries, and how far what they set off is followed
DEEPEST = 6  # of the tree


class Node:
    """An answer that was tried, and those after it: how often, and what it brought in all to the one who gave it."""

    __slots__ = ("below", "total", "visits")

    def __init__(self, first: int = 0, trust: int = 0) -> None:
        self.below: dict[Answer, Node] = {}
        self.visits, self.total = trust, first * trust

    @property
    def mean(self) -> int:
        return self.total // max(1, self.visits)


class Search:
    def __init__(self, playouts: int) -> None:
        self.playouts = playouts
        self.name = f"mcts:{playouts}"

    def answer(self, seat: Seat, rng: Source) -> Answer:
        only = seat.options(2)
        if len(only) == 1 and only.complete:
            return only[0]
        return _Tree(seat, rng).best(self.playouts)


class _Tree:
    def __init__(self, seat: Seat, rng: Source) -> None:
        self.seat, self.player, self.rng = seat, seat.player, rng
        self.worlds: list[tuple[World, int]] = []  # and the luck in it
        first = self.world(0)[0]
        self.standing = Standing(first.machine)
        self.low, self.high = WHOLE, 0  # of the rewards of this player, so far
        self.root: dict[Answer, Node] = {}
        self.rounds = 0  # that a playout goes on for: as many as the first one has found it takes
        found = candidates(first, self.player, rng, ANSWERS)
        for answer in found:
            self._look(answer)
        if len(found) >= ANSWERS:
            for answer in neighbours(first, self.player, self._in_order()[0], rng, NEXT_TO_IT):
                self._look(answer)

    def world(self, number: int) -> tuple[World, Source]:
        """The same world and luck whenever it is asked for."""
        while len(self.worlds) <= number:
            self.worlds.append((self.seat.imagine(self.rng), self.rng.below(1 << 62)))
        world, luck = self.worlds[number]
        return world.clone(), Source(luck)

    def best(self, playouts: int) -> Answer:
        left = self._in_order()[: max(2, playouts // FEWEST)]
        rounds, tried_in = max(1, (len(left) - 1).bit_length()), 0
        while playouts >= len(left) > 1:
            often = max(1, playouts // (rounds * len(left)))
            for number in range(tried_in, tried_in + often):
                for answer in left:
                    self.playout(answer, *self.world(number))
            tried_in += often
            playouts -= often * len(left)
            rounds = max(1, rounds - 1)
            if rounds > 1 or len(left) > 2:
                left = self._in_order(left)[: (len(left) + 1) // 2]
        return self._in_order(left)[0]

    def _in_order(self, answers: list[Answer] | None = None) -> list[Answer]:
        """The best first."""
        return sorted(self.root if answers is None else answers, key=lambda answer: -self.root[answer].mean)

    def _look(self, answer: Answer) -> None:
        """A first look at an answer to the choice itself, as the greedy bot has it."""
        total = 0
        for number in range(FIRST_WORLDS):
            world, luck = self.world(number)
            value_after(world, self.player, answer, self.standing, luck, PARTS)
            total += self._heard(self.standing.rewards(world.state))
        self.root[answer] = Node(total // FIRST_WORLDS, TRUST)

    def _heard(self, rewards: list[int]) -> int:
        reward = rewards[self.player]
        self.low, self.high = min(self.low, reward), max(self.high, reward)
        return reward

    def playout(self, answer: Answer, world: World, luck: Source) -> None:
        path = [(self.player, self.root[answer])]
        try:
            world.answer(self.player, answer)
            self._play(world, luck, path)
            rewards = self.standing.rewards(world.state)
        except Fault:  # a world in which the rules break teaches nothing
            return
        self._heard(rewards)
        for player, node in path:
            node.visits += 1
            node.total += rewards[player]

    def _play(self, world: World, luck: Source, path: list[tuple[int, Node]]) -> None:
        """On to where the playout stops: down the tree up to an answer that is new there, then greedily."""
        players = world.machine.program.players
        node: Node | None = path[0][1]
        others = rounds = 0
        for decision in range(MOST * players):
            pending = world.state.pending
            if pending is None:
                return
            sealed, player = len(pending.deciders) > 1, world.decider
            if others and self.player in pending.deciders and not any(a is not None for a in pending.answers):
                rounds, others = rounds + 1, 0
                if rounds == self.rounds or (not self.rounds and decision >= LEAST * players):
                    self.rounds = rounds
                    return
            others += player != self.player
            if sealed or len(path) > DEEPEST or (node is not None and not node.visits):
                node = None  # sealed answers of others must not depend on ours
            if sealed:
                answer = world.sample(player, luck)
            else:
                known = None if node is None else self._choose(node, world, player)
                answer = greedy_part(world, player, self.standing, luck, TRIED, FOLLOWED) if known is None else known
            if node is not None:
                node = node.below.setdefault(answer, Node())
                path.append((player, node))
            world.answer(player, answer)

    def _choose(self, node: Node, world: World, player: int) -> Answer | None:
        """The most promising of the answers that were tried and are legal here; None: time to try another one."""
        often, curiosity = node.visits.bit_length(), max(0, self.high - self.low) // CURIOUS
        legal = [
            (child.mean + isqrt(curiosity * curiosity * often // max(1, child.visits)), answer)
            for answer, child in node.below.items()
            if world.machine.refusal(world.state, player, answer) is None
        ]
        if len(legal) <= node.visits // WIDEN:
            return None
        return max(legal, key=lambda pair: pair[0])[1]
