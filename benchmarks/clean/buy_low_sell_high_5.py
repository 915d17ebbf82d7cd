"""The board game "Buy Low, Sell High" for two to four players.

Three industries have their shares on price charts. A turn is some trading and the playing of a card; when all spaces
of a year are taken by cards, those move the prices and pay dividends. After three years all shares are sold, and who
has the most cash wins.

A `Game` is a state that is driven from outside: ask `legal_actions()`, hand one of them to `apply()`, until there are
none. Chance (the first player and the order of the pile) follows from the seed alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import NamedTuple, TypeAlias, assert_never

PRICES: tuple[int, ...] = (*range(2, 9), *range(10, 31, 2))
TOP_SPACE = len(PRICES) - 1
OPENING_SPACE = PRICES.index(24)

SHARES_PER_INDUSTRY = 12
OPENING_CASH = 50
HAND_SIZE = 5
TAX_PER_SHARE = 2
LAST_YEAR = 3

MOST_DEALS_AT_FIRST = (1, 2)  # in the first turns of the game
MOST_DEALS = 3  # in every other turn

SPACES = {2: 7, 3: 10, 4: 13}  # cards that fill a year, by the number of players
PAYOUT = (0, 1, 2, 4, 8, 12)  # dollars for each share, by the number of dividends of its industry


class Industry(Enum):
    OIL = "oil"
    TECH = "tech"
    RETAIL = "retail"


class Kind(Enum):
    TREND = "trend"
    DIVIDEND = "dividend"
    TAX = "tax"
    EVENT = "event"


@dataclass(frozen=True, eq=False, slots=True)
class Card:
    """A card of the pile. Two with the same print are still two cards: they are compared by identity."""

    kind: Kind
    industry: Industry
    points: int = 0  # how far a trend moves the prices; 0 for all other kinds


# How many trends there are of each number of points.
TRENDS = {
    Industry.OIL: {-2: 3, -1: 1, 1: 1, 2: 3},
    Industry.TECH: {-3: 2, -2: 1, -1: 1, 1: 1, 2: 2, 3: 2},
    Industry.RETAIL: {-3: 1, -2: 2, -1: 1, 1: 1, 2: 3, 3: 1},
}

# How many there are of the cards without points.
PLAIN_CARDS = {
    Kind.DIVIDEND: {Industry.OIL: 5, Industry.TECH: 3, Industry.RETAIL: 4},
    Kind.TAX: {Industry.OIL: 1, Industry.TECH: 1, Industry.RETAIL: 1},
    Kind.EVENT: {Industry.OIL: 1, Industry.TECH: 2, Industry.RETAIL: 1},
}


def _all_cards() -> Iterator[Card]:
    for industry, numbers in TRENDS.items():
        for points, number in numbers.items():
            yield from (Card(Kind.TREND, industry, points) for _ in range(number))
    for kind, by_industry in PLAIN_CARDS.items():
        for industry, number in by_industry.items():
            yield from (Card(kind, industry) for _ in range(number))


CARDS = tuple(_all_cards())


class Way(Enum):
    BUY = "buy"
    SELL = "sell"


@dataclass(frozen=True, slots=True)
class Deal:
    """Buy or sell one share while trading."""

    industry: Industry
    way: Way


@dataclass(frozen=True, slots=True)
class Play:
    """Put a card of the hand on a space of the year."""

    card: Card


@dataclass(frozen=True, slots=True)
class Cover:
    """Lay an event of the hand over a card played before, which then no longer counts."""

    event: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """Put one card of the hand aside between two years."""

    card: Card


@dataclass(frozen=True, slots=True)
class SellOff:
    """Sell one share after the last year."""

    industry: Industry


class End(Enum):
    """The actions that end a part of a turn."""

    TRADING = "stop trading"
    PLAYING = "no card can be played"
    DISCARDING = "keep the other cards"


Action: TypeAlias = Deal | Play | Cover | Discard | SellOff | End


class Phase(Enum):
    """What is to be chosen next."""

    TRADE = auto()
    PLAY_CARD = auto()
    CHANGE_HAND = auto()
    SELL_OFF = auto()
    OVER = auto()


class Chart:
    """The price ladder of one industry.

    Each share for sale lies on a space (an index into PRICES); they are kept from the lowest up. Only the spaces at
    the two ends of the ladder may hold more than one share, and there is always at least one share on the chart.
    """

    def __init__(self, shares: int) -> None:
        self._spaces = deque([OPENING_SPACE])
        for _ in range(shares - 1):
            self.put_below()

    def clone(self) -> Chart:
        twin = copy(self)
        twin._spaces = self._spaces.copy()
        return twin

    @property
    def price(self) -> int:
        """What the next share bought costs."""
        return PRICES[self._spaces[0]]

    @property
    def for_sale(self) -> bool:
        """Whether a share may be bought: the last one may not."""
        return len(self._spaces) > 1

    def take_lowest(self) -> None:
        self._spaces.popleft()

    def put_below(self) -> None:
        """Add a share one space below the lowest."""
        self._spaces.appendleft(max(self._spaces[0] - 1, 0))

    def move(self, sway: int) -> None:
        """Let the prices rise, or fall if `sway` is negative, by that many shares going to the other end."""
        for _ in range(sway):
            self._spaces.append(min(self._spaces[-1] + 1, TOP_SPACE))
            self._spaces.popleft()
        for _ in range(-sway):
            self.put_below()
            self._spaces.pop()


@dataclass(slots=True)
class Player:
    """What one player owns. Cash below zero is a debt."""

    cash: int = OPENING_CASH
    shares: dict[Industry, int] = field(default_factory=lambda: dict.fromkeys(Industry, 1))
    hand: list[Card] = field(default_factory=list)

    def clone(self) -> Player:
        return Player(self.cash, self.shares.copy(), self.hand.copy())

    def buy(self, industry: Industry, chart: Chart) -> None:
        self.cash -= chart.price
        chart.take_lowest()
        self.shares[industry] += 1

    def sell(self, industry: Industry, chart: Chart) -> None:
        """The price is that of the space on which the share comes to lie."""
        self.shares[industry] -= 1
        chart.put_below()
        self.cash += chart.price


@dataclass(slots=True)
class TradeLimit:
    """The deals of one turn: one in each industry, or instead two of the same kind in a single industry."""

    room: int  # how many more industries may be dealt in
    two_of_one: bool  # whether the second deal may repeat the first
    dealt: dict[Industry, Way] = field(default_factory=dict)

    @classmethod
    def of_turn(cls, turns: int) -> TradeLimit:
        """The limit for the turn that follows on so many turns of the game."""
        if turns < len(MOST_DEALS_AT_FIRST):
            return cls(MOST_DEALS_AT_FIRST[turns], two_of_one=False)
        return cls(MOST_DEALS, two_of_one=True)

    def clone(self) -> TradeLimit:
        return TradeLimit(self.room, self.two_of_one, self.dealt.copy())

    def allows(self, deal: Deal) -> bool:
        if deal.industry not in self.dealt:
            return self.room > 0
        return self.two_of_one and self.dealt[deal.industry] is deal.way

    def count(self, deal: Deal) -> None:
        self.room = 0 if deal.industry in self.dealt else self.room - 1
        if self.dealt:  # this was the second deal or the third, and only the second may repeat one
            self.two_of_one = False
        self.dealt[deal.industry] = deal.way


class Game:
    """A game in progress; `seat` is the number of the player who chooses now."""

    def __init__(self, players: int, seed: int) -> None:
        if players not in SPACES:
            raise ValueError(f"the game is for {min(SPACES)} to {max(SPACES)} players, not {players}")
        self._random = Random(seed)
        self.players = [Player() for _ in range(players)]
        self.charts = {industry: Chart(SHARES_PER_INDUSTRY - players) for industry in Industry}
        self.spaces = SPACES[players]
        self.year = 1
        self.turns = 0  # taken so far, by all players together
        self.played: list[Card] = []
        self.covered: dict[Card, Card] = {}  # those of the played cards that no longer count, with the event on each
        self._aside: list[Card] = []
        self._pile = list(CARDS)
        self._random.shuffle(self._pile)
        for player in self.players:
            self._fill_hand(player)
        self.seat = self._random.randrange(players)
        self._first_to_change = self.seat  # who is the first to change hands between two years
        self._start_turn()

    def clone(self) -> Game:
        """An independent copy, with the same future chance. The cards themselves never change and are shared."""
        twin = copy(self)
        twin._random = copy(self._random)
        twin.players = [player.clone() for player in self.players]
        twin.charts = {industry: chart.clone() for industry, chart in self.charts.items()}
        twin.limit = self.limit.clone()
        twin.played = self.played.copy()
        twin.covered = self.covered.copy()
        twin._aside = self._aside.copy()
        twin._pile = self._pile.copy()
        return twin

    @property
    def player(self) -> Player:
        """The player who chooses now."""
        return self.players[self.seat]

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is only a part of a choice: a card to discard, or the end of that."""
        return self.phase is Phase.CHANGE_HAND

    @property
    def year_is_full(self) -> bool:
        return len(self.played) == self.spaces

    def scores(self) -> list[int]:
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # What may be done

    def legal_actions(self) -> list[Action]:
        """All that the player at `seat` may do now; empty only when the game is over."""
        match self.phase:
            case Phase.TRADE:
                return self._trades()
            case Phase.PLAY_CARD:
                return self._card_plays()
            case Phase.CHANGE_HAND:
                return [*map(Discard, self.player.hand), End.DISCARDING]
            case Phase.SELL_OFF:
                return [SellOff(industry) for industry, number in self.player.shares.items() if number]
            case Phase.OVER:
                return []

    def _trades(self) -> list[Action]:
        deals = (Deal(industry, way) for industry in Industry for way in Way)
        actions: list[Action] = [deal for deal in deals if self.limit.allows(deal) and self._can_deal(deal)]
        if self.player.cash >= 0 or not actions:
            actions.append(End.TRADING)
        return actions

    def _can_deal(self, deal: Deal) -> bool:
        """Whether there is a share for the deal and the money to pay for it."""
        if deal.way is Way.SELL:
            return self.player.shares[deal.industry] > 0
        chart = self.charts[deal.industry]
        return chart.for_sale and self.player.cash >= chart.price

    def _card_plays(self) -> list[Action]:
        actions: list[Action] = []
        for card in self.player.hand:
            if card.kind is Kind.EVENT:
                actions.extend(Cover(card, other) for other in self._counted(card.industry))
            else:
                actions.append(Play(card))
        return actions or [End.PLAYING]

    def _counted(self, industry: Industry) -> list[Card]:
        """The played cards of an industry that no event covers."""
        return [card for card in self.played if card.industry is industry and card not in self.covered]

    # What is done

    def apply(self, action: Action) -> None:
        """Carry out an action, which must be one of `legal_actions()`; this is not checked again."""
        match action:
            case Deal():
                self._deal(action)
            case Play(card):
                self._play(card)
            case Cover(event, card):
                self._cover(event, card)
            case Discard(card):
                self.player.hand.remove(card)
                self._aside.append(card)
            case SellOff(industry):
                self.player.sell(industry, self.charts[industry])
                self._advance_seat()
                self._find_seller()
            case End.TRADING:
                self.phase = Phase.PLAY_CARD
            case End.PLAYING:
                self._end_turn()
            case End.DISCARDING:
                self._end_change_of_hand()
            case _:
                assert_never(action)

    def _deal(self, deal: Deal) -> None:
        chart = self.charts[deal.industry]
        if deal.way is Way.BUY:
            self.player.buy(deal.industry, chart)
        else:
            self.player.sell(deal.industry, chart)
        self.limit.count(deal)

    def _play(self, card: Card) -> None:
        """A tax asks for another card, unless it took the last space of the year."""
        self.player.hand.remove(card)
        self.played.append(card)
        if card.kind is Kind.TAX:
            for player in self.players:
                player.cash -= TAX_PER_SHARE * player.shares[card.industry]
        if card.kind is not Kind.TAX or self.year_is_full:
            self._end_turn()

    def _cover(self, event: Card, card: Card) -> None:
        self.player.hand.remove(event)
        self.covered[card] = event
        self._end_turn()

    # The course of the game

    def _start_turn(self) -> None:
        self.limit = TradeLimit.of_turn(self.turns)
        self.phase = Phase.TRADE

    def _end_turn(self) -> None:
        self._fill_hand(self.player)
        self.turns += 1
        self._advance_seat()
        if self.year_is_full:
            self._close_year()
        else:
            self._start_turn()

    def _close_year(self) -> None:
        for industry in Industry:
            self._settle(industry)
        self._gather_played()
        if self.year == LAST_YEAR:
            self.phase = Phase.SELL_OFF
            self._find_seller()
        else:
            self._first_to_change = self.seat
            self.phase = Phase.CHANGE_HAND

    def _settle(self, industry: Industry) -> None:
        """Move the prices of an industry and pay its dividends."""
        counted = self._counted(industry)
        self.charts[industry].move(sum(card.points for card in counted))
        payout = PAYOUT[sum(card.kind is Kind.DIVIDEND for card in counted)]
        for player in self.players:
            player.cash += payout * player.shares[industry]

    def _gather_played(self) -> None:
        """Shuffle all that was played in the year into the pile."""
        self._pile += [*self.played, *self.covered.values()]
        self.played.clear()
        self.covered.clear()
        self._random.shuffle(self._pile)

    def _end_change_of_hand(self) -> None:
        """Discards go back to the pile only when all players have changed their hands."""
        self._fill_hand(self.player)
        self._advance_seat()
        if self.seat == self._first_to_change:
            self._pile += self._aside
            self._aside.clear()
            self._random.shuffle(self._pile)
            self.year += 1
            self._start_turn()

    def _find_seller(self) -> None:
        """Go on to the next player, from `seat` on, who still holds shares; without one the game is over."""
        for _ in self.players:
            if any(self.player.shares.values()):
                return
            self._advance_seat()
        self.phase = Phase.OVER

    def _advance_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.players)

    def _fill_hand(self, player: Player) -> None:
        while len(player.hand) < HAND_SIZE and self._pile:
            player.hand.append(self._pile.pop())


class Result(NamedTuple):
    """How a game ended. `decisions` are the choices there were; a change of a hand is one."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which each action is drawn evenly from the legal ones."""
    game = Game(players, seed)
    chooser = Random(f"actions {seed}")  # its own sequence, not the one that shuffles the cards
    decisions = 0
    while actions := game.legal_actions():
        action = chooser.choice(actions)
        if game.card_by_card:
            decisions += action is End.DISCARDING
        else:
            decisions += len(actions) > 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 200) -> None:
    for players in SPACES:
        results = [random_game(players, seed) for seed in range(games)]
        score = sum(sum(result.scores) for result in results) / (games * players)
        decisions = sum(result.decisions for result in results) / games
        print(f"{players} players, {games} random games: mean score {score:.1f}, mean decisions {decisions:.1f}")


if __name__ == "__main__":
    main()
