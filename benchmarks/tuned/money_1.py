"""The card game "Money" for 3 to 5 players in Python tuned by hand.

The same game as clean/money_1.py, where speed comes before clarity: cards are numbers,
actions are ready-made tuples, the generator of chance is one number.  A driver
asks `Game.legal_actions()` at each choice point and passes one of them to
`Game.apply()`; there are none once the game is over.  `random_game()` plays
a whole game by choosing uniformly at every choice point.

Run the file to print games per second, mean scores and mean decisions.
"""

from __future__ import annotations

import random
import time
from typing import Final, NamedTuple

# --- Cards ----------------------------------------------------------------
# A card is its serial number, counted from 0.  The notes come first, 7 times the
# place of the denomination plus the currency, then the coins.

CURRENCIES: Final = 7
DENOMINATIONS: Final = (60, 50, 40, 30, 30, 30, 20, 20, 20)
NOTES: Final = CURRENCIES * len(DENOMINATIONS)
COINS: Final = 6
COIN: Final = 10
CARDS: Final = NOTES + COINS
VALUES: Final = (*(value for value in DENOMINATIONS for _ in range(CURRENCIES)), *(COIN,) * COINS)

HAND_SIZE: Final = 6
LOT_SIZE: Final = 4
FULL_WORTH: Final = 200  # from here on a currency counts in full
LOSS: Final = 100  # what it loses below that
TRIPLET: Final = 100  # for all 20s or all 30s of a currency
QUIET_ROUNDS: Final = 40  # so many rounds without a draw end a deal
PLAYERS: Final = (3, 4, 5)

# --- Actions --------------------------------------------------------------
# An action is (verb, operand); an unused operand is 0.

Action = tuple[int, int]

BID: Final = 0  # hand index
DONE: Final = 1  # end of the bid
KEEP: Final = 2  # no exchange
TAKE_LOT: Final = 3  # 0: right, 1: left
TAKE_BID: Final = 4  # seat

_DONE: Final[Action] = (DONE, 0)
_KEEP: Final[Action] = (KEEP, 0)
_LOTS: Final[tuple[Action, ...]] = ((TAKE_LOT, 0), (TAKE_LOT, 1))
_SEATS: Final[tuple[Action, ...]] = tuple((TAKE_BID, seat) for seat in range(PLAYERS[-1]))
_BIDS: Final[tuple[Action, ...]] = tuple((BID, index) for index in range(CARDS))

# --- Phases ---------------------------------------------------------------

BIDDING: Final = 0
EXCHANGING: Final = 1
OVER: Final = 2

# Constants of the 64-bit linear congruential generator (Knuth's MMIX).
_LCG_FACTOR: Final = 6364136223846793005
_LCG_STEP: Final = 1442695040888963407
_LCG_MASK: Final = (1 << 64) - 1


