"""A program -> the text of one Python module, and of what line stands for what place of the rules.

The module has functions for the procedures that run through, one for each leader of the others, and for each choice
three: list its answers, stop at it, answer it at random. `SEGMENTS` are the functions by the numbers that they return.
"""

from __future__ import annotations

from attrs import frozen

from cambist.dsl import program as p
from cambist.interpreter.compiled import moves as moves
from cambist.interpreter.compiled.asks import REFUEL, Asking, flat
from cambist.interpreter.compiled.expressions import Expressions
from cambist.interpreter.compiled.flow import Function, Node
from cambist.interpreter.compiled.keeping import kept, owned
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.layout import CONTROL
from cambist.interpreter.compiled.leading import Bare, asks, planned
from cambist.interpreter.compiled.plan import Plan, plain_name
from cambist.interpreter.compiled.statements import Line, Writer
from cambist.interpreter.ledger import AccountRules


@frozen
class Source:
    text: str
    lines: tuple[int, ...]  # line of the text -> number of its place
    places: tuple[p.At, ...]
    plan: Plan
    e: Expressions


def source_of(program: p.Program, told: bool) -> Source:
    return _Module(program, planned(program), told).source()


class _Module:
    def __init__(self, program: p.Program, plan: Plan, told: bool) -> None:
        self.program, self.plan, self.told = program, plan, told
        self.e = Expressions(program, plan)
        self.lines: list[Line] = []

    def source(self) -> Source:
        body: list[Line] = []
        for q in sorted(self.plan.plain):
            body += self._plain(q)
        for node, number in self.plan.leaders.items():
            body += self._leader(node, number)
        if not self.e.fuel:
            body = [line for line in body if line[1] != REFUEL]
        functions = self._functions()
        head = [(0, text, -1) for text in self._head()]
        tail = [(0, text, -1) for text in self._tail()]
        lines = [*head, *functions, *body, *tail]
        text = "\n".join("    " * indent + text for indent, text, _ in lines) + "\n"
        return Source(text, (-1, *(place for _, _, place in lines)), tuple(self.e.places), self.plan, self.e)

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
        own = [slot for slot in self.plan.stored(q) if slot >= procedure.params]
        if own:
            w.put(1, " = ".join([*(names[slot] for slot in own), "0"]))
        Function(Bare(self.plan), w).begin(self.plan.node(q, 0))
        return [*w.lines, (0, "", -1), (0, "", -1)]

    def _leader(self, node: Node, number: int) -> list[Line]:
        q, pc, part = node
        one = self.plan.codes[q][pc]
        w = Writer(self.e, self.plan, self.told)
        w.enter(node)
        if asks(self.plan, node):
            asking = Asking(w, node)
            if flat(asking.plan):
                asking.lists()
                w.put(0, "")
            if asking.some is not None:
                asking.draw()
                w.put(0, "")
            asking.step()
            if not self.told:
                w.put(0, "")
                asking.bulk()
        else:
            w.put(0, f"def go_{number}(S, X):")
            w.put(1, f'"""{plain_name(self.program.procedures[q].name)}"""')
            Function(self.plan, w).begin(node)
        layout = self.e.layout
        found: list[Line] = []
        for function in _apart(w.lines):
            first = CONTROL if function[0][1].startswith(("def play_", "def list_")) else layout.locals_begin
            lines = kept(function, first, layout.locals_end)
            if first == CONTROL and isinstance(one, p.IAsk) and isinstance(one.who, p.ELocal):
                lines = owned(lines, layout.locals[q][one.who.slot])
            found += [*lines, (0, "", -1), (0, "", -1)]
        return found

    def _functions(self) -> list[Line]:
        """Definitions that are called, and what they call."""
        found: list[Line] = []
        wanted = [self.program.score, *(function for _, function in self.program.ranking)]
        for index in wanted:
            self.e.needed[index] = None
        done: set[int] = set()
        while len(done) < len(self.e.needed):
            for index in [i for i in self.e.needed if i not in done]:
                done.add(index)
                function = self.program.functions[index]
                place = self.e.place(function.at)
                params = "".join(f", a{slot}" for slot in range(function.params))
                text = self.e.text(function.value, Scope(lambda slot: f"a{slot}"))
                found += [(0, f"def F{index}(S{params}):", place), (1, f'"""{plain_name(function.name)}"""', place)]
                found += [(1, f"return {text}", place), (0, "", -1), (0, "", -1)]
        return found

    # ---- tables

    def _head(self) -> list[str]:
        program = self.program
        count = program.players
        turns = [[[(q + i) % count for i in range(others, count)] for q in range(count)] for others in (0, 1)]
        accounts = AccountRules(program)
        units = list(dict.fromkeys(accounts.unit))
        lines = [
            f'"""{plain_name(program.game)} for {count} players, written by Cambist from its rules."""',
            "",
            f"KIND = {tuple(c.kind for c in program.components)!r}",
            *(f"A{k} = {_plain_data(column)!r}" for k, column in enumerate(program.attrs)),
            *(f"T{k} = {tuple(table)!r}" for k, table in enumerate(program.tables)),
            *(f"PLACE{k} = {{v: i for i, v in enumerate(T{k})}}" for k in range(len(program.tables))),
            f"BIT = {tuple(1 << c for c in range(len(program.components)))!r}",
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
        names, bulk, lists, draws = [], [], [], []
        for node, number in self.plan.leaders.items():
            one = self.plan.codes[node[0]][node[1]]
            if isinstance(one, (p.IAsk, p.IAskSealed)) and node[2] == 0:
                names.append(f"ask_{number}")
                bulk.append(f"play_{number}")
                if Asking(Writer(self.e, self.plan, self.told), node).some is not None:
                    draws.append(f"{number}: draw_{number}")
                if flat(self.program.choices[one.choice]):
                    lists.append(f"{number}: list_{number}")
            else:
                names.append(f"go_{number}")
                bulk.append(f"go_{number}")
        ranking = "".join(f"({most}, F{function})," for most, function in self.program.ranking)
        score = [f"PLAYERS = {self.program.players}", f"SCORE = F{self.program.score}", f"RANKING = ({ranking})"]
        tail = [*score, f"SEGMENTS = ({', '.join(names)},)", f"LISTS = {{{', '.join(lists)}}}"]
        tail.append(f"DRAWS = {{{', '.join(draws)}}}")
        return tail if self.told else [*tail, f"PLAYING = ({', '.join(bulk)},)"]


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
            case ("ready", *items):
                made = f"Ready({tuple(items)!r})"
            case ("column", *items):
                made = f"{tuple(items)!r}.__getitem__"
            case ("row", *items):
                made = repr(tuple(items))
            case ("masks", *items):
                made = repr(dict(items))
            case ("zeros", int(many)):
                made = repr([0] * many)
            case ("text", str(text)):
                made = ascii(text)
            case _:
                made = repr(list(values))
        lines.append((name, f"{name} = {made}"))
    return lines
