"""Which accounts and variables everybody can work out who follows the game, though not everybody may look at them.

In: a program. Out: the families whose every change is made of what all are told: open zones and cells, numbers of
cards, answers that are told, draws that are told. A purse that only its owner sees is such a family if all that goes in
and out of it is paid for open things at open prices: whoever keeps count knows what is in it.

Where in doubt a family is not open: a test on something hidden makes everything doubtful that its procedure changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from cambist.dsl import program as p

Family = p.ZoneFamily | p.AccountFamily | p.VarFamily


def open_cells(program: p.Program) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the families of accounts, and of variables, that all can work out."""
    secrets = _Secrets(program)
    secrets.spread()
    accounts = frozenset(f.name for f in program.accounts if f.name not in secrets.accounts)
    return accounts, frozenset(f.name for f in program.variables if f.name not in secrets.variables)


class _Secrets:
    """What depends on something hidden; grows until nothing is added any more."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.accounts: set[str] = set()
        self.variables: set[str] = set()
        self.locals: list[set[int]] = [set() for _ in program.procedures]
        self.driven: set[int] = set()  # procedures that run, or do not, because of something hidden
        self.returns: set[int] = set()
        self.calls: dict[tuple[int, tuple[bool, ...]], bool] = {}
        self.unseen_zones = any(f.seen_by != "all" for f in program.zones)
        self.unseen_counts = any(f.count_hidden for f in program.zones)

    def _size(self) -> int:
        known = len(self.accounts) + len(self.variables) + len(self.driven) + len(self.returns)
        return known + sum(len(slots) for slots in self.locals)

    def spread(self) -> None:
        for trigger in self.program.triggers:
            if self.program.zones[trigger.family].seen_by != "all":
                self.driven.add(trigger.procedure)
                self.locals[trigger.procedure].add(0)
        before = -1
        while before != self._size():
            before = self._size()
            self.calls.clear()
            for number, procedure in enumerate(self.program.procedures):
                self._procedure(number, procedure)

    def _procedure(self, number: int, procedure: p.Procedure) -> None:
        shown: list[set[int]] = []  # at each place: locals whose card was laid before all eyes since they were set
        now: set[int] = set()
        for node in procedure.code:
            shown.append(set(now))
            if isinstance(node, p.IMove) and isinstance(node.what, p.ELocal):
                family = _family(self.program.zones, node.to, sure=True)
                now |= {node.what.slot} if family is not None and family.seen_by == "all" else set()
            elif isinstance(node, (p.ISetLocal, p.IRandom, p.IEachNext)):
                now.discard(node.slot)
        for node, seen in zip(procedure.code, shown, strict=True):
            tested = (
                node.test if isinstance(node, p.IUnless) else node.items if isinstance(node, p.IEachStart) else None
            )
            if tested is not None and self.hidden(tested, self.locals[number] - seen):
                self.driven.add(number)
        for node, seen in zip(procedure.code, shown, strict=True):
            self._instruction(number, node, seen)

    def _instruction(self, number: int, node: p.Instr, seen: set[int]) -> None:
        local, driven = self.locals[number], number in self.driven

        def secret(*parts: p.Expr | None) -> bool:
            return driven or any(part is not None and self.hidden(part, local - seen) for part in parts)

        match node:
            case p.ISetLocal():
                self._mark(local, [node.slot], secret(node.value))
            case p.ISetVar() | p.ISetSpace():
                self._hide(self.program.variables, self.variables, node.index, secret(node.index, node.value))
            case p.ITransfer():
                found = secret(node.amount, node.source, node.to)
                self._hide(self.program.accounts, self.accounts, node.source, found)
                self._hide(self.program.accounts, self.accounts, node.to, found)
            case p.IRandom():
                self._mark(local, [node.slot], secret(node.items, node.count) or node.meaning.word == "card")
            case p.IEachStart():
                self._mark(local, [node.list_slot], secret(node.items))
            case p.IEachNext():
                self._mark(local, [node.slot], driven or node.list_slot in local)
            case p.ICall():
                inside = self.locals[node.procedure]
                self._mark(inside, (i for i, arg in enumerate(node.args) if secret(arg)), True)
                if driven:
                    self.driven.add(node.procedure)
                self._mark(local, node.results, node.procedure in self.returns)
            case p.IReturn():
                if secret(*node.values):
                    self.returns.add(number)
            case p.IAsk() | p.ITakeAnswer():
                sealed = isinstance(node, p.ITakeAnswer)
                for branch in self.program.choices[node.choice].branches:
                    for pick in branch.picks:
                        self._mark(local, [pick.slot], sealed or secret(pick.source, pick.least, pick.most))
            case _:
                pass

    def _mark(self, local: set[int], slots: Iterable[int], secret: bool) -> None:
        if secret:
            local.update(slots)

    def _hide(self, families: tuple[Any, ...], names: set[str], index: p.Expr, secret: bool) -> None:
        """What all see stays known, whatever it was made of."""
        if secret:
            family = _family(families, index)
            names.update(f.name for f in (families if family is None else (family,)) if f.seen_by != "all")

    # ---- expressions

    def hidden(self, node: Any, local: set[int]) -> bool:
        """Whether a value depends on something that not all can know."""
        match node:
            case p.ELocal():
                return node.slot in local
            case p.EContents():
                family = _family(self.program.zones, node.zone, sure=True)
                unseen = self.unseen_zones if family is None else family.seen_by != "all"
                return unseen or self.hidden(node.zone, local)
            case p.ESize(items=p.EContents(zone=zone)) | p.ENot(value=p.EContents(zone=zone)):
                family = _family(self.program.zones, zone, sure=True)
                unseen = self.unseen_counts if family is None else family.count_hidden
                return unseen or self.hidden(zone, local)
            case p.EInZone():
                family = _family(self.program.zones, node.zone, sure=True)
                unseen = self.unseen_zones if family is None else family.seen_by != "all"
                return unseen or self.hidden(node.component, local)
            case p.EVar():
                return self._cell(self.program.variables, self.variables, node.index, local)
            case p.EAccount():
                return self._cell(self.program.accounts, self.accounts, node.index, local)
            case p.ECall():
                args = tuple(self.hidden(arg, local) for arg in node.args)
                return self._call(node.function, args)
            case p.EFold() | p.EBest():
                inner = set(local)
                for loop in node.loops if isinstance(node, p.EFold) else (node.loop,):
                    if self.hidden(loop.items, inner):
                        return True
                    inner.discard(loop.slot)
                return self._parts(node, inner)
            case p.Loop():
                return False
            case _:
                return self._parts(node, local)

    def _parts(self, node: Any, local: set[int]) -> bool:
        if isinstance(node, tuple):
            return any(self.hidden(part, local) for part in node)
        if not attrs.has(type(node)) or isinstance(node, (p.At, p.Meaning)):
            return False
        return any(self.hidden(getattr(node, field.name), local) for field in attrs.fields(type(node)))

    def _cell(self, families: tuple[Any, ...], names: set[str], index: p.Expr, local: set[int]) -> bool:
        family = _family(families, index)
        unknown = bool(names) if family is None else family.name in names
        return unknown or self.hidden(index, local)

    def _call(self, function: int, args: tuple[bool, ...]) -> bool:
        key = (function, args)
        if key not in self.calls:
            self.calls[key] = False
            local = {place for place, secret in enumerate(args) if secret}
            self.calls[key] = self.hidden(self.program.functions[function].value, local)
        return self.calls[key]


def _family(families: tuple[Any, ...], index: p.Expr, sure: bool = False) -> Any:
    """The family of a cell: its base stands first in the sum, unless it is 0. None: it cannot be told.

    `sure`: the index may also be a zone that somebody else has named.
    """
    if isinstance(index, p.EConst):
        base = index.value
    elif isinstance(index, p.EOp) and index.op == "+" and isinstance(index.left, p.EConst):
        base = index.left.value
    elif sure or isinstance(index, p.ELocal):
        return None if sure else families[0]
    else:
        base = 0
    return next((f for f in families if f.base <= base < f.base + f.count), None)
