"""Ways through a function: loops and what can be come to, held against plain searching."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cambist.interpreter.compiled.ways import Node, Ways

PLACES = st.integers(0, 9)
GRAPHS = st.dictionaries(PLACES, st.lists(PLACES, max_size=2), max_size=10)


def node(place: int) -> Node:
    return (0, place, 0)


def come_to(graph: dict[int, list[int]], start: int, stops: frozenset[int] = frozenset()) -> set[int]:
    """What can be come to, the start only if something leads back to it."""
    found: set[int] = set()
    todo = [*graph.get(start, ())]
    while todo:
        place = todo.pop()
        if place not in found and place not in stops:
            found.add(place)
            todo += graph.get(place, ())
    return found


@given(GRAPHS, st.frozensets(PLACES, max_size=4))
def test_ways_are_those_of_plain_searching(graph: dict[int, list[int]], stops: frozenset[int]) -> None:
    ways = Ways(node(0), lambda one: [node(place) for place in graph.get(one[1], ())])
    inside = {0} | come_to(graph, 0)
    assert {place for _, place, _ in ways.nodes} == inside
    for start in inside:
        found = [ways.nodes[number] for number in ways.reach(node(start), {node(stop) for stop in stops})]
        assert len(found) == len(set(found))
        expected = set() if start in stops else {start} | come_to(graph, start, stops)
        assert set(found) == {node(place) for place in expected}
        assert not found or found[0] == node(start)


@given(GRAPHS, st.frozensets(PLACES, max_size=4))
def test_loops_are_what_leads_back_to_itself(graph: dict[int, list[int]], without: frozenset[int]) -> None:
    ways = Ways(node(0), lambda one: [node(place) for place in graph.get(one[1], ())])
    inside = {0} | come_to(graph, 0)
    for among in (inside, inside - without):
        left = {place: [to for to in graph.get(place, ()) if to in among] for place in among}
        loops = ways.loops({node(place) for place in among})
        expected = {
            node(place): {node(other) for other in come_to(left, place) if place in come_to(left, other)}
            for place in among
            if place in come_to(left, place)
        }
        assert loops == expected
    assert ways.loops() == ways.loops({node(place) for place in inside})
