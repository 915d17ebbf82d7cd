"""Of a variant: what it is a variant of, which names are new, and what it changes, in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.api import check_file
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import shipped
from cambist.dsl.prose.declared import option_line, score_step, table_grid
from cambist.dsl.prose.english import listed
from cambist.dsl.prose.examples import ExampleTeller
from cambist.dsl.prose.marks import bare, clean, marked, sentence
from cambist.dsl.prose.statements import Teller
from cambist.dsl.prose.steps import Step
from cambist.dsl.prose.world import World, world_of
from cambist.dsl.ruleset import CheckedRuleset

MOST_BASES = 8
PROOFS = (n.Example, n.Property, n.Estimate, n.Show)  # who plays need not know that these are others
GIVEN_UP = {"define": "definition", "procedure": "rule", "phase": "rule"}
WORDS = {n.Procedure: "rule", n.Define: "definition"}


@define
class Lineage:
    base: CheckedRuleset | None = None
    variant: n.Variant | None = None
    patches: tuple[n.Patch, ...] = ()
    added: tuple[n.Decl, ...] = ()
    renames: dict[str, str] = field(factory=dict)  # all the way down: the first base's names -> this one's


def lineage(ruleset: CheckedRuleset, deepest: int = MOST_BASES) -> Lineage:
    tree = build(ruleset.file, Report())
    variant = tree.variant
    if variant is None or deepest == 0:
        return Lineage()
    beside = Path(ruleset.file.name).parent / f"{variant.base.text}.rules"
    place = str(beside) if beside.exists() else str(shipped().get(variant.base.text, ""))
    base = check_file(place)[0] if place else None
    older = lineage(base, deepest - 1).renames if base is not None else {}
    own = {old.text: new.text for old, new in variant.renames}
    renames = {**own, **{old: own.get(new, new) for old, new in older.items()}}
    added = tuple(d for d in tree.decls if not isinstance(d, n.Game))
    return Lineage(base, variant, tree.patches, added, renames)


def differences(world: World, found: Lineage) -> list[Step]:
    """What a player of the base has to know."""
    if found.variant is None:
        return []
    steps = []
    if found.variant.players is not None:
        low, high = found.variant.players
        steps.append(Step(sentence(f"{low} to {high} players")))
    if found.variant.stack:
        others = listed(marked("name", _words(one.name.text)) for one in found.variant.stack)
        steps.append(Step(sentence(f"with all changes of {others}")))
    if found.variant.renames:
        told = [f"{marked('name', _words(new.text))} for {_words(old.text)}" for old, new in found.variant.renames]
        steps.append(Step(sentence(f"other names: {listed(told)}")))
    base = world_of(found.base) if found.base is not None else None
    for change in found.patches:
        steps += _change(world, base, found, change)
    return steps + [Step(sentence(f"new: {_name(decl)}")) for decl in found.added if not isinstance(decl, PROOFS)]


def _change(world: World, base: World | None, found: Lineage, change: n.Patch) -> list[Step]:
    match change:
        case n.SetPart():
            old = _value(base, _old_name(found, change.name.text)) if base is not None else ""
            instead = f" instead of {old}" if old else ""
            new = _value(world, change.name.text) or "new cards"
            return [
                Step(
                    sentence(f"{marked('name', _words(change.name.text))} is {new}{instead}")
                    + world.notes.mark(change.notes)
                )
            ]
        case n.Replace():
            return [
                Step(sentence(_instead(world, base, found, decl)) + world.notes.mark(getattr(decl, "notes", ())))
                for decl in change.decls
                if not isinstance(decl, PROOFS)
            ]
        case n.AddPart():
            return [
                Step(sentence(f"new: {_name(decl)}") + world.notes.mark(getattr(decl, "notes", ())))
                for decl in change.decls
                if not isinstance(decl, PROOFS)
            ]
        case n.Remove() if change.word in ("example", "invariant", "reachable", "measure"):
            return []
        case n.Remove():
            what = GIVEN_UP.get(change.word, clean(change.word))
            return [Step(sentence(f"no longer there: the {what} {marked('name', _words(change.label))}"))]
        case n.Cards():
            verb = "more" if change.how == "add" else "fewer"
            row = change.row
            card = ExampleTeller(world).thing(n.Thing(row.count, row.card, row.cells))
            return [Step(sentence(f"{card} {verb} in the {marked('name', _words(change.deck.text))}"))]
        case n.Lines():
            return [Step(sentence(_lines(change)) + world.notes.mark(change.notes))]
        case _ as never:
            assert_never(never)


def _lines(change: n.Lines) -> str:
    """Which lines of a rule are others; what they say now stands in the rule."""
    rule = marked("phase", _words(change.rule.text), change.rule.text)
    anchor = marked("name", _words(change.anchor.text)) if change.anchor is not None else ""
    match change.how:
        case "before" | "after":
            return f"in {rule} something is new {change.how} {anchor}"
        case "start" | "end":
            return f"in {rule} something is new at the {change.how}"
        case "replace":
            return f"in {rule} {anchor} is another"
        case "remove":
            return f"in {rule} there is no {anchor} any more"


def _instead(world: World, base: World | None, found: Lineage, decl: n.Decl) -> str:
    """A part that is another now: what it is, and what it was, if that can be said in short."""
    if base is None:
        return f"otherwise than before: {_name(decl)}"
    match decl:
        case n.Score():
            old = next((d for d in base.ruleset.decls if isinstance(d, n.Score)), None)
            before = bare(score_step(base, old).text).rstrip(".:").partition(" is ")[2] if old is not None else ""
            return f"{bare(score_step(world, decl).text).rstrip('.:')} (before: {before})"
        case n.Deck():
            old_name = _old_name(found, decl.name.text)
            counts = [
                sum(made.deck == name for made in one.ruleset.components)
                for one, name in ((world, decl.name.text), (base, old_name))
            ]
            return f"{_name(decl)} has {counts[0]} cards instead of {counts[1]}, as listed below"
        case _:
            new, old_value = _value(world, decl.name.text) if hasattr(decl, "name") else "", ""
            if hasattr(decl, "name"):
                old_value = _value(base, _old_name(found, decl.name.text))
            if new and old_value:
                return f"{_name(decl)}: {new} instead of {old_value}"
            return f"otherwise than before: {_name(decl)}"


def _old_name(found: Lineage, name: str) -> str:
    return next((old for old, new in found.renames.items() if new == name), name)


def _value(world: World, name: str) -> str:
    decl = world.declared(name)
    voice = Teller(world)
    match decl:
        case n.Table():
            grid = table_grid(world, decl)
            keyed = [f"{key}: {value}" for key, value in zip(grid.head[1:], grid.rows[0][1:], strict=True)]
            return ", ".join(keyed if decl.by is not None else grid.rows[0][1:])
        case n.Option():
            return bare(option_line(world, decl)).rstrip(".")
        case n.Variable() | n.Account():
            return voice.value(decl.start) if decl.start is not None else ""
        case n.Track():
            return ", ".join(voice.value(value) for value in decl.values)
        case n.Define():
            return clean(voice.value(decl.value)) if not decl.params else "as told below"
        case _:
            return ""


def _name(decl: n.Decl) -> str:
    match decl:
        case n.Example():
            return f"the example “{clean(decl.title)}”"
        case n.Score():
            return "the score"
        case n.Estimate():
            return "the guide for bots"
        case n.Winner():
            return "who wins"
        case n.Procedure() if decl.word in ("setup", "play"):
            return "the set-up" if decl.word == "setup" else "the course of the game"
        case n.Whenever():
            return f"what happens around {marked('name', _words(decl.zone.text))}"
        case n.Use():
            return marked("name", _words(decl.module.text))
        case _:
            return f"the {WORDS.get(type(decl), type(decl).__name__.lower())} {marked('name', _words(decl.name.text))}"


def _words(name: str) -> str:
    return clean(name.replace("_", " "))
