"""Records made and played again: a random game or any match -> `Record`; a `Record` and rules -> the same
match, or the first difference.

Chance takes its outcomes from the record, answers are read from their text, and the table is compared at
every choice. When the rules were changed since, the first choice that differs is named: its number, phase,
player, what was recorded and why it cannot be. No files here; what is compared is data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from cambist.interpreter.api import Machine, Match
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.choices import Answer, Refusal, as_answer
from cambist.interpreter.events import Drawn, Event, Shuffled
from cambist.interpreter.faults import Fault
from cambist.interpreter.log import (
    FORM,
    Move,
    Record,
    RecordedAnswer,
    RecordedChance,
    RecordedEnd,
    RecordedFault,
)
from cambist.interpreter.soundness import Soundness
from cambist.interpreter.strict_json import NotStrict, parse

BEFORE_THE_FIRST = "before the first choice"


@frozen
class Difference:
    """Where a record and the rules part."""

    number: int  # of the choice, from 1
    phase: str
    choice: str
    player: str
    recorded: str  # what the record says
    why: str  # what these rules say to it
    move: int  # which of the record's moves; -1: its end

    def __str__(self) -> str:
        place = f"in phase {self.phase}" if self.phase else BEFORE_THE_FIRST
        who = f", {self.player}" if self.player else ""
        return f"choice {self.number} ({place}{who}): recorded is `{self.recorded}`, but {self.why}"


@frozen
class Replayed:
    match: Match | None  # as far as it went; None: it could not even be set up
    answers: int  # how many of the record's answers were given
    difference: Difference | None


OWN_LAW = "R0115"
LAWS = (OWN_LAW, "R0121")  # a game that was cut because a law is broken, though it could go on

# ---- making a record


class Recorder:
    """A match that notes what happens in it. `number`: which game of that seed."""

    def __init__(self, machine: Machine, seed: int, number: int = 0, seats: Sequence[str] | None = None) -> None:
        log: list[Event] = []
        self.moves: list[Move] = []
        self.number = number
        self.read_events = 0
        self.match = Match(machine, machine.start(seed_of(seed, number), log), seed, seats, log)
        self._note_chance()

    def answer(self, player: int, answer: Answer) -> None:
        """A legal answer."""
        match = self.match
        choice = match.choice
        assert choice is not None
        text = choice.text(answer)
        meant = match.read(text, player)
        exact = "" if meant == answer else _numbers(answer)
        name = match.words.player(player)
        self.moves.append(RecordedAnswer(choice.name, name, match.fingerprint(), text, exact))
        try:
            match.advance(player, answer)
        finally:
            self._note_chance()

    def _note_chance(self) -> None:
        log = self.match.log
        for event in log[self.read_events :]:
            if isinstance(event, (Drawn, Shuffled)):
                self.moves.append(RecordedChance(event.outcome if isinstance(event, Drawn) else event.order))
        self.read_events = len(log)

    def record(self, rules: str, options: Mapping[str, int | str] | None = None, fault: Fault | None = None) -> Record:
        match = self.match
        program = match.program
        return Record(
            record=FORM,
            rules=rules,
            game=program.game,
            digest=program.digest,
            players=program.players,
            options=dict(program.options if options is None else options),
            seats=tuple(match.seats),
            seed=match.seed,
            number=self.number,
            moves=tuple(self.moves),
            end=_end(match) if fault is None else RecordedFault(_fault_text(fault)),
        )


def record_random(recorder: Recorder, rng: Source) -> Fault | None:
    """Play to the end with random answers; the fault that stopped it, if one did."""
    match = recorder.match
    try:
        while (choice := match.choice) is not None:
            player = choice.player
            recorder.answer(player, choice.sample(rng, player))
    except Fault as fault:
        return fault
    return None


def _numbers(answer: Answer) -> str:
    return str(list(answer)).replace(" ", "").replace("(", "[").replace(",)", "]").replace(")", "]")


def _fault_text(fault: Fault) -> str:
    return f"{fault.diagnostic.code} {fault.diagnostic.message}"


def _end(match: Match) -> RecordedEnd:
    result = match.result
    assert result is not None, "only a finished game has an end"
    return RecordedEnd(
        result.ended_by,
        match.fingerprint(),
        tuple(match.score_text(score) for score in result.scores),
        tuple(match.words.player(seat) for seat in result.winners),
        result.limits,
    )


# ---- playing a record


class _Stop(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


def replay(machine: Machine, record: Record, to: int | None = None) -> Replayed:
    """Give the record's answers again, at most `to` of them."""
    run = _Run(machine, record)
    try:
        run.run(record.answers if to is None else to)
    except _Stop as stop:
        return Replayed(run.match, run.given, stop.difference)
    return Replayed(run.match, run.given, None)


