"""Buy Low, Sell High: a board game for 2 to 4 players about shares in three industries.

On their turn players first trade, then play a card. The cards played in a year move the prices and pay dividends at
its end; after the third year everything is sold, and the most cash wins.

The game is a state machine: `Game.phase` says which kind of choice comes next, `Game.legal_actions()` lists what the
player at `Game.seat` may do, and `Game.apply()` carries out one of these actions and moves on to the next choice.
Equal cards are interchangeable, so cards and actions are plain values that are compared by what they say.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from statistics import fmean
from typing import NamedTuple, TypeAlias, assert_never


class Industry(IntEnum):
    """The industries; their numbers are the indices of charts and of a player's shares."""

    OIL = 0
    TECH = 1
    RETAIL = 2


class Kind(Enum):
    """The kinds of cards."""

    TREND = auto()
    DIVIDEND = auto()
    TAX = auto()
    EVENT = auto()


class Way(Enum):
    """The two directions of a deal."""

    BUY = auto()
    SELL = auto()


class Phase(Enum):
    """What the player at the seat is doing."""

    TRADE = auto()
    CARDS = auto()
    CHANGE_HANDS = auto()
    SELL_OFF = auto()
    OVER = auto()


PRICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
TOP_STEP = len(PRICES) - 1
OPENING_STEP = PRICES.index(24)

SHARES_PER_INDUSTRY = 12
STARTING_SHARES = 1
STARTING_CASH = 50
HAND_SIZE = 5
TAX_PER_SHARE = 2
LAST_YEAR = 3
MOST_DEALS = 3
OPENING_DEALS = (1, 2)  # most deals in the first turns of all; in these, two in one industry are not allowed either
SPACES = {2: 7, 3: 10, 4: 13}  # cards that fill a year, by number of players
PAYOUTS = (0, 1, 2, 4, 8, 12)  # dollars for each share, by number of dividend cards of its industry

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


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the pile; only trends have points."""

    kind: Kind
    industry: Industry
    points: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """Buy or sell a share in the trading part of a turn."""

    way: Way
    industry: Industry


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card that is not an event on the next space of the year."""

    card: Card


@dataclass(frozen=True, slots=True)
class Cover:
    """Play an event over a card of its industry, which then no longer counts."""

    event: Card
    target: Card


@dataclass(frozen=True, slots=True)
class PutAside:
    """Discard a card between two years."""

    card: Card


@dataclass(frozen=True, slots=True)
class SellOff:
    """Sell a share after the last year."""

    industry: Industry


class Signal(Enum):
    """Actions that need no details."""

    STOP_TRADING = auto()
    NO_CARD = auto()
    END_CHANGE = auto()


Action: TypeAlias = Deal | Play | Cover | PutAside | SellOff | Signal
DEALS = tuple(Deal(way, industry) for way in Way for industry in Industry)


def new_pile() -> list[Card]:
    """All cards of the game, not shuffled."""
    trends = [
        Card(Kind.TREND, industry, points)
        for industry, counts in TREND_COUNTS.items()
        for points, count in counts.items()
        for _ in range(count)
    ]
    others = [
        Card(kind, industry)
        for kind, counts in OTHER_COUNTS.items()
        for industry, count in counts.items()
        for _ in range(count)
    ]
    return trends + others


class Chart:
    """The shares of one industry that are for sale, as steps on the ladder of PRICES, lowest first.

    Each share lies on a step of its own, except at the two ends of the ladder.
    """

    def __init__(self, steps: Iterable[int]) -> None:
        self._steps = deque(steps)

    @classmethod
    def opening(cls, shares: int) -> Chart:
        return cls(range(OPENING_STEP - shares + 1, OPENING_STEP + 1))

    @property
    def price(self) -> int:
        """The price of the lowest share: the next to be bought."""
        return PRICES[self._steps[0]]

    @property
    def may_shrink(self) -> bool:
        """Whether a share may be bought: the last one has to stay."""
        return len(self._steps) > 1

    def remove_lowest(self) -> None:
        self._steps.popleft()

    def add_below(self) -> None:
        """Put a share on the step below the lowest one."""
        self._steps.appendleft(max(self._steps[0] - 1, 0))

    def move(self, sway: int) -> None:
        """Move the chart up or (if the sway is negative) down, one share at a time."""
        for _ in range(sway):
            self._steps.append(min(self._steps[-1] + 1, TOP_STEP))
            self._steps.popleft()
        for _ in range(-sway):
            self.add_below()
            self._steps.pop()

    def clone(self) -> Chart:
        return Chart(self._steps)


