"""The laws are tried on everything there is: no game, example or module of the library is left out."""

from __future__ import annotations

import cambist.dsl.imports as imports
from cambist.dsl import program as p
from cambist.dsl.api import check_file
from tests.laws.tables import RULESETS, TABLES, game

MECHANICAL = {p.IJump, p.IUnless, p.IEachStart, p.IEachNext, p.IReturn}


def test_every_ruleset_and_its_least_and_most_players() -> None:
    assert imports.shipped().keys() <= RULESETS.keys()
    for name in RULESETS:
        tried = [t.players for t in TABLES if t.name == name]
        allowed = game(name).players
        assert set(tried) <= set(allowed)
        assert len(tried) == 1 or (tried[0], tried[-1]) == (allowed[0], allowed[-1])
    assert sum(len({t.players for t in TABLES if t.name == name}) > 1 for name in imports.shipped()) >= 5


def test_every_module_of_the_library_is_at_work_somewhere() -> None:
    used = set()
    for path in RULESETS.values():
        words = path.read_text("utf-8").split("\n")
        used |= {line.split()[1] for line in words if line.startswith("use ")}
    assert {path.stem for path in imports.library_folder().glob("*.rules")} == used


def test_every_instruction_is_at_work_somewhere() -> None:
    used = {type(i) for table in TABLES for proc in table.start(0).program.procedures for i in proc.code}
    every = {value for name, value in vars(p).items() if name.startswith("I") and isinstance(value, type)}
    assert every - used - MECHANICAL == set()


def test_the_laboratory_is_in_order() -> None:
    for path in RULESETS.values():
        _, report = check_file(str(path), strict=True)
        assert not report.items, [f"{d.code} {d.message}" for d in report.sorted()]
