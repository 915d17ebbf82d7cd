"""The board game "Buy Low, Sell High" for 2 to 4 players, for use in simulations.

Three industries have their shares on price charts. In each turn a player trades shares and then plays a card; at the
end of each of three years the cards played move the prices and pay dividends. After the third year all shares are
sold, and the highest cash wins.

A `Game` is driven from outside: `legal_actions()` lists what the player `seat` may do now, `apply()` does one of it.
Cards and actions are immutable values. Equal cards are interchangeable but each is listed as an action of its own,
so that an even draw from the actions is an even draw from the cards.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from statistics import mean
from typing import NamedTuple, TypeAlias

PRICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
OPENING_PRICE = 24
SHARES_PER_INDUSTRY = 12
STARTING_CASH = 50
HAND_SIZE = 5
YEARS = 3
MAX_DEALS = 3
TAX_PER_SHARE = 2
SAMPLE_GAMES = 200
PAYOUT = (0, 1, 2, 4, 8, 12)
"""What a share earns, by the number of dividends of its industry."""
SPACES = {2: 7, 3: 10, 4: 13}
"""How many cards make a year, by the number of players."""


class Industry(IntEnum):
    """An industry; its value is its index in lists of charts and of shares."""

    OIL = 0
    TECH = 1
    RETAIL = 2


class Kind(Enum):
    """What a card does."""

    TREND = auto()
    DIVIDEND = auto()
    TAX = auto()
    EVENT = auto()


@dataclass(frozen=True, slots=True)
class Card:
    """A card; only trends have points."""

    kind: Kind
    industry: Industry
    points: int = 0


TREND_COUNTS = {
    Industry.OIL: {-2: 3, -1: 1, 1: 1, 2: 3},
    Industry.TECH: {-3: 2, -2: 1, -1: 1, 1: 1, 2: 2, 3: 2},
    Industry.RETAIL: {-3: 1, -2: 2, -1: 1, 1: 1, 2: 3, 3: 1},
}
OTHER_COUNTS = {
    Kind.DIVIDEND: {Industry.OIL: 5, Industry.TECH: 3, Industry.RETAIL: 4},
    Kind.TAX: {Industry.OIL: 1, Industry.TECH: 1, Industry.RETAIL: 1},
    Kind.EVENT: {Industry.OIL: 1, Industry.TECH: 2, Industry.RETAIL: 1},
}


def build_deck() -> list[Card]:
    """All 45 cards, unshuffled."""
    deck: list[Card] = []
    for industry, by_points in TREND_COUNTS.items():
        for points, count in by_points.items():
            deck += [Card(Kind.TREND, industry, points)] * count
    for kind, by_industry in OTHER_COUNTS.items():
        for industry, count in by_industry.items():
            deck += [Card(kind, industry)] * count
    return deck


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy the cheapest share of an industry."""

    industry: Industry


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a share of an industry, while trading or when all is sold at the end."""

    industry: Industry


@dataclass(frozen=True, slots=True)
class StopTrading:
    """Go on to playing a card."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card that is not an event."""

    card: Card


@dataclass(frozen=True, slots=True)
class CoverCard:
    """Play an event onto a card of its industry, which then no longer counts."""

    event: Card
    target: Card


@dataclass(frozen=True, slots=True)
class NoCard:
    """End the turn because no card of the hand can be played."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card aside between two years."""

    card: Card


@dataclass(frozen=True, slots=True)
class EndDiscard:
    """Keep the rest of the hand and fill it up."""


Action: TypeAlias = Buy | Sell | StopTrading | PlayCard | CoverCard | NoCard | Discard | EndDiscard


class Chart:
    """The shares of one industry that lie on its price ladder, from the lowest price up; never empty."""

    def __init__(self, shares: int) -> None:
        self._steps = deque([PRICES.index(OPENING_PRICE)])  # indices into PRICES
        for _ in range(shares - 1):
            self.add()

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def price(self) -> int:
        """The lowest price, at which the next share is bought."""
        return PRICES[self._steps[0]]

    def add(self) -> None:
        """Put a share below the lowest."""
        self._steps.appendleft(self._step_below())

    def take(self) -> None:
        """Take the lowest share away."""
        self._steps.popleft()

    def move(self, sway: int) -> None:
        """Move share by share: up, the lowest goes above the highest; down, the highest goes below the lowest."""
        for _ in range(sway):
            step_above = min(self._steps[-1] + 1, len(PRICES) - 1)
            self._steps.popleft()
            self._steps.append(step_above)
        for _ in range(-sway):
            step_below = self._step_below()
            self._steps.pop()
            self._steps.appendleft(step_below)

    def clone(self) -> Chart:
        twin = copy.copy(self)
        twin._steps = self._steps.copy()
        return twin

    def _step_below(self) -> int:
        return max(self._steps[0] - 1, 0)


