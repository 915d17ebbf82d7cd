"""Which places control can go to inside one function, and which of them lead back to themselves.

In: a beginning, and what follows each place. Out: what can be come to from a place, and the loops. Places are numbered,
since a number is compared quicker than a node; who asks says nodes and is told nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

Node = tuple[int, int, int]
Loops = dict[Node, set[Node]]  # from each node in a loop to all that are in it


class Ways:
    """All places that can be come to from one, `entry`."""

    def __init__(self, entry: Node, following: Callable[[Node], list[Node]]) -> None:
        self.number: dict[Node, int] = {entry: 0}
        self.nodes: list[Node] = [entry]
        self.after: list[list[int]] = []
        for node in self.nodes:  # which grows
            ones = []
            for one in following(node):
                number = self.number.setdefault(one, len(self.nodes))
                if number == len(self.nodes):
                    self.nodes.append(one)
                ones.append(number)
            self.after.append(ones)
        self.backwards = [ones[::-1] for ones in self.after]

    def reach(self, start: Node, stops: Collection[Node]) -> list[int]:
        """The numbers of what can be come to, in the order of first visits."""
        number = self.number
        seen = {number[stop] for stop in stops if stop in number}
        found, todo, backwards = [], [number[start]], self.backwards
        while todo:
            place = todo.pop()
            if place not in seen:
                seen.add(place)
                found.append(place)
                todo += backwards[place]
        return found

    def loops(self, among: Iterable[Node] | None = None) -> Loops:
        """The nodes that lead back to themselves, each with all that do so together (strong components). `among`: of
        these alone."""
        places = range(len(self.nodes)) if among is None else [self.number[node] for node in among]
        return {
            self.nodes[place]: whole
            for together in _together(dict.fromkeys(places, 0), self.after)
            for whole in [{self.nodes[place] for place in together}]
            for place in together
        }


def _together(before: dict[int, int], after: list[list[int]]) -> Iterator[list[int]]:
    """Strong components by Tarjan. Places that nothing leads to, or only such as were left out before, are left out
    first: mostly nothing is left. `before`: the places, each with 0."""
    for place in before:
        for one in after[place]:
            if one in before:
                before[one] += 1
    todo = [place for place, count in before.items() if not count]
    while todo:
        place = todo.pop()
        del before[place]
        for one in after[place]:
            if one in before:
                before[one] -= 1
                if not before[one]:
                    todo.append(one)
    order: dict[int, int] = {}  # place -> its number in the order of first visits
    low: dict[int, int] = {}
    open_ones: dict[int, None] = {}
    for root in before:
        path = [] if root in order else [(root, iter(after[root]))]
        while path:
            place, ones = path[-1]
            if place not in order:
                order[place] = low[place] = len(order)
                open_ones[place] = None
            for one in ones:
                if one not in before:
                    continue
                if one not in order:
                    path.append((one, iter(after[one])))
                    break
                if one in open_ones and order[one] < low[place]:
                    low[place] = order[one]
            else:
                path.pop()
                if path and low[place] < low[path[-1][0]]:
                    low[path[-1][0]] = low[place]
                if low[place] == order[place]:
                    together: list[int] = []
                    while not together or together[-1] != place:
                        together.append(open_ones.popitem()[0])
                    if len(together) > 1 or place in after[place]:
                        yield together
