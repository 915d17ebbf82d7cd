"""The board game "Buy Low, Sell High" for two to four players.

Three industries have their shares on price charts. In a turn a player first trades, then plays a card; the cards
played move the prices and pay dividends at the end of each of three years. In the end all shares are sold, and cash
is the score.

Cards and actions are plain values: cards of the same kind, industry and points are equal and interchangeable. Where a
hand holds two such cards, the list of legal actions has an (equal) action for each of them.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import NamedTuple

YEARS = 3
HAND_SIZE = 5
STARTING_CASH = 50
TAX_PER_SHARE = 2
MOST_DEALS = 3
FIRST_FREE_TURN = 2  # turns count from 0, through the whole game: those before it are restricted
SHARES_PER_INDUSTRY = 12
PRICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
TOP_SPACE = len(PRICES) - 1
OPENING_SPACE = PRICES.index(24)
SPACES_PER_YEAR = {2: 7, 3: 10, 4: 13}  # how many cards make a year, by the number of players
PAYOUT = (0, 1, 2, 4, 8, 12)  # what each share is paid, by the number of dividends of its industry


class Industry(IntEnum):
    """The three industries; their values index lists with one item for each."""

    OIL = 0
    TECH = 1
    RETAIL = 2


class Kind(Enum):
    """The kinds of cards."""

    TREND = auto()
    DIVIDEND = auto()
    TAX = auto()
    EVENT = auto()


@dataclass(frozen=True)
class Card:
    """A card of the pile; only trends have points."""

    kind: Kind
    industry: Industry
    points: int = 0


TREND_COUNTS = {  # by industry and points
    Industry.OIL: {-2: 3, -1: 1, 1: 1, 2: 3},
    Industry.TECH: {-3: 2, -2: 1, -1: 1, 1: 1, 2: 2, 3: 2},
    Industry.RETAIL: {-3: 1, -2: 2, -1: 1, 1: 1, 2: 3, 3: 1},
}
OTHER_COUNTS = {  # by kind and industry
    Kind.DIVIDEND: {Industry.OIL: 5, Industry.TECH: 3, Industry.RETAIL: 4},
    Kind.TAX: {Industry.OIL: 1, Industry.TECH: 1, Industry.RETAIL: 1},
    Kind.EVENT: {Industry.OIL: 1, Industry.TECH: 2, Industry.RETAIL: 1},
}


def all_cards() -> list[Card]:
    """The 45 cards of the box, unshuffled."""
    cards: list[Card] = []
    for industry, by_points in TREND_COUNTS.items():
        for points, count in by_points.items():
            cards += [Card(Kind.TREND, industry, points)] * count
    for kind, by_industry in OTHER_COUNTS.items():
        for industry, count in by_industry.items():
            cards += [Card(kind, industry)] * count
    return cards


@dataclass(frozen=True)
class Buy:
    """Buy the cheapest share of an industry."""

    industry: Industry


@dataclass(frozen=True)
class Sell:
    """Sell a share of an industry, in a turn or after the last year."""

    industry: Industry


@dataclass(frozen=True)
class Play:
    """Play a trend, a dividend or a tax."""

    card: Card


@dataclass(frozen=True)
class Cover:
    """Lay an event over a card played before, which then no longer counts."""

    event: Card
    target: Card


@dataclass(frozen=True)
class Discard:
    """Put a card of the hand aside between two years."""

    card: Card


class Stop(Enum):
    """End what one is doing."""

    TRADING = auto()
    PLAYING = auto()  # only where no card is possible
    DISCARDING = auto()


Deal = Buy | Sell
Action = Deal | Play | Cover | Discard | Stop


class Phase(Enum):
    """What the player whose turn it is has to choose."""

    TRADE = auto()
    PLAY_CARD = auto()
    DISCARD = auto()
    SELL_OFF = auto()
    OVER = auto()


class Chart:
    """The shares of one industry for sale: the space in PRICES of each, rising (repeated only at the two ends)."""

    def __init__(self, shares: int) -> None:
        self.spaces = deque(range(OPENING_SPACE - shares + 1, OPENING_SPACE + 1))

    @property
    def price(self) -> int:
        """The price of the cheapest share."""
        return PRICES[self.spaces[0]]

    def can_sell_to(self, cash: int) -> bool:
        """Whether a share can be bought with that much cash: the last one never can."""
        return len(self.spaces) > 1 and self.price <= cash

    def take_lowest(self) -> int:
        """Take the cheapest share away, and return its price."""
        return PRICES[self.spaces.popleft()]

    def put_below(self) -> int:
        """Add a share one space below the cheapest, and return its price."""
        self.spaces.appendleft(max(self.spaces[0] - 1, 0))
        return self.price

    def move(self, sway: int) -> None:
        """Raise the prices by so many spaces, the lowest share going above the highest; lower them if negative."""
        for _ in range(sway):
            self.spaces.append(min(self.spaces[-1] + 1, TOP_SPACE))
            self.spaces.popleft()
        for _ in range(-sway):
            self.put_below()
            self.spaces.pop()

    def clone(self) -> Chart:
        twin = copy.copy(self)
        twin.spaces = self.spaces.copy()
        return twin


@dataclass
class Player:
    """What a player has; shares are numbers by industry."""

    cash: int = STARTING_CASH
    shares: list[int] = field(default_factory=lambda: [1] * len(Industry))
    hand: list[Card] = field(default_factory=list)

    def held(self) -> list[Industry]:
        """The industries of which the player has a share."""
        return [industry for industry in Industry if self.shares[industry]]

    def clone(self) -> Player:
        return Player(self.cash, self.shares.copy(), self.hand.copy())


@dataclass(frozen=True)
class TurnDeals:
    """The deals made in one turn, and which others there may be.

    A player makes one deal each in different industries, or else two of the same and nothing more. In the
    first turn of the game there is at most one deal, in the second at most two, and in neither two of the same.
    """

    turn: int
    made: tuple[Deal, ...] = ()

    def allow(self, deal: Deal) -> bool:
        """Whether the limits of a turn allow another deal."""
        if self.made == (deal,):
            return self.turn >= FIRST_FREE_TURN
        industries = {earlier.industry for earlier in self.made}
        doubled = len(industries) < len(self.made)
        return len(self.made) < min(self.turn + 1, MOST_DEALS) and not doubled and deal.industry not in industries

    def after(self, deal: Deal) -> TurnDeals:
        """These deals and one more."""
        return TurnDeals(self.turn, (*self.made, deal))


@dataclass
class YearCards:
    """The cards on the spaces of a year, and the events that cover some of them."""

    spaces: int
    uncovered: list[Card] = field(default_factory=list)
    covered: list[Card] = field(default_factory=list)
    events: list[Card] = field(default_factory=list)

    def is_full(self) -> bool:
        """Whether the year ends, as there is a card on each space."""
        return len(self.uncovered) + len(self.covered) == self.spaces

    def coverable(self, event: Card) -> list[Card]:
        """The cards that an event may be laid over."""
        return [card for card in self.uncovered if card.industry is event.industry]

    def cover(self, event: Card, target: Card) -> None:
        """Lay an event over a card."""
        self.events.append(event)
        self.uncovered.remove(target)
        self.covered.append(target)

    def sway(self, industry: Industry) -> int:
        """By how many spaces the prices of an industry move."""
        return sum(card.points for card in self.uncovered if card.industry is industry)

    def dividends(self, industry: Industry) -> int:
        """The number of dividends of an industry."""
        return self.uncovered.count(Card(Kind.DIVIDEND, industry))

    def clear(self) -> list[Card]:
        """Take all cards away, and return them."""
        cards = self.uncovered + self.covered + self.events
        self.uncovered, self.covered, self.events = [], [], []
        return cards

    def clone(self) -> YearCards:
        return YearCards(self.spaces, self.uncovered.copy(), self.covered.copy(), self.events.copy())


class Game:
    """A game from its beginning to its end, moved on by one action at a time."""

    def __init__(self, players: int, seed: int) -> None:
        if players not in SPACES_PER_YEAR:
            raise ValueError(f"the game is for {min(SPACES_PER_YEAR)} to {max(SPACES_PER_YEAR)} players, not {players}")
        self._rng = random.Random(seed)
        self.players = [Player() for _ in range(players)]
        self.charts = [Chart(SHARES_PER_INDUSTRY - players) for _ in Industry]
        self.pile = all_cards()
        self.aside: list[Card] = []
        self.year_cards = YearCards(SPACES_PER_YEAR[players])
        self.year = 1
        self.turns = 0
        self.deals = TurnDeals(self.turns)
        self.phase = Phase.TRADE
        self._rng.shuffle(self.pile)
        for player in self.players:
            self._fill_hand(player)
        self.seat = self._rng.randrange(players)
        self._first_to_discard = self.seat

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several cards, or ends it."""
        return self.phase is Phase.DISCARD

    def scores(self) -> list[int]:
        """The cash of each player."""
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        best = max(self.scores())
        return [seat for seat, player in enumerate(self.players) if player.cash == best]

    def clone(self) -> Game:
        """An independent copy, with the same chance to come."""
        twin = copy.copy(self)
        twin._rng = random.Random()
        twin._rng.setstate(self._rng.getstate())
        twin.players = [player.clone() for player in self.players]
        twin.charts = [chart.clone() for chart in self.charts]
        twin.pile = self.pile.copy()
        twin.aside = self.aside.copy()
        twin.year_cards = self.year_cards.clone()
        return twin

    def legal_actions(self) -> list[Action]:
        """All that the player whose turn it is may do now; nothing when the game is over."""
        match self.phase:
            case Phase.TRADE:
                return self._trade_actions()
            case Phase.PLAY_CARD:
                return self._card_actions()
            case Phase.DISCARD:
                return [*map(Discard, self._player.hand), Stop.DISCARDING]
            case Phase.SELL_OFF:
                return [Sell(industry) for industry in self._player.held()]
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions; whether it is one is not checked."""
        match action:
            case Buy():
                self._buy(action)
            case Sell():
                self._sell(action)
            case Stop.TRADING:
                self.phase = Phase.PLAY_CARD
            case Play(card):
                self._play(card)
            case Cover(event, target):
                self._player.hand.remove(event)
                self.year_cards.cover(event, target)
                self._end_turn()
            case Stop.PLAYING:
                self._end_turn()
            case Discard(card):
                self._player.hand.remove(card)
                self.aside.append(card)
            case Stop.DISCARDING:
                self._stop_discarding()

    @property
    def _player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat]

    def _pass_on(self) -> None:
        """The next player's turn, clockwise."""
        self.seat = (self.seat + 1) % len(self.players)

    def _fill_hand(self, player: Player) -> None:
        """Draw cards, as far as there are any."""
        while len(player.hand) < HAND_SIZE and self.pile:
            player.hand.append(self.pile.pop())

    def _return_to_pile(self, cards: list[Card]) -> None:
        """Shuffle cards into the pile."""
        self.pile += cards
        self._rng.shuffle(self.pile)

    def _pay_holders(self, industry: Industry, per_share: int) -> None:
        """All players get money for their shares, or pay it if negative, even into debt."""
        for player in self.players:
            player.cash += per_share * player.shares[industry]

    def _trade_actions(self) -> list[Action]:
        """Deals, and to stop: in debt only if there is no deal (as nothing more can be sold)."""
        player = self._player
        deals: list[Deal] = [Buy(industry) for industry in Industry if self.charts[industry].can_sell_to(player.cash)]
        deals += [Sell(industry) for industry in player.held()]
        actions: list[Action] = [deal for deal in deals if self.deals.allow(deal)]
        if player.cash >= 0 or not actions:
            actions.append(Stop.TRADING)
        return actions

    def _buy(self, deal: Buy) -> None:
        player = self._player
        player.cash -= self.charts[deal.industry].take_lowest()
        player.shares[deal.industry] += 1
        self.deals = self.deals.after(deal)

    def _sell(self, deal: Sell) -> None:
        player = self._player
        player.shares[deal.industry] -= 1
        player.cash += self.charts[deal.industry].put_below()
        if self.phase is Phase.TRADE:
            self.deals = self.deals.after(deal)
        else:
            self._pass_on()
            self._find_seller()

    def _card_actions(self) -> list[Action]:
        """Each card that may be played, and each event with each card that it may cover."""
        actions: list[Action] = []
        for card in self._player.hand:
            if card.kind is Kind.EVENT:
                actions += [Cover(card, target) for target in self.year_cards.coverable(card)]
            else:
                actions.append(Play(card))
        return actions or [Stop.PLAYING]

    def _play(self, card: Card) -> None:
        """Play a card; after a tax the player plays another one, unless the year is full."""
        self._player.hand.remove(card)
        self.year_cards.uncovered.append(card)
        if card.kind is Kind.TAX:
            self._pay_holders(card.industry, -TAX_PER_SHARE)
            if not self.year_cards.is_full():
                return
        self._end_turn()

    def _end_turn(self) -> None:
        self._fill_hand(self._player)
        self.turns += 1
        self._pass_on()
        if self.year_cards.is_full():
            self._close_year()
        else:
            self._begin_turn()

    def _begin_turn(self) -> None:
        self.deals = TurnDeals(self.turns)
        self.phase = Phase.TRADE

    def _close_year(self) -> None:
        """Settle the year, then go on to the change of hands or, after the last year, to the selling off."""
        for industry in Industry:
            self.charts[industry].move(self.year_cards.sway(industry))
            self._pay_holders(industry, PAYOUT[self.year_cards.dividends(industry)])
        self._return_to_pile(self.year_cards.clear())
        if self.year == YEARS:
            self.phase = Phase.SELL_OFF
            self._find_seller()
        else:
            self.phase = Phase.DISCARD
            self._first_to_discard = self.seat

    def _stop_discarding(self) -> None:
        """Fill the hand up; what was put aside goes back to the pile only when all players have changed."""
        self._fill_hand(self._player)
        self._pass_on()
        if self.seat == self._first_to_discard:
            self._return_to_pile(self.aside)
            self.aside = []
            self.year += 1
            self._begin_turn()

    def _find_seller(self) -> None:
        """Pass on to the next player who has a share, perhaps the present one; the game is over if nobody has."""
        for _ in self.players:
            if self._player.held():
                return
            self._pass_on()
        self.phase = Phase.OVER


class Result(NamedTuple):
    """How a game ended, and how many decisions it took."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    Each change of a hand counts as one decision, as does every other choice between several actions.
    """
    game = Game(players, seed)
    chooser = random.Random(f"choices of game {seed}")  # a text, so as not to repeat the numbers drawn by the game
    decisions = 0
    while actions := game.legal_actions():
        action = chooser.choice(actions)
        if action is Stop.DISCARDING or (len(actions) > 1 and not game.card_by_card):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 200) -> None:
    """Print mean scores and decisions of random games for each number of players."""
    for players in SPACES_PER_YEAR:
        results = [random_game(players, seed) for seed in range(games)]
        score = sum(sum(result.scores) for result in results) / (games * players)
        decisions = sum(result.decisions for result in results) / games
        print(f"{players} players: mean score {score:.1f}, mean decisions {decisions:.1f} ({games} games)")


if __name__ == "__main__":
    main()
