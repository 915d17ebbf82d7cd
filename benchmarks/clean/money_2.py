"""The card game "Money" for 3 to 5 players.

Seven currencies, two lots on the table, sealed bids, and a chain of exchanges. A game is a number of deals; a deal is
a number of rounds. In each round every player first lays a sealed bid of any cards of the hand, then the bidders,
the highest bid first, exchange their bid for a lot, for the bid of another player, or keep it. The round after the
one that drew the last card of the stock is the last of the deal; then the notes and coins in the hands are counted.

    game = Game(players=4, seed=1)
    while actions := game.legal_actions():
        game.apply(actions[0])
    print(game.scores(), game.winners())
"""

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from statistics import mean
from typing import NamedTuple

MIN_PLAYERS = 3
MAX_PLAYERS = 5
MIN_DEALS = 1
MAX_DEALS = 9

HAND_SIZE = 6
LOT_SIZE = 4

NOTE_COPIES = {60: 1, 50: 1, 40: 1, 30: 3, 20: 3}  # value of a note: how many there are of it in each currency
COIN_VALUE = 10
COIN_COPIES = 6

FULL_WORTH = 200  # a currency of at least this worth counts in full,
REDUCTION = 100  # any other one is reduced by this much
TRIPLET_VALUES = (20, 30)
TRIPLET_SIZE = 3
TRIPLET_BONUS = 100

QUIET_LIMIT = 40  # so many rounds in a row without a card drawn lead to the last round of the deal


class Currency(Enum):
    """The currency of a note."""

    DOLLAR = auto()
    POUND = auto()
    KRONA = auto()
    ROUBLE = auto()
    YEN = auto()
    FRANC = auto()
    EURO = auto()


class Card(NamedTuple):
    """A note, or a coin if it has no currency. As an action: to lay this card into one's bid."""

    serial: int
    value: int
    currency: Currency | None = None


class Side(Enum):
    """The two lots on the table, in the order in which they are refilled."""

    RIGHT = auto()
    LEFT = auto()


class Move(Enum):
    """The actions that need no further details."""

    CLOSE_BID = auto()
    KEEP = auto()


@dataclass(frozen=True, slots=True)
class TakeLot:
    """The action of exchanging one's bid for a lot."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakeBid:
    """The action of exchanging one's bid for the bid of the player at another seat."""

    seat: int


Action = Card | Move | TakeLot | TakeBid


class Phase(Enum):
    """What the players are doing."""

    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


@dataclass(slots=True)
class Player:
    """What belongs to one player; the cards of the bid are no longer in the hand."""

    hand: list[Card] = field(default_factory=list)
    bid: list[Card] = field(default_factory=list)
    points: int = 0

    def clone(self) -> "Player":
        """Return an independent copy."""
        return Player(self.hand.copy(), self.bid.copy(), self.points)


def make_box() -> tuple[Card, ...]:
    """Return all cards in the order of their serials: by currency, the high notes first; the coins come last."""
    kinds: list[tuple[int, Currency | None]] = [
        (value, currency) for currency in Currency for value, copies in NOTE_COPIES.items() for _ in range(copies)
    ]
    kinds += [(COIN_VALUE, None)] * COIN_COPIES
    return tuple(Card(serial, value, currency) for serial, (value, currency) in enumerate(kinds, start=1))


BOX = make_box()


def worth(cards: Iterable[Card]) -> int:
    """Return the total value of the cards."""
    return sum(card.value for card in cards)


def precedence(bid: list[Card]) -> tuple[int, int]:
    """Return a key that sorts bids that are not empty: the highest worth first, then the lowest serial."""
    return -worth(bid), min(card.serial for card in bid)


def kept(amount: int) -> int:
    """Return how much of the worth of all one's notes of a currency counts."""
    return amount if amount >= FULL_WORTH else max(amount - REDUCTION, 0)


def count_triplets(notes: Iterable[Card]) -> int:
    """Return how many times the notes hold all three of a currency's 20s, or of its 30s."""
    sizes = Counter((note.currency, note.value) for note in notes if note.value in TRIPLET_VALUES)
    return sum(size == TRIPLET_SIZE for size in sizes.values())


def fortune(hand: Iterable[Card]) -> int:
    """Return the points for a hand at the end of a deal."""
    coins: list[Card] = []
    notes: list[Card] = []
    worths: Counter[Currency] = Counter()
    for card in hand:
        if card.currency is None:
            coins.append(card)
        else:
            notes.append(card)
            worths[card.currency] += card.value
    return sum(map(kept, worths.values())) + worth(coins) + TRIPLET_BONUS * count_triplets(notes)