class Way(Enum):
    """The direction of a deal."""

    BUY = auto()
    SELL = auto()


@dataclass(slots=True)
class TurnDeals:
    """Which deals the player may still make this turn.

    There is at most one deal in each industry, or instead, unless the limit is below `MAX_DEALS`, two of the same way
    in one industry and nothing else.
    """

    limit: int
    way_by_industry: dict[Industry, Way] = field(default_factory=dict)
    doubled: bool = False

    def allow(self, industry: Industry, way: Way) -> bool:
        if self.doubled:
            return False
        if industry in self.way_by_industry:
            only_deal = len(self.way_by_industry) == 1
            return self.limit == MAX_DEALS and only_deal and self.way_by_industry[industry] is way
        return len(self.way_by_industry) < self.limit

    def record(self, industry: Industry, way: Way) -> None:
        self.doubled = industry in self.way_by_industry
        self.way_by_industry[industry] = way

    def clone(self) -> TurnDeals:
        return TurnDeals(self.limit, self.way_by_industry.copy(), self.doubled)


@dataclass(slots=True)
class Player:
    """What a player has; `shares` counts them by industry."""

    cash: int = STARTING_CASH
    shares: list[int] = field(default_factory=lambda: [1] * len(Industry))
    hand: list[Card] = field(default_factory=list)

    def fill_hand(self, pile: list[Card]) -> None:
        while len(self.hand) < HAND_SIZE and pile:
            self.hand.append(pile.pop())

    def clone(self) -> Player:
        return Player(self.cash, self.shares.copy(), self.hand.copy())


class Phase(Enum):
    """What the player whose turn it is has to choose."""

    TRADE = auto()
    PLAY_CARD = auto()
    CHANGE_HAND = auto()
    SELL_OFF = auto()
    OVER = auto()


