"""Forms that the compiled engine does not write as they stand: what they become, and that it is the same.

folds.rules has all of them. What they become is looked for in the source, so that no form is left to chance.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cambist
from cambist.dsl.api import check_text, lower
from cambist.interpreter.chance import FEW, Source
from cambist.interpreter.compiled import CompiledMachine, drawing
from cambist.interpreter.compiled.drawing import in_piles, in_piles_by_marks
from cambist.interpreter.compiled.runtime import Sums, Worked
from cambist.interpreter.compiled.tallies import tallied
from cambist.interpreter.side_by_side import Sides
from tests.laws.tables import game

RULES = Path(__file__).with_name("folds.rules")


@pytest.fixture(scope="module")
def sides() -> Sides:
    return Sides(lower(cambist.load(str(RULES)).ruleset, 2))


def test_both_engines_play_the_same(sides: Sides) -> None:
    assert sides.play(3, 6) > 60
    assert Sides(lower(cambist.load(str(RULES)).ruleset, 3), plain=False).play(4, 3) > 30


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("a fold inside of a fold is remembered with its list", "if kept is not None and kept[0] is a0"),
        ("or under a number that counts each class of things", "n0 = sum(map("),
        ("a count of a class reads that number", "(n0 >> 2 & 3)"),
        ("things by their keys", "by_keys(a0, same0)"),
        ("the last of those with the key of the thing at hand", "same1 = {*dict(zip(same0, a0)).values()}"),
        ("later picks run through a list that is made once", "if some"),
        ("what is printed on two components is a table", "for k in ("),
        ("values that stand on every thing", "reduce(both, map("),
        ("two different things that are alike", "(not alike("),
        ("no thing has the same on it", " not in map("),
        ("some things under a condition", "chosen_under(left, least, holds, X)"),
        ("piles whose things share a mark", "in_piles_by_marks(left, "),
        ("piles under any condition", "in_piles(left, lawful, X)"),
    ],
)  # fmt: skip
def test_what_is_written(sides: Sides, form: str, written: str) -> None:
    assert sides.quick.rules is not None
    assert written in sides.quick.rules.source.text, form


@pytest.mark.parametrize("few", [FEW, 3])  # so many that numbers of 24 bits do, and more
@given(st.lists(st.integers(0, 15), max_size=12), st.integers(0, 2**32))
def test_piles_by_marks_are_drawn_as_others(few: int, kinds: list[int], seed: int) -> None:
    """The same piles of the same numbers; here a thing's kind has its mark and its look in it."""
    marks, looks = [1 | kind & 6 if kind & 1 else kind & 6 or 8 for kind in kinds], [kind & 3 for kind in kinds]
    quick, plain = Source(seed), Source(seed)

    def lawful(pile: list[int]) -> bool:
        return any(all(marks[one] & bit for one in pile) for bit in (1, 2, 4, 8)) and len(
            {looks[one] for one in pile}
        ) == len(pile)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "FEW", few)
        found = in_piles_by_marks([*range(len(kinds))], marks.__getitem__, looks.__getitem__, quick.bits)
        assert found == in_piles([*range(len(kinds))], lawful, plain.bits)
    assert quick.bits(24) == plain.bits(24), "as many numbers were drawn"


def changed(*lines: tuple[str, str]) -> Any:
    """The rules with other lines in them, played on both sides."""
    text = RULES.read_text("utf-8")
    for old, new in lines:
        assert old in text
        text = text.replace(old, new)
    ruleset, _ = check_text(text)
    assert ruleset is not None
    return Sides(lower(ruleset, 2))


def test_a_fault_inside_is_told_at_its_place() -> None:
    """A table without the entry: the same fault, from the same line, in both engines."""
    both = changed(("2: 5, 3: 9", "3: 9"))
    both.play(3, 4)


def test_lists_that_may_have_something_twice_are_counted_with_room() -> None:
    both = changed(
        (
            "such that strength(cards) >= due",
            "such that cards is not empty and strength([first of cards, first of cards]) + strength(cards) >= due",
        )
    )
    both.play(5, 2)
    assert "(n0 >> 2 & 3)" not in both.quick.rules.source.text


def test_what_a_definition_gives_for_a_few_lists_is_worked_out_once() -> None:
    asked = []

    def definition(values: list[int]) -> int:
        asked.append(values)
        return sum(values)

    table = Worked(definition, [[], [3], [5], [3, 5]])
    assert [table[3], table[3], table[0]] == [8, 8, 0]
    assert asked == [[3, 5], []]


def test_sums_over_one_hand_are_asked_of_its_number() -> None:
    machine = game("money").machine(4, engine="compiled")
    assert isinstance(machine, CompiledMachine) and machine.rules is not None
    e, program = machine.rules.source.e, machine.program
    rest = (0,) * (len(program.components) - 4)
    worth, coins = (e.constant(("column", *first, *rest)) for first in ((0, 5, 7, 0), (1, 0, 1, 1)))
    pure = next(k for k, one in enumerate(program.functions) if one.name == "kept")
    looks = next(k for k, one in enumerate(program.functions) if one.name == "score")
    hand = f"S[{e.layout.zones + 1}]"
    asked = [
        *(f"sum(map({worth}, {hand}))", f"sum(map({coins}, {hand}))"),
        *(f"(sum(map({coins}, {hand})) == {many})" for many in (3, 2)),
        *(f"F{which}(S, sum(map({worth}, {hand})))" for which in (pure, looks)),
        f"(2 * sum(map({coins}, {hand})) == 3 + y)",
    ]
    first, then = tallied(e, [f"x = [{', '.join(asked)}]"])
    name, _, number = first.partition(" = ")
    assert number == f"sum(map(BIT_OF, {hand}))"
    sums = e.constant(("sums", 0, 5, 7, 0, *rest))
    assert then == (
        f"x = [{sums}[{name} & 6], ({name} & 13).bit_count(), ({name} & 13 == 13), (({name} & 13).bit_count() == 2), "
        f"{e.constant(('worked', pure, sums))}[{name} & 6], F{looks}(S, {sums}[{name} & 6]), "
        f"(2 * ({name} & 13).bit_count() == 3 + y)]"
    )
    few = [f"x = {' + '.join(asked[:2])}"]
    assert tallied(e, few) == few, "two sums are not worth a number"


def test_what_a_definition_makes_of_a_sum_is_worked_out_once() -> None:
    asked = []

    def definition(value: int) -> int:
        asked.append(value)
        return max(value - 100, 0)

    table = Worked(definition, Sums((60, 50, 40)))
    assert [table[7], table[7], table[1]] == [50, 50, 0]
    assert asked == [150, 60]
