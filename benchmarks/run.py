"""Speed beside a yardstick: `make bench`. Ratios in one interleaved run of CPU time, since machines are noisy.

The yardstick is yardstick_buy_low.py, clean hand-written Python of the same game. Both play the same random policy; the
run also checks that their mean scores and lengths agree, or the ratio would compare different things.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from math import sqrt
from pathlib import Path

import cambist
from cambist.interpreter.chance import Source, seed_of
from cambist.interpreter.explore import play_random
from cambist.interpreter.machine import Machine

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks import yardstick_buy_low as yardstick

GAME = "buy_low_sell_high"
SETTLING = 20
MANY, AT, LONGEST = 300, 4, 120  # games, players, and the CPU seconds they may take
LOOPS = 1_000_000


def cpu(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def repeated(run: Callable[[], object], times: int) -> None:
    for _ in range(times):
        run()


def play_ratio(machine: Machine, players: int, rounds: int, games: int) -> dict[str, float]:
    """Median over rounds of our games per second against the yardstick's, taking turns."""
    ours: list[float] = []
    theirs: list[float] = []

    def play_ours(first: int) -> None:
        for game in range(first, first + games):
            play_random(machine, 1, game)

    def play_theirs(first: int) -> None:
        for game in range(first, first + games * 4):
            yardstick.random_game(players, game)

    play_ours(10**6)
    for number in range(rounds):
        ours.append(games / cpu(partial(play_ours, number * games)))
        theirs.append(games * 4 / cpu(partial(play_theirs, number * games * 4)))
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {
        "games_per_s": statistics.median(ours),
        "yardstick_games_per_s": statistics.median(theirs),
        "ratio": statistics.median(ratios),
    }


def clone_ratio(machine: Machine, players: int) -> dict[str, float]:
    state = machine.start(seed_of(1, 1))
    source = Source(5)
    game = yardstick.Game(players, 3)
    rng = random.Random(1)
    for _ in range(SETTLING):
        player = machine.next_decider(state)
        machine.advance(state, player, machine.sample(state, player, source))
        game.apply(rng.choice(game.legal_actions()))
    times, ratios = 2_000, []
    for _ in range(5):
        ours = cpu(lambda: repeated(state.clone, times))
        theirs = cpu(lambda: repeated(game.clone, times))
        ratios.append(ours / theirs)
    return {"clone_us": ours / times * 1e6, "clone_ratio": statistics.median(ratios)}


def agreement(machine: Machine, players: int, games: int) -> dict[str, float]:
    """How far the means of the two lie apart, in standard errors."""
    ours = [play_random(machine, 2, game) for game in range(games)]
    theirs = [yardstick.random_game(players, game) for game in range(games)]

    def apart(a: list[float], b: list[float]) -> float:
        error = sqrt(statistics.variance(a) / len(a) + statistics.variance(b) / len(b))
        return abs(statistics.mean(a) - statistics.mean(b)) / error

    return {
        "score_apart": apart([statistics.mean(g.scores) for g in ours], [statistics.mean(g.scores) for g in theirs]),
        "decisions_apart": apart([float(g.decisions) for g in ours], [float(g.decisions) for g in theirs]),
    }


def loading(name: str) -> float:
    """CPU seconds to load and check a shipped game, in a new process, Python's own start excluded."""
    code = (
        f"import time; t = time.process_time(); import cambist; cambist.load({name!r}); print(time.process_time() - t)"
    )
    found = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    return statistics.median(found)


def hundreds(name: str) -> dict[str, float]:
    """CPU seconds for 300 random games with four players, on one core, and how many turns of a loop that is.

    The loop is a unit that machines agree on better than on seconds; it is timed right before.
    """
    machine = cambist.load(name).machine(AT)
    turn = cpu(loop) / LOOPS

    def play() -> None:
        for number in range(MANY):
            play_random(machine, 1, number)

    seconds = cpu(play)
    return {"seconds": seconds, "loops": seconds / turn}


def loop() -> None:
    d: dict[int, int] = {}
    for i in range(LOOPS):
        d[i & 255] = d.get(i & 255, 0) + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=60, help="games a round")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    game = cambist.load(GAME)
    table: dict[str, dict[str, float]] = {}
    for players in game.players:
        machine = game.machine(players)
        table[f"{players} players"] = {
            **play_ratio(machine, players, chosen.rounds, chosen.games),
            **clone_ratio(machine, players),
            **agreement(machine, players, chosen.rounds * chosen.games),
        }
    load = {name: loading(name) for name in cambist.shipped()}
    every = {name: hundreds(name) for name in cambist.shipped()}
    slow = [name for name, row in every.items() if row["seconds"] > LONGEST]
    if chosen.json:
        print(json.dumps({"play": table, "load_s": load, "games": every}, indent=1))
        sys.exit(bool(slow))
    print(f"{GAME}, random play beside hand-written Python (CPU time, interleaved, median of {chosen.rounds})")
    for name, row in table.items():
        print(
            f"  {name}: {row['games_per_s']:7.0f} games/s against {row['yardstick_games_per_s']:7.0f}: "
            f"ratio {row['ratio']:.3f}; clone {row['clone_us']:.1f} us, {row['clone_ratio']:.2f} of the other's; "
            f"means apart by {row['score_apart']:.1f} (score) and {row['decisions_apart']:.1f} (length) standard errors"
        )
    for name, seconds in load.items():
        print(f"  load and check {name}: {seconds:.2f} s CPU")
    print(f"{MANY} random games with {AT} players (CPU time, one core; at most {LONGEST} s)")
    for name, row in every.items():
        late = "  TOO SLOW" if name in slow else ""
        print(f"  {name}: {row['seconds']:.1f} s, {row['loops'] / 1e6:.0f} million turns of a loop{late}")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
