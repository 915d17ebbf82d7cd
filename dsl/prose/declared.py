"""Declarations -> what a reader finds on the table: cards counted by what is printed on them, places, money,
tracks, tables, options, and the meaning of definitions. Tables are given as rows of text; how they look is not
decided here.
"""

from __future__ import annotations

from collections import Counter

import attrs
from attrs import frozen

from cambist.dsl import kinds as k
from cambist.dsl import nodes as n
from cambist.dsl.components import Printed
from cambist.dsl.prose.english import a, counted, is_plural, listed, plural, remarked
from cambist.dsl.prose.expressions import LONGEST_INLINE
from cambist.dsl.prose.marks import bare, clean, marked, sentence
from cambist.dsl.prose.statements import Teller, teller
from cambist.dsl.prose.steps import Step
from cambist.dsl.prose.world import World

MOST_ROWS = 80  # of a table of cards; more are summed up field by field
MANY_ROWS = 20  # more are put together by their first field
MOST_COLUMNS = 12
ORDERS = {
    "pile": "a pile, new ones on top",
    "queue": "a queue, new ones at its end",
    "row": "a row, new ones at its end",
    "bag": "without an order",
}
SEEN = {"all": "open to all", "owner": "seen only by its owner", "nobody": "face down, seen by nobody"}


@frozen
class Grid:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class CardKind:
    name: str
    count: int
    text: str  # a sentence about it
    grid: Grid | None


# ---- cards


def cards_of(world: World, deck: n.Deck) -> list[CardKind]:
    """The cards of a deck: how many of each kind, and of each what is printed on them."""
    return [found for card in deck.cards if (found := _card_kind(world, deck, card.text)) is not None]


def _card_kind(world: World, deck: n.Deck, name: str) -> CardKind | None:
    card = world.ruleset.symbols.card(name)
    made = [m.values for m in world.ruleset.components if m.deck == deck.name.text and m.card == name]
    if card is None:
        return None
    noun = world.words(name)
    text = f"{marked('action', counted(len(made), noun))}"
    fields = list(range(len(card.fields)))
    numbers_only = [f for f in fields if card.fields[f].kind.text == "number"]
    unique = [f for f in numbers_only if len({values[f] for values in made}) == len(made) > 5]
    shown = [f for f in fields if f not in unique]
    remarks = []
    for field in unique:
        label = world.words(card.fields[field].name.text)
        numbers = sorted(v[field] for v in made if isinstance(v[field], int))
        span = f" ({numbers[0]} to {numbers[-1]})" if len(numbers) == len(made) else ""
        remarks.append(f"each with {a(label)} of its own{span}")
    only = [f for f in shown if made and len({values[f] for values in made}) == 1]
    for field in only:
        remarks.append(
            f"{world.words(card.fields[field].name.text)} {_printed(world, card.fields[field], made[0][field])}"
        )
    varied = [f for f in shown if f not in only]
    comment = world.comments.of_declaration(card.span)
    text += f": {', '.join(remarks)}" if remarks else ""
    grid = None
    if len(varied) == 1 and len({v[varied[0]] for v in made}) <= MOST_COLUMNS:
        text += f"{',' if remarks else ':'} {_by_one(world, card.fields[varied[0]], made, varied[0])}"
    elif varied and made:
        grid = _grid(world, card, made, varied)
    return CardKind(name, len(made), remarked(text, comment) + world.notes.mark(card.notes), grid)


def _by_one(world: World, field: n.Field, made: list[tuple[Printed, ...]], index: int) -> str:
    """Cards that differ in one thing only: “8 of each color”."""
    counts = Counter(values[index] for values in made)
    name, shown = world.words(field.name.text), sorted(counts, key=_order)
    told = [_printed(world, field, value) for value in shown]
    if len(set(counts.values())) == 1:
        return f"{next(iter(counts.values()))} of each {name} ({', '.join(told)})"
    return f"by {name} {', '.join(f'{counts[value]} × {said}' for value, said in zip(shown, told, strict=True))}"


