"""What a teller knows of the whole ruleset: its names in words, its kinds, comments and notes, and what is settled.

In: a checked ruleset, perhaps a number of players and options. Out: answers to small questions; no sentence is made
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from attrs import define, field, frozen

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.infer_names import Instance, param_kind
from cambist.dsl.kinds import Kind
from cambist.dsl.prose.comments import Comments
from cambist.dsl.prose.contents import Contents
from cambist.dsl.prose.english import words
from cambist.dsl.prose.marks import clean, marked
from cambist.dsl.prose.numbered import Numbered, numbered
from cambist.dsl.register import register
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import descend


@frozen
class Local:
    """A parameter, a `let`, what a binder or a pick runs through: how it is called, and of what kind it is."""

    phrase: str
    kind: Kind
    full: str = ""  # the phrase, where a sentence calls it “they”


@define
class World:
    ruleset: CheckedRuleset
    comments: Comments
    notes: Numbered
    settled: dict[str, str] = field(factory=dict)  # options, and tables by players: what is known of them
    called: dict[str, int] = field(factory=dict)  # in how many places each procedure is run
    ambiguous: set[str] = field(factory=set)
    contents: dict[str, frozenset[str]] = field(factory=dict)  # which cards may lie in which zone
    handed: dict[tuple[str, str], frozenset[str]] = field(factory=dict)  # which cards a rule's parameter may be

    # ---- names

    def words(self, name: str) -> str:
        """A name as words; if two things are called alike, one of a module says of which."""
        text = clean(words(name))
        if "." in name and text in self.ambiguous:
            return f"{text} ({clean(words(name.partition('.')[0]))})"
        return text

    def term(self, name: str) -> str:
        return marked("term", self.words(name), name)

    def phase(self, name: str) -> str:
        return marked("phase", self.words(name).capitalize() if self.words(name).islower() else self.words(name), name)

    def name(self, name: str) -> str:
        return marked("name", self.words(name), name)

    # ---- what is declared

    def declared(self, name: str) -> n.Decl | None:
        return self.ruleset.symbols.globals.get(name)

    def definition(self, name: str) -> n.Define | None:
        found = self.declared(name)
        return found if isinstance(found, n.Define) else None

    def instance(self, name: str, args: tuple[Kind, ...] | None = None) -> Instance | None:
        """A rule as it is used with these kinds, or as it is used first."""
        instances = self.ruleset.inferred.instances
        if args is not None:
            found = instances.get((name, tuple(param_kind(kind) for kind in args)))
            if found is not None:
                return found
        ways = [one for (called, _), one in instances.items() if called == name]
        known = [one for one in ways if k.UNKNOWN not in one.key[1]]
        return next(iter(known or ways), None)

    def only_card(self) -> str:
        """What all components are called, if they are of one kind."""
        cards = [d for d in self.ruleset.symbols.globals.values() if isinstance(d, n.Card)]
        return self.words(cards[0].name.text) if len(cards) == 1 else "card"

    def noun(self, kind: Kind) -> str:
        match kind.word:
            case "enum":
                return self.words(kind.name)
            case "card":
                return self.words(kind.name) if kind.name else self.only_card()
            case "player" | "number" | "amount" | "account" | "text":
                return kind.word
            case "zone":
                return "place"
            case "list":
                return "group"
            case _:
                return "thing"


def world_of(
    ruleset: CheckedRuleset, renames: Mapping[str, str] | None = None, settled: Mapping[str, str] | None = None
) -> World:
    symbols = ruleset.symbols
    names = Counter(clean(words(name)) for name in (*symbols.globals, *symbols.procedures))
    comments = Comments(dict(renames or {}), ruleset.file.name)
    world = World(ruleset, comments, numbered(register(ruleset)), dict(settled or {}), called_in(ruleset))
    contents = Contents(ruleset)
    world.contents, world.handed = contents.find(), contents.locals
    world.ambiguous = {name for name, count in names.items() if count > 1}
    return world


def called_in(ruleset: CheckedRuleset) -> dict[str, int]:
    """In how many places each procedure is run by another."""
    found: Counter[str] = Counter()
    for decl in ruleset.decls:
        if isinstance(decl, (n.Procedure, n.Whenever)):
            for node in descend(decl.body):
                name = run_name(node)
                if name in ruleset.symbols.procedures:
                    found[name] += 1
    return dict(found)


def run_name(node: object) -> str:
    """The procedure that a statement runs, alone or for its results; nothing if it runs none."""
    target = node.target if isinstance(node, n.Run) else node.value if isinstance(node, n.Let) else None
    if isinstance(target, n.Ref):
        return target.name
    return target.name.text if isinstance(target, n.Call) else ""
