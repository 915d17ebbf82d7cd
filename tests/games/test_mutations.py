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
        first = re.search(r"\n(replace )?example ", text)
        end = first.start() if first else len(text)
        rules, examples = text[:end], text[end:]
        found = [m.start() for m in re.finditer(re.escape(self.old), rules)]
        assert len(found) >= self.occurrence, f"`{self.old}` stands {len(found)} times in the rules"
        start = found[self.occurrence - 1]
        return rules[:start] + self.new + rules[start + len(self.old) :] + examples


def _money(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("money", old, new, occurrence)


def _buy_low(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("buy_low_sell_high", old, new, occurrence)


def _riche_ou_pauvre(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("riche_ou_pauvre", old, new, occurrence)


def _die_bosse(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("die_bosse", old, new, occurrence)


def _palmyra(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("palmyra", old, new, occurrence)


def _dividends(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("dividends", old, new, occurrence)


def _for_ex(old: str, new: str, occurrence: int = 1) -> Mutant:
    return Mutant("for_ex", old, new, occurrence)


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
    # the editions of Venture
    _riche_ou_pauvre("2..3 = 2", "2..3 = 3"),
    _riche_ou_pauvre("score p = p.gains", "score p = 0"),
    _riche_ou_pauvre("score p = p.gains", "score p = face_value(p.hand)"),
    _riche_ou_pauvre("chemical to red", "chemical to crimson"),
    _die_bosse("steel to renewable_energy", "steel to energy"),
    # the sister game
    _palmyra("4 contract each", "3 contract each"),
    _palmyra("1 customs each", "2 customs each"),
    _palmyra("1 mirage each", "2 mirage each"),
    _palmyra("2 caravan each +2", "1 caravan each +2"),
    _palmyra("0, 1, 2, 4, 8", "0, 1, 2, 4, 9"),
    _palmyra("0, 1, 2, 4, 8", "0, 1, 2, 3, 8"),
    _palmyra("0, 1, 2, 4, 8", "1, 1, 2, 4, 8"),
    # components and set-up
    _dividends("10 share each", "9 share each"),
    _dividends("2 influence each -1", "1 influence each -1"),
    _dividends("2 any_company +1", "2 any_company -1"),
    _dividends("dollar = 4000", "dollar = 4050"),
    _dividends("2: 3,", "2: 4,"),
    _dividends("3: 4,", "3: 5,"),
    _dividends("12: 5", "12: 4"),
    _dividends("1000, 1200, 1400, 1600", "1000, 1200, 1400, 1500"),
    _dividends("2600, 2800", "2600, 3000"),
    _dividends("start 200", "start 150"),
    _dividends("black: 0..100", "black: 0..50"),
    _dividends("white: 300..400", "white: 350..400"),
    _dividends("move 2 from pile", "move 1 from pile"),
    _dividends("years = 5", "years = 4"),
    # dice
    _dividends("if c.yield is black", "if c.yield is white"),
    _dividends("[1, -1, 2, -2, 3, -3]", "[1, -1, 2, -2, 3, -2]"),
    _dividends("[-1, -1, -2, -2, -3, -3]", "[-1, -1, -2, -2, -3, -4]"),
    # the auction
    _dividends("least_bid = 50", "least_bid = 100"),
    _dividends("bid_step = 50", "bid_step = 25"),
    _dividends("longest_leap = 10", "longest_leap = 11"),
    _dividends("with least refund(c)", "with most refund(c)"),
    _dividends("p.cash < least_bid and", "p.cash <= least_bid and"),
    _dividends("where p.cash >= least_bid", "where p.cash >= 0"),
    _dividends("min(amount, p.cash)", "least_bid"),
    _dividends("draw_places(solvent)", "draw_places(unplaced)"),
    _dividends("if p is nobody: leave", "if p is not nobody: leave"),
    # trade, tiles and cards
    _dividends("affordable(p, price(c)) and not_sold_now(c)", "affordable(p, price(c))"),
    _dividends("where for_sale(c) and affordable(p, price(c)) and", "where affordable(p, price(c)) and"),
    _dividends("for_sale(c) and affordable(p, price(c)) and", "for_sale(c) and"),
    _dividends("leader_tile.settle(c)", "nothing", 1),
    _dividends("leader_tile.settle(c)", "nothing", 2),
    _dividends("move card_played to discards", "move card_played to pile"),
    _dividends("move p.hand to end of pile", "move p.hand to discards"),
    _dividends("move p.hand to end of pile", "move p.hand to pile"),
    _dividends("c.yield * held(p, c)", "c.yield"),
    _dividends("where c.tile is p", "where owned(p, c)"),
    # events
    _dividends("with most refund(c)", "with least refund(c)"),
    _dividends("with least price(c)", "with most price(c)"),
    _dividends("with most size of c.column", "with least size of c.column"),
    _dividends("with most sold(c)", "with least sold(c)"),
    _dividends("if affordable(p, price(first of cheapest_left))", "if p.cash > 0"),
    _dividends("buy(p, c, half(price(c)))", "buy(p, c, price(c))"),
    _dividends("affordable(p, half(price(c)))", "affordable(p, 0)"),
    _dividends("half(refund(c))", "half(price(c))"),
    _dividends("half(refund(c))", "refund(c)"),
    _dividends("set marked to []", "nothing", 1),
    _dividends("set marked to []", "nothing", 2),
    _dividends("move t to events", "nothing"),
    # the end
    _dividends("each p in order: influence_cards(p)", "nothing"),
    _dividends("pay_dividends", "dice", 3),
    _dividends("selloff.all_in_turn(order)", "nothing"),
    _dividends("selloff.all_in_turn(order)", "selloff.all_in_turn(players)"),
    # set-up
    _for_ex("in money = 2", "in money = 3"),
    _for_ex("random 6 of box", "random 5 of box"),
    _for_ex("3.5, 4, 5, 6, 8, start", "3.5, 4, 5, 8, start"),
    # a turn and its trade
    _for_ex("proposals:   1..9 = 2", "proposals:   1..9 = 3"),
    _for_ex("each q in others(p): bargain", "each q in players: bargain"),
    _for_ex("propose where bargain.is_open", "propose"),
    _for_ex("p.purse(give) >= pairs.lot(give, get)", "p.purse(give) > pairs.lot(give, get)"),
    _for_ex("give is not get and ", ""),
    _for_ex(" and affords(q, get, give)", ""),
    _for_ex("affords(p, give, get) and ", ""),
    _for_ex("transfer pairs.lot(get, give) from q", "transfer 1 from q"),
    # contracts
    _for_ex("10 * pairs.lot(pay, get)", "11 * pairs.lot(pay, get)"),
    _for_ex("= amount = lots(amount, pay, get) * pairs.lot(pay, get)", "= amount > 0"),
    _for_ex("lots(amount, pay, get) * pairs.lot(get, pay) from", "lots(amount, pay, get) from"),
    _for_ex("first of free", "last of free"),
    _for_ex("is contract k to end of queue", "is contract k to start of queue"),
    _for_ex("from bank(pay) to owed(k, pay)", "from p.purse(pay) to owed(k, pay)"),
    # certificates
    _for_ex("p.purse(c) >= 2", "p.purse(c) >= 3"),
    _for_ex("size of p.portfolio(c) < 4", "size of p.portfolio(c) < 5"),
    _for_ex("another_currency(c, d) and ", ""),
    _for_ex("  pairs.strengthen(c)", "  pairs.weaken(c)"),
    _for_ex("from p.portfolio(c) to box", "from p.portfolio(c) to c.supply"),
    _for_ex("how_many in 1..4", "how_many in 0..4"),
    _for_ex("how_many <= size of p.portfolio(c)", "how_many < size of p.portfolio(c)"),
    _for_ex("more in 0..size of q.portfolio(c)", "more in 0..1"),
    # the queue
    _for_ex("let s = first of queue", "let s = last of queue"),
    _for_ex("k.holder.purse(c) >= owed(k, c)", "k.holder.purse(c) > owed(k, c)"),
    _for_ex("transfer 1 from bank(c) to owed(k, c)", "transfer 2 from bank(c) to owed(k, c)"),
    _for_ex("if owed(k, c) > 0: transfer 1", "transfer 1"),
    _for_ex("transfer promised(k, c) from promised(k, c) to p.purse(c)", "nothing", 2),
    _for_ex("j.holder is p and j.loan", "j.loan"),
    _for_ex("move s to end of queue", "move s to start of queue"),
    _for_ex("else if k.loan: set bankrupt to p", "else if k.loan: put_back(s)"),
    _for_ex("set k.loan to no", "nothing"),
    # dividends
    _for_ex("payout: 0, 2, 2, 2, 3", "payout: 0, 2, 3, 2, 3"),
    _for_ex("payout: 0, 2, 2, 2, 3", "payout: 0, 2, 2, 2, 4"),
    _for_ex("at_the_end(c, 8)", "at_the_end(c, 6)"),
    _for_ex(" where not pays_nothing(c)", ""),
    _for_ex("move 1 from dividends to end of queue", "move 1 from dividends to start of queue"),
    _for_ex("the x in currency with most in_hands(x)", "the x in currency with least in_hands(x)"),
    _for_ex("size of paid = 5", "size of paid = 4"),
    # the end
    _for_ex("with most pairs.wins(x), then most in_hands(x)", "with most in_hands(x), then most pairs.wins(x)"),
    _for_ex(", then most in_hands(x)", ""),
    _for_ex("active chooses c", "next(active) chooses c"),
    _for_ex(" and bankrupt is nobody  ", "  "),
    _for_ex("rate(strongest, c) rounded down", "rate(strongest, c) rounded up"),
    _for_ex("most solvent(p), then most score", "most score"),
    _for_ex(", then most size of p.portfolio(strongest)", ""),
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
    _venture("hand_size = 7", "hand_size = 6"),
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
    """The title of the first example that fails; or the rules may not even be sound."""
    path = shipped()[mutant.game]
    shutil.copytree(path.parent, folder, dirs_exist_ok=True)
    copy = folder / path.name
    copy.write_text(mutant.applied(path.read_text("utf-8")), "utf-8")
    try:
        game = cambist.load(str(copy))
    except cambist.RulesError:
        return "(the rules do not hold together any more)"
    examples = game.machine(game.players[0]).program.examples
    outcomes = (rule_tests.run_example(game.machine, index, example) for index, example in enumerate(examples))
    return next((outcome.title for outcome in outcomes if not outcome.passed), "")


def test_every_shipped_game_has_mutants() -> None:
    assert {mutant.game for mutant in MUTANTS} == set(shipped())