class Game:
    """A game in progress; `seat` is the number of the player who chooses now."""

    def __init__(self, players: int, seed: int) -> None:
        if players not in SPACES:
            raise ValueError(f"the game is for {min(SPACES)} to {max(SPACES)} players, not {players}")
        self._rng = random.Random(seed)
        self.players = [Player() for _ in range(players)]
        self.charts = [Chart(SHARES_PER_INDUSTRY - players) for _ in Industry]
        self.pile = build_deck()
        self._rng.shuffle(self.pile)
        for player in self.players:
            player.fill_hand(self.pile)
        self.counted: list[Card] = []  # the cards on the spaces of the year that no event covers
        self.covered: list[Card] = []  # the other cards on the spaces of the year
        self.events: list[Card] = []
        self.aside: list[Card] = []
        self.year = 1
        self.turns = 0
        self.seat = self._rng.randrange(players)
        self._first_to_change = self.seat
        self._begin_turn()

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several cards."""
        return self.phase is Phase.CHANGE_HAND

    def scores(self) -> list[int]:
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        best = max(self.scores())
        return [seat for seat, score in enumerate(self.scores()) if score == best]

    def clone(self) -> Game:
        """An independent copy that will draw and shuffle as this game would."""
        twin = copy.copy(self)
        twin._rng = copy.copy(self._rng)
        twin._deals = self._deals.clone()
        twin.players = [player.clone() for player in self.players]
        twin.charts = [chart.clone() for chart in self.charts]
        twin.pile = self.pile.copy()
        twin.counted = self.counted.copy()
        twin.covered = self.covered.copy()
        twin.events = self.events.copy()
        twin.aside = self.aside.copy()
        return twin

    def legal_actions(self) -> list[Action]:
        """All that the player `seat` may do now; empty only when the game is over."""
        match self.phase:
            case Phase.TRADE:
                return list(self._trade_actions())
            case Phase.PLAY_CARD:
                return list(self._card_actions()) or [NoCard()]
            case Phase.CHANGE_HAND:
                return [*map(Discard, self._player.hand), EndDiscard()]
            case Phase.SELL_OFF:
                return [Sell(industry) for industry in Industry if self._player.shares[industry]]
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out an action, which must be one of `legal_actions()`."""
        match action:
            case Buy(industry):
                self._buy(industry)
            case Sell(industry):
                self._sell(industry)
            case StopTrading():
                self.phase = Phase.PLAY_CARD
            case PlayCard(card):
                self._play(card)
            case CoverCard(event, target):
                self._cover(event, target)
            case NoCard():
                self._end_turn()
            case Discard(card):
                self._player.hand.remove(card)
                self.aside.append(card)
            case EndDiscard():
                self._end_change_of_hand()

    @property
    def _player(self) -> Player:
        return self.players[self.seat]

    @property
    def _next_seat(self) -> int:
        return (self.seat + 1) % len(self.players)

    @property
    def _year_is_full(self) -> bool:
        return len(self.counted) + len(self.covered) == SPACES[len(self.players)]

    def _begin_turn(self) -> None:
        """Let the player trade; in the first two turns of the game fewer deals are allowed."""
        self._deals = TurnDeals(limit=min(self.turns + 1, MAX_DEALS))
        self.phase = Phase.TRADE

    def _end_turn(self) -> None:
        self._player.fill_hand(self.pile)
        self.turns += 1
        self.seat = self._next_seat
        if self._year_is_full:
            self._end_year()
        else:
            self._begin_turn()

    def _trade_actions(self) -> Iterator[Action]:
        """Deals and the end of trading, which a player in debt may choose only when nothing can be sold."""
        player = self._player
        can_sell = False
        for industry in Industry:
            chart = self.charts[industry]
            if len(chart) > 1 and chart.price <= player.cash and self._deals.allow(industry, Way.BUY):
                yield Buy(industry)
            if player.shares[industry] and self._deals.allow(industry, Way.SELL):
                can_sell = True
                yield Sell(industry)
        if player.cash >= 0 or not can_sell:
            yield StopTrading()

    def _buy(self, industry: Industry) -> None:
        chart = self.charts[industry]
        self._player.cash -= chart.price
        self._player.shares[industry] += 1
        chart.take()
        self._deals.record(industry, Way.BUY)

    def _sell(self, industry: Industry) -> None:
        """Sell a share at the price below the lowest."""
        chart = self.charts[industry]
        chart.add()
        self._player.cash += chart.price
        self._player.shares[industry] -= 1
        if self.phase is Phase.SELL_OFF:
            self._pass_sell_off_to(self._next_seat)
        else:
            self._deals.record(industry, Way.SELL)

    def _card_actions(self) -> Iterator[Action]:
        for card in self._player.hand:
            if card.kind is not Kind.EVENT:
                yield PlayCard(card)
                continue
            for target in self.counted:
                if target.industry is card.industry:
                    yield CoverCard(card, target)

    def _play(self, card: Card) -> None:
        """Play a card; after a tax the player plays another one, unless the year is full."""
        self._player.hand.remove(card)
        self.counted.append(card)
        if card.kind is Kind.TAX:
            for player in self.players:
                player.cash -= TAX_PER_SHARE * player.shares[card.industry]
            if not self._year_is_full:
                return
        self._end_turn()

    def _cover(self, event: Card, target: Card) -> None:
        self._player.hand.remove(event)
        self.events.append(event)
        self.counted.remove(target)
        self.covered.append(target)
        self._end_turn()

    def _end_year(self) -> None:
        for industry in Industry:
            self._settle(industry)
        self._return_to_pile(self.counted, self.covered, self.events)
        if self.year == YEARS:
            self.phase = Phase.SELL_OFF
            self._pass_sell_off_to(self.seat)
        else:
            self.phase = Phase.CHANGE_HAND
            self._first_to_change = self.seat

    def _settle(self, industry: Industry) -> None:
        """Move the prices of an industry and pay its dividends."""
        cards = [card for card in self.counted if card.industry is industry]
        self.charts[industry].move(sum(card.points for card in cards))
        payout = PAYOUT[sum(card.kind is Kind.DIVIDEND for card in cards)]
        for player in self.players:
            player.cash += payout * player.shares[industry]

    def _return_to_pile(self, *heaps: list[Card]) -> None:
        """Empty the heaps into the pile and shuffle it."""
        for heap in heaps:
            self.pile += heap
            heap.clear()
        self._rng.shuffle(self.pile)

    def _end_change_of_hand(self) -> None:
        """Fill up the hand; when all have changed theirs, the next year begins."""
        self._player.fill_hand(self.pile)
        self.seat = self._next_seat
        if self.seat == self._first_to_change:
            self._return_to_pile(self.aside)
            self.year += 1
            self._begin_turn()

    def _pass_sell_off_to(self, first: int) -> None:
        """Let the first player from this seat on who has shares sell one; if nobody has, the game is over."""
        count = len(self.players)
        for seat in range(first, first + count):
            if any(self.players[seat % count].shares):
                self.seat = seat % count
                return
        self.phase = Phase.OVER


class Result(NamedTuple):
    """The outcome of a game and how many decisions were made in it."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    Each change of a hand counts as one decision, and so does every other choice of more than one action.
    """
    game = Game(players, seed)
    rng = random.Random(f"actions {seed}")  # not the sequence that the game itself draws from
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        if game.card_by_card:
            decisions += isinstance(action, EndDiscard)
        else:
            decisions += len(actions) > 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main() -> None:
    """Print the means of some random games for each number of players."""
    for players in SPACES:
        results = [random_game(players, seed) for seed in range(SAMPLE_GAMES)]
        score = mean(score for result in results for score in result.scores)
        decisions = mean(result.decisions for result in results)
        print(f"{players} players: mean score {score:.2f}, mean decisions {decisions:.2f}")


if __name__ == "__main__":
    main()
