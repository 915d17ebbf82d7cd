"""Runs the examples that stand in a ruleset.

In: a way to get a machine for a number of players and options. Out: one `Outcome` for each example. What `given` leaves
open (how many play, what chance does) is tried several ways: an example is a property. Components that `given` wants
are taken from where they start, or from any place the example does not speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import frozen

from cambist.dsl import program as p
from cambist.interpreter.answers import read_answer
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.choices import Refusal
from cambist.interpreter.describe import Words
from cambist.interpreter.events import Event
from cambist.interpreter.faults import Fault
from cambist.interpreter.laws import Following, Laws
from cambist.interpreter.ledger import transfer
from cambist.interpreter.machine import Machine
from cambist.interpreter.shown import tables
from cambist.interpreter.state import State
from cambist.interpreter.values import in_units
from cambist.interpreter.views import view
from cambist.interpreter.zones import move

MachineFor = Callable[[int, Mapping[str, int]], Machine]
SEEDS = 3
HOLDS = ("holds", "holds in order")
TWINS = 20


@frozen
class Outcome:
    title: str
    passed: bool
    reason: str = ""
    at: p.At = p.At()


class Broken(Exception):
    """The example does not hold; `at` is the fact or answer that shows it."""

    def __init__(self, reason: str, at: p.At) -> None:
        super().__init__(reason)
        self.at = at


def run_examples(machine_for: MachineFor, players: range, only: str | None = None) -> list[Outcome]:
    """All examples of a ruleset, or those whose title contains `only`."""
    first = machine_for(players[0], {})
    return [
        run_example(machine_for, index, example)
        for index, example in enumerate(first.program.examples)
        if only is None or only in example.title
    ]


def run_example(machine_for: MachineFor, index: int, example: p.Example, quick: bool = False) -> Outcome:
    """`quick`: once only, with the fewest players it allows."""
    if not example.players:
        return Outcome(example.title, False, "no number of players fits the names it gives", example.at)
    for count in _spread(example.players)[: 1 if quick else None]:
        for seed in range(1 if quick else SEEDS):
            machine = machine_for(count, dict(example.options))
            reason, at = "", example.at
            try:
                _Run(machine, machine.program.examples[index], seed).run()
                continue
            except Broken as broken:
                reason, at = str(broken), broken.at
            except Fault as fault:
                reason, at = f"{fault.diagnostic.code} {fault.diagnostic.message}", fault.at
            return Outcome(example.title, False, f"{reason} (with {count} players, seed {seed})", at)
    return Outcome(example.title, True, at=example.at)


def _spread(counts: tuple[int, ...]) -> list[int]:
    """The smallest, one between and the largest number of players."""
    return sorted({counts[0], counts[len(counts) // 2], counts[-1]})


class _Run:
    def __init__(self, machine: Machine, example: p.Example, seed: int) -> None:
        self.machine = machine
        self.program = machine.program
        self.example = example
        others = [f"player {i + 1}" for i in range(len(example.names), self.program.players)]
        self.words = Words(self.program, [*example.names, *others])
        self.rng = Source(seed)
        self.local: list[Any] = list(range(len(example.names)))
        self.local += [0] * (example.locals - len(self.local))
        self.state = self._set_up(seed)
        self.following = Following(Laws(machine, whole=False))
        self.laid: set[int] = set()  # components that `given` has laid somewhere
        self.before: tuple[State, int] | None = None  # the state before the last answer, and who gave it

    def _set_up(self, seed: int) -> State:
        machine = self.machine
        log: list[Event] | None = None
        state = machine.blank(seed_of(seed, 11), log)
        if self.program.setup >= 0:
            state.frames.append(machine.linker.frame(self.program.setup, []))
            machine.run(state)
            while state.pending is not None:
                player = machine.next_decider(state)
                machine.advance(state, player, machine.sample(state, player, self.rng))
        state.ended = ""
        return state

    def run(self) -> None:
        self._given()
        example, machine, state = self.example, self.machine, self.state
        laws = [law for law in self.program.properties if law.word == "invariant" and law.plain]
        held = [law for law in laws if machine.holds(state, law.function)]  # a given state may be impossible in a game
        state.watch = self.following
        if example.procedure >= 0:
            args = [machine.linker.expr(a)(state, self.local[:]) for a in example.args]
            state.frames = [machine.linker.frame(example.procedure, args)]
            state.fuel = 100_000
            machine.run(state)
        self.following.moment(state)
        for step in example.steps:
            if isinstance(step, p.Act):
                self._act(step)
            else:
                self._fact(step)
        if state.wished:
            raise Broken("what chance was to give could not be drawn, or nothing was drawn any more", example.at)
        for law in held:
            if not machine.holds(state, law.function):
                raise Broken(f"the invariant `{law.name}` held before and does not hold after it", law.at)

    def value(self, expr: p.Expr | None) -> Any:
        assert expr is not None
        self.state.fuel = 100_000
        return self.machine.linker.expr(expr)(self.state, self.local[:])

    # ---- given

    def _given(self) -> None:
        spoken = {self.value(fact.expr) for fact in self.example.given if fact.word in HOLDS}
        rules, state = self.machine.linker.zone_rules, self.state
        for zone in spoken:
            for component in state.zones[zone][:]:
                move(state, rules, [component], self.program.components[component].home, "end", p.At())
        for fact in self.example.given:
            if fact.word in HOLDS:
                zone = self.value(fact.expr)
                for count, kind, tests in fact.things:
                    for _ in range(count):
                        found = self._find(kind, tests, spoken, fact)
                        self.laid.add(found)
                        move(state, rules, [found], zone, "end", p.At())
        for fact in self.example.given:
            if fact.word in HOLDS:
                more = [c for c in state.zones[self.value(fact.expr)] if c not in self.laid]
                if more:  # this zone is their deck
                    left = f"{len(more)} more lie there: what no zone holds is in its deck. Say where they are instead"
                    raise Broken(f"given `{fact.text}`, but {left}", fact.at)
                self._holds(fact)
        for fact in self.example.given:
            self._give(fact)

    def _find(self, kind: int, tests: tuple[tuple[int, int], ...], spoken: set[int], fact: p.Fact) -> int:
        program, state = self.program, self.state
        fits = [
            c
            for c, one in enumerate(program.components)
            if one.kind == kind and c not in self.laid and all(program.attrs[attr][c] == value for attr, value in tests)
        ]
        for component in fits:
            if state.where[component] == program.components[component].home and state.where[component] not in spoken:
                return component
        for component in fits:
            if state.where[component] not in spoken:
                return component
        for component in fits:
            if state.where[component] == program.components[component].home:
                return component
        raise Broken(f"there are not enough cards for `{fact.text}`", fact.at)

    def _give(self, fact: p.Fact) -> None:
        state = self.state
        match fact.word:
            case "account":
                index, wanted = self.value(fact.expr), self.value(fact.value)
                self._fund(index, wanted - state.accounts[index], fact)
            case "set":
                wanted = self.value(fact.value)
                state.vars[self.value(fact.expr)] = wanted[:] if isinstance(wanted, list) else int(wanted)
            case "space":
                spaces, wanted = self.program.tables[fact.seat], self.value(fact.value)
                if wanted not in spaces:
                    raise Broken(f"`{fact.text}`: the track has no such space", fact.at)
                state.vars[self.value(fact.expr)] = spaces.index(wanted)
            case "chance":
                state.wished += self.value(fact.expr)
            case "claim":
                if not self.value(fact.expr):
                    ways = "`x = …`, `option x = …` or `zone holds …`"
                    raise Broken(
                        f"given `{fact.text}`, but it is not so after the set-up; what makes it so is {ways}", fact.at
                    )
            case _:
                pass

    def _fund(self, index: int, change: int, fact: p.Fact) -> None:
        """Through the ledger's door, from or to an account of the same unit that is unlimited."""
        rules = self.machine.linker.account_rules
        for family in self.program.accounts:
            if family.unlimited:
                for bank in range(family.base, family.base + family.count):
                    if rules.unit[bank] == rules.unit[index]:
                        pair = (bank, index) if change > 0 else (index, bank)
                        transfer(self.state, rules, abs(change), *pair, fact.at)
                        return
        self.state.accounts[index] += change

    # ---- when, refused

    def _act(self, act: p.Act) -> None:
        machine, state = self.machine, self.state
        who = self.words.player(act.seat)
        if state.pending is None:
            raise Broken(f"nobody is asked when {who} should choose {act.answer}{self._not_begun()}", act.at)
        if act.seat not in state.pending.deciders:
            asked = self.words.player(machine.next_decider(state))
            raise Broken(f"{asked} is asked, not {who}", act.at)
        answer = read_answer(machine, state, act.seat, act.answer, self.words, exact=False)
        refusal = answer if isinstance(answer, Refusal) else machine.refusal(state, act.seat, answer)
        if act.refused:
            self._check_refused(act, refusal)
            return
        if refusal is not None and act.if_legal:
            return
        if refusal is not None:
            raise Broken(f"`{act.answer}` is refused: {refusal}", act.at)
        assert not isinstance(answer, Refusal)
        self.before = (state.clone(), act.seat)
        machine.advance(state, act.seat, answer)
        self.following.moment(state)

    def _not_begun(self) -> str:
        """Why nobody is asked anything, if no phase is given."""
        return (
            ""
            if self.example.procedure >= 0
            else ": nothing runs, say what with `given phase is …`, or `phase is play`"
        )

    def _check_refused(self, act: p.Act, refusal: Refusal | None) -> None:
        if refusal is None:
            raise Broken(f"`{act.answer}` should be refused, but is legal", act.at)
        if act.because and refusal.rule != act.because:
            raise Broken(
                f"`{act.answer}` is refused by `{refusal.rule}` ({refusal.reason}), not by `{act.because}`", act.at
            )
        if not act.because and refusal.rule == "unclear" and "not offered" not in refusal.reason:
            raise Broken(f"`{act.answer}` is not understood: {refusal.reason}", act.at)

    # ---- then

    def _fact(self, fact: p.Fact) -> None:
        match fact.word:
            case "holds" | "holds in order":
                self._holds(fact)
            case "asked":
                pending = self.state.pending
                seat = self.value(fact.expr)
                if pending is None or seat not in pending.deciders:
                    now = "nobody" if pending is None else self.words.player(pending.deciders[0])
                    raise Broken(f"{now} is asked, not {self.words.player(seat)}{self._not_begun()}", fact.at)
            case "over":
                if self.state.pending is not None:
                    raise Broken("the game is not over", fact.at)
            case "winner" | "no winner":
                self._wins(fact)
            case "learns":
                self._learns_nothing(fact)
            case "chance":
                self._give(fact)
            case _:
                self._claim(fact)

    def _wins(self, fact: p.Fact) -> None:
        machine, state = self.machine, self.state
        if state.pending is not None:
            raise Broken("the game is not over, so nobody has won", fact.at)
        winners = machine.winners(state, machine.scores(state))
        if (self.value(fact.expr) in winners) != (fact.word == "winner"):
            names = ", ".join(self.words.player(seat) for seat in winners)
            raise Broken(f"`{fact.text}` does not hold: the winner is {names}", fact.at)

    def _claim(self, fact: p.Fact) -> None:
        if self.value(fact.expr):
            return
        found = ""
        if isinstance(fact.expr, p.EOp):
            left, right = (self._shown(side, fact.scale) for side in (fact.expr.left, fact.expr.right))
            found = f": it is {left} against {right}"
        raise Broken(f"`{fact.text}` does not hold{found}", fact.at)

    def _shown(self, side: p.Expr, scale: int) -> str:
        value = self.value(side)
        return in_units(value, scale) if type(value) is int else str(value)

    def _holds(self, fact: p.Fact) -> None:
        """Exactly these, no more and no fewer."""
        program = self.program
        left = list(self.state.zones[self.value(fact.expr)])
        in_order = fact.word == "holds in order"
        for count, kind, tests in fact.things:
            for _ in range(count):
                for component in left[:1] if in_order else left:
                    one = program.components[component]
                    if one.kind == kind and all(program.attrs[a][component] == v for a, v in tests):
                        left.remove(component)
                        break
                else:
                    what = "something else comes first" if in_order and left else "something is missing"
                    has = self._counted(self.state.zones[self.value(fact.expr)])
                    raise Broken(f"`{fact.text}` does not hold: {what}, it has {has}", fact.at)
        if left:
            raise Broken(f"`{fact.text}` does not hold: it also has {self._counted(left)}", fact.at)

    def _counted(self, cards: Sequence[int]) -> str:
        """As a claim would say it: `2 chip red 5, chip blue 5`."""
        runs = [(len(list(alike)), card) for card, alike in groupby(map(self.words.card, cards))]
        return ", ".join(f"{count} {card}" if count > 1 else card for count, card in runs) or "nothing"

    def _seen(self, state: State, seat: int) -> list[Any]:
        return [view(self.program, self.words, state, seat), tables(self.machine, self.words, state, seat)]

    def _learns_nothing(self, fact: p.Fact) -> None:
        """Whatever the last answer had been, this player would see the same."""
        if self.before is None:
            raise Broken("nobody has answered yet", fact.at)
        seat = self.value(fact.expr)
        state, player = self.before
        seen = self._seen(self.state, seat)
        for _ in range(TWINS):
            twin = state.clone()
            self.machine.advance(twin, player, self.machine.sample(twin, player, self.rng))
            if self._seen(twin, seat) != seen:
                raise Broken(f"{self.words.player(seat)} can tell what {self.words.player(player)} chose", fact.at)
