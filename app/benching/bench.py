"""Everything that `cambist bench` measures, as data.

In: games, and perhaps a plan. Out: for each game and engine its paces; for each game by hand its own, and how far its
mean scores and lengths lie from ours; the measures, each a ratio of two that took turns, with what it must and should
be.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from math import sqrt
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, field, frozen

from cambist.benching.clock import Turn, cpu, middle, paces, ratio
from cambist.benching.contestants import Rules
from cambist.benching.loading import forgotten, from_scratch, kept_in, lines_of, loads, python_compiles
from cambist.benching.plan import Growth, Plan
from cambist.benching.yardsticks import CLEAN, TUNED, Which, Yardstick, median_within, quickest
from cambist.dsl import api as dsl
from cambist.game import Game, load
from cambist.interpreter.compiled import COMPILED, ENGINES, CompiledMachine, machine_of
from cambist.interpreter.explore import play_random

SAMPLE = 300  # games whose means are compared
LOOPS = 1000
LOOP = "loop"
Say = Callable[[str], None]


@frozen
class Measure:
    """A ratio and what it must and should be: at least, or at most if less is better."""

    name: str
    must: float
    aim: float
    less: bool
    unit: str  # `x` for a ratio, `s` for seconds
    of: dict[str, float]  # by game, or by what else was measured
    tuned: dict[str, float] = field(factory=dict)  # the same against tuned Python: told, not promised

    @property
    def value(self) -> float:
        return max(self.of.values()) if self.less else min(self.of.values())

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name, "must": self.must, "aim": self.aim, "less_is_better": self.less, "unit": self.unit,
            "value": rounded(self.value), "of": {name: rounded(value) for name, value in self.of.items()},
            "tuned": {name: rounded(value) for name, value in self.tuned.items()},
        }  # fmt: skip


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


@define
class Bench:
    names: Sequence[str]
    players: Callable[[Game], int]
    rounds: int
    seconds: float  # of each turn
    plan: Plan | None
    say: Say
    games: dict[str, Game] = field(init=False)
    rules: dict[tuple[str, str], Rules] = field(init=False)
    sticks: dict[Which, Yardstick] = field(init=False)
    lengths: dict[str, float] = field(factory=dict)  # decisions in a game, on average
    compiles: dict[str, float] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.games = {name: load(name) for name in self.names}
        count = {name: self.players(game) for name, game in self.games.items()}
        self.rules = {
            (name, engine): Rules(game.machine(count[name], engine=engine))
            for name, game in self.games.items()
            for engine in ENGINES
        }
        self.sticks = {}
        if self.plan is not None:
            for kind, files in ((CLEAN, self.plan.yardsticks), (TUNED, self.plan.tuned)):
                for name in self.games:
                    for path in files.get(name, ()):
                        self.sticks[Which(name, kind, path.stem)] = Yardstick(path, count[name])

    def measured(self) -> dict[str, Any]:
        self.say("means")
        for name in self.games:
            played = [play_random(self.rules[name, COMPILED].machine, 2, k).decisions for k in range(SAMPLE)]
            self.lengths[name] = max(1.0, statistics.mean(played))
        apart = {which: self._apart(which) for which in self.sticks}
        self.say("whole games")
        whole = self._taking_turns("whole")
        self.say("step by step")
        steps = self._taking_turns("steps")
        self.say("clones")
        clones = self._taking_turns("clones")
        self.say("options")
        listings = self._taking_turns("listings")
        self.say("saves")
        saves = self._taking_turns("saves")
        self.say("loading")
        loading = self._loading()
        self.compiles = {name: compile_seconds(game) for name, game in self.games.items()}
        measures = [] if self.plan is None else self._measures(self.plan, whole, steps, clones, listings, loading)
        return {
            "python": sys.version.split()[0],
            "rounds": self.rounds,
            "games": [
                self._game(name, engine, whole, steps, clones, listings, saves)
                for name in self.games
                for engine in ENGINES
            ],
            "loading": [self._loaded(name, loading) for name in self.games],
            "yardsticks": [self._yardstick(name, whole) for name in self.games if self._clean(name)],
            "by_hand": [self._by_hand(which, whole, clones, listings, apart[which]) for which in self.sticks],
            "growth": [] if self.plan is None else [self._growth(g) for g in self.plan.growth if g.game in self.games],
            "measures": [measure.data() for measure in measures],
        }

    # ---- taking turns

    def _taking_turns(self, what: str) -> dict[Any, list[float]]:
        turns: dict[Any, Turn] = {key: self._turn(key[0], rules, what) for key, rules in self.rules.items()}
        if what != "saves":
            by_hand = "whole" if what == "steps" else what
            turns |= {which: getattr(stick, by_hand) for which, stick in self.sticks.items()} | {LOOP: _loop}
        return paces(turns, self.rounds, self.seconds)

    def _turn(self, name: str, rules: Rules, what: str) -> Turn:
        turn: Turn = getattr(rules, what)

        def by_decision(count: int) -> float:
            turn(count)  # tells its answers, but one that had no choice is no decision
            return count * self.lengths[name]

        return by_decision if what == "steps" else turn

    def _loading(self) -> dict[Any, list[float]]:
        """What is read from the cache takes a thousandth of a second, so it is read for longer than what is made."""
        made: dict[Any, Turn] = {"python": python_compiles()}
        cached: dict[Any, Turn] = {"python beside the cache": python_compiles()}
        for name, game in self.games.items():
            lines, players = lines_of(game), self.players(game)
            made[name, "cold"] = from_scratch(loads(name, players, COMPILED, lines, answered=True))
            made[name, "whole"] = forgotten(loads(name, players, COMPILED, lines, whole=True, answered=True))
            cached[name, "cache"] = loads(name, players, COMPILED, lines, whole=True)
        with TemporaryDirectory() as folder, kept_in(folder):
            return paces(made, self.rounds, self.seconds / 4) | paces(cached, self.rounds, self.seconds)

    def _apart(self, which: Which) -> tuple[float, float]:
        """How far the means of score and length lie apart, in standard errors."""
        ours = [play_random(self.rules[which.game, COMPILED].machine, 2, k) for k in range(SAMPLE)]
        theirs = self.sticks[which].outcomes(SAMPLE * 4)
        return (
            _standard_errors([statistics.mean(g.scores) for g in ours], [statistics.mean(g.scores) for g in theirs]),
            _standard_errors([float(g.decisions) for g in ours], [float(g.decisions) for g in theirs]),
        )

    # ---- what came out

    def _game(
        self, name: str, engine: str, whole: Any, steps: Any, clones: Any, lists: Any, saves: Any
    ) -> dict[str, Any]:
        key = (name, engine)
        pace = middle(whole[key])
        return {
            "game": name,
            "players": self.rules[key].machine.program.players,
            "engine": engine,
            "games_per_s": rounded(1 / (pace * self.lengths[name])),
            "decisions_per_s": rounded(1 / pace),
            "us_per_decision": rounded(pace * 1e6),
            "loops_per_decision": rounded(ratio(whole[key], whole[LOOP])),
            "us_per_step": rounded(middle(steps[key]) * 1e6),
            "us_per_clone": rounded(middle(clones[key]) * 1e6),
            "us_per_listing": rounded(middle(lists[key]) * 1e6),
            "us_per_save": rounded(middle(saves[key]) * 1e6),
            "bytes_per_match": round(self.rules[key].memory()),
        }

    def _loaded(self, name: str, loading: Any) -> dict[str, Any]:
        lines = lines_of(self.games[name])
        return {
            "game": name,
            "lines": lines,
            "cold_s": rounded(middle(loading[name, "cold"]) * lines / 1000),
            "cache_s": rounded(middle(loading[name, "cache"]) * lines / 1000),
            "compile_s": rounded(self.compiles[name]),
            "cold_against_python": rounded(ratio(loading[name, "cold"], loading["python"])),
            "cold_whole_against_python": rounded(ratio(loading[name, "whole"], loading["python"])),
            "cache_against_python": rounded(ratio(loading[name, "cache"], loading["python beside the cache"])),
        }

    def _clean(self, game: str) -> list[Which]:
        return self._versions(game, CLEAN)

    def _versions(self, game: str, kind: str) -> list[Which]:
        return [which for which in self.sticks if (which.game, which.kind) == (game, kind)]

    def _held_against(self, game: str, kind: str, turns: Any, played: bool) -> list[float]:
        """The paces that count of Python by hand. `played`: a median and its limit; otherwise the quickest."""
        found = [turns[which] for which in self._versions(game, kind)]
        if not played or kind == TUNED:
            return quickest(found)
        most = None if self.plan is None else self.plan.most_turns.get(game)
        return median_within(found, None if most is None else [most * pace for pace in turns[LOOP]])

    def _yardstick(self, game: str, whole: Any) -> dict[str, Any]:
        limit = {} if self.plan is None else self.plan.most_turns
        middle_one = median_within([whole[which] for which in self._clean(game)], None)
        return {
            "game": game,
            "median": rounded(ratio(middle_one, whole[LOOP])),
            **({"most_turns": limit[game]} if game in limit else {}),
            "turns": rounded(ratio(self._held_against(game, CLEAN, whole, True), whole[LOOP])),
        }

    def _by_hand(self, which: Which, whole: Any, clones: Any, lists: Any, apart: tuple[float, float]) -> dict[str, Any]:
        return {
            "game": which.game,
            "kind": which.kind,
            "name": which.name,
            "players": self.sticks[which].players,
            "us_per_decision": rounded(middle(whole[which]) * 1e6),
            "us_per_clone": rounded(middle(clones[which]) * 1e6),
            "us_per_listing": rounded(middle(lists[which]) * 1e6),
            "loops_per_decision": rounded(ratio(whole[which], whole[LOOP])),
            "compiled_against_it": rounded(ratio(whole[which], whole[which.game, COMPILED])),
            "scores_apart": round(apart[0], 2),
            "decisions_apart": round(apart[1], 2),
        }

    def _growth(self, growth: Growth) -> dict[str, Any]:
        """Time of a game for each player or round: the same everywhere if it grows linearly."""
        cells, machines = {}, {}
        for value in growth.values:
            machine = self._machine(growth, value)
            cells[value] = _by_game(Rules(machine))
            machines[value] = machine
        found = paces(cells, self.rounds, self.seconds)
        first = growth.values[0]
        return {
            "game": growth.game,
            "of": growth.option or "players",
            "cells": [
                {
                    "value": value,
                    "ms_per_game": rounded(middle(found[value]) * 1e3),
                    "ms_per_unit": rounded(middle(found[value]) * 1e3 / value),
                    "against_first": rounded(ratio(found[value], found[first]) * first / value),
                }
                for value in growth.values
            ],
        }

    def _machine(self, growth: Growth, value: int) -> Any:
        game = self.games[growth.game]
        if growth.option:
            return game.machine(self.players(game), {growth.option: value}, COMPILED)
        return game.machine(value, engine=COMPILED)

    def _measures(self, plan: Plan, whole: Any, steps: Any, clones: Any, lists: Any, loading: Any) -> list[Measure]:
        """The ratios that are promised; those of games that were left out are left out."""
        names = list(self.games)

        def faster(turns: Any, played: bool = True) -> list[dict[str, float]]:
            return [
                {
                    name: ratio(self._held_against(name, kind, turns, played), turns[name, COMPILED])
                    for name in names
                    if self._versions(name, kind)
                }
                for kind in (CLEAN, TUNED)
            ]

        def time_of(turns: Any) -> list[dict[str, float]]:
            return [{name: 1 / value for name, value in of.items()} for of in faster(turns, played=False)]

        def others(kind: str) -> dict[str, float]:
            if not self._versions(plan.others, kind):
                return {}
            pace = self._held_against(plan.others, kind, whole, True)
            return {name: ratio(pace, whole[name, COMPILED]) for name in names if name not in plan.yardsticks}

        found = [
            Measure("whole random games, compiled, against the yardstick", 3, 8, False, "x", *faster(whole)),
            Measure("step by step, compiled, against the yardstick", 2, 5, False, "x", *faster(steps)),
            Measure("time of a clone against the yardstick's", 0.6, 0.35, True, "x", *time_of(clones)),
            Measure("time to list the options against the yardstick's", 0.4, 0.1, True, "x", *time_of(lists)),
            Measure("every other game, decisions per second, against a yardstick's", 0.5, 1, False, "x",
                    others(CLEAN), others(TUNED)),
            Measure("decisions per second with many players against few", 0.5, 0.8, False, "x",
                    self._crowd(plan.crowd)),
            Measure("load from cache, a line, against Python's compile()", 0.5, 0.2, True, "x",
                    {name: ratio(loading[name, "cache"], loading["python beside the cache"]) for name in names}),
            Measure("cold load to the first answer, a line, against Python's compile()", 30, 15, True, "x",
                    {name: ratio(loading[name, "cold"], loading["python"]) for name in names}),
            Measure("compiling a game", 1, 0.5, True, "s", self.compiles),
            Measure("`cambist --help`", 0.3, 0.2, True, "s", {"--help": help_seconds(self.rounds)}),
            Measure("two processes against one", 1.5, 1.8, False, "x", self._processes(plan.processes)),
        ]  # fmt: skip
        return [measure for measure in found if measure.of]

    def _crowd(self, crowd: Growth) -> dict[str, float]:
        if crowd.game not in self.games:
            return {}
        self.say("many players")
        few, many = crowd.values
        found = paces(
            {value: Rules(self._machine(crowd, value)).whole for value in crowd.values}, self.rounds, self.seconds
        )
        return {f"{crowd.game}, {many} against {few}": ratio(found[few], found[many])}

    def _processes(self, name: str) -> dict[str, float]:
        if name not in self.games:
            return {}
        self.say("two processes")
        return {name: two_against_one(self.rules[name, COMPILED], self.rounds, self.seconds * 10)}


def _loop(count: int) -> float:
    """A unit that machines agree on better than on seconds."""
    d: dict[int, int] = {}
    for i in range(count * LOOPS):
        d[i & 255] = d.get(i & 255, 0) + 1
    return count * LOOPS


def _by_game(rules: Rules) -> Turn:
    def turn(count: int) -> float:
        rules.whole(count)
        return count

    return turn


def _standard_errors(one: list[float], other: list[float]) -> float:
    error = sqrt(statistics.variance(one) / len(one) + statistics.variance(other) / len(other))
    return abs(statistics.mean(one) - statistics.mean(other)) / error


def compile_seconds(game: Game) -> float:
    """CPU seconds from the program of the largest number of players to a compiled machine, with the functions of whole
    random games, nothing kept."""
    program = dsl.lower(game.ruleset, game.players[-1])

    def made(count: int) -> float:
        machine = machine_of(program, COMPILED)
        if isinstance(machine, CompiledMachine):
            machine.prepare()
        return 1.0

    return cpu(lambda: forgotten(made)(1))


def help_seconds(rounds: int) -> float:
    """CPU seconds of `cambist --help`, Python's start included."""
    found = []
    for _ in range(rounds):
        begun = _of_children()
        subprocess.run([sys.executable, "-m", "cambist", "--help"], stdout=subprocess.DEVNULL, check=True)
        found.append(_of_children() - begun)
    return statistics.median(found)


def _of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def two_against_one(rules: Rules, rounds: int, seconds: float) -> float:
    """Games a second on the clock of two processes against one, each from its first answer on."""
    from cambist.simulation.crew import played_by_processes
    from cambist.simulation.work import Cell, tasks, unpacked

    parcel = Cell(rules.machine, 1, False).packed(COMPILED)
    count = max(200, round(seconds / max(1e-9, _seconds_a_game(rules))))

    def rate(processes: int) -> float:
        played, begun = 0, 0.0
        for done in played_by_processes([parcel], tasks([[range(count)]]), processes, unpacked):
            if begun:
                played += len(done.games)
            else:
                begun = time.perf_counter()
        return played / (time.perf_counter() - begun)

    return statistics.median(rate(2) / rate(1) for _ in range(rounds))


def _seconds_a_game(rules: Rules) -> float:
    return middle(paces({"": _by_game(rules)}, 1, 0.1)[""])
