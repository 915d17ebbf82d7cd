"""The card game "Money" for three to five players.

Seven currencies, two lots on the table, sealed bids and a chain of exchanges. A game is a number of deals, a deal a
number of rounds. In each round every player lays a sealed bid; then the bids are exchanged for lots or for other bids,
the highest bid first; then the lots are filled up from the stock. The round after the stock has run out is the last
one of the deal, and the hands are scored.

`Game` holds the state and is driven from outside: ask `legal_actions()`, pass one of them to `apply()`, and repeat
until there are none. Bids are laid card by card, seat by seat; as they are sealed, that order makes no difference.

Running this file prints mean figures of some random games for each number of players.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from statistics import fmean
from typing import NamedTuple, TypeAlias, assert_never

MIN_PLAYERS = 3
MAX_PLAYERS = 5
MAX_DEALS = 9
DEFAULT_DEALS = 3

HAND_SIZE = 6
LOT_SIZE = 4
QUIET_LIMIT = 40  # after so many rounds in a row that drew no card, only the last round of the deal is played

NOTE_VALUES = (60, 50, 40, 30, 30, 30, 20, 20, 20)  # of each currency, in the order of the serials
COIN_VALUE = 10
COIN_COUNT = 6

FULL_WORTH = 200  # a currency of less worth than this ...
SHORTFALL = 100  # ... loses so much of it
TRIPLET_SIZE = 3
TRIPLET_BONUS = 100


# --- Cards ------------------------------------------------------------------------------------------------------------


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
    """A note, or a coin if it has no currency. The serial is unique and settles ties between bids."""

    serial: int
    value: int
    currency: Currency | None = None


def _make_box() -> tuple[Card, ...]:
    """All cards, numbered from 1; the coins come last and so have the highest serials."""
    kinds: list[tuple[int, Currency | None]] = [(value, currency) for currency in Currency for value in NOTE_VALUES]
    kinds += [(COIN_VALUE, None)] * COIN_COUNT
    return tuple(Card(serial, value, currency) for serial, (value, currency) in enumerate(kinds, start=1))


BOX = _make_box()


def worth(cards: Iterable[Card]) -> int:
    """The total value of the cards."""
    return sum(card.value for card in cards)


def bid_rank(bid: Sequence[Card]) -> tuple[int, int]:
    """A key that is greatest for the (non-empty) bid that acts first: the highest worth, then the lowest serial."""
    return worth(bid), -min(card.serial for card in bid)


def kept(currency_worth: int) -> int:
    """What counts of the worth of all notes of one currency in a hand."""
    if currency_worth >= FULL_WORTH:
        return currency_worth
    return max(currency_worth - SHORTFALL, 0)


def fortune(hand: Iterable[Card]) -> int:
    """The points a hand earns at the end of a deal."""
    coins = 0
    worths: Counter[Currency] = Counter()
    copies: Counter[tuple[Currency, int]] = Counter()
    for card in hand:
        if card.currency is None:
            coins += card.value
        else:
            worths[card.currency] += card.value
            copies[card.currency, card.value] += 1
    # Only the 20s and 30s of a currency exist three times, so any three equal notes are a triplet.
    triplets = sum(count == TRIPLET_SIZE for count in copies.values())
    return coins + sum(kept(value) for value in worths.values()) + TRIPLET_BONUS * triplets


# --- Actions ----------------------------------------------------------------------------------------------------------


class Lot(Enum):
    """The two lots on the table, in the order in which they are filled up."""

    RIGHT = auto()
    LEFT = auto()


@dataclass(frozen=True, slots=True)
class LayCard:
    """Bidding: add a card of the hand to the bid."""

    card: Card


@dataclass(frozen=True, slots=True)
class CloseBid:
    """Bidding: leave the bid as it is, possibly empty."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Exchange: take the own bid back into the hand."""


@dataclass(frozen=True, slots=True)
class TakeLot:
    """Exchange: take a lot and leave the own bid in its place."""

    lot: Lot


@dataclass(frozen=True, slots=True)
class TakeBid:
    """Exchange: take the bid of another player, who gets the own bid for it and acts next."""

    owner: int


Action: TypeAlias = LayCard | CloseBid | Keep | TakeLot | TakeBid


# --- The game ---------------------------------------------------------------------------------------------------------


class Phase(Enum):
    """What the player whose turn it is chooses."""

    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


@dataclass(slots=True)
class Player:
    """The cards and points of one player. Cards laid into the bid are no longer in the hand."""

    hand: list[Card] = field(default_factory=list)
    bid: list[Card] = field(default_factory=list)
    points: int = 0

    def lay(self, card: Card) -> None:
        """Move a card from the hand to the bid."""
        self.hand.remove(card)
        self.bid.append(card)

    def keep_bid(self) -> None:
        """Take the bid back into the hand."""
        self.hand += self.bid
        self.bid = []

    def swap_bid_for(self, cards: list[Card]) -> list[Card]:
        """Take the cards into the hand and hand over the bid for them."""
        self.hand += cards
        bid, self.bid = self.bid, []
        return bid

    def clone(self) -> Player:
        """An independent copy."""
        return Player(self.hand.copy(), self.bid.copy(), self.points)


