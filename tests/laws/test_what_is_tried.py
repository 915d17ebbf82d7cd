"""The laws are tried on everything there is: no game, example or module of the library is left out."""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.dsl.api import check_file
from cambist.dsl.finding import library_folder, shipped
from tests.laws.tables import RULESETS, TABLES

MECHANICAL = {p.IJump, p.IUnless, p.IEachStart, p.IEachNext, p.IReturn}


def test_every_ruleset_is_tried() -> None:
    assert shipped().keys() <= RULESETS.keys()
    assert [table.name for table in TABLES] == list(RULESETS)
    assert all(table.players in table.game.players for table in TABLES)
    assert len({table.players for table in TABLES}) >= 4


def test_every_module_of_the_library_is_at_work_somewhere() -> None:
    used = set()
    for path in RULESETS.values():
        words = path.read_text("utf-8").split("\n")
        used |= {line.split()[1] for line in words if line.startswith("use ")}
    assert {path.stem for path in library_folder().glob("*.rules")} == used


def test_every_instruction_is_at_work_somewhere() -> None:
    used = {type(i) for table in TABLES for proc in table.start(0).program.procedures for i in proc.code}
    every = {value for name, value in vars(p).items() if name.startswith("I") and isinstance(value, type)}
    assert every - used - MECHANICAL == set()


def test_the_laboratory_is_in_order() -> None:
    for path in RULESETS.values():
        _, report = check_file(str(path), strict=True)
        assert not report.items, [f"{d.code} {d.message}" for d in report.sorted()]
