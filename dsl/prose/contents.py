"""Which kinds of cards can lie in which zone: so that a row of tokens is not told as a row of cards.

In: a checked ruleset. Out: for each zone the cards that some rule may bring there. What cannot be told is taken to
be any card.
"""

from __future__ import annotations

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import descend

Cards = frozenset[str]
NONE: Cards = frozenset()
ROUNDS = 12  # cards do not travel farther than this from zone to zone; what is left is any card


@define
class Contents:
    ruleset: CheckedRuleset
    zones: dict[str, Cards] = field(factory=dict)
    locals: dict[tuple[str, str], Cards] = field(factory=dict)  # a rule, and a name in it
    changed: bool = True

    def find(self) -> dict[str, Cards]:
        symbols = self.ruleset.symbols
        for name, decl in symbols.globals.items():
            if isinstance(decl, n.Deck):
                self.zones[name] = frozenset(card.text for card in decl.cards)
        for _ in range(ROUNDS):
            self.changed = False
            for name, procedure in symbols.procedures.items():
                self._block(name, procedure.body)
            if not self.changed:
                return self.zones
        return {}

    def _block(self, rule: str, body: tuple[n.Stmt, ...]) -> None:
        for node in descend(body):
            match node:
                case n.Move():
                    self._into(node.to, self.cards(rule, node.source or node.what), rule)
                case n.Fill():
                    self._into(node.zone, self.cards(rule, node.source), rule)
                case n.Let():
                    for name in node.names:
                        self._called(rule, name.text, self.cards(rule, node.value))
                case n.Draw() | n.Binder() | n.Pick():
                    if node.source is not None:
                        self._called(rule, node.name.text, self.cards(rule, node.source))
                case n.Call() if node.name.text in self.ruleset.symbols.procedures:
                    params = self.ruleset.symbols.procedures[node.name.text].params
                    for param, arg in zip(params, node.args, strict=False):
                        self._called(node.name.text, param.text, self.cards(rule, arg))
                        self._places(node.name.text, param.text, arg)
                case _:
                    pass

    def _called(self, rule: str, name: str, cards: Cards) -> None:
        before = self.locals.get((rule, name), NONE)
        if not cards <= before:
            self.locals[(rule, name)] = before | cards
            self.changed = True

    def _places(self, rule: str, name: str, arg: n.Expr) -> None:
        """A zone that is handed over is known by the names of the zones it may be."""
        zones = {zone for node in descend(arg) if (zone := self._zone(node))}
        if zones:
            self._called(rule, f"{name} is", frozenset(zones))

    def _zone(self, node: object) -> str:
        name = node.name if isinstance(node, n.Ref) else node.name.text if isinstance(node, (n.Dot, n.Call)) else ""
        return name if isinstance(self.ruleset.symbols.globals.get(name), (n.Zone, n.Deck)) else ""

    def _into(self, place: n.Expr, cards: Cards, rule: str) -> None:
        zones = {self._zone(place)} - {""}
        if isinstance(place, n.Ref) and not zones:
            zones = self._known_as(rule, place.name)
        for zone in zones:
            before = self.zones.get(zone, NONE)
            if not cards <= before:
                self.zones[zone] = before | cards
                self.changed = True

    def _known_as(self, rule: str, name: str) -> set[str]:
        found = set(self.locals.get((rule, f"{name} is"), NONE))
        for node in descend(self.ruleset.symbols.procedures[rule].body):
            if isinstance(node, (n.Binder, n.Pick)) and node.name.text == name and node.source is not None:
                found |= {zone for inner in descend(node.source) if (zone := self._zone(inner))}
                if isinstance(node.source, n.Ref) and node.source.name != name:
                    found |= self.locals.get((rule, f"{node.source.name} is"), NONE)
        return found

    def cards(self, rule: str, node: n.Expr) -> Cards:
        """What an expression may give, if it gives cards."""
        zone = self._zone(node)
        if zone:
            return self.zones.get(zone, NONE)
        match node:
            case n.Ref() if node.name == "everything":
                return frozenset(c for c, d in self.ruleset.symbols.globals.items() if isinstance(d, n.Card))
            case n.Ref() if (rule, node.name) in self.locals:
                return self.locals[(rule, node.name)]
            case n.Ref() | n.Call():
                return self._defined(rule, node)
            case n.Prefix():
                return self.cards(rule, node.value)
            case n.Quantified() if node.word == "all" and node.binders[0].source is not None:
                return narrowed(node, self.cards(rule, node.binders[0].source))
            case n.ListOf():
                return NONE.union(*(self.cards(rule, item) for item in node.items)) if node.items else NONE
            case _:
                return NONE

    def _defined(self, rule: str, node: n.Ref | n.Call) -> Cards:
        name = node.name if isinstance(node, n.Ref) else node.name.text
        decl = self.ruleset.symbols.globals.get(name)
        if not isinstance(decl, n.Define):
            return NONE
        for param, arg in zip(decl.params, node.args if isinstance(node, n.Call) else (), strict=False):
            self._called(name, param.text, self.cards(rule, arg))
        return self.cards(name, decl.value)


def narrowed(node: n.Quantified, cards: Cards) -> Cards:
    """`all c in hand where c is note`: only notes."""
    kinds = {
        test.name.text for test in conjuncts(node.where) if isinstance(test, n.Is) and _is_about(test, node.binders[0])
    }
    found = cards & kinds
    return found or cards


def _is_about(test: n.Is, binder: n.Binder) -> bool:
    return isinstance(test.value, n.Ref) and test.value.name == binder.name.text


def conjuncts(node: n.Expr | None) -> list[n.Expr]:
    """`a and b and c`, one by one."""
    if node is None:
        return []
    if isinstance(node, n.Binary) and node.op == "and":
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]
