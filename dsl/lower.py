"""A checked ruleset -> the program for one number of players and one setting of the options.

After it nothing of the text is left but names to show and places to point at. Rules are lowered when
something asks for them, once for each combination of parameter kinds. It judges nothing but whether amounts
fit their unit's step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

import attrs

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl import settings
from cambist.dsl.diagnostics import Report
from cambist.dsl.infer_expressions import ExpressionInferer
from cambist.dsl.infer_names import Instance, Key
from cambist.dsl.kinds import Kind
from cambist.dsl.lower_examples import ExampleLowerer
from cambist.dsl.lower_expressions import ExpressionLowerer, Frame, because
from cambist.dsl.lower_laws import lower_law, lower_measure
from cambist.dsl.lower_shows import lower_show
from cambist.dsl.lower_statements import StatementLowerer
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.walk import shape

MOST_PLACES = 10_000


def lower(
    ruleset: CheckedRuleset,
    players: int,
    options: Mapping[str, int] | None = None,
    examples: bool = True,
) -> p.Program:
    """`examples`: without them the program plays the same."""
    report = Report()
    program = Lowering(ruleset, players, dict(options or {}), report).program(examples)
    report.stop_if_errors()
    return program


class Lowering:
    def __init__(self, ruleset: CheckedRuleset, players: int, options: dict[str, int], report: Report) -> None:
        self.ruleset = ruleset
        self.symbols = ruleset.symbols
        self.players = players
        self.report = report
        self.options = {name: settings.number(o, settings.default(o)) for name, o in ruleset.options.items()} | options
        self.lookup = ExpressionInferer(ruleset.symbols, Report())
        self.attrs = sorted(self.symbols.fields)
        self.cards = [name for name, d in self.symbols.globals.items() if isinstance(d, n.Card)]
        self.places: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.tables: list[tuple[int, ...]] = []
        self.table_names: list[str] = []
        self.functions: list[p.Function | None] = []
        self.function_index: dict[Key, int] = {}
        self.procedures: list[p.Procedure | None] = []
        self.procedure_index: dict[Key, int] = {}
        self.choices: list[p.Choice] = []
        self.texts: list[str] = []
        self.shapes: dict[int, str] = {}  # declarations by where they are -> what they say
        self.scales: dict[str, int] = {}  # unit -> how many steps it has
        self.watched = {d.after.text for d in self.symbols.others if isinstance(d, n.Property) and d.after is not None}

    # ---- what expressions ask

    def scale(self, unit: str) -> int:
        found = self.scales.get(unit)
        if found is None:
            step = Fraction(self.symbols.unit_step(unit) or "1")
            found = self.scales[unit] = max(1, int(1 / step)) if step else 1
        return found

    def complain_step(self, node: n.Number, unit: str) -> None:
        units = [name for name, decl in self.symbols.globals.items() if isinstance(decl, n.Unit)]
        fits = [name for name in units if (Fraction(node.value) * self.scale(name)).denominator == 1]
        self.report.add(say.does_not_fit_step(node.span, node.value, unit, fits[0] if len(fits) == 1 else ""))

    def whole(self, node: n.Number) -> int:
        if node.value.isdecimal():
            return int(node.value)
        value = Fraction(node.value)
        if value.denominator != 1:
            self.complain_step(node, "")
        return int(value)

    def constant(self, node: n.Number, kind: Kind) -> int:
        scale = self.scale(kind.name) if kind.word == "amount" else 1
        if node.value.isdecimal():
            return int(node.value) * scale
        value = Fraction(node.value) * scale
        if value.denominator != 1:
            self.complain_step(node, kind.name)
        return int(value)

    def place(self, name: str) -> tuple[int, tuple[int, ...]]:
        return self.places[name]

    def family(self, name: str) -> tuple[int, ...]:
        base, sizes = self.places[name]
        count = 1
        for size in sizes:
            count *= size
        return tuple(range(base, base + count))

    def text(self, value: str) -> int:
        if value not in self.texts:
            self.texts.append(value)
        return self.texts.index(value)

    def table(self, name: str) -> int:
        return self.table_names.index(name)

    def entry(self, name: str) -> int:
        """What a table by players says for this number of players; there is an entry for each."""
        return self.tables[self.table(name)][self.players]

    def attr(self, name: str) -> int:
        return self.attrs.index(name)

    def card_kind(self, name: str) -> int:
        return self.cards.index(name)

    def band(self, node: n.Is) -> n.Band | None:
        return self.lookup.band(node)

    def meaning(self, kind: Kind) -> p.Meaning:
        kind = k.as_value(kind)
        inner = self.meaning(kind.of) if kind.of is not None else None
        return p.Meaning(kind.word, kind.name, inner)

    def owner_size(self, name: str) -> int:
        if name == "player":
            return self.players
        enum = self.symbols.enum(name)
        return len(enum.members) if enum is not None else len(self.ruleset.components)

    def owner_meaning(self, name: str) -> p.Meaning:
        if name == "player":
            return p.Meaning("player")
        if self.symbols.enum(name):
            return p.Meaning("enum", name)
        return p.Meaning("card", "" if name == "card" else name)

    # ---- rules on demand

    def instance(self, key: Key) -> Instance:
        return self.ruleset.inferred.instances[key]

    def function(self, name: str, kinds: tuple[Kind, ...]) -> int:
        key = (name, kinds)
        if key not in self.function_index:
            index = self.function_index[key] = len(self.functions)
            self.functions.append(None)
            instance = self.instance(key)
            decl = instance.decl
            assert isinstance(decl, n.Define)
            self.functions[index] = self.make_function(
                name, tuple(x.text for x in decl.params), decl.value, instance, decl.notes, decl
            )
        return self.function_index[key]

    def make_function(
        self,
        name: str,
        params: tuple[str, ...],
        value: n.Expr,
        instance: Instance,
        notes: n.Notes,
        decl: n.Decl,
    ) -> p.Function:
        lowerer = ExpressionLowerer(self)
        lowerer.frame = Frame(instance, because=because(notes))
        for param in params:
            lowerer.frame.new(param)
        kind = k.as_value(instance.of(value))
        lowered = lowerer.items(value) if kind.word in ("list",) else lowerer.expr(value)
        return p.Function(name, len(params), len(lowerer.frame.names), lowered, p.At(decl.span, because(notes)))

    def add_function(self, function: p.Function) -> int:
        self.functions.append(function)
        return len(self.functions) - 1

    def procedure(self, name: str, kinds: tuple[Kind, ...]) -> int:
        key = (name, kinds)
        if key not in self.procedure_index:
            decl = self.symbols.procedures[name]
            again = sum(1 for other, _ in self.procedure_index if other == name)
            shown = name if not again else f"{name}#{again + 1}"
            index = self.procedure_index[key] = len(self.procedures)
            self.procedures.append(None)
            params = tuple(x.text for x in decl.params)
            made = self.make_procedure(shown, decl.word, params, decl, self.instance(key))
            self.procedures[index] = attrs.evolve(made, meanings=tuple(self.meaning(kind) for kind in kinds))
        return self.procedure_index[key]

    def make_procedure(
        self,
        name: str,
        word: str,
        params: tuple[str, ...],
        decl: n.Procedure | n.Whenever,
        instance: Instance,
    ) -> p.Procedure:
        lowerer = StatementLowerer(self, name, instance, decl.notes)
        for param in params:
            lowerer.frame.new(param)
        lowerer.block(decl.body)
        lowerer.emit(p.IReturn((), p.At(decl.span, because(decl.notes))))
        names = tuple(lowerer.frame.names)
        digest = hashlib.sha256(f"({self._shape(decl)}, {self._shapes(lowerer.frame.written_out)})".encode())
        at = p.At(decl.span, because(decl.notes))
        code = tuple(lowerer.code)
        return p.Procedure(name, word, len(params), len(names), names, code, digest.hexdigest()[:16], at)

    def _shape(self, decl: n.Decl) -> str:
        """What a declaration says: asked for each of its instances, and for the whole."""
        if id(decl) not in self.shapes:
            self.shapes[id(decl)] = repr(shape(decl))
        return self.shapes[id(decl)]

    def _shapes(self, names: set[str]) -> str:
        """What the rules say whose text became part of another."""
        known = self.symbols
        shapes = [self._shape(known.globals.get(name) or known.procedures[name]) for name in sorted(names)]
        return f"[{', '.join(shapes)}]"

    def add_choice(self, choice: p.Choice) -> int:
        self.choices.append(choice)
        return len(self.choices) - 1

    def set_choice(self, index: int, choice: p.Choice) -> None:
        self.choices[index] = choice

    # ---- the whole

    def said(self) -> str:
        """What a game's digest is of: all that rules say, but neither rulebooks nor where cards are listed."""
        decls = [d for d in self.ruleset.decls if not isinstance(d, (n.Game, n.Use))]
        bare = {id(d): attrs.evolve(d, sheet=None, rows=(), less=()) for d in decls if isinstance(d, n.Deck)}
        shapes = [repr(shape(bare[id(d)])) if id(d) in bare else self._shape(d) for d in decls]
        return f"[{', '.join(shapes)}]"

    def program(self, with_examples: bool) -> p.Program:
        symbols = self.symbols
        self.make_tables()
        zones = self.zone_families()
        accounts = self.account_families()
        variables = self.variable_families()
        components, attrs, classes = self.components(zones)
        setup = self.procedure("setup", ()) if "setup" in symbols.procedures else -1
        play = self.procedure("play", ()) if "play" in symbols.procedures else self.empty_play()
        triggers = self.triggers(zones)
        score, meaning, ranking = self.scoring()
        estimate = self.estimate()
        shows = tuple(lower_show(self, d) for d in symbols.others if isinstance(d, n.Show))
        properties = tuple(
            lower_law(self, d) for d in symbols.others if isinstance(d, n.Property) and d.word != "measure"
        )
        measures = tuple(
            lower_measure(self, d) for d in symbols.others if isinstance(d, n.Property) and d.word == "measure"
        )
        told = self.ruleset.examples if with_examples else ()
        examples = tuple(ExampleLowerer(self, e).example() for e in told)  # last: what they alone need is put behind
        options = tuple(sorted(self.options.items()))
        settled = f"({self.said()}, {self.ruleset.components!r}, {self.players}, {options!r})"
        enums = tuple(
            (name, tuple(m.text for m in d.members)) for name, d in symbols.globals.items() if isinstance(d, n.Enum)
        )
        return p.Program(
            game=symbols.game.name.text,
            title=symbols.game.title,
            players=self.players,
            options=options,
            flags=tuple(name for name, d in self.ruleset.options.items() if settings.is_flag(d)),
            digest=hashlib.sha256(settled.encode()).hexdigest()[:32],
            enums=enums
            + tuple((o, tuple(v.text for v in d.values)) for o, d in self.ruleset.options.items() if d.values),
            kinds=self.card_kinds(),
            components=components,
            attrs=attrs,
            classes=classes,
            tables=tuple(self.tables),
            table_names=tuple(self.table_names),
            zones=zones,
            accounts=accounts,
            variables=variables,
            functions=tuple(f for f in self.functions if f is not None),
            procedures=tuple(x for x in self.procedures if x is not None),
            choices=tuple(self.choices),
            triggers=triggers,
            properties=properties,
            measures=measures,
            shows=shows,
            setup=setup,
            play=play,
            score=score,
            ranking=ranking,
            score_meaning=meaning,
            estimate=estimate,
            examples=examples,
            sources=tuple((s.name.text, s.file, s.language) for s in symbols.game.sources),
            texts=tuple(self.texts),
        )

    def make_tables(self) -> None:
        for name, decl in self.symbols.globals.items():
            if isinstance(decl, n.Track):
                kind = self.lookup.thing_kind(decl)
                self.tables.append(tuple(self.constant(v, kind) for v in decl.values))
                self.table_names.append(name)
            elif isinstance(decl, n.Table):
                entries: dict[int, int] = {}
                for index, (key, value) in enumerate(decl.entries):
                    entries[self.whole(key) if key is not None else index] = self.whole(value)
                top = min(max(entries, default=0), MOST_PLACES)
                self.tables.append(tuple(entries.get(i, p.MISSING) for i in range(top + 1)))
                self.table_names.append(name)

    def _allot(self, name: str, base: int, owners: tuple[n.Name, ...]) -> tuple[tuple[int, ...], int]:
        sizes = tuple(self.owner_size(o.text) for o in owners)
        self.places[name] = (base, sizes)
        count = 1
        for size in sizes:
            count *= size
        if base + count > MOST_PLACES:
            self.report.add(say.too_many(self.symbols.globals[name].span, "places", base + count, MOST_PLACES))
        return sizes, base + count

    def zone_families(self) -> tuple[p.ZoneFamily, ...]:
        base = 0
        families = []
        decks = [d for d in self.symbols.globals.values() if isinstance(d, n.Deck)]
        zones = [d for d in self.symbols.globals.values() if isinstance(d, n.Zone)]
        places: list[n.Deck | n.Zone] = [*decks, *zones]
        for decl in places:
            owners = decl.owners if isinstance(decl, n.Zone) else ()
            start = base
            sizes, base = self._allot(decl.name.text, base, owners)
            capacity = -1
            if isinstance(decl, n.Zone) and decl.capacity is not None:
                capacity = self.known_number(decl, decl.capacity)
            families.append(
                p.ZoneFamily(
                    decl.name.text,
                    start,
                    tuple(self.owner_meaning(o.text) for o in owners),
                    sizes,
                    decl.order.text if isinstance(decl, n.Zone) else "pile",
                    capacity,
                    decl.seen.by,
                    decl.seen.count_hidden,
                    decl.seen.until_revealed,
                )
            )
        return tuple(families)

    def known_number(self, decl: n.Decl, value: n.Expr) -> int:
        lowered = self.start_value(decl, value, k.NUMBER)
        return max(lowered.value, 0) if isinstance(lowered, p.EConst) else -1

    def start_value(self, decl: n.Decl, value: n.Expr | None, kind: Kind) -> p.Expr | None:
        if value is None:
            return None
        lowerer = ExpressionLowerer(self)
        lowerer.frame = Frame(self.ruleset.inferred.singles[id(decl)], because=because(decl.notes))
        return lowerer.items(value) if kind.word == "list" else lowerer.expr(value, kind)

    def account_families(self) -> tuple[p.AccountFamily, ...]:
        families = []
        base = 0
        for name, decl in self.symbols.globals.items():
            if isinstance(decl, n.Account):
                start = base
                sizes, base = self._allot(name, base, decl.owners)
                unit = self.lookup.unit_of(decl.unit)
                value = self.start_value(decl, decl.start, k.amount(unit))
                owners = tuple(self.owner_meaning(o.text) for o in decl.owners)
                families.append(
                    p.AccountFamily(
                        name,
                        start,
                        owners,
                        sizes,
                        unit,
                        self.scale(unit),
                        value,
                        decl.negative,
                        decl.unlimited,
                        decl.seen.by,
                        self.symbols.unit_kinds(unit) or unit,
                    )
                )
        return tuple(families)

    def variable_families(self) -> tuple[p.VarFamily, ...]:
        families = []
        base = 0
        for name, decl in self.symbols.globals.items():
            if not isinstance(decl, (n.Variable, n.Track)):
                continue
            first = base
            sizes, base = self._allot(name, base, decl.owners)
            owners = tuple(self.owner_meaning(o.text) for o in decl.owners)
            kind = self.lookup.thing_kind(decl)
            if isinstance(decl, n.Track):
                place = [v.value for v in decl.values].index(decl.start.value) if decl.start is not None else 0
                start: p.Expr | None = p.EConst(place)
                starts = self.sheet_starts(decl, sizes, place)
                track = self.table(name)
                families.append(
                    p.VarFamily(name, first, owners, sizes, self.meaning(kind), start, track, "all", starts)
                )
            else:
                start = self.start_value(decl, decl.start, kind)
                families.append(p.VarFamily(name, first, owners, sizes, self.meaning(kind), start, -1, decl.seen.by))
        return tuple(families)

    def sheet_starts(self, decl: n.Track, sizes: tuple[int, ...], place: int) -> tuple[int, ...]:
        """Where each marker begins, if a sheet tells; those it leaves out begin where the track does."""
        if not decl.starts:
            return ()
        found = [place] * prod(sizes)
        spaces = [Fraction(v.value) for v in decl.values]
        for names, value in decl.starts:
            index = 0
            for name, size in zip(names, sizes, strict=True):
                members = [m.text for m in self.symbols.members[name.text].members]
                index = index * size + members.index(name.text)
            found[index] = spaces.index(Fraction(value.value))
        return tuple(found)

    def card_kinds(self) -> tuple[p.CardKind, ...]:
        kinds = []
        for name in self.cards:
            card = self.symbols.card(name)
            assert card is not None
            fields = tuple(
                (f.name.text, self.attr(f.name.text), self.meaning(self.lookup.field_kind(f))) for f in card.fields
            )
            kinds.append(p.CardKind(name, fields))
        return tuple(kinds)

    def components(
        self, zones: tuple[p.ZoneFamily, ...]
    ) -> tuple[tuple[p.Component, ...], tuple[tuple[Any, ...], ...], tuple[int, ...]]:
        homes = {family.name: family.base for family in zones}
        made = self.ruleset.components
        components = tuple(p.Component(self.card_kind(m.card), m.values, homes[m.deck]) for m in made)
        columns = []
        for name in self.attrs:
            column: list[Any] = []
            missing: Any = [] if self.symbols.fields[name][0][1].several else 0
            for one in made:
                card = self.symbols.card(one.card)
                assert card is not None
                names = [f.name.text for f in card.fields]
                value = one.values[names.index(name)] if name in names else missing
                column.append(list(value) if isinstance(value, tuple) else value)
            columns.append(tuple(column))
        seen: dict[tuple[str, tuple[Any, ...]], int] = {}
        classes = tuple(seen.setdefault((m.card, m.values), len(seen)) for m in made)
        return components, tuple(columns), classes

    def empty_play(self) -> int:
        """A library played alone does nothing by itself; its examples run its procedures."""
        self.procedures.append(p.Procedure("play", "play", 0, 0, (), (p.IReturn(()),), ""))
        return len(self.procedures) - 1

    def triggers(self, zones: tuple[p.ZoneFamily, ...]) -> tuple[p.Trigger, ...]:
        found = []
        names = [family.name for family in zones]
        for number, decl in enumerate(d for d in self.symbols.others if isinstance(d, n.Whenever)):
            instance = self.ruleset.inferred.singles[id(decl)]
            params = (decl.component.text, *(o.text for o in decl.owners))
            index = len(self.procedures)
            self.procedures.append(None)
            self.procedures[index] = self.make_procedure(f"whenever {number + 1}", "whenever", params, decl, instance)
            where = None
            if decl.where is not None:
                where = self.make_function("where", params, decl.where, instance, decl.notes, decl)
            test = (
                None
                if where is None
                else p.ECall(self.add_function(where), tuple(p.ELocal(i) for i in range(len(params))))
            )
            found.append(p.Trigger(decl.enters, names.index(decl.zone.text), index, len(decl.owners), test))
        return tuple(found)

    def estimate(self) -> int:
        """The function of a player, -1 if the ruleset has none."""
        decl = self.symbols.one(n.Estimate)
        if not isinstance(decl, n.Estimate):
            return -1
        instance = self.ruleset.inferred.singles[id(decl)]
        made = self.make_function("estimate", (decl.player.text,), decl.value, instance, decl.notes, decl)
        return self.add_function(made)

    def scoring(self) -> tuple[int, p.Meaning, tuple[tuple[bool, int], ...]]:
        score, winner = self.symbols.one(n.Score), self.symbols.one(n.Winner)
        if not isinstance(score, n.Score) or not isinstance(winner, n.Winner):
            index = self.add_function(p.Function("score", 1, 1, p.EConst(0)))
            return index, p.Meaning("number"), ()
        instance = self.ruleset.inferred.singles[id(score)]
        player = score.player.text
        index = self.add_function(self.make_function("score", (player,), score.value, instance, score.notes, score))
        meaning = self.meaning(instance.of(score.value))
        ranking = []
        ranked = self.ruleset.inferred.singles[id(winner)]
        for criterion in winner.criteria:
            function = self.make_function("rank", (player, "score"), criterion.value, ranked, winner.notes, winner)
            ranking.append((criterion.most, self.add_function(function)))
        return index, meaning, tuple(ranking)
