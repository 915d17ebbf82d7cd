"""Of a variant: what it is a variant of, which names are new, and what it changes, in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.api import check_file
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report
from cambist.dsl.imports import shipped
from cambist.dsl.prose.declared import table_grid
from cambist.dsl.prose.english import listed
from cambist.dsl.prose.marks import clean, marked, sentence
from cambist.dsl.prose.numbered import Numbered
from cambist.dsl.prose.statements import Step, Teller
from cambist.dsl.prose.world import World, world_of
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.unparse_expressions import thing

MOST_BASES = 8
WORDS = {n.Procedure: "rule", n.Define: "definition"}
SIDES = {"before": "before ", "after": "after "}
DEEDS = {"replace": "other lines", "remove": "lines left out"}


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
    if found.variant.renames:
        told = [
            f"{clean(_words(old.text))} is now {marked('name', _words(new.text))}" for old, new in found.variant.renames
        ]
        steps.append(Step(sentence(f"other names: {listed(told)}")))
    base = world_of(found.base) if found.base is not None else None
    for change in found.patches:
        steps += _change(world, base, found, change)
    steps += [Step(sentence(f"new: {_name(decl)}")) for decl in found.added if not isinstance(decl, n.Example)]
    examples = sum(isinstance(decl, n.Example) for decl in found.added)
    if examples:
        steps.append(Step(sentence(f"{examples} more example{'s' if examples > 1 else ''}")))
    return steps


def _change(world: World, base: World | None, found: Lineage, change: n.Patch) -> list[Step]:
    match change:
        case n.SetPart():
            old = _value(base, _old_name(found, change.name.text)) if base is not None else ""
            instead = f" instead of {old}" if old else ""
            new = _value(world, change.name.text) or "new cards"
            return [
                Step(
                    sentence(f"{marked('name', _words(change.name.text))} is {new}{instead}")
                    + _marks(world, change.notes)
                )
            ]
        case n.Replace():
            return [
                Step(sentence(f"otherwise than before: {_name(decl)}") + _marks(world, getattr(decl, "notes", ())))
                for decl in change.decls
            ]
        case n.AddPart():
            return [
                Step(sentence(f"new: {_name(decl)}") + _marks(world, getattr(decl, "notes", ())))
                for decl in change.decls
            ]
        case n.Remove():
            return [Step(sentence(f"no longer there: {clean(change.word)} {marked('name', _words(change.label))}"))]
        case n.Cards():
            what = " ".join(_words(word) for word in thing(change.row.card, change.row.cells).split())
            more = "more" if change.how == "add" else "fewer"
            told = f"{change.row.count} {more} of {clean(what)} in {marked('name', _words(change.deck.text))}"
            return [Step(sentence(told) + _marks(world, change.row.notes))]
        case n.Lines():
            where = "" if change.anchor is None else f", {SIDES.get(change.how, '')}{clean(_words(change.anchor.text))}"
            told = f"{DEEDS.get(change.how, 'new lines')} in {marked('name', _words(change.rule.text))}{where}"
            return [Step(sentence(told) + _marks(world, change.notes))]
    assert_never(change)


def _marks(world: World, notes: n.Notes) -> str:
    numbers: Numbered = world.notes
    return numbers.mark(notes)


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
            return f"normally {voice.value(decl.default)}"
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
            return "how well a player stands"
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
