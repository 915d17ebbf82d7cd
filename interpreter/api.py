"""The interpreter's door: a `Match` is a game being played. Knows programs only, never text of rules.

`match.choice` tells who decides and what may be answered; `match.answer` goes on; `view`, `log`, `save`, `clone` and
`result` tell of it. A refused answer raises `Refused` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from cambist.dsl.program import Program
from cambist.interpreter.answers import read_answer
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.choices import Answer, Refusal, as_answer
from cambist.interpreter.describe import Words
from cambist.interpreter.events import Event
from cambist.interpreter.faults import Fault
from cambist.interpreter.knowledge import Knowledge, without_memory
from cambist.interpreter.limits import LISTED_ANSWERS, STEPS_TO_LIST
from cambist.interpreter.machine import Machine
from cambist.interpreter.resample import Resampler
from cambist.interpreter.saves import FORM, SaveError, fingerprint, load_state, save_state, seal
from cambist.interpreter.shown import tables
from cambist.interpreter.state import State, Watch
from cambist.interpreter.views import SPECTATOR, log_lines, uncovered, view

__all__ = ["Choice", "Fault", "Machine", "Match", "Options", "Refusal", "Refused", "Result", "SaveError", "Source"]


class Refused(ValueError):
    """An answer that is not legal; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Options(list[Answer]):
    """The legal answers, equal components once. `complete` is False when there are too many to list."""

    complete: bool = True


@frozen
class Result:
    scores: tuple[int, ...]  # in steps of the score's unit
    winners: tuple[int, ...]  # seats; several share a win
    ended_by: str
    limits: tuple[str, ...]  # assumed limits that were reached on the way


class Choice:
    """The pending choice of a match: who decides, what may be answered, why."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._number = match.machine.waiting(match.state)
        self._plan = match.program.choices[self._number]

    @property
    def name(self) -> str:
        return self._plan.name

    @property
    def sealed(self) -> bool:
        return self._plan.who_slot >= 0

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats whose answers are still awaited."""
        pending = self._match.state.pending
        assert pending is not None
        return tuple(d for d, a in zip(pending.deciders, pending.answers, strict=True) if a is None)

    @property
    def player(self) -> int:
        """The seat that answers next when nobody is named."""
        return self._match.machine.next_decider(self._match.state)

    @property
    def why(self) -> str:
        """The citation of the rule that asks, or of the nearest rule that runs it."""
        because = str(self._plan.at.because)
        for frame in reversed(self._match.state.frames):
            because = because or str(self._match.program.procedures[frame[0]].at.because)
        return because

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(b.label for b in self._plan.branches)

    def _asked(self, by: int | None) -> int:
        """The seat that is meant; refused if it is not asked."""
        if by is None:
            return self.player
        pending = self._match.state.pending
        if pending is None or by not in pending.deciders:
            raise Refused(Refusal("turn", "it is not this player's choice"))
        return by

    def options(self, by: int | None = None, limit: int = LISTED_ANSWERS) -> Options:
        match = self._match
        player = self._asked(by)
        found = Options()
        match.state.fuel = STEPS_TO_LIST
        try:
            for answer in match.machine.domain(match.state).values(
                match.state, match.machine.locals_for(match.state, player)
            ):
                if len(found) >= limit:
                    found.complete = False
                    break
                found.append(answer)
        except Fault as fault:
            if fault.diagnostic.code != "R0101":
                raise
            found.complete = False
        return found

    def sample(self, rng: Any = None, by: int | None = None) -> Answer:
        """A random legal answer. `rng`: anything with `below(n)` or `randrange(n)`."""
        match = self._match
        player = self._asked(by)
        return match.machine.sample(match.state, player, as_source(rng))

    def refusal(self, answer: Any, by: int | None = None) -> Refusal | None:
        """None if the answer is legal, else why not."""
        found = self._match.read(answer, self.player if by is None else by)
        return found if isinstance(found, Refusal) else None

    def text(self, answer: Answer) -> str:
        return self._match.words.answer(self._number, answer)


