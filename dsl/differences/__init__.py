"""What is different between two rulesets, in sentences a player understands.

In: two checked rulesets and how their options are set. Out: `Differences`: what is called otherwise, what differs in
the rules, and apart from that in examples and laws. Parts are compared as they are after variants and modules have been
added, by their names, in the order in which players meet them: components, set-up, turn, markets, scoring, options.
Layout, comments, citations and the names of locals are no differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from cambist.dsl import nodes as n
from cambist.dsl import settings
from cambist.dsl.differences import things
from cambist.dsl.differences.cards import cards, differing
from cambist.dsl.differences.changes import GROUPS, TESTS, Change, Pair, Side, Told, code, subject
from cambist.dsl.differences.lines import lines
from cambist.dsl.differences.names import declared, label, renamed, renames, with_locals, with_locals_of
from cambist.dsl.differences.rules import blocks, expressions
from cambist.dsl.register import reasons
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.settings import Value
from cambist.dsl.unparse_expressions import text as text_of
from cambist.dsl.walk import shape, used_names

__all__ = ["Change", "Differences", "Side", "differences"]
WORDS: dict[type, str] = {
    n.Enum: "enum",
    n.Card: "kind of card",
    n.Deck: "deck",
    n.Zone: "zone",
    n.Account: "account",
    n.Unit: "unit",
    n.Variable: "variable",
    n.Track: "track",
    n.Table: "table",
    n.Option: "option",
    n.Define: "definition",
    n.Show: "table on the screen",
}
PLACES: dict[type, str] = {
    n.Enum: "components",
    n.Card: "components",
    n.Deck: "components",
    n.Zone: "components",
    n.Unit: "components",
    n.Account: "components",
    n.Variable: "set-up",
    n.Track: "markets",
    n.Table: "markets",
    n.Option: "options",
    n.Show: "shown",
    n.Score: "scoring",
    n.Winner: "scoring",
    n.Estimate: TESTS,
    n.Example: TESTS,
    n.Property: TESTS,
}
THINGS: dict[type, Callable[[Any, Any], Iterator[Told]]] = {
    n.Enum: things.enum,
    n.Card: things.card,
    n.Zone: things.zone,
    n.Unit: things.unit,
    n.Account: things.account,
    n.Variable: things.variable,
    n.Track: things.track,
    n.Table: things.table,
    n.Option: things.option,
}


@frozen
class Differences:
    rules: tuple[Change, ...]  # in the order in which players meet them
    tests: tuple[Change, ...]  # examples and laws

    @property
    def same(self) -> bool:
        """Whether the rules are; examples and laws may differ."""
        return not self.rules


def differences(
    a: CheckedRuleset,
    b: CheckedRuleset,
    options_a: Mapping[str, Value] | None = None,
    options_b: Mapping[str, Value] | None = None,
) -> Differences:
    """From the first ruleset to the second."""
    found = list(Comparison(a, b).changes(options_a, options_b))
    order = {group: place for place, group in enumerate(GROUPS)}
    rules = sorted((c for c in found if c.group != TESTS), key=lambda c: order[c.group])
    return Differences(tuple(rules), tuple(c for c in found if c.group == TESTS))


class Comparison:
    def __init__(self, a: CheckedRuleset, b: CheckedRuleset) -> None:
        self.a, self.b = a, b
        self.called = renames(a.decls, b.decls)
        self.ours = _by_label(renamed(a.decls, self.called))
        self.theirs = _by_label(b.decls)
        self.modules = {d.module.text for d in a.decls if isinstance(d, n.Use)} ^ {
            d.module.text for d in b.decls if isinstance(d, n.Use)
        }
        self.cards_a, self.cards_b = cards(a, self.called), cards(b, {})
        self.scoring = _only_for_the_score([*self.ours.values(), *self.theirs.values()])

    def changes(self, options_a: Mapping[str, Value] | None, options_b: Mapping[str, Value] | None) -> Iterator[Change]:
        yield from self._players()
        yield from self._names()
        for key in [*self.theirs, *(key for key in self.ours if key not in self.theirs)]:
            x, y = self.ours.get(key), self.theirs.get(key)
            if self._is_a_modules_own(key):
                continue
            pair = Pair(self._group(x, y), x, y)
            for told in self._part(x, y):
                yield pair.change(told)
        yield from self._settings(options_a, options_b)

    # ---- the whole

    def _players(self) -> Iterator[Change]:
        a, b = self.a.game, self.b.game
        if a.players != b.players:
            before, after = (f"{x.players[0]} to {x.players[-1]}" for x in (self.a, self.b))
            sides = (Side(text, x.players_span, tuple(reasons(x.notes))) for text, x in ((before, a), (after, b)))
            yield Change("players", "changed", "players", f"for {after} players instead of {before}", *sides)

    def _names(self) -> Iterator[Change]:
        here, there = declared(self.a.decls), declared(self.b.decls)
        for old, new in self.called.items():
            if old in here and new in there:
                sides = (Side(x.text, x.span, ()) for x in (here[old], there[new]))
                yield Change("names", "renamed", new, f"`{old}` is called `{new}`", *sides)

    def _settings(
        self, options_a: Mapping[str, Value] | None, options_b: Mapping[str, Value] | None
    ) -> Iterator[Change]:
        """Two settings of the options that both have."""
        back = {new: old for old, new in self.called.items()}
        for name, option in self.b.options.items():
            old = self.a.options.get(back.get(name, name))
            if old is None:
                continue
            now, then = settings.default(option), settings.default(old)
            before = (options_a or {}).get(old.name.text, then)
            after = (options_b or {}).get(name, now)
            if (before, after) != (then, now) and before != after:
                x, y = settings.written(before), settings.written(after)
                told = Told("changed", f"`{name}` is set to {y} instead of {x}", x, y)
                yield Pair("options", old, option).change(told)

    def _is_a_modules_own(self, key: str) -> bool:
        """Of a module that only one of them uses it is told once that it does."""
        return "." in key and key.partition(".")[0] in self.modules

    def _group(self, a: n.Decl | None, b: n.Decl | None) -> str:
        decl = b if b is not None else a
        assert decl is not None
        if isinstance(decl, n.Procedure) and decl.word == "setup":
            return "set-up"
        if isinstance(a, n.Option) or isinstance(b, n.Option):
            return "options"
        if isinstance(decl, n.Define) and decl.name.text in self.scoring:
            return "scoring"
        return PLACES.get(type(decl), "turn")

    # ---- one part

    def _part(self, a: n.Decl | None, b: n.Decl | None) -> Iterator[Told]:
        if isinstance(a, n.Game) or isinstance(b, n.Game):
            return
        if a is None or b is None:
            yield from self._one_side(a, b)
        elif type(a) is not type(b):
            yield _became(a, b)
        elif isinstance(a, n.Deck) and isinstance(b, n.Deck):
            yield from self._deck(a, b)
        elif shape(a) != shape(b):
            a = self._aligned(a, b)
            if shape(a) != shape(b):
                told = list(_differing(a, b))
                yield from told or [
                    Told("changed", f"{subject(b)} is written otherwise", things.brief(a), things.brief(b))
                ]

    def _aligned(self, a: n.Decl, b: n.Decl) -> Any:
        """The first with the locals of the second; who wins is told of the score's player."""
        score_a, score_b = self.ours.get("score"), self.theirs.get("score")
        if isinstance(a, n.Winner) and isinstance(score_a, n.Score) and isinstance(score_b, n.Score):
            return with_locals(a, {score_a.player.text: score_b.player.text})
        return with_locals_of(a, b)

    def _deck(self, a: n.Deck, b: n.Deck) -> Iterator[Told]:
        name = b.name.text
        yield from things.seen(name, a.seen, b.seen)
        for told in differing(name, self.cards_a.get(name, Counter()), self.cards_b.get(name, Counter())):
            yield evolve(told, a=_row(a, told.before, b), b=_row(b, told.after, a))

    def _one_side(self, a: n.Decl | None, b: n.Decl | None) -> Iterator[Told]:
        decl = b if b is not None else a
        assert decl is not None
        text = things.brief(decl)
        if isinstance(decl, n.Deck):
            number = sum(made.deck == decl.name.text for made in (self.b if b is not None else self.a).components)
            text = f"{decl.name.text}: {number} cards"
        if isinstance(decl, n.Use):
            sentence = f"{subject(decl)} is {'used' if b is not None else 'no longer used'}"
        elif isinstance(decl, n.Procedure) and decl.word in ("setup", "play"):
            sentence = f"{subject(decl)} is {'new' if b is not None else 'left out'}"
        elif isinstance(decl, n.Whenever):
            when = subject(decl).removeprefix("what happens ")
            sentence = f"{when}: {code(text)}" if b is not None else f"nothing happens any more {when}"
        elif isinstance(decl, (n.Score, n.Estimate, n.Winner)):
            sentence = f"{subject(decl)}: {code(text)}" if b is not None else f"{subject(decl)} is left out"
        else:
            kind = WORDS.get(type(decl)) or _word(decl)
            named = code(text) if b is not None and not isinstance(decl, n.Example) else _name(decl)
            sentence = f"there is a new {kind} {named}" if b is not None else f"there is no {kind} {named} any more"
        yield Told("added" if b is not None else "removed", sentence, text if b is None else None, text if b else None)


