"""All declarations of a ruleset by name. Finds what is declared twice; looks into no rule.

One name has one meaning, except that the fields of cards live in a space of their own (they are reached by
a dot).
"""

from __future__ import annotations

from fractions import Fraction

from attrs import define, field

from cambist.dsl import kinds as k
from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Edit, Report
from cambist.dsl.kinds import Kind
from cambist.dsl.words import RESERVED

BUILT_IN_VALUES = {
    "players": k.several(k.PLAYER),
    "everything": k.several(k.CARD),
    "nobody": k.NOBODY,
}
BUILT_IN_FUNCTIONS = {"min": 2, "max": 2, "abs": 1, "next": 1, "around": 1, "others": 1}
OWNED = (n.Zone, n.Account, n.Variable, n.Track)
Owned = n.Zone | n.Account | n.Variable | n.Track


@define
class Symbols:
    game: n.Game
    globals: dict[str, n.Decl] = field(factory=dict)
    members: dict[str, n.Enum] = field(factory=dict)  # enum member -> its enum
    fields: dict[str, list[tuple[n.Card, n.Field]]] = field(factory=dict)
    procedures: dict[str, n.Procedure] = field(factory=dict)
    others: list[n.Decl] = field(factory=list)  # whenever, score, winner, properties, examples, uses, shows

    def owned(self, name: str) -> Owned | None:
        found = self.globals.get(name)
        return found if isinstance(found, OWNED) else None

    def enum(self, name: str) -> n.Enum | None:
        found = self.globals.get(name)
        return found if isinstance(found, n.Enum) else None

    def card(self, name: str) -> n.Card | None:
        found = self.globals.get(name)
        return found if isinstance(found, n.Card) else None

    def is_field(self, name: str, owner: Kind) -> bool:
        """Whether `x.name` is a field of the card x: a card's own fields go before what others may own."""
        return owner.word == "card" and any(
            not owner.name or card.name.text == owner.name for card, _ in self.fields.get(name, ())
        )

    def unit_step(self, unit: str) -> str:
        found = self.globals.get(unit)
        return found.step if isinstance(found, n.Unit) else "1"

    def as_written(self, kind: str, value: int) -> str:
        """A number as rules write it where this kind is wanted: an amount in its unit, yes or no."""
        if kind == "flag":
            return "yes" if value else "no"
        amount = Fraction(value) * Fraction(self.unit_step(kind))
        if amount.denominator == 1:
            return str(amount)
        places = next(d for d in range(1, 19) if (amount * 10**d).denominator == 1)
        digits = str(abs(amount.numerator * 10**places // amount.denominator)).rjust(places + 1, "0")
        return f"{'-' if amount < 0 else ''}{digits[:-places]}.{digits[-places:]}"

    def unit_kinds(self, unit: str) -> str:
        """The enum whose members a unit comes in; empty if it is one and the same for all."""
        found = self.globals.get(unit)
        return found.owners[0].text if isinstance(found, n.Unit) and found.owners else ""

    def names(self) -> set[str]:
        return set(self.globals) | set(self.members) | set(self.procedures) | set(BUILT_IN_VALUES)

    def dot_names(self) -> set[str]:
        return set(self.fields) | {name for name, decl in self.globals.items() if isinstance(decl, OWNED)}

    def one(self, kind: type[n.Score] | type[n.Estimate] | type[n.Winner]) -> n.Score | n.Estimate | n.Winner | None:
        return next((d for d in self.others if isinstance(d, kind)), None)


def collect(decls: tuple[n.Decl, ...], game: n.Game, report: Report) -> Symbols:
    symbols = Symbols(game)
    seen: dict[str, n.Name] = {}
    titles: dict[str, n.Example] = {}

    def claim(name: n.Name) -> bool:
        if name.text in RESERVED:
            report.add(say.reserved_name(name.span, name.text))
            return False
        if name.text in seen:
            report.add(say.declared_twice(name.span, name.text, seen[name.text].span))
            return False
        if name.text in BUILT_IN_VALUES or name.text in BUILT_IN_FUNCTIONS or name.text in ("player", "card", "number"):
            report.add(say.reserved_name(name.span, name.text))
            return False
        seen[name.text] = name
        return True

    for decl in decls:
        match decl:
            case n.Game():
                if decl.span != game.span:
                    report.add(say.declared_twice(decl.span, decl.span.text, game.span, "one file is one game"))
            case n.Procedure():
                if decl.word in ("setup", "play"):
                    if decl.word in symbols.procedures:
                        first = symbols.procedures[decl.word].name
                        report.add(say.declared_twice(decl.name.span, decl.word, first.span, "put both into one"))
                        continue
                    symbols.procedures[decl.word] = decl
                elif decl.name.text in ("setup", "play"):
                    report.add(say.reserved_name(decl.name.span, decl.name.text, decl.word))
                    symbols.procedures.setdefault(decl.name.text, decl)  # so that nobody misses it as well
                elif claim(decl.name):
                    symbols.procedures[decl.name.text] = decl
            case n.Property():
                if claim(decl.name):
                    symbols.others.append(decl)
            case n.Score() | n.Estimate() | n.Winner():
                first_one = symbols.one(type(decl))
                if first_one is not None:
                    word = type(decl).__name__.lower()
                    help = f"a game has one `{word}`: take one of them out"
                    report.add(say.declared_twice(decl.span, word, first_one.span, help))
                else:
                    symbols.others.append(decl)
            case n.Example():
                first_example = titles.setdefault(decl.title, decl)
                if first_example is not decl:
                    help = "give one of them another title"
                    report.add(say.declared_twice(decl.span, f'example "{decl.title}"', first_example.span, help))
                symbols.others.append(decl)
            case n.Whenever() | n.Use() | n.Show():
                symbols.others.append(decl)
            case n.Deck():
                if claim(decl.name):
                    symbols.globals[decl.name.text] = decl
            case _:
                if claim(decl.name):
                    symbols.globals[decl.name.text] = decl
                if isinstance(decl, n.Enum):
                    for member in decl.members:
                        if claim(member):
                            symbols.members[member.text] = decl
                elif isinstance(decl, n.Option):
                    values = n.Enum(decl.name, decl.values, (), decl.span)
                    named = isinstance(decl.default, n.Ref)  # else it is told that these are no values
                    for member in decl.values if named else ():
                        if claim(member):
                            symbols.members[member.text] = values
                elif isinstance(decl, n.Card):
                    for item in decl.fields:
                        symbols.fields.setdefault(item.name.text, []).append((decl, item))
    _parts(symbols, report)
    return symbols


def _parts(symbols: Symbols, report: Report) -> None:
    game = symbols.game
    if game.players is not None and not 1 <= game.players[0] <= game.players[1] <= 16:
        low, high = game.players
        fix = Edit(game.players_span, f"players {high}..{low}") if 1 <= high < low <= 16 else None
        report.add(say.bad_players(game.players_span, f"{low} to {high}", fix))
    if game.library:
        return
    if game.players is None:
        report.add(say.bad_players(game.span, "it is not written"))
    missing = {} if "play" in symbols.procedures else {"play": "play"}
    if symbols.one(n.Score) is None:
        missing["score"] = "score p = p.cash"
    if symbols.one(n.Winner) is None:
        missing["winner"] = "winner most score, ties shared"
    missing = {part: form for part, form in missing.items() if part not in report.lost}  # told already: unreadable
    if missing:
        report.add(say.missing_part(game.name.span, missing))
