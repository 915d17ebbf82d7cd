"""What games were like is counted rightly, and the same however the games are divided."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import cambist
from cambist.dsl.program import Program
from cambist.interpreter.bots import Seat, bot_of
from cambist.interpreter.bots.tables import play_seated
from cambist.interpreter.chance import Source
from cambist.interpreter.explore import play_random
from cambist.interpreter.gathering import COVERED, POINTS, Gathered, Gatherer, card_names, spread_out
from cambist.interpreter.machine import Machine
from cambist.report.playing import gather

MARKET = Path(__file__).parent / "market.rules"


@pytest.fixture(scope="module")
def program() -> Program:
    return cambist.load(str(MARKET)).machine(2).program


@pytest.fixture(scope="module")
def gathered(program: Program) -> Gathered:
    return Gatherer(program).gather(1, range(12))


def test_the_games_are_those_of_simulate(program: Program, gathered: Gathered) -> None:
    machine = cambist.load(str(MARKET)).machine(2)
    for number, figures in gathered.games.items():
        played = play_random(machine, 1, number)
        assert [figures.get(f"score/p{seat}", 0) * 2 for seat in (1, 2)] == list(played.scores)  # in half coins
        assert [seat for seat in (0, 1) if figures.get(f"won/p{seat + 1}")] == list(played.winners)
        assert figures[f"ended/{played.ended_by}"] == 1 and figures["length/decisions"] == played.decisions
        assert sum(figures.get(f"won/p{seat}", 0) for seat in (1, 2)) == 1


def test_division_and_order_make_no_difference(program: Program, gathered: Gathered) -> None:
    whole = json.dumps(gathered.plain())
    parts = [Gatherer(program).gather(1, numbers) for numbers in ([11, 3, 4], [0, 1, 2, 5], [10, 9, 8, 7, 6])]
    for order in ((0, 1, 2), (2, 0, 1)):
        together = Gathered()
        for place in order:
            together.add(parts[place])
        assert json.dumps(together.plain()) == whole


def test_two_processes_find_the_same(program: Program, gathered: Gathered) -> None:
    told: list[int] = []
    assert json.dumps(gather(program, ("random",) * 2, 1, 12, 2, told.append).plain()) == json.dumps(gathered.plain())
    assert sorted(told) == told and told[-1] == 12


def test_only_the_first_games_are_looked_at_line_by_line(program: Program) -> None:
    assert not Gatherer(program).gather(1, [COVERED]).ran and Gatherer(program).gather(1, [COVERED - 1]).ran


def test_what_is_counted(gathered: Gathered) -> None:
    for figures in gathered.games.values():
        answers = figures["length/answers"]
        actions = [v for n, v in figures.items() if n.startswith("action/") and n.count("/") == 1]
        by_seat = [v for n, v in figures.items() if n.startswith("action/") and n.count("/") == 2]
        assert sum(actions) == sum(by_seat) == answers == figures["phase/turn"]
        bought, sold = figures.get("action/turn: buy", 0), figures.get("action/turn: sell", 0)
        assert bought + sold == sum(v for n, v in figures.items() if n.startswith("moved/"))
        assert bought + sold == sum(v for n, v in figures.items() if n.startswith("chosen/"))
        shifts = figures.get("shifted/red.price", 0) + figures.get("shifted/blue.price", 0)
        assert shifts <= bought + sold + figures.get("action/turn: crash", 0)  # fewer where a marker is at its end
        assert figures.get("mark/crash", 0) == figures.get("action/turn: crash", 0)
        bonuses = sum(figures[f"measure/bonuses p{seat}"] for seat in (1, 2))
        assert bonuses == bought - sold
    assert sum(gathered.options.values()) == sum(figures["length/answers"] for figures in gathered.games.values())


def test_paths_run_from_the_beginning_to_the_end(gathered: Gathered) -> None:
    assert {"track/red.price", "track/blue.price", "money/coin", "score", "measure/prices red", "measure/spent"} <= set(
        gathered.paths
    )
    assert "measure/bonuses" not in gathered.paths  # it is asked at the end only
    for name, path in gathered.paths.items():
        several = 2 if name == "score" else 1
        assert len(path) == POINTS and all(sum(counter.values()) == 12 * several for counter in path), name
    assert gathered.paths["track/red.price"][0] == {3: 12}  # in half coins: all begin at 1.5
    assert gathered.paths["money/coin"][0] == {40: 12}


def test_rows_are_spread_evenly() -> None:
    assert spread_out([[1]]) == [[1]] * POINTS
    rows = [[n] for n in range(2 * POINTS - 1)]
    assert spread_out(rows) == [[2 * n] for n in range(POINTS)]


def test_lines_that_never_ran(gathered: Gathered) -> None:
    never = {text for line, text in gathered.lines.items() if line not in gathered.ran}
    assert "limit too_rich" in never and "mark crash" not in never


def test_a_game_that_fails_is_told_and_left_out() -> None:
    text = MARKET.read_text("utf-8").replace("      mark crash\n", "      require no\n")
    found = Gatherer(cambist.loads(text).machine(2).program).gather(1, range(12))
    assert found.failed and not found.failed.keys() & found.games.keys()
    assert set(found.failed) | set(found.games) == set(range(12))
    assert all(" R01" in told for told in found.failed.values())


def test_bots_can_sit_there(program: Program) -> None:
    class Passes:
        name = "passes"

        def answer(self, seat: Seat, rng: Source) -> tuple[int, ...]:
            return (3,)

    found = Gatherer(program, [Passes(), Passes()]).gather(1, [0])
    assert found.games[0]["action/turn: pass"] == 12 and found.games[0]["tie"] == 1
    assert found.games[0]["won/p1"] == Fraction(1, 2)
    bots = [bot_of("greedy"), bot_of("random")]
    found = Gatherer(program, bots).gather(1, range(2))
    for number, figures in found.games.items():
        played = play_seated(Machine(program), 1, number, bots)
        assert [figures.get(f"score/p{seat}", 0) * 2 for seat in (1, 2)] == list(played.scores)
        assert figures["length/decisions"] == played.decisions


def test_a_number_that_only_tells_cards_apart_is_left_out() -> None:
    match = cambist.load("money").start(3)
    names = card_names(match.program, match.words)
    assert "note yen 20" in names and "coin 10" in names
