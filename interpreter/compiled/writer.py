"""What writes one function: line after line, with what is known at each. The flow from one instruction to the next is
flow.py's; what lines an instruction is written as is in `STATEMENTS`, which statements.py and others fill."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import UNROLLED, Expressions
from cambist.interpreter.compiled.flow import Each, Graph
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.numbered import values_of
from cambist.interpreter.compiled.paying import ASKING
from cambist.interpreter.compiled.plan import IN, OUT, TRY, Plan, plain_name, written
from cambist.interpreter.compiled.rewriting.keeping import Line as Line
from cambist.interpreter.compiled.tallies import tallied
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.limits import LARGEST_NUMBER
from cambist.interpreter.steps.choosing import NO_ANSWER

FAILING = {"none", "no_entry", "times", "divide", "look_up", "between", "join", "next_seat", "extreme", "best", "spend"}
NEAR = 1 << 29  # numbers below it are compared faster than greater ones
WRITTEN_OUT = 24  # nodes of a loop, times its things, that are written out
DEEP = 8  # locals that are looked into for what is in another one
STATEMENTS: dict[type, Callable[[Writer, Any, Node], list[str]]] = {}  # lines may begin with spaces: deeper by as many


class Writer:
    """Writes the instructions of one function. `told`: with what goes into the log."""

    through = False  # whether control goes on into procedures that several places run

    def __init__(self, e: Expressions, plan: Plan, told: bool, names: dict[int, str] | None = None) -> None:
        self.e, self.plan, self.told = e, plan, told
        self.names = names  # of the variables, in a plain function; otherwise locals lie in cells
        self.lines: list[Line] = []
        self.place = -1
        self.q = -1
        self.recent: tuple[str, str] | None = None  # a fold that was worked out just before, and where it is
        self.answering: tuple[int, int] | None = None  # procedure and local of sealed answers, in a loop through them
        self.giver = ""  # who gave the one at hand, or where it was drawn, if its parts are variables of their own
        self.hoisting: Each | None = None  # the loop that things are taken out of
        e.hoist = None  # a function that was given up in such a loop has left it
        self.bound: dict[tuple[int, int], str | int] = {}  # locals of loops: variables, or constants
        self.sure: frozenset[str] = frozenset()  # lists that are known not to be empty at the next instruction
        self.at_random = False  # whether answers are drawn here; some of several then have the rest with them
        self.remembers = False  # whether what such an answer leaves may be remembered from when it was drawn
        self.latest: p.Pick | None = None  # the pick of some of several things that `answer` is of

    # ---- lines

    def put(self, indent: int, text: str) -> None:
        self.lines.append((indent, text, self.place))

    def count(self) -> int:
        return len(self.lines)

    def wrap(self, first: int, indent: int, head: str) -> None:
        inner = [(i + 1, text, place) for i, text, place in self.lines[first:]]
        self.lines[first:] = [(indent, head, self.lines[first][2]), *inner]

    def begin(self, node: Node) -> None:
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        if part and isinstance(one, p.ITakeAnswer):
            self.enter(node)
            self._taken_up(one)
            self.put(1, f"answer = {self._answer(one)}")

    def enter(self, node: Node) -> None:
        q, pc, _ = node
        self.q = q
        at = self.plan.noted.get((q, pc))
        if at is None:
            at = self.plan.noted[q, pc] = self.plan.at(q, pc)
        self.place = self.e.place(at)

    def local(self, slot: int) -> str:
        return self.cell_of(self.q, slot) if self.names is None else self.names[slot]

    def cell_of(self, q: int, slot: int) -> str:
        cell = self.e.layout.locals[q].get(slot)
        return "0" if cell is None else f"S[{cell}]"

    @property
    def scope(self) -> Scope:
        q, names = self.q, self.names
        bound = {slot: value for (other, slot), value in self.bound.items() if other == q}
        place = (lambda slot: self.cell_of(q, slot)) if names is None else (lambda slot: names[slot])
        return Scope(place, bound, values=lambda node: values_of(self.plan, q, node))

    def text(self, node: p.Expr) -> str:
        return self.e.text(node, self.scope)

    def truth(self, node: p.Expr) -> str:
        return self.e.truth(node, self.scope)

    # ---- doors of flow.py

    def write(self, node: Node, indent: int) -> None:
        self.enter(node)
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        if isinstance(one, p.ITakeAnswer):
            self._taken_up(one)
        recent, self.recent = self.recent, None
        self.e.sure = self.sure
        self.sure = self._sure_after(one)
        for line in self._statement(one, node):
            depth = len(line) - len(line.lstrip(" "))
            text = line.lstrip(" ")
            self.put(indent + depth, text.replace(*recent) if recent is not None else text)

    def _statement(self, one: Any, node: Node) -> list[str]:
        """The lines of an instruction. Several functions may need the same ones: they are made once."""
        if self.e.hoist is not None or isinstance(one, p.ITakeAnswer):
            return tallied(self.e, STATEMENTS[type(one)](self, one, node))
        of_drawn = isinstance(one, p.IMove) and self.latest is not None and one.what == p.ELocal(self.latest.slot)
        drawn = self.giver if of_drawn else None
        own = id(self.names) if self.names is not None else 0
        mode = (self.through, self.at_random) if isinstance(one, (p.ICall, p.ITentative, p.IReturn)) else ()
        bound = tuple(sorted(self.bound.items(), key=str)) if self.bound else ()
        key = (node, own, mode, drawn, self.e.sure, bound)
        if key not in self.e.written:
            self.e.written[key] = tallied(self.e, STATEMENTS[type(one)](self, one, node))
        return self.e.written[key]

    def joined(self) -> None:
        self.sure = self.e.sure = frozenset()
        self.latest = None

    def _sure_after(self, one: Any) -> frozenset[str]:
        """Lists that are known not to be empty behind an instruction: those that were required, until lists change."""
        if isinstance(one, p.IRequire):
            return self.sure | self.e.shown(one.test, self.scope)
        if isinstance(one, p.ISetLocal):
            changed = self.local(one.slot)
            return frozenset(text for text in self.sure if changed not in text)
        return self.sure if isinstance(one, (p.ITransfer, p.ISetVar, p.ISetSpace)) else frozenset()

    def branch(self, node: Node, indent: int) -> str:
        self.joined()
        self.enter(node)
        q, pc, part = node
        one: Any = self.plan.codes[q][pc]
        if isinstance(one, p.IUnless):
            return self._test(one.test, indent)
        if isinstance(one, p.IEachNext):
            return f"{self.local(one.index_slot)} < len({self.local(one.list_slot)})"
        assert isinstance(one, p.ITakeAnswer)
        self._taken_up(one)
        if part == 0:
            self.put(indent, f"answer = {self._answer(one)}")
            return f"answer[0] == {NO_ANSWER}"
        return f"answer[0] == {part - TRY}"

    def _test(self, test: p.Expr, indent: int) -> str:
        """A test; a fold that is one is kept for the statement after it, which often asks for the same."""
        bare = test
        while isinstance(bare, p.ENot):
            bare = bare.value
        text = self._truth_of(test)
        if self.e.hoist is not None or not isinstance(bare, p.EFold) or bare.op != "all":
            return text
        if self.e.few(bare.loops) is not None:
            return f"({text})"  # whether any of a few is there costs less than a list of them
        things = self.text(bare)
        if set(re.findall(r"[A-Za-z_]\w*", things)) & FAILING or things not in text:
            return text
        name = self.e.fresh("same")
        self.put(indent, f"{name} = {things}")
        self.recent = (things, name)
        return text.replace(things, name)

    def _truth_of(self, test: p.Expr) -> str:
        """The text of a test of the rules: made once for all functions that ask it."""
        if self.e.hoist is not None or self.names is not None:
            return self.truth(test)
        key = (id(test), self.q, self.e.sure, tuple(sorted(self.bound.items(), key=str)))
        if key not in self.e.tests:
            self.e.tests[key] = self.truth(test)
        return self.e.tests[key]

    def asked_one_by_one(self, q: int, one: p.ITakeAnswer) -> tuple[int, ...]:
        """Those who gave sealed answers, if it is known who and each answer is a variable of its own."""
        return ()

    def _taken_up(self, one: p.ITakeAnswer) -> None:
        """What was drawn last is another answer, unless a loop through these goes on."""
        if self.answering != (self.q, one.answers_slot):
            self.giver = ""

    def _answer(self, one: p.ITakeAnswer) -> str:
        if self.answering == (self.q, one.answers_slot):
            return f"given{self.giver}"
        return f"{self.local(one.answers_slot)}[{self.local(one.index_slot)} - 1]"

    def drawn(self, what: str, place: int) -> str:
        """A part of the answer at hand; of some things drawn at random it is mostly a variable of its own."""
        return f"{what}{self.giver}" if self.giver and self.at_random else f"answer[{place}]"

    def limit(self, node: Node, inside: set[Node]) -> tuple[str, str]:
        """No loop without end: at so many turns it is a fault."""
        return self.most_turns(node, "TURNS")

    def most_turns(self, node: Node, most: str) -> tuple[str, str]:
        self.enter(node)
        return most, f"raise Failed('too_many_steps', {self.place})"

    def around(self, node: Node, inside: set[Node], indent: int) -> None:
        """Where loops within loops could go on for long, each turn is counted; but not those that ask somebody."""
        if node[0] in self.e.paying.procedures and not any(
            isinstance(self.plan.codes[q][pc], ASKING) for q, pc, _ in inside
        ):
            self.enter(node)
            self.put(indent, self.e.spent("(0,)", self.plan.noted[node[0], node[1]], 1))

    # ---- loops over things

    def start_of(self, node: Node) -> Node | None:
        q, pc, part = node
        if part == 0 and isinstance(self.plan.codes[q][pc], p.IEachStart):
            header = self.plan.node(q, pc + 1)
            one = self.plan.codes[q][header[1]]
            if isinstance(one, p.IEachNext) and one.list_slot == self.plan.codes[q][pc].list_slot:
                return header
        return None

    def each(self, node: Node, start: Node, inside: set[Node], graph: Graph, indent: int) -> Each | None:
        q, pc, _ = node
        one: p.IEachNext = self.plan.codes[q][pc]
        out = (q, pc, OUT)
        own = {one.slot, one.index_slot, one.list_slot}
        for other in inside:
            following = graph.next(other)
            if not following and self.names is None:
                return None
            if any(n in graph.leaders or (n not in inside and (other, n) != (node, out)) for n in following):
                return None
            if other[0] == q and other != node and other[2] == 0 and own & set(written(self.plan, q, other[1])):
                return None
        takes = [n for n in self.plan.codes[q] if isinstance(n, p.ITakeAnswer) and n.index_slot == one.index_slot]
        if len(takes) > 1 or (takes and self.answering is not None):
            return None
        begins: p.IEachStart = self.plan.codes[q][start[1]]
        self.enter(start)
        values = self.plan.list_of(q, begins.items)
        if takes and not values:
            values = self.asked_one_by_one(q, takes[0])
        (body,) = graph.next((q, pc, IN))
        if values and len(values) * len(inside) <= WRITTEN_OUT and len(values) <= UNROLLED:
            self.answering = (q, takes[0].answers_slot) if takes else self.answering
            return Each("", values, "given" if takes else "", body, out, q, one.slot, one.index_slot)
        name = plain_name(self.plan.program.procedures[q].local_names[one.slot]) or "it"
        variable = f"{name}_{one.slot}" if self.names is None else self.names[one.slot]
        things = self.e.fresh("each")
        self.e.looping = True
        list_of = self.text(begins.items)
        if q in self.e.paying.procedures and not values:
            list_of = self.e.spent(list_of, self.plan.noted[q, start[1]], 1)
        self.put(indent, f"{things} = {list_of}")
        self.e.looping = False
        if takes:  # the answers are in the order of those who gave them
            self.answering = (q, takes[0].answers_slot)
            self.giver = ""
            head = f"for {variable}, given in zip({things}, {self.local(takes[0].answers_slot)}):"
            return Each(head, values, things, body, out, q, one.slot, one.index_slot)
        return Each(f"for {variable} in {things}:", values, things, body, out, q, one.slot, one.index_slot)

    def _hoisting(self, each: Each, inside: set[Node]) -> None:
        """Folds that read nothing this loop changes are worked out before it: a loop that only transfers changes
        accounts alone."""
        quiet = (p.ITransfer, p.IEachStart, p.IEachNext, p.IUnless, p.IJump)
        if self.e.hoist is not None or not all(isinstance(self.plan.codes[q][pc], quiet) for q, pc, _ in inside):
            return
        layout, place, names = self.e.layout, len(self.lines) - 1, set((self.names or {}).values())
        known: dict[str, str] = {}
        indent = self.lines[place][0]

        def hoist(text: str) -> str:
            words = set(re.findall(r"[A-Za-z_]\w*", text))
            cells = [int(n) for n in re.findall(r"S\[(\d+)", text)]
            local = words & names or any(re.fullmatch(r"\w+_\d+", word) for word in words)
            if (
                local
                or words & FAILING
                or any(layout.accounts <= n < layout.vars or n >= layout.locals_begin for n in cells)
            ):
                return text
            if text not in known:
                line = f"{self.e.fresh('same')} = {text}"
                self.lines.insert(place + len(known), (indent, line, self.place))  # behind those that it may be made of
                known[text] = line.partition(" ")[0]
            return known[text]

        self.e.hoist, self.hoisting = hoist, each

    def turn(self, each: Each, value: int | None, inside: set[Node]) -> None:
        if each.head and self.hoisting is None:
            self._hoisting(each, inside)
        variable = each.head.split(" ")[1].rstrip(",") if each.head else ""
        if value is not None or self.names is None:
            self.bound[(each.procedure, each.slot)] = variable if value is None else value
        if each.things == "given":
            self.giver = str(value)

    def end(self, each: Each, indent: int) -> None:
        """What the locals of the loop are afterwards; in a plain function nobody looks at them again."""
        last = self.bound.pop((each.procedure, each.slot), None)
        if ", given in " in each.head or each.things == "given":
            self.answering, self.giver = None, ""
        if self.hoisting is each:
            self.e.hoist = self.hoisting = None
        if self.names is not None:
            return
        many = str(len(each.values)) if each.values else f"len({each.things})"
        empty = "" if each.values else f"if {each.things}: "
        self.put(indent, f"{self.cell_of(each.procedure, each.index_slot)} = {many}")
        self.put(indent, f"{empty}{self.cell_of(each.procedure, each.slot)} = {last}")

    # ---- parts

    def checked(self, value: p.Expr, added: str = "", tame: bool = False, named: bool = False) -> str:
        """A value as it is kept: within bounds, a yes or no as 1 or 0. `named`: the number of something with a name."""
        kind = self.e.kind(value)
        if kind == "bool" and not added:
            return f"(1 if {self.truth(value)} else 0)"
        text = f"{self.text(value)} + {added}" if added else self.text(value)
        if named:
            return text
        if kind == "list" or (not added and (small(value) or self._component(value))):
            return text
        if not added and self.e.most(value, self.scope) < LARGEST_NUMBER:
            return text
        if tame and kind == "int":
            return text
        if kind == "int":
            name = self.e.fresh("k")
            return f"({name} if -{NEAR} < ({name} := {text}) < {NEAR} else within({name}, {self.place}))"
        return f"stored({text}, {self.place})"

    def _component(self, value: p.Expr) -> bool:
        """Whether this is one of several components."""
        return isinstance(value, p.EEnd) and self._components(value.items)

    def _components(self, items: p.Expr, piled: int = 0, depth: int = 0) -> bool:
        """Whether a list is of components. `piled`: of piles of them, or of lists of piles."""
        match items:
            case p.EContents():
                return not piled
            case p.EFold() if items.op == "all":
                return self._components(items.loops[0].items, piled, depth)
            case p.ERest():
                return self._components(items.items, piled, depth)
            case p.ELocal() if depth < DEEP and items.slot >= self.plan.program.procedures[self.q].params:
                code = self.plan.codes[self.q]
                writes = [one for pc, one in enumerate(code) if items.slot in written(self.plan, self.q, pc)]
                sources = [found for one in writes for found in self._sources(one, items.slot) if found[0] != items]
                return sources != [] and all(
                    source is not None and piled + deep >= 0 and self._components(source, piled + deep, depth + 1)
                    for source, deep in sources
                )
            case _:
                return False

    def _sources(self, one: p.Instr, slot: int) -> list[tuple[p.Expr | None, int]]:
        """What an instruction puts into a local, and by how much deeper that is piled; None: who knows."""
        match one:
            case p.ISetLocal():
                return [(one.value, 0)]
            case p.IEachStart() if one.list_slot == slot:
                return [(one.items, 0)]
            case p.IEachNext() if one.slot == slot:
                return [(p.ELocal(one.list_slot), 1)]
            case p.IEachNext() if one.list_slot == slot:
                return []  # nothing in the end
            case p.IAsk() | p.ITakeAnswer():
                picks = [k for b in self.e.program.choices[one.choice].branches for k in b.picks if k.slot == slot]
                return [(k.source, {"in": 1, "arrangement": -1}.get(k.shape, 0)) for k in picks]
            case _:
                return [(None, 0)]

    def log(self, event: str) -> list[str]:
        return [f"if X.log is not None: X.log.append({event})"] if self.told else []


def small(node: p.Expr) -> bool:
    """A number that is certainly within bounds."""
    if isinstance(node, p.EOp):
        return node.op == "next"
    return isinstance(node, p.EBest) and node.policy == "first"
