"""For-Ex written by hand, to compare averages with: another model of the same rules, played at random.

Money is counted in half units. The rate of a pair is one number: 0, 1, 2 … the first currency is the stronger, on the
first, second, third space of the track; -1, -2, -3 … the second one is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")

CURRENCIES = range(7)  # GBP, EUR, USD, CHF, JPY, CAD, CNY
SPACES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16)  # in half units
START = {
    (0, 1): 1, (0, 2): 0, (0, 3): 1, (0, 4): 1, (0, 5): 2, (0, 6): 6,
    (1, 2): 0, (1, 3): 0, (1, 4): 1, (1, 5): 1, (1, 6): 5,
    (2, 3): 0, (2, 4): 1, (2, 5): 1, (2, 6): 5,
    (3, 4): 1, (3, 5): 1, (3, 6): 5,
    (4, 5): 1, (4, 6): 4, (5, 6): 3,
}  # fmt: skip
PAYS = (0, 4, 4, 4, 6)
PROPOSALS, SUGGESTIONS = 2, 1


class Result(NamedTuple):
    scores: tuple[int, ...]  # in half units
    decisions: int  # with at least two answers
    bankrupt: bool


class Contract:
    def __init__(self, holder: int, pay: int, owed: int, get: int, promised: int) -> None:
        self.holder = holder
        self.debts = {pay: owed}
        self.get, self.promised = get, promised
        self.loan = False


class Table:
    def __init__(self, players: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.players = players
        self.decisions = 0
        self.pairs = dict(START)
        self.purse = [[4] * 7 for _ in range(players)]
        self.held = [[0] * 7 for _ in range(players)]
        self.supply = [8] * 7
        for card in self.rng.sample(range(56), 6):
            self.supply[card // 8] -= 1
        self.queue: list[Contract | None] = [None]  # None: the pile of dividends
        self.paid = 0
        self.broke = -1
        self.active = 0

    def choose(self, answers: Sequence[T]) -> T:
        self.decisions += len(answers) > 1
        return answers[self.rng.randrange(len(answers))]

    # ---- rates

    def strengthen(self, c: int, steps: int = 1) -> None:
        for a, b in self.pairs:
            if c in (a, b):
                self.pairs[a, b] = min(9, max(-10, self.pairs[a, b] + (steps if c == a else -steps)))

    def is_stronger(self, c: int, d: int) -> bool:
        return self.pairs[c, d] >= 0 if c < d else self.pairs[d, c] < 0

    def rate(self, c: int, d: int) -> int:
        """Of the weaker for one of the stronger, in half units."""
        space = self.pairs[min(c, d), max(c, d)]
        return SPACES[space if space >= 0 else -space - 1]

    def lot(self, c: int, d: int) -> int:
        return 2 if self.is_stronger(c, d) else self.rate(c, d)

    # ---- a turn

    def others(self, p: int) -> list[int]:
        return [(p + i) % self.players for i in range(1, self.players)]

    def trades(self, p: int, partners: list[int]) -> list[tuple[int, int, int]]:
        return [
            (q, give, get)
            for q in partners
            for give in CURRENCIES
            for get in CURRENCIES
            if give != get and self.purse[p][give] >= self.lot(give, get) and self.purse[q][get] >= self.lot(get, give)
        ]

    def traded(self, p: int, partners: list[int]) -> bool | None:
        """Whether a proposal was accepted; None: there was nothing to propose."""
        possible = self.trades(p, partners)
        if not possible:
            return None
        q, give, get = self.choose(possible)
        if self.choose((True, False)):
            there, back = self.lot(give, get), self.lot(get, give)
            self.purse[p][give] -= there
            self.purse[q][give] += there
            self.purse[q][get] -= back
            self.purse[p][get] += back
            return True
        return False

    def turn(self, p: int) -> None:
        self.active, tries = p, PROPOSALS
        for q in self.others(p):
            for _ in range(SUGGESTIONS):
                if not tries or not self.choose((True, False)):
                    break
                accepted = self.traded(q, [p])
                if accepted is None:
                    break
                if accepted:
                    tries = 0
        while True:
            free = 6 - sum(item is not None for item in self.queue)
            actions = ["resolve"]
            actions += ["propose"] if tries else []
            actions += ["contract"] if free else []
            actions += ["invest"] if self.investments(p) else []
            actions += ["divest"] if any(self.held[p]) else []
            action = self.choose(actions)
            if action != "propose":
                getattr(self, action)(p)
                return
            tries = 0 if self.traded(p, [q for q in range(self.players) if q != p]) else tries - 1

    def contract(self, p: int) -> None:
        pay, get = self.choose([(c, d) for c in CURRENCIES for d in CURRENCIES if c != d])
        units = self.choose(range(1, 11))
        self.queue.append(Contract(p, pay, units * self.lot(pay, get), get, units * self.lot(get, pay)))

    def investments(self, p: int) -> list[int]:
        return [c for c in CURRENCIES if self.purse[p][c] >= 4 and self.held[p][c] < 4 and self.supply[c]]

    def invest(self, p: int) -> None:
        first = self.choose(self.investments(p))
        self.buy(p, first)
        second = self.choose([*(c for c in self.investments(p) if c != first), -1])
        if second >= 0:
            self.buy(p, second)

    def buy(self, p: int, c: int) -> None:
        self.purse[p][c] -= 4
        self.supply[c] -= 1
        self.held[p][c] += 1
        self.strengthen(c)

    def divest(self, p: int) -> None:
        c, number = self.choose([(c, n) for c in CURRENCIES for n in range(1, self.held[p][c] + 1)])
        self.sell(p, c, number)
        for q in self.others(p):
            if self.held[q][c]:
                self.sell(q, c, self.choose(range(self.held[q][c] + 1)))

    def sell(self, p: int, c: int, number: int) -> None:
        self.held[p][c] -= number
        self.purse[p][c] += 4 * number
        for _ in range(number):
            self.strengthen(c, -1)

    # ---- the queue

    def resolve(self, p: int) -> None:
        item = self.queue.pop(0)
        if item is not None:
            self.settle(item)
            return
        for c in CURRENCIES:
            if not any(d != c and self.is_stronger(d, c) and self.rate(d, c) == 16 for d in CURRENCIES):
                for q in range(self.players):
                    self.purse[q][c] += PAYS[self.paid] * self.held[q][c]
        self.paid += 1
        if self.paid < 5:
            self.queue.append(None)
        totals = [sum(held[c] for held in self.held) for c in CURRENCIES]
        self.strengthen(self.choose([c for c in CURRENCIES if totals[c] == max(totals)]))

    def settle(self, item: Contract) -> None:
        purse = self.purse[item.holder]
        if all(purse[c] >= amount for c, amount in item.debts.items()):
            for c, amount in item.debts.items():
                purse[c] -= amount
            purse[item.get] += item.promised
        elif item.loan:
            self.broke = item.holder
        else:
            purse[item.get] += item.promised
            item.promised = 0
            for c in item.debts:
                item.debts[c] += 2
            older = [k for k in self.queue if k is not None and k.loan and k.holder == item.holder]
            if older:
                for c, amount in item.debts.items():
                    older[0].debts[c] = older[0].debts.get(c, 0) + amount
            else:
                item.loan = True
                self.queue.append(item)

    # ---- the end

    def strongest(self) -> int:
        def standing(c: int) -> tuple[int, int]:
            wins = sum(self.is_stronger(c, d) for d in CURRENCIES if d != c)
            return wins, sum(held[c] for held in self.held)

        best = max(standing(c) for c in CURRENCIES)
        return self.choose([c for c in CURRENCIES if standing(c) == best])

    def score(self, p: int, best: int) -> int:
        total = self.purse[p][best]
        for c in CURRENCIES:
            if c != best:
                amount, rate = self.purse[p][c], self.rate(c, best)
                total += 2 * (amount * rate // 4 if self.is_stronger(c, best) else amount // rate)
        return total


def random_game(players: int, seed: int) -> Result:
    table = Table(players, seed)
    p = table.rng.randrange(players)
    while table.paid < 5 and table.broke < 0:
        table.turn(p)
        p = (p + 1) % players
    while table.queue and table.broke < 0:
        item = table.queue.pop(0)
        assert item is not None
        table.settle(item)
    best = table.strongest()
    return Result(tuple(table.score(q, best) for q in range(players)), table.decisions, table.broke >= 0)
