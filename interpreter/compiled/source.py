"""A program -> the text of one Python module, and of what line stands for what place of the rules.

The module has functions for the procedures that run through, one for each leader of the others, and for each choice
those that list its answers, draw one and stop at it. `SEGMENTS` are the functions by the numbers that they return.
fused.py adds those that go from choice to choice: `PLAYING` at random, `TAKES` with an answer, then `STEPS`. Those take
most games from beginning to end: of the functions of leaders the silent module has only those that somebody can come
to, and None in the places of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from cambist.dsl import program as p
from cambist.interpreter.compiled import bests as bests
from cambist.interpreter.compiled import moves as moves
from cambist.interpreter.compiled import remembering as remembering
from cambist.interpreter.compiled import sets as sets
from cambist.interpreter.compiled import transfers as transfers
from cambist.interpreter.compiled.asks import REFUEL, Asking
from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.flow import Function, Promote
from cambist.interpreter.compiled.fused import asks_somebody, at_random, by_answer, single_cells, tidied, together
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.layout import CONTROL
from cambist.interpreter.compiled.listing import flat
from cambist.interpreter.compiled.packing import packed
from cambist.interpreter.compiled.plan import Plan, plain_name, plain_some
from cambist.interpreter.compiled.rewriting.capturing import named_apart
from cambist.interpreter.compiled.rewriting.cases import Memo, by_cases
from cambist.interpreter.compiled.rewriting.comparing import compared_once
from cambist.interpreter.compiled.rewriting.handing import handing_over
from cambist.interpreter.compiled.rewriting.inlining import in_place
from cambist.interpreter.compiled.rewriting.keeping import kept, owned
from cambist.interpreter.compiled.rewriting.looping import added_up, through_once
from cambist.interpreter.compiled.rewriting.lowest import lowest_ones
from cambist.interpreter.compiled.rewriting.owning import changed_in_place
from cambist.interpreter.compiled.rewriting.registers import in_registers
from cambist.interpreter.compiled.rewriting.rereading import Said, read_once
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.writer import Line, Writer
from cambist.interpreter.ledger import AccountRules

OWN_FUNCTION = re.compile(r"\b(?:list|draw|can)_(\d+)\(")  # a call of what a choice has functions for
STEPS = re.compile(r"def (?:take|on|run)_")  # functions that games run through again and again
ANY = re.compile("def ")
GOES_ON = re.compile(r"\breturn (\d+)$")  # a line that goes on with the function of a leader


@frozen
class Source:
    text: str
    lines: tuple[int, ...]  # line of the text -> number of its place
    places: tuple[p.At, ...]
    plan: Plan
    e: Expressions


SILENT, TOLD, BULK = "silent", "told", "bulk"  # the modules of a program: step by step, with a log, whole random games
PLAYS = {SILENT: "", TOLD: ", with its log", BULK: ", whole random games"}


def source_of(program: p.Program, kind: str = SILENT) -> Source:
    demoted: frozenset[int] = frozenset()
    numbers = packed(program)
    while True:
        plan = Plan(program, demoted)
        try:
            return _Module(program, plan, kind, numbers).source()
        except Promote as promote:
            demoted |= {promote.node[0]}  # a procedure that is no plain function after all


class _Bare:
    """The graph of a plain function: it has no leaders."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.leaders: dict[Node, int] = {}

    def leave(self, node: Node) -> str:
        raise AssertionError(node)  # it has none

    def next(self, node: Node) -> list[Node]:
        return self.plan.next(node)


