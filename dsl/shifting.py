"""Tokens -> a tree, by Lark's own tables: what is right is read here, what is wrong is left to Lark.

Lark looks every rule up by all that it consists of, and runs a function for each of the dozen rules that a single word
of an expression goes through. Here a rule is found by its number, and one that only hands its child on costs a look
into the table. Whatever does not fit is told by its place alone: `parse.py` asks Lark what could have stood there.
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
    """The tables of one parser."""

    def __init__(self, parser: Lark, start: str) -> None:
        conf: Any = parser.parse_interactive("", start=start).parser_state.parse_conf
        self.states: dict[Any, dict[str, tuple[Any, Any]]] = conf.states
        self.start, self.end = conf.start_state, conf.end_state
        self.rules: dict[int, tuple[int, str, Make]] = {}  # number of a rule -> how long, what it makes, and how
        for actions in conf.states.values():
            for action, rule in actions.values():
                if action is not Shift and id(rule) not in self.rules:
                    self.rules[id(rule)] = (len(rule.expansion), rule.origin.name, conf.callbacks[rule])

    def tree(self, tokens: Iterable[Token]) -> Any:
        """What the tokens are together; the last of them is `$END`. Raises Misfit."""
        states, rules = self.states, self.rules
        stack, values = [self.start], list[Any]()
        for at, token in enumerate(tokens):
            kind = token.type
            while True:
                action = states[stack[-1]].get(kind)
                if action is None:
                    raise Misfit(at)
                if action[0] is Shift:
                    stack.append(action[1])
                    values.append(token)
                    break
                size, name, make = rules[id(action[1])]
                if make is handed_on:
                    stack[-1] = states[stack[-2]][name][1]
                elif size:
                    made = make(values[-size:])
                    del stack[-size:], values[-size:]
                    stack.append(states[stack[-1]][name][1])
                    values.append(made)
                else:
                    values.append(make([]))
                    stack.append(states[stack[-1]][name][1])
                if stack[-1] == self.end and kind == "$END":
                    return values[-1]
        raise AssertionError("`$END` is the last token")
