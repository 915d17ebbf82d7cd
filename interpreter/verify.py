"""Looks for a game that breaks what must hold, and then for the shortest such game.

In: a way to get machines, the numbers of players and settings to try, a clock. Out: `Broken`s, one for each property
that was found broken, each with the game (seed and answers) that shows it; and a `Tally` of what was seen. What must
hold: the ruleset's own laws, what soundness.py checks, the free laws, and that the rules never fail. No output here,
and the only clock is the one handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from cambist.dsl.program import At
from cambist.interpreter.api import Match
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.choices import Answer
from cambist.interpreter.faults import Fault
from cambist.interpreter.free_laws import FREE
from cambist.interpreter.laws import Following
from cambist.interpreter.machine import Machine
from cambist.interpreter.soundness import Soundness

Options = tuple[tuple[str, int], ...]
MachineFor = Callable[[int, Mapping[str, int]], Machine]
Left = Callable[[], bool]  # whether there is time left
DEEP_MOMENTS = 6  # of a game, at which the costly laws are asked
TRIES, NODES, BRANCHING, SEEDS = 400, 4_000, 24, 12  # of the search for a shorter game
MACHINE_LAWS = {"money was made or lost": "money_is_kept", "is below zero": "accounts_stay_covered"}


@frozen
class Game:
    """A game as far as it matters: everything else follows."""

    players: int
    options: Options
    seed: int
    answers: tuple[tuple[int, Answer], ...] = ()


@frozen
class Broken:
    name: str
    reason: str
    at: At
    game: Game
    code: str = ""


@define
class Tally:
    games: int = 0
    decisions: int = 0
    reached: dict[str, int] = field(factory=dict)  # reachable fact -> games in which it was seen


class LawBroken(Exception):
    def __init__(self, name: str, reason: str, at: At, code: str = "") -> None:
        super().__init__(reason)
        self.name, self.reason, self.at, self.code = name, reason, at, code


class Watch:
    """Asks at a moment of a game whether all that must hold does. `only`: one property, and nothing else."""

    def __init__(self, machine: Machine, only: str | None = None) -> None:
        self.machine = machine
        self.only = only
        self.sound = Soundness(machine)
        laws = [law for law in machine.program.properties if law.word == "invariant"]
        self.one_state_tells = all(law.plain for law in laws)  # else a game must be followed from its beginning

    def begin(self, game: Game) -> tuple[Match, Following]:
        """A game that is followed, with the answers that it has."""
        following = self.sound.follow()
        try:
            match = Match.start(self.machine, game.seed, watch=following)
        except Fault as fault:
            raise self.told(fault) from None
        for seat, answer in game.answers:
            self.look(match, Source(len(match.history)), False, following)
            self.go_on(match, seat, answer)
        return match, following

    def go_on(self, match: Match, seat: int, answer: Answer) -> None:
        try:
            match.advance(seat, answer)
        except Fault as fault:
            raise self.told(fault) from None

    def look(self, match: Match, rng: Source, deep: bool, following: Following | None = None) -> None:
        try:
            self.sound.check(match.state, following)
            for name, law in FREE.items():
                if (deep and self.only is None) or self.only == name:
                    reason = law(match, rng)
                    if reason:
                        raise LawBroken(name, reason, self._place(match))
        except Fault as fault:
            raise self.told(fault) from None

    def told(self, fault: Fault) -> LawBroken:
        what = fault.diagnostic
        name = f"no_fault_{what.code}"
        if what.code == "R0115":
            laws = [x.name for x in self.machine.program.properties if x.at is fault.at]
            name = laws[0] if laws else name
        elif what.code == "R0114":
            name = "every_game_ends"
        elif what.code == "R0103":
            name = "somebody_can_answer"
        elif what.code == "R0116":
            name = next((law for part, law in MACHINE_LAWS.items() if part in what.message), "components_stay_in_place")
        return LawBroken(name, what.message, fault.at, what.code)

    def _place(self, match: Match) -> At:
        pending = match.state.pending
        if pending is None:
            return At()
        return self.machine.program.choices[pending.choice].branches[0].at


# ---- any game


def play(
    watch: Watch, game: Game, rng: Source, longest: int | None = None, tally: Tally | None = None
) -> Broken | None:
    """A random game with these players, options and seed; what it breaks first."""
    match: Match | None = None
    following: Following | None = None
    try:
        match, following = watch.begin(game)
        moment, deep_at = 0, rng.below(7)
        while True:
            deep = moment == deep_at
            watch.look(match, rng, deep, following)
            if deep:
                deep_at += 1 + rng.below(2 * (moment // DEEP_MOMENTS + 3))
            choice = match.choice
            if choice is None or (longest is not None and moment >= longest):
                break
            seat = choice.player
            try:
                answer = choice.sample(rng, seat)
            except Fault as fault:
                raise watch.told(fault) from None
            watch.go_on(match, seat, answer)
            moment += 1
    except LawBroken as broken:
        history = tuple(match.history) if match is not None else ()
        return as_broken(broken, game, history)
    finally:
        if tally is not None and match is not None:
            tally.games += 1
            tally.decisions += len(match.history)
            for name in following.seen if following is not None else ():
                tally.reached[name] = tally.reached.get(name, 0) + 1
    return None


def as_broken(broken: LawBroken, game: Game, answers: Sequence[tuple[int, Answer]]) -> Broken:
    played = Game(game.players, game.options, game.seed, tuple(answers))
    return Broken(broken.name, broken.reason, broken.at, played, broken.code)


def search(
    machine_for: MachineFor, settings: Sequence[tuple[int, Options]], games: int, seed: int, left: Left
) -> Iterator[tuple[Tally, Broken | None]]:
    """Game after game, by turns over the settings; each with the tally of its setting so far and what it broke."""
    tallies = {setting: Tally() for setting in settings}
    watches = {setting: Watch(machine_for(setting[0], dict(setting[1]))) for setting in settings}
    for number in range(games):
        for setting in settings:
            if not left():
                return
            players, options = setting
            game = Game(players, options, seed * 1_000_003 + number)
            rng = Source(seed_of(seed, number))
            yield tallies[setting], play(watches[setting], game, rng, tally=tallies[setting])


# ---- the shortest game


def shortest(found: Broken, machine_for: MachineFor, players: Sequence[int], left: Left) -> Broken:
    """A shorter game that breaks the same property, as short as the time allows."""
    best = found
    if found.name == "every_game_ends":
        return best  # all of them are as long as the limit
    for count in sorted(p for p in players if p <= found.game.players):
        watch = Watch(machine_for(count, dict(found.game.options)), found.name)
        best = _widely(best, watch, count, left)
        best = _by_chance(best, watch, count, left)
        if best.game.players == count:
            best = _widely(best, watch, count, left)
            return best  # more players make no shorter games of a rule that fewer can break
    return best


def _by_chance(best: Broken, watch: Watch, players: int, left: Left) -> Broken:
    """Random games that are stopped before they are as long as the best."""
    for number in range(TRIES):
        length = len(best.game.answers)
        if not left() or length == 0:
            break
        game = Game(players, best.game.options, number % 64)
        longest = length - 1 if players == best.game.players else length
        broken = play(watch, game, Source(number), longest)
        if broken is not None and broken.name == best.name:
            best = broken
    return best


def _widely(best: Broken, watch: Watch, players: int, left: Left) -> Broken:
    """All games of some seeds, answer by answer: the first that breaks it is the shortest of its seed."""
    for seed in range(SEEDS):
        game = Game(players, best.game.options, seed)
        nodes = 0
        level: list[Match] = []
        try:
            match, following = watch.begin(game)
            watch.look(match, Source(0), False, following)
            level = [match]
        except LawBroken as broken:
            if broken.name == best.name:
                return as_broken(broken, game, ())
            continue
        while level and nodes < NODES // SEEDS and left():
            if len(level[0].history) + 1 >= len(best.game.answers) and players == best.game.players:
                break
            next_level: list[Match] = []
            for match in level:
                if nodes >= NODES // SEEDS:
                    break
                for seat, answer in _answers(match):
                    nodes += 1
                    step = match.clone()
                    shown = _broken_by(step, seat, answer, watch, best.name)
                    if shown is not None:
                        return as_broken(shown, game, step.history)
                    next_level.append(step)
            level = next_level
    return best


def _answers(match: Match) -> Iterator[tuple[int, Answer]]:
    choice = match.choice
    if choice is not None:
        seat = choice.player
        for answer in choice.options(seat, limit=BRANCHING):
            yield seat, answer


def _broken_by(match: Match, seat: int, answer: Answer, watch: Watch, name: str) -> LawBroken | None:
    """What the answer breaks, if it is the property looked for; the match has gone on."""
    try:
        if watch.one_state_tells:
            watch.go_on(match, seat, answer)
            watch.look(match, Source(len(match.history)), False)
        else:
            history = (*match.history, (seat, answer))
            match.advance(seat, answer)
            again, following = watch.begin(Game(match.program.players, (), match.seed, history))
            watch.look(again, Source(len(history)), False, following)
    except LawBroken as broken:
        return broken if broken.name == name else None
    except Fault as fault:
        told_of = watch.told(fault)
        return told_of if told_of.name == name else None
    return None


def told(match: Match) -> list[str]:
    """A short game as steps that people can read."""
    again = Match.start(match.machine, match.seed, match.seats)
    lines = []
    for number, (seat, answer) in enumerate(match.history, 1):
        choice = again.choice
        if choice is None:
            break
        lines.append(f"{number}. {again.words.player(seat)}, {choice.name}: {choice.text(answer)}")
        try:
            again.advance(seat, answer)
        except Fault:
            break
    return lines
