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


State = dict[Any, Any]
"""Token -> the next state, or how long a rule is, what it makes and how; what a rule makes -> the next state."""
NUMBER = 0  # the key of a state's own number


class Shifter:
    """The tables of one parser."""

    def __init__(self, parser: Lark, start: str) -> None:
        conf: Any = parser.parse_interactive("", start=start).parser_state.parse_conf
        states: dict[int, State] = {number: {NUMBER: number} for number in conf.states}
        self.start, self.end = states[conf.start_state], states[conf.end_state]
        made: dict[int, tuple[int, str, Make | None]] = {}
        for number, actions in conf.states.items():
            state = states[number]
            for name, (action, to) in actions.items():
                if action is Shift:
                    state[name] = states[to]
                    continue
                if id(to) not in made:
                    make = conf.callbacks[to]
                    made[id(to)] = (len(to.expansion), to.origin.name, None if make is handed_on else make)
                state[name] = made[id(to)]
        self.settled: dict[tuple[int, int, str], State] = {}  # what rules that hand their child on lead to

    def tree(self, tokens: Iterable[Token]) -> Any:
        """What the tokens are together; the last of them is `$END`. Raises Misfit."""
        settled, end = self.settled, self.end
        top = self.start
        stack, values = [top], list[Any]()
        for at, token in enumerate(tokens):
            kind = token.type
            while True:
                action = top.get(kind)
                if action.__class__ is dict:
                    stack.append(action)
                    values.append(token)
                    top = action
                    break
                if action is None:
                    raise Misfit(at)
                size, name, make = action
                if make is None:
                    below = stack[-2]
                    key = (below[NUMBER], top[NUMBER], kind)
                    if key not in settled:
                        settled[key] = self._settle(below, top, kind)
                    stack[-1] = top = settled[key]
                elif size:
                    made = make(values[-size:])
                    del stack[-size:], values[-size:]
                    top = stack[-1][name]
                    stack.append(top)
                    values.append(made)
                else:
                    values.append(make([]))
                    top = top[name]
                    stack.append(top)
                if top is end and kind == "$END":
                    return values[-1]
        raise AssertionError("`$END` is the last token")

    def _settle(self, below: State, top: State, kind: str) -> State:
        """The state after all rules that hand their child on, with the state below it and the token that follows."""
        while top is not self.end:
            action = top.get(kind)
            if action.__class__ is dict or action is None or action[2] is not None:
                break
            top = below[action[1]]
        return top
