"""Tokens -> a tree, by Lark's own tables: what is right is read here, what is wrong is left to Lark.

Lark looks every rule up by all that it consists of, and runs a function for each of the dozen rules that a single word
of an expression goes through. Here a table gives the next state or what is to be made, and rules that only hand their
child on, one after the other, are one step that is worked out when it is first needed. Whatever does not fit is told by
its place alone: `parse.py` asks Lark what could have stood there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

from cambist.dsl.placing import Make, handed_on


class Misfit(Exception):
    """The token at this place cannot stand there."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Shifter:
    """The tables of one parser. States are numbers."""

    def __init__(self, parser: Lark, start: str) -> None:
        conf: Any = parser.parse_interactive("", start=start).parser_state.parse_conf
        self.start, self.end = conf.start_state, conf.end_state
        self.table: dict[
            int, dict[str, Any]
        ] = {}  # state -> token -> the next state; or how long a rule is, what it makes, how
        made: dict[int, tuple[int, str, Make | None]] = {}
        for state, actions in conf.states.items():
            row = self.table[state] = {}
            for name, (action, to) in actions.items():
                if action is Shift:
                    row[name] = to
                    continue
                if id(to) not in made:
                    make = conf.callbacks[to]
                    made[id(to)] = (len(to.expansion), to.origin.name, None if make is handed_on else make)
                row[name] = made[id(to)]
        self.settled: dict[tuple[int, int, str], int] = {}  # what rules that hand their child on lead to

    def tree(self, tokens: Iterable[Token]) -> Any:
        """What the tokens are together; the last of them is `$END`. Raises Misfit."""
        table, settled, end = self.table, self.settled, self.end
        top = self.start
        stack, values = [top], list[Any]()
        for at, token in enumerate(tokens):
            kind = token.type
            while True:
                action = table[top].get(kind)
                if action.__class__ is int:
                    stack.append(action)
                    values.append(token)
                    top = action
                    break
                if action is None:
                    raise Misfit(at)
                size, name, make = action
                if make is None:
                    key = (stack[-2], top, kind)
                    top = settled.get(key, -1)
                    if top < 0:
                        top = settled[key] = self._settle(*key)
                    stack[-1] = top
                elif size:
                    made = make(values[-size:])
                    del stack[-size:], values[-size:]
                    top = table[stack[-1]][name]
                    stack.append(top)
                    values.append(made)
                else:
                    values.append(make([]))
                    top = table[top][name]
                    stack.append(top)
                if top == end and kind == "$END":
                    return values[-1]
        raise AssertionError("`$END` is the last token")

    def _settle(self, below: int, top: int, kind: str) -> int:
        """The state after all rules that hand their child on, with the state below it and the token that follows."""
        while top != self.end:
            action = self.table[top].get(kind)
            if action.__class__ is int or action is None or action[2] is not None:
                break
            top = self.table[below][action[1]]
        return top
