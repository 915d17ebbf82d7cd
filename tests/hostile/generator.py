"""Random rules over the stub: sentences of the grammar whose kinds mostly fit, and sometimes do not.

What the checker lets through is played. Neither may ever end in anything but diagnostics, a fault or a result.
"""

from __future__ import annotations

from random import Random

BASE = """\
define double(n) = n * 2
define nice(c) = c.value > 2
table pay: 0, 1, 2, 4
table steps by players: 2: 5, 3: 6, 4: 7
track price of each color: 1, 2, 4, 8, start 2
track level: 1, 2, 3
variable tally: number = 0
variable picks: list of card
variable seen_so_far: list of number
"""
ANYTHING = (
    *(
        "p",
        "q",
        "i",
        "n",
        "red",
        "nobody",
        "leader",
        "bank",
        "box",
        "shelf",
        "players",
        "color",
        "everything",
        "p.hand",
    ),
    *(
        "double(n)",
        "tally",
        "steps",
        "level",
        "i.price",
        "p.cash",
        "picks",
        "1.5",
        "yes",
        '"text"',
        "[1, 2]",
        "unheard_of",
    ),
)


class Generator:
    """`noise` is how often something of any kind stands where a certain kind belongs."""

    def __init__(self, seed: int, noise: float = 0.01) -> None:
        self.random = Random(seed)
        self.noise = noise
        self.fresh = 0
        self.in_loop = 0
        self.cards: list[str] = []  # names that hold a card here

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    def ruleset(self) -> str:
        deed = self.block("  ", 3, self.random.randrange(1, 5))
        more = self.block("  ", 2, self.random.randrange(1, 3))
        holds = self.pick("size of shelf >= 0", "tally >= 0", "every p where p.cash >= 0")
        return (
            BASE
            + f"define guess(p, q, n, i) = {self.number(3)}\n"
            + f"procedure deed(p, q, n, i)\n{deed}"
            + f"procedure more(p, q, n, i)\n{more}"
            + "procedure ready(p)\n  p chooses go_on in 1..2\n"  # so that what follows has the steps of one decision
            + f"invariant always: {holds}\n"
            + "play\n  each p: ready(p)\n  move 3 from box to shelf\n  each p\n    move 1 from box to p.hand\n"
            + "    transfer 9 from bank to p.cash\n"
            + "  repeat 3 times\n    each p\n      deed(p, next(p), 2, red)\n      more(p, leader, 1, blue)\n"
            + self.laws()
        )

    def laws(self) -> str:
        """Laws of every form, true or not, over expressions of every kind."""
        value, condition = self.number(2), self.condition(2)
        return (
            f"reachable done after deed(p, q, n, i): before({value}) {self.pick('<', '=', '>=')} {self.number(1)}\n"
            + f"reachable over at end: {self.pick('shelf', 'box')} = before({self.pick('shelf', 'box')})\n"
            + f"reachable some_more after more(p, q, n, i): {condition}\n"
            + f"invariant cards: size of shelf never {self.pick('decreases', 'increases', 'changes')}\n"
            + f"measure counted of each k in color after deed(p, q, n, i): {self.number(1)}\n"
            + "invariant sooner: whenever p.cash > 0 leads to p.cash > 0 for p in players where tally >= 0\n"
        )

    def block(self, indent: str, depth: int, size: int) -> str:
        kept = self.cards[:]
        text = "".join(self.statement(indent, depth) for _ in range(size))
        self.cards = kept
        return text

    # ---- expressions

    def odd(self) -> bool:
        return self.random.random() < self.noise

    def number(self, depth: int) -> str:
        if self.odd():
            return self.pick(*ANYTHING)
        if depth <= 0 or self.random.random() < 0.3:
            fields = [f"{c}.value" for c in self.cards]
            return self.pick(
                *("0", "1", "2", "3", "7", "n", "tally", "level", "steps", "i.price", "size of shelf"), *fields
            )
        one, two, fresh = self.number(depth - 1), self.number(depth - 1), self.name()
        return self.pick(
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * {two})",
            f"({one} / {two} rounded {self.pick('up', 'down')})",
            f"(-{one})",
            f"min({one}, {two})",
            f"abs({one})",
            f"pay[{one}]",
            f"(size of {self.several(depth - 1)})",
            f"(sum of {self.inside(fresh, depth)} for {fresh} in {self.zone()})",
            f"(count of {fresh} in {self.several(depth - 1)} where {self.condition(depth - 1)})",
            f"(most of {self.inside(fresh, depth)} for {fresh} in {self.zone()}, or {two} if none)",
            f"(least of {one} for {fresh} in color, {self.name()} in 1..3)",
            f"({one} if {self.condition(depth - 1)} else {two})",
            f"double({one})",
        )

    def inside(self, card: str, depth: int) -> str:
        """A number that may speak of one more card."""
        self.cards.append(card)
        found = self.number(depth - 1)
        self.cards.pop()
        return found

    def player(self) -> str:
        fresh = self.name()
        best = f"(the {fresh} in players with most {fresh}.cash, ties to first)"
        return self.pick(*ANYTHING) if self.odd() else self.pick("p", "q", "leader", "next(p)", best, "nobody")

    def condition(self, depth: int) -> str:
        if self.odd():
            return self.pick(*ANYTHING)
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick("p is leader", "shelf is empty", "i = red", "1 < 2", "yes", "no", "q is nobody")
        one, two, fresh = self.number(depth - 1), self.number(depth - 1), self.name()
        return self.pick(
            f"{one} {self.pick('=', '!=', '<', '<=', '>', '>=')} {two}",
            f"{one} {self.pick('in', 'not in')} {self.pick('1..3', '[1, 5]', 'seen_so_far')}",
            f"not ({self.condition(depth - 1)})",
            f"({self.condition(depth - 1)}) {self.pick('and', 'or')} ({self.condition(depth - 1)})",
            f"(some {fresh} in {self.zone()} where {fresh} is chip {self.pick('red', 'i')} {self.pick('5', 'n')})",
            f"(every {fresh} in color where {self.condition(depth - 1)})",
            f"(no {fresh} where {self.condition(depth - 1)})",
            f"{self.several(depth - 1)} is {self.pick('', 'not ')}empty",
            f"{self.player()} {self.pick('is', 'is not', '=')} {self.pick('leader', 'p', 'q')}",
            *[f"nice({c})" for c in self.cards],
        )

    def several(self, depth: int) -> str:
        if self.odd():
            return self.pick(*ANYTHING)
        if depth <= 0 or self.random.random() < 0.4:
            return self.pick(
                "players", "color", "shelf", "p.hand", "everything", "(1..3)", "around(p)", "others(p)", "picks"
            )
        fresh = self.name()
        return self.pick(
            f"[{self.number(depth - 1)}, {self.number(depth - 1)}]",
            f"({self.number(depth - 1)}..{self.number(depth - 1)})",
            f"(0..9 by {self.number(0)})",
            f"(all {fresh} in {self.several(depth - 1)} where {self.condition(depth - 1)})",
            f"(rest of {self.several(depth - 1)})",
            f"(the {fresh} in players with most {self.number(depth - 1)}, all tied)",
            f"around({self.player()})",
        )

    def zone(self) -> str:
        if self.odd():
            return self.pick(*ANYTHING)
        return self.pick("stock", "shelf", "p.hand", "q.hand", "box", "next(p).hand", f"{self.player()}.hand")

    # ---- statements

    def simple(self) -> str:
        fresh = self.name()
        choices = [
            f"move {self.pick('shelf', 'picks', f'all {fresh} in shelf')} to {self.zone()}",
            f"move {self.number(1)} from {self.zone()} to {self.pick('start of ', 'end of ', '')}{self.zone()}",
            f"fill {self.zone()} to {self.number(1)} from {self.zone()}",
            f"transfer {self.number(2)} from {self.pick('bank', 'p.cash', 'q.cash')} to {self.pick('bank', 'p.cash')}",
            f"let {fresh} = {self.pick(self.number(2), self.condition(2), self.player())}",
            f"let {fresh} = random of {self.pick('color', 'players', 'shelf', '1..6')}",
            f"let {fresh} = random {self.number(0)} of {self.pick('color', 'players', 'shelf', '1..6')}",
            f"set {self.pick('tally', 'i.price', 'level', 'n')} to {self.number(2)}",
            f"set leader to {self.player()}",
            f"set picks to {self.zone()}",
            f"add {self.number(2)} to {self.pick('tally', 'level', 'n')}",
            f"shift {self.pick('red.price', 'i.price', 'level')} by {self.number(1)}",
            f"shuffle {self.zone()}",
            f"{self.pick('reveal', 'hide')} {self.pick('hand', 'p.hand', 'stock')}",
            f"require {self.condition(2)}",
            self.pick("mark here", "limit there", "nothing", "return", "roll back", 'end game because "so"'),
            *[f"move {card} to {self.zone()}" for card in self.cards],
        ]
        if self.in_loop:
            choices.append("leave")
        return self.pick(*choices)

    def statement(self, indent: str, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.4:
            return f"{indent}{self.simple()}\n"
        fresh = self.name()
        deeper = indent + "  "
        kind = self.random.randrange(12)
        if kind < 5:
            self.in_loop += 1
            inner = self.block(deeper, depth - 1, self.random.randrange(1, 3))
            if kind == 0:
                self.cards.append(fresh)
                inner = self.block(deeper, depth - 1, 1)
                self.cards.pop()
            self.in_loop -= 1
            return (
                indent
                + (
                    f"each {fresh} in {self.pick('shelf', 'p.hand')}\n{inner}",
                    f"while {self.condition(2)}\n{inner}{deeper}leave\n",
                    f"repeat {self.number(1)} times\n{inner}",
                    f"repeat\n{inner}{indent}until {self.condition(2)}\n",
                    f"each {fresh} in {self.several(1)}\n{inner}",
                )[kind]
            )
        inner, other = self.block(deeper, depth - 1, 1), self.block(deeper, depth - 1, 1)
        source = self.pick("shelf", "p.hand", "(1..3)", "color", "players", "others(p)")
        most, test = self.number(0), self.condition(1)
        return (
            indent
            + (
                f"if {self.condition(2)}\n{inner}{indent}else\n{other}",
                f"tentatively\n{inner}{indent}otherwise\n{other}",
                f"p chooses {fresh} in {source}\n{indent}otherwise\n{other}",
                f"p chooses {fresh}: some of {source}, possibly none\n",
                f"p chooses {fresh}: any order of {source}\n",
                f"p chooses {fresh}: some of {source}, at least 1, at most {most}\n{indent}otherwise\n{other}",
                f"p chooses\n{deeper}go {fresh} in {source} where {test}: nothing\n{deeper}stop: nothing\n",
            )[kind - 5]
        )
