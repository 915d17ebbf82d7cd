"""The card game "Money" for 3 to 5 players.

Players collect notes of several currencies.  In every round each player lays a sealed bid of cards from the hand.
The bids are then shown, and from the highest to the lowest each bidder may exchange the bid for one of the two lots on
the table or for the bid of another player.  The lots are refilled from the stock; one more round is played after the
stock has run out.  Then the hands are scored, and the next deal begins.

Everything that chance decides (the currencies in play and the order of the stock in every deal) is settled when a
`Game` is made.  What follows depends on the actions alone, so a clone needs no source of randomness of its own.

Typical use::

    game = Game(players=4, seed=1)
    while actions := game.legal_actions():
        game.apply(choose(game.seat, actions))
    print(game.scores(), game.winners())
"""

import copy
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

MIN_PLAYERS = 3
MAX_PLAYERS = 5
MIN_DEALS = 1
MAX_DEALS = 9
DEFAULT_DEALS = 3

NOTE_COPIES = {20: 3, 30: 3, 40: 1, 50: 1, 60: 1}  # of each value in every currency
COIN_VALUE = 10
COIN_COPIES = 6
SPARE_CURRENCIES = 2  # there are that many more currencies in play than players

HAND_SIZE = 6
LOT_SIZE = 4
QUIET_LIMIT = 40  # that many rounds in a row without a card drawn lead to the last round

FULL_WORTH = 200  # a currency of at least this worth counts in full
CURRENCY_LOSS = 100  # what any other currency loses, down to nothing
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


class Card(NamedTuple):
    """A note, or a coin if it has no currency.  As an action: add this card to the bid."""

    serial: int
    value: int
    currency: Currency | None


class Lot(Enum):
    """The two lots on the table, in the order in which they are refilled."""

    RIGHT = auto()
    LEFT = auto()


class Simple(Enum):
    """The actions that need no further detail."""

    CLOSE_BID = auto()
    KEEP = auto()


@dataclass(frozen=True, slots=True)
class TakeLot:
    """Exchange the own bid for a lot."""

    lot: Lot


@dataclass(frozen=True, slots=True)
class TakeBid:
    """Exchange the own bid for that of the player in another seat."""

    seat: int


Action = Card | Simple | TakeLot | TakeBid


class Phase(Enum):
    """What the player in turn is asked for."""

    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


def _make_box() -> tuple[Card, ...]:
    """All cards, with serials from 1 on; the coins come last."""
    kinds: list[tuple[int, Currency | None]] = [
        (value, currency) for currency in Currency for value, copies in NOTE_COPIES.items() for _ in range(copies)
    ]
    kinds += [(COIN_VALUE, None)] * COIN_COPIES
    return tuple(Card(serial, value, currency) for serial, (value, currency) in enumerate(kinds, start=1))


BOX = _make_box()


def worth(cards: Iterable[Card]) -> int:
    """The total value of the cards."""
    return sum(card.value for card in cards)


def bid_strength(bid: Sequence[Card]) -> tuple[int, int]:
    """A key that is greater for the bid that goes first: by worth, among equals by the lowest serial."""
    return worth(bid), -min(card.serial for card in bid)


def kept(currency_worth: int) -> int:
    """What counts of the worth of all notes of one currency."""
    if currency_worth >= FULL_WORTH:
        return currency_worth
    return max(0, currency_worth - CURRENCY_LOSS)


def triplets(cards: Iterable[Card]) -> int:
    """The number of complete triplets; only the 20s and the 30s of a currency are in the box three times."""
    kinds = Counter((card.currency, card.value) for card in cards if card.currency is not None)
    return sum(count == TRIPLET_SIZE for count in kinds.values())


def fortune(cards: Sequence[Card]) -> int:
    """The points for the cards in a hand at the end of a deal."""
    coins = 0
    notes: Counter[Currency] = Counter()
    for card in cards:
        if card.currency is None:
            coins += card.value
        else:
            notes[card.currency] += card.value
    return coins + sum(map(kept, notes.values())) + TRIPLET_BONUS * triplets(cards)


@dataclass(slots=True)
class Player:
    """What belongs to one player."""

    hand: list[Card] = field(default_factory=list)
    bid: list[Card] = field(default_factory=list)
    points: int = 0

    def clone(self) -> "Player":
        """An independent copy (the cards themselves never change)."""
        return Player(self.hand.copy(), self.bid.copy(), self.points)

    def lay(self, card: Card) -> None:
        """Move a card from the hand to the bid."""
        self.hand.remove(card)
        self.bid.append(card)

    def give_bid(self) -> list[Card]:
        """Hand over the whole bid, so that none is left."""
        bid, self.bid = self.bid, []
        return bid


