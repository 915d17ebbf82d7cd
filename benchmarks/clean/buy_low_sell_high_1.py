"""The board game "Buy Low, Sell High" for 2 to 4 players in clean Python: first of several versions.

Written to be read, as one would write a single game by hand: cards, charts, players and actions are small objects, and
a `Game` has `legal_actions()`, `apply()`, `clone()` and `scores()`. Nothing is slow on purpose; what makes the same
game faster at the price of its clarity is in tuned/buy_low_sell_high_1.py.

Run the file to print games per second, mean scores and mean decisions.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Final, NamedTuple

START_CASH: Final = 50
TOKENS: Final = 12  # of each industry
PRICES: Final = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
START_CELL: Final = PRICES.index(24)
DIVIDENDS: Final = (0, 1, 2, 4, 8, 12)  # for each share, by number of dividend cards
TAX: Final = 2  # for each share
HAND_SIZE: Final = 5
SPACES: Final = {2: 7, 3: 10, 4: 13}  # cards that fill a year, by number of players
YEARS: Final = 3

# --- Cards ----------------------------------------------------------------


class Industry(IntEnum):  # its members are the places in lists with one entry for each
    OIL = 0
    TECH = 1
    RETAIL = 2


INDUSTRIES: Final = tuple(Industry)


class Kind(Enum):
    TREND = auto()
    DIVIDEND = auto()
    TAX = auto()
    EVENT = auto()


@dataclass(frozen=True, slots=True, eq=False)  # each is one card of the pile, equal to itself alone
class Card:
    kind: Kind
    industry: Industry
    points: int = 0  # of a trend: how far the prices move, down if negative


def _deck() -> list[Card]:
    trends = {
        Industry.OIL: (1, 2, 2, 2, -1, -2, -2, -2),
        Industry.TECH: (1, 2, 2, 3, 3, -1, -2, -3, -3),
        Industry.RETAIL: (1, 2, 2, 2, 3, -1, -2, -2, -3),
    }
    others = {
        Industry.OIL: {Kind.DIVIDEND: 5, Kind.TAX: 1, Kind.EVENT: 1},
        Industry.TECH: {Kind.DIVIDEND: 3, Kind.TAX: 1, Kind.EVENT: 2},
        Industry.RETAIL: {Kind.DIVIDEND: 4, Kind.TAX: 1, Kind.EVENT: 1},
    }
    deck = []
    for industry in INDUSTRIES:
        deck += [Card(Kind.TREND, industry, points) for points in trends[industry]]
        for kind, copies in others[industry].items():
            deck += [Card(kind, industry) for _ in range(copies)]
    return deck


DECK: Final = _deck()

# --- Actions --------------------------------------------------------------


class Side(Enum):
    BUY = auto()
    SELL = auto()


class Trade(NamedTuple):
    side: Side
    industry: Industry


class Cover(NamedTuple):
    """Lay an event over a played card."""

    event: Card
    target: Card


@dataclass(frozen=True, slots=True)
class Plain:
    """An action that its name tells in full."""

    name: str


Action = Trade | Card | Cover | Plain  # a card is played, or discarded between two years
STOP: Final = Plain("stop trading")
PASS: Final = Plain("no card can be played")
DONE: Final = Plain("done with discarding")

# --- Charts and players ---------------------------------------------------


class Chart:
    """The tokens of an industry that are for sale: cells of `PRICES`, from the highest to the lowest."""

    __slots__ = ("cells",)

    def __init__(self, cells: list[int]) -> None:
        self.cells = cells

    def clone(self) -> Chart:
        return Chart(self.cells[:])

    @property
    def price(self) -> int:
        return PRICES[self.cells[-1]]

    def take_lowest(self) -> int:
        """Take the cheapest token off; what it costs."""
        return PRICES[self.cells.pop()]

    def put_below(self) -> int:
        """Put a token back below the cheapest one; what it brings."""
        cell = max(self.cells[-1] - 1, 0)
        self.cells.append(cell)
        return PRICES[cell]

    def move(self, points: int) -> None:
        """Move so many tokens from one end to the other, upwards if `points` is positive."""
        cells = self.cells
        for _ in range(points):
            cells.insert(0, min(cells[0] + 1, len(PRICES) - 1))
            cells.pop()
        for _ in range(-points):
            self.put_below()
            cells.pop(0)


class Player:
    __slots__ = ("cash", "hand", "shares")

    def __init__(self, cash: int, shares: list[int], hand: list[Card]) -> None:
        self.cash = cash
        self.shares = shares  # by industry
        self.hand = hand

    def clone(self) -> Player:
        return Player(self.cash, self.shares[:], self.hand[:])


# --- The game -------------------------------------------------------------


class Phase(Enum):
    TRADING = auto()
    PLAYING = auto()
    DISCARDING = auto()  # between two years
    SELLING_OUT = auto()  # after the last year
    OVER = auto()


class Game:
    """One game in progress; `seat` is the number of the player who chooses."""

    __slots__ = (
        "aside", "board", "charts", "covered", "dealt", "deals", "discarders", "phase", "pile", "players", "room",
        "seat", "seed", "spaces", "turn", "year",
    )  # fmt: skip

    def __init__(self, players: int, seed: int) -> None:
        """Set up a game; `seed` decides the first player and how the cards lie."""
        if players not in SPACES:
            raise ValueError(f"players must be 2, 3 or 4, not {players}")
        rng = random.Random(seed)
        self.seat = rng.randrange(players)
        self.seed = rng.getrandbits(64)  # of the next shuffle: chance is one number, so clones are cheap
        self.pile = DECK[:]
        self._shuffle()
        self.players = [Player(START_CASH, [1] * len(INDUSTRIES), []) for _ in range(players)]
        for player in self.players:
            self._fill_hand(player)
        lowest = START_CELL - (TOKENS - players)
        self.charts = [Chart(list(range(START_CELL, lowest, -1))) for _ in INDUSTRIES]
        self.board: list[Card] = []  # the cards of this year that count
        self.covered: list[Card] = []  # those that do not any more, and the events on them
        self.aside: list[Card] = []
        self.spaces = SPACES[players]  # left in this year
        self.year = 1
        self.turn = 0  # taken so far, by all together
        self.phase = Phase.TRADING
        self.discarders = 0  # who have still to change their hands
        self._begin_turn()

    def clone(self) -> Game:
        """An independent copy, which will draw the same cards."""
        copy = Game.__new__(Game)
        copy.players = [player.clone() for player in self.players]
        copy.charts = [chart.clone() for chart in self.charts]
        copy.pile = self.pile[:]
        copy.board = self.board[:]
        copy.covered = self.covered[:]
        copy.aside = self.aside[:]
        copy.dealt = self.dealt[:]
        copy.deals = self.deals
        copy.room = self.room
        copy.spaces = self.spaces
        copy.year = self.year
        copy.turn = self.turn
        copy.seat = self.seat
        copy.phase = self.phase
        copy.discarders = self.discarders
        copy.seed = self.seed
        return copy

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is a part of a choice: one card of a hand change, or its end."""
        return self.phase is Phase.DISCARDING

    def scores(self) -> list[int]:
        return [player.cash for player in self.players]

    def winners(self) -> list[int]:
        """All seats with the highest score."""
        best = max(self.scores())
        return [seat for seat, player in enumerate(self.players) if player.cash == best]

    # --- Choices

    def legal_actions(self) -> list[Action]:
        """What the player may do now: nothing only when the game is over."""
        player = self.players[self.seat]
        if self.phase is Phase.TRADING:
            return self._trades(player)
        if self.phase is Phase.PLAYING:
            return self._card_plays(player)
        if self.phase is Phase.DISCARDING:
            return [*player.hand, DONE]
        if self.phase is Phase.SELLING_OUT:
            return [Trade(Side.SELL, industry) for industry in INDUSTRIES if player.shares[industry]]
        return []

    def _trades(self, player: Player) -> list[Action]:
        actions: list[Action] = []
        for industry in INDUSTRIES:
            chart = self.charts[industry]
            if len(chart.cells) > 1 and chart.price <= player.cash and self._may_trade(Side.BUY, industry):
                actions.append(Trade(Side.BUY, industry))
            if player.shares[industry] and self._may_trade(Side.SELL, industry):
                actions.append(Trade(Side.SELL, industry))
        # Who is in debt has to go on selling while the turn allows it.
        if player.cash >= 0 or not actions:
            actions.append(STOP)
        return actions

    def _may_trade(self, side: Side, industry: Industry) -> bool:
        """Trades of a turn are in different industries, or they are two of the same kind in one."""
        before = self.dealt[industry]
        if before is None:
            return self.room > 0
        return before is side and self.deals == 1 and self.turn > 1

    def _card_plays(self, player: Player) -> list[Action]:
        actions: list[Action] = []
        for card in player.hand:
            if card.kind is not Kind.EVENT:
                actions.append(card)
            else:
                actions += [Cover(card, target) for target in self.board if target.industry is card.industry]
        return actions or [PASS]

    def apply(self, action: Action) -> None:
        """Carry out one of the `legal_actions()`."""
        player = self.players[self.seat]
        if isinstance(action, Trade):
            self._trade(player, action)
        elif isinstance(action, Card):
            player.hand.remove(action)
            if self.phase is Phase.PLAYING:
                self._play(action)
            else:
                self.aside.append(action)
        elif isinstance(action, Cover):
            player.hand.remove(action.event)
            self.board.remove(action.target)
            self.covered += action
            self._end_turn()
        elif action is STOP:
            self.phase = Phase.PLAYING
        elif action is PASS:
            self._end_turn()
        else:
            self._end_discarding()

    # --- Turns

    def _begin_turn(self) -> None:
        self.phase = Phase.TRADING
        self.dealt: list[Side | None] = [None] * len(INDUSTRIES)  # what was done this turn in each
        self.deals = 0  # made this turn
        self.room = min(self.turn + 1, 3)  # how many more industries may be traded in

    def _trade(self, player: Player, trade: Trade) -> None:
        side, industry = trade
        if side is Side.BUY:
            player.cash -= self.charts[industry].take_lowest()
            player.shares[industry] += 1
        else:
            player.cash += self.charts[industry].put_below()
            player.shares[industry] -= 1
        if self.phase is Phase.SELLING_OUT:
            self._next_seat()
            self._skip_sold_out()
        else:
            self.room = 0 if self.dealt[industry] is side else self.room - 1  # after two of one, nothing else
            self.dealt[industry] = side
            self.deals += 1

    def _play(self, card: Card) -> None:
        self.board.append(card)
        self.spaces -= 1
        if card.kind is Kind.TAX:
            for player in self.players:
                player.cash -= TAX * player.shares[card.industry]
            if self.spaces:
                return  # the same player has to play one more card
        self._end_turn()

    def _end_turn(self) -> None:
        self._fill_hand(self.players[self.seat])
        self._next_seat()
        self.turn += 1
        if self.spaces:
            self._begin_turn()
        else:
            self._end_year()

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.players)

    # --- Years

    def _end_year(self) -> None:
        """Move the prices, pay dividends, clear the board; the next player goes on."""
        points = [0] * len(INDUSTRIES)
        dividends = [0] * len(INDUSTRIES)
        for card in self.board:
            points[card.industry] += card.points
            if card.kind is Kind.DIVIDEND:
                dividends[card.industry] += 1
        for industry in INDUSTRIES:
            self.charts[industry].move(points[industry])
            payout = DIVIDENDS[dividends[industry]]
            for player in self.players:
                player.cash += payout * player.shares[industry]
        if self.year == YEARS:
            self.phase = Phase.SELLING_OUT
            self._skip_sold_out()
            return
        self._to_pile(self.board)
        self._to_pile(self.covered)
        self._shuffle()
        self.spaces = SPACES[len(self.players)]
        self.year += 1
        self.phase = Phase.DISCARDING
        self.discarders = len(self.players)

    def _end_discarding(self) -> None:
        """The player's discards are replaced; after the last player the year starts."""
        self._fill_hand(self.players[self.seat])
        self._next_seat()
        self.discarders -= 1
        if not self.discarders:
            self._to_pile(self.aside)
            self._shuffle()
            self._begin_turn()

    def _skip_sold_out(self) -> None:
        """Go to the next player with a share left, or end the game."""
        for _ in self.players:
            if any(self.players[self.seat].shares):
                return
            self._next_seat()
        self.phase = Phase.OVER

    # --- The pile

    def _fill_hand(self, player: Player) -> None:
        while len(player.hand) < HAND_SIZE and self.pile:
            player.hand.append(self.pile.pop())

    def _to_pile(self, cards: list[Card]) -> None:
        self.pile += cards
        cards.clear()

    def _shuffle(self) -> None:
        rng = random.Random(self.seed)
        rng.shuffle(self.pile)
        self.seed = rng.getrandbits(64)


# --- Random play ----------------------------------------------------------


class Result(NamedTuple):
    """Outcome of a game; `decisions` leaves out choices with a single action, and a hand change is one."""

    scores: list[int]
    winners: list[int]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which each choice is even over the legal actions."""
    rng = random.Random(seed)
    game = Game(players, rng.getrandbits(64))
    decisions = 0
    while actions := game.legal_actions():
        action = rng.choice(actions)
        # A hand change is one decision however many cards go: its end is counted.
        if action is DONE or (len(actions) > 1 and not game.card_by_card):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 300) -> None:
    """Print speed and means of random play for each number of players."""
    for players in SPACES:
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
