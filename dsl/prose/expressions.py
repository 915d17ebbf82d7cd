"""Expressions -> noun phrases: `size of p.hand` is “the number of cards in the player’s hand”.

A `Voice` speaks inside one rule: it knows what each local name is called there and the kinds of that rule. What is a yes
or no is told as a clause, in conditions.py.
"""

from __future__ import annotations

from typing import TypeVar, assert_never

import attrs
from attrs import define

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.infer_expressions import Instance
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.contents import conjuncts, narrowed
from cambist.dsl.prose.english import a, is_participle, is_plural, listed, plural, possessive, relative, words
from cambist.dsl.prose.marks import bare, clean, marked
from cambist.dsl.prose.world import Local, World

V = TypeVar("V", bound="Voice")
LONGEST_INLINE = 110  # characters of a condition that is told where it is used
LONGEST_MEANING = 80  # characters of a value that is told instead of its name
SHORT_NAME = 2  # letters: `p` and `k1` are called by what they are, longer names by themselves
OPERATORS = {"+": "+", "-": "−", "*": "×", "/": "÷"}
LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2}
PLACES = frozenset("aside away here there left right up down out gone below above shown offered".split())
BOTH = {"min": "smaller", "max": "larger"}


@define
class Voice:
    world: World
    instance: Instance | None = None
    locals: dict[str, Local] = attrs.field(factory=dict)
    depth: int = 0  # how many definitions are told inside one another

    # ---- who is who

    def kind(self, node: n.Expr) -> Kind:
        if isinstance(node, n.Ref) and node.name in self.locals:
            return self.locals[node.name].kind
        return self.instance.of(node) if self.instance is not None else k.UNKNOWN

    def inner(self: V, more: dict[str, Local]) -> V:
        return attrs.evolve(self, locals={**self.locals, **more})

    def as_subject(self: V, name: str | None) -> V:
        """The same voice inside a sentence about this local: “their hand”."""
        if name is None or name not in self.locals:
            return self
        local = self.locals[name]
        return self.inner({name: Local("they", local.kind, local.full or local.phrase)})

    def call(self, name: str, kind: Kind, taken: dict[str, Local] | None = None, bound: bool = False) -> str:
        """How a new local is called: by its name if that is a word, else by what it is."""
        used = {local.full or local.phrase for local in (self.locals if taken is None else taken).values()}
        if len(name) > SHORT_NAME or "_" in name:
            said = clean(name.replace("_", " "))
            if (
                kind.word in ("number", "amount", "account", "unknown", "flag")
                or kind.word == "list"
                and not is_plural(said)
            ):
                return marked("name", said)
            noun = self.world.noun(kind)
            if kind.word in ("enum", "card") and noun not in (said, said.partition(" ")[0], said.rpartition(" ")[2]):
                return f"the {marked('name', said)} {noun}"
            return f"the {said}"
        if kind.word in ("number", "amount", "account", "unknown", "flag", "text"):
            return marked("name", name)
        noun = self.world.noun(kind)
        second = "other" if kind.word == "player" else "second"
        for phrase in (
            f"the {noun}",
            *((f"that {noun}",) if bound else ()),
            f"the {second} {noun}",
            f"the third {noun}",
        ):
            if phrase not in used:
                return phrase
        return f"{noun} {marked('name', name)}"

    def declare(self: V, names: dict[str, Kind], bound: bool = False) -> V:
        """New locals; `bound`: each of several in turn, of which another local may be one."""
        found = dict(self.locals)
        for name, kind in names.items():
            found[name] = Local(self.call(name, kind, found, bound), kind)
        return attrs.evolve(self, locals=found)

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
                return self._quantified(node)
            case n.The():
                return self._the(node)
            case _ as never:
                assert_never(never)

    def clause(self, node: n.Expr, negated: bool = False) -> str:
        raise AssertionError("told by Clauses")

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
        """A defined value by its name: “the player’s *fortune*”, “the *worth* of the bid”."""
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

    def opened(self: V, decl: n.Define, args: tuple[n.Expr, ...]) -> V:
        """A voice inside a definition, in which its parameters are what it is asked for."""
        kinds = tuple(self.kind(arg) for arg in args)
        instance = self.world.instance(decl.name.text, kinds)
        given = {
            param.text: Local(self._as_owner(arg), kind)
            for param, arg, kind in zip(decl.params, args, kinds, strict=False)
        }
        return attrs.evolve(self, instance=instance, locals=given, depth=self.depth + 1)

    def _as_owner(self, node: n.Expr) -> str:
        if isinstance(node, n.Ref) and node.name in self.locals:
            return self.locals[node.name].phrase
        return self.value(node)

    # ---- sums and choices of values

    def _operand(self, node: n.Expr, level: int) -> str:
        text = self.value(node)
        lower = isinstance(node, n.Binary) and LEVEL.get(node.op, 0) < level
        return f"({text})" if lower or isinstance(node, (n.IfElse, n.Quantified, n.The)) else text

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

    # ---- those of several

    def element(self, binder: n.Binder) -> Kind:
        """What a binder, or a pick, runs through."""
        return k.PLAYER if binder.source is None else self.element_of(binder.source)

    def element_of(self, source: n.Expr) -> Kind:
        return self.narrow(k.element(self.kind(source)) or k.UNKNOWN, source)

    def narrow(self, kind: Kind, source: n.Expr) -> Kind:
        """Cards from a zone in which only one kind of them can lie."""
        if kind.word != "card" or kind.name:
            return kind
        cards = self._cards(source)
        return k.card(next(iter(cards))) if len(cards) == 1 else kind

    def _cards(self, source: n.Expr) -> frozenset[str]:
        match source:
            case n.Ref() if source.name in self.locals:
                inner = self.locals[source.name].kind
                inner = inner.of or inner
                return frozenset({inner.name}) if inner.word == "card" and inner.name else frozenset()
            case n.Ref():
                decl = self.world.definition(source.name)
                return (
                    self._cards(decl.value) if decl is not None else self.world.contents.get(source.name, frozenset())
                )
            case n.Dot() | n.Call():
                decl = self.world.definition(source.name.text)
                if decl is not None and isinstance(source, n.Call):
                    return self.opened(decl, source.args)._cards(decl.value)
                return self.world.contents.get(source.name.text, frozenset())
            case n.Prefix():
                return self._cards(source.value)
            case n.Quantified() if source.word == "all" and source.binders[0].source is not None:
                return narrowed(source, self._cards(source.binders[0].source))
            case _:
                return frozenset()

    def card_in(self, place: n.Expr) -> str:
        """What lies there, in one word."""
        return self.world.noun(self.narrow(k.CARD, place))

    def among(self, source: n.Expr | None) -> str:
        """Behind a noun: where one looks for it."""
        match source:
            case None:
                return ""
            case n.Ref() if source.name == "players" or self.world.ruleset.symbols.enum(source.name):
                return ""
            case n.Ref() if source.name == "everything":
                return " of the game"
            case n.Call() if source.name.text == "others" and "others" not in self.locals:
                return f" other than {self.value(source.args[0])}"
            case n.Call() if source.name.text == "around":
                return f", clockwise from {self.value(source.args[0])},"
            case n.Between():
                return f" from {self.value(source)}"
            case n.ListOf():
                return f" ({listed((self.value(item) for item in source.items), 'or')})"
            case _:
                where = self.value(source)
                if where.startswith("all players"):
                    return f"{where.removeprefix('all players')},"
                if bare(where).rpartition(" ")[2] == plural(self.world.noun(self.element_of(source))):
                    return "" if bare(where).startswith("the ") and bare(where).count(" ") == 1 else f" among {where}"
                is_place = self.kind(source).word == "zone" or isinstance(self._variable(source), n.Variable)
                return f" {'in' if is_place else 'among'} {where}"

    def _variable(self, node: n.Expr) -> n.Decl | None:
        return self.world.declared(node.name) if isinstance(node, n.Ref) and node.name not in self.locals else None

    def _other(self, source: n.Expr | None) -> tuple[str, str]:
        """Before a noun and behind it: “other player”, “player other than the leader”."""
        if isinstance(source, n.Call) and source.name.text == "others" and "others" not in self.locals:
            first = source.args[0]
            local = self.locals.get(first.name) if isinstance(first, n.Ref) else None
            if local is not None and (local.full or local.phrase) == "the player":
                return "other ", ""
        return "", self.among(source)

    def noun_for(self, name: str, kind: Kind) -> str:
        """What one of several is called: rows and other groups by the name they have here."""
        if kind.word in ("zone", "list", "unknown") and (len(name) > SHORT_NAME or "_" in name):
            return clean(name.replace("_", " "))
        return self.world.noun(kind)

    def those(self, binder: n.Binder, where: n.Expr | None, several: bool) -> str:
        """“cards in the hand whose value is 5”, “player whose bid is not empty”."""
        kind = self.element(binder)
        noun, tests = self._narrowed(binder, kind, conjuncts(where))
        taken = {local.full or local.phrase for local in self.locals.values()}
        one = self.noun_for(binder.name.text, kind)
        phrase = f"that {one}" if f"that {one}" not in taken else f"that other {one}"
        inside = self.inner({binder.name.text: Local(phrase, kind)})
        other, among = self._other(binder.source)
        shown = other + (plural(noun[0]) if several else noun[0]) + noun[1] + among
        if not tests:
            return shown
        clause = listed(inside.clause(test) for test in tests) if len(tests) > 1 else inside.clause(tests[0])
        return relative(shown, phrase, clause, several, kind.word == "player")

    def _narrowed(self, binder: n.Binder, kind: Kind, tests: list[n.Expr]) -> tuple[tuple[str, str], list[n.Expr]]:
        """A test for a kind of card becomes the noun."""
        for test in tests:
            if isinstance(test, n.Is) and isinstance(test.value, n.Ref) and test.value.name == binder.name.text:
                if self.world.ruleset.symbols.card(test.name.text) is not None:
                    rest = [other for other in tests if other is not test]
                    return (self.world.words(test.name.text), self.fields(test)), rest
        return (self.noun_for(binder.name.text, kind), ""), tests

    def fields(self, node: n.Is) -> str:
        """Behind the name of a card: “ of the color with value 5”."""
        card = self.world.ruleset.symbols.card(node.name.text)
        found = ""
        for cell, item in zip(node.cells, card.fields if card is not None else (), strict=False):
            if isinstance(cell, n.Number) or k.is_numeric(self.kind(cell)) and self.kind(cell) != k.UNKNOWN:
                found += (
                    f" {'and' if ' with ' in found else 'with'} {self.world.words(item.name.text)} {self.value(cell)}"
                )
            else:
                found += f" of {self.value(cell)}"
        return found

    def _quantified(self, node: n.Quantified) -> str:
        binders, word = node.binders, node.word
        if word in ("some", "every", "no"):
            return f"whether {self.clause(node)}"
        if word == "all":
            if node.where is None:
                return f"all {self.those(binders[0], None, True)}"
            return f"the {self.those(binders[0], node.where, True)}"
        if word == "count" and len(binders) == 1:
            return f"the number of {self.those(binders[0], node.where, True)}"
        otherwise = f", or {self.value(node.default)} if there is none" if node.default is not None else ""
        inside, shown = self.each_of(binders, node.where)
        if word == "count":
            return f"the number of combinations of {a(shown)}"
        assert node.value is not None
        told = inside.value(node.value)
        whose = f"{possessive(inside.locals[binders[0].name.text].phrase)} "
        if len(binders) == 1 and isinstance(node.value, n.Dot) and told.startswith(whose):
            those = self.those(binders[0], node.where, True)
            lead = {"sum": "total", "most": "highest", "least": "lowest"}[word]
            return f"the {lead} {told[len(whose) :]} of the {those}{otherwise}"
        lead = {"sum": "the sum", "most": "the highest", "least": "the lowest"}[word]
        return f"{lead}, over every {shown}, of {told}{otherwise}"

    def each_of(self: V, binders: tuple[n.Binder, ...], where: n.Expr | None) -> tuple[V, str]:
        """Several binders at once: “player and each currency that is not …”."""
        inside, shown = self, []
        for binder in binders:
            kind = inside.element(binder)
            noun = inside.noun_for(binder.name.text, kind)
            taken = {local.full or local.phrase for local in inside.locals.values()}
            phrase = next(
                (p for p in (f"that {noun}", f"that other {noun}", f"that third {noun}") if p not in taken), noun
            )
            other, among = inside._other(binder.source)
            noun = other + noun
            shown.append((noun if len(shown) == 0 else a(noun)) + among)
            inside = inside.inner({binder.name.text: Local(phrase, kind)})
        text = " and ".join(shown)
        if where is not None:
            text = (
                relative(text, phrase, inside.clause(where))
                if len(binders) == 1
                else f"{text} for which {inside.clause(where)}"
            )
        return inside, text

    def _the(self, node: n.The) -> str:
        inside, _ = self.each_of((node.binder,), None)
        phrase = inside.locals[node.binder.name.text].phrase
        told = [self.highest(inside, criterion, phrase) for criterion in node.criteria]
        those = self.those(node.binder, node.where, node.policy == "all")
        text = f"the {those} with {told[0]}"
        if len(told) > 1:
            text += "; of those tied with " + ", then ".join(told[1:])
        if node.policy == "all":
            text += " (all that tie)"
        elif node.policy == "first":
            text += " (of those tied the first)"
        return text + (f", or {self.value(node.default)} if there is none" if node.default is not None else "")

    def highest(self, inside: Voice, criterion: n.Criterion, phrase: str) -> str:
        """“the highest number of cards in that player’s hand”."""
        told = inside.value(criterion.value)
        own = f"{possessive(phrase)} "
        plain = not isinstance(criterion.value, (n.Binary, n.IfElse))
        told = told[len(own) :] if plain and told.startswith(own) else told.removeprefix("the ")
        return f"the {'highest' if criterion.most else 'lowest'} {told}"


def _worked_out(left: str, op: str, right: str) -> str:
    """What two numbers make; nothing if one is not known."""
    if not (left.isdecimal() and right.isdecimal()) or op == "/":
        return ""
    made = {"+": int(left) + int(right), "-": int(left) - int(right), "*": int(left) * int(right)}[op]
    return str(made).replace("-", "−")


def is_short(text: str) -> bool:
    return len(bare(text)) <= LONGEST_INLINE