@dataclass(slots=True)
class Player:
    """What one player has; `shares` are counted by industry."""

    cash: int
    shares: list[int]
    hand: list[Card]

    def clone(self) -> Player:
        return Player(self.cash, self.shares.copy(), self.hand.copy())


class Game:
    """The state of one game.

    The row of played cards is kept in two lists, `counted` and `covered`: only the former matter at the end of a
    year. `closing_seat` is where the end of a year begins, and after it the next year. `deals` are those of this turn.
    """

    def __init__(self, players: int, seed: int) -> None:
        if players not in SPACES:
            raise ValueError(f"the game is for {min(SPACES)} to {max(SPACES)} players, not {players}")
        self._rng = random.Random(seed)
        self.spaces = SPACES[players]
        self.players = [Player(STARTING_CASH, [STARTING_SHARES] * len(Industry), []) for _ in range(players)]
        self.charts = [Chart.opening(SHARES_PER_INDUSTRY - STARTING_SHARES * players) for _ in Industry]
        self.pile = new_pile()
        self.counted: list[Card] = []
        self.covered: list[Card] = []
        self.events: list[Card] = []
        self.aside: list[Card] = []
        self._rng.shuffle(self.pile)
        for player in self.players:
            self._fill_hand(player)

        self.year = 1
        self.turns = 0
        self.deals: list[Deal] = []
        self.phase = Phase.TRADE
        self.seat = self._rng.randrange(players)
        self.closing_seat = self.seat

    def clone(self) -> Game:
        """An independent copy, which will draw the same cards and shuffle the same way."""
        twin = copy.copy(self)
        twin._rng = copy.copy(self._rng)
        twin.players = [player.clone() for player in self.players]
        twin.charts = [chart.clone() for chart in self.charts]
        twin.pile = self.pile.copy()
        twin.counted = self.counted.copy()
        twin.covered = self.covered.copy()
        twin.events = self.events.copy()
        twin.aside = self.aside.copy()
        twin.deals = self.deals.copy()
        return twin

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several cards."""
        return self.phase is Phase.CHANGE_HANDS

    def scores(self) -> list[int]:
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # What may be done

    def legal_actions(self) -> list[Action]:
        """All that the player at the seat may do now; nothing only when the game is over."""
        match self.phase:
            case Phase.TRADE:
                return self._trade_actions()
            case Phase.CARDS:
                return self._card_actions()
            case Phase.CHANGE_HANDS:
                return [*map(PutAside, self._player.hand), Signal.END_CHANGE]
            case Phase.SELL_OFF:
                return [SellOff(industry) for industry in Industry if self._player.shares[industry]]
            case Phase.OVER:
                return []
            case _:
                assert_never(self.phase)

    def _trade_actions(self) -> list[Action]:
        actions: list[Action] = [deal for deal in DEALS if self._within_limit(deal) and self._is_possible(deal)]
        if self._player.cash >= 0 or not actions:
            actions.append(Signal.STOP_TRADING)
        return actions

    def _within_limit(self, deal: Deal) -> bool:
        """Whether the deals of this turn leave room: one in each industry, or two equal ones and nothing else."""
        opening = self.turns < len(OPENING_DEALS)
        if self.deals == [deal]:
            return not opening
        if len(self.deals) >= (OPENING_DEALS[self.turns] if opening else MOST_DEALS):
            return False
        doubled = len(self.deals) == 2 and self.deals[0] == self.deals[1]
        return not doubled and all(made.industry is not deal.industry for made in self.deals)

    def _is_possible(self, deal: Deal) -> bool:
        """Whether the player and the chart have what the deal needs."""
        if deal.way is Way.SELL:
            return self._player.shares[deal.industry] > 0
        chart = self.charts[deal.industry]
        return chart.may_shrink and self._player.cash >= chart.price

    def _card_actions(self) -> list[Action]:
        actions: list[Action] = []
        for card in self._player.hand:
            if card.kind is Kind.EVENT:
                actions.extend(Cover(card, target) for target in self.counted if target.industry is card.industry)
            else:
                actions.append(Play(card))
        return actions or [Signal.NO_CARD]

    # Carrying it out

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions; that it is one is not checked again."""
        match action:
            case Deal():
                self._deal(action)
            case Signal.STOP_TRADING:
                self.phase = Phase.CARDS
            case Play(card):
                self._play(card)
            case Cover(event, target):
                self._cover(event, target)
            case Signal.NO_CARD:
                self._end_turn()
            case PutAside(card):
                self._player.hand.remove(card)
                self.aside.append(card)
            case Signal.END_CHANGE:
                self._end_change()
            case SellOff(industry):
                self._sell(industry)
                self._next_seat()
                self._find_seller()
            case _:
                assert_never(action)

    def _deal(self, deal: Deal) -> None:
        if deal.way is Way.BUY:
            self._buy(deal.industry)
        else:
            self._sell(deal.industry)
        self.deals.append(deal)

    def _buy(self, industry: Industry) -> None:
        chart = self.charts[industry]
        self._player.cash -= chart.price
        self._player.shares[industry] += 1
        chart.remove_lowest()

    def _sell(self, industry: Industry) -> None:
        """Sell a share for the price that it then lies on."""
        chart = self.charts[industry]
        chart.add_below()
        self._player.shares[industry] -= 1
        self._player.cash += chart.price

    def _play(self, card: Card) -> None:
        """Play a card that takes a space; after a tax another card follows, unless the year is full."""
        self._player.hand.remove(card)
        self.counted.append(card)
        if card.kind is Kind.TAX:
            self._levy_tax(card.industry)
            if not self._year_is_full:
                return
        self._end_turn()

    def _levy_tax(self, industry: Industry) -> None:
        """All players pay, even if that leaves them in debt."""
        for player in self.players:
            player.cash -= TAX_PER_SHARE * player.shares[industry]

    def _cover(self, event: Card, target: Card) -> None:
        self._player.hand.remove(event)
        self.events.append(event)
        self.counted.remove(target)
        self.covered.append(target)
        self._end_turn()

    def _end_turn(self) -> None:
        self._fill_hand(self._player)
        self._next_seat()
        self.turns += 1
        self.deals.clear()
        if self._year_is_full:
            self._end_year()
        else:
            self.phase = Phase.TRADE

    # Between the years

    def _end_year(self) -> None:
        """Settle the year; then hands are changed, or after the last year everything is sold."""
        self._settle_cards()
        self._shuffle_in(self.counted, self.covered, self.events)
        self.closing_seat = self.seat
        if self.year == LAST_YEAR:
            self.phase = Phase.SELL_OFF
            self._find_seller()
        else:
            self.phase = Phase.CHANGE_HANDS

    def _settle_cards(self) -> None:
        """Move the prices by the trends and pay the dividends, as far as they are not covered."""
        sways = [0] * len(Industry)
        dividends = [0] * len(Industry)
        for card in self.counted:
            sways[card.industry] += card.points
            if card.kind is Kind.DIVIDEND:
                dividends[card.industry] += 1
        for industry in Industry:
            self.charts[industry].move(sways[industry])
            for player in self.players:
                player.cash += PAYOUTS[dividends[industry]] * player.shares[industry]

    def _end_change(self) -> None:
        """Fill up the player's hand; after the last player the next year begins."""
        self._fill_hand(self._player)
        self._next_seat()
        if self.seat == self.closing_seat:
            self._shuffle_in(self.aside)
            self.year += 1
            self.phase = Phase.TRADE

    def _find_seller(self) -> None:
        """Go on, from the present seat, to the first player who has shares; if nobody has any, the game is over."""
        for _ in self.players:
            if any(self._player.shares):
                return
            self._next_seat()
        self.phase = Phase.OVER

    # Helpers

    @property
    def _player(self) -> Player:
        return self.players[self.seat]

    @property
    def _year_is_full(self) -> bool:
        return len(self.counted) + len(self.covered) == self.spaces

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.players)

    def _fill_hand(self, player: Player) -> None:
        while self.pile and len(player.hand) < HAND_SIZE:
            player.hand.append(self.pile.pop())

    def _shuffle_in(self, *sources: list[Card]) -> None:
        """Move all cards of the sources to the pile, and shuffle it."""
        for cards in sources:
            self.pile.extend(cards)
            cards.clear()
        self._rng.shuffle(self.pile)


class Result(NamedTuple):
    """The end of a game; a change of a hand is one decision, other choices are if there was more than one action."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones."""
    game = Game(players, seed)
    rng = random.Random(f"actions {seed}")  # not the numbers that the game itself draws
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        decisions += action is Signal.END_CHANGE if game.card_by_card else len(actions) > 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 200) -> None:
    """Print mean scores and mean decisions of random games."""
    for players in SPACES:
        results = [random_game(players, seed) for seed in range(games)]
        score = fmean(fmean(result.scores) for result in results)
        decisions = fmean(result.decisions for result in results)
        print(f"{players} players: mean score {score:.1f}, mean decisions {decisions:.1f} ({games} random games)")


if __name__ == "__main__":
    main()