def _grid(world: World, card: n.Card, made: list[tuple[Printed, ...]], fields: list[int]) -> Grid | None:
    rows = Counter(tuple(values[f] for f in fields) for values in made)
    labels = tuple(world.words(card.fields[f].name.text) for f in fields)
    if len(fields) == 2:
        across = sorted({row[1] for row in rows}, key=_order)
        down = sorted({row[0] for row in rows}, key=_order)
        if len(across) <= MOST_COLUMNS and 1 < len(down) and len(across) * len(down) <= 3 * len(rows):
            head = (f"{labels[0]} \\ {labels[1]}", *(_printed(world, card.fields[fields[1]], x) for x in across))
            body = [
                (_printed(world, card.fields[fields[0]], y), *(str(rows[(y, x)] or "–") for x in across)) for y in down
            ]
            return Grid(head, tuple(body))
    if len(rows) > MOST_ROWS:
        return Grid(
            ("field", "values"),
            tuple((label, _values(world, card.fields[f], made, f)) for label, f in zip(labels, fields, strict=True)),
        )
    if len(rows) > MANY_ROWS and len(fields) > 1 and len({row[0] for row in rows}) <= MOST_COLUMNS:
        return _grouped(world, card, rows, fields, labels)
    told = [
        (*(_printed(world, card.fields[f], value) for f, value in zip(fields, row, strict=True)), str(count))
        for row, count in sorted(rows.items(), key=lambda one: [_order(x) for x in one[0]])
    ]
    return Grid((*labels, "number"), tuple(told))


def _grouped(
    world: World, card: n.Card, rows: Counter[tuple[Printed, ...]], fields: list[int], labels: tuple[str, ...]
) -> Grid:
    """Many cards: a row for each value of the first field, with all that there are of it."""
    found: dict[str, list[str]] = {}
    for row, count in sorted(rows.items(), key=lambda one: [_order(x) for x in one[0]]):
        first, *rest = (_printed(world, card.fields[f], value) for f, value in zip(fields, row, strict=True))
        found.setdefault(first, []).append(" ".join(rest) + (f" ({count}×)" if count > 1 else ""))
    head = (labels[0], " and ".join(labels[1:]))
    return Grid(head, tuple((first, "; ".join(items)) for first, items in found.items()))


def _values(world: World, field: n.Field, made: list[tuple[Printed, ...]], index: int) -> str:
    counts = Counter(values[index] for values in made)
    return ", ".join(
        f"{_printed(world, field, v)} ({count}×)"
        for v, count in sorted(counts.items(), key=lambda c: _order(c[0]))[:MOST_ROWS]
    )


def _order(value: Printed) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else value


def _printed(world: World, field: n.Field, value: Printed) -> str:
    if not isinstance(value, int):
        return "-".join(_printed(world, field, one) for one in value)
    enum = world.ruleset.symbols.enum(field.kind.text)
    if enum is not None and 0 <= value < len(enum.members):
        return world.words(enum.members[value].text)
    return world.ruleset.symbols.as_written(field.kind.text, value).replace("-", "−")


# ---- places, money, what is kept in mind


def _owners(world: World, owners: tuple[n.Name, ...]) -> str:
    return f" of each {' and each '.join(world.words(owner.text) for owner in owners)}" if owners else ""


def _seen(seen: n.Seen) -> str:
    told = SEEN.get(seen.by, f"seen by {seen.by}")
    told += " until it is revealed" if seen.until_revealed else ""
    return told + ("; how many there are is hidden too" if seen.count_hidden else "")


def entry(world: World, decl: n.Zone | n.Account | n.Variable | n.Track | n.Deck) -> str:
    """One line of the list of what is on the table; the name stands before it."""
    voice = Teller(world, world.ruleset.inferred.singles.get(id(decl)))
    match decl:
        case n.Zone():
            parts = [ORDERS.get(decl.order.text, clean(decl.order.text))]
            cards = sorted(world.contents.get(decl.name.text, frozenset()))
            if len(cards) == 1:
                parts.insert(0, f"for {plural(world.words(cards[0]))}")
            if decl.capacity is not None:
                parts.append(f"at most {voice.value(decl.capacity)}")
            parts.append(_seen(decl.seen))
        case n.Deck():
            parts = ["where the cards of this deck begin", _seen(decl.seen)]
        case n.Account():
            unit = plural(world.words(decl.unit.text)) if decl.unit is not None else "money"
            parts = [f"in {unit}"] + (["never runs out"] if decl.unlimited else [])
            parts += [f"begins with {voice.value(decl.start)}"] if decl.start is not None else []
            parts += ["may go below zero"] if decl.negative else []
            parts += [] if decl.unlimited else [_seen(decl.seen)]
        case n.Variable():
            parts = [_kind(world, decl.kind)]
            parts += [f"at first {voice.value(decl.start)}"] if decl.start is not None else []
            parts += [_seen(decl.seen)] if decl.seen.by != "all" else []
        case n.Track():
            parts = [f"a marker on {listed(voice.value(value) for value in decl.values)}"]
            if decl.unit is not None and not world.ruleset.symbols.unit_kinds(decl.unit.text):
                parts[0] += f" {plural(world.words(decl.unit.text))}"
            parts += [f"beginning on {voice.value(decl.start)}"] if decl.start is not None else []
            parts += [
                f"{marked('name', world.words(band.name.text))} is {voice.value(band.low)} to {voice.value(band.high)}"
                for band in decl.bands
            ]
    comment = world.comments.of_declaration(decl.span)
    return remarked("; ".join(parts), comment) + world.notes.mark(decl.notes)


