"""What `dsl/differences` tells: cases as text, the shipped variants, and what holds of any two rulesets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from cambist.dsl import api
from cambist.dsl.differences import Change, Differences, differences
from cambist.dsl.mutants import applied, mutants
from cambist.dsl.render import render_all
from cambist.dsl.ruleset import CheckedRuleset
from tests.harness.fragments import whole

HERE = Path(__file__).parent
CASES = HERE / "cases.md"
SWAPPED = {"added": "removed", "removed": "added"}
VARIANTS = {"palmyra": "buy_low_sell_high", "die_bosse": "venture", "riche_ou_pauvre": "venture"}
CHANGES = {"money": 10, "buy_low_sell_high": 8, "for_ex": 3}  # small changes to the rules, of each of these


def told(found: Differences) -> str:
    lines = [f"{one.group}: {one.sentence}" for one in (*found.rules, *found.tests)]
    return "".join(f"{line}\n" for line in lines)


def mirrored(found: Differences) -> Counter[tuple[object, ...]]:
    return Counter(_facts(one, back=True) for one in (*found.rules, *found.tests))


def facts(found: Differences) -> Counter[tuple[object, ...]]:
    return Counter(_facts(one, back=False) for one in (*found.rules, *found.tests))


def _facts(one: Change, back: bool) -> tuple[object, ...]:
    sides = [side is not None for side in (one.before, one.after)]
    kind = SWAPPED.get(one.kind, one.kind) if back else one.kind
    return one.group, one.part.split(" ", 1)[-1], kind, *(sides[::-1] if back else sides)


def _texts(changes: tuple[Change, ...]) -> set[tuple[str | None, ...]]:
    return {tuple(None if side is None else side.text for side in (one.before, one.after)) for one in changes}


@cache
def shipped(name: str) -> CheckedRuleset:
    return api.load(name)


def rules_of(lines: list[str], side: str) -> CheckedRuleset:
    text = "\n".join(line[1:] for line in lines if line[:1] in (" ", side, "")) + "\n"
    ruleset, report = api.check_text(whole(text).text)
    assert ruleset is not None, render_all(report.sorted())
    return ruleset


def _cases() -> list[tuple[str, str]]:
    parts = CASES.read_text("utf-8").split("\n## ")[1:]
    return [(part.split("\n")[0], re.findall(r"```diff\n(.*?)```", part, re.DOTALL)[0]) for part in parts]


def test_the_cases(request: pytest.FixtureRequest, golden: Callable[[Path, str], None]) -> None:
    """All of them are one text with what is told below each, which `make golden` writes."""
    out = [CASES.read_text("utf-8").split("\n## ")[0]]
    for title, block in _cases():
        lines = block.splitlines()
        a, b = rules_of(lines, "-"), rules_of(lines, "+")
        found = differences(a, b)
        if not any(one.kind == "renamed" for one in found.rules):  # the parts have other names, read backwards
            assert mirrored(found) == facts(differences(b, a)), title
        out.append(f"{title}\n\n```diff\n{block}```\n\n```text\n{told(found)}```\n")
    golden(CASES, "\n## ".join(out))


@pytest.mark.parametrize("name", VARIANTS)
def test_shipped_variants(name: str, golden: Callable[[Path, str], None]) -> None:
    found = differences(shipped(VARIANTS[name]), shipped(name))
    golden(HERE / f"{name}.txt", told(found))
    back = differences(shipped(name), shipped(VARIANTS[name]))
    assert len(back.rules) == len(found.rules)


@pytest.mark.parametrize("name", api.shipped())
def test_a_game_is_what_it_is(name: str) -> None:
    found = differences(shipped(name), shipped(name))
    assert found.same and not found.tests


@pytest.mark.parametrize("name", CHANGES)
def test_a_small_change_is_told_where_it_is(name: str) -> None:
    gathered, _ = api.gathered(name)
    base = api.check_gathered(gathered)
    assert base is not None
    drawn = [mutant for mutant in mutants(gathered) if not mutant.in_sheet]
    Random(5).shuffle(drawn)
    tried = 0
    for mutant in drawn:
        changed = api.check_gathered(applied(gathered, mutant))
        if changed is None:
            continue
        found = differences(base, changed)
        assert mutant.rule in {one.part for one in found.rules}, mutant.name
        back = differences(changed, base)
        assert mirrored(found) == facts(back), mutant.name
        assert _texts(found.rules) == {pair[::-1] for pair in _texts(back.rules)}, mutant.name
        tried += 1
        if tried == CHANGES[name]:
            break


def test_two_games_that_have_nothing_in_common() -> None:
    a, b = shipped("money"), shipped("venture")
    forth, back = differences(a, b), differences(b, a)
    assert len(forth.rules) > 50 and abs(len(forth.rules) - len(back.rules)) < 5  # guessed names need not be the same
    assert forth.rules[0].sentence == "for 2 to 6 players instead of 3 to 5"
