"""The machine: runs a program from choice to choice. All of a game is in its `State`; nothing hides in the machine.

`start` sets a game up and runs to the first choice; `advance` takes one answer and runs to the next choice or the end.
A refused answer changes nothing. Frames hold a procedure, a place in its code and locals, so that a state can be saved,
cloned and continued anywhere. No Python generator, closure or recursion holds a part of the game.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.blocks import fuse, place_in_block
from cambist.interpreter.choices import Answer, Refusal, zones_of_picked
from cambist.interpreter.domains import LinkedChoice
from cambist.interpreter.events import Answered, Ended
from cambist.interpreter.faults import Fault
from cambist.interpreter.limits import DECISIONS_PER_GAME, STEPS_FOR_SETUP, STEPS_PER_DECISION
from cambist.interpreter.state import State, Watch, blank
from cambist.interpreter.steps import STEPS, Step, StepLinker
from cambist.interpreter.steps.choosing import NO_ANSWER
from cambist.interpreter.steps.choosing import place as put_in_place
from cambist.interpreter.steps.tentative import restore

PLAYED_OUT = "played to the end"


class Machine:
    tells_later = False  # whether the log of a match is made when somebody asks for it

    def __init__(self, program: p.Program, plain: bool = False) -> None:
        self.program = program
        self.linker = StepLinker(program, plain)
        self.slots = [[[pick.slot for pick in b.picks] for b in choice.branches] for choice in program.choices]
        self.decisions = DECISIONS_PER_GAME
        self.fresh: State | None = None  # the blank state, made once

    @cached_property
    def codes(self) -> list[list[Step]]:
        """By procedure, what each of its instructions does; made when something is run, for another engine may play."""
        return [
            fuse(self.linker, number, procedure, self.linker.link(procedure, STEPS))
            for number, procedure in enumerate(self.program.procedures)
        ]

    # ---- beginnings

    def blank(self, rng: int, log: list[Any] | None = None) -> State:
        """Everything at home, accounts and variables at their start values."""
        if self.fresh is None:
            self.fresh = self._fresh()
        state = self.fresh.clone()
        state.rng, state.log = rng, log
        return state

    def _fresh(self) -> State:
        state = blank(self.program, 0)
        for account in self.program.accounts:
            if account.start is not None:
                value = self.linker.expr(account.start)(state, [0] * 8)
                for index in range(account.base, account.base + account.count):
                    state.accounts[index] = value
        for family in self.program.variables:
            value = 0 if family.start is None else self.linker.expr(family.start)(state, [0] * 8)
            if family.start is None and family.meaning.word == "list":
                value = []
            elif family.start is None and family.meaning.word in ("player", "card", "zone"):
                value = p.NOBODY
            for index in range(family.base, family.base + family.count):
                state.vars[index] = value[:] if type(value) is list else int(value)
            state.vars[family.base : family.base + len(family.starts)] = family.starts
        return state

    def start(
        self,
        rng: int,
        log: list[Any] | None = None,
        recorded: list[list[int]] | None = None,
        watch: Watch | None = None,
    ) -> State:
        state = self.blank(rng, log)
        state.recorded, state.watch = recorded, watch
        state.frames.append(self.linker.frame(self.program.play, []))
        if self.program.setup >= 0:
            state.frames.append(self.linker.frame(self.program.setup, []))
        state.fuel = STEPS_FOR_SETUP
        self.run(state)
        return state

    def adopt(self, state: State) -> State:
        """A state from elsewhere as this machine plays it: as it is."""
        return state

    def plain(self, state: State) -> State:
        """A state whose parts can be set, not only read: another engine may keep them otherwise."""
        return state

    # ---- running

    def run(self, state: State) -> None:
        """Until a choice is pending or no frame is left."""
        frames, codes, watch = state.frames, self.codes, state.watch
        if watch is not None:
            watch.runs(state)
        limit = budget = state.fuel
        last = 0
        try:
            while frames:
                frame = frames[-1]
                code, local, pc = codes[frame[0]], frame[2], frame[1]
                while pc >= 0:
                    budget -= 1
                    if budget < 0:
                        raise faults.too_many_steps(self._at(frame, pc), limit)
                    last = pc
                    pc = code[pc](state, local)
                if watch is not None:
                    watch.switched(state, frame)
                if state.pending is not None:
                    return
            if not state.ended:
                state.ended = PLAYED_OUT
                if state.log is not None:
                    state.log.append(Ended(PLAYED_OUT, p.At()))
        except IndexError as error:
            place = place_in_block(error)
            raise faults.nothing_there(self._at(frame, last if place is None else place)) from None
        except RecursionError:
            raise faults.too_deep(self._at(frame, last), 1000) from None

    def _at(self, frame: list[Any], pc: int) -> p.At:
        procedure = self.program.procedures[int(frame[0])]
        code = procedure.code
        for index in range(min(max(pc, 0), len(code) - 1), -1, -1):
            found: p.At | None = getattr(code[index], "at", None)
            if found is not None:
                return found
        return procedure.at

    # ---- choices

    def domain(self, state: State) -> LinkedChoice:
        assert state.pending is not None
        return self.linker.domain(state.pending.choice)

    def locals_for(self, state: State, player: int) -> list[Any]:
        """A copy of the asking frame's locals, as they are for one decider."""
        assert state.pending is not None
        local = list(state.frames[-1][2])
        slot = self.program.choices[state.pending.choice].who_slot
        if slot >= 0:
            local[slot] = player
        return local

    def waiting(self, state: State) -> int:
        """The choice that is pending; -1: the game is over."""
        return -1 if state.pending is None else state.pending.choice

    def listed(self, state: State, player: int) -> list[Answer] | None:
        """All legal answers, equal components apart, if they are plain things and quickly listed."""
        return None

    def still(self, state: State) -> State:
        """The same to look at, for as long as nothing changes."""
        return state

    def depth(self, state: State) -> int:
        """How many procedures run, one in the other."""
        return len(state.frames)

    def surely_legal(self, state: State, player: int, answer: Any) -> bool:
        """Whether a quick look tells that this is a legal answer, in its plain form."""
        return False

    def next_decider(self, state: State) -> int:
        """Whose answer is awaited: the first in seat order that is not in; -1 when the game is over."""
        pending = state.pending
        if pending is None:
            return -1
        for player, answer in zip(pending.deciders, pending.answers, strict=True):
            if answer is None:
                return player
        raise AssertionError("a pending choice has an open decider")

    def refusal(self, state: State, player: int, answer: Answer) -> Refusal | None:
        pending = state.pending
        assert pending is not None
        if player not in pending.deciders:
            return Refusal("turn", "it is not this player's choice", self.domain(state).plan.at)
        if pending.answers[pending.deciders.index(player)] is not None:
            return Refusal("sealed", "this player's answer is in already", self.domain(state).plan.at)
        state.fuel = STEPS_PER_DECISION
        return self.domain(state).refusal(state, self.locals_for(state, player), answer)

    def sample(self, state: State, player: int, rng: Any) -> Answer:
        state.fuel = STEPS_PER_DECISION
        answer = self.domain(state).sample(state, self.locals_for(state, player), rng)
        if answer is None:
            raise faults.no_answer(self.domain(state).plan.at, f"player {player + 1}")
        return answer

    def advance(self, state: State, player: int, answer: Answer) -> int:
        """Take a legal answer (the caller has asked `refusal`) and run on; whose answer is awaited then, or -1."""
        pending = state.pending
        assert pending is not None
        plan = self.program.choices[pending.choice]
        if state.log is not None:
            sealed, forced = plan.who_slot >= 0, self._only_answer(state, player)
            at, lay_in = plan.branches[answer[0]].at, zones_of_picked(plan, answer, state.where)
            state.log.append(Answered(pending.choice, player, answer, sealed, forced, at, lay_in))
        if state.watch is not None:
            state.watch.answered(player, plan.branches[answer[0]].label)
        state.decisions += 1
        if state.decisions > self.decisions:
            raise faults.endless_game(plan.at, self.decisions)
        if plan.who_slot >= 0:
            pending.answers[pending.deciders.index(player)] = answer
            if None in pending.answers:
                return self.next_decider(state)
            frame = state.frames[-1]
            instruction = self.program.procedures[frame[0]].code[frame[1]]
            assert isinstance(instruction, p.IAskSealed)
            given = dict(zip(pending.deciders, pending.answers, strict=True))
            everybody = frame[2][instruction.deciders_slot]
            frame[2][instruction.answers_slot] = [given.get(player, (NO_ANSWER,)) for player in everybody]
            frame[1] += 1
        else:
            frame = state.frames[-1]
            number = answer[0]
            frame[1] = plan.branches[number].target
            if len(answer) > 1:
                put_in_place(frame[2], self.slots[pending.choice][number], answer)
        state.pending = state.offers = None
        state.fuel = STEPS_PER_DECISION
        self.run(state)
        return self.next_decider(state)

    def play_out(self, state: State, rng: Any) -> int:
        """Random play from any choice to the end; how many answers had at least two to choose from.

        `sample` is written out, since its look-ups cost more than the rest.
        """
        advance, domain_of, choices = self.advance, self.linker.domain, self.program.choices
        decisions = 0
        below = rng.below
        while (pending := state.pending) is not None:
            offers = state.offers
            if offers is not None:  # found while asking whether there are any: all of them, for one player
                decisions += len(offers) > 1
                advance(state, pending.deciders[0], offers[below(len(offers))])
                continue
            choice = pending.choice
            domain, slot = domain_of(choice), choices[choice].who_slot
            for player, given in zip(pending.deciders, list(pending.answers), strict=True):
                if given is not None:
                    continue
                local = state.frames[-1][2][:]
                if slot >= 0:
                    local[slot] = player
                state.fuel = STEPS_PER_DECISION
                answer = domain.sample(state, local, rng)
                if answer is None:
                    answer = self.sample(state, player, rng)  # words the fault
                decisions += domain.was_open
                advance(state, player, answer)
        return decisions

    def _only_answer(self, state: State, player: int) -> bool:
        """Whether nothing else could have been answered: the log says so."""
        state.fuel = STEPS_PER_DECISION
        return self.domain(state).single(state, self.locals_for(state, player))

    def take_back(self, state: State) -> bool:
        """Undo all of the innermost tentative block and ask again; False if there is nothing to take back."""
        if not state.tentative or state.pending is None:
            return False
        kept = state.tentative.pop()
        state.pending = state.offers = None
        restore(state, kept, kept[1])
        if state.watch is not None:
            state.watch.rolled_back(state)
        state.decisions = kept[-1]
        state.fuel = STEPS_PER_DECISION
        self.run(state)
        return True

    # ---- results

    def call(self, state: State, function: int, args: list[Any]) -> Any:
        plan = self.program.functions[function]
        state.fuel = max(state.fuel, STEPS_PER_DECISION)
        try:
            return self.linker.functions[function](state, args + [0] * (plan.locals - len(args)))
        except IndexError:
            raise faults.nothing_there(plan.at) from None

    def scores(self, state: State) -> list[int]:
        return [int(self.call(state, self.program.score, [player])) for player in range(self.program.players)]

    def winners(self, state: State, scores: list[int]) -> list[int]:
        left = list(range(self.program.players))
        for most, function in self.program.ranking:
            values = {q: self.call(state, function, [q, scores[q]]) for q in left}
            best = max(values.values()) if most else min(values.values())
            left = [q for q in left if values[q] == best]
        return left

    def holds(self, state: State, function: int) -> bool:
        return bool(self.call(state, function, []))


__all__ = ["Fault", "Machine"]