def label(world: World, decl: n.Zone | n.Account | n.Variable | n.Track) -> str:
    name = world.words(decl.name.text)
    return (name[:1].upper() + name[1:]) + _owners(world, decl.owners)


def _kind(world: World, kind: n.KindName) -> str:
    if kind.of is not None:
        return f"a list of {plural(world.words(kind.of.name.text))}"
    if kind.name.text == "flag":
        return "yes or no"
    if isinstance(world.declared(kind.name.text), n.Unit):
        return f"an amount of {plural(world.words(kind.name.text))}"
    return a(world.words(kind.name.text))


def enum_line(world: World, decl: n.Enum) -> str:
    name = world.words(decl.name.text)
    members = listed(world.words(member.text) for member in decl.members)
    comment = world.comments.of_declaration(decl.span)
    text = f"there are {len(decl.members)} {marked('action', plural(name))}: {members}"
    return remarked(text, comment) + world.notes.mark(decl.notes)


def unit_line(world: World, decl: n.Unit) -> str:
    name = world.words(decl.name.text)
    kinds = f", of each {world.words(decl.owners[0].text)} apart" if decl.owners else ""
    step = f" in steps of {decl.step}" if decl.step != "1" else ""
    return sentence(f"money is counted in {marked('action', plural(name))}{step}{kinds}") + world.notes.mark(decl.notes)


def option_line(world: World, decl: n.Option) -> str:
    voice = Teller(world)
    if decl.low is not None and decl.high is not None:
        allowed = f"{voice.value(decl.low)} to {voice.value(decl.high)}"
    else:
        allowed = listed((world.words(value.text) for value in decl.values), "or") or "yes or no"
    allowed = f"{clean(decl.meaning)}: {allowed}" if decl.meaning else allowed
    comment = world.comments.of_declaration(decl.span)
    chosen = world.settled.get(decl.name.text)
    here = f"; in this book {marked('action', chosen)}" if chosen is not None else ""
    found = remarked(f"{allowed}; normally {voice.value(decl.default)}{here}", comment) + world.notes.mark(decl.notes)
    return " ".join((found, *(_condition_line(world, decl, one) for one in decl.conditions)))


def _condition_line(world: World, option: n.Option, node: n.Condition) -> str:
    """What an option asks of the others."""
    voice = Teller(world, world.ruleset.inferred.singles.get(id(option)))
    if node.when is not None:
        lead = f"if it is {voice.value(node.when)}, "
    else:
        lead = "" if option.low is not None or option.values else "if it is yes, "
    told = voice.clause(node.test, negated=not node.requires)
    return sentence(f"{lead}{told}") + world.notes.mark(node.notes)


def table_grid(world: World, decl: n.Table) -> Grid:
    voice = Teller(world)
    keys = [voice.value(key) if key is not None else str(index) for index, (key, _) in enumerate(decl.entries)]
    first = "players" if decl.by is not None else "for"
    return Grid((first, *keys), ((world.words(decl.name.text), *(voice.value(value) for _, value in decl.entries)),))


