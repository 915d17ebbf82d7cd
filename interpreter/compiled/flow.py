"""The flow of control: which places of the rules begin a function of their own, and how one function is written with
Python's own `if`, `while` and `for`.

A node is (procedure, place, part of what stands there). Leaders are nodes that control can come to from elsewhere: a
choice, its branches, what several calls share. From a leader everything up to the next leaders is one function. Where
Python's forms do not fit (two ways meet in a third), the meeting place becomes a leader.
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from cambist.interpreter.compiled.ways import Loops, Node, Ways

ONCE = "for _ in repeat(None, 1):"


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

    def count(self) -> int:
        """Lines so far."""

    def wrap(self, first: int, indent: int, head: str) -> None:
        """The lines from there on become a block of their own."""

    def begin(self, node: Node) -> None:
        """A function begins here: with what the lines before it, which are elsewhere, would have left."""

    def branch(self, node: Node, indent: int) -> str:
        """The test of a node with two ways on."""

    def joined(self) -> None:
        """Another way may lead to what comes next: what the lines before made sure of is no longer sure."""

    def limit(self, node: Node, inside: set[Node]) -> tuple[str, str]:
        """How many turns the loop that begins here may have, and what happens then; empty if it surely has an end."""

    def around(self, node: Node, inside: set[Node], indent: int) -> None:
        """A turn of the loop that begins here."""

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
        self.done: set[Node] = set()
        self.loops: list[tuple[Node, Node | None]] = []  # header, where `break` leads
        self.left_early: set[Node] = set()  # headers of loops a turn of which ends before its last line
        self.head: Node | None = None  # the entry, if it is a leader: the only one inside
        self.inner: dict[frozenset[Node], Loops] = {}  # headers of loops around -> the loops without them

    def begin(self, entry: Node, around: bool = True) -> None:
        """`around`: what leads back to the entry is a loop; otherwise the function is left for itself."""
        leaders = self.graph.leaders
        self.head = entry if entry in leaders else None

        def following(node: Node) -> list[Node]:
            return [n for n in self.graph.next(node) if (n == entry and around) or n not in leaders]

        self.ways = Ways(entry, following)
        self.whole = self.ways.loops()  # the outermost
        self.hand.begin(entry)
        self.flow(entry, None, 1, first=True)

    def turns(self, node: Node) -> set[Node]:
        """The loop that begins here: what can be come to and leads back, without the loops around it. Nothing for the
        head of one of those."""
        whole = self.whole.get(node, set())
        outer = frozenset([header for header, _ in self.loops if header in whole])
        if not outer:
            return whole
        if outer not in self.inner:
            self.inner[outer] = self.ways.loops(whole - outer)
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
                    self.left_early.add(node)
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
        written = self.hand.count()
        falls = self.flow(node, follow, indent + 1)
        if self.hand.count() == written:
            self.line(indent + 1, "pass")
        self.hand.joined()
        return falls

    def line(self, indent: int, text: str) -> None:
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
        self.hand.around(node, inside, indent + 1)
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
        self.loops.append((header, None))
        self.hand.joined()
        if each.head:
            self.line(indent, each.head)
            self.hand.turn(each, None, inside)
            written = self.hand.count()
            self.flow(each.body, None, indent + 1)
            if self.hand.count() == written:
                self.line(indent + 1, "pass")
        else:
            for value in each.values:
                self.hand.turn(each, value, inside)
                self.done -= inside
                self.left_early.discard(header)
                written = self.hand.count()
                self.flow(each.body, header, indent)
                if header in self.left_early:  # `continue` needs a loop around it
                    self.hand.wrap(written, indent, ONCE)
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
        ways = self.ways
        for one in sorted(leaves):
            if all(ways.number[one] in ways.reach(other, self._stops(other)) for other in leaves if other != one):
                return one
        raise Promote(min(leaves))

    def _meet(self, one: Node, two: Node) -> Node | None:
        """Where two ways come together again."""
        stops = {n for loop in self.loops for n in loop if n is not None}
        if any(way in stops or way in self.graph.leaders for way in (one, two)):
            return None
        first = self.ways.reach(one, stops | self._stops(one))
        common = {*first} & {*self.ways.reach(two, stops | self._stops(two))}
        for number in first:
            if number in common:
                node = self.ways.nodes[number]
                if common <= {*self.ways.reach(node, stops | self._stops(node))}:
                    return node
        return None

    def _stops(self, start: Node) -> set[Node]:
        """Behind the entry nothing follows, unless one begins there."""
        return set() if self.head is None or self.head == start else {self.head}


def opposite(test: str) -> str:
    return test[4:] if test.startswith("not ") and test[4:].isidentifier() else f"not {test}"
