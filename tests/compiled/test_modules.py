"""The modules of compiled rules: each has the functions that can be come to in it, and no others are asked for."""

from __future__ import annotations

import re

import pytest

import cambist
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.compiled import CompiledMachine
from cambist.interpreter.compiled.rewriting.handing import GOING_ON
from cambist.interpreter.compiled.shown import shown
from cambist.interpreter.compiled.source import BULK, SILENT, TOLD, source_of

FUNCTION = re.compile(r"^def (go|ask|take|on|play)_\d+\(")
RETURN = re.compile(r"\breturn\b(.*)")
ON = re.compile(r" (-1|\d+|ask_\d+\(S, X\)|following)")
TAKEN = re.compile(
    r" (-\d+|[cz]\d+|who|-2 - following|S\[\d+\]|\w+\[0\]|S\[4\]\[answers.index\(None\)\]|ask_\d+\(S, X\))"
)
MISSING = re.compile(r" +if given(\d+) is None: return \1")  # a seat, not a function
BY_NUMBER = re.compile(r"^(SEGMENTS|STEPS|PLAYING) = \((.*),\)$", re.MULTILINE)
NOTED = re.compile(r"(?P<code>.*?)(?:  # (?P<place>[\w.-]+\.rules:\d+))?")
ROWS = {"go": ("SEGMENTS", "STEPS", "PLAYING"), "ask": ("SEGMENTS", "STEPS"), "take": ("STEPS",), "on": ("STEPS",)}


def machine(name: str, players: int) -> CompiledMachine:
    found = cambist.load(name).machine(players, engine="compiled")
    assert isinstance(found, CompiledMachine)
    return found


@pytest.mark.parametrize("kind", [SILENT, BULK])
@pytest.mark.parametrize("name", cambist.shipped())
def test_whoever_is_gone_on_with_is_there(name: str, kind: str) -> None:
    text = source_of(machine(name, cambist.load(name).players[-1]).program, kind).text
    rows = {row: functions.split(", ") for row, functions in BY_NUMBER.findall(text)}
    function = ""
    for line in text.splitlines():
        begins = FUNCTION.match(line)
        if begins or not line.startswith(" "):
            function = begins[1] if begins else ""
        found = RETURN.search(line) if function else None
        if found is None or (function == "take" and MISSING.fullmatch(line)):
            continue
        on = (TAKEN if function == "take" else ON).fullmatch(found[1])
        assert on, line
        number = on[1]
        if function == "take" and re.fullmatch(r"-\d+", number) and int(number) <= GOING_ON:
            number = str(GOING_ON - int(number))
        if number.isdecimal():
            for row in ROWS.get(function, ("PLAYING",)):
                assert row not in rows or rows[row][int(number)] != "None", line


@pytest.mark.parametrize("kind", [SILENT, TOLD, BULK])
@pytest.mark.parametrize("name", cambist.shipped())
def test_people_are_shown_the_same_with_the_lines_of_the_rules(name: str, kind: str) -> None:
    source = source_of(machine(name, 4).program, kind)
    lines = [NOTED.fullmatch(line) for line in shown(source).splitlines()]
    assert [line and line["code"] for line in lines] == source.text.splitlines()
    told = [line["place"] for line in lines if line and line["place"]]
    assert len(told) > len(lines) / 10
    # where a line does not say where it comes from, it comes from where the line above does, or from nowhere
    before = ""
    for line, number in zip(lines, source.lines[1:], strict=False):
        assert line is not None
        at = source.places[number] if number >= 0 else None
        place = line["place"] or (before if at is not None else "")
        assert at is None or place.rsplit(":", 1)[1] == str(at.span.line)
        before = place if line["code"] else ""


@pytest.mark.parametrize("name", cambist.shipped())
def test_what_nobody_comes_to_is_not_written(name: str) -> None:
    quick = machine(name, 4)
    silent, whole = (source_of(quick.program, kind).text for kind in (SILENT, BULK))
    assert "\ndef play_" not in silent and "\ndef take_" not in whole and "\ndef ask_" not in whole
    assert "None, " in silent.partition("SEGMENTS = ")[2]


@pytest.mark.parametrize("name", cambist.shipped())
def test_whole_games_are_made_when_the_first_begins(name: str) -> None:
    quick = machine(name, 4)
    assert quick.rules is not None
    state = quick.start(seed_of(1, 0))
    for _ in range(20):
        player = quick.next_decider(state)
        quick.advance(state, player, quick.sample(state, player, Source(1)))
    assert quick.rules._playing is None
    early, late = quick.start(seed_of(1, 1)), state.clone()
    for one in (early, late):  # from the first choice, and from any other
        quick.play_out(one, Source(2))
        assert quick.waiting(one) < 0
    assert quick.rules._playing is not None


def test_examples_are_for_the_reference() -> None:
    game = cambist.load("money")
    slow, quick = game.machine(4).program, game.machine(4, engine="compiled").program
    assert slow.examples and not quick.examples and quick.digest == slow.digest
    assert slow.functions[: len(quick.functions)] == quick.functions
    assert slow.procedures[: len(quick.procedures)] == quick.procedures
    assert slow.choices[: len(quick.choices)] == quick.choices
