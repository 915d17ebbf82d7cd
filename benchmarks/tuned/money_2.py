"""The card game "Money" for 3 to 5 players.

In every round the players lay sealed bids of cards from their hands. From the highest bid to the lowest each bidder
then keeps the bid, or exchanges it for one of the two lots on the table or for the bid of another player. The lots
are refilled from the stock; the round after its last card ends the deal, and the hands are scored. A game is several
such deals.

A program plays by asking for `Game.legal_actions` and handing one of them to `Game.apply` until there are none left.
Everything that needs no choice (dealing, refilling, scoring) happens within `apply`.
"""

from __future__ import annotations

import random
from collections import defaultdict
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


@dataclass(frozen=True, eq=False, slots=True)
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


CLOSE_BID, KEEP, TAKE_RIGHT, TAKE_LEFT = Move


@dataclass(frozen=True, slots=True)
class TakeBid:
    """Exchange the own bid for the one of another player."""

    owner: int


TAKE_BIDS = tuple(TakeBid(owner) for owner in range(MAX_PLAYERS))
"""The exchange for the bid of each seat."""

Action = Card | Move | TakeBid


class Phase(Enum):
    """What the game waits for."""

    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


BIDDING, EXCHANGE, OVER = Phase


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
    values: defaultdict[Currency | None, list[int]] = defaultdict(list)
    for card in cards:
        values[card.currency].append(card.value)
    coins = values.pop(None, [])
    points = sum(coins)
    for notes in values.values():
        points += kept(sum(notes))
        for value in TRIPLET_VALUES:
            if notes.count(value) == TRIPLET_SIZE:
                points += TRIPLET_BONUS
    return points


@dataclass(eq=False, slots=True)
class Player:
    """What lies before one player. The cards of the bid are no longer in the hand."""

    seat: int
    hand: list[Card] = field(default_factory=list)
    bid: list[Card] = field(default_factory=list)
    points: int = 0

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
        """The lower, the earlier in the exchange: the highest worth of a bid first, then the lowest serial in it."""
        worth = 0
        lowest = self.bid[0].serial
        for card in self.bid:
            worth += card.value
            if card.serial < lowest:
                lowest = card.serial
        return -worth, lowest

    def clone(self) -> Player:
        """An independent copy."""
        return Player(self.seat, self.hand.copy(), self.bid.copy(), self.points)


class Game:
    """A game of "Money": its state, and the rules that lead from one choice to the next.

    `player` is the one who chooses now. Those who have still to choose in the same phase wait in the `_queue`.
    """

    def __init__(self, players: int, seed: int, deals: int = NORMAL_DEALS) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
        if not 1 <= deals <= MAX_DEALS:
            raise ValueError(f"1 to {MAX_DEALS} deals, not {deals}")
        self.players = [Player(seat) for seat in range(players)]
        self.player = self.players[0]
        self.phase = BIDDING
        self.right: list[Card] = []
        self.left: list[Card] = []
        self.stock: tuple[Card, ...] = ()  # its top is at the beginning
        self._queue: list[Player] = []
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
    def seat(self) -> int:
        """The number of the player who chooses now."""
        return self.player.seat

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a bid: one of its cards, or its end."""
        return self.phase is BIDDING

    def legal_actions(self) -> list[Action]:
        """All that the player whose turn it is may do; nothing when the game is over."""
        if self.phase is BIDDING:
            return [*self.player.hand, CLOSE_BID]
        if self.phase is EXCHANGE:
            return self._exchange_actions()
        return []

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions (which is not checked), and go on to the next choice."""
        if isinstance(action, Card):
            self.player.hand.remove(action)
            self.player.bid.append(action)
            return
        if action is not CLOSE_BID:
            self._exchange(action)
        self._ask_next()

    def clone(self) -> Game:
        """An independent copy that goes on with the same cards."""
        twin = Game.__new__(Game)
        twin.players = [player.clone() for player in self.players]
        twin.player = twin.players[self.player.seat]
        twin.phase = self.phase
        twin.right = self.right.copy()
        twin.left = self.left.copy()
        twin.stock = self.stock
        twin._queue = [twin.players[player.seat] for player in self._queue]
        twin._quiet_rounds = self._quiet_rounds
        twin._last_round = self._last_round
        twin._deals_begun = self._deals_begun
        twin._shuffled_stocks = self._shuffled_stocks
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
        self.stock = self._shuffled_stocks[self._deals_begun]
        self._deals_begun += 1
        self._quiet_rounds = 0
        self._last_round = False
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.right = self._draw(LOT_SIZE)
        self.left = self._draw(LOT_SIZE)
        self._start_bidding()

    def _start_bidding(self) -> None:
        self.phase = BIDDING
        self._queue = self.players.copy()
        self._ask_next()

    def _start_exchange(self) -> None:
        self.phase = EXCHANGE
        self._queue = sorted([player for player in self.players if player.bid], key=Player.rank)
        self._ask_next()

    def _ask_next(self) -> None:
        """Ask the next player of the phase; after the last one go on to what follows."""
        if self._queue:
            self.player = self._queue.pop(0)
        elif self.phase is BIDDING:
            self._start_exchange()
        else:
            self._end_round()

    def _end_round(self) -> None:
        if self._last_round:
            self._end_deal()
            return
        self._refill()
        self._last_round = not self.stock or self._quiet_rounds == QUIET_ROUNDS_LIMIT
        self._start_bidding()

    def _end_deal(self) -> None:
        for player in self.players:
            player.points += fortune(player.hand)
        if self._deals_begun < len(self._shuffled_stocks):
            self._start_deal()
        else:
            self.phase = OVER

    # Details

    def _exchange_actions(self) -> list[Action]:
        actions: list[Action] = [KEEP]
        if self.right:
            actions.append(TAKE_RIGHT)
        if self.left:
            actions.append(TAKE_LEFT)
        for player in self._queue:
            actions.append(TAKE_BIDS[player.seat])
        return actions

    def _exchange(self, action: Move | TakeBid) -> None:
        """Carry out what the player has chosen for the bid."""
        if isinstance(action, TakeBid):
            self._take_bid(self.players[action.owner])
        elif action is KEEP:
            self.player.keep()
        elif action is TAKE_RIGHT:
            self.right = self.player.exchange_for(self.right)
        elif action is TAKE_LEFT:
            self.left = self.player.exchange_for(self.left)

    def _take_bid(self, owner: Player) -> None:
        """Exchange the bid for that of its owner, who now holds the highest one and so comes next."""
        owner.bid = self.player.exchange_for(owner.bid)
        self._queue.remove(owner)
        self._queue.insert(0, owner)

    def _draw(self, count: int) -> list[Card]:
        """So many cards from the top of the stock, as far as there are any."""
        drawn, self.stock = self.stock[:count], self.stock[count:]
        return list(drawn)

    def _refill(self) -> None:
        """Fill up the lots, the right one first, and note whether that drew a card."""
        before = len(self.stock)
        for lot in (self.right, self.left):
            if len(lot) < LOT_SIZE:
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
        if not isinstance(action, Card) and (action is CLOSE_BID or len(actions) > 1):
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