def starts_grid(world: World, decl: n.Track) -> Grid | None:
    """Where each marker of a track begins, if a sheet says so."""
    if not decl.starts:
        return None
    voice = Teller(world)
    starts = {tuple(name.text for name in owners): voice.value(value) for owners, value in decl.starts}
    if all(len(key) == 2 for key in starts):
        down, across = (_in_order(world, owner, {key[i] for key in starts}) for i, owner in enumerate(decl.owners))
        rows = [(world.words(y), *(starts.get((y, x), "–") for x in across)) for y in down]
        return Grid((world.words(decl.name.text), *(world.words(x) for x in across)), tuple(rows))
    rows = [(", ".join(world.words(part) for part in key), value) for key, value in starts.items()]
    return Grid(("marker", world.words(decl.name.text)), tuple(rows))


def _in_order(world: World, owner: n.Name, names: set[str]) -> list[str]:
    enum = world.ruleset.symbols.enum(owner.text)
    known = [member.text for member in enum.members] if enum is not None else []
    return [name for name in known if name in names] + sorted(names - set(known))


# ---- definitions


def meaning(world: World, decl: n.Define) -> tuple[str, Step]:
    """For what a definition is asked, and what it means: in one sentence, or part by part if that is long."""
    name = decl.name.text
    voice = attrs.evolve(teller(world, name, decl), depth=1)
    asked = [_asked(voice, param.text) for param in decl.params]
    of = f" for {listed(asked)}" if asked else ""
    instance = world.instance(name)
    flag = instance is not None and bool(instance.results) and instance.results[0].word == "flag"
    comment = voice.in_words(world.comments.of_declaration(decl.span))
    marks = world.notes.mark(decl.notes)
    step = _condition(voice, decl.value) if flag else _value(voice, decl.value)
    return of, attrs.evolve(step, text=remarked(step.text, comment) + marks)


def _asked(voice: Teller, param: str) -> str:
    phrase = voice.locals[param].phrase
    if not phrase.startswith("the "):
        return phrase
    noun = phrase[4:]
    return noun if is_plural(noun) else a(noun)


def _condition(voice: Teller, node: n.Expr) -> Step:
    told = voice.clause(node)
    if isinstance(node, n.Binary) and node.op in ("and", "or") and len(bare(told)) > LONGEST_INLINE:
        parts = _flat(node, node.op)
        lead = "all of this must hold:" if node.op == "and" else "one of these must hold:"
        return Step(lead, tuple(Step(sentence(voice.clause(part))) for part in parts), "options")
    return Step(told)


def _value(voice: Teller, node: n.Expr) -> Step:
    told = voice.value(node)
    if isinstance(node, n.IfElse) and (len(bare(told)) > LONGEST_INLINE or isinstance(node.other, n.IfElse)):
        arms: list[Step] = []
        rest: n.Expr = node
        while isinstance(rest, n.IfElse):
            arms.append(Step(sentence(f"{voice.value(rest.then)}, if {voice.clause(rest.test)}")))
            rest = rest.other
        arms.append(Step(sentence(f"otherwise {voice.value(rest)}")))
        return Step("the first of these that fits:", tuple(arms), "options")
    if isinstance(node, n.Binary) and node.op == "+" and len(bare(told)) > LONGEST_INLINE:
        return Step("the sum of:", tuple(Step(sentence(voice.value(part))) for part in _flat(node, "+")), "options")
    return Step(told)


def _flat(node: n.Expr, op: str) -> list[n.Expr]:
    if isinstance(node, n.Binary) and node.op == op:
        return [*_flat(node.left, op), *_flat(node.right, op)]
    return [node]


def score_step(world: World, decl: n.Score) -> Step:
    instance = world.ruleset.inferred.singles.get(id(decl))
    voice = Teller(world, instance, told=()).declare({decl.player.text: k.PLAYER})
    step = _value(voice, decl.value)
    marks = world.notes.mark(decl.notes)
    if step.inside:
        return attrs.evolve(step, text=f"A player’s score is {step.text}{marks}")
    return Step(sentence(f"a player’s score is {step.text}") + marks)


def winner_line(world: World, decl: n.Winner, player: str) -> str:
    instance = world.ruleset.inferred.singles.get(id(decl))
    voice = Teller(world, instance).declare({player: k.PLAYER})
    told = [voice.highest(voice, criterion, "the player") for criterion in decl.criteria]
    text = f"the winner is the player with {told[0]}"
    for more in told[1:]:
        text += f"; if that is a tie, the one of them with {more}"
    text += "; those who are still tied share the victory" if decl.shared else ""
    return sentence(text) + world.notes.mark(decl.notes)
