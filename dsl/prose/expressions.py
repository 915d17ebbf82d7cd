"""Expressions -> noun phrases: `size of p.hand` is “the number of cards in the player’s hand”.

What is a yes or no is told as a clause, in conditions.py.
"""

from __future__ import annotations

from typing import assert_never

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.prose.english import is_participle, is_plural, listed, plural, possessive, words
from cambist.dsl.prose.marks import bare, clean, marked
from cambist.dsl.prose.several import Several
from cambist.dsl.prose.voice import SHORT_NAME

LONGEST_INLINE = 110  # characters of a condition that is told where it is used
LONGEST_MEANING = 80  # characters of a value that is told instead of its name
OPERATORS = {"+": "+", "-": "−", "*": "×", "/": "÷"}
LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2}
PLACES = frozenset("aside away here there left right up down out gone below above shown offered".split())
BOTH = {"min": "smaller", "max": "larger"}


class Phrases(Several):
    # ---- values

    def value(self, node: n.Expr) -> str:
        match node:
            case n.Number():
                return node.value.replace("-", "−")
            case n.Text():
                return f"“{clean(node.value)}”"
            case n.Truth():
                return "yes" if node.value else "no"
            case n.Ref():
                return self._ref(node)
            case n.Call():
                return self._call(node)
            case n.Dot():
                return self._dot(node)
            case n.Index():
                return self._index(node)
            case n.ListOf():
                return listed(self.value(item) for item in node.items) or "none"
            case n.Between():
                step = f" in steps of {self.value(node.step)}" if node.step is not None else ""
                return f"{self.value(node.low)} to {self.value(node.high)}{step}"
            case n.Binary() if node.op in OPERATORS:
                return self._arithmetic(node)
            case n.Binary() | n.Not() | n.Is():
                return f"whether {self.clause(node)}"
            case n.Negate():
                return f"−{self._operand(node.value, 3)}"
            case n.IfElse():
                return self._if_else(node)
            case n.Prefix():
                return self._prefix(node)
            case n.Quantified():
                return self.quantified(node)
            case n.The():
                return self.the_one(node)
            case _ as never:
                assert_never(never)

    def _ref(self, node: n.Ref) -> str:
        name, world = node.name, self.world
        if name in self.locals:
            phrase = self.locals[name].phrase
            return "them" if phrase == "they" else phrase
        match name:
            case "players":
                return "the players"
            case "everything":
                return "all cards of the game"
            case "nobody":
                return "nobody"
            case "score":
                return "the score"
        if name in world.settled:
            return world.settled[name]
        if name in world.ruleset.symbols.members:
            return world.words(name)
        decl = world.declared(name)
        match decl:
            case n.Define():
                return self.defined(decl, ())
            case n.Enum():
                return f"the {plural(world.words(name))}"
            case n.Option():
                usual = f" (normally {self.value(decl.default)})" if decl.low is not None else ""
                return f"the option {world.name(name)}{usual}"
            case n.Table():
                return f"the {world.name(name)}" + (" for this number of players" if decl.by is not None else "")
            case n.Zone() | n.Deck() | n.Account() | n.Variable() | n.Track():
                return self.owned(decl, ())
            case _:
                return world.phase(name) if name in world.ruleset.symbols.procedures else clean(name.replace("_", " "))

    def _call(self, node: n.Call) -> str:
        name, args = node.name.text, [self.value(arg) for arg in node.args]
        decl = self.world.declared(name)
        match decl:
            case n.Define():
                return self.defined(decl, node.args)
            case n.Zone() | n.Deck() | n.Account() | n.Variable() | n.Track():
                return self.owned(decl, node.args)
            case _:
                pass
        match name:
            case "min" | "max":
                limits = {"min": "at most", "max": "at least"}[name]
                if len(args) == 2 and isinstance(node.args[1], n.Number):
                    return f"{args[0]}, but {limits} {args[1]}"
                return f"the {BOTH[name]} of {listed(args)}"
            case "abs":
                return f"{args[0]} without its sign"
            case "next":
                return f"the player to the left of {args[0]}"
            case "around":
                return f"all players, clockwise from {args[0]}"
            case "others":
                return f"all players but {args[0]}, clockwise"
            case "before":
                return f"{args[0]} before"
            case _:
                return f"{self.world.phase(name)} with {listed(args)}"

    def _dot(self, node: n.Dot) -> str:
        name, world = node.name.text, self.world
        owner = self.kind(node.owner)
        decl = world.declared(name)
        if world.ruleset.symbols.is_field(name, owner) or not isinstance(
            decl, (n.Zone, n.Account, n.Variable, n.Track)
        ):
            return self.of_one(node.owner, world.words(name))
        return self.owned(decl, (node.owner, *node.args))

    def whose(self, node: n.Expr) -> str:
        if isinstance(node, n.Ref) and node.name in self.locals:
            return possessive(self.locals[node.name].phrase)
        return possessive(self.value(node))

    def of_one(self, owner: n.Expr, what: str) -> str:
        """“the player’s hand”, but “the price of the first card of the row”."""
        told = self.value(owner)
        return f"the {what} of {told}" if " of " in told or " with " in told else f"{self.whose(owner)} {what}"

    def owned(self, decl: n.Zone | n.Deck | n.Account | n.Variable | n.Track, owners: tuple[n.Expr, ...]) -> str:
        """A zone, an account, a variable, a track: alone, or of its owners."""
        world, name = self.world, decl.name.text
        if not owners:
            return self._unowned(decl)
        called = world.words(name) if isinstance(decl, (n.Zone, n.Deck)) else world.name(name)
        if isinstance(decl, n.Account) and is_participle(world.words(name)):
            called = f"amount {called}"
        own_kinds = [o.text for o in getattr(decl, "owners", ())]
        others = [self.value(owner) for owner in owners[1:]]
        if own_kinds[:1] == ["player"] or len(owners) == 1:
            more = f" in {listed(others)}" if others else ""
            return f"{self.of_one(owners[0], called)}{more}"
        return f"the {called} for {self.value(owners[0])} in {listed(others)}"

    def _unowned(self, decl: n.Zone | n.Deck | n.Account | n.Variable | n.Track) -> str:
        world, name = self.world, decl.name.text
        if isinstance(decl, n.Zone) and (is_participle(world.words(name)) or world.words(name) in PLACES):
            return f"the {world.name(name)} {clean(decl.order.text)}"
        if isinstance(decl, (n.Zone, n.Deck)):
            return f"the {world.words(name)}"
        if isinstance(decl, (n.Account, n.Track)):
            return f"the {world.name(name)}"
        noun = decl.kind.name.text
        if noun in ("number", "flag", "list") or isinstance(world.declared(noun), n.Unit):
            return world.name(name)
        if noun in ("player", "card") and not name.endswith(("er", "or")) or world.ruleset.symbols.enum(noun):
            return f"the {world.name(name)} {world.words(noun)}"
        return f"the {world.name(name)}"

    def _index(self, node: n.Index) -> str:
        if isinstance(node.table, n.Ref) and isinstance(self.world.declared(node.table.name), n.Table):
            return f"the {self.world.name(node.table.name)} for {self.value(node.key)}"
        return f"number {self.value(node.key)} of {self.value(node.table)}"

    # ---- definitions

    def defined(self, decl: n.Define, args: tuple[n.Expr, ...]) -> str:
        """A defined value by its name: “the player’s *rank*”, “the *worth* of the bid”."""
        if isinstance(decl.value, n.Number) and not decl.params:
            return self.value(decl.value)
        meaning = self._instead(decl, args)
        if meaning:
            return meaning
        term = self.world.term(decl.name.text)
        instance = self.world.instance(decl.name.text, tuple(self.kind(arg) for arg in args))
        result = instance.results[0] if instance is not None and instance.results else k.UNKNOWN
        if result.word == "flag":
            call = n.Call(decl.name, args) if args else n.Ref(decl.name.text)
            return f"whether {self.clause(call)}"
        inner = k.element(result) if result.word == "list" else None
        if (
            inner is not None
            and inner.word in ("player", "enum", "card")
            and not is_plural(self.world.words(decl.name.text))
        ):
            term = f"{term} {plural(self.world.noun(self.narrow(inner, decl.value)))}"
        counts = k.is_numeric(result) and is_participle(words(decl.name.text))
        what = f"the {'number' if result.word == 'number' else 'amount'} {term}" if counts else f"the {term}"
        if not args:
            return what
        if self.kind(args[0]).word == "player":
            rest = listed(self.value(arg) for arg in args[1:])
            if counts:
                return f"{what} by {self.value(args[0])}" + (f" of {rest}" if rest else "")
            return f"{self.whose(args[0])} {term}" + (f" for {rest}" if rest else "")
        first, rest = self.value(args[0]), listed(self.value(arg) for arg in args[1:])
        return f"{what} of {first}" + (f" with {rest}" if rest else "")

    def _instead(self, decl: n.Define, args: tuple[n.Expr, ...]) -> str:
        """A module’s word for a number, if what it means is short: players of this game know no modules."""
        counts = isinstance(decl.value, n.Quantified) and decl.value.word in ("sum", "count")
        if "." not in decl.name.text or self.depth > 1 or not (counts or isinstance(decl.value, n.Prefix)):
            return ""
        told = self.opened(decl, args).value(decl.value)
        return told if len(bare(told)) <= LONGEST_MEANING else ""

    def with_names(self, args: tuple[n.Expr, ...], params: tuple[n.Name, ...]) -> list[str]:
        """What something is asked for or carried out with; a number says what it is for."""
        found = []
        for arg, param in zip(args, params, strict=False):
            told, name = self.value(arg), param.text
            plain = isinstance(arg, (n.Number, n.Negate)) and len(name) > SHORT_NAME
            found.append(f"{told} as {marked('name', name.replace('_', ' '))}" if plain else told)
        return found

    # ---- sums and choices of values

    def _operand(self, node: n.Expr, level: int) -> str:
        text = self.value(node)
        lower = isinstance(node, n.Binary) and LEVEL.get(node.op, 0) < level
        apart = isinstance(node, (n.IfElse, n.Quantified, n.The)) or ", but at " in text
        return f"({text})" if lower or apart else text

    def _arithmetic(self, node: n.Binary) -> str:
        level = LEVEL[node.op]
        left = self._operand(node.left, level)
        right = self._operand(node.right, level + (node.op in "-/"))
        if node.op == "+" and isinstance(node.right, n.Negate):
            return f"{left} − {self._operand(node.right.value, 2)}"
        rounded = f", rounded {node.rounding}" if node.rounding else ""
        text = _worked_out(left, node.op, right) or f"{left} {OPERATORS[node.op]} {right}"
        return f"({text}{rounded})" if rounded else text

    def _if_else(self, node: n.IfElse) -> str:
        text = f"{self.value(node.then)} if {self.clause(node.test)}, otherwise "
        return text + self.value(node.other)

    def _prefix(self, node: n.Prefix) -> str:
        inside = self.value(node.value)
        kind = self.kind(node.value)
        match node.word:
            case "size":
                if isinstance(node.value, n.Ref) and node.value.name == "players":
                    return self.world.settled.get("players", "the number of players")
                if kind.word == "zone":
                    return f"the number of {plural(self.card_in(node.value))} in {inside}"
                if inside.startswith("the ") and is_plural(inside):
                    return f"the number of {inside[4:]}"
                of = f"{plural(self.world.noun(kind.of))} in " if kind.of is not None and kind.of != k.UNKNOWN else ""
                return f"the number of {of}{inside}"
            case "first" | "last":
                noun = self.world.noun(self.element_of(node.value))
                return f"the {node.word} {noun} of {inside}"
            case "rest":
                return f"all but the first of {inside}"
            case _ as never:
                assert_never(never)


def _worked_out(left: str, op: str, right: str) -> str:
    """What two numbers make; nothing if one is not known."""
    if not (left.isdecimal() and right.isdecimal()) or op == "/":
        return ""
    made = {"+": int(left) + int(right), "-": int(left) - int(right), "*": int(left) * int(right)}[op]
    return str(made).replace("-", "−")


def is_short(text: str) -> bool:
    return len(bare(text)) <= LONGEST_INLINE
