"""For people who test rulesets from Python: Hypothesis strategies and a state machine for any game.

    from cambist.testing import machine_of, strategies

    market = strategies("buy_low_sell_high")

    @given(market.games(finished=True))
    def test_somebody_wins(match): assert match.result.winners

    class TestMarket(machine_of("buy_low_sell_high").TestCase): ...

In: a game, or its name or path. Out: strategies that shrink to few players, few answers and the first options; a
`RuleBasedStateMachine` that answers and asks all laws after each answer. Needs Hypothesis: `cambist[testing]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from cambist.game import Game, load
from cambist.interpreter.api import Match, Source
from cambist.interpreter.choices import Answer
from cambist.interpreter.laws import Following
from cambist.interpreter.soundness import Soundness
from cambist.interpreter.state import State

try:
    from hypothesis import note
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "cambist.testing needs Hypothesis: install `cambist[testing]`", name=missing.name
    ) from None

LISTED = 64  # so many answers are listed to choose from; of more, some are drawn at random
LARGEST_SEED = 2**32 - 1


def strategies(game: Game | str, options: Mapping[str, Any] | None = None) -> Strategies:
    """Strategies for one game, with these options."""
    return Strategies(_game(game), options)


class Strategies:
    def __init__(self, game: Game, options: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.options = dict(options or {})
        game.settle(self.options)  # a wrong option is told here, not in the midst of a test

    def players(self) -> st.SearchStrategy[int]:
        return st.sampled_from(self.game.players)

    def seeds(self) -> st.SearchStrategy[int]:
        return st.integers(0, LARGEST_SEED)

    def games(self, players: int | None = None, finished: bool = False, most: int = 30) -> st.SearchStrategy[Match]:
        """A match after up to `most` answers; `finished`: played on at random to its end."""

        @st.composite
        def match(draw: st.DrawFn) -> Match:
            count = draw(self.players()) if players is None else players
            found = self.game.start(count, draw(self.seeds()), self.options)
            for _ in range(draw(st.integers(0, most))):
                if found.over:
                    break
                found.answer(draw(self.answers(found)))
            if finished and not found.over:
                rng = Source(draw(self.seeds()))
                while (choice := found.choice) is not None:
                    found.answer(choice.sample(rng))
            return found

        return match()

    def states(self, players: int | None = None, finished: bool = False, most: int = 30) -> st.SearchStrategy[State]:
        """The bare state of such a match: plain data, and nobody else's."""
        return self.games(players, finished, most).map(lambda match: match.state.clone())

    def answers(self, match: Match, by: int | None = None) -> st.SearchStrategy[Answer]:
        """Legal answers to the pending choice, for the player that is next or for another decider."""
        choice = match.choice
        if choice is None:
            raise ValueError("the game is over: there is nothing to answer")
        listed = choice.options(by, limit=LISTED)
        drawn = self.seeds().map(lambda seed: choice.sample(Source(seed), by))
        if not listed:
            return drawn
        return st.sampled_from(list(listed)) if listed.complete else st.sampled_from(list(listed)) | drawn


class GameMachine(RuleBasedStateMachine):
    """One game, answer by answer; everything that must hold is asked after each. Subclass it with a `game`, and with
    rules and invariants of your own: `self.match` is the match.
    """

    game: ClassVar[Game | str]
    options: ClassVar[Mapping[str, Any]] = {}
    players: ClassVar[int | None] = None  # None: any number that may play

    match: Match
    following: Following
    sound: Soundness

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.strategies = strategies(self.game, self.options)
        count = self.players if self.players is not None else data.draw(self.strategies.players(), "players")
        seed = data.draw(self.strategies.seeds(), "seed")
        machine = self.strategies.game.machine(count, self.options)
        self.sound = Soundness(machine)
        self.following = self.sound.follow()
        self.match = Match.start(machine, seed, watch=self.following)

    def is_over(self) -> bool:
        return self.match.over

    @precondition(lambda self: not self.is_over())
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        choice = self.match.choice
        assert choice is not None
        answer = data.draw(self.strategies.answers(self.match))
        note(f"{self.match.words.player(choice.player)} chooses {choice.text(answer)}")
        assert choice.refusal(answer) is None, f"{choice.text(answer)} is offered and refused"
        self.match.answer(answer)

    @precondition(lambda self: self.is_over())
    @rule()
    def ends(self) -> None:
        result = self.match.result
        assert result is not None and result.winners

    @invariant()
    def everything_holds(self) -> None:
        self.sound.check(self.match.state, self.following)


def machine_of(game: Game | str, players: int | None = None, **options: Any) -> type[GameMachine]:
    """A `GameMachine` of one game; `.TestCase` of it is what pytest and unittest run."""
    found = _game(game)
    found.settle(options)
    body = {"game": found, "players": players, "options": options, "__module__": __name__}
    return type(f"Machine_{found.name}", (GameMachine,), body)


def _game(game: Game | str) -> Game:
    return load(game) if isinstance(game, str) else game
