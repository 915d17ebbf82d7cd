"""Dividends written by hand in plain Python, from the rulebook alone: a second opinion on the rules file.

`random_game` plays one game; whoever is asked takes each possibility with the same chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import define, field, frozen

T = TypeVar("T")
COMPANIES = 5
IN_PLAY = {2: 3, 3: 4}  # companies, by the number of players; otherwise all
SHARES = 10
PRICES = range(1000, 3000, 200)
LEVELS = 9  # yields of 0, 50, … 400
DICE = ((1, 1, 2, 2, 3, 3), (1, -1, 2, -2, 3, -3), (-1, -1, -2, -2, -3, -3))  # low, middle and high third
LEAST = 50
LEAP = 10
ANY = -1
Card = tuple[int, int]  # company or ANY, up or down


@frozen
class Result:
    scores: tuple[int, ...]
    decisions: int


@define
class Game:
    players: int
    rng: random.Random
    companies: list[int]
    cash: list[int]
    held: list[list[int]]  # player, company
    level: list[int]  # of the yields
    tile: list[int | None]
    hands: list[list[Card]] = field(factory=list)
    pile: list[Card] = field(factory=list)
    discards: list[Card] = field(factory=list)
    decisions: int = 0  # with at least two possibilities

    def choose(self, options: Sequence[T]) -> T:
        self.decisions += len(options) > 1
        return self.rng.choice(options)

    # ---- the market

    def sold(self, c: int) -> int:
        return sum(mine[c] for mine in self.held)

    def price(self, c: int) -> int:
        return PRICES[self.sold(c)]

    def refund(self, c: int) -> int:
        return PRICES[self.sold(c) - 1]

    def for_sale(self, c: int) -> bool:
        return self.sold(c) < SHARES

    def owned(self, p: int) -> list[int]:
        return [c for c in self.companies if self.held[p][c]]

    def trade(self, p: int, c: int, number: int, amount: int) -> None:
        self.held[p][c] += number
        self.cash[p] += amount
        most = max(mine[c] for mine in self.held)
        best = [q for q in range(self.players) if most and self.held[q][c] == most]
        if len(best) == 1:
            self.tile[c] = best[0]
        elif self.tile[c] not in best:
            self.tile[c] = None

    def sell(self, p: int, c: int) -> None:
        self.trade(p, c, -1, self.refund(c))

    def best(self, among: list[int], worth: Callable[[int], int], most: bool) -> list[int]:
        values = [worth(c) for c in among]
        wanted = max(values, default=0) if most else min(values, default=0)
        return [c for c, value in zip(among, values, strict=True) if value == wanted]

    # ---- the steps of a year

    def dice(self) -> None:
        for c in self.companies:
            self.level[c] += self.rng.choice(DICE[self.level[c] // 3])

    def auction(self) -> list[int]:
        for p in range(self.players):
            if self.cash[p] < LEAST and self.owned(p):
                self.sell(p, self.choose(self.best(self.owned(p), self.refund, most=False)))
        poor = [p for p in range(self.players) if self.cash[p] < LEAST]
        waiting = [p for p in range(self.players) if p not in poor]
        order: list[int] = []
        while len(waiting) > 1:
            winner, price = self.outcry(waiting)
            if winner is None:
                break
            self.cash[winner] -= price
            waiting.remove(winner)
            order.append(winner)
        for group in (waiting, poor):
            self.rng.shuffle(group)
            for p in group:
                self.cash[p] -= min(LEAST, self.cash[p])
                order.append(p)
        return order

    def outcry(self, callers: list[int]) -> tuple[int | None, int]:
        leader, price = None, 0
        inside, asked = set(callers), list(callers)
        while asked:
            p = asked.pop(0)
            options = ["bid", "pass", "withdraw"] if self.cash[p] >= price + LEAST else ["pass", "withdraw"]
            answer = self.choose(options)
            if answer == "bid":
                highest = min(price + LEAP * LEAST, self.cash[p])
                leader, price = p, self.choose(range(price + LEAST, highest + 1, LEAST))
                around = [(p + step) % self.players for step in range(1, self.players)]
                asked = [q for q in around if q in inside]
            elif answer == "withdraw":
                inside.discard(p)
        return leader, price

    def turn(self, p: int) -> None:
        sold_now: set[int] = set()
        while True:
            buys = [
                c for c in self.companies if self.for_sale(c) and c not in sold_now and self.cash[p] >= self.price(c)
            ]
            c, number = self.choose([*((c, 1) for c in buys), *((c, -1) for c in self.owned(p)), (-1, 0)])
            if not number:
                break
            if number > 0:
                self.trade(p, c, 1, -self.price(c))
            else:
                self.sell(p, c)
                sold_now.add(c)

    def influence(self, p: int) -> None:
        hand = self.hands[p]
        while True:
            options: list[tuple[int, int]] = [(-1, -1)]
            for place, (company, _) in enumerate(hand):
                options += [(place, c) for c in self.companies] if company == ANY else [(place, company)]
            place, c = self.choose(options)
            if place < 0:
                return
            card = hand.pop(place)
            self.level[c] = min(max(self.level[c] + card[1], 0), LEVELS - 1)
            self.discards.append(card)

    def dividends(self) -> None:
        for p in range(self.players):
            self.cash[p] += sum(50 * self.level[c] * self.held[p][c] for c in self.companies)

    def draw_cards(self, order: list[int]) -> None:
        for p in order:
            for _ in range(sum(self.held[p][c] for c in self.companies if self.tile[c] == p)):
                if not self.pile:
                    self.pile, self.discards = self.discards, []
                    self.rng.shuffle(self.pile)
                if self.pile:
                    self.hands[p].append(self.pile.pop(0))

    def event(self, order: list[int]) -> None:
        kind = self.rng.randrange(4)
        unsold = [c for c in self.companies if self.for_sale(c)]
        offered = self.best(unsold, lambda c: SHARES - self.sold(c), most=True)
        hit = self.best(self.companies, self.sold, most=True)
        for p in order:
            if kind == 0 and self.owned(p):
                self.sell(p, self.choose(self.best(self.owned(p), self.refund, most=True)))
            elif kind == 1:
                cheap = self.best([c for c in self.companies if self.for_sale(c)], self.price, most=False)
                if cheap and self.cash[p] >= self.price(cheap[0]):
                    c = self.choose(cheap)
                    self.trade(p, c, 1, -self.price(c))
            elif kind == 2:
                buys = [c for c in offered if self.for_sale(c) and self.cash[p] >= self.price(c) // 2]
                c = self.choose([*buys, -1])
                if c >= 0:
                    self.trade(p, c, 1, -(self.price(c) // 2))
            elif kind == 3 and (mine := [c for c in hit if self.held[p][c]]):
                c = self.choose(mine)
                self.trade(p, c, -1, self.refund(c) // 2)

    def play(self) -> None:
        order: list[int] = []
        for _ in range(5):
            self.dice()
            order = self.auction()
            for p in order:
                self.turn(p)
                self.influence(p)
                self.pile += self.hands[p]
                self.hands[p] = []
            self.dividends()
            self.draw_cards(order)
            self.event(order)
        for p in order:
            self.influence(p)
        self.dividends()
        while any(self.owned(p) for p in order):
            for p in order:
                if self.owned(p):
                    self.sell(p, self.choose(self.owned(p)))


def random_game(players: int, seed: int) -> Result:
    rng = random.Random(seed)
    companies = sorted(rng.sample(range(COMPANIES), IN_PLAY.get(players, COMPANIES)))
    game = Game(
        players,
        rng,
        companies,
        [4000] * players,
        [[0] * COMPANIES for _ in range(players)],
        [4] * COMPANIES,
        [None] * COMPANIES,
    )
    game.pile = [(c, change) for c in (*companies, ANY) for change in (1, 1, -1, -1)]
    rng.shuffle(game.pile)
    game.hands = [[game.pile.pop(), game.pile.pop()] for _ in range(players)]
    game.play()
    return Result(tuple(game.cash), game.decisions)
