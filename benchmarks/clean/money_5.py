"""The card game "Money" for 3 to 5 players.

In every round the players lay sealed bids of cards from their hands. From the highest bid to the lowest each bidder
then keeps the bid, or exchanges it for one of the two lots on the table or for the bid of another player. The lots
are refilled from the stock; the round after its last card ends the deal, and the hands are scored. A game is several
such deals.

A program plays by asking for `Game.legal_actions` and handing one of them to `Game.apply` until there are none left.
Everything that needs no choice (dealing, refilling, scoring) happens within `apply`.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from statistics import fmean
from typing import NamedTuple

MIN_PLAYERS = 3
MAX_PLAYERS = 5
NORMAL_DEALS = 3
MAX_DEALS = 9

NOTE_COPIES = {20: 3, 30: 3, 40: 1, 50: 1, 60: 1}
"""How many notes of each value there are in every currency."""
COIN_COUNT = 6
COIN_VALUE = 10

HAND_SIZE = 6
LOT_SIZE = 4
QUIET_ROUNDS_LIMIT = 40
"""After so many rounds in a row that drew no card, one more round ends the deal."""

FULL_WORTH = 200
"""A currency worth at least this counts in full, any other loses the `DEDUCTION`."""
DEDUCTION = 100
TRIPLET_VALUES = (20, 30)
TRIPLET_SIZE = 3
TRIPLET_BONUS = 100


class Currency(Enum):
    """The currencies of the notes."""

    DOLLAR = auto()
    POUND = auto()
    KRONA = auto()
    ROUBLE = auto()
    YEN = auto()
    FRANC = auto()
    EURO = auto()


@dataclass(frozen=True, slots=True)
class Card:
    """A note, or a coin (which has no currency). As an action: lay this card into the bid."""

    serial: int
    currency: Currency | None
    value: int


class Move(Enum):
    """The actions that name neither a card nor another player."""

    CLOSE_BID = auto()
    KEEP = auto()
    TAKE_RIGHT = auto()
    TAKE_LEFT = auto()


@dataclass(frozen=True, slots=True)
class TakeBid:
    """Exchange the own bid for the one of another player."""

    owner: int


Action = Card | Move | TakeBid


class Phase(Enum):
    """What the game waits for."""

    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


def _make_box() -> tuple[Card, ...]:
    """All cards in the order of their serials: the notes from 1 on, then the coins."""
    faces: list[tuple[Currency | None, int]] = [
        (currency, value) for currency in Currency for value, copies in NOTE_COPIES.items() for _ in range(copies)
    ]
    faces += [(None, COIN_VALUE)] * COIN_COUNT
    return tuple(Card(serial, currency, value) for serial, (currency, value) in enumerate(faces, start=1))


BOX = _make_box()


def kept(worth: int) -> int:
    """What counts of the notes of one currency that are worth this much together."""
    return worth if worth >= FULL_WORTH else max(worth - DEDUCTION, 0)


def fortune(cards: Iterable[Card]) -> int:
    """The points for a hand at the end of a deal."""
    coins = 0
    worths: Counter[Currency] = Counter()
    copies: Counter[tuple[Currency, int]] = Counter()
    for card in cards:
        if card.currency is None:
            coins += card.value
        else:
            worths[card.currency] += card.value
            copies[card.currency, card.value] += 1
    triplets = sum(value in TRIPLET_VALUES and count == TRIPLET_SIZE for (_, value), count in copies.items())
    return coins + sum(kept(worth) for worth in worths.values()) + TRIPLET_BONUS * triplets


@dataclass(slots=True)
class Player:
    """What lies before one player. The cards of the bid are no longer in the hand."""

    hand: list[Card] = field(default_factory=list)
    bid: list[Card] = field(default_factory=list)
    points: int = 0

    def lay(self, card: Card) -> None:
        """Add a card of the hand to the bid."""
        self.hand.remove(card)
        self.bid.append(card)

    def keep(self) -> None:
        """Take the bid back."""
        self.hand += self.bid
        self.bid = []

    def exchange_for(self, cards: list[Card]) -> list[Card]:
        """Take the cards into the hand, and give the bid for them."""
        self.hand += cards
        given, self.bid = self.bid, []
        return given

    def rank(self) -> tuple[int, int]:
        """The greater, the earlier in the exchange: by the worth of the bid, then by its lowest serial."""
        return sum(card.value for card in self.bid), -min(card.serial for card in self.bid)

    def clone(self) -> Player:
        """An independent copy."""
        return Player(self.hand.copy(), self.bid.copy(), self.points)


class Game:
    """A game of "Money": its state, and the rules that lead from one choice to the next.

    `seat` is the number of the player who chooses now.
    """

    def __init__(self, players: int, seed: int, deals: int = NORMAL_DEALS) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
        if not 1 <= deals <= MAX_DEALS:
            raise ValueError(f"1 to {MAX_DEALS} deals, not {deals}")
        self.players = [Player() for _ in range(players)]
        self.seat = 0
        self.phase = Phase.BIDDING
        self.right: list[Card] = []
        self.left: list[Card] = []
        self.stock: list[Card] = []  # its top is at the end
        self._quiet_rounds = 0
        self._last_round = False
        self._deals_begun = 0
        self._shuffled_stocks = self._shuffle_stocks(random.Random(seed), deals)
        self._start_deal()

    def _shuffle_stocks(self, rng: random.Random, deals: int) -> tuple[tuple[Card, ...], ...]:
        """The cards of every deal, shuffled. As this settles all that is left to chance, clones can share it."""
        out = rng.sample(list(Currency), MAX_PLAYERS - len(self.players))
        deck = [card for card in BOX if card.currency not in out]
        return tuple(tuple(rng.sample(deck, len(deck))) for _ in range(deals))

    # What a player of the game needs

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a bid: one of its cards, or its end."""
        return self.phase is Phase.BIDDING

    def legal_actions(self) -> list[Action]:
        """All that the player whose turn it is may do; nothing when the game is over."""
        match self.phase:
            case Phase.BIDDING:
                return [*self.players[self.seat].hand, Move.CLOSE_BID]
            case Phase.EXCHANGE:
                return self._exchange_actions()
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions (which is not checked), and go on to the next choice."""
        player = self.players[self.seat]
        match action:
            case Card():
                player.lay(action)
                return
            case Move.CLOSE_BID:
                self._ask_for_bid(self.seat + 1)
                return
            case Move.KEEP:
                player.keep()
            case Move.TAKE_RIGHT:
                self.right = player.exchange_for(self.right)
            case Move.TAKE_LEFT:
                self.left = player.exchange_for(self.left)
            case TakeBid(owner):
                other = self.players[owner]
                other.bid = player.exchange_for(other.bid)
        self._ask_for_exchange()

    def clone(self) -> Game:
        """An independent copy that goes on with the same cards."""
        twin = copy.copy(self)
        twin.players = [player.clone() for player in self.players]
        twin.right = self.right.copy()
        twin.left = self.left.copy()
        twin.stock = self.stock.copy()
        return twin

    def scores(self) -> list[int]:
        """The points of every seat from the deals that are over."""
        return [player.points for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # The course of the game

    def _start_deal(self) -> None:
        self.stock = list(self._shuffled_stocks[self._deals_begun])
        self._deals_begun += 1
        self._quiet_rounds = 0
        self._last_round = False
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.right = self._draw(LOT_SIZE)
        self.left = self._draw(LOT_SIZE)
        self._start_round()

    def _start_round(self) -> None:
        self.phase = Phase.BIDDING
        self._ask_for_bid(0)

    def _ask_for_bid(self, first: int) -> None:
        """Ask the next player from seat `first` on who has a card; after the last bid goes on to the exchange."""
        for seat in range(first, len(self.players)):
            if self.players[seat].hand:
                self.seat = seat
                return
        self.phase = Phase.EXCHANGE
        self._ask_for_exchange()

    def _ask_for_exchange(self) -> None:
        """Ask the player with the highest bid; when no bid is left the round is over.

        Who has just had the bid taken now holds the highest one, and so comes next without a rule of its own.
        """
        bidders = self._bidders()
        if bidders:
            self.seat = max(bidders, key=lambda seat: self.players[seat].rank())
        else:
            self._end_round()

    def _end_round(self) -> None:
        if self._last_round:
            self._end_deal()
            return
        self._refill()
        self._last_round = not self.stock or self._quiet_rounds == QUIET_ROUNDS_LIMIT
        self._start_round()

    def _end_deal(self) -> None:
        for player in self.players:
            player.points += fortune(player.hand)
        if self._deals_begun < len(self._shuffled_stocks):
            self._start_deal()
        else:
            self.phase = Phase.OVER

    # Details

    def _bidders(self) -> list[int]:
        """The seats whose bid is still on the table."""
        return [seat for seat, player in enumerate(self.players) if player.bid]

    def _exchange_actions(self) -> list[Action]:
        actions: list[Action] = [Move.KEEP]
        if self.right:
            actions.append(Move.TAKE_RIGHT)
        if self.left:
            actions.append(Move.TAKE_LEFT)
        actions += [TakeBid(seat) for seat in self._bidders() if seat != self.seat]
        return actions

    def _draw(self, count: int) -> list[Card]:
        """So many cards from the top of the stock, as far as there are any; none if the count is not positive."""
        return [self.stock.pop() for _ in range(min(count, len(self.stock)))]

    def _refill(self) -> None:
        """Fill up the lots, the right one first, and note whether that drew a card."""
        before = len(self.stock)
        for lot in (self.right, self.left):
            lot.extend(self._draw(LOT_SIZE - len(lot)))
        self._quiet_rounds = 0 if len(self.stock) < before else self._quiet_rounds + 1


class Result(NamedTuple):
    """The outcome of a game."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int, deals: int = NORMAL_DEALS) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    A bid counts as one decision, when it is closed; any other choice counts if there was more than one legal action.
    """
    game = Game(players, seed, deals)
    rng = random.Random(f"actions {seed}")  # not the sequence that shuffled the cards
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        if action is Move.CLOSE_BID or (not game.card_by_card and len(actions) > 1):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 100) -> None:
    """Print the means of some random games for each number of players."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        results = [random_game(players, seed) for seed in range(games)]
        score = fmean(score for result in results for score in result.scores)
        decisions = fmean(result.decisions for result in results)
        print(f"{players} players, {games} random games: mean score {score:.1f}, mean decisions {decisions:.1f}")


if __name__ == "__main__":
    main()
