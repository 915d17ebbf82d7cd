"""A program -> its compiled rules in memory: the functions, the choices, and how cells are told as frames.

Three modules are made, each when it is needed: the silent one plays step by step, the one of whole games plays them at
random, the told one writes the log and can follow a record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import repeat
from operator import itemgetter
from types import CodeType
from typing import Any, Protocol

from attrs import Factory, frozen

from cambist.dsl import program as p
from cambist.interpreter import events, faults
from cambist.interpreter.compiled.drawing import DRAWING
from cambist.interpreter.compiled.fused import asks_somebody
from cambist.interpreter.compiled.grouping import by_keys
from cambist.interpreter.compiled.layout import (
    ANSWERS,
    DECIDERS,
    DECISIONS,
    LIMITS,
    MARKS,
    OVER,
    REVEALED,
    SEVERAL,
    TENTATIVE,
    WAITS,
    WHO,
    Layout,
)  # fmt: skip
from cambist.interpreter.compiled.plan import START, Plan
from cambist.interpreter.compiled.runtime import Bits, Sums, Worked, helpers, ready, subsets
from cambist.interpreter.compiled.sets import SETS
from cambist.interpreter.compiled.source import BULK, SILENT, TOLD, Source, source_of
from cambist.interpreter.compiled.subsets import EVENLY, any_of, any_of_row, evened, some_of
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.ledger import AccountRules
from cambist.interpreter.limits import DECISIONS_PER_GAME, STEPS_PER_DECISION
from cambist.interpreter.machine import PLAYED_OUT
from cambist.interpreter.state import State
from cambist.interpreter.values import in_units
from cambist.interpreter.zones import ZoneRules

Run = Callable[[list[Any], Any], int]
NAMES = {SILENT: "<compiled rules>", TOLD: "<compiled rules, told>", BULK: "<compiled rules, whole games>"}


@frozen
class Ask:
    """One place that asks."""

    procedure: int
    pc: int
    choice: int
    sealed: bool
    slots: tuple[tuple[int, ...], ...]  # branch -> the cells of its picks
    targets: tuple[int, ...]  # branch -> where it goes on; of a sealed choice, one for all
    answers: int  # sealed: the cell of the answers
    deciders: int  # sealed: the cell of all who were asked


@frozen
class Parts:
    """All that is needed to play step by step: what is kept on disk."""

    code: CodeType  # the silent module
    layout: Layout
    asks: dict[int, Ask]
    chances: frozenset[int]
    begin: int
    empty: list[Any] = Factory(list)  # the cells before anything happens
    opened: list[Any] = Factory(list)  # and before chance first plays a part
    going_on: int = 0  # where games begin then


class Kept(Protocol):
    """Where the functions of whole random games are kept."""

    def read(self) -> CodeType | None: ...

    def write(self, code: CodeType) -> None: ...


class Loaded:
    """`whole` gives the program when something besides fast play needs it: names, the log, the words of a fault."""

    def __init__(self, parts: Parts, whole: Callable[[], p.Program]) -> None:
        self.parts, self.whole = parts, whole
        self.layout, self.asks, self.chances, self.begin = parts.layout, parts.asks, parts.chances, parts.begin
        self.sampled: Any = None  # given by the machine: answers that domains/ draws
        self.possible: Any = None
        self.by_place = {(ask.procedure, ask.pc): number for number, ask in self.asks.items()}
        self.ready, self.subsets = cache(ready), cache(subsets)  # lists that several modules have are made once
        space = self.space = self._space()
        space["AT"], space["MEANING"] = [], []
        exec(parts.code, space)
        self.segments: tuple[Run, ...] = space["SEGMENTS"]
        self.asked: dict[int, Callable[..., Any]] = space["ASKED"]
        self.takes: tuple[Callable[[list[Any], int, Any], int], ...] = space["TAKES"]
        self.steps: tuple[Run, ...] = space["STEPS"]
        self.lists: dict[int, Callable[..., list[Any]]] = space["LISTS"]
        self.draws: tuple[Callable[..., Any] | None, ...] = space["DRAWS"]
        self.kept: Kept | None = None  # given by who keeps compiled rules
        self.size = 0  # cells that whole random games need
        self.owned: tuple[int, ...] = ()  # those whose lists they change where they are
        self.given: tuple[int, ...] = ()  # those of secret answers that say more there
        self._playing: tuple[Run | None, ...] | None = None
        self._told: tuple[Run, ...] | None = None
        self._sources: dict[str, Source] = {}

    @property
    def program(self) -> p.Program:
        return self.whole()

    def source_of(self, kind: str) -> Source:
        if kind not in self._sources:
            self._sources[kind] = source_of(self.program, kind)
        return self._sources[kind]

    @property
    def source(self) -> Source:
        return self.source_of(SILENT)

    @source.setter
    def source(self, source: Source) -> None:
        self._sources[SILENT] = source

    @property
    def plan(self) -> Plan:
        return self.source.plan

    def _space(self) -> dict[str, Any]:
        def sampled(S: list[Any], number: int, player: int, below: Any) -> Any:
            return self.sampled(S, number, player, below)

        def possible(S: list[Any], number: int, player: int) -> Any:
            return self.possible(S, number, player)

        return {
            **helpers(self.failed),
            "sampled": sampled,
            "possible": possible,
            "any_of": any_of,
            "any_of_row": any_of_row,
            "some_of": some_of,
            **DRAWING,
            **SETS,
            "by_keys": by_keys,
            "itemgetter": itemgetter,
            "repeat": repeat,
            "EVENLY": EVENLY,
            "evened": evened,
            "ready": self.ready,
            "subsets": self.subsets,
            "BITS": Bits(),
            "Sums": Sums,
            "Worked": Worked,
            "TURNS": STEPS_PER_DECISION,
            "PLAYED_OUT": PLAYED_OUT,
        }

    @property
    def playing(self) -> tuple[Run | None, ...]:
        """The functions of whole random games, by number: from the disk, or written now and kept there."""
        if self._playing is None:
            code = None if self.kept is None else self.kept.read()
            if code is None:
                code = compile(self.source_of(BULK).text, NAMES[BULK], "exec")
                if self.kept is not None:
                    self.kept.write(code)
            space = self._space()
            space |= {**helpers(lambda *said: self.failed(*said, kind=BULK)), "subsets": self.subsets}
            exec(code, space)
            self._playing, self.size = space["PLAYING"], space["SIZE"]
            self.owned, self.given = space["OWNED"], space["GIVEN"]
        return self._playing

    @property
    def told(self) -> tuple[Run, ...]:
        """The functions that write the log."""
        if self._told is None:
            source = self.source_of(TOLD)
            space = self._space()
            space |= {name: getattr(events, name) for name in EVENTS}
            space |= {"At": p.At, "outcome": outcome, "AT": source.places, "MEANING": source.e.meanings}
            space |= helpers(lambda *said: self.failed(*said, kind=TOLD))
            exec(compile(source.text, NAMES[TOLD], "exec"), space)
            self._told = space["SEGMENTS"]
        return self._told

    # ---- faults

    def at(self, number: int) -> p.At:
        """The place in the rules where a function begins."""
        play = (self.program.play, 0, 0)
        q, pc, _ = next((node for node, k in self.plan.leaders.items() if k == number), play)
        return self.plan.at(q, pc)

    def failed(self, name: str, place: int, *said: Any, kind: str = SILENT) -> faults.Fault:
        at = self.source_of(kind).places[place]
        match name:
            case "too_many_steps":
                said = (STEPS_PER_DECISION,)
            case "overdrawn" | "negative_transfer":
                rules = AccountRules(self.program)
                account, amount = said
                shown = in_units(amount, rules.scale[account])
                said = (shown,) if name == "negative_transfer" else (rules.names[account], shown)
            case "zone_full":
                zones = ZoneRules(self.program)
                said = (f"`{zones.names[said[0]]}`", zones.capacity[said[0]])
            case "no_answer":
                said = (f"player {said[0] + 1}",)
            case "endless_game":
                said = (DECISIONS_PER_GAME,)
            case _:
                pass
        fault: faults.Fault = getattr(faults, name)(at, *said)
        return fault

    def nothing_there(self, error: IndexError) -> faults.Fault:
        """Nobody was used like somebody: the line of the module tells the place in the rules."""
        at, trace = p.At(), error.__traceback__
        while trace is not None:
            name = trace.tb_frame.f_code.co_filename
            source = next((self.source_of(kind) for kind, shown in NAMES.items() if shown == name), None)
            if source is not None and trace.tb_lineno < len(source.lines):
                place = source.lines[trace.tb_lineno]
                at = source.places[place] if place >= 0 else at
            trace = trace.tb_next
        return faults.nothing_there(at)

    # ---- cells as frames, frames as cells

    def frames(self, cells: list[Any], waits: int) -> list[list[Any]]:
        ask = self.asks[waits]
        return self._chain(cells, ask.procedure, ask.pc)

    def depth(self, cells: list[Any], waits: int) -> int:
        """How many procedures run, one in the other."""
        found, q = 1, self.asks[waits].procedure
        while True:
            calls = self.plan.calls[q]
            if not calls:
                return found
            call = calls[0] if len(calls) == 1 else calls[cells[self.layout.returns[q]]]
            found += 1
            if call.pc == START:
                return found
            q = call.caller

    def _chain(self, cells: list[Any], q: int, pc: int) -> list[list[Any]]:
        """The frames up to one procedure that stands at a place."""
        found: list[list[Any]] = []
        while True:
            calls = self.plan.calls[q]
            call = None
            if calls:
                call = calls[0] if len(calls) == 1 else calls[cells[self.layout.returns[q]]]
            results = () if call is None else call.results
            found.append([q, pc, self.layout.frame(cells, q), results])
            if call is None:
                return found[::-1]
            if call.pc == START:
                play = self.program.play
                found.append([play, 0, [0] * self.program.procedures[play].locals, ()])
                return found[::-1]
            q, pc = call.caller, call.following

    def remembered(self, kept: tuple[Any, ...]) -> list[Any]:
        """What a tentative block rolls back to, as steps/tentative.py keeps it."""
        q, _, _, pc, otherwise, cells = kept
        layout = self.layout
        chain = self._chain(cells, q, pc)
        return [
            len(chain),
            pc,
            otherwise,
            list(chain[-1][2]),
            layout.lying(cells),
            layout.where(cells),
            layout.held(cells),
            [v[:] if type(v) is list else v for v in cells[layout.vars : layout.locals_begin]],
            sorted(cells[REVEALED]),
            sorted(cells[MARKS].items()),
            sorted(cells[LIMITS].items()),
            cells[DECISIONS],
        ]

    def freeze(self, state: State) -> list[Any] | None:
        """The cells of a state that waits at a choice; None if its frames are not such as a game comes to."""
        pending = state.pending
        if pending is None or not state.frames:
            return None
        waits = self.by_place.get((state.frames[-1][0], state.frames[-1][1]))
        cells = self.layout.fill(state)
        if waits is None or not self._lay_frames(cells, state.frames):
            return None
        for kept in state.tentative:
            depth, pc, otherwise, local, zones, _, accounts, values, revealed, marks, limits, decisions = kept
            q = state.frames[depth - 1][0]
            before = cells[:]
            before[TENTATIVE] = cells[TENTATIVE]
            self.layout.lay(before, zones, accounts, values)
            before[REVEALED], before[MARKS], before[LIMITS] = frozenset(revealed), dict(marks), dict(limits)
            before[DECISIONS] = decisions
            self.layout.lay_frame(before, q, local)
            leaders, node = self.plan.leaders, self.plan.node
            here, instead = leaders[(q, pc, 0)], leaders[node(q, otherwise)]
            cells[TENTATIVE] = (*cells[TENTATIVE], (q, here, instead, pc, otherwise, before))
        cells[WAITS] = waits
        if self.asks[waits].sealed:
            cells[WHO], cells[DECIDERS], cells[ANSWERS] = SEVERAL, list(pending.deciders), list(pending.answers)
        else:
            cells[WHO] = pending.deciders[0]
        return cells

    def _lay_frames(self, cells: list[Any], frames: list[list[Any]]) -> bool:
        """The locals of all frames, and which call each goes back to; False if no game has such frames."""
        q = frames[0][0]
        if q != self.program.play:
            return False
        for number, (procedure, _, local, results) in enumerate(frames):
            if procedure not in self.layout.locals:
                return False
            self.layout.lay_frame(cells, procedure, local)
            if not number:
                continue
            caller, following = frames[number - 1][0], frames[number - 1][1]
            for place, call in enumerate(self.plan.calls.get(procedure, ())):
                if (call.caller, call.following, call.results) == (caller, following, tuple(results)):
                    if procedure in self.layout.returns:
                        cells[self.layout.returns[procedure]] = place
                    break
            else:
                return False
        return True


def compiled(program: p.Program) -> tuple[Parts, Source]:
    """A program compiled; the cells are not filled yet."""
    source = source_of(program)
    plan = source.plan
    asking = {number: _ask(program, source, node) for node, number in plan.leaders.items() if asks_somebody(plan, node)}
    chances = (p.IShuffle, p.IRandom)
    leaders = plan.leaders.items()
    by_chance = frozenset(k for (q, pc, part), k in leaders if isinstance(plan.codes[q][pc], chances) and not part)
    begin = plan.leaders[plan.beginning]
    return Parts(compile(source.text, NAMES[SILENT], "exec"), source.e.layout, asking, by_chance, begin), source


def _ask(program: p.Program, source: Source, node: Node) -> Ask:
    q, pc, _ = node
    one: Any = source.plan.codes[q][pc]
    leaders, place = source.plan.leaders, source.plan.node
    plan, cells = program.choices[one.choice], source.e.layout.locals[q]
    if isinstance(one, p.IAskSealed):
        target = leaders[place(q, pc + 1)]
        return Ask(q, pc, one.choice, True, (), (target,), cells[one.answers_slot], cells[one.deciders_slot])
    slots = tuple(tuple(cells[pick.slot] for pick in branch.picks) for branch in plan.branches)
    targets = tuple(leaders[place(q, branch.target)] for branch in plan.branches)
    return Ask(q, pc, one.choice, False, slots, targets, -1, -1)


EVENTS = (
    "Moved",
    "Transferred",
    "Changed",
    "Shuffled",
    "Drawn",
    "Revealed",
    "Entered",
    "Marked",
    "RolledBack",
    "Ended",
)


def outcome(position: Any, size: int, count: int) -> list[int]:
    """What chance gives: from a record, if there is one."""
    from cambist.interpreter.steps.chance import permutation

    return permutation(position, size, count)


__all__ = ["OVER", "Ask", "Loaded"]
