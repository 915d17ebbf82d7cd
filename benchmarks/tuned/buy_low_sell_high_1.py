"""The board game "Buy Low, Sell High" for 2 to 4 players in Python tuned by hand.

The same game as clean/buy_low_sell_high_1.py, where speed comes before clarity: cards are
numbers, actions are ready-made tuples, the generator of chance is one number.  A driver
asks `Game.legal_actions()` at each choice point and passes one of them to
`Game.apply()`; the list is empty once the game is over.  `random_game()` plays
a whole game by choosing uniformly at every choice point.

Run the file to print games per second, mean scores and mean decisions.
"""

from __future__ import annotations

import random
import time
from itertools import pairwise
from typing import Final, NamedTuple

# --- Market ---------------------------------------------------------------

INDUSTRIES: Final = ("oil", "tech", "retail")
ALL: Final = (0, 1, 2)
OTHERS: Final = ((1, 2), (0, 2), (0, 1))
TOKENS: Final = 12  # per industry
START_CASH: Final = 50

PRICES: Final = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
TOP_CELL: Final = len(PRICES) - 1
START_CELL: Final = PRICES.index(24)

# --- Cards ----------------------------------------------------------------
# A card is the number 3 * kind + industry.  Kinds 0 to 5 are the price trends,
# then come dividend, tax and event, so that one comparison tells them apart.

TRENDS: Final = (1, 2, 3, -1, -2, -3)
DIVIDEND: Final = 18  # first dividend card
TAX: Final = 21  # first tax card
EVENT: Final = 24  # first event card

COPIES: Final = (  # per industry: the six trends, dividend, tax, event
    (1, 3, 0, 1, 3, 0, 5, 1, 1),
    (1, 2, 2, 1, 1, 2, 3, 1, 2),
    (1, 3, 1, 1, 2, 1, 4, 1, 1),
)
DECK: Final = tuple(
    3 * kind + industry for industry in ALL for kind, copies in enumerate(COPIES[industry]) for _ in range(copies)
)
DIVIDENDS: Final = (0, 1, 2, 4, 8, 12)  # per share, by number of dividend cards
TAX_RATE: Final = 2  # per share
HAND_SIZE: Final = 5
SPACES: Final = {2: 7, 3: 10, 4: 13}  # cards that fill a year, by number of players
YEARS: Final = 3

# --- Actions --------------------------------------------------------------
# An action is (verb, first operand, second operand); unused operands are 0.

Action = tuple[int, int, int]

BUY: Final = 0  # industry
SELL: Final = 1  # industry
STOP: Final = 2  # end of the trades
PLAY: Final = 3  # hand index
COVER: Final = 4  # hand index of an event, board index of its target
PASS: Final = 5  # no card can be played
DISCARD: Final = 6  # hand index
DONE: Final = 7  # end of the discards

_BUYS: Final[tuple[Action, ...]] = tuple((BUY, i, 0) for i in ALL)
_SELLS: Final[tuple[Action, ...]] = tuple((SELL, i, 0) for i in ALL)
_STOP: Final[Action] = (STOP, 0, 0)
_PLAYS: Final[tuple[Action, ...]] = tuple((PLAY, i, 0) for i in range(HAND_SIZE))
_PASS: Final[Action] = (PASS, 0, 0)
_DISCARDS: Final[tuple[Action, ...]] = tuple((DISCARD, i, 0) for i in range(HAND_SIZE))
_DONE: Final[Action] = (DONE, 0, 0)

# --- Phases ---------------------------------------------------------------

TRADING: Final = 0
PLAYING: Final = 1
EXCHANGING: Final = 2  # hand change between two years
SELLING_OUT: Final = 3  # sale of all shares after the last year
OVER: Final = 4

# Constants of the 64-bit linear congruential generator (Knuth's MMIX).
_LCG_FACTOR: Final = 6364136223846793005
_LCG_STEP: Final = 1442695040888963407
_LCG_MASK: Final = (1 << 64) - 1