def as_source(rng: Any) -> Any:
    """Anything with `below(n)` or `randrange(n)`; None: always the same."""
    return Source(0) if rng is None else rng if hasattr(rng, "below") else _Randrange(rng)


class _Randrange:
    """Python's own generators as a source for bots."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def below(self, n: int) -> int:
        return int(self.rng.randrange(n))


class Match:
    def __init__(
        self,
        machine: Machine,
        state: State,
        seed: int,
        seats: Sequence[str] | None = None,
        log: list[Event] | None = None,
        words: Words | None = None,
    ) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = state
        self.seed = seed
        self.seats = list(seats or (f"p{i + 1}" for i in range(self.program.players)))
        self.words = words or Words(self.program, self.seats)
        self.history: list[tuple[int, Answer]] = []
        self._log: list[Event] | None = log
        self._known: dict[int, Knowledge] = {}  # by seat, as far as it was asked for

    @classmethod
    def start(
        cls,
        machine: Machine,
        seed: int = 0,
        seats: Sequence[str] | None = None,
        recorded: list[list[int]] | None = None,
        watch: Watch | None = None,
    ) -> Match:
        later = machine.tells_later and recorded is None and watch is None
        log: list[Event] | None = None if later else []
        try:
            state = machine.start(seed_of(seed), log, recorded, watch)
        except Fault as fault:
            fault.add_moment(f"before the first choice, seed {seed}, {machine.program.players} players")
            raise
        return cls(machine, state, seed, seats, log)

    # ---- going on

    @property
    def choice(self) -> Choice | None:
        return None if self.machine.waiting(self.state) < 0 else Choice(self)

    @property
    def over(self) -> bool:
        return self.machine.waiting(self.state) < 0

    def read(self, answer: Any, by: int) -> Answer | Refusal:
        """An answer as text or plain data, checked."""
        if self.state.pending is None:
            return Refusal("over", "the game is over")
        if isinstance(answer, str):
            if by not in self.state.pending.deciders:
                return Refusal("turn", "it is not this player's choice")
            found = read_answer(self.machine, self.state, by, answer, self.words)
            if isinstance(found, Refusal):
                return found
        else:
            try:
                found = as_answer(answer)
            except TypeError as error:
                return Refusal("form", str(error))
        refusal = self.machine.refusal(self.state, by, found)
        return found if refusal is None else refusal

    def answer(self, answer: Any, by: int | None = None) -> None:
        """Answer the pending choice. Sealed: any decider not yet in; without `by`, the next in seat order."""
        if self.machine.waiting(self.state) < 0:
            raise Refused(Refusal("over", "the game is over"))
        player = self.machine.next_decider(self.state) if by is None else by
        if self.machine.surely_legal(self.state, player, answer):
            self.advance(player, answer)
            return
        found = self.read(answer, player)
        if isinstance(found, Refusal):
            raise Refused(found)
        self.advance(player, found)

    def advance(self, player: int, answer: Answer) -> None:
        """An answer known to be legal."""
        self.history.append((player, answer))
        self.state.log = self._log
        try:
            self.machine.advance(self.state, player, answer)
        except Fault as fault:
            fault.add_moment(f"at choice {len(self.history)}, seed {self.seed}, {self.program.players} players")
            raise

    def take_back(self) -> bool:
        """Undo the operations of the tentative block one is in, if the rules allow it.

        What was taken back was never answered: history and log are as they were when the block began.
        """
        if not self.machine.take_back(self.state):
            return False
        del self.history[self.state.decisions :]
        self._log = None
        self._known.clear()
        return True

    def undo(self, count: int = 1) -> Match:
        """The match as it was `count` answers ago, made by playing the earlier answers again."""
        return self.replayed(self.history[: max(0, len(self.history) - count)])

    def replayed(self, history: Sequence[tuple[int, Answer]]) -> Match:
        again = Match.start(self.machine, self.seed, self.seats)
        for player, answer in history:
            again.advance(player, answer)
        return again

    def clone(self) -> Match:
        """An independent copy; its log begins with the history, told when asked for."""
        copy = Match(self.machine, self.state.clone(), self.seed, self.seats, None, self.words)
        copy.history = list(self.history)
        if self._log is not None:
            copy._log = list(self._log)
        copy._known = {seat: known.copy() for seat, known in self._known.items()}
        return copy

    def resampler(self, player: int) -> Resampler:
        """Deals out anew what that player cannot know at this moment, as often as it is asked (resample.py)."""
        return Resampler(self.machine, self.state, self._knowledge(player))

    def resample(self, player: int, rng: Any = None) -> Match:
        """A match that this player (-1: a spectator) cannot tell from this one: what is hidden is dealt out anew.

        It can be played on. Of its log only what that player reads is true of both.
        """
        self._known_seat(player)
        copy = self.clone()
        copy.state, known = self.resampler(player).draw_knowing(as_source(rng))
        copy._known = {player: known}
        return copy

    def _knowledge(self, player: int) -> Knowledge:
        known = self._known.get(player) or Knowledge(self.program, player)
        known.hear(self.log)
        if not known.fits(self.state):
            return without_memory(self.program, player, self.state)
        self._known[player] = known
        return known

    # ---- telling

    @property
    def log(self) -> list[Event]:
        """All events so far. A restored match plays its history again to tell them."""
        if self._log is None:
            told: list[Event] = []
            again = Match(self.machine, self.machine.start(seed_of(self.seed), told), self.seed, self.seats, told)
            for player, answer in self.history:
                again.advance(player, answer)
            self._log = told
        return self._log if self._log is not None else []

    def log_lines(self, player: int | None = None) -> list[str]:
        """The log in words: everything, or what one player may know (SPECTATOR: -1)."""
        self._known_seat(player)
        return log_lines(self.program, self.words, self.log, player)

    def uncovered(self, since: int, player: int) -> bool:
        """Whether that player has come to know something hidden after the first `since` events of the log."""
        return uncovered(self.program, self.words, self.log, since, player)

    def _known_seat(self, player: int | None) -> None:
        last = self.program.players - 1
        if player is not None and not SPECTATOR <= player <= last:
            raise ValueError(f"there is no seat {player}: they are 0 to {last}; -1 is somebody who looks on")

    def view(self, player: int | None = None) -> dict[str, Any]:
        self._known_seat(player)
        seat = SPECTATOR if player is None else player
        seen = view(self.program, self.words, self.state, seat)
        return {**seen, "tables": tables(self.machine, self.words, self.state, seat)}

    @property
    def result(self) -> Result | None:
        if not self.over:
            return None
        scores = self.machine.scores(self.state)
        winners = self.machine.winners(self.state, scores)
        return Result(tuple(scores), tuple(winners), self.state.ended, tuple(sorted(self.state.limits)))

    def score_text(self, score: int) -> str:
        return self.words.value(self.program.score_meaning, score)

    def fingerprint(self) -> str:
        return fingerprint(self.state)

    # ---- keeping

    def save(self) -> dict[str, Any]:
        """Plain JSON data: the state, and the answers given so far."""
        data = {
            "save": FORM,
            "game": self.program.game,
            "digest": self.program.digest,
            "players": self.program.players,
            "options": dict(self.program.options),
            "seats": list(self.seats),
            "seed": self.seed,
            "state": save_state(self.program, self.state),
            "history": [[player, _plain(answer)] for player, answer in self.history],
        }
        return {**data, "check": seal(data)}

    @classmethod
    def restored(cls, machine: Machine, data: dict[str, Any]) -> Match:
        if data["check"] != seal(data):
            raise SaveError("the save is damaged: its check does not fit what it holds", "use an older save")
        state = load_state(machine.program, data["state"])
        match = cls(machine, machine.adopt(state), data["seed"], data["seats"], None)
        match.history = [(player, as_answer(answer)) for player, answer in data["history"]]
        if data["digest"] != machine.program.digest or data["save"] != FORM:
            match._log = []
        return match


def _plain(answer: Any) -> Any:
    return [_plain(v) for v in answer] if isinstance(answer, tuple) else answer