class _Module:
    def __init__(self, program: p.Program, plan: Plan, kind: str, numbers: frozenset[int]) -> None:
        self.program, self.plan, self.kind, self.told = program, plan, kind, kind == TOLD
        self.e = Expressions(program, plan, numbers)
        self.lines: list[Line] = []
        self.playing: dict[int, str] = {}  # functions of whole random games, by number
        self.takes: dict[int, str] = {}  # functions that take an answer
        self.going_on: dict[int, str] = {}  # and those that they go on with, besides the functions of leaders
        self.names: dict[int, str] = {}  # functions of leaders
        self.owned: tuple[int, ...] = ()  # cells whose lists whole random games change where they are

    def source(self) -> Source:
        body: list[Line] = []
        playing: list[list[Line]] = []
        fused: list[Line] = []
        for q in sorted(self.plan.plain):
            body += self._plain(q)
        if self.kind == BULK:
            playing, self.playing = at_random(self.e, self.plan)
            fused = together(playing)
        elif self.kind == SILENT:
            fused, self.takes, self.going_on = by_answer(self.e, self.plan)
        for lines in self._leaders(fused):
            body += lines
        if self.kind == SILENT:
            body = in_place([*body, *fused])
            body = self._read_once(body, STEPS)
        defined = self._functions()
        if self.kind == BULK:
            playing = in_registers(playing, [*defined, *body], single_cells(self.e))
            body += together(tidied(self.e, playing))
            body = self._read_once(body, ANY)
        if not self.e.fuel and not any("possible(" in text for _, text, _ in body):
            body = [line for line in body if not line[1].startswith(REFUEL)]
        if not self.told:
            defined, body = compared_once(defined), compared_once(body)
        if self.kind == BULK:
            body, self.owned = changed_in_place(body, defined, self.e.layout)
        head = [(0, text, -1) for text in self._head()]
        tail = [(0, text, -1) for text in self._tail()]
        lines = [*head, *defined, *body, *tail]
        text = "\n".join("    " * indent + text for indent, text, _ in lines) + "\n"
        return Source(text, (-1, *(place for _, _, place in lines)), tuple(self.e.places), self.plan, self.e)

    def _read_once(self, body: list[Line], which: re.Pattern[str]) -> list[Line]:
        """The functions, with what they read again in variables."""
        heard: dict[str, Said] = {}
        asked: Memo = {}
        found = []
        for lines in _apart(body):
            if which.match(lines[0][1]):
                lines = through_once(added_up(lowest_ones(lines) if self.kind == BULK else lines), self._opposite)
                lines = handing_over(named_apart(read_once(lines, self.e.layout, heard)))
            found.append(by_cases(lines, asked))
        return together(found)

    def _opposite(self, one: str, other: str) -> bool:
        """Whether of two tables of what is printed one says yes where the other says no."""
        tables = {name: values for values, name in self.e.constants.items() if values[:1] == ("row",)}
        pairs = zip(tables.get(one, ())[1:], tables.get(other, ())[1:], strict=False)
        return one in tables and other in tables and all({*pair} == {0, 1} for pair in pairs)

    # ---- functions

    def _plain(self, q: int) -> list[Line]:
        procedure = self.program.procedures[q]
        names = {slot: f"{plain_name(name) or 'it'}_{slot}" for slot, name in enumerate(procedure.local_names)}
        for slot in range(procedure.locals):
            names.setdefault(slot, f"it_{slot}")
        w = Writer(self.e, self.plan, self.told, names)
        w.enter((q, 0, 0))
        params = "".join(f", {names[slot]}" for slot in range(procedure.params))
        w.put(0, f"def run_{q}(S, X{params}):")
        w.put(1, f'"""{plain_name(procedure.name)}"""')
        if q in self.e.paying.running:
            w.put(1, self.e.spent("(0,)", procedure.at, 1))
        own = [slot for slot in self.plan.stored(q) if slot >= procedure.params]
        if own:
            w.put(1, " = ".join([*(names[slot] for slot in own), "0"]))
        Function(_Bare(self.plan), w).begin(self.plan.node(q, 0))
        return [*w.lines, (0, "", -1), (0, "", -1)]

    def _leaders(self, fused: list[Line]) -> list[list[Line]]:
        """The functions of all leaders that are needed. A new leader makes only those be written anew that went through
        it."""
        found: dict[Node, tuple[list[Line], set[Node]]] = {}
        leaders = self.plan.leaders
        while True:
            try:
                for node in self._needed(fused, found):
                    found[node] = self._leader(node, leaders[node])
                    if not asks_somebody(self.plan, node):
                        self.names[leaders[node]] = f"go_{leaders[node]}"
                    elif self.kind != BULK:
                        self.names[leaders[node]] = f"ask_{leaders[node]}"
                return [found[node][0] for node in leaders if node in found]
            except Promote as promote:
                if promote.node[0] in self.plan.plain:
                    raise
                taken = (-1, *leaders.values(), *self.playing, *self.going_on)
                leaders.setdefault(promote.node, max(taken) + 1)
                found = {node: one for node, one in found.items() if promote.node not in one[1]}

    def _needed(self, fused: list[Line], found: dict[Node, tuple[list[Line], set[Node]]]) -> Iterator[Node]:
        """The leaders whose functions are not found yet. Where everything is told, all. Step by step, choices, the
        beginning, what rolling back and taking back go on with; in whole games, choices whose answers are drawn by
        functions of their own, and what rolling back goes on with. And whatever those go on with."""
        leaders, plan = self.plan.leaders, self.plan
        if self.told:
            yield from [node for node in leaders if node not in found]
            return
        nodes = {number: node for node, number in leaders.items() if number not in self.playing}
        todo = [nodes[number] for number in _goes_on_with(fused) if number in nodes]
        if self.kind == SILENT:
            todo += [plan.beginning, *(node for node in leaders if asks_somebody(plan, node))]
        if self.kind == SILENT or plan.rolls_back:
            for q, pc, _ in leaders:
                one = plan.codes[q][pc]
                if isinstance(one, p.ITentative):
                    todo += [plan.node(q, pc), plan.node(q, one.otherwise)]
        if self.kind == BULK:
            drawn = {int(number) for _, text, _ in fused for number in OWN_FUNCTION.findall(text)}
            todo += [node for node, number in leaders.items() if number in drawn]
        seen: set[Node] = set()
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            if node not in found:
                yield node
            todo += [nodes[number] for number in _goes_on_with(found[node][0]) if number in nodes]

    def _leader(self, node: Node, number: int) -> tuple[list[Line], set[Node]]:
        q, pc, part = node
        through: set[Node] = set()
        one = self.plan.codes[q][pc]
        w = Writer(self.e, self.plan, self.told)
        w.enter(node)
        if asks_somebody(self.plan, node):
            asking = Asking(w, node)
            if flat(asking.plan):
                asking.lists()
                w.put(0, "")
            if asking.drawable:
                asking.draw(self.kind == BULK)
                w.put(0, "")
            if self.kind != BULK:
                asking.step()
        else:
            w.put(0, f"def go_{number}(S, X):")
            w.put(1, f'"""{plain_name(self.program.procedures[q].name)}"""')
            function = Function(self.plan, w)
            function.begin(node)
            through = function.done
        layout = self.e.layout
        found: list[Line] = []
        for one_function in _apart(w.lines):
            first = CONTROL if one_function[0][1].startswith("def list_") else layout.locals_begin
            lines = kept(one_function, first, layout.locals_end)
            if first == CONTROL and isinstance(one, p.IAsk) and isinstance(one.who, p.ELocal):
                lines = owned(lines, layout.locals[q][one.who.slot])
            found += [*lines, (0, "", -1), (0, "", -1)]
        return found, through

    def _asked(self) -> list[int]:
        """The definitions that are asked from outside: scores, ranks, what a position is worth to bots."""
        found = [self.program.score, *(function for _, function in self.program.ranking)]
        return found if self.program.estimate < 0 else [*found, self.program.estimate]

    def _functions(self) -> list[Line]:
        """Definitions that are called, and what they call."""
        found: list[Line] = []
        for index in self._asked() if self.kind != BULK else ():
            self.e.needed[index] = None
        done: set[int] = set()
        while len(done) < len(self.e.needed):
            for index in [i for i in self.e.needed if i not in done]:
                done.add(index)
                function = self.program.functions[index]
                place = self.e.place(function.at)
                params = "".join(f", a{slot}" for slot in range(function.params))
                self.e.outside = index in self._asked()
                text = self.e.text(function.value, Scope(lambda slot: f"a{slot}"))
                self.e.outside = False
                found += [(0, f"def F{index}(S{params}):", place), (1, f'"""{plain_name(function.name)}"""', place)]
                if index in self.e.paying.definitions:
                    found.append((1, self.e.spent("(0,)", function.at, 1), place))
                found += [(1, f"return {text}", place), (0, "", -1), (0, "", -1)]
        for lines in self.e.made.values():
            found += [*lines, (0, "", -1), (0, "", -1)]
        return found

    def _given(self) -> tuple[int, ...]:
        """The cells of answers that say which of several things were taken. Drawn for whole games, they say more."""
        return tuple(
            self.e.layout.locals[q][one.answers_slot]
            for q in sorted(self.plan.running - self.plan.plain)
            for one in self.plan.codes[q]
            if isinstance(one, p.IAskSealed) and plain_some(self.program.choices[one.choice]) is not None
        )

    # ---- tables

    def _head(self) -> list[str]:
        program = self.program
        count = program.players
        turns = [[[(q + i) % count for i in range(others, count)] for q in range(count)] for others in (0, 1)]
        title = f"{plain_name(program.game)} for {count} players{PLAYS[self.kind]}"
        accounts = AccountRules(program)
        units = list(dict.fromkeys(accounts.unit))
        lines = [
            f'"""{title}, written by Cambist from its rules."""',
            "",
            f"KIND = {tuple(c.kind for c in program.components)!r}",
            *(f"A{k} = {_plain_data(column)!r}" for k, column in enumerate(program.attrs)),
            *(f"T{k} = {tuple(table)!r}" for k, table in enumerate(program.tables)),
            *(f"PLACE{k} = {{v: i for i, v in enumerate(T{k})}}" for k in range(len(program.tables))),
            f"BIT = {tuple(1 << c for c in range(len(program.components)))!r}",
            "BIT_OF = [*BIT].__getitem__",
            f"EVERY = {(1 << len(program.components)) - 1}",
            f"TURNS0 = {turns[0]!r}",
            f"TURNS1 = {turns[1]!r}",
            f"NEGATIVE = {tuple(accounts.negative)!r}",
            f"UNIT = {tuple(units.index(unit) for unit in accounts.unit)!r}",
            f"ORDER = {tuple(f.order for f in program.zones for _ in range(f.count))!r}",
            f"CAPACITY = {tuple(f.capacity for f in program.zones for _ in range(f.count))!r}",
        ]
        return [*lines, *(line for _, line in constant_lines(self.e)), "", ""]

    def _tail(self) -> list[str]:
        if self.kind == BULK:
            return [
                f"PLAYING = {_by_number(self.names | self.playing, len(self.plan.leaders))}",
                f"SIZE = {self.e.layout.size}",
                f"OWNED = {self.owned!r}",
                f"GIVEN = {self._given()!r}",
            ]
        lists, draws = [], {}
        for node, number in self.plan.leaders.items():
            if asks_somebody(self.plan, node):
                asking = Asking(Writer(self.e, self.plan, self.told), node)
                if asking.drawable:
                    draws[number] = f"draw_{number}"
                if flat(asking.plan):
                    lists.append(f"{number}: list_{number}")
        asked = ", ".join(f"{index}: F{index}" for index in sorted(set(self._asked())))
        ranking = "".join(f"({most}, F{function})," for most, function in self.program.ranking)
        score = [f"PLAYERS = {self.program.players}", f"SCORE = F{self.program.score}", f"RANKING = ({ranking})"]
        score.append(f"ASKED = {{{asked}}}")
        tail = [*score, f"SEGMENTS = {_by_number(self.names)}", f"LISTS = {{{', '.join(lists)}}}"]
        waits = max(self.plan.leaders.values()) + 2  # one more: none for a game that is over, whose number is -1
        tail.append(f"DRAWS = {_by_number(draws, waits)}")
        if self.told:
            return tail
        return [*tail, f"TAKES = {_by_number(self.takes, waits)}", f"STEPS = {_by_number(self.names | self.going_on)}"]


