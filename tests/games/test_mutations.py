"""The examples of a game have teeth: a number or a rule that is changed makes at least one of them fail.

Each row changes one place of the rules: the text that is replaced (which of its occurrences, counted from 1), and what
stands there instead. A row whose text is gone from the rules fails, so that the table keeps up with them.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from attrs import frozen

import cambist
from cambist.dsl.imports import shipped
from cambist.interpreter import rule_tests


@frozen
class Mutant:
    game: str
    old: str
    new: str
    occurrence: int = 1

    def __str__(self) -> str:
        place = f" #{self.occurrence}" if self.occurrence > 1 else ""
        return f"{self.game}: {self.old}{place} -> {self.new}"

    def applied(self, text: str) -> str:
        """The text without its examples counts: they say what must stay as it is."""
        rules, mark, examples = text.partition("\nexample ")
        found = [m.start() for m in re.finditer(re.escape(self.old), rules)]
        assert len(found) >= self.occurrence, f"`{self.old}` stands {len(found)} times in the rules"
        start = found[self.occurrence - 1]
        return rules[:start] + self.new + rules[start + len(self.old) :] + mark + examples


def _money(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("money", old, new, occurrence)


def _buy_low(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("buy_low_sell_high", old, new, occurrence)


def _venture(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("venture", old, new, occurrence)


PAYOUT = (0, 1, 2, 4, 8, 12)


def _payout(place: int) -> Mutant:
    changed = [value + (index == place) for index, value in enumerate(PAYOUT)]
    return _buy_low(f"payout: {', '.join(map(str, PAYOUT))}", f"payout: {', '.join(map(str, changed))}")


MUTANTS = [
    # what a currency is worth
    _money("v >= 200", "v >= 190"),
    _money("v >= 200", "v > 200"),
    _money("v - 100", "v - 90"),
    _money("max(v - 100, 0)", "v - 100"),
    _money("100 * triplets(p)", "110 * triplets(p)"),
    _money("{20, 30}", "{20, 40}"),
    _money(") = 3", ") = 2"),
    _money("value: number = 10", "value: number = 20"),
    # a round
    _money("move 6 from stock", "move 5 from stock"),
    _money("move 4 from stock", "move 5 from stock"),
    _money("refill([right, left], 4)", "refill([right, left], 5)"),
    _money("refill([right, left], 4)", "refill([right, left], 3)"),
    _money("refill([right, left], 4)", "refill([left, right], 4)"),
    _money("with most worth(q.bid)", "with least worth(q.bid)"),
    _money("then least serial(q.bid)", "then most serial(q.bid)"),
    _money("least of c.serial", "most of c.serial"),
    _money(" where lot is not empty", ""),
    _money("where q is not p", "where q is p"),
    _money("move p.bid to q.bid", "move p.bid to p.hand"),
    _money("where q.bid is not empty", "where size of q.bid > 1"),
    # the deal
    _money("not (c is note and c.currency in out)", "not (c is note)"),
    # start
    _buy_low("dollar = 50", "dollar = 40"),
    _buy_low("ladder.open(i, 24)", "ladder.open(i, 22)"),
    _buy_low("move 5 from pile", "move 4 from pile"),
    _buy_low("fill p.hand to 5", "fill p.hand to 4", 1),
    _buy_low("fill p.hand to 5", "fill p.hand to 4", 2),
    _buy_low("12 share each", "11 share each"),
    _buy_low("3: 10,", "3: 9,"),
    _buy_low("2: 7,", "2: 8,"),
    _buy_low("4: 13", "4: 12"),
    _buy_low("4 dividend retail", "5 dividend retail"),
    _buy_low("3 trend oil +2", "2 trend oil +2"),
    _buy_low("1 tax tech", "2 tax tech"),
    _buy_low("2 event tech", "1 event tech"),
    # trade limits
    _buy_low("1 if turns = 0", "2 if turns = 0"),
    _buy_low("2 if turns = 1", "3 if turns = 1"),
    _buy_low("else 3", "else 2"),
    _buy_low("i.dealt = 0 and room > 0", "i.dealt = 0"),
    _buy_low("i.dealt = 0 and room > 0", "room > 0"),
    _buy_low("i.dealt = way and deals = 1", "i.dealt = way"),
    _buy_low("i.dealt = way and deals = 1", "deals = 1"),
    _buy_low("deals = 1 and turns > 1", "deals = 1"),
    _buy_low("turns > 1", "turns > 2"),
    _buy_low("one_each(i) or two_of_one(i, way)", "one_each(i)"),
    _buy_low("set room to 0", "add -1 to room"),
    _buy_low("else: add -1 to room", "else: nothing"),
    _buy_low("add 1 to deals", "nothing"),
    _buy_low("size of i.chart > 1", "size of i.chart > 0"),
    _buy_low("p.cash >= ladder.price(i)", "p.cash >= 0"),
    _buy_low("p.cash >= ladder.price(i)", "p.cash > ladder.price(i)"),
    _buy_low("ladder.held(p, i) > 0", "ladder.held(p, i) > 1"),
    _buy_low("stop where p.cash >= 0", "stop where p.cash >= -9"),
    # cards
    _buy_low("2 * ladder.held(p, i)", "3 * ladder.held(p, i)"),
    _buy_low("if c is not tax: leave", "if c is not dividend: leave"),
    _buy_low("if year_is_full: leave", "if year_is_full: nothing"),
    _buy_low(" and coverable(c, e)", ""),
    _buy_low("where c is not event", "where c is not tax"),
    _buy_low("set c.covered to yes", "nothing"),
    # the end of a year
    *(_payout(place) for place in range(len(PAYOUT))),
    _buy_low("ladder.move_all(i, sway(i))", "ladder.move_all(i, 0 - sway(i))"),
    _buy_low("c.industry = i and not c.covered", "c.industry = i"),
    # the game
    _buy_low("if year = 3", "if year = 2"),
    _buy_low("if year = 3", "if year = 4"),
    _buy_low("around(first_player)", "players"),
    # what capital is worth
    _venture("2: 16, 3: 32", "2: 15, 3: 32"),
    _venture("3: 32, 4: 64", "3: 48, 4: 64"),
    _venture("4: 64", "4: 48"),
    _venture("{1, 3, 5, 8}", "{1, 3, 5, 10}"),
    _venture(") >= k", ") > k"),
    _venture("c is capital v y", "c is capital v"),
    _venture("k in 1..most_alike(cards)", "k in 1..1"),
    _venture("face_value(all c in cards where c.symbol = unmarked)", "0"),
    # stacks
    _venture("common(stack) is not empty and one_of_each(stack)", "common(stack) is not empty"),
    _venture("t.industry != s.industry", "t is not s"),
    _venture("(some k in common(stack) where k in s.letters)", "(some k in letter where k in s.letters)"),
    _venture("(every s in stack where k in s.letters)", "(some s in stack where k in s.letters)"),
    _venture(" such that all_lawful(piles)", ""),
    _venture(" where fits(s, stacks.stack(p, t))", ""),
    _venture("stacks.lay_on(p, s, t)", "stacks.lay_alone(p, s)"),
    # profits
    _venture("2: 0, 3: 1,", "2: 1, 3: 1,"),
    _venture("3: 1,", "3: 2,"),
    _venture("4: 3,", "4: 4,"),
    _venture("5: 8,", "5: 7,"),
    _venture("6: 20 ", "6: 24 "),
    _venture(" * size of common(stack)", ""),
    # operations
    _venture("due + cost <= means", "cost <= means"),
    _venture("due + cost <= means", "due + cost < means"),
    _venture("worth(payment) >= due", "worth(payment) >= 0"),
    _venture("worth(payment) >= due", "face_value(payment) >= due"),
    _venture("worth(payment) >= due", "worth(payment) = due"),
    _venture("1 if k = half", "2 if k = half"),
    _venture("2 if k = full", "1 if k = full"),
    _venture("else 3", "else 4"),
    _venture("let means = worth(p.hand)", "let means = face_value(p.hand)"),
    _venture("add s.price to due", "nothing"),
    _venture("move t to discard", "nothing"),
    _venture("q in others(p)", "q in players"),
    _venture("s in stacks.tops(q)", "s in q.holdings"),
    _venture("affordable(size of p.holdings, means)", "affordable(1, means)"),
    _venture("add size of p.holdings to due", "add 1 to due"),
    _venture("where not reorganised and", "where"),
    _venture("if due = 0:", "if due = 1:"),
    _venture("move payment to discard", "nothing"),
    _venture("move c to discard", "nothing"),
    # the end of a turn
    _venture("market to 5", "market to 4", 1),
    _venture("market to 5", "market to 4", 2),
    _venture("cards_drawn = 2", "cards_drawn = 3"),
    _venture("      collect  ", "      nothing  "),
    _venture("    deck.renew\n", ""),
    _venture("move shown to discard", "nothing"),
    # the game
    _venture("hand_size   = 7", "hand_size   = 6"),
    _venture("2: 14,", "2: 12,"),
    _venture("    while some c in p.hand where c is profit\n", "    if hand_size > 9\n"),
    _venture("move shown to resources", "move shown to discard"),
    _venture("reserve is empty and market is empty", "market is empty"),
    _venture("reserve is empty and market is empty", "reserve is empty"),
    _venture('    last_collection\n    end game because "the last', '    end game because "the last'),
    _venture("patience = 20", "patience = 21"),
    _venture("capital_left(p) = face_value(p.hand)", "capital_left(p) = worth(p.hand)"),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_an_example_fails(mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_tests, "SEEDS", 1)  # what is noticed at once need not be tried again
    assert _failing(mutant, tmp_path), "no example notices"


def _failing(mutant: Mutant, folder: Path) -> str:
    """The title of the first example that fails."""
    path = shipped()[mutant.game]
    shutil.copytree(path.parent, folder, dirs_exist_ok=True)
    copy = folder / path.name
    copy.write_text(mutant.applied(path.read_text("utf-8")), "utf-8")
    game = cambist.load(str(copy))
    examples = game.machine(game.players[0]).program.examples
    outcomes = (rule_tests.run_example(game.machine, index, example) for index, example in enumerate(examples))
    return next((outcome.title for outcome in outcomes if not outcome.passed), "")


def test_every_shipped_game_has_mutants() -> None:
    assert {mutant.game for mutant in MUTANTS} == set(shipped())
