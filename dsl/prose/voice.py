"""A voice speaks inside one rule: it knows what each local name is called there, and the kinds of that rule.

In: the world of a ruleset, an instance of a rule. Out: who is who; phrases are made by what builds on it (several.py,
expressions.py, conditions.py).
"""

from __future__ import annotations

from typing import TypeVar

import attrs
from attrs import define

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.infer_names import Instance
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.contents import narrowed
from cambist.dsl.prose.english import is_plural
from cambist.dsl.prose.marks import clean, marked
from cambist.dsl.prose.world import Local, World

V = TypeVar("V", bound="Voice")
SHORT_NAME = 2  # letters: `p` and `k1` are called by what they are, longer names by themselves


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

    def in_full(self: V) -> V:
        """The same voice where “they” could be somebody else."""
        return self.inner({name: Local(one.full, one.kind) for name, one in self.locals.items() if one.full})

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
            if kind.word == "player" and not said.endswith(("player", "er", "or")):
                return f"the player {marked('name', said)}"
            return f"the {said}"
        if kind.word in ("number", "amount", "account", "unknown", "flag", "text"):
            return marked("name", name)
        noun = self.world.noun(kind)
        second = "other" if kind.word == "player" else "second"
        ways = [f"the {noun}", f"the {second} {noun}", f"the third {noun}"]
        if bound:
            ways.insert(1, f"that {noun}")
        free = [phrase for phrase in ways if phrase not in used]
        if free:
            return free[0]
        return f"{noun} {marked('name', name)}"

    def declare(self: V, names: dict[str, Kind], bound: bool = False) -> V:
        """New locals; `bound`: each of several in turn, of which another local may be one."""
        found = dict(self.locals)
        for name, kind in names.items():
            found[name] = Local(self.call(name, kind, found, bound), kind)
        return attrs.evolve(self, locals=found)

    # ---- said by what builds on it

    def value(self, node: n.Expr) -> str:
        raise AssertionError("told in expressions.py")

    def clause(self, node: n.Expr, negated: bool = False) -> str:
        raise AssertionError("told in conditions.py")

    # ---- inside a definition

    def opened(self: V, decl: n.Define, args: tuple[n.Expr, ...]) -> V:
        """A voice inside a definition, in which its parameters are what it is asked for."""
        kinds = tuple(self.kind(arg) for arg in args)
        instance = self.world.instance(decl.name.text, kinds)
        given = {
            param.text: Local(self.as_owner(arg), kind)
            for param, arg, kind in zip(decl.params, args, kinds, strict=False)
        }
        return attrs.evolve(self, instance=instance, locals=given, depth=self.depth + 1)

    def as_owner(self, node: n.Expr) -> str:
        if isinstance(node, n.Ref) and node.name in self.locals:
            return self.locals[node.name].phrase
        return self.value(node)

    # ---- what one finds where

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
