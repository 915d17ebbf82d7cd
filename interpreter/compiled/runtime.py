"""What compiled rules call: the few things that are no single line of Python. `S` is the flat list of cells.

Places of rules are numbers here; who calls `helpers` turns them into faults that point into the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cambist.dsl.program import MISSING
from cambist.interpreter.chance import Source, shuffled
from cambist.interpreter.compiled.layout import DECISIONS, FORCED, FUEL, RNG, TENTATIVE, bits, mask_of
from cambist.interpreter.limits import LARGEST_NUMBER, LIST_SIZE

Cells = list[Any]
MANY = 12  # components that are not looked for one by one


Fail = Callable[..., Exception]  # name of the fault, number of its place, what it says


def permuted(S: Cells, things: list[int], count: int) -> list[int]:
    """The first `count` of the things in a random order."""
    S[RNG], found = shuffled(S[RNG], things, count)
    return found


def below(many: int, bits: Callable[[int], int]) -> int:
    return Source.of(bits).below(many)


def subsets(values: tuple[int, ...]) -> list[list[int]]:
    """What is left of the values, by the bits of a number."""
    return [[v for k, v in enumerate(values) if bits >> k & 1] for bits in range(1 << len(values))]


def once(components: list[int]) -> list[int]:
    """A thing named twice is moved once."""
    return list(dict.fromkeys(components))


def separate(lists: list[Any]) -> list[Any]:
    """The same, each a list of its own."""
    return [value[:] if type(value) is list else value for value in lists]


def take(S: Cells, c: int, cells: Sequence[int]) -> int:
    """Take a component from wherever it lies; the cell of the zone."""
    if c >= 0:
        for cell in cells:
            lying = S[cell]
            if type(lying) is int:
                if lying >> c & 1:
                    S[cell] = lying ^ 1 << c
                    return cell
            elif c in lying:
                S[cell] = lying = lying[:]
                lying.remove(c)
                return cell
    raise IndexError  # nobody, or nothing


def taken(S: Cells, components: list[int], guess: int, first: int, last: int) -> list[int]:
    """Take components from wherever they lie, probably from one zone."""
    lying = S[guess]
    if type(lying) is list and len(components) < MANY:
        left = lying[:]
        try:
            for c in components:
                left.remove(c)
        except ValueError:  # elsewhere, or named twice
            pass
        else:
            S[guess] = left
            return components
    components = once(components)
    wanted = set(components)
    for cell in range(first, last):
        lying = S[cell]
        if type(lying) is int:
            here = {c for c in wanted if c >= 0 and lying >> c & 1}
            for c in here:
                lying ^= 1 << c
            S[cell] = lying
        else:
            here = wanted.intersection(lying)
            if here:
                S[cell] = [c for c in lying if c not in here]
        wanted.difference_update(here)
        if not wanted:
            return components
    raise IndexError  # nobody, or nothing


def left_of(lying: list[int], moved: list[int]) -> list[int]:
    """What is left of a zone without some of what lies in it."""
    if len(moved) == len(lying):
        return []
    if len(moved) < MANY:
        left = lying[:]
        for c in moved:
            left.remove(c)
        return left
    gone = set(moved)
    return [c for c in lying if c not in gone]


def sources(S: Cells, components: list[int], first: int, last: int) -> list[int]:
    """The zone each lies in."""
    found = []
    for c in components:
        for cell in range(first, last):
            lying = S[cell]
            if lying >> c & 1 if type(lying) is int else c in lying:
                found.append(cell - first)
                break
        else:
            raise IndexError
    return found


def depths(S: Cells, components: Sequence[int], zones: Sequence[int], first: int) -> tuple[int, ...]:
    """How deep each lies in its zone."""
    found = []
    for c, zone in zip(components, zones, strict=False):
        lying = S[first + zone]
        found.append((lying & (1 << c) - 1).bit_count() if type(lying) is int else lying.index(c))
    return tuple(found)


def lies_in(lying: Any, c: int) -> bool:
    if c < 0:
        raise IndexError
    return bool(lying >> c & 1) if type(lying) is int else c in lying


def laid(lying: list[int], moved: list[int], order: str, end: str) -> list[int]:
    if order == "bag":
        return sorted(lying + moved)
    if end == "start" or (end == "" and order == "pile"):
        return moved + lying
    return lying + moved


def forget(tentative: tuple[Any, ...], procedure: int) -> tuple[Any, ...]:
    """Tentative blocks of a procedure that is over are over."""
    while tentative and tentative[-1][0] == procedure:
        tentative = tentative[:-1]
    return tentative


def rolled_back(S: Cells) -> int:
    """All as it was when the innermost tentative block began; where to go on."""
    *rest, kept = S[TENTATIVE]
    decisions, fuel, forced = S[DECISIONS], S[FUEL], S[FORCED]
    S[:] = kept[5]
    S[TENTATIVE], S[DECISIONS], S[FUEL], S[FORCED] = tuple(rest), decisions, fuel, forced
    return int(kept[2])


PLAIN = (
    permuted, below, subsets, once, separate, take, taken, left_of, sources, depths, lies_in, bits, mask_of, laid,
    forget, rolled_back,
)  # fmt: skip
REMEMBERED = 50_000  # bags
AT_ONCE = 8  # answers of which all lists are made at once


def helpers(Failed: Fail) -> dict[str, Any]:
    """The functions compiled rules call, by name; `Failed` words a fault."""

    def spend(S: Cells, items: list[Any], place: int, weight: int) -> list[Any]:
        S[FUEL] -= len(items) * weight
        if S[FUEL] < 0:
            raise Failed("too_many_steps", place)
        return items

    def times(left: int, right: int, place: int) -> int:
        value = left * right
        if -LARGEST_NUMBER < value < LARGEST_NUMBER:
            return value
        raise Failed("bad_number", place, "the product is too large")

    def divide(left: int, right: int, up: bool, place: int) -> int:
        if right == 0:
            raise Failed("bad_number", place, "a division by zero")
        return -(-left // right) if up else left // right

    def look_up(table: tuple[int, ...], key: int, place: int) -> int:
        if not 0 <= key < len(table) or table[key] == MISSING:
            raise Failed("no_entry", place, key)
        return table[key]

    def none(which: int, place: int) -> list[Any]:
        raise Failed("empty", place, "the last" if which else "the first")

    def within(value: int, place: int) -> int:
        if -LARGEST_NUMBER < value < LARGEST_NUMBER:
            return value
        raise Failed("bad_number", place, "the number is too large")

    def no_entry(key: int, place: int) -> int:
        raise Failed("no_entry", place, key)

    def between(low: int, high: int, step: int, place: int) -> list[int]:
        if step < 1:
            raise Failed("bad_number", place, "a range with a step below 1")
        if (high - low) // step >= LIST_SIZE:
            raise Failed("too_long", place, LIST_SIZE)
        return list(range(low, high + 1, step))

    def join(items: list[Any], more: list[Any], place: int) -> list[Any]:
        if len(items) + len(more) > LIST_SIZE:
            raise Failed("too_long", place, LIST_SIZE)
        return [*items, *more]

    def next_seat(player: int, players: int, place: int) -> int:
        if not 0 <= player < players:
            raise Failed("nothing_there", place)
        return (player + 1) % players

    def extreme(values: list[int], most: bool, default: Callable[[], int] | None, place: int) -> int:
        if values:
            return max(values) if most else min(values)
        if default is None:
            raise Failed("empty", place, "the most" if most else "the least")
        return int(default())

    def best(
        left: list[int],
        criteria: tuple[tuple[bool, Callable[[list[int]], list[int]]], ...],
        policy: str,
        default: Callable[[], Any] | None,
        place: int,
    ) -> Any:
        if not left:
            if default is None:
                raise Failed("empty", place, "the best")
            return default()
        for most, value in criteria:
            if len(left) == 1:
                break
            values = value(left)
            top = max(values) if most else min(values)
            if values.count(top) == 1:
                left = [left[values.index(top)]]
                break
            left = [item for item, found in zip(left, values, strict=True) if found == top]
        if policy == "all":
            return left
        if len(left) > 1 and not policy:
            raise Failed("still_tied", place)
        return left[0]

    def stored(value: Any, place: int) -> Any:
        """A value of unknown kind as it is kept: a yes or no as 1 or 0, a number within bounds."""
        if type(value) is list:
            return value
        if not -LARGEST_NUMBER < value < LARGEST_NUMBER:
            raise Failed("bad_number", place, "the number is too large")
        return int(value)

    failing = (
        spend,
        times,
        divide,
        look_up,
        none,
        within,
        no_entry,
        between,
        join,
        next_seat,
        extreme,
        best,
        stored,
    )
    return {function.__name__: function for function in (*PLAIN, *failing)} | {"Failed": Failed}


class Bits(dict[int, list[int]]):
    """The components of bags that are numbers. Such lists are never changed, so each is made once."""

    def __missing__(self, number: int) -> list[int]:
        if len(self) >= REMEMBERED:
            self.clear()
        self[number] = found = bits(number)
        return found


class Sums(dict[int, int]):
    """What is printed on components, summed up for a set of them that is a number; each sum is made once."""

    def __init__(self, column: tuple[int, ...]) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, number: int) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        self[number] = found = sum(self.column[c] for c in bits(number))
        return found


def ready(answers: tuple[Any, ...]) -> Any:
    """Lists of ready-made answers by the bits of those that are possible: all of them, or those that are met."""
    if len(answers) > AT_ONCE:
        return Ready(answers)
    return [[answer for k, answer in enumerate(answers) if bits >> k & 1] for bits in range(1 << len(answers))]


class Ready(dict[int, list[Any]]):
    """Lists of ready-made answers by the bits of those that are possible; each list is made when it is first met."""

    def __init__(self, answers: tuple[Any, ...]) -> None:
        super().__init__()
        self.answers = answers

    def __missing__(self, bits: int) -> list[Any]:
        self[bits] = found = [answer for k, answer in enumerate(self.answers) if bits >> k & 1]
        return found


class Worked(dict[int, Any]):
    """What a definition gives for each of few lists or sums, by their bits; worked out when it is first asked."""

    def __init__(self, definition: Callable[[Any], Any], given: list[list[int]] | Sums) -> None:
        super().__init__()
        self.definition, self.given = definition, given

    def __missing__(self, bits: int) -> Any:
        self[bits] = found = self.definition(self.given[bits])
        return found
