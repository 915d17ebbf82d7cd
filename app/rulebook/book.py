"""A game -> its book: the chapters in the order in which one learns a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cambist.dsl import nodes as n
from cambist.dsl.prose.marks import clean, marked, sentence
from cambist.dsl.prose.world import World, world_of
from cambist.dsl.register import register
from cambist.game import Game
from cambist.interpreter.rule_tests import Outcome, run_example
from cambist.rulebook import parts
from cambist.rulebook.document import Block, Document, Entries, Heading, Paragraph, Steps
from cambist.rulebook.lineage import Lineage, differences, lineage
from cambist.rulebook.rules import Rules, title_of


def book_of(game: Game, players: int | None = None, options: Mapping[str, Any] | None = None) -> Document:
    """With `players` and `options` the book tells the game for those; else for all."""
    game = Game(game.ruleset, {**game.set_to, **(options or {})})
    past = lineage(game.ruleset)
    world = world_of(game.ruleset, past.renames, _settled(game, players))
    return Document(clean(game.title), tuple(_facts(game, world, past, players)), tuple(_blocks(game, world, past)))


def _settled(game: Game, players: int | None) -> dict[str, str]:
    """What need not be left open: options that are set, tables by players if their number is known."""
    found: dict[str, str] = {}
    for name, number in game.settle(game.set_to).items():
        option = game.options[name]
        if option.values:
            found[name] = clean(option.values[number].text.replace("_", " "))
        else:
            found[name] = str(number) if option.low is not None else ("yes" if number else "no")
    if players is not None:
        game.machine(players)  # names the numbers allowed, if this is none of them
        found["players"] = str(players)
        for decl in game.ruleset.decls:
            if isinstance(decl, n.Table) and decl.by is not None:
                entries = {key.value: value.value for key, value in decl.entries if key is not None}
                found[decl.name.text] = entries.get(str(players), found.get(decl.name.text, "0")).replace("-", "−")
    return found


def _facts(game: Game, world: World, past: Lineage, players: int | None) -> Iterator[tuple[str, str]]:
    low, high = game.players[0], game.players[-1]
    told = f"{low}" if low == high else f"{low} to {high}"
    yield "Players", told + (f" (this book: {players})" if players is not None and low != high else "")
    if past.variant is not None:
        base = past.base.game.title if past.base is not None else past.variant.base.text
        yield "A variant of", clean(base)
    shipped = [clean(source.file) for source in game.ruleset.game.sources]
    if shipped:
        yield "Rulebook", ", ".join(dict.fromkeys(shipped))
    chosen = [f"{world.words(name)} {value}" for name, value in world.settled.items() if name in game.options]
    if chosen:
        yield "Options chosen", ", ".join(chosen)


def _blocks(game: Game, world: World, past: Lineage) -> Iterator[Block]:
    ruleset = game.ruleset
    top = world.comments.top(ruleset.file)
    if top:
        yield Paragraph(sentence(_without_title(top, game.title)), "lead")
    order, seen = ["setup"] if "setup" in ruleset.symbols.procedures else [], set[str]()
    probe = Rules(world, {})
    before = probe.in_order("setup", seen) if order else []
    after = probe.in_order("play", seen) if "play" in ruleset.symbols.procedures else []
    rest = probe.left_over(seen)
    numbered = parts.example_numbers(world, [*before, *after, *rest])
    by_phase: dict[str, list[int]] = {}
    for number, example in numbered:
        by_phase.setdefault(parts.phase_of(example), []).append(number)
    rules = Rules(world, by_phase)
    changes = differences(world, past)
    if changes:
        base = past.base.game.title if past.base is not None else "its base"
        yield Heading(2, f"What differs from {clean(base)}", "differences")
        yield Steps(tuple(changes), "options")
    yield from parts.components(world)
    yield from parts.prices(world)
    setup = ruleset.symbols.procedures.get("setup")
    yield Heading(2, "Getting ready", "setup", world.notes.mark(setup.notes) if setup is not None else "")
    yield from parts.beginnings(world)
    if "setup" in ruleset.symbols.procedures:
        yield from rules.body("setup")
    for name in before:
        yield from rules.section(name)
    if "play" in ruleset.symbols.procedures:
        marks = world.notes.mark(ruleset.symbols.procedures["play"].notes)
        yield Heading(2, "The course of the game", "play", marks)
        yield from rules.body("play")
    for name in after:
        yield from rules.section(name)
    yield from parts.triggers(world)
    if not ruleset.game.library:
        yield from parts.the_end(world)
        yield Heading(2, "Scoring and winning", "scoring")
        yield from parts.scoring(world)
        scored = [d for d in ruleset.decls if isinstance(d, (n.Score, n.Winner))]
        yield from rules.terms(scored)
    if rest:
        yield Heading(2, "The rules" if ruleset.game.library else "Further rules", "further")
        if not ruleset.game.library:
            yield Paragraph("Nothing above runs these; examples may.", "aside")
        for name in rest:
            yield from rules.section(name)
    yield from parts.options(world)
    yield from parts.examples(world, numbered, outcomes(game))
    others = rules.untold()
    yield from parts.laws(world)
    found = register(ruleset)
    yield from parts.assumptions(world, found)
    yield from _glossary(rules, others)
    yield from parts.sources(world)


def _without_title(text: str, title: str) -> str:
    """A text that begins with the title of the game stands below a heading that has it."""
    return text[len(title) + 1 :].strip() if text.lower().startswith(f"{title.lower()}:") else text


def outcomes(game: Game) -> dict[str, Outcome]:
    """Each example is played once."""
    found = game.machine(game.players[0]).program.examples
    return {e.title: run_example(game.for_example, index, e, quick=True) for index, e in enumerate(found)}


def _glossary(rules: Rules, others: list[str]) -> Iterator[Block]:
    """All words that mean something here, with the place where they are told; those told nowhere else are told here."""
    world = rules.world
    told = sorted(
        (name for name in rules.told if world.definition(name) is not None), key=lambda name: world.words(name).lower()
    )
    if not told and not others:
        return
    yield Heading(2, "Glossary", "glossary")
    entries = [rules.entry(name) for name in sorted(others)]
    if entries:
        yield Entries(tuple(entries))
    if told:
        shown = [marked("term", title_of(world, name), name) for name in told]
        yield Paragraph("Explained where they are used: " + ", ".join(shown) + ".")