class Game:
    """The state of one game and the rules that change it."""

    def __init__(self, players: int, seed: int, deals: int = DEFAULT_DEALS) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"Money is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
        if not 1 <= deals <= MAX_DEALS:
            raise ValueError(f"a game has 1 to {MAX_DEALS} deals, not {deals}")
        self._rng = random.Random(seed)
        out = self._rng.sample(list(Currency), MAX_PLAYERS - players)
        self._cards = tuple(card for card in BOX if card.currency not in out)
        self._deals_left = deals
        self._quiet_rounds = 0
        self.players = [Player() for _ in range(players)]
        self.lots: dict[Lot, list[Card]] = {}
        self.stock: list[Card] = []
        self.phase = Phase.BIDDING
        self.seat = 0
        self._start_deal()

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is part of a choice of several things: a card of a bid, or the end of the bid."""
        return self.phase is Phase.BIDDING

    def legal_actions(self) -> list[Action]:
        """All that the player whose turn it is may do; empty only when the game is over."""
        match self.phase:
            case Phase.BIDDING:
                return self._bidding_actions()
            case Phase.EXCHANGE:
                return self._exchange_actions()
            case Phase.OVER:
                return []

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions (that it is one is not checked)."""
        player = self.players[self.seat]
        match action:
            case LayCard(card):
                player.lay(card)
            case CloseBid():
                self._ask_for_bid(self.seat + 1)
            case Keep():
                player.keep_bid()
                self._continue_exchange()
            case TakeLot(lot):
                self.lots[lot] = player.swap_bid_for(self.lots[lot])
                self._continue_exchange()
            case TakeBid(owner):
                other = self.players[owner]
                other.bid = player.swap_bid_for(other.bid)
                self._continue_exchange()
            case _:
                assert_never(action)

    def clone(self) -> Game:
        """An independent copy that will draw the same cards and shuffle the same way."""
        twin = copy.copy(self)
        twin._rng = copy.copy(self._rng)
        twin.players = [player.clone() for player in self.players]
        twin.lots = {lot: cards.copy() for lot, cards in self.lots.items()}
        twin.stock = self.stock.copy()
        return twin

    def scores(self) -> list[int]:
        """The points of each seat from the deals scored so far."""
        return [player.points for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    # Actions

    def _bidding_actions(self) -> list[Action]:
        return [*(LayCard(card) for card in self.players[self.seat].hand), CloseBid()]

    def _exchange_actions(self) -> list[Action]:
        actions: list[Action] = [Keep()]
        actions += [TakeLot(lot) for lot, cards in self.lots.items() if cards]
        actions += [TakeBid(seat) for seat in self._bidders() if seat != self.seat]
        return actions

    # Deals

    def _start_deal(self) -> None:
        """Shuffle all cards in play and deal them out anew."""
        self.stock = list(self._cards)
        self._rng.shuffle(self.stock)
        self._quiet_rounds = 0
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.lots = {lot: self._draw(LOT_SIZE) for lot in Lot}
        self._start_bidding()

    def _draw(self, count: int) -> list[Card]:
        """Take cards from the top of the stock, as far as there are any; none if the count is negative."""
        return [self.stock.pop() for _ in range(min(count, len(self.stock)))]

    def _finish_deal(self) -> None:
        """Score all hands; then begin the next deal, or end the game."""
        for player in self.players:
            player.points += fortune(player.hand)
        self._deals_left -= 1
        if self._deals_left:
            self._start_deal()
        else:
            self.phase = Phase.OVER

    # Rounds

    def _start_bidding(self) -> None:
        self.phase = Phase.BIDDING
        self._ask_for_bid(0)

    def _ask_for_bid(self, first: int) -> None:
        """Let the next player with cards bid, from this seat on; when there is none, begin the exchange."""
        for seat in range(first, len(self.players)):
            if self.players[seat].hand:
                self.seat = seat
                return
        self.phase = Phase.EXCHANGE
        self._continue_exchange()

    def _bidders(self) -> list[int]:
        """The seats whose bid is still on the table."""
        return [seat for seat, player in enumerate(self.players) if player.bid]

    def _continue_exchange(self) -> None:
        """Let the highest bidder choose; when all bids are gone, end the round."""
        bidders = self._bidders()
        if bidders:
            self.seat = max(bidders, key=lambda seat: bid_rank(self.players[seat].bid))
        else:
            self._finish_round()

    def _is_last_round(self) -> bool:
        """Whether the stock has run out, or too many rounds in a row have drawn no card.

        Both change only between rounds, so the answer is the same all through a round.
        """
        return not self.stock or self._quiet_rounds == QUIET_LIMIT

    def _finish_round(self) -> None:
        """End the deal after its last round; otherwise refill the lots and begin another round."""
        if self._is_last_round():
            self._finish_deal()
        else:
            self._refill()
            self._start_bidding()

    def _refill(self) -> None:
        """Fill the lots up from the stock, the right one first, and count the rounds in a row that draw no card."""
        before = len(self.stock)
        for lot in self.lots.values():
            lot.extend(self._draw(LOT_SIZE - len(lot)))
        self._quiet_rounds = 0 if len(self.stock) < before else self._quiet_rounds + 1


# --- Random games -----------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """How a game ended, and how many decisions it took."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int, deals: int = DEFAULT_DEALS) -> Result:
    """Play a game in which every action is drawn evenly from the legal ones.

    A bid counts as one decision, when it is closed; any other choice counts if there was more than one legal action.
    """
    game = Game(players, seed, deals)
    rng = random.Random(f"choices {seed}")  # not the stream of the shuffles
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        if game.card_by_card:
            decisions += isinstance(action, CloseBid)
        else:
            decisions += len(actions) > 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 100) -> None:
    """Print mean scores and mean decisions of random games for each number of players."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        results = [random_game(players, seed) for seed in range(games)]
        score = fmean(score for result in results for score in result.scores)
        decisions = fmean(result.decisions for result in results)
        print(f"{players} players: mean score {score:.1f}, mean decisions {decisions:.1f} ({games} random games)")


if __name__ == "__main__":
    main()
