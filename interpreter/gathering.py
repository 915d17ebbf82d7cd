"""What games were like: plays them with given players and records all that a designer may ask about them.

In: a program, bots for its seats, a seed and the numbers of games. Out: `Gathered`, plain data: of each game figures
(named numbers: scores, lengths, uses, measures), and over all games how things went in time (`paths`), how many
answers there were to choose from, and which lines of the rules ran. Game number k depends on the seed and k alone, and
what two processes gathered can be put together in any order: the result is the same, to the byte. No statistics here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field

from cambist.dsl import program as p
from cambist.interpreter.api import Match
from cambist.interpreter.bots import Bot, Seat
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import COMPILED, machine_of
from cambist.interpreter.coverage import Coverage, Line
from cambist.interpreter.describe import Words
from cambist.interpreter.events import Event
from cambist.interpreter.explore import bot_source
from cambist.interpreter.faults import Fault
from cambist.interpreter.measures import Measures, Measuring, measured
from cambist.interpreter.state import State

POINTS = 21  # of a path: the beginning of a game, every twentieth of it, its end
MOST_OPTIONS = 30  # counted at one choice; more are counted as so many
STEPS_TO_COUNT = 20_000  # and as far as so many steps lead
COVERED = 40  # so many games, the first ones, are played again on a machine that notes each line it runs
MOST_CELLS = 64  # of a family of tracks, to be followed one by one

Figures = dict[str, Fraction]  # what is not there is 0; a measure that is not there was not asked for in that game
Path = list[Counter[int]]  # at each point of time, how often each value was seen


@define
class Gathered:
    games: dict[int, Figures] = field(factory=dict)  # by number
    paths: dict[str, Path] = field(factory=dict)
    options: Counter[int] = field(factory=Counter)  # how many answers there were, of all choices
    failed: dict[int, str] = field(factory=dict)  # games that a fault of the rules ended, and which
    ran: set[Line] = field(factory=set)
    lines: dict[Line, str] = field(factory=dict)

    def add(self, other: Gathered) -> None:
        self.games.update(other.games)
        for name, path in other.paths.items():
            mine = self.paths.setdefault(name, [Counter() for _ in path])
            for here, there in zip(mine, path, strict=True):
                here.update(there)
        self.options.update(other.options)
        self.failed.update(other.failed)
        self.ran |= other.ran
        self.lines.update(other.lines)

    def column(self, name: str) -> list[Fraction]:
        """One figure of all games, in their order."""
        return [self.games[number].get(name, Fraction(0)) for number in sorted(self.games)]

    def names(self) -> list[str]:
        return sorted({name for figures in self.games.values() for name in figures})

    def plain(self) -> dict[str, Any]:
        """Everything in one order, as JSON can hold it."""
        return {
            "games": [[number, _written(self.games[number])] for number in sorted(self.games)],
            "paths": {name: [sorted(c.items()) for c in self.paths[name]] for name in sorted(self.paths)},
            "options": sorted(self.options.items()),
            "failed": sorted(self.failed.items()),
            "ran": sorted(self.ran),
            "lines": sorted((*line, text) for line, text in self.lines.items()),
        }


def _written(figures: Figures) -> dict[str, Any]:
    return {
        name: value.numerator if value.denominator == 1 else [value.numerator, value.denominator]
        for name, value in sorted(figures.items())
    }


class Gatherer:
    """Plays games of one program, one after the other. Without bots, everybody answers at random, as in explore.py."""

    def __init__(self, program: p.Program, bots: Sequence[Bot] | None = None) -> None:
        self.program = program
        self.bots = bots
        self.machine = machine_of(program, COMPILED)  # what is followed runs plainly, what bots imagine does not
        self.coverage = Coverage(program)
        self.measures = Measures(self.machine)
        self.words = Words(program, seat_names(program.players))
        self.actions = [[action_name(choice, branch) for branch in choice.branches] for choice in program.choices]
        self.cards = card_names(program, self.words)
        self.followed = list(self._followed())

    def _followed(self) -> list[tuple[str, Callable[[State], int]]]:
        """What has a value at every moment: tracks by the space their marker is on, money by its unit."""
        found: list[tuple[str, Callable[[State], int]]] = []
        for family in self.program.variables:
            if family.track >= 0 and family.count <= MOST_CELLS and all(o.word != "card" for o in family.owners):
                spaces = self.program.tables[family.track]
                for index in range(family.base, family.base + family.count):
                    found.append((f"track/{self.words.variable_names[index]}", _marker(spaces, index)))
        for unit, places in self._accounts_by_unit().items():
            found.append((f"money/{unit}", _total(places)))
        return found

    def _accounts_by_unit(self) -> dict[str, list[int]]:
        """Accounts that can run empty, by what is in them: where the money in play lies."""
        found: dict[str, list[int]] = {}
        units, enums = self.machine.linker.account_rules.unit, dict(self.program.enums)
        for family in self.program.accounts:
            for place in range(family.base, family.base + family.count):
                if not family.unlimited:
                    member = f" {enums[family.kinds][units[place][1]]}" if family.kinds in enums else ""
                    found.setdefault(f"{family.unit}{member}", []).append(place)
        return found

    def gather(self, seed: int, numbers: Iterable[int]) -> Gathered:
        found = Gathered(lines=dict(self.coverage.lines))
        for number in numbers:
            self._game(seed, number, found)
        found.ran |= self.coverage.ran
        return found

    def _game(self, seed: int, number: int, found: Gathered) -> None:
        one = OneGame(self)
        try:
            one.play(seed, number)
            figures = one.figures()
            if number < COVERED:
                self._note_lines(seed, number, one.answers)
        except Fault as fault:
            what = fault.diagnostic
            file, line = what.line
            found.failed[number] = f"{file}:{line}: {what.code} {what.message}"
            return
        found.games[number] = figures
        found.options.update(one.options)
        for name, values in one.paths():
            path = found.paths.setdefault(name, [Counter() for _ in range(POINTS)])
            for counter, several in zip(path, values, strict=True):
                counter.update(several)

    def _note_lines(self, seed: int, number: int, answers: list[tuple[int, Any]]) -> None:
        """The same game again, on a machine that notes what it runs and is slow for it."""
        machine = self.coverage.machine
        state = machine.start(seed_of(seed, number))
        for player, answer in answers:
            machine.advance(state, player, answer)


class OneGame(Measuring):
    """One game from its first choice to its end, and what is noted on the way."""

    def __init__(self, gatherer: Gatherer) -> None:
        super().__init__(gatherer.measures)
        self.gatherer = gatherer
        self.answers: list[tuple[int, Any]] = []
        self.options: Counter[int] = Counter()
        self.used: Counter[str] = Counter()  # all that is counted, by the name of its figure
        self.rows: list[list[int]] = []  # at each moment, what is followed
        self.standings: list[list[int]] = []  # at the beginning of each turn, everybody's estimate, or else score
        self.turns = 0
        self.state: State

    # ---- playing

    def play(self, seed: int, number: int) -> None:
        begun = seed_of(seed, number)
        ask, state = self._players(seed, number, begun)
        self.state = state
        where, last = state.where[:], -1
        while True:
            self.moment(state)
            self.rows.append([value(state) for _, value in self.gatherer.followed])
            if state.where != where:
                self._moved(where, state.where)
                where = state.where[:]
            pending = state.pending
            if pending is None:
                self._stand(state)
                return
            if len(pending.deciders) > 1 or pending.deciders[0] != last:
                self.turns += 1
                self._stand(state)
            last = pending.deciders[-1]
            for player in list(pending.deciders):
                self.options[self._how_many(state, player)] += 1
                choice, answer = pending.choice, ask(player)
                self.answers.append((player, answer))
                self._chose(choice, player, answer)

    def _players(self, seed: int, number: int, begun: int) -> tuple[Callable[[int], Any], State]:
        """What makes a player answer, and the first state. The same games as explore.py and bots/tables.py play."""
        machine, bots = self.machine, self.gatherer.bots
        if bots is None:
            rng, state = bot_source(seed, number), machine.start(begun, watch=self)

            def at_random(player: int) -> Any:
                answer = machine.sample(state, player, rng)
                machine.advance(state, player, answer)
                return answer

            return at_random, state
        log: list[Event] = []
        match = Match(machine, machine.start(begun, log, watch=self), seed, None, log)

        def by_bot(player: int) -> Any:
            source = Source(seed_of(begun, len(match.history) + 1))
            answer = bots[player].answer(Seat(match, player), source)
            match.advance(player, answer)
            return answer

        return by_bot, match.state

    def _how_many(self, state: State, player: int) -> int:
        """Answers to choose from, equal cards once, as far as they are counted."""
        machine, count = self.machine, 0
        state.fuel = STEPS_TO_COUNT
        try:
            for _ in machine.domain(state).values(state, machine.locals_for(state, player)):
                count += 1
                if count == MOST_OPTIONS:
                    break
        except Fault as fault:
            if fault.diagnostic.code != "R0101":
                raise
            return MOST_OPTIONS  # it takes too long to list them all
        return count

    # ---- noting

    def runs(self, state: State) -> None:
        for frame in state.frames[len(self._running) :]:
            procedure = self.gatherer.program.procedures[frame[0]]
            if procedure.word == "phase":
                self.used[f"phase/{procedure.name.partition('#')[0]}"] += 1
        super().runs(state)

    def _chose(self, choice: int, player: int, answer: Any) -> None:
        name = self.gatherer.actions[choice][answer[0]]
        self.used[f"action/{name}"] += 1
        self.used[f"action/{name}/p{player + 1}"] += 1
        branch = self.gatherer.program.choices[choice].branches[answer[0]]
        for pick, value in zip(branch.picks, answer[1:], strict=True):
            if pick.meaning.word == "card":
                for card in _flat(value):
                    self.used[f"chosen/{self.gatherer.cards[card]}"] += 1

    def _moved(self, before: list[int], now: list[int]) -> None:
        for name, old, new in zip(self.gatherer.cards, before, now, strict=True):
            if old != new:
                self.used[f"moved/{name}"] += 1

    def _stand(self, state: State) -> None:
        machine = self.machine
        function = machine.program.estimate if machine.program.estimate >= 0 else machine.program.score
        try:
            self.standings.append(
                [int(machine.call(state, function, [seat])) for seat in range(machine.program.players)]
            )
        except Fault:
            pass  # some scores can be told at the end only

    # ---- afterwards

    def figures(self) -> Figures:
        state, machine = self.state, self.machine
        scores = machine.scores(state)
        winners = machine.winners(state, scores)
        scale = score_scale(machine.program)
        found: dict[str, int | Fraction] = dict(self.used)
        for seat, score in enumerate(scores):
            found[f"score/p{seat + 1}"] = Fraction(score, scale)
        for seat in winners:
            found[f"won/p{seat + 1}"] = Fraction(1, len(winners))
        answers = sum(self.options.values())
        found["length/answers"] = answers
        found["length/decisions"] = answers - self.options[1]
        found["length/turns"] = self.turns
        if answers:
            found["options/forced"] = Fraction(self.options[1], answers)
            found["options/mean"] = Fraction(sum(n * count for n, count in self.options.items()), answers)
        if len(self.standings) > 1:  # the end is one: before it, this score can be told, too
            found["lead/changes"] = _lead_changes(self.standings)
        best = sorted(scores, reverse=True)
        found["margin"] = Fraction(best[0] - best[1], scale) if len(best) > 1 else 0
        found["spread"] = Fraction(best[0] - best[-1], scale)
        found["tie"] = int(len(winners) > 1)
        found[f"ended/{state.ended}"] = 1
        found |= self._shifts()
        found |= {f"mark/{name}": count for name, count in state.marks.items()}
        found |= {f"limit/{name}": count for name, count in state.limits.items()}
        found |= {f"measure/{name}": value for name, value in measured(machine, self.samples).items()}
        return {name: Fraction(value) for name, value in found.items() if value or name.startswith("measure/")}

    def _shifts(self) -> dict[str, int]:
        """How often each marker stands elsewhere than at the moment before."""
        found: dict[str, int] = {}
        for place, (name, _) in enumerate(self.gatherer.followed):
            group, _, what = name.partition("/")
            if group == "track":
                steps = zip(self.rows, self.rows[1:], strict=False)
                found[f"shifted/{what}"] = sum(before[place] != after[place] for before, after in steps)
        return found

    def paths(self) -> Iterable[tuple[str, list[list[int]]]]:
        """By name, the values at each point of time: several where several things are put together."""
        for place, (name, _) in enumerate(self.gatherer.followed):
            yield name, [[row[place]] for row in spread_out(self.rows)]
        if len(self.standings) > 1:
            yield "score", spread_out(self.standings)
        yield from self._measured_paths()

    def _measured_paths(self) -> Iterable[tuple[str, list[list[int]]]]:
        """Of every measure that is asked on the way: all players together, other things apart."""
        series: dict[str, dict[Any, list[tuple[int, int]]]] = {}
        for sample in self.samples:
            measure = self.machine.program.measures[sample.measure]
            if measure.moment != "end":
                apart = [
                    self.gatherer.words.value(m, t)
                    for m, t in zip(measure.of, sample.of, strict=True)
                    if m.word != "player"
                ]
                name = " ".join([measure.name, *apart])
                series.setdefault(f"measure/{name}", {}).setdefault(sample.of, []).append(
                    (sample.answers, sample.value)
                )
        end = max(self.state.decisions, 1)
        for name, things in series.items():
            at: list[list[int]] = []
            for point in range(POINTS):
                now = end * point // (POINTS - 1)
                at.append([_latest(values, now) for values in things.values()])
            yield name, at


def _marker(spaces: Sequence[int], index: int) -> Callable[[State], int]:
    return lambda state: spaces[state.vars[index]]


def _total(places: Sequence[int]) -> Callable[[State], int]:
    return lambda state: sum(state.accounts[place] for place in places)


def _flat(value: Any) -> Iterable[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    elif value != p.NOBODY:
        yield value


def _latest(values: list[tuple[int, int]], now: int) -> int:
    """The last value that was there, or the first if none was yet."""
    found = values[0][1]
    for when, value in values:
        if when > now:
            break
        found = value
    return found


def _lead_changes(standings: list[list[int]]) -> int:
    """How often somebody who was not the last to lead alone leads alone."""
    changes, leader = 0, -1
    for scores in standings:
        top = max(scores)
        if scores.count(top) == 1:
            now = scores.index(top)
            changes += leader >= 0 and now != leader
            leader = now
    return changes


def spread_out(rows: list[list[int]]) -> list[list[int]]:
    """As many rows as a path has points, evenly from the first to the last."""
    last = len(rows) - 1
    return [rows[last * point // (POINTS - 1)] for point in range(POINTS)]


def seat_names(players: int) -> list[str]:
    return [f"p{seat + 1}" for seat in range(players)]


def action_name(choice: p.Choice, branch: p.Branch) -> str:
    """`turn: take`, or, of a choice without branches, what is picked: `turn: cards`. Choices of one name share it."""
    phase = choice.name.rpartition("/")[0].partition("#")[0]
    what = branch.label or " and ".join(pick.name for pick in branch.picks)
    return f"{phase}: {what}"


def card_names(program: p.Program, words: Words) -> list[str]:
    """What each component is called here. A number that differs on all cards of a kind, if more is printed on them, is
    only there to tell them apart: it is left out."""
    shown: list[list[int]] = []
    for number, kind in enumerate(program.kinds):
        cards = [c for c in program.components if c.kind == number]
        apart = [
            place
            for place, (_, _, meaning) in enumerate(kind.attrs)
            if meaning.word == "number" and len(cards) > 1 and len({c.fields[place] for c in cards}) == len(cards)
        ]
        all_places = range(len(kind.attrs))
        shown.append([place for place in all_places if place not in apart or len(apart) == len(kind.attrs)])
    return [words.card_by(component, shown[one.kind]) for component, one in enumerate(program.components)]


def score_scale(program: p.Program) -> int:
    meaning = program.score_meaning
    if meaning.word != "amount":
        return 1
    return next((family.scale for family in program.accounts if family.unit == meaning.name), 1)