class Game:
    """One game of Money, from the first deal to the last.

    `seat` is the number of the player who chooses now; it means nothing once the game is over.
    """

    def __init__(self, players: int, seed: int, deals: int = DEFAULT_DEALS) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"Money is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
        if not MIN_DEALS <= deals <= MAX_DEALS:
            raise ValueError(f"a game has {MIN_DEALS} to {MAX_DEALS} deals, not {deals}")
        self.seat = 0
        self.players = [Player() for _ in range(players)]
        self.lots: dict[Lot, list[Card]] = {}
        self.stock: list[Card] = []
        self._phase = Phase.BIDDING
        self._decks = self._shuffle_decks(players, random.Random(seed), deals)
        self._deals_begun = 0
        self._bidders: list[int] = []  # seats with a bid on the table, the highest bid first
        self._quiet_rounds = 0
        self._last_round = False
        self._start_deal()

    # What can be asked and done

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is only a part of a choice: a card of a bid, or the end of the bid."""
        return self._phase is Phase.BIDDING

    def legal_actions(self) -> list[Action]:
        """All that the player in turn may do now; empty only when the game is over."""
        match self._phase:
            case Phase.BIDDING:
                return [*self.players[self.seat].hand, Simple.CLOSE_BID]
            case Phase.EXCHANGE:
                filled_lots = [TakeLot(lot) for lot, cards in self.lots.items() if cards]
                other_bids = [TakeBid(seat) for seat in self._bidders[1:]]
                return [Simple.KEEP, *filled_lots, *other_bids]
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out an action, which must be one of the legal ones (this is not checked)."""
        match action:
            case Card():
                self.players[self.seat].lay(action)
            case Simple.CLOSE_BID:
                self._ask_for_bid(self.seat + 1)
            case Simple.KEEP:
                self._keep()
            case TakeLot(lot):
                self._take_lot(lot)
            case TakeBid(seat):
                self._take_bid(seat)

    def clone(self) -> "Game":
        """An independent copy that will draw the same cards; what never changes in place is shared."""
        twin = copy.copy(self)
        twin.players = [player.clone() for player in self.players]
        twin.lots = {lot: cards.copy() for lot, cards in self.lots.items()}
        twin.stock = self.stock.copy()
        twin._bidders = self._bidders.copy()
        return twin

    def scores(self) -> list[int]:
        """The points of all players from the deals that have been scored, by seat."""
        return [player.points for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # Deals

    @staticmethod
    def _shuffle_decks(players: int, rng: random.Random, deals: int) -> tuple[tuple[Card, ...], ...]:
        """The shuffled cards of every deal; the currencies in play are the same for all of them."""
        in_play = rng.sample(list(Currency), players + SPARE_CURRENCIES)
        cards = [card for card in BOX if card.currency is None or card.currency in in_play]
        return tuple(tuple(rng.sample(cards, len(cards))) for _ in range(deals))

    def _start_deal(self) -> None:
        self.stock = list(self._decks[self._deals_begun])
        self._deals_begun += 1
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.lots = {lot: self._draw(LOT_SIZE) for lot in Lot}
        self._quiet_rounds = 0
        self._last_round = False
        self._start_bidding()

    def _draw(self, wanted: int) -> list[Card]:
        """Draw that many cards from the stock, as far as there are any (none if the number is negative)."""
        return [self.stock.pop() for _ in range(min(wanted, len(self.stock)))]

    def _end_deal(self) -> None:
        for player in self.players:
            player.points += fortune(player.hand)
        if self._deals_begun < len(self._decks):
            self._start_deal()
        else:
            self._phase = Phase.OVER

    # Bidding

    def _start_bidding(self) -> None:
        self._phase = Phase.BIDDING
        self._ask_for_bid(0)

    def _ask_for_bid(self, first_seat: int) -> None:
        """Let the next player with a card bid, from the given seat on; without one the bids are shown."""
        for seat in range(first_seat, len(self.players)):
            if self.players[seat].hand:
                self.seat = seat
                return
        self._start_exchange()

    # Exchange

    def _start_exchange(self) -> None:
        self._phase = Phase.EXCHANGE
        bidders = [seat for seat, player in enumerate(self.players) if player.bid]
        self._bidders = sorted(bidders, key=lambda seat: bid_strength(self.players[seat].bid), reverse=True)
        self._next_exchange()

    def _next_exchange(self) -> None:
        """Let the highest bidder choose; without any the round is over."""
        if self._bidders:
            self.seat = self._bidders[0]
        else:
            self._end_round()

    def _keep(self) -> None:
        player = self.players[self.seat]
        player.hand += player.give_bid()
        self._bidders.pop(0)
        self._next_exchange()

    def _take_lot(self, lot: Lot) -> None:
        player = self.players[self.seat]
        player.hand += self.lots[lot]
        self.lots[lot] = player.give_bid()
        self._bidders.pop(0)
        self._next_exchange()

    def _take_bid(self, other_seat: int) -> None:
        """Swap bids; the other player now holds the highest one and so takes the first place in the order."""
        player, other = self.players[self.seat], self.players[other_seat]
        player.hand += other.bid
        other.bid = player.give_bid()
        self._bidders.remove(other_seat)
        self._bidders[0] = other_seat
        self._next_exchange()

    # The end of a round

    def _end_round(self) -> None:
        if self._last_round:
            self._end_deal()
        else:
            self._refill()
            self._last_round = not self.stock or self._quiet_rounds == QUIET_LIMIT
            self._start_bidding()

    def _refill(self) -> None:
        """Fill up the lots, the right one first, and count the rounds in a row that drew no card."""
        before = len(self.stock)
        for cards in self.lots.values():
            cards += self._draw(LOT_SIZE - len(cards))
        self._quiet_rounds = 0 if len(self.stock) < before else self._quiet_rounds + 1


class Result(NamedTuple):
    """The outcome of a game and the number of decisions it took."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int, deals: int = DEFAULT_DEALS) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    A bid counts as one decision, when it is closed; any other choice counts if there was more than one legal action.
    """
    game = Game(players, seed, deals)
    rng = random.Random(f"choices {seed}")  # not the numbers that shuffled the cards
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        if action is Simple.CLOSE_BID or (len(actions) > 1 and not game.card_by_card):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 200) -> None:
    """Print mean scores and mean decisions of random games for each number of players."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        results = [random_game(players, seed) for seed in range(games)]
        score = sum(sum(result.scores) for result in results) / (games * players)
        decisions = sum(result.decisions for result in results) / games
        print(f"{players} players: mean score {score:.1f}, mean decisions {decisions:.1f} ({games} random games)")


if __name__ == "__main__":
    main()
