"""Buy Low, Sell High: a board game for 2 to 4 players about shares in three industries.

On their turn players first trade, then play a card. The cards played in a year move the prices and pay dividends at
its end; after the third year everything is sold, and the most cash wins.

The game is a state machine: `Game.phase` says which kind of choice comes next, `Game.legal_actions()` lists what the
player at `Game.seat` may do, and `Game.apply()` carries out one of these actions and moves on to the next choice.
Every action is an object that knows how it is carried out. Cards and actions never change, so all games share them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from statistics import fmean
from typing import NamedTuple, TypeAlias


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


class Phase(Enum):
    """What the player at the seat is doing."""

    TRADE = auto()
    CARDS = auto()
    CHANGE_HANDS = auto()
    SELL_OFF = auto()
    OVER = auto()


INDUSTRIES = OIL, TECH, RETAIL = tuple(Industry)
TREND, DIVIDEND, TAX, EVENT = Kind
TRADE, CARDS, CHANGE_HANDS, SELL_OFF, OVER = Phase

PRICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
LOWER = dict(zip(PRICES, PRICES[:1] + PRICES[:-1], strict=True))  # the two ends take any number of shares
HIGHER = dict(zip(PRICES, PRICES[1:] + PRICES[-1:], strict=True))
OPENING_PRICES = PRICES[PRICES.index(24) :: -1]  # of the shares on a chart, as far as there are any

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
    OIL: {-2: 3, -1: 1, 1: 1, 2: 3},
    TECH: {-3: 2, -2: 1, -1: 1, 1: 1, 2: 2, 3: 2},
    RETAIL: {-3: 1, -2: 2, -1: 1, 1: 1, 2: 3, 3: 1},
}
OTHER_COUNTS = {
    DIVIDEND: {OIL: 5, TECH: 3, RETAIL: 4},
    TAX: {OIL: 1, TECH: 1, RETAIL: 1},
    EVENT: {OIL: 1, TECH: 2, RETAIL: 1},
}


@dataclass(eq=False, slots=True)
class Card:
    """A card of the pile, with the actions that need nothing else; only trends have points."""

    kind: Kind
    industry: Industry
    points: int = 0
    play: Play = field(init=False, repr=False)
    put_aside: PutAside = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.play = Play(self)
        self.put_aside = PutAside(self)


@dataclass(eq=False, slots=True)
class Buy:
    """Buy the lowest share of an industry in the trading part of a turn."""

    industry: Industry

    def is_possible(self, game: Game) -> bool:
        return game.charts[self.industry].sells_for(game.player.cash)

    def carry_out(self, game: Game) -> None:
        chart, player = game.charts[self.industry], game.player
        player.cash -= chart.price
        player.shares[self.industry] += 1
        chart.remove_lowest()
        game.count_deal(self)


@dataclass(eq=False, slots=True)
class Sell:
    """Sell a share in the trading part of a turn."""

    industry: Industry

    def is_possible(self, game: Game) -> bool:
        return game.player.shares[self.industry] > 0

    def carry_out(self, game: Game) -> None:
        game.sell(self.industry)
        game.count_deal(self)


@dataclass(eq=False, slots=True)
class StopTrading:
    """Go on to the cards."""

    def carry_out(self, game: Game) -> None:
        game.phase = CARDS


@dataclass(eq=False, slots=True)
class Play:
    """Play a card that is not an event on the next space of the year; a tax is paid by all, even into debt."""

    card: Card

    def carry_out(self, game: Game) -> None:
        """Play the card; after a tax another one follows, unless the year is full."""
        game.player.hand.remove(self.card)
        game.counted.append(self.card)
        if self.card.kind is TAX:
            for player in game.players:
                player.cash -= TAX_PER_SHARE * player.shares[self.card.industry]
            if not game.year_is_full:
                return
        game.end_turn()


@dataclass(eq=False, slots=True)
class Cover:
    """Play an event over a card of its industry, which then no longer counts."""

    event: Card
    target: Card

    def carry_out(self, game: Game) -> None:
        game.player.hand.remove(self.event)
        game.events.append(self.event)
        game.counted.remove(self.target)
        game.covered.append(self.target)
        game.end_turn()


@dataclass(eq=False, slots=True)
class NoCard:
    """End the turn without a card, if none can be played."""

    def carry_out(self, game: Game) -> None:
        game.end_turn()


@dataclass(eq=False, slots=True)
class PutAside:
    """Discard a card between two years."""

    card: Card

    def carry_out(self, game: Game) -> None:
        game.player.hand.remove(self.card)
        game.aside.append(self.card)


@dataclass(eq=False, slots=True)
class EndChange:
    """Discard no more cards, and fill up the hand; after the last player the next year begins."""

    def carry_out(self, game: Game) -> None:
        game.fill_hand(game.player)
        game.next_seat()
        if game.seat == game.closing_seat:
            game.shuffle_in(game.aside)
            game.year += 1
            game.begin_turn()


@dataclass(eq=False, slots=True)
class SellOff:
    """Sell a share after the last year."""

    industry: Industry

    def carry_out(self, game: Game) -> None:
        game.sell(self.industry)
        game.next_seat()
        game.find_seller()


Deal: TypeAlias = Buy | Sell
Action: TypeAlias = Deal | StopTrading | Play | Cover | NoCard | PutAside | EndChange | SellOff

PURCHASES = [Buy(industry) for industry in INDUSTRIES]
SALES = [Sell(industry) for industry in INDUSTRIES]
SELL_OFFS = [SellOff(industry) for industry in INDUSTRIES]
STOP_TRADING, NO_CARD, END_CHANGE = StopTrading(), NoCard(), EndChange()

EQUAL_CARDS = [
    [Card(TREND, industry, points)] * count
    for industry, counts in TREND_COUNTS.items()
    for points, count in counts.items()
] + [[Card(kind, industry)] * count for kind, counts in OTHER_COUNTS.items() for industry, count in counts.items()]
DECK = [card for equal_cards in EQUAL_CARDS for card in equal_cards]


class Chart:
    """The shares of one industry that are for sale: their prices, highest first.

    Each share has a price of its own, except at the two ends of the ladder. `price` is the lowest, the next to be paid.
    """

    __slots__ = ("price", "prices")

    def __init__(self, prices: Iterable[int]) -> None:
        self.prices = list(prices)
        self.price = self.prices[-1]

    def sells_for(self, cash: int) -> bool:
        """Whether this much cash buys a share: the last one has to stay."""
        return cash >= self.price and len(self.prices) > 1

    def remove_lowest(self) -> None:
        self.prices.pop()
        self.price = self.prices[-1]

    def add_below(self) -> None:
        """Put a share on the next space below the lowest one."""
        self.price = LOWER[self.price]
        self.prices.append(self.price)

    def move(self, sway: int) -> None:
        """Move the chart up or (if the sway is negative) down, one share at a time."""
        for _ in range(sway):
            self.prices.insert(0, HIGHER[self.prices[0]])
            self.remove_lowest()
        for _ in range(-sway):
            self.add_below()
            del self.prices[0]

    def clone(self) -> Chart:
        return Chart(self.prices)


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

    `player` is the one at the seat. The row of played cards is kept in two lists, `counted` and `covered`: only the
    former matter at the end of a year. `closing_seat` is where the end of a year begins, and after it the next year.
    In a turn there may be `room` more deals: one in each of the `free` industries, or the first deal `again`.
    """

    def __init__(self, players: int, seed: int) -> None:
        if players not in SPACES:
            raise ValueError(f"the game is for {min(SPACES)} to {max(SPACES)} players, not {players}")
        self._rng = random.Random(seed)
        self.spaces = SPACES[players]
        self.players = [Player(STARTING_CASH, [STARTING_SHARES] * len(INDUSTRIES), []) for _ in range(players)]
        self.charts = [Chart(OPENING_PRICES[: SHARES_PER_INDUSTRY - players * STARTING_SHARES]) for _ in INDUSTRIES]
        self.pile = DECK.copy()
        self.counted: list[Card] = []
        self.covered: list[Card] = []
        self.events: list[Card] = []
        self.aside: list[Card] = []
        self._rng.shuffle(self.pile)
        for player in self.players:
            self.fill_hand(player)
        self.year, self.turns = 1, 0
        self.seat = self.closing_seat = self._rng.randrange(players)
        self.player = self.players[self.seat]
        self.begin_turn()

    def clone(self) -> Game:
        """An independent copy, which will draw the same cards and shuffle the same way."""
        twin = Game.__new__(Game)
        twin.year, twin.turns, twin.spaces = self.year, self.turns, self.spaces
        twin.phase, twin.seat, twin.closing_seat = self.phase, self.seat, self.closing_seat
        twin.room, twin.again = self.room, self.again
        twin._rng = random.Random(0)
        twin._rng.setstate(self._rng.getstate())
        twin.players = [player.clone() for player in self.players]
        twin.player = twin.players[twin.seat]
        twin.charts = [chart.clone() for chart in self.charts]
        twin.pile = self.pile.copy()
        twin.counted = self.counted.copy()
        twin.covered = self.covered.copy()
        twin.events = self.events.copy()
        twin.aside = self.aside.copy()
        twin.free = self.free.copy()
        return twin

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several cards."""
        return self.phase is CHANGE_HANDS

    def scores(self) -> list[int]:
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        best = max(self.scores())
        return [seat for seat, player in enumerate(self.players) if player.cash == best]

    # What may be done

    def legal_actions(self) -> list[Action]:
        """All that the player at the seat may do now; nothing only when the game is over."""
        if self.phase is TRADE:
            return self._trade_actions()
        if self.phase is CARDS:
            return self._card_actions()
        if self.phase is CHANGE_HANDS:
            return [*[card.put_aside for card in self.player.hand], END_CHANGE]
        if self.phase is SELL_OFF:
            return [action for action in SELL_OFFS if self.player.shares[action.industry]]
        return []

    def _trade_actions(self) -> list[Action]:
        player = self.player
        actions: list[Action] = []
        for industry in self.free:
            if self.charts[industry].sells_for(player.cash):
                actions.append(PURCHASES[industry])
            if player.shares[industry]:
                actions.append(SALES[industry])
        if self.again and self.again.is_possible(self):
            actions.append(self.again)
        if player.cash >= 0 or not actions:
            actions.append(STOP_TRADING)
        return actions

    def _card_actions(self) -> list[Action]:
        actions: list[Action] = []
        for card in self.player.hand:
            if card.kind is EVENT:
                for target in self.counted:
                    if target.industry is card.industry:
                        actions.append(Cover(card, target))
            else:
                actions.append(card.play)
        return actions or [NO_CARD]

    # Carrying it out

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions; that it is one is not checked again."""
        action.carry_out(self)

    def begin_turn(self) -> None:
        self.phase = TRADE
        self.room = OPENING_DEALS[self.turns] if self.turns < len(OPENING_DEALS) else MOST_DEALS
        self.free = list(INDUSTRIES)
        self.again: Deal | None = None

    def sell(self, industry: Industry) -> None:
        """Sell a share for the price that it then lies on."""
        chart = self.charts[industry]
        chart.add_below()
        self.player.shares[industry] -= 1
        self.player.cash += chart.price

    def count_deal(self, deal: Deal) -> None:
        """Keep to the limit of a turn: one deal in each industry, or two equal ones and nothing else."""
        may_be_doubled = self.room == MOST_DEALS
        self.again = deal if may_be_doubled else None
        self.room -= 1
        if self.room and deal.industry in self.free:
            self.free.remove(deal.industry)
        else:
            self.free.clear()

    def end_turn(self) -> None:
        self.fill_hand(self.player)
        self.next_seat()
        self.turns += 1
        if self.year_is_full:
            self._end_year()
        else:
            self.begin_turn()

    def _end_year(self) -> None:
        """Settle the year; then hands are changed, or after the last year everything is sold."""
        self._settle_cards()
        self.shuffle_in(self.counted, self.covered, self.events)
        self.closing_seat = self.seat
        if self.year == LAST_YEAR:
            self.phase = SELL_OFF
            self.find_seller()
        else:
            self.phase = CHANGE_HANDS

    def _settle_cards(self) -> None:
        """Move the prices by the trends and pay the dividends, as far as they are not covered."""
        sways, dividends = [0] * len(INDUSTRIES), [0] * len(INDUSTRIES)
        for card in self.counted:
            sways[card.industry] += card.points
            if card.kind is DIVIDEND:
                dividends[card.industry] += 1
        for industry in INDUSTRIES:
            self.charts[industry].move(sways[industry])
            payout = PAYOUTS[dividends[industry]]
            for player in self.players:
                player.cash += payout * player.shares[industry]

    def find_seller(self) -> None:
        """Go on, from the present seat, to the first player who has shares; if nobody has any, the game is over."""
        for _ in self.players:
            if any(self.player.shares):
                return
            self.next_seat()
        self.phase = OVER

    @property
    def year_is_full(self) -> bool:
        return len(self.counted) + len(self.covered) == self.spaces

    def next_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.players)
        self.player = self.players[self.seat]

    def fill_hand(self, player: Player) -> None:
        while self.pile and len(player.hand) < HAND_SIZE:
            player.hand.append(self.pile.pop())

    def shuffle_in(self, *sources: list[Card]) -> None:
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
        if action is END_CHANGE or (len(actions) > 1 and game.phase is not CHANGE_HANDS):
            decisions += 1
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
