"""Transfers, through the ledger's one door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.ledger import transfer
from cambist.interpreter.state import State
from cambist.interpreter.steps.linking import Step, StepLinker


def _transfer(linker: StepLinker, node: p.ITransfer, here: int) -> Step:
    amount, source, to = linker.expr(node.amount), linker.expr(node.source), linker.expr(node.to)
    rules, at, following = linker.account_rules, node.at, linker.after(here)

    def step(state: State, local: list[Any]) -> int:
        transfer(state, rules, amount(state, local), source(state, local), to(state, local), at)
        return following

    return step


STEPS: dict[type, Callable[[StepLinker, Any, int], Step]] = {p.ITransfer: _transfer}
