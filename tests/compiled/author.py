"""Whole rulesets at random, with what makes the flow of control hard to compile: choices within loops within
`tentatively`, `return`, `leave` and `roll back` out of the middle of them, secret choices whose answers lead to more
choices, one account named in two ways.

In: a seed. Out: the text of a game for one to five players, nearly always one that the check lets through. What the
rules of it do is up to chance; they often come to a fault or go on for long.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

HEAD = """\
game authored "Authored"
  players 1..5
enum col: red, blue, green
unit coin step 0.5
card chip: col, v: number = 1
card tok
deck box of chip, tok
  3 chip each 1
  2 chip each 3
  2 tok
zone shelf: row
zone pool: queue, at most 6
zone hand: bag of each player, seen by owner
zone heap: pile of each col
zone mine: row of each player, col
zone face: row of each player, seen by owner, until revealed
account bank in coin, unlimited
account cash of each player in coin = 5
account pot of each col in coin = 2
track price of each col in coin: 0.5, 1, 2, 4, 7, start 1
track heat: -2..3, start 0
table pay: 0, 2, 3, 5
variable n: number
variable m: number of each player
variable sold: flag of each col
variable who: player = nobody
variable picked: list of player
variable fav: col of each player
define rich(p) = p.cash > 3
define worth(cards) = sum of c.v for c in cards where c is chip
define lead = the p in players with most p.cash, then least p.m, all tied
define top = the k in col with most k.price, ties to first
"""
FOOT = """\
score p = p.m + size of p.hand
winner most score, ties shared
"""
COLORS = ("red", "blue", "green")
DEEP = 4  # blocks within blocks

Names = list[tuple[str, str]]  # what is in reach: a name and its kind: player, color, number, card


class Where:
    """What a statement stands in."""

    def __init__(self, indent: str = "  ", depth: int = 0, inside: frozenset[str] = frozenset()) -> None:
        self.indent, self.depth, self.inside = indent, depth, inside

    def deeper(self, *more: str, by: int = 1, out: str = "") -> Where:
        return Where(self.indent + "  " * by, self.depth + 1, (self.inside | {*more}) - {out})


class Author:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.named = 0

    def ruleset(self) -> str:
        phases = [f"phase part{k}(p)" for k in range(self.random.randint(1, 3))]
        lines = [line for head in phases for line in (head, *self.block([("p", "player")], Where()))]
        lines += ["setup", "  shuffle box", "  each p: move 2 from box to p.hand", "  move 2 from box to shelf"]
        lines += ["play", f"  repeat {self.random.randint(1, 3)} times"]
        lines += [f"    each p: part{k}(p)" for k in range(len(phases))]
        return HEAD + "\n".join(lines) + "\n" + FOOT

    # ---- names and values

    def chance(self, rate: float) -> bool:
        return self.random.random() < rate

    def one(self, *of: str) -> str:
        return self.random.choice(of)

    def fresh(self, sign: str) -> str:
        self.named += 1
        return f"{sign}{self.named}"

    def name(self, names: Names, kind: str) -> str:
        found = [name for name, its in names if its == kind]
        return self.random.choice(found) if found else ""

    def player(self, names: Names) -> str:
        found = self.name(names, "player")
        return found if found and self.chance(0.95) else "(next(first of players))"

    def color(self, names: Names) -> str:
        found = self.name(names, "color")
        return found if found and self.chance(0.8) else self.one(*COLORS, "top")

    def zone(self, names: Names) -> str:
        player, color = self.player(names), self.color(names)
        own = (f"{player}.hand", f"mine({player}, {color})", f"{player}.face")
        return self.one("box", "shelf", "pool", f"{color}.heap", *own)

    def number(self, names: Names, depth: int = 0) -> str:
        if depth < 2 and self.chance(0.4):
            left, right = self.number(names, depth + 1), self.number(names, depth + 1)
            sign = self.one("+", "-", "*", "min", "max")
            return f"{sign}({left}, {right})" if sign in ("min", "max") else f"({left} {sign} {right})"
        plain = ["n", f"{self.player(names)}.m", str(self.random.randint(0, 4)), "heat", "pay[2]"]
        plain += [
            f"(size of {self.zone(names)})",
            f"worth({self.zone(names)})",
            "(count of q in players where rich(q))",
        ]
        card = self.name(names, "card")
        plain += [f"({card}.v if {card} is chip else 0)"] if card else []
        return self.one(*plain, *[name for name, kind in names if kind == "number"] * 3)

    def amount(self, names: Names) -> str:
        player, color = self.player(names), self.color(names)
        return self.one(f"{player}.cash", f"{color}.price", f"{color}.pot", "1", "0.5", "2")

    def condition(self, names: Names, depth: int = 0) -> str:
        if depth < 2 and self.chance(0.3):
            return f"({self.condition(names, depth + 1)} {self.one('and', 'or')} {self.condition(names, depth + 1)})"
        player, color = self.player(names), self.color(names)
        return self.one(
            f"{self.number(names)} {self.one('<', '>', '<=', '!=', '=')} {self.number(names)}",
            f"{self.zone(names)} is not empty",
            f"{self.amount(names)} <= {player}.cash",
            f"{color}.sold", f"rich({player})", f"not rich({player})", "who is nobody", "n > 1",
            f"(some c in {self.zone(names)} where c is chip {self.one(*COLORS)})",
            f"(every q in players where q.m < {self.random.randint(0, 5)})",
            f"{color} is {self.one(*COLORS)}", f"{player} in picked", f"{player} in lead",
        )  # fmt: skip

    # ---- statements

    def block(self, names: Names, at: Where) -> list[str]:
        names, lines = [*names], []
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            if self.chance(0.15):
                name, kind = self.fresh("x"), self.one("number", "color", "player", "drawn")
                value = {"number": self.number, "color": self.color, "player": self.player}
                text = value[kind](names) if kind in value else "random of col"
                lines.append(f"{at.indent}let {name} = {text}")
                names.append((name, "color" if kind == "drawn" else kind))
            else:
                lines += self.statement(names, at)
        return lines

    def statement(self, names: Names, at: Where) -> list[str]:
        if at.depth < DEEP and self.chance(0.54):
            return self.random.choice(self.BLOCKS)(self, names, at)
        leaving = [f"{at.indent}if {self.condition(names)}: return"]
        leaving += [f"{at.indent}if {self.condition(names)}: leave"] if "loop" in at.inside else []
        leaving += [f"{at.indent}if {self.condition(names)}: roll back"] if "trial" in at.inside else []
        return [self.one(*leaving)] if self.chance(0.25) else [at.indent + self.deed(names)]

    def deed(self, names: Names) -> str:
        player, color, zone, other = self.player(names), self.color(names), self.zone(names), self.zone(names)
        deeds = [
            f"if {player}.cash >= 1: transfer 1 from {player}.cash to {self.one(*COLORS)}.pot",
            f"transfer {self.amount(names)} from bank to {player}.cash",
            f"if n > 50: end game because {chr(34)}long{chr(34)}",
            f"shift {color}.price by {self.number(names)}",
            f"shift heat by {self.number(names)}",
            f"set n to min(9, {self.number(names)})",
            f"add 1 to {player}.m",
            f"set {color}.sold to {self.condition(names)}",
            f"set who to {player}",
            f"add {player} to picked",
            f"set {player}.fav to {color}",
            f"mark {self.fresh('mk')}",
            f"shuffle {zone}",
        ]
        if zone != other:
            place = self.one("", "start of ", "end of ")
            deeds.append(f"if size of {zone} > 0 and size of {other} < 5: move 1 from {zone} to {place}{other}")
            deeds.append(f"fill {other} to {self.random.randint(1, 4)} from {zone}")
        if zone != other != "pool":
            deeds.append(f"move all c in {zone} where c is chip {self.one(*COLORS)} to {other}")
            deeds.append(f"move {zone} to {other}")
        card = self.name(names, "card")
        return f"move {card} to shelf" if card and self.chance(0.3) else self.one(*deeds)

    # ---- statements with blocks

    def branching(self, names: Names, at: Where) -> list[str]:
        lines = [f"{at.indent}if {self.condition(names)}", *self.block(names, at.deeper())]
        return [*lines, f"{at.indent}else", *self.block(names, at.deeper())] if self.chance(0.5) else lines

    def each(self, names: Names, at: Where) -> list[str]:
        kind = self.one("player", "player", "color", "card")
        name, player = self.fresh("e"), self.player(names)
        things = {"player": self.one("players", f"others({player})", f"around({player})"), "color": "col"}
        head = f"{at.indent}each {name} in {things.get(kind) or self.zone(names)}"
        inner = [*names, (name, kind)]
        where = f" where {self.condition(inner)}" if self.chance(0.3) else ""
        return [head + where, *self.block(inner, at.deeper("loop"))]

    def repeating(self, names: Names, at: Where) -> list[str]:
        body = self.block(names, at.deeper("loop"))
        if self.chance(0.6):
            return [f"{at.indent}repeat {self.random.randint(1, 3)} times", *body]
        until = f"{at.indent}until n > {self.random.randint(3, 9)} or {self.condition(names)}"
        return [f"{at.indent}repeat", f"{at.indent}  add 1 to n", *body, until]

    def trying(self, names: Names, at: Where) -> list[str]:
        lines = [f"{at.indent}tentatively", *self.block(names, at.deeper("trial", out="loop"))]
        return [*lines, f"{at.indent}otherwise", *self.block(names, at.deeper(out="loop"))]

    def secret(self, names: Names, at: Where) -> list[str]:
        if at.inside & {"secret", "trial"}:
            return [f"{at.indent}nothing"]
        name = self.fresh("s")
        inner, below = [*names, (name, "player")], Where(at.indent + "  ", at.depth + 2, frozenset({"secret"}))
        lines = [f"{at.indent}secretly each {name}", *self.choosing(inner, below, name)]
        return [*lines, *self.block(inner, below)] if self.chance(0.3) else lines

    def choosing(self, names: Names, at: Where, who: str = "") -> list[str]:
        who, secret = who or self.name(names, "player") or "p", "secret" in at.inside
        if self.chance(0.3):
            return self.picking(names, at, who)
        lines = [f"{at.indent}{who} chooses"]
        for _ in range(self.random.randint(1, 4)):
            picks = [
                (self.fresh("a"), self.one("number", "color", "card")) for _ in range(self.random.choice((0, 1, 2)))
            ]
            of = {"number": f"1..{self.random.randint(1, 3)}", "color": "col", "card": self.one("shelf", f"{who}.hand")}
            inner = [*names, *picks]
            head = (
                f"{at.indent}  {self.fresh('b')} {', '.join(f'{name} in {of[kind]}' for name, kind in picks)}".rstrip()
            )
            head += f" where {self.condition(inner)}" if not secret and self.chance(0.35) else ""
            if self.chance(0.35):
                ways = ["nothing", "return", *(["leave"] if "loop" in at.inside else [])]
                lines.append(f"{head}: {self.one(*ways, *(['roll back'] if 'trial' in at.inside else []))}")
            else:
                lines += [f"{head}:", *self.block(inner, at.deeper(by=2))]
        return [*lines, f"{at.indent}  {self.fresh('z')}: {self.one('nothing', 'add 1 to n')}"]

    def picking(self, names: Names, at: Where, who: str) -> list[str]:
        """A choice of parts alone."""
        name, kind = self.fresh("a"), self.one("number", "color", "card", "some")
        of = {"number": f"in 0..{self.random.randint(1, 4)}", "color": "in col", "card": f"in {who}.hand"}
        some = f": some of {who}.hand{self.one('', ', possibly none', ', at most 2')}"
        what = f"{name} {of[kind]}" if kind in of else f"{name}{some}"
        free = kind != "some" and "secret" not in at.inside and self.chance(0.3)
        where = f" where {self.condition([*names, (name, kind)])}" if free else ""
        then = {"number": f"add {name} to {who}.m", "color": f"set {who}.fav to {name}"}
        lines = [f"{at.indent}{who} chooses {what}{where}", f"{at.indent}otherwise", *self.block(names, at.deeper())]
        return [*lines, at.indent + then.get(kind, f"move {name} to {self.one('shelf', 'box', f'{who}.face')}")]

    BLOCKS: tuple[Callable[[Author, Names, Where], list[str]], ...] = (
        choosing, choosing, choosing, branching, branching, each, each, repeating, repeating, trying, trying, secret,
    )  # fmt: skip
