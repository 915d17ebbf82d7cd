"""Things of a list by what is the same for them: counted by digits of one number, or looked up in an index.

Where folds stand inside of a function that remembers (remembering.py), or among the answers of a choice, what is the
same for all things is worked out before: how many of each class of equal things there are, which have which key.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define

from cambist.dsl import program as p
from cambist.interpreter.compiled.expressions import ENDS, KEYED, KNOWN, Expressions, substituted
from cambist.interpreter.compiled.knowing import Scope
from cambist.interpreter.compiled.reads import cell_of, surely
from cambist.interpreter.compiled.walking import every_node, used

FEW = 4  # digits that are added up


@define
class Classes:
    """How many of each class of equal things are in a list: digits of one number."""

    name: str
    first: list[int]  # a component of each class
    of: list[int]  # component -> class
    shifts: list[int]  # where the digit of a class begins; the last one is where they end

    def digit(self, number: int) -> str:
        shift, most = self.shifts[number], self.most(number)
        return f"({self.name} >> {shift} & {most})" if shift else f"({self.name} & {most})"

    def most(self, number: int) -> int:
        """The largest that a digit can be."""
        return (1 << self.shifts[number + 1] - self.shifts[number]) - 1


@define
class Around:
    """What is known where a fold stands: inside of a function that remembers, or among the answers of a choice."""

    before: Callable[[str], str]  # takes out what is the same for all things
    lists: set[p.Expr]  # lists of plain things
    elements: dict[int, p.Expr]  # locals that are things of a list
    classes: dict[int, Classes] = Factory(dict)  # lists whose classes are counted
    remembers: bool = False
    keys: dict[int, tuple[p.Expr, str, str]] = Factory(dict)  # a thing's local -> its key: what, its name, all keys


def by_keys(things: list[int], keys: list[int]) -> dict[int, list[int]]:
    """The things by their keys: what compiled rules call."""
    found: dict[int, list[int]] = {}
    get = found.get
    for thing, key in zip(things, keys):  # noqa: B905  # as many keys as things: asking costs more than a turn
        alike = get(key)
        if alike is None:
            found[key] = [thing]
        else:
            alike.append(thing)
    return found


def digits(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """A count of things of a list whose classes are counted already."""
    if e.around is None or node.op != "count" or len(node.loops) != 1 or node.where is None:
        return None
    (loop,) = node.loops
    classes = e.around.classes.get(loop.items.slot) if isinstance(loop.items, p.ELocal) else None
    if classes is None:
        return None
    open_ones = {slot for slot in used(node.where) - {loop.slot} if type(scope.bound.get(slot)) is not int}
    if not open_ones:
        tests = [e.truth_known(node.where, scope.bind(loop.slot, one)) for one in classes.first]
        found = [classes.digit(number) for number, test in enumerate(tests) if test]
        return None if None in tests or not 0 < len(found) < FEW else f"({' + '.join(found)})"
    (other, *more) = open_ones
    if more or e.around.elements.get(other) != loop.items:
        return None
    places = []
    for one in classes.first:  # the things that are like a thing of the list: those of one class
        inside = scope.bind(other, one)
        tests = [e.truth_known(node.where, inside.bind(loop.slot, each)) for each in classes.first]
        if None in tests or tests.count(True) > 1:
            return None
        places.append(tests.index(True) if True in tests else -1)
    thing = scope.read(other)
    shifts = e.constant(("row", *(classes.shifts[places[number]] for number in classes.of)))
    most = [0 if place < 0 else classes.most(place) for place in places]
    if len(set(most)) == 1:
        return f"({classes.name} >> {shifts}[{thing}] & {most[0]})"
    largest = e.constant(("row", *(most[number] for number in classes.of)))
    return f"({classes.name} >> {shifts}[{thing}] & {largest}[{thing}])"


def groups(e: Expressions, node: p.Expr | None) -> tuple[int, p.Expr, p.Expr] | None:
    """Of a fold over all things of a list with a wanted key: the local of the thing, its key, the wanted one."""
    if e.around is None or not isinstance(node, p.EFold) or node.op != "all" or len(node.loops) != 1:
        return None
    (loop,) = node.loops
    if loop.items not in e.around.lists or not isinstance(node.where, p.EOp) or node.where.op != "=":
        return None
    mine, wanted = node.where.left, node.where.right
    if loop.slot in used(wanted):
        mine, wanted = wanted, mine
    if used(mine) != {loop.slot} or loop.slot in used(wanted) or not used(wanted) & set(e.around.elements):
        return None
    e.around.elements[loop.slot] = loop.items
    return (loop.slot, mine, wanted) if _plain(e, mine) and _plain(e, wanted) else None


def keyed(
    e: Expressions, slots: tuple[int, ...], items: p.Expr, parts: list[p.Expr], scope: Scope
) -> tuple[str, str] | None:
    """The names of the key of the thing at hand and of all keys, if others of the list with the same are asked for."""
    if e.around is None or not e.around.remembers or items not in e.around.lists:
        return None
    for node in every_node(tuple(parts)):
        found = groups(e, node)
        if found is None or node.loops[0].items != items:
            continue
        own, mine, wanted = found
        for slot in slots:
            if substituted(mine, {own: p.ELocal(slot)}, 0) == wanted:
                keys = e.around.before(_keys(e, own, mine, items, scope))
                name = e.fresh("w")
                e.around.keys[slot] = (wanted, name, keys)
                return name, keys
    return None


def _keys(e: Expressions, slot: int, mine: p.Expr, items: p.Expr, scope: Scope) -> str:
    return f"[{e.part(mine, scope.bind(slot, 'v'))} for v in {e.things(items, scope)}]"


def of_its_own(e: Expressions, node: p.Expr) -> tuple[str, str] | None:
    """Of a fold over all things with the key of the thing at hand, which is one of them: that key, and all keys."""
    while isinstance(node, p.ENot) and isinstance(node.value, p.ENot):
        node = node.value.value
    found = groups(e, node)
    if found is None:
        return None
    for wanted, name, keys in e.around.keys.values():
        if wanted == found[2]:
            return name, keys
    return None


def of_a_key(e: Expressions, node: p.EFold, scope: Scope) -> str | None:
    """All things of a list for which something is the same as for the thing at hand: looked up in an index."""
    found = groups(e, node)
    if found is None:
        return None
    own, mine, wanted = found
    items = node.loops[0].items
    key = of_its_own(e, node)
    if key is not None:
        return f"{e.around.before(f'by_keys({e.things(items, scope)}, {key[1]})')}[{key[0]}]"
    index = e.around.before(f"by_keys({e.things(items, scope)}, {_keys(e, own, mine, items, scope)})")
    return f"{index}.get({e.part(wanted, scope)}, {e.constant(())})"


def last_of_a_key(e: Expressions, node: p.EEnd, scope: Scope) -> str | None:
    """The last of those."""
    key = of_its_own(e, node.items) if node.last else None
    if key is None:
        return None
    assert isinstance(node.items, p.EFold)
    return f"{e.around.before(f'dict(zip({key[1]}, {e.things(node.items.loops[0].items, scope)}))')}[{key[0]}]"


def is_the_last(e: Expressions, test: p.Expr, slots: tuple[int, ...]) -> bool:
    """Whether a condition says that the thing at hand is itself the last of those."""
    if not isinstance(test, p.EOp) or test.op != "=":
        return False
    for end, thing in ((test.left, test.right), (test.right, test.left)):
        if isinstance(end, p.EEnd) and end.last and isinstance(thing, p.ELocal) and thing.slot in slots:
            return of_its_own(e, end.items) is not None
    return False


def around(e: Expressions, picks: tuple[p.Pick, ...], before: Callable[[str], str]) -> Around:
    """The answers of a choice: the zones that are looked into anyhow, and which picks are things of zones."""
    elements: dict[int, p.Expr] = {}
    for pick in picks:
        items = pick.source
        while isinstance(items, p.EFold) and items.op == "all":
            items = items.loops[0].items
        if isinstance(items, p.EContents):
            elements[pick.slot] = items
    return Around(before, {zone for zone in surely(picks[0].source) if not e.is_number(zone)}, elements)


def _plain(e: Expressions, node: p.Expr) -> bool:
    """Whether this is certainly a number."""
    match node:
        case p.EConst():
            return True
        case p.ELocal():
            return node.slot in e.around.elements
        case p.EAttr():
            return not e.lists[node.attr]
        case p.EVar():
            return e.kind(node) == "int" and cell_of(node.index) is not None
        case p.EIf():
            return _plain(e, node.then) and _plain(e, node.other)
        case _:
            return False


KNOWN += [digits, of_a_key]
ENDS.append(last_of_a_key)
KEYED += [keyed, of_its_own, is_the_last]