def _by_number(names: dict[int, str], least: int = 0) -> str:
    """The functions in a row, each in the place of its number."""
    size = max(least, max(names, default=-1) + 1)
    return f"({', '.join(names.get(number, 'None') for number in range(size))},)"


def _goes_on_with(lines: Iterable[Line]) -> set[int]:
    """The numbers that functions return."""
    found = (GOES_ON.search(text) for _, text, _ in lines if "return" in text)
    return {int(one[1]) for one in found if one is not None}


def _plain_data(column: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(list(v) if isinstance(v, (list, tuple)) else v for v in column)


def _apart(lines: list[Line]) -> list[list[Line]]:
    """The lines of each function."""
    found: list[list[Line]] = []
    for line in lines:
        if line[1].startswith("def "):
            found.append([])
        if line[1]:
            found[-1].append(line)
    return found


def constant_lines(e: Expressions) -> list[tuple[str, str]]:
    """Lists that are made once, each with its name. Text of the rules only as literals of plain signs."""
    lines = []
    for values, name in e.constants.items():
        match values:
            case ("subsets", *items):
                made = f"subsets({tuple(items)!r})"
            case ("none", *packed_ones):
                made = repr([0 if number else [] for number in packed_ones])
            case ("ready", *items):
                made = f"ready({tuple(items)!r})"
            case ("column", *items):
                made = f"{items!r}.__getitem__"  # a list's is called faster than a tuple's
            case ("sums", *items):
                made = f"Sums({tuple(items)!r})"
            case ("row", *items):
                made = repr(tuple(items))
            case ("masks", *items):
                made = repr(dict(items))
            case ("answers", int(branch), int(many)):
                made = f"[({branch}, c) for c in range({many})]"
            case ("rows", rows, which):
                made = f"[{rows!r}[k] for k in {which!r}]"
            case ("worked", int(function), str(lists)):
                made = f"Worked(lambda a: F{function}(None, a), {lists})"
            case ("memory", *_):
                made = "{}"
            case ("unanswered", int(many), none):
                made = repr([none] * many)
            case ("zeros", int(many)):
                made = repr([0] * many)
            case ("text", str(text)):
                made = ascii(text)
            case _:
                made = repr(list(values))
        lines.append((name, f"{name} = {made}"))
    return lines
