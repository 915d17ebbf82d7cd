"""The flow of control: which places of the rules begin a function of their own, and how one function is written with
Python's own `if`, `while` and `for`.

A node is (procedure, place, part of what stands there). Leaders are nodes that control can come to from elsewhere: a
choice, its branches, what several calls share. From a leader everything up to the next leaders is one function. Where
Python's forms do not fit (two ways meet in a third), the meeting place becomes a leader.
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

Node = tuple[int, int, int]


class Promote(Exception):
    """This node must be a leader; writing begins anew."""

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self.node = node


class Graph(Protocol):
    """What flow must know of the program."""

    leaders: dict[Node, int]

    def leave(self, node: Node) -> str:
        """The line that goes on with the function of a leader."""

    def next(self, node: Node) -> list[Node]:
        """Where control can go from here without stopping; the first of two if the test holds."""


@frozen
class Each:
    """A loop over things that nothing leaves before its end."""

    head: str  # the line that begins it; empty: it is written out, once for every value
    values: tuple[int, ...]  # the things, if they are known
    things: str  # the variable of the list
    body: Node
    after: Node
    procedure: int
    slot: int  # the local that is each thing in turn
    index_slot: int


class Hand(Protocol):
    """Who writes the lines."""

    def write(self, node: Node, indent: int) -> None: ...

    def put(self, indent: int, text: str) -> None: ...

    def branch(self, node: Node, indent: int) -> str:
        """The test of a node with two ways on."""

    def joined(self) -> None:
        """Another way may lead to what comes next: what the lines before made sure of is no longer sure."""

    def limit(self, node: Node, inside: set[Node]) -> tuple[str, str]:
        """How many turns the loop that begins here may have, and what happens then; empty if it surely has an end."""

    def start_of(self, node: Node) -> Node | None:
        """The head of the loop that begins right behind this node."""

    def each(self, node: Node, start: Node, inside: set[Node], graph: Graph, indent: int) -> Each | None:
        """The loop as a `for`, if it is one; what it needs before is written."""

    def turn(self, each: Each, value: int | None, inside: set[Node]) -> None:
        """Lines of one turn follow: with that value, if it is written out."""

    def end(self, each: Each, indent: int) -> None:
        """The loop is written."""


class Function:
    """One function being written."""

    def __init__(self, graph: Graph, hand: Hand) -> None:
        self.graph, self.hand = graph, hand
        self.written = 0  # lines so far
        self.done: set[Node] = set()
        self.loops: list[tuple[Node, Node | None]] = []  # header, where `break` leads
        self.ways: dict[Node, list[Node]] = {}  # from all nodes inside this function, where control can go
        self.head: Node | None = None  # the entry, if it is a leader: the only one inside
        self.whole: dict[Node, set[Node]] = {}  # node -> the outermost loop it is in
        self.inner: dict[frozenset[Node], dict[Node, set[Node]]] = {}  # headers of loops around -> node -> its loop

    def begin(self, entry: Node, around: bool = True) -> None:
        """`around`: what leads back to the entry is a loop; otherwise the function is left for itself."""
        leaders = self.graph.leaders
        self.head = entry if entry in leaders else None
        todo = [entry]
        while todo:
            node = todo.pop()
            if node not in self.ways:
                self.ways[node] = [n for n in self.graph.next(node) if (n == entry and around) or n not in leaders]
                todo += self.ways[node]
        self.whole = cycles(self.ways)
        self.flow(entry, None, 1, first=True)

    def reach(self, start: Node, without: set[Node]) -> list[Node]:
        """What can be come to inside this function, in the order of first visits."""
        found: dict[Node, None] = {}
        todo, ways, head = [start], self.ways, self.head
        while todo:
            node = todo.pop()
            if node in found or node in without or (node == head and node != start):
                continue
            found[node] = None
            todo += ways[node][::-1]
        return list(found)

    def turns(self, node: Node) -> set[Node]:
        """The loop that begins here: what can be come to and leads back, without the loops around it. Nothing for the
        head of one of those."""
        whole = self.whole.get(node, set())
        outer = frozenset([header for header, _ in self.loops if header in whole])
        if not outer:
            return whole
        if outer not in self.inner:
            self.inner[outer] = cycles({n: self.ways[n] for n in whole if n not in outer})
        return self.inner[outer].get(node, set())

    def flow(self, node: Node, follow: Node | None, indent: int, first: bool = False) -> bool:
        """Write from `node` on, up to `follow`; whether the text can fall through to what comes after it."""
        graph = self.graph
        while True:
            if node == follow:
                return True
            if not first:
                if self.loops and node == self.loops[-1][0]:
                    self.line(indent, "continue")
                    return False
                if self.loops and node == self.loops[-1][1]:
                    self.line(indent, "break")
                    return False
                if node in graph.leaders:
                    self.line(indent, graph.leave(node))
                    return False
                for loop in self.loops:
                    if node in loop:
                        raise Promote(node)
            if node in self.done:
                raise Promote(node)
            header = self.hand.start_of(node)
            if header is not None and header not in graph.leaders and header not in self.done:
                after = self._each(node, header, indent)
                if after is not None:
                    node, first = after, False
                    continue
            inside = self.turns(node) if node in self.whole else None
            if inside:
                found = self._while(node, inside, indent)
                if found is None:
                    return False
                node, first = found, False
                continue
            self.done.add(node)
            following = graph.next(node)
            if len(following) < 2 or following[0] == following[1]:
                self.written += 1
                self.hand.write(node, indent)
                if not following:
                    return False
                node, first = following[0], False
                continue
            one, two = following
            meet = self._meet(one, two)
            test = self.hand.branch(node, indent)
            if meet is not None:
                if one == meet:
                    self._arm(f"if {opposite(test)}:", two, meet, indent)
                else:
                    self._arm(f"if {test}:", one, meet, indent)
                    if two != meet:
                        self._arm("else:", two, meet, indent)
                node, first = meet, False
                continue
            if self._arm(f"if {test}:", one, follow, indent):
                self._arm("else:", two, follow, indent)
                return True
            node, first = two, False

    def _arm(self, head: str, node: Node, follow: Node | None, indent: int) -> bool:
        self.line(indent, head)
        written = self.written
        falls = self.flow(node, follow, indent + 1)
        if self.written == written:
            self.line(indent + 1, "pass")
        self.hand.joined()
        return falls

    def line(self, indent: int, text: str) -> None:
        self.written += 1
        self.hand.put(indent, text)

    # ---- loops

    def _while(self, node: Node, inside: set[Node], indent: int) -> Node | None:
        leaves = {n for m in inside for n in self.graph.next(m) if n not in inside and n not in self.graph.leaders}
        leaves -= {header for header, _ in self.loops}
        after = self._leave(leaves)
        self.loops.append((node, after))
        most, fault = self.hand.limit(node, inside)
        self.line(indent, f"for _ in repeat(None, {most}):" if most else "while True:")
        self.hand.joined()
        self.flow(node, None, indent + 1, first=True)
        self.hand.joined()
        if most:
            self.line(indent, f"else: {fault}")
        self.loops.pop()
        return after

    def _each(self, start: Node, header: Node, indent: int) -> Node | None:
        """A loop as a `for`, or written out; the node after it, or None if it is another kind of loop."""
        inside = self.turns(header)
        if not inside or inside & self.done:
            return None
        each = self.hand.each(header, start, inside, self.graph, indent)
        if each is None:
            return None
        self.written += 1
        self.loops.append((header, None))
        self.hand.joined()
        if each.head:
            self.line(indent, each.head)
            self.hand.turn(each, None, inside)
            written = self.written
            self.flow(each.body, None, indent + 1)
            if self.written == written:
                self.line(indent + 1, "pass")
        else:
            for value in each.values:
                self.hand.turn(each, value, inside)
                self.done -= inside
                self.flow(each.body, header, indent)
        self.loops.pop()
        self.done |= inside | {start}
        self.hand.joined()
        self.hand.end(each, indent)
        return each.after

    def _leave(self, leaves: set[Node]) -> Node | None:
        """Where `break` leads: the one of several ways out that all others come to."""
        if not leaves:
            return None
        if len(leaves) == 1:
            return next(iter(leaves))
        for one in sorted(leaves):
            if all(one in self.reach(other, set()) for other in leaves if other != one):
                return one
        raise Promote(min(leaves))

    def _meet(self, one: Node, two: Node) -> Node | None:
        """Where two ways come together again."""
        stops = {n for loop in self.loops for n in loop if n is not None}
        ways = []
        for way in (one, two):
            if way in stops or way in self.graph.leaders:
                return None
            ways.append(self.reach(way, stops))
        common = set(ways[0]) & set(ways[1])
        for node in ways[0]:
            if node in common and common <= set(self.reach(node, stops)):
                return node
        return None


def opposite(test: str) -> str:
    return test[4:] if test.startswith("not ") and test[4:].isidentifier() else f"not {test}"


def cycles(ways: dict[Node, list[Node]]) -> dict[Node, set[Node]]:
    """The nodes that lead back to themselves, each with all that do so together (Tarjan's strong components).

    Nodes are numbered, and those that nothing leads to, or only such as were left out before, are left out first:
    mostly nothing is left."""
    nodes = list(ways)
    places = {node: place for place, node in enumerate(nodes)}
    following = [[places[one] for one in ones if one in places] for ones in ways.values()]
    before = [0] * len(nodes)
    for ones in following:
        for one in ones:
            before[one] += 1
    todo = [place for place, count in enumerate(before) if not count]
    left = len(nodes) - len(todo)
    while todo:
        for one in following[todo.pop()]:
            before[one] -= 1
            if not before[one]:
                todo.append(one)
                left -= 1
    if not left:
        return {}
    return _components(nodes, following, [place for place, count in enumerate(before) if count])


def _components(nodes: list[Node], following: list[list[int]], roots: list[int]) -> dict[Node, set[Node]]:
    found: dict[Node, set[Node]] = {}
    number, low = [-1] * len(nodes), [0] * len(nodes)
    count = 0
    open_ones: list[int] = []
    waiting = [False] * len(nodes)
    for root in roots:
        path = [] if number[root] >= 0 else [(root, iter(following[root]))]
        while path:
            node, ones = path[-1]
            if number[node] < 0:
                number[node] = low[node] = count
                count += 1
                open_ones.append(node)
                waiting[node] = True
            for one in ones:
                if number[one] < 0:
                    path.append((one, iter(following[one])))
                    break
                if waiting[one] and number[one] < low[node]:
                    low[node] = number[one]
            else:
                path.pop()
                if path and low[node] < low[path[-1][0]]:
                    low[path[-1][0]] = low[node]
                if low[node] == number[node]:
                    together = open_ones[open_ones.index(node) :]
                    del open_ones[-len(together) :]
                    for one in together:
                        waiting[one] = False
                    if len(together) > 1 or node in following[node]:
                        whole = {nodes[one] for one in together}
                        found.update(dict.fromkeys(whole, whole))
    return found