def _row(deck: n.Deck, cards: str | None, other: n.Deck) -> n.Row | None:
    """The row that a variant has added or taken out, if the deck has such cards because of it."""
    rows = [row for row in (*deck.less, *deck.rows) if cards is not None and f" {row.card.text}" in f" {cards}"]
    return next((row for row in rows if row not in (*other.less, *other.rows)), None)


def _word(decl: n.Decl) -> str:
    return decl.word if isinstance(decl, (n.Procedure, n.Property)) else type(decl).__name__.lower()


def _name(decl: n.Decl) -> str:
    return f'"{decl.title}"' if isinstance(decl, n.Example) else f"`{label(decl)}`"


def _by_label(decls: tuple[n.Decl, ...]) -> dict[str, n.Decl]:
    """What has the same label, as several triggers on one zone, is told apart by its number."""
    found: dict[str, n.Decl] = {}
    for decl in decls:
        if isinstance(decl, n.Game):
            continue
        key, number = label(decl), 2
        while key in found:
            key, number = f"{label(decl)} {number}", number + 1
        found[key] = decl
    return found


def _only_for_the_score(decls: list[n.Decl]) -> set[str]:
    """Definitions that nothing but the score and the winner leads to."""
    defines = {d.name.text: d for d in decls if isinstance(d, n.Define)}

    def reached(roots: list[n.Decl]) -> set[str]:
        found: set[str] = set()
        while roots:
            for name in used_names(roots.pop()) & set(defines) - found:
                found.add(name)
                roots.append(defines[name])
        return found

    played = reached([d for d in decls if isinstance(d, (n.Procedure, n.Whenever))])
    return reached([d for d in decls if isinstance(d, (n.Score, n.Winner))]) - played


