"""Straight runs of instructions -> one Python function each, so that the machine goes from branch to branch, not step
by step. What the steps in steps/ do one at a time is written out here in a row; tests compare the two machines.

In: a linked procedure. Out: its steps with the leaders (the places control can come to) replaced. Instructions that
change the frames, ask somebody or are rare are called as the steps they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter import faults
from cambist.interpreter.emit import TOO_NESTED, Emitter
from cambist.interpreter.events import Changed
from cambist.interpreter.ledger import transfer
from cambist.interpreter.limits import LARGEST_NUMBER
from cambist.interpreter.steps.components import draw_top
from cambist.interpreter.steps.linking import Step, StepLinker
from cambist.interpreter.zones import move

LONGEST = 24  # instructions in one block, which counts as one step
ENDS = (p.ICall, p.IReturn, p.IAsk, p.IAskSealed, p.ITakeAnswer, p.IEndGame, p.IRollBack, p.ITentative)
"""Instructions whose step tells where to go on."""


def fuse(linker: StepLinker, number: int, procedure: p.Procedure, steps: list[Step]) -> list[Step]:
    emitter = linker.values
    if not isinstance(emitter, Emitter):
        return steps
    writer = _Writer(linker, emitter, number, procedure, steps)
    return [writer.block(pc) if pc in writer.leaders else step for pc, step in enumerate(steps)]


def leaders(linker: StepLinker, procedure: p.Procedure) -> set[int]:
    """The places control can come to."""
    found = {0}
    for pc, node in enumerate(procedure.code):
        match node:
            case p.IJump():
                found.add(linker.settled(node.to))
            case p.IUnless():
                found.add(linker.settled(node.to))
            case p.IEachNext():
                found.add(linker.settled(node.exit))
                found.add(pc)
            case p.ITentative():
                found |= {pc, node.otherwise, linker.after(pc)}
            case p.IAsk() | p.IAskSealed() | p.ITakeAnswer():
                plan = linker.program.choices[node.choice]
                found |= {branch.target for branch in plan.branches} | {pc, pc + 1}
                if plan.otherwise >= 0:
                    found.add(plan.otherwise)
            case p.ICall() | p.IMove() | p.IDrawTop():
                found.add(linker.after(pc))  # a move may run triggers in between
            case _:
                pass
    return found


class _Writer:
    def __init__(
        self, linker: StepLinker, emitter: Emitter, number: int, procedure: p.Procedure, steps: list[Step]
    ) -> None:
        self.linker = linker
        self.emitter = emitter
        self.number = number
        self.code = procedure.code
        self.steps = steps
        linker.code = procedure.code
        self.leaders = leaders(linker, procedure)
        space = emitter.space
        space.update(
            transfer=transfer,
            move=move,
            draw_top=draw_top,
            Changed=Changed,
            no_space=faults.no_space,
            require_failed=faults.require_failed,
            AR=linker.account_rules,
            ZR=linker.zone_rules,
        )
        space["__builtins__"]["str"] = str
        for pc, step in enumerate(steps):
            space[f"P{number}S{pc}"] = step

    def block(self, start: int) -> Step:
        """The run from `start` to the next branch that leads elsewhere."""
        self.linker.code = self.code
        lines, places = ["def block(S, L):"], [start]
        try:
            self._write(start, lines, places)
            name = f"<block {self.number} {' '.join(map(str, places))}>"
            made: dict[str, Any] = {}
            exec(compile("\n".join(lines), name, "exec"), self.emitter.space, made)
        except TOO_NESTED:
            return self.steps[start]
        step: Step = made["block"]
        return step

    def _write(self, pc: int, lines: list[str], places: list[int]) -> None:
        seen: set[int] = set()
        while True:
            if pc in seen or len(seen) >= LONGEST:
                lines.append(f" return {pc}")
                places.append(pc)
                return
            seen.add(pc)
            node = self.code[pc]
            if isinstance(node, p.IJump):
                pc = self.linker.settled(node.to)
                continue
            write = WRITERS.get(type(node))
            before = len(lines)
            if isinstance(node, ENDS):
                lines.append(f" return P{self.number}S{pc}(S, L)")
            elif self.linker.triggers and isinstance(node, (p.IMove, p.IDrawTop)):
                lines.append(f" return P{self.number}S{pc}(S, L)")
            elif write is None:
                lines.append(f" P{self.number}S{pc}(S, L)")
            else:
                lines.extend(write(self, node))
            places += [pc] * (len(lines) - before)
            if lines[-1].startswith(" return "):
                return
            pc = self.linker.after(pc)

    def text(self, node: p.Expr) -> str:
        return self.emitter.text(node, {})

    def constant(self, value: Any) -> str:
        return self.emitter.constant(value)

    def checked(self, value: p.Expr, at: p.At, add_to: str = "") -> list[str]:
        """`x` is the value: a list copied, a number within bounds, a yes or no as 1 or 0."""
        if isinstance(value, p.EConst) and not add_to:
            return [f" x = {value.value}"]
        return [
            f" x = {self.text(value)}{add_to}",
            " if type(x) is list: x = x[:]",
            f" elif not -{LARGEST_NUMBER} < x < {LARGEST_NUMBER}: raise too_large({self.constant(at)})",
            " elif type(x) is bool: x = int(x)",
        ]


def _set_local(w: _Writer, node: p.ISetLocal) -> list[str]:
    return [*w.checked(node.value, node.at), f" L[{node.slot}] = x"]


def _set_var(w: _Writer, node: p.ISetVar) -> list[str]:
    return [
        f" i = {w.text(node.index)}",
        *w.checked(node.value, node.at, " + S.vars[i]" if node.add else ""),
        " S.vars[i] = x",
        f" if S.log is not None: S.log.append(Changed(i, x, {w.constant(node.at)}))",
    ]


def _set_space(w: _Writer, node: p.ISetSpace) -> list[str]:
    spaces = w.linker.program.tables[node.table]
    at = w.constant(node.at)
    lines = [f" i = {w.text(node.index)}"]
    if node.by:
        lines += [f" x = min(max(S.vars[i] + {w.text(node.value)}, 0), {len(spaces) - 1})"]
    else:
        places = w.constant({value: place for place, value in enumerate(spaces)})
        lines += [
            f" v = {w.text(node.value)}",
            f" x = {places}.get(v, -1)",
            f" if x < 0: raise no_space({at}, str(v))",
        ]
    return [*lines, " S.vars[i] = x", f" if S.log is not None: S.log.append(Changed(i, x, {at}))"]


def _unless(w: _Writer, node: p.IUnless) -> list[str]:
    return [f" if not {w.text(node.test)}: return {w.linker.settled(node.to)}"]


def _each_start(w: _Writer, node: p.IEachStart) -> list[str]:
    return [f" L[{node.list_slot}] = {w.text(node.items)}[:]", f" L[{node.index_slot}] = 0"]


def _each_next(w: _Writer, node: p.IEachNext) -> list[str]:
    return [
        f" x = L[{node.list_slot}]",
        f" i = L[{node.index_slot}]",
        " if i >= len(x):",
        f"  L[{node.list_slot}] = 0",
        f"  return {w.linker.settled(node.exit)}",
        f" L[{node.slot}] = x[i]",
        f" L[{node.index_slot}] = i + 1",
    ]


def _transfer(w: _Writer, node: p.ITransfer) -> list[str]:
    parts = ", ".join(w.text(e) for e in (node.amount, node.source, node.to))
    return [f" transfer(S, AR, {parts}, {w.constant(node.at)})"]


def _move(w: _Writer, node: p.IMove) -> list[str]:
    what = w.text(node.what)
    what = f"[{what}]" if node.single else what
    return [f" move(S, ZR, {what}, {w.text(node.to)}, {node.end!r}, {w.constant(node.at)})"]


def _draw(w: _Writer, node: p.IDrawTop) -> list[str]:
    parts = ", ".join(w.text(e) for e in (node.count, node.source, node.to))
    return [f" draw_top(S, ZR, {parts}, {node.end!r}, {node.fill}, {w.constant(node.at)})"]


def _require(w: _Writer, node: p.IRequire) -> list[str]:
    return [f" if not {w.text(node.test)}: raise require_failed({w.constant(node.at)}, {w.constant(node.text)})"]


WRITERS: dict[type, Callable[[_Writer, Any], list[str]]] = {
    p.ISetLocal: _set_local,
    p.ISetVar: _set_var,
    p.ISetSpace: _set_space,
    p.IUnless: _unless,
    p.IEachStart: _each_start,
    p.IEachNext: _each_next,
    p.ITransfer: _transfer,
    p.IMove: _move,
    p.IDrawTop: _draw,
    p.IRequire: _require,
}


def place_in_block(error: BaseException) -> int | None:
    """The instruction at which an exception left a block, from the line it was on."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<block "):
            places = name[1:-1].split(" ")[2:]
            found = int(places[min(trace.tb_lineno, len(places)) - 1])
        trace = trace.tb_next
    return found
