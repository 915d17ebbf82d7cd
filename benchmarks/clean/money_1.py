"""The card game "Money" for 3 to 5 players in clean Python: first of several versions.

Written to be read, as one would write a single game by hand: cards, players and actions are small objects, and a `Game`
has `legal_actions()`, `apply()`, `clone()` and `scores()`. Nothing is slow on purpose; what makes the same game faster
at the price of its clarity is in tuned/money_1.py.

Run the file to print games per second, mean scores and mean decisions.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

HAND_SIZE: Final = 6
LOT_SIZE: Final = 4
FULL_WORTH: Final = 200  # from here on a currency counts in full
LOSS: Final = 100  # what it loses below that
TRIPLET_BONUS: Final = 100  # for all 20s or all 30s of a currency
TRIPLET_VALUES: Final = (20, 30)
QUIET_ROUNDS: Final = 40  # so many rounds without a draw end a deal
PLAYERS: Final = (3, 4, 5)

# --- Cards ----------------------------------------------------------------


class Currency(Enum):
    DOLLAR = auto()
    POUND = auto()
    KRONA = auto()
    ROUBLE = auto()
    YEN = auto()
    FRANC = auto()
    EURO = auto()


@dataclass(frozen=True, slots=True, eq=False)  # each is one card of the box, equal to itself alone
class Card:
    """A note, or a coin, which has no currency."""

    currency: Currency | None
    value: int
    serial: int


DENOMINATIONS: Final = (60, 50, 40, 30, 30, 30, 20, 20, 20)
COINS: Final = 6


def _box() -> list[Card]:
    """All cards. Of equal bids the lowest serial goes first: they run through the currencies, the coins come last."""
    faces: list[tuple[Currency | None, int]] = [(currency, value) for value in DENOMINATIONS for currency in Currency]
    faces += [(None, 10)] * COINS
    return [Card(currency, value, serial) for serial, (currency, value) in enumerate(faces, start=1)]


BOX: Final = _box()


def worth(cards: list[Card]) -> int:
    """What a bid counts for in the exchange."""
    return sum(card.value for card in cards)


def fortune(cards: list[Card]) -> int:
    """What a hand brings at the end of a deal."""
    total = 0
    worths: Counter[Currency] = Counter()
    alike: Counter[tuple[Currency, int]] = Counter()
    for card in cards:
        if card.currency is None:
            total += card.value
        else:
            worths[card.currency] += card.value
            alike[card.currency, card.value] += 1
    for value in worths.values():
        total += value if value >= FULL_WORTH else max(value - LOSS, 0)
    for (_, value), count in alike.items():
        if value in TRIPLET_VALUES and count == 3:
            total += TRIPLET_BONUS
    return total


# --- Actions --------------------------------------------------------------


class TakeBid(NamedTuple):
    """Exchange the own bid for that of another player."""

    seat: int


@dataclass(frozen=True, slots=True)
class Plain:
    """An action that its name tells in full."""

    name: str


Action = Card | TakeBid | Plain  # a card goes from the hand to the bid
CLOSE_BID: Final = Plain("close the bid")
KEEP: Final = Plain("take the own bid back")
TAKE_RIGHT: Final = Plain("exchange it for the right lot")
TAKE_LEFT: Final = Plain("exchange it for the left lot")

# --- The game -------------------------------------------------------------


class Phase(Enum):
    BIDDING = auto()
    EXCHANGE = auto()
    OVER = auto()


class Player:
    __slots__ = ("bid", "hand", "points")

    def __init__(self) -> None:
        self.hand: list[Card] = []
        self.bid: list[Card] = []
        self.points = 0

    def clone(self) -> Player:
        copy = Player.__new__(Player)
        copy.hand = self.hand[:]
        copy.bid = self.bid[:]
        copy.points = self.points
        return copy


class Game:
    """One game in progress; `seat` is the number of the player who chooses."""

    __slots__ = (
        "deals_left", "deck", "last_round", "left", "phase", "players", "quiet_rounds", "right", "seat", "seed",
        "stock", "waiting",
    )  # fmt: skip

    def __init__(self, players: int, seed: int, deals: int = 3) -> None:
        """Set up a game; `seed` decides which currencies are left out and how the cards lie."""
        if players not in PLAYERS:
            raise ValueError(f"players must be 3, 4 or 5, not {players}")
        rng = random.Random(seed)
        left_out = rng.sample(list(Currency), PLAYERS[-1] - players)
        self.seed = rng.getrandbits(64)  # of the next shuffle: chance is one number, so clones are cheap
        self.deck = [card for card in BOX if card.currency not in left_out]
        self.players = [Player() for _ in range(players)]
        self.deals_left = deals
        self.phase = Phase.BIDDING
        self.seat = 0
        self.waiting: list[int] = []  # seats whose bids are still on the table, the next first
        self.right: list[Card] = []
        self.left: list[Card] = []
        self.quiet_rounds = 0  # in a row, without a draw
        self.last_round = False
        self._deal()

    def clone(self) -> Game:
        """An independent copy, which will draw the same cards."""
        copy = Game.__new__(Game)
        copy.players = [player.clone() for player in self.players]
        copy.right = self.right[:]
        copy.left = self.left[:]
        copy.stock = self.stock[:]
        copy.deck = self.deck  # never changed
        copy.waiting = self.waiting[:]
        copy.seat = self.seat
        copy.phase = self.phase
        copy.deals_left = self.deals_left
        copy.quiet_rounds = self.quiet_rounds
        copy.last_round = self.last_round
        copy.seed = self.seed
        return copy

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is a part of a choice: one card of a bid, or its end."""
        return self.phase is Phase.BIDDING

    def scores(self) -> list[int]:
        return [player.points for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        best = max(self.scores())
        return [seat for seat, player in enumerate(self.players) if player.points == best]

    # --- Choices

    def legal_actions(self) -> list[Action]:
        """What the player may do now: nothing only when the game is over."""
        if self.phase is Phase.BIDDING:
            return [*self.players[self.seat].hand, CLOSE_BID]
        if self.phase is Phase.EXCHANGE:
            actions: list[Action] = [KEEP]
            if self.right:
                actions.append(TAKE_RIGHT)
            if self.left:
                actions.append(TAKE_LEFT)
            actions += [TakeBid(seat) for seat in self.waiting]
            return actions
        return []

    def apply(self, action: Action) -> None:
        """Carry out one of the `legal_actions()`."""
        player = self.players[self.seat]
        if isinstance(action, Card):
            player.hand.remove(action)
            player.bid.append(action)
        elif action is CLOSE_BID:
            self._next_bidder(self.seat + 1)
        else:
            self._exchange(player, action)
            self._next_exchange()

    def _exchange(self, player: Player, action: TakeBid | Plain) -> None:
        bid, player.bid = player.bid, []
        if isinstance(action, TakeBid):
            other = self.players[action.seat]
            player.hand += other.bid
            other.bid = bid
            # That bid is the highest on the table, so its new owner is next.
            self.waiting.remove(action.seat)
            self.waiting.insert(0, action.seat)
        elif action is TAKE_RIGHT:
            player.hand += self.right
            self.right = bid
        elif action is TAKE_LEFT:
            player.hand += self.left
            self.left = bid
        else:
            player.hand += bid

    # --- Rounds

    def _next_bidder(self, first: int) -> None:
        """Let the next player who has a card bid; after the last one exchange."""
        for seat in range(first, len(self.players)):
            if self.players[seat].hand:
                self.seat = seat
                return
        self._begin_exchange()

    def _begin_round(self) -> None:
        self.phase = Phase.BIDDING
        self._next_bidder(0)

    def _begin_exchange(self) -> None:
        """The highest bid goes first, of equals the one with the lowest serial."""

        def rank(seat: int) -> tuple[int, int]:
            bid = self.players[seat].bid
            return -worth(bid), min(card.serial for card in bid)

        self.phase = Phase.EXCHANGE
        self.waiting = sorted((seat for seat, player in enumerate(self.players) if player.bid), key=rank)
        self._next_exchange()

    def _next_exchange(self) -> None:
        if self.waiting:
            self.seat = self.waiting.pop(0)
        elif self.last_round:
            self._end_deal()
        else:
            self._refill_lots()
            self._begin_round()

    def _refill_lots(self) -> None:
        """Fill up both lots. An empty stock, or too many rounds without a draw, make the next round the last."""
        before = len(self.stock)
        self.right += self._draw(LOT_SIZE - len(self.right))
        self.left += self._draw(LOT_SIZE - len(self.left))
        self.quiet_rounds = self.quiet_rounds + 1 if len(self.stock) == before else 0
        self.last_round = not self.stock or self.quiet_rounds == QUIET_ROUNDS

    # --- Deals

    def _deal(self) -> None:
        rng = random.Random(self.seed)
        self.seed = rng.getrandbits(64)
        self.stock = self.deck[:]
        rng.shuffle(self.stock)
        for player in self.players:
            player.hand = self._draw(HAND_SIZE)
        self.right = self._draw(LOT_SIZE)
        self.left = self._draw(LOT_SIZE)
        self.quiet_rounds = 0
        self.last_round = False
        self._begin_round()

    def _draw(self, count: int) -> list[Card]:
        """So many cards of the stock, or as many as there are."""
        return [self.stock.pop() for _ in range(min(count, len(self.stock)))]

    def _end_deal(self) -> None:
        for player in self.players:
            player.points += fortune(player.hand)
        self.deals_left -= 1
        if self.deals_left:
            self._deal()
        else:
            self.phase = Phase.OVER


# --- Random play ----------------------------------------------------------


class Result(NamedTuple):
    """Outcome of a game; `decisions` leaves out choices with a single action, and a bid is one."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int, deals: int = 3) -> Result:
    """Play a game in which each choice is even over the legal actions."""
    rng = random.Random(seed)
    game = Game(players, rng.getrandbits(64), deals)
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        # A bid is one decision however many cards it has: its end is counted.
        if action is CLOSE_BID or (len(actions) > 1 and not isinstance(action, Card)):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 300) -> None:
    """Print speed and means of random play for each number of players."""
    for players in PLAYERS:
        start = time.perf_counter()
        results = [random_game(players, seed) for seed in range(games)]
        seconds = time.perf_counter() - start
        means = [sum(result.scores[seat] for result in results) / games for seat in range(players)]
        decisions = sum(result.decisions for result in results) / games
        print(
            f"{players} players: {games / seconds:.0f} games/s, mean scores "
            + " ".join(f"{mean:.2f}" for mean in means)
            + f", mean decisions {decisions:.2f}"
        )


if __name__ == "__main__":
    main()
