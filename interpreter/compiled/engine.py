"""The machine of the compiled engine, and the door that chooses between the engines.

Games that it starts are positions: flat cells, played by compiled rules. It also takes states of the reference machine
(examples set some up, laws follow others) and then is that machine. What it cannot compile it plays as that machine.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from attrs import evolve

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.chance import FEW, Source
from cambist.interpreter.choices import Answer, Refusal, zones_of_picked
from cambist.interpreter.compiled.layout import (
    ANSWERS,
    DECIDERS,
    DECISIONS,
    FORCED,
    FUEL,
    OFFERS,
    OVER,
    RNG,
    SEVERAL,
    TENTATIVE,
    WAITS,
    WHO,
)  # fmt: skip
from cambist.interpreter.compiled.linking import PositionLinker
from cambist.interpreter.compiled.loading import Loaded, Parts, compiled
from cambist.interpreter.compiled.plan import NotCompiled
from cambist.interpreter.compiled.position import Position
from cambist.interpreter.compiled.rewriting.handing import GOING_ON
from cambist.interpreter.compiled.runtime import rolled_back
from cambist.interpreter.compiled.subsets import as_drawn
from cambist.interpreter.domains import LinkedChoice
from cambist.interpreter.events import Answered
from cambist.interpreter.limits import DECISIONS_PER_GAME, STEPS_FOR_SETUP, STEPS_PER_DECISION
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State, Watch
from cambist.interpreter.steps.choosing import NO_ANSWER

REFERENCE, COMPILED = "reference", "compiled"
ENGINES = (REFERENCE, COMPILED)
OPENING = 1_000  # functions that may run before chance plays a part
WINDOW = STEPS_PER_DECISION  # functions that may run without a decision
EVERY_STEP = range(WINDOW)


class CompiledMachine(Machine):
    """Plays what `Machine` plays: the same choices, states, logs and results for the same seed."""

    tells_later = True

    def __init__(
        self, program: p.Program | None, parts: Parts | None = None, whole: Callable[[], p.Program] | None = None
    ) -> None:
        """Of a program; or of parts that were kept, and `whole` gives the program when somebody asks for it."""
        self.rules: Loaded | None = None
        self.choices: dict[int, LinkedChoice] = {}
        self.decisions = DECISIONS_PER_GAME
        self.whole = whole
        source = None
        if program is not None:
            super().__init__(program)
        if parts is None:
            try:
                parts, source = compiled(self.program)
            except NotCompiled:
                return
        self.rules = Loaded(parts, lambda: self.program)
        self.rules.sampled, self.rules.possible = self._sampled, self._possible
        if source is not None:
            self.rules.source = source
            self.empty = self.rules.layout.fill(self.blank(0))
            self.opened, self.begin = self._opened(self.rules)
        else:
            self.empty, self.opened, self.begin = parts.empty, parts.opened, parts.going_on

    def __getattr__(self, name: str) -> Any:
        """What fast play does not need is made when it is first asked for."""
        whole = self.__dict__.get("whole")
        if name == "positions":
            assert self.rules is not None
            self.positions = PositionLinker(self.rules)
        elif whole is not None and name in ("program", "linker", "slots", "fresh"):
            super().__init__(whole())
        else:
            raise AttributeError(name)
        return self.__dict__[name]

    def parts(self) -> Parts | None:
        """What must be kept to play without the rules being read again."""
        if self.rules is None:
            return None
        return evolve(self.rules.parts, empty=self.empty, opened=self.opened, going_on=self.begin)

    def prepare(self) -> None:
        """Make now what whole random games need, which otherwise the first of them makes."""
        if self.rules is not None:
            assert self.rules.playing

    def _opened(self, rules: Loaded) -> tuple[list[Any], int]:
        """What every game is like before chance first plays a part, and where it goes on."""
        cells, number = self.empty[:], rules.begin
        cells[FUEL] = STEPS_FOR_SETUP
        try:
            for _ in range(OPENING):
                if number in rules.chances or number in rules.asks:
                    return cells, number
                number = rules.segments[number](cells, None)
                if number < 0:
                    break
        except (faults.Fault, IndexError):
            pass  # every game fails here, and says so when it is played
        return self.empty, rules.begin

    # ---- beginnings

    def start(
        self,
        rng: int,
        log: list[Any] | None = None,
        recorded: list[list[int]] | None = None,
        watch: Watch | None = None,
    ) -> State:
        rules = self.rules
        if rules is None or watch is not None:
            return super().start(rng, log, recorded, watch)
        if log is None and recorded is None:
            position, number = Position(rules, self.opened[:]), self.begin
        else:
            position, number = Position(rules, self.empty[:]), rules.begin
            position.log, position.recorded = log, recorded
        position.cells[RNG], position.cells[FUEL] = rng, STEPS_FOR_SETUP
        self._go(position, number)
        return position

    def plain(self, state: State) -> State:
        return state.thaw() if isinstance(state, Position) else state

    def adopt(self, state: State) -> State:
        """A state of the reference machine as a position, if a game comes to such a state."""
        if self.rules is None or isinstance(state, Position) or state.watch is not None or state.wished:
            return state
        cells = self.rules.freeze(state)
        if cells is None:
            return state
        position = Position(self.rules, cells)
        position.log, position.recorded = state.log, state.recorded
        return position

    # ---- running

    def run(self, state: State) -> None:
        if not isinstance(state, Position):
            super().run(state)

    def _go(self, position: Position, number: int) -> None:
        """From a function of the rules to the next choice or the end."""
        rules = position.rules
        silent = position.log is None and position.recorded is None
        segments = rules.segments if silent else rules.told
        cells = position.cells
        try:
            for _ in range(WINDOW):
                number = segments[number](cells, position)
                if number < 0:
                    return
        except IndexError as error:
            raise rules.nothing_there(error) from None
        raise faults.too_many_steps(rules.at(number), WINDOW)

    # ---- choices

    def domain(self, state: State) -> LinkedChoice:
        if not isinstance(state, Position):
            return super().domain(state)
        return self._domain(state.rules.asks[state.cells[WAITS]].choice)

    def _domain(self, choice: int) -> LinkedChoice:
        if choice not in self.choices:
            self.choices[choice] = LinkedChoice(self.positions, self.program.choices[choice])
        return self.choices[choice]

    def answers(self, state: State, player: int) -> list[Answer]:
        """The legal answers of a choice of plain things, equal components apart."""
        listed = self.listed(state, player)
        return list(self.domain(state).values(state, self.locals_for(state, player))) if listed is None else listed

    def listed(self, state: State, player: int) -> list[Answer] | None:
        if type(state) is not Position:
            return None
        cells = state.cells
        listed = cells[OFFERS]
        if listed is not None:
            return listed  # type: ignore[no-any-return]
        cells[FUEL] = STEPS_PER_DECISION
        found = state.rules.lists.get(cells[WAITS])
        if found is None:
            return None
        if cells[WHO] < 0:
            return found(cells, player)
        cells[OFFERS] = listed = found(cells)
        return listed

    def waiting(self, state: State) -> int:
        if not isinstance(state, Position):
            return super().waiting(state)
        number = state.cells[WAITS]
        return -1 if number == OVER else state.rules.asks[number].choice

    def surely_legal(self, state: State, player: int, answer: Any) -> bool:
        if type(answer) is not tuple or not isinstance(state, Position):
            return False
        cells = state.cells
        if cells[WHO] != player:
            return False
        offers = cells[OFFERS]
        if offers is None:
            found = state.rules.lists.get(cells[WAITS])
            if found is None:
                return False
            offers = cells[OFFERS] = found(cells)
        return answer in offers and not any(type(value) is bool for value in answer)

    def sample(self, state: Any, player: int, rng: Any) -> Answer:
        try:
            cells, bits = state.cells, rng.bits
        except AttributeError:  # a state of the reference machine, or Python's own generator
            return super().sample(state, player, rng)
        who = cells[WHO]
        if who == player:
            offers: list[Answer] | None = cells[OFFERS]
            if offers:  # ready-made: what `draw` would do, without calling it
                many = len(offers)
                place: int = bits(24) * many >> 24 if 1 < many <= FEW else rng.below(many)
                return offers[place]
        elif who != SEVERAL:
            return super().sample(state, player, rng)
        draw = state.rules.draws[cells[WAITS]]
        answer = None if draw is None else draw(cells, player, bits)
        return super().sample(state, player, rng) if answer is None else answer

    def next_decider(self, state: State) -> int:
        if type(state) is Position:
            who: int = state.cells[WHO]
            return who if who >= 0 else _awaited(state.cells)
        return super().next_decider(state)

    def locals_for(self, state: State, player: int) -> list[Any]:
        if type(state) is Position:
            return self._locals(state, state.cells[WAITS], player)
        return super().locals_for(state, player)

    def advance(self, state: Any, player: int, answer: Answer) -> int:
        try:
            cells = state.cells
        except AttributeError:  # a state of the reference machine
            return super().advance(state, player, answer)
        if state.log is None and state.recorded is None:
            cells[DECISIONS] = decisions = cells[DECISIONS] + 1
            if decisions > self.decisions:
                raise self._endless(cells[WAITS])
            try:
                who: int = state.rules.takes[cells[WAITS]](cells, player, answer)
                if who >= 0:
                    return who
                if who <= GOING_ON:
                    self._go_on(state.rules, cells, GOING_ON - who)
            except IndexError as error:
                raise state.rules.nothing_there(error) from None
        else:
            self._advance_told(state, player, answer)
        return self.next_decider(state)

    def _endless(self, number: int) -> faults.Fault:
        assert self.rules is not None
        return faults.endless_game(self.program.choices[self.rules.asks[number].choice].at, self.decisions)

    def _go_on(self, rules: Loaded, cells: list[Any], number: int) -> None:
        steps = rules.steps
        for _ in EVERY_STEP:
            number = steps[number](cells, None)
            if number < 0:
                return
        raise faults.too_many_steps(rules.at(number), WINDOW)

    def _advance_told(self, state: Position, player: int, answer: Answer) -> None:
        """The same with a log, or after a record."""
        cells, rules = state.cells, state.rules
        ask = rules.asks[cells[WAITS]]
        plan = self.program.choices[ask.choice]
        if state.log is not None:
            forced = self._only_answer(state, player)
            at, lay_in = plan.branches[answer[0]].at, zones_of_picked(plan, answer, state.where)
            state.log.append(Answered(ask.choice, player, answer, ask.sealed, forced, at, lay_in))
        cells[DECISIONS] += 1
        if cells[DECISIONS] > self.decisions:
            raise self._endless(cells[WAITS])
        if ask.sealed:
            deciders, given = cells[DECIDERS], cells[ANSWERS][:]
            given[deciders.index(player)] = answer
            cells[ANSWERS] = given
            if None in given:
                return
            by = dict(zip(deciders, given, strict=True))
            cells[ask.answers] = [by.get(one, (NO_ANSWER,)) for one in cells[ask.deciders]]
            target = ask.targets[0]
        else:
            number = answer[0]
            target = ask.targets[number]
            for cell, value in zip(ask.slots[number], answer[1:], strict=True):
                if type(value) is int:
                    cells[cell] = value
                else:
                    cells[cell] = [v if type(v) is int else list(v) for v in value]
        cells[OFFERS] = None
        cells[WAITS] = OVER
        cells[FUEL] = STEPS_PER_DECISION
        self._go(state, target)

    def play_out(self, state: State, rng: Any) -> int:
        if not isinstance(state, Position):
            return super().play_out(state, rng)
        if state.cells[WAITS] == OVER:
            return 0
        cells, rules = state.cells, state.rules
        begun = cells[WHO] < 0 and any(answer is not None for answer in cells[ANSWERS])
        if begun or state.recorded is not None or not isinstance(rng, Source) or rules.playing[cells[WAITS]] is None:
            return self._play_steps(state, rng)
        collects = gc.isenabled()
        gc.disable()  # a game holds nothing that goes around in circles
        try:
            return self._play_on(cells, rules, cells[WAITS], rng.bits)
        finally:
            if collects:
                gc.enable()

    def _play_on(self, cells: list[Any], rules: Loaded, number: int, bits: Callable[[int], int]) -> int:
        """Random play from a function of the rules to the end."""
        playing = rules.playing
        cells[rules.layout.game_end :] = [0] * (rules.size - rules.layout.game_end)  # whole games remember other things
        for cell in rules.owned:
            cells[cell] = cells[cell][:]
        for cell in rules.given:
            if cells[cell]:  # perhaps of a loop through them that goes on
                cells[cell] = [as_drawn(answer) for answer in cells[cell]]
        before = cells[DECISIONS] - cells[FORCED]
        cells[OFFERS] = None
        try:
            while number >= 0:
                decided = cells[DECISIONS]
                for _ in range(WINDOW):
                    number = playing[number](cells, bits)  # type: ignore[misc]  # those that others go on with are there
                    if number < 0:
                        break
                else:
                    if cells[DECISIONS] == decided:
                        raise faults.too_many_steps(rules.at(number), WINDOW)
        except IndexError as error:
            raise rules.nothing_there(error) from None
        cells[WAITS] = OVER
        return int(cells[DECISIONS] - cells[FORCED] - before)

    def _play_steps(self, state: Position, rng: Any) -> int:
        """The same, one answer at a time."""
        decisions = 0
        while state.cells[WAITS] != OVER:
            player = self.next_decider(state)
            domain = self.domain(state)
            answer = self.sample(state, player, rng)
            if domain.flat:
                decisions += len(self.answers(state, player)) > 1
            else:
                local = self.locals_for(state, player)
                plain = len(domain.branches) == 1
                decisions += any(k.varies(state, local) for k in domain.branches[0].picks) if plain else domain.was_open
            self.advance(state, player, answer)
        return decisions

    # ---- what compiled rules leave to domains/

    def _locals(self, position: Position, number: int, player: int) -> list[Any]:
        ask = position.rules.asks[number]
        local = position.rules.layout.frame(position.cells, ask.procedure)
        slot = self.program.choices[ask.choice].who_slot
        if slot >= 0:
            local[slot] = player
        return local

    def _possible(self, cells: list[Any], number: int, player: int) -> bool:
        assert self.rules is not None
        position = Position(self.rules, cells).still()
        domain = self._domain(self.rules.asks[number].choice)
        return domain.possible(position, self._locals(position, number, player))

    def _sampled(self, cells: list[Any], number: int, player: int, bits: Callable[[int], int]) -> Answer:
        assert self.rules is not None
        position = Position(self.rules, cells).still()
        ask = self.rules.asks[number]
        domain = self._domain(ask.choice)
        cells[FUEL] = STEPS_PER_DECISION
        answer = domain.sample(position, self._locals(position, number, player), Source.of(bits))
        if answer is None:
            raise faults.no_answer(self.program.choices[ask.choice].at, f"player {player + 1}")
        cells[FORCED] += not domain.was_open
        return answer

    # ---- the rest of the surface

    def still(self, state: State) -> State:
        if not isinstance(state, Position):
            return state
        position = Position(state.rules, state.cells).still()
        position.placed = state.placed
        return position

    def depth(self, state: State) -> int:
        if not isinstance(state, Position):
            return super().depth(state)
        waits = state.cells[WAITS]
        return 0 if waits == OVER else state.rules.depth(state.cells, waits)

    def take_back(self, state: State) -> bool:
        if not isinstance(state, Position):
            return super().take_back(state)
        cells = state.cells
        if not cells[TENTATIVE] or cells[WAITS] == OVER:
            return False
        kept = cells[TENTATIVE][-1]
        rolled_back(cells)
        cells[DECISIONS] = kept[5][DECISIONS]
        cells[OFFERS], cells[WAITS], cells[FUEL] = None, OVER, STEPS_PER_DECISION
        self._go(state, kept[1])
        return True

    def scores(self, state: State) -> list[int]:
        if not isinstance(state, Position):
            return super().scores(state)
        score = state.rules.space["SCORE"]
        state.fuel = STEPS_PER_DECISION
        try:
            return [int(score(state.cells, player)) for player in range(state.rules.space["PLAYERS"])]
        except IndexError:
            return super().scores(state)  # words the fault

    def winners(self, state: State, scores: list[int]) -> list[int]:
        if not isinstance(state, Position):
            return super().winners(state, scores)
        left = list(range(len(scores)))
        state.fuel = STEPS_PER_DECISION
        for most, function in state.rules.space["RANKING"]:
            values = [function(state.cells, q, scores[q]) for q in left]
            best = max(values) if most else min(values)
            left = [q for q, value in zip(left, values, strict=True) if value == best]
        return left

    def call(self, state: State, function: int, args: list[Any]) -> Any:
        if not isinstance(state, Position):
            return super().call(state, function, args)
        state.fuel = max(state.fuel, STEPS_PER_DECISION)
        asked = state.rules.asked.get(function)
        if asked is not None:
            try:
                return asked(state.cells, *args)
            except IndexError:
                pass  # worded below
        plan = self.program.functions[function]
        try:
            return self.positions.functions[function](state, args + [0] * (plan.locals - len(args)))
        except IndexError:
            raise faults.nothing_there(plan.at) from None


def _awaited(cells: list[Any]) -> int:
    """The first of those who are asked in secret that is not in; -1 if nobody is asked."""
    return cells[DECIDERS][cells[ANSWERS].index(None)] if cells[WHO] == SEVERAL else -1


def machine_of(program: p.Program, engine: str) -> Machine:
    return CompiledMachine(program) if engine == COMPILED else Machine(program)


__all__ = ["COMPILED", "ENGINES", "REFERENCE", "CompiledMachine", "Refusal", "machine_of"]