class _Run:
    def __init__(self, machine: Machine, record: Record) -> None:
        self.machine = machine
        self.record = record
        self.sound = Soundness(machine)
        self.outcomes: list[list[int]] = []  # what chance will say until the next answer; the machine takes from it
        self.match: Match | None = None
        self.given = 0
        self.at = 0  # the next move
        self.faulted = False  # the recorded fault has come again
        cut = isinstance(record.end, RecordedFault) and record.end.fault.split()[0] == OWN_LAW
        self.broken: dict[str, Fault] = {}
        self.following = self.sound.follow(self.broken) if cut else None

    def stop(self, why: str, at: int = -1) -> _Stop:
        """The record's move number `at` (-1: its end) is where the two part."""
        match, end = self.match, self.record.end
        phase = "" if match is None else match.words.phase(match.state.frames)
        choice = player = ""
        if at < 0:
            said = end.fault if isinstance(end, RecordedFault) else f"ended: {end.ended}"
        else:
            move = self.record.moves[at]
            if isinstance(move, RecordedChance):
                said = f"chance: {' '.join(str(n) for n in move.chance[:12])}"
            else:
                choice, player, said = move.choice, move.player, move.answer
        return _Stop(Difference(self.given + 1, phase, choice, player, said, why, at))

    def run(self, to: int) -> None:
        moves, record = self.record.moves, self.record
        self.load_outcomes()
        try:
            self.match = Match.start(self.machine, record.seed, record.seats, self.outcomes, self.following)
            self.sound.check_places(self.match.state)
            self.follow(self.match)
        except Fault as fault:
            if not record.answers and self.is_recorded(fault):
                return
            raise self.chance_or_rules(fault, 0 if moves else -1) from None
        self.check_unused()
        while self.at < len(moves) and self.given < to:
            move = moves[self.at]
            assert isinstance(move, RecordedAnswer)
            self.answer(self.match, move)
        if self.given >= record.answers and not self.faulted:
            self.compare_end(self.match)

    def load_outcomes(self) -> None:
        """All of the record's chance outcomes up to its next answer."""
        moves = self.record.moves
        while self.at < len(moves):
            move = moves[self.at]
            if not isinstance(move, RecordedChance):
                return
            self.outcomes.append(list(move.chance))
            self.at += 1

    def check_unused(self) -> None:
        if self.outcomes:
            unused = self.at - len(self.outcomes)
            raise self.stop("these rules do not ask chance for anything here", unused)

    def answer(self, match: Match, move: RecordedAnswer) -> None:
        answer, seat = self.read(match, move)
        here = self.at
        self.at += 1
        self.load_outcomes()
        last = self.given + 1 == self.record.answers
        try:
            match.advance(seat, answer)
            self.sound.check_places(match.state)  # a chance outcome that does not fit loses or doubles components
        except Fault as fault:
            if last and self.is_recorded(fault):
                self.given += 1
                self.faulted = True
                return
            raise self.chance_or_rules(fault, here) from None
        self.given += 1
        self.follow(match)
        self.check_unused()

    def read(self, match: Match, move: RecordedAnswer) -> tuple[Answer, int]:
        choice = match.choice
        if choice is None:
            raise self.stop("by these rules the game is over", self.at)
        asked = match.words.player(choice.player)
        if choice.name != move.choice:
            raise self.stop(f"these rules ask {asked} `{choice.name}`, not `{move.choice}`", self.at)
        seats = list(self.record.seats)
        if move.player not in seats or seats.index(move.player) not in choice.deciders:
            raise self.stop(f"by these rules {asked} is asked", self.at)
        if match.fingerprint() != move.state:
            raise self.stop(
                f"the table is not what it was: its fingerprint is {match.fingerprint()}, not {move.state}",
                self.at,
            )
        seat = seats.index(move.player)
        try:
            found = match.read(as_answer(parse(move.exact)) if move.exact else move.answer, seat)
        except (NotStrict, TypeError):
            raise self.stop(f"{move.exact} is no answer", self.at) from None
        if isinstance(found, Refusal):
            raise self.stop(f"it is refused: {found}", self.at)
        if move.exact and choice.text(found) != move.answer:
            raise self.stop(f"{move.exact} means `{choice.text(found)}`", self.at)
        return found, seat

    def is_recorded(self, fault: Fault) -> bool:
        end = self.record.end
        return isinstance(end, RecordedFault) and end.fault.split()[0] == fault.diagnostic.code

    def chance_or_rules(self, fault: Fault, at: int) -> _Stop:
        what = fault.diagnostic
        if what.code == "R0116":
            return self.stop("a chance outcome of the record is missing or does not fit these rules", at)
        perhaps = ""
        if self.at and isinstance(self.record.moves[self.at - 1], RecordedChance):
            perhaps = "; perhaps a chance outcome of the record does not fit them"
        return self.stop(f"the rules fail: {what.code} {what.message} ({what.primary.span}){perhaps}", at)

    def compare_end(self, match: Match) -> None:
        recorded = self.record.end
        if isinstance(recorded, RecordedFault):
            self.compare_fault(match, recorded)
            return
        if match.choice is not None:
            raise self.stop(f"by these rules {match.words.player(match.choice.player)} is asked next")
        now = _end(match)
        if now == recorded:
            return
        if now.state != recorded.state:
            raise self.stop(f"the table is not what it was: its fingerprint is {now.state}, not {recorded.state}")
        parts = [f"{what}: {', '.join(new)}, not {', '.join(old)}" for what, new, old in (
            ("ended", (now.ended,), (recorded.ended,)),
            ("scores", now.scores, recorded.scores),
            ("winners", now.winners, recorded.winners),
            ("limits reached", now.limits or ("none",), recorded.limits or ("none",)),
        ) if new != old]  # fmt: skip
        raise self.stop("by these rules " + "; ".join(parts))

    def compare_fault(self, match: Match, recorded: RecordedFault) -> None:
        """The recorded game stopped, and not in its last answer: a law was broken, or nothing was legal any more."""
        if recorded.fault.split()[0] in LAWS:
            self.compare_law(match, recorded)
            return
        if match.choice is None:
            raise self.stop("by these rules the game comes to its end")
        try:
            match.choice.sample()
        except Fault as fault:
            if self.is_recorded(fault):
                return
        raise self.stop("by these rules it goes on")

    def follow(self, match: Match) -> None:
        """Where the recorded game stopped because a law was broken, its laws are asked all along."""
        if self.following is not None:
            self.following.moment(match.state)

    def compare_law(self, match: Match, recorded: RecordedFault) -> None:
        """A ruleset's own law must be broken again; the free laws are `verify`'s to ask."""
        if recorded.fault.split()[0] == OWN_LAW and not self.broken:
            raise self.stop("by these rules all invariants hold here")