class Game:
    """One game in progress.

    The public attributes are to be read, not written:

    - `player`: seat whose choice it is; `phase`: one of the phase constants;
    - `cash[seat]`, `shares[seat][industry]`, `hands[seat]` (cards);
    - `charts[industry]`: cells (indices of `PRICES`) of the tokens for sale,
      from the highest to the lowest;
    - `board`: the uncovered cards of this year; `covered`: the cancelled ones
      and the events on them; `aside`: cards discarded in the hand change;
    - `pile`: the draw pile as an unordered bag.  Each draw takes a random card
      of it, which is the same as drawing from a shuffled pile.
    """

    __slots__ = (
        "players", "player", "phase", "year", "turn", "free_spaces",
        "cash", "shares", "hands", "charts", "pile", "board", "covered", "aside",
        "_dealt", "_buyable", "_sellable", "_exchanges_left", "_random_state",
    )  # fmt: skip

    def __init__(self, players: int, seed: int) -> None:
        """Set up a game; `seed` decides the first player and all draws."""
        if players not in SPACES:
            raise ValueError(f"players must be 2, 3 or 4, not {players}")
        self._random_state = random.Random(seed).getrandbits(64)
        self.players = players
        self.player = self._random_below(players)
        self.phase: int = TRADING
        self.year = 1
        self.turn = 0  # turns taken since the start of the game
        self.free_spaces = SPACES[players]
        self.cash = [START_CASH] * players
        self.shares = [[1, 1, 1] for _ in range(players)]
        lowest = START_CELL - (TOKENS - players)
        self.charts = [list(range(START_CELL, lowest, -1)) for _ in ALL]
        self.pile = list(DECK)
        self.board: list[int] = []
        self.covered: list[int] = []
        self.aside: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(players)]
        for seat in range(players):
            self._refill(seat)
        self._dealt: list[int] = []  # industries of this turn's deals, in order
        self._buyable: tuple[int, ...] = ALL  # what the turn limits still allow
        self._sellable: tuple[int, ...] = ALL
        self._exchanges_left = 0

    def clone(self) -> Game:
        """Return an independent copy, which will draw the same cards."""
        copy = Game.__new__(Game)
        copy.players = self.players
        copy.player = self.player
        copy.phase = self.phase
        copy.year = self.year
        copy.turn = self.turn
        copy.free_spaces = self.free_spaces
        copy.cash = self.cash[:]
        copy.shares = [held[:] for held in self.shares]
        copy.hands = [hand[:] for hand in self.hands]
        copy.charts = [chart[:] for chart in self.charts]
        copy.pile = self.pile[:]
        copy.board = self.board[:]
        copy.covered = self.covered[:]
        copy.aside = self.aside[:]
        copy._dealt = self._dealt[:]
        copy._buyable = self._buyable
        copy._sellable = self._sellable
        copy._exchanges_left = self._exchanges_left
        copy._random_state = self._random_state
        return copy

    @property
    def card_by_card(self) -> bool:
        """Whether the next action is a part of a choice: one card of a hand change, or its end."""
        return self.phase == EXCHANGING

    @property
    def over(self) -> bool:
        """Whether the last share has been sold."""
        return self.phase == OVER

    def scores(self) -> tuple[int, ...]:
        """Return the cash of each seat, which is the score once the game is over."""
        return tuple(self.cash)

    def winners(self) -> tuple[int, ...]:
        """Return all seats with the highest score."""
        best = max(self.cash)
        return tuple(seat for seat, cash in enumerate(self.cash) if cash == best)

    def check(self) -> None:
        """Assert that no token and no card was lost or made up."""
        for industry, chart in enumerate(self.charts):
            assert len(chart) + sum(held[industry] for held in self.shares) == TOKENS
            assert chart and all(0 <= cell <= TOP_CELL for cell in chart)
            for high, low in pairwise(chart):
                assert high == low + 1 or high == low and low in (0, TOP_CELL)
        cards = self.pile + self.board + self.covered + self.aside
        for hand in self.hands:
            cards += hand
        assert sorted(cards) == sorted(DECK)

    # --- Choices ----------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Return what `player` may do now: at least one action unless the game is over."""
        phase = self.phase
        if phase == TRADING:
            return self._trades()
        if phase == PLAYING:
            return self._card_plays()
        if phase == EXCHANGING:
            return [*_DISCARDS[: len(self.hands[self.player])], _DONE]
        if phase == SELLING_OUT:
            held = self.shares[self.player]
            return [_SELLS[industry] for industry in ALL if held[industry]]
        return []

    def _trades(self) -> list[Action]:
        cash = self.cash[self.player]
        held = self.shares[self.player]
        actions: list[Action] = []
        for industry in self._buyable:
            chart = self.charts[industry]
            if len(chart) > 1 and PRICES[chart[-1]] <= cash:
                actions.append(_BUYS[industry])
        for industry in self._sellable:
            if held[industry]:
                actions.append(_SELLS[industry])
        # A player in debt has to go on selling while the turn allows it.
        if cash >= 0 or not actions:
            actions.append(_STOP)
        return actions

    def _card_plays(self) -> list[Action]:
        board = self.board
        actions: list[Action] = []
        for index, card in enumerate(self.hands[self.player]):
            if card < EVENT:
                actions.append(_PLAYS[index])
            else:
                industry = card - EVENT
                for target, covered in enumerate(board):
                    if covered % 3 == industry:
                        actions.append((COVER, index, target))
        return actions or [_PASS]

    def apply(self, action: Action) -> None:
        """Carry out `action`, which must be one of `legal_actions()`."""
        verb, first, second = action
        if verb == BUY:
            cell = self.charts[first].pop()
            self.cash[self.player] -= PRICES[cell]
            self.shares[self.player][first] += 1
            self._limit_trades(BUY, first)
        elif verb == SELL:
            chart = self.charts[first]
            cell = max(chart[-1] - 1, 0)
            chart.append(cell)
            self.cash[self.player] += PRICES[cell]
            self.shares[self.player][first] -= 1
            if self.phase == TRADING:
                self._limit_trades(SELL, first)
            else:
                self._pass_final_sale()
        elif verb == STOP:
            self.phase = PLAYING
        elif verb == PLAY:
            self._play(self.hands[self.player].pop(first))
        elif verb == COVER:
            self.covered.append(self.hands[self.player].pop(first))
            self.covered.append(self.board.pop(second))
            self._end_turn()
        elif verb == DISCARD:
            self.aside.append(self.hands[self.player].pop(first))
        elif verb == DONE:
            self._end_exchange()
        else:
            self._end_turn()

    # --- Turns ------------------------------------------------------------

    def _begin_turn(self) -> None:
        self.phase = TRADING
        self._dealt.clear()
        self._buyable = self._sellable = ALL

    def _limit_trades(self, verb: int, industry: int) -> None:
        """Narrow down what may be traded in the rest of the turn after a deal.

        The deals of a turn are in different industries, or they are two of the
        same kind in one.  The first turn of the game has a single deal, the
        second turn two at most and not in one industry.
        """
        dealt = self._dealt
        dealt.append(industry)
        count = len(dealt)
        if count == 1 and self.turn >= 2:
            if verb == BUY:
                self._sellable = OTHERS[industry]
            else:
                self._buyable = OTHERS[industry]
        elif count == 1 and self.turn == 1:
            self._buyable = self._sellable = OTHERS[industry]
        elif count == 2 and self.turn >= 2 and industry != dealt[0]:
            self._buyable = self._sellable = (3 - industry - dealt[0],)
        else:
            self._buyable = self._sellable = ()

    def _play(self, card: int) -> None:
        """Put a card other than an event on the next space."""
        self.board.append(card)
        self.free_spaces -= 1
        if card >= TAX:
            industry = card - TAX
            for seat, held in enumerate(self.shares):
                self.cash[seat] -= TAX_RATE * held[industry]
            if self.free_spaces:
                return  # the same player has to play one more card
        self._end_turn()

    def _end_turn(self) -> None:
        self._refill(self.player)
        self._pass_on()
        self.turn += 1
        if self.free_spaces:
            self._begin_turn()
        else:
            self._end_year()

    def _pass_on(self) -> None:
        self.player = (self.player + 1) % self.players

    # --- Years ------------------------------------------------------------

    def _end_year(self) -> None:
        """Move the prices, pay dividends, clear the board; `player` goes on."""
        trends = [0, 0, 0]
        dividends = [0, 0, 0]
        for card in self.board:
            kind, industry = divmod(card, 3)
            if card < DIVIDEND:
                trends[industry] += TRENDS[kind]
            elif card < TAX:
                dividends[industry] += 1
        for industry in ALL:
            self._move_prices(self.charts[industry], trends[industry])
            per_share = DIVIDENDS[dividends[industry]]
            if per_share:
                for seat, held in enumerate(self.shares):
                    self.cash[seat] += per_share * held[industry]
        self.pile += self.board
        self.pile += self.covered
        self.board.clear()
        self.covered.clear()
        self.free_spaces = SPACES[self.players]
        if self.year == YEARS:
            self.phase = SELLING_OUT
            self._skip_sold_out()
        else:
            self.year += 1
            self.phase = EXCHANGING
            self._exchanges_left = self.players

    @staticmethod
    def _move_prices(chart: list[int], trend: int) -> None:
        """Move tokens one by one to the other end of the chart."""
        for _ in range(trend):
            highest = chart[0]
            chart.pop()
            chart.insert(0, min(highest + 1, TOP_CELL))
        for _ in range(-trend):
            lowest = chart[-1]
            chart.pop(0)
            chart.append(max(lowest - 1, 0))

    def _end_exchange(self) -> None:
        """Replace the discards of `player`; after the last player start the year."""
        self._refill(self.player)
        self._pass_on()
        self._exchanges_left -= 1
        if not self._exchanges_left:
            self.pile += self.aside
            self.aside.clear()
            self._begin_turn()

    def _pass_final_sale(self) -> None:
        self._pass_on()
        self._skip_sold_out()

    def _skip_sold_out(self) -> None:
        """Go to the next player with a share left, or end the game."""
        for _ in range(self.players):
            if any(self.shares[self.player]):
                return
            self._pass_on()
        self.phase = OVER

    # --- Chance -----------------------------------------------------------

    def _refill(self, seat: int) -> None:
        """Draw up to a full hand."""
        hand = self.hands[seat]
        pile = self.pile
        while len(hand) < HAND_SIZE and pile:
            index = self._random_below(len(pile))
            hand.append(pile[index])
            pile[index] = pile[-1]
            pile.pop()

    def _random_below(self, limit: int) -> int:
        """Return a random number from 0 to `limit` - 1.

        A generator whose state is one number makes clones cheap.
        """
        state = (self._random_state * _LCG_FACTOR + _LCG_STEP) & _LCG_MASK
        self._random_state = state
        return ((state >> 32) * limit) >> 32


class Result(NamedTuple):
    """Outcome of a game; `decisions` leaves out choices with a single action."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int


def random_game(players: int, seed: int) -> Result:
    """Play a game in which each choice is uniform over the legal actions."""
    rng = random.Random(seed)
    game = Game(players, rng.getrandbits(64))
    uniform = rng.random
    decisions = 0
    while actions := game.legal_actions():
        count = len(actions)
        if count == 1:
            action = actions[0]
        else:
            action = actions[int(uniform() * count)]
        # A hand change is one decision however many cards go; count its end.
        verb = action[0]
        if verb == DONE or (count > 1 and verb != DISCARD):
            decisions += 1
        game.apply(action)
    return Result(game.scores(), game.winners(), decisions)


def main(games: int = 500) -> None:
    """Print speed and means of random play for each number of players."""
    for players in SPACES:
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