class Game:
    """One game in progress.

    The public attributes are to be read, not written:

    - `player`: seat whose choice it is; `phase`: one of the phase constants;
    - `points[seat]`: what the finished deals brought;
    - `hands[seat]`, `bids[seat]`, `lots` (right, left): cards;
    - `stock`: the draw pile as an unordered bag.  Each draw takes a random card
      of it, which is the same as drawing from a shuffled pile.
    """

    __slots__ = (
        "players", "player", "phase", "deals_left", "points",
        "hands", "bids", "lots", "stock",
        "_deck", "_queue", "_quiet", "_last_round", "_random_state",
    )  # fmt: skip

    def __init__(self, players: int, seed: int, deals: int = 3) -> None:
        """Set up a game; `seed` decides the currencies left out and all draws."""
        if players not in PLAYERS:
            raise ValueError(f"players must be 3, 4 or 5, not {players}")
        self._random_state = random.Random(seed).getrandbits(64)
        self.players = players
        self.points = [0] * players
        self.deals_left = deals
        self._queue: list[int] = []  # seats whose bid is still on the table, the next first
        self._quiet = 0  # rounds in a row without a draw
        self._last_round = False
        currencies = list(range(CURRENCIES))
        for _ in range(PLAYERS[-1] - players):
            currencies.pop(self._random_below(len(currencies)))
        self._deck = [card for card in range(CARDS) if card >= NOTES or card % CURRENCIES in currencies]
        self._deal()

    def clone(self) -> Game:
        """Return an independent copy, which will draw the same cards."""
        copy = Game.__new__(Game)
        copy.players = self.players
        copy.player = self.player
        copy.phase = self.phase
        copy.deals_left = self.deals_left
        copy.points = self.points[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.bids = [bid[:] for bid in self.bids]
        copy.lots = [lot[:] for lot in self.lots]
        copy.stock = self.stock[:]
        copy._deck = self._deck  # never changed
        copy._queue = self._queue[:]
        copy._quiet = self._quiet
        copy._last_round = self._last_round
        copy._random_state = self._random_state
        return copy

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is a part of a choice: one card of a bid, or its end."""
        return self.phase == BIDDING

    @property
    def over(self) -> bool:
        """Whether the last deal has been counted."""
        return self.phase == OVER

    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat, which are the score once the game is over."""
        return tuple(self.points)

    def winners(self) -> tuple[int, ...]:
        """Return all seats with the highest score."""
        best = max(self.points)
        return tuple(seat for seat, points in enumerate(self.points) if points == best)

    def check(self) -> None:
        """Assert that no card was lost or made up."""
        cards = self.stock + self.lots[0] + self.lots[1]
        for hand, bid in zip(self.hands, self.bids, strict=True):
            cards += hand + bid
        assert sorted(cards) == self._deck

    # --- Choices ----------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Return what `player` may do now: at least one action unless the game is over."""
        phase = self.phase
        if phase == BIDDING:
            return [*_BIDS[: len(self.hands[self.player])], _DONE]
        if phase == EXCHANGING:
            actions = [_KEEP]
            right, left = self.lots
            if right:
                actions.append(_LOTS[0])
            if left:
                actions.append(_LOTS[1])
            for seat in self._queue:
                actions.append(_SEATS[seat])
            return actions
        return []

    def apply(self, action: Action) -> None:
        """Carry out `action`, which must be one of `legal_actions()`."""
        verb, operand = action
        player = self.player
        if verb == BID:
            self.bids[player].append(self.hands[player].pop(operand))
            return
        if verb == DONE:
            self._next_bidder(player + 1)
            return
        bid = self.bids[player]
        if verb == TAKE_LOT:
            self.hands[player] += self.lots[operand]
            self.lots[operand] = bid
        elif verb == TAKE_BID:
            self.hands[player] += self.bids[operand]
            self.bids[operand] = bid
            # That bid is the highest, so its new owner comes next.
            self._queue.remove(operand)
            self._queue.insert(0, operand)
        else:
            self.hands[player] += bid
        self.bids[player] = []
        self._next_exchange()

    # --- Rounds -----------------------------------------------------------

    def _next_bidder(self, seat: int) -> None:
        """Let the next player with a card bid; after the last one the exchange begins."""
        for player in range(seat, self.players):
            if self.hands[player]:
                self.player = player
                return
        self._begin_exchange()

    def _begin_round(self) -> None:
        self.phase = BIDDING
        self._next_bidder(0)

    def _begin_exchange(self) -> None:
        """Queue those who bid: the highest worth first, of equals the lowest serial."""
        self.phase = EXCHANGING
        ranked = []
        for seat, bid in enumerate(self.bids):
            if bid:
                worth = 0
                for card in bid:
                    worth += VALUES[card]
                ranked.append((-worth, min(bid), seat))
        ranked.sort()
        self._queue = [seat for _, _, seat in ranked]
        self._next_exchange()

    def _next_exchange(self) -> None:
        if self._queue:
            self.player = self._queue.pop(0)
        elif self._last_round:
            self._end_deal()
        else:
            self._refill()
            self._begin_round()

    def _refill(self) -> None:
        """Fill up both lots; an empty stock or too many rounds without a draw make the next round the last."""
        before = len(self.stock)
        for lot in self.lots:
            self._draw(lot, LOT_SIZE - len(lot))
        left = len(self.stock)
        self._quiet = self._quiet + 1 if left == before else 0
        self._last_round = not left or self._quiet == QUIET_ROUNDS

    # --- Deals ------------------------------------------------------------

    def _deal(self) -> None:
        self.stock = self._deck[:]
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.bids: list[list[int]] = [[] for _ in range(self.players)]
        self.lots: list[list[int]] = [[], []]
        for hand in self.hands:
            self._draw(hand, HAND_SIZE)
        for lot in self.lots:
            self._draw(lot, LOT_SIZE)
        self._quiet = 0
        self._last_round = False
        self._begin_round()

    def _end_deal(self) -> None:
        for seat, hand in enumerate(self.hands):
            self.points[seat] += fortune(hand)
        self.deals_left -= 1
        if self.deals_left:
            self._deal()
        else:
            self.phase = OVER

    # --- Chance -----------------------------------------------------------

    def _draw(self, cards: list[int], count: int) -> None:
        """Move `count` random cards of the stock, or as many as there are."""
        stock = self.stock
        for _ in range(min(count, len(stock))):
            index = self._random_below(len(stock))
            cards.append(stock[index])
            stock[index] = stock[-1]
            stock.pop()

    def _random_below(self, limit: int) -> int:
        """Return a random number from 0 to `limit` - 1.

        A generator whose state is one number makes clones cheap.
        """
        state = (self._random_state * _LCG_FACTOR + _LCG_STEP) & _LCG_MASK
        self._random_state = state
        return ((state >> 32) * limit) >> 32


def fortune(hand: list[int]) -> int:
    """What a hand is worth at the end of a deal."""
    total = 0
    worths = [0] * CURRENCIES
    kinds: dict[tuple[int, int], int] = {}
    for card in hand:
        value = VALUES[card]
        if card >= NOTES:
            total += value
            continue
        currency = card % CURRENCIES
        worths[currency] += value
        if value in (20, 30):
            kinds[currency, value] = kinds.get((currency, value), 0) + 1
    for worth in worths:
        total += worth if worth >= FULL_WORTH else max(worth - LOSS, 0)
    for count in kinds.values():
        if count == 3:
            total += TRIPLET
    return total


class Result(NamedTuple):
    """Outcome of a game; `decisions` leaves out choices with a single action, and a bid is one."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int


def random_game(players: int, seed: int, deals: int = 3) -> Result:
    """Play a game in which each choice is uniform over the legal actions."""
    rng = random.Random(seed)
    game = Game(players, rng.getrandbits(64), deals)
    uniform = rng.random
    decisions = 0
    while actions := game.legal_actions():
        count = len(actions)
        action = actions[int(uniform() * count)]
        # A bid is one decision however many cards it has; count its end.
        verb = action[0]
        if verb == DONE or (count > 1 and verb != BID):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 500) -> None:
    """Print speed and means of random play for each number of players."""
    for players in PLAYERS:
        start = time.perf_counter()
        results = [random_game(players, seed) for seed in range(games)]
        seconds = time.perf_counter() - start
        means = [sum(r.scores[seat] for r in results) / games for seat in range(players)]
        decisions = sum(r.decisions for r in results) / games
        print(
            f"{players} players: {games / seconds:.0f} games/s, mean scores "
            + " ".join(f"{mean:.2f}" for mean in means)
            + f", mean decisions {decisions:.2f}"
        )


if __name__ == "__main__":
    main()
