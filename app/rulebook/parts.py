"""The other chapters of a book: what is in the box, prices and tables, the set-up, the end, options, examples,
assumptions, sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cambist.dsl import nodes as n
from cambist.dsl.prose.declared import (
    cards_of,
    entry,
    enum_line,
    label,
    option_line,
    score_step,
    starts_grid,
    table_grid,
    unit_line,
    winner_line,
)
from cambist.dsl.prose.english import counted, listed, plural
from cambist.dsl.prose.examples import example_lines, law_line
from cambist.dsl.prose.marks import clean, marked, sentence
from cambist.dsl.prose.numbered import assumptions_of
from cambist.dsl.prose.statements import Teller
from cambist.dsl.prose.steps import Step
from cambist.dsl.prose.world import World
from cambist.dsl.register import Register
from cambist.dsl.walk import descend
from cambist.interpreter.rule_tests import Outcome
from cambist.rulebook.document import Block, Entries, Entry, Heading, Paragraph, ShownExample, Steps, Table
from cambist.rulebook.rules import title_of

Owned = n.Zone | n.Account | n.Variable


def _all(world: World, *kinds: type) -> list[n.Decl]:
    return [d for d in world.ruleset.decls if isinstance(d, kinds)]


# ---- what there is


def components(world: World) -> Iterator[Block]:
    yield Heading(2, "What is in the box", "components")
    enums = tuple(Step(enum_line(world, d)) for d in _all(world, n.Enum) if isinstance(d, n.Enum))
    if enums:
        yield Steps(enums, "options")
    for deck in _all(world, n.Deck):
        assert isinstance(deck, n.Deck)
        kinds = cards_of(world, deck)
        noun = world.words(kinds[0].name) if len(kinds) == 1 else "card"
        title = f"{title_of(world, deck.name.text)}: {counted(sum(kind.count for kind in kinds), noun)}"
        yield Heading(3, title, f"thing-{deck.name.text}", world.notes.mark(deck.notes))
        said = world.comments.of_declaration(deck.span)
        if said:
            yield Paragraph(sentence(said), "aside")
        for kind in kinds:
            yield Paragraph(kind.text)
            if kind.grid is not None:
                yield Table(kind.grid)
    yield from _owned(world, n.Zone, "Places on the table")
    units = tuple(Step(unit_line(world, d)) for d in _all(world, n.Unit) if isinstance(d, n.Unit))
    accounts = list(_owned(world, n.Account, "Money"))
    yield from accounts[:1]
    if units:
        yield Steps(units, "options")
    yield from accounts[1:]
    yield from _owned(world, n.Variable, "What to keep track of")


def _owned(world: World, kind: type[Owned], title: str) -> Iterator[Block]:
    decls = [d for d in world.ruleset.decls if isinstance(d, kind)]
    if decls:
        yield Heading(3, title, title.lower().replace(" ", "-"))
        yield Entries(tuple(Entry(label(world, d), f"thing-{d.name.text}", entry(world, d)) for d in decls))


def prices(world: World) -> Iterator[Block]:
    tracks = [d for d in world.ruleset.decls if isinstance(d, n.Track)]
    tables = [d for d in world.ruleset.decls if isinstance(d, n.Table)]
    if not tracks and not tables:
        return
    yield Heading(2, "Markets: tracks and tables" if tracks else "Tables", "markets")
    for track in tracks:
        yield Entries((Entry(label(world, track), f"thing-{track.name.text}", entry(world, track)),))
        grid = starts_grid(world, track)
        if grid is not None:
            yield Table(grid, "Where the markers begin")
    for table in tables:
        comment = world.comments.of_declaration(table.span)
        yield Heading(3, title_of(world, table.name.text), f"thing-{table.name.text}", world.notes.mark(table.notes))
        if comment:
            yield Paragraph(sentence(comment), "aside")
        yield Table(table_grid(world, table))


def beginnings(world: World) -> Iterator[Block]:
    """Where the decks lie, and what everybody begins with."""
    steps = []
    for deck in _all(world, n.Deck):
        assert isinstance(deck, n.Deck)
        cards = listed(plural(world.words(card.text)) for card in deck.cards)
        name = world.words(deck.name.text)
        placed = "" if name == cards else f" as the {marked('action', name)}"
        steps.append(Step(sentence(f"the {cards} lie together{placed}")))
    for account in _all(world, n.Account):
        assert isinstance(account, n.Account)
        if account.start is not None and account.owners[:1] and account.owners[0].text == "player":
            voice = Teller(world, world.ruleset.inferred.singles.get(id(account)))
            unit = plural(world.words(account.unit.text)) if account.unit is not None else ""
            more = f" in each {world.words(account.owners[1].text)}" if len(account.owners) > 1 else ""
            text = (
                f"each player begins with {voice.value(account.start)} {unit}{more} ({world.words(account.name.text)})"
            )
            steps.append(Step(sentence(text) + world.notes.mark(account.notes)))
    if steps:
        yield Steps(tuple(steps), "options")


def triggers(world: World) -> Iterator[Block]:
    found = [d for d in world.ruleset.decls if isinstance(d, n.Whenever)]
    if not found:
        return
    yield Heading(2, "At any time", "whenever")
    for decl in found:
        voice = Teller(world, world.ruleset.inferred.singles.get(id(decl)), told=())
        yield Steps((voice.whenever(decl),), "options")


# ---- the end


def the_end(world: World) -> Iterator[Block]:
    ends = []
    for name, decl in world.ruleset.symbols.procedures.items():
        for node in descend(decl.body):
            if isinstance(node, n.EndGame):
                why = clean(node.reason) or "the game ends there"
                ends.append(Step(sentence(f"{why} (in {world.phase(name)})") + world.notes.mark(node.notes)))
    yield Heading(2, "The end of the game", "end")
    course = marked("phase", "the course of the game", "play")
    if ends:
        yield Paragraph("The game ends as soon as one of these comes about:")
        yield Steps(tuple(ends), "options")
        play = world.ruleset.symbols.procedures.get("play")
        last = play.body[-1] if play is not None else None
        if not (isinstance(last, n.Repeat) and last.times is last.until is last.test_first is None):
            yield Paragraph(f"It also ends when {course} has been gone through.")
    else:
        yield Paragraph(f"The game is over when {course} has been gone through.")


def scoring(world: World) -> Iterator[Block]:
    score = next((d for d in world.ruleset.decls if isinstance(d, n.Score)), None)
    winner = next((d for d in world.ruleset.decls if isinstance(d, n.Winner)), None)
    steps = [score_step(world, score)] if score is not None else []
    if winner is not None:
        steps.append(Step(winner_line(world, winner, score.player.text if score is not None else "p")))
    if steps:
        yield Steps(tuple(steps), "options")


# ---- options, examples, laws


def options(world: World) -> Iterator[Block]:
    found = [d for d in world.ruleset.decls if isinstance(d, n.Option)]
    if found:
        yield Heading(2, "Options", "options")
        yield Paragraph("Agree on these before you begin.")
        yield Entries(
            tuple(Entry(title_of(world, d.name.text), f"thing-{d.name.text}", option_line(world, d)) for d in found)
        )


def phase_of(example: n.Example) -> str:
    """The phase at which an example begins."""
    for clause in example.clauses:
        for fact in clause.facts:
            if isinstance(fact, n.InPhase):
                call = fact.call
                return call.name.text if isinstance(call, n.Call) else call.name if isinstance(call, n.Ref) else ""
    return ""


def example_numbers(world: World, order: list[str]) -> list[tuple[int, n.Example]]:
    """Examples as they are numbered: those of a phase together, in the order in which phases are told."""
    place = {name: index for index, name in enumerate(order)}
    found = sorted(world.ruleset.examples, key=lambda e: place.get(phase_of(e), len(place)))
    return list(enumerate(found, 1))


def examples(world: World, found: list[tuple[int, n.Example]], outcomes: Mapping[str, Outcome]) -> Iterator[Block]:
    if not found:
        return
    yield Heading(2, "Examples", "examples")
    failed = sum(not one.passed for one in outcomes.values())
    told = "all of them hold" if not failed else f"{failed} of them do not hold, and say so"
    yield Paragraph(f"Each was played with the rules of this book when it was made: {told}.", "aside")
    before: str | None = None
    for number, example in found:
        phase = phase_of(example)
        if phase != before:
            yield Heading(4, title_of(world, phase) if phase else "Without a phase", "")
            before = phase
        outcome = outcomes.get(example.title)
        reason = "" if outcome is None or outcome.passed else clean(outcome.reason)
        lines = tuple(example_lines(world, example))
        yield ShownExample(number, clean(example.title), lines, world.notes.mark(example.notes), reason)


def laws(world: World) -> Iterator[Block]:
    found = [d for d in world.ruleset.decls if isinstance(d, n.Property) and d.word == "invariant"]
    if found:
        yield Heading(2, "What always holds", "laws")
        yield Paragraph("If one of these is not so at your table, something went wrong before.", "aside")
        yield Steps(tuple(Step(law_line(world, law)) for law in found), "options")


# ---- assumptions, sources


def assumptions(world: World, register: Register) -> Iterator[Block]:
    assumed = assumptions_of(register)
    if assumed:
        yield Heading(2, "What is assumed", "assumptions")
        yield Paragraph("The rulebook leaves these open; they were decided so that the game can be played.", "aside")
        steps = []
        for number, one in enumerate(assumed, 1):
            note = one.note
            per = f", as {clean(note.per)} say{'s' if not note.per.endswith('s') else ''} " if note.per else ""
            others = f"; other values worth trying: {', '.join(map(clean, note.others))}" if note.others else ""
            text = f"{marked('name', clean(_rule(one.rule)))}: {clean(note.because)}{per.rstrip()}{others}"
            steps.append(Step(marked("action", f"A{number}", f"assumed-{number}") + " " + sentence(text)))
        yield Steps(tuple(steps), "options")
    if register.errata:
        yield Heading(2, "Read otherwise than printed", "errata")
        steps = []
        for number, wrong in enumerate(register.errata, 1):
            what, why = clean(wrong.note.wrong), clean(wrong.note.because)
            text = f"{marked('name', clean(_rule(wrong.rule)))}: {what}; read otherwise because {why}"
            steps.append(Step(marked("action", f"E{number}", f"erratum-{number}") + " " + sentence(text)))
        yield Steps(tuple(steps), "options")


def _rule(rule: str) -> str:
    """`define not_the_last` is not the last."""
    word, _, name = rule.partition(" ")
    if not name or name.startswith('"') or word == "whenever":
        return rule.replace('"', "")
    return name.rpartition(".")[2].replace("_", " ")


def sources(world: World) -> Iterator[Block]:
    places = world.notes.sections
    if not places:
        return
    yield Heading(2, "Where it is written", "sources")
    files = {s.name.text: s for s in world.ruleset.game.sources}
    told = [f"{clean(source.file)} ({clean(source.language)})" for source in files.values()]
    yield Paragraph(f"The small numbers behind the rules lead here. Rulebook: {', '.join(told)}.", "aside")
    several = len({source for source, _ in places}) > 1
    steps = []
    for number, (source, place) in enumerate(places, 1):
        told_place = clean(place) + (f" ({clean(files[source].file)})" if several and source in files else "")
        steps.append(Step(marked("action", str(number), f"cite-{number}") + " " + told_place))
    yield Steps(tuple(steps), "options")
