"""Settings of a game's options: which are allowed, and which conditions they break. Pure; words come from messages/.

A setting is what people write: a whole number, a name, or True and False for a flag. `Broken` names the condition that
does not hold; whether that is told of the rules, an example or a command line is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from attrs import frozen

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.unparse_expressions import text
from cambist.dsl.walk import descend

Value = int | str | bool
MOST_SETTINGS = 20_000  # tried to find out whether a value can be chosen at all
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "in": lambda a, b: a in b,
}


@frozen
class Broken:
    option: n.Option
    condition: n.Condition
    settings: Mapping[str, Value]

    @property
    def others(self) -> list[str]:
        """The options that the condition speaks of."""
        return [name for name in named(self.condition.test) if name in self.settings]

    def told(self, explicitly: Collection[str]) -> str:
        """The same words wherever it happens; `explicitly` are the options that somebody has set."""
        condition = self.condition
        when = "" if condition.when is None else text(condition.when)
        facts = [(name, written(self.settings[name]), name in explicitly) for name in self.others]
        return say.clash(self.option.name.text, when, condition.requires, text(condition.test), facts)

    @property
    def remedy(self) -> str:
        return say.clash_remedy(self.option.name.text, self.others)


def is_flag(option: n.Option) -> bool:
    return option.low is None and not option.values


def bounds(option: n.Option) -> tuple[int, int] | None:
    """The smallest and the largest number, of an option that is a number."""
    if option.low is None or option.high is None:
        return None
    return int(Fraction(option.low.value)), int(Fraction(option.high.value))


def allowed(option: n.Option) -> Sequence[Value]:
    """All values, in order."""
    ends = bounds(option)
    if ends is not None:
        return range(ends[0], ends[1] + 1)
    return [value.text for value in option.values] or [False, True]


def fits(option: n.Option, value: Value) -> bool:
    values = allowed(option)
    return type(value) is type(values[0]) and value in values


def written(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def plain_value(value: n.Expr) -> Value:
    """A number, a name, `yes` or `no` as it is written."""
    found: Value = _value(value, {})
    return found


def default(option: n.Option) -> Value:
    return plain_value(option.default)


def defaults(options: Mapping[str, n.Option]) -> dict[str, Value]:
    return {name: default(option) for name, option in options.items()}


def number(option: n.Option, value: Value) -> int:
    """A value as the program knows it: a number, the place of a name, 0 or 1."""
    return [v.text for v in option.values].index(str(value)) if option.values else int(value)


def from_number(option: n.Option, value: int) -> Value:
    return option.values[value].text if option.values else bool(value) if is_flag(option) else value


def broken(options: Mapping[str, n.Option], settings: Mapping[str, Value]) -> Iterator[Broken]:
    """The conditions that settings of all options do not keep."""
    for option in options.values():
        here = settings[option.name.text]
        for condition in option.conditions:
            if applies(option, condition, here) and bool(_value(condition.test, settings)) != condition.requires:
                yield Broken(option, condition, settings)


def way_out(
    options: Mapping[str, n.Option], settings: Mapping[str, Value], clash: Broken, kept: Collection[str]
) -> str:
    """Which options, set otherwise, would do: as few as possible, none of those that are kept. Empty: nothing."""
    names = next(group for group in _bound_together(options) if clash.option.name.text in group)
    free = [name for name in names if name not in kept]
    if prod(len(allowed(options[name])) for name in free) > MOST_SETTINGS:
        return ""
    best: tuple[tuple[int, int], dict[str, Value]] | None = None
    for values in product(*(allowed(options[name]) for name in free)):
        changes = {name: v for name, v in zip(free, values, strict=True) if v != settings[name]}
        cost = len(changes), sum(_distance(options[name], settings[name], v) for name, v in changes.items())
        if (best is None or cost < best[0]) and next(broken(options, {**settings, **changes}), None) is None:
            best = cost, changes
    return "" if best is None else say.would_do((name, written(value)) for name, value in best[1].items())


def _distance(option: n.Option, a: Value, b: Value) -> int:
    values = allowed(option)
    return abs(values.index(a) - values.index(b))


def applies(option: n.Option, condition: n.Condition, value: Value) -> bool:
    match condition.when:
        case None:
            return bool(value) if is_flag(option) else True
        case n.Between() as between:
            return value in _value(between, {})
        case one:
            return bool(value == _value(one, {}))


def named(test: n.Expr) -> list[str]:
    """The names in a condition, each once."""
    return list(dict.fromkeys(node.name for node in descend(test) if isinstance(node, n.Ref)))


def not_plain(test: n.Expr) -> n.Expr | None:
    """The first part of a condition that only a game in progress could answer."""
    match test:
        case n.Number() | n.Truth() | n.Ref():
            return None if not isinstance(test, n.Number) or "." not in test.value else test
        case n.Binary(op=op) if op in COMPARED:
            return not_plain(test.left) or not_plain(test.right)
        case n.Not() | n.Negate():
            return not_plain(test.value)
        case n.Is(cells=()):
            return not_plain(test.value)
        case n.ListOf():
            return next((found for item in test.items if (found := not_plain(item)) is not None), None)
        case n.Between(step=None):
            return not_plain(test.low) or not_plain(test.high)
        case _:
            return test


def _value(test: n.Expr, settings: Mapping[str, Value]) -> Any:
    match test:
        case n.Number():
            return int(Fraction(test.value))
        case n.Truth():
            return test.value
        case n.Ref():
            return settings.get(test.name, test.name)  # the name of a value stands for itself
        case n.Binary():
            return COMPARED[test.op](_value(test.left, settings), _value(test.right, settings))
        case n.Not():
            return not _value(test.value, settings)
        case n.Negate():
            return -_value(test.value, settings)
        case n.Is():
            return _value(test.value, settings) == test.name.text
        case n.ListOf():
            return [_value(item, settings) for item in test.items]
        case n.Between():
            return range(_value(test.low, settings), _value(test.high, settings) + 1)
        case _:
            raise AssertionError("a condition is made of options and plain values")


def impossible(options: Mapping[str, n.Option]) -> Iterator[tuple[n.Option, list[Value]]]:
    """The values that no setting of the other options allows; of options whose conditions are too many, nothing."""
    for names in _bound_together(options):
        group = {name: options[name] for name in names}
        if prod(len(allowed(option)) for option in group.values()) > MOST_SETTINGS:
            continue
        possible: dict[str, set[Value]] = {name: set() for name in group}
        for values in product(*(allowed(option) for option in group.values())):
            settings = dict(zip(group, values, strict=True))
            if next(broken(group, settings), None) is None:
                for name, value in settings.items():
                    possible[name].add(value)
        for name, option in group.items():
            never = [value for value in allowed(option) if value not in possible[name]]
            if never:
                yield option, never


def _bound_together(options: Mapping[str, n.Option]) -> list[list[str]]:
    """The options in groups: what a condition of one speaks of is in its group."""
    groups: list[set[str]] = []
    for name, option in options.items():
        if option.conditions:
            spoken = {name, *(o for c in option.conditions for o in named(c.test) if o in options)}
            for group in [g for g in groups if g & spoken]:
                groups.remove(group)
                spoken |= group
            groups.append(spoken)
    return [[name for name in options if name in group] for group in groups]