def _became(a: n.Decl, b: n.Decl) -> Told:
    """Something of the same name is of another kind: a number that can now be set, a table that was a definition."""
    before, after = things.brief(a), things.brief(b)
    name = label(b)
    if isinstance(b, n.Option):
        sentence = f"`{name}` can be set: {after.partition(': ')[2]}"
    elif isinstance(a, n.Option):
        sentence = f"`{name}` can no longer be set: {code(after)}"
    else:
        kinds = (WORDS.get(type(x)) or _word(x) for x in (b, a))
        sentence = f"`{name}` is a {' instead of a '.join(kinds)}: {code(after)}"
    return Told("changed", sentence, before, after)


def _differing(a: Any, b: Any) -> Iterator[Told]:
    """Two parts of one kind that are not the same."""
    if type(b) in THINGS:
        yield from THINGS[type(b)](a, b)
        return
    match b:
        case n.Define():
            if shape(a.params) != shape(b.params):
                sentence = f"`{b.name.text}` is asked otherwise: {code(things.brief(b))}"
                yield Told("changed", sentence, things.brief(a), things.brief(b))
            elif shape(a.value) != shape(b.value):
                yield from expressions(f"`{b.name.text}`", a.value, b.value)
        case n.Procedure():
            if shape(a.params) != shape(b.params) or a.word != b.word:
                before, after = (f"{x.word} {things.brief(x)}" for x in (a, b))
                yield Told("changed", f"{code(after)} instead of {code(before)}", before, after)
            yield from blocks(subject(b), lines(a.body), lines(b.body))
        case n.Whenever():
            if shape(a.where) != shape(b.where):
                before, after = (_where(x) for x in (a, b))
                sentence = f"{subject(b).removeprefix('what happens ')}: {after} instead of {before}"
                yield Told("changed", sentence, before, after, a.where, b.where)
            yield from blocks(subject(b), lines(a.body), lines(b.body))
        case n.Score() | n.Estimate():
            yield from expressions(subject(b), a.value, b.value)
        case n.Winner():
            before, after = things.winner(a), things.winner(b)
            yield Told("changed", f"who wins: {code(after)} instead of {code(before)}", before, after)
        case n.Property():
            if (a.word, shape(a.value)) != (b.word, shape(b.value)):
                yield from expressions(f"the {b.word} `{b.name.text}`", a.value, b.value)
        case n.Example():
            yield Told("changed", f"{subject(b)} says something else", things.brief(a), things.brief(b))
        case n.Show():
            yield Told("changed", f"what `{b.name.text}` shows is different", things.brief(a), things.brief(b))


def _where(decl: n.Whenever) -> str:
    return "always" if decl.where is None else f"only where {code(text_of(decl.where))}"
