"""A clean and the tuned Python of a game, side by side: the same cards and choices lead to the same game.

Both draw by one function of what is left in the pile (not of its order), so they draw alike. At every step they offer
the same actions, and a clone that is played on leaves its original alone.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.hand_written import EVERY, hand_written

GAMES = 3
MONEY, TRADE = (
    [hand_written(file) for file in (f"clean/{game}_1.py", f"tuned/{game}_1.py")]
    for game in ("money", "buy_low_sell_high")
)


def drawn(numbers: list[int], salt: int) -> int:
    """The place of the card to draw from a pile: whatever its order, the same card."""
    return min(range(len(numbers)), key=lambda place: (numbers[place] * 7919 + salt * 104729) % 1009)


# ---- Money: the number of a card is its serial


def money_pair(players: int, seed: int) -> tuple[Any, Any]:
    clean, tuned = MONEY

    class Clean(clean.Game):  # type: ignore[misc, name-defined]
        def _draw(self, count: int) -> list[Any]:
            taken = []
            for _ in range(min(count, len(self.stock))):
                serials = [card.serial - 1 for card in self.stock]
                taken.append(self.stock.pop(drawn(serials, seed + len(serials))))
            return taken

    class Tuned(tuned.Game):  # type: ignore[misc, name-defined]
        def _draw(self, cards: list[int], count: int) -> None:
            for _ in range(min(count, len(self.stock))):
                cards.append(self.stock.pop(drawn(self.stock, seed + len(self.stock))))

    one, other = Clean(players, seed), Tuned(players, seed)
    one.deck = [card for card in clean.BOX if card.serial - 1 in other._deck]  # the same currencies
    one._deal()
    return one, other


def money_action(game: Any, action: Any) -> tuple[int, int]:
    """A clean action as the tuned game writes it."""
    clean, tuned = MONEY
    if isinstance(action, clean.Card):
        return tuned.BID, game.players[game.seat].hand.index(action)
    if isinstance(action, clean.TakeBid):
        return tuned.TAKE_BID, action.seat
    plain = {"CLOSE_BID": (tuned.DONE, 0), "KEEP": (tuned.KEEP, 0), "TAKE_RIGHT": (tuned.TAKE_LOT, 0)}
    plain["TAKE_LEFT"] = (tuned.TAKE_LOT, 1)
    return next(written for name, written in plain.items() if getattr(clean, name) == action)


# ---- Buy Low, Sell High: the number of a card is its kind and industry


def number(card: Any) -> int:
    _, tuned = TRADE
    first = {"DIVIDEND": tuned.DIVIDEND, "TAX": tuned.TAX, "EVENT": tuned.EVENT}
    if card.kind.name == "TREND":
        return 3 * int(tuned.TRENDS.index(card.points)) + int(card.industry)
    return int(first[card.kind.name]) + int(card.industry)


def trade_pair(players: int, seed: int) -> tuple[Any, Any]:
    clean, tuned = TRADE

    class Clean(clean.Game):  # type: ignore[misc, name-defined]
        def _fill_hand(self, player: Any) -> None:
            while len(player.hand) < clean.HAND_SIZE and self.pile:
                numbers = [number(card) for card in self.pile]
                player.hand.append(self.pile.pop(drawn(numbers, seed + len(numbers))))

    class Tuned(tuned.Game):  # type: ignore[misc, name-defined]
        def _refill(self, seat: int) -> None:
            hand = self.hands[seat]
            while len(hand) < tuned.HAND_SIZE and self.pile:
                hand.append(self.pile.pop(drawn(self.pile, seed + len(self.pile))))

    one, other = Clean(players, seed), Tuned(players, seed)
    other.player = one.seat
    return one, other


def trade_action(game: Any, action: Any) -> tuple[int, int, int]:
    clean, tuned = TRADE
    hand = game.players[game.seat].hand
    if isinstance(action, clean.Trade):
        return tuned.BUY if action.side is clean.Side.BUY else tuned.SELL, int(action.industry), 0
    if isinstance(action, clean.Card):
        return tuned.DISCARD if game.card_by_card else tuned.PLAY, hand.index(action), 0
    if isinstance(action, clean.Cover):
        return tuned.COVER, hand.index(action.event), game.board.index(action.target)
    return {clean.STOP: tuned.STOP, clean.PASS: tuned.PASS, clean.DONE: tuned.DONE}[action], 0, 0


CASES: list[tuple[Any, Any, int]] = [(money_pair, money_action, players) for players in (3, 4, 5)]
CASES += [(trade_pair, trade_action, players) for players in (2, 3, 4)]


@pytest.mark.parametrize(("pair", "written", "players"), CASES)
def test_clean_and_tuned_play_the_same_game(pair: Any, written: Any, players: int) -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        clean, tuned = pair(players, seed)
        while actions := clean.legal_actions():
            assert Counter(written(clean, action) for action in actions) == Counter(tuned.legal_actions())
            assert (clean.seat, clean.card_by_card) == (tuned.player, tuned.card_by_card)
            action = rng.choice(actions)
            tuned.apply(written(clean, action))
            clean.apply(action)
            assert clean.scores() == list(tuned.scores())
        tuned.check()
        assert tuned.over and clean.winners() == list(tuned.winners())


def rest(game: Any) -> tuple[int, list[int]]:
    """What becomes of a game that is played to its end."""
    rng, steps = random.Random(3), 0
    while actions := game.legal_actions():
        game.apply(rng.choice(actions))
        steps += 1
    return steps, list(game.scores())


@pytest.mark.parametrize(("name", "file"), EVERY)
def test_a_clone_is_played_on_without_its_original(name: str, file: str) -> None:
    game, rng = hand_written(file).Game(3, 1), random.Random(2)
    for _ in range(40):
        game.apply(rng.choice(game.legal_actions()))
    assert rest(game.clone()) == rest(game.clone()) == rest(game)