class Game:
    """A game in progress, which always waits for the player at `seat` to choose, unless it is over.

    `queue` holds the seats that have yet to choose in the present phase, in their order; `seat` is the first of them.
    """

    phase: Phase
    queue: list[int]
    stock: list[Card]
    lots: dict[Side, list[Card]]
    quiet_rounds: int  # rounds in a row that drew no card
    last_round: bool

    def __init__(self, players: int, seed: int, deals: int = 3) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{MIN_PLAYERS} to {MAX_PLAYERS} players can play, not {players}")
        if not MIN_DEALS <= deals <= MAX_DEALS:
            raise ValueError(f"a game has {MIN_DEALS} to {MAX_DEALS} deals, not {deals}")
        self.rng = Random(seed)
        out = self.rng.sample(list(Currency), MAX_PLAYERS - players)
        self.deck = tuple(card for card in BOX if card.currency not in out)
        self.players = [Player() for _ in range(players)]
        self.deals_left = deals
        self._start_deal()
        self.seat = self.queue[0]

    # --- what a player of the game needs ---

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several things: a card of a bid, or the end of the bid."""
        return self.phase is Phase.BIDDING

    def legal_actions(self) -> list[Action]:
        """Return all that the player at `seat` may do now: nothing only when the game is over."""
        match self.phase:
            case Phase.BIDDING:
                return [*self.players[self.seat].hand, Move.CLOSE_BID]
            case Phase.EXCHANGE:
                lots = [TakeLot(side) for side, lot in self.lots.items() if lot]
                bids = [TakeBid(seat) for seat in self.queue[1:]]
                return [Move.KEEP, *lots, *bids]
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions, and all that follows until a player has to choose again."""
        match self.phase:
            case Phase.BIDDING:
                self._bid(action)
            case Phase.EXCHANGE:
                self._exchange(action)
            case Phase.OVER:
                raise ValueError("the game is over")
        self._advance()

    def clone(self) -> "Game":
        """Return an independent copy, which will draw the same cards and shuffle the same way."""
        twin = copy(self)
        twin.rng = copy(self.rng)
        twin.players = [player.clone() for player in self.players]
        twin.stock = self.stock.copy()
        twin.lots = {side: lot.copy() for side, lot in self.lots.items()}
        twin.queue = self.queue.copy()
        return twin

    def scores(self) -> list[int]:
        """Return the points of each seat."""
        return [player.points for player in self.players]

    def winners(self) -> list[int]:
        """Return all seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # --- the course of the game ---

    def _advance(self) -> None:
        """Go on to the next phase as long as nobody is left to choose in the present one."""
        while not self.queue and self.phase is not Phase.OVER:
            if self.phase is Phase.BIDDING:
                self._start_exchange()
            else:
                self._end_round()
        if self.queue:
            self.seat = self.queue[0]

    def _start_deal(self) -> None:
        self.stock = list(self.deck)
        self.rng.shuffle(self.stock)
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.lots = {side: self._draw(LOT_SIZE) for side in Side}
        self.quiet_rounds = 0
        self.last_round = False
        self._start_bidding()

    def _start_bidding(self) -> None:
        self.phase = Phase.BIDDING
        self.queue = [seat for seat, player in enumerate(self.players) if player.hand]

    def _start_exchange(self) -> None:
        self.phase = Phase.EXCHANGE
        bidders = [seat for seat, player in enumerate(self.players) if player.bid]
        self.queue = sorted(bidders, key=lambda seat: precedence(self.players[seat].bid))

    def _end_round(self) -> None:
        if self.last_round:
            self._end_deal()
            return
        drawn = self._refill()
        self.quiet_rounds = 0 if drawn else self.quiet_rounds + 1
        self.last_round = not self.stock or self.quiet_rounds == QUIET_LIMIT
        self._start_bidding()

    def _end_deal(self) -> None:
        for player in self.players:
            player.points += fortune(player.hand)
        self.deals_left -= 1
        if self.deals_left:
            self._start_deal()
        else:
            self.phase = Phase.OVER

    def _draw(self, number: int) -> list[Card]:
        """Take so many cards from the stock, or all if there are fewer."""
        return [self.stock.pop() for _ in range(min(number, len(self.stock)))]

    def _refill(self) -> int:
        """Fill up the lots as far as the stock goes, and return how many cards were drawn."""
        before = len(self.stock)
        for lot in self.lots.values():
            lot.extend(self._draw(max(LOT_SIZE - len(lot), 0)))
        return before - len(self.stock)

    # --- the actions ---

    def _bid(self, action: Action) -> None:
        """Lay one card into the bid of the player, or close it."""
        player = self.players[self.seat]
        match action:
            case Card():
                player.hand.remove(action)
                player.bid.append(action)
            case Move.CLOSE_BID:
                self.queue.pop(0)
            case _:
                raise ValueError(f"{action} is not part of a bid")

    def _exchange(self, action: Action) -> None:
        """Give the player what the bid is exchanged for; a player whose bid is taken comes next, with the new bid."""
        player = self.players[self.seat]
        match action:
            case Move.KEEP:
                player.hand += player.bid
            case TakeLot(side):
                player.hand += self.lots[side]
                self.lots[side] = player.bid
            case TakeBid(seat):
                other = self.players[seat]
                player.hand += other.bid
                other.bid = player.bid
                self.queue.remove(seat)
                self.queue.insert(1, seat)
            case _:
                raise ValueError(f"{action} is not an exchange")
        player.bid = []
        self.queue.pop(0)


class Result(NamedTuple):
    """How a game ended, and how many decisions it took."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int, deals: int = 3) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    Each bid counts as one decision, when it is closed; any other choice counts if there was more than one action.
    """
    game = Game(players, seed, deals)
    rng = Random(f"choices of game {seed}")  # apart from the chance of the game itself, which has the plain seed
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        if game.card_by_card:
            decisions += action is Move.CLOSE_BID
        else:
            decisions += len(actions) > 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 100) -> None:
    """Print mean scores and mean decisions of some random games for each number of players."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        results = [random_game(players, seed) for seed in range(games)]
        mean_score = mean(score for result in results for score in result.scores)
        mean_decisions = mean(result.decisions for result in results)
        print(f"{players} players: mean score {mean_score:.1f}, mean decisions {mean_decisions:.1f} ({games} games)")


if __name__ == "__main__":
    main()
