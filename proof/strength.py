"""`make strength`: which bots are stronger than which, in every shipped game, written down in docs/strength.md.

In: the pairings below, each one command of Cambist that anybody can repeat. Out: a table with a win rate and its 95 %
interval for each. It can be stopped and started again: `--resume` keeps every deal that was played. `--jobs 2` plays
two pairings at once; every pairing is a process of its own, so the page does not depend on how many. Games that are
compiled to the same text are the same game under other names: they share a run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from cambist.dsl.api import lower
from cambist.dsl.finding import shipped
from cambist.game import load
from cambist.interpreter.compiled.source import source_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "strength.md"
SEED = 2  # numbers in bots and estimates are chosen on the games of other seeds
QUICK = ("buy_low_sell_high", "palmyra", "dividends")  # where 60 games of two searching bots take less than hours
HEAD = f"""# How strong the bots are

As last measured by `make strength`. Every deal is played as often as there are seats, with as few players as the game
allows: the first bot sits on each seat once, copies of the second on the others. The rate is the first one's part of
the wins with its 95 % interval; *equals* is what a bot of the same strength would win.
`cambist strength GAME --pair A,B --games M --seed {SEED}` repeats a line.

| game | players | bots | games | wins | 95 % | equals | mean scores | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
TAIL = """
A row says *not shown* where equals lie within the interval. `die_bosse` and `venture` are compiled to the same text but
for their names, so one run gives both rows. Numbers in bots and estimates were chosen on other seeds than that of the
table. But an earlier run of it had been looked at: `buy_low_sell_high` had 62 % there (49 % to 74 %, not shown), which
is why its estimate was corrected and playouts became longer.
"""
WHY = """
## Not shown, and why

Which of two bots is the stronger shows in so many games only if one wins clearly more often. What keeps them close in
Venture and Buy Low, Sell High, as far as it was looked into: asked twice about the same position, with other luck,
`mcts:50` gives the same answer in about half of them (40 positions of the one, 60 of the other), and agrees with
`mcts:200`, in Venture with `greedy`, too, about as often. Many answers are nearly as good there, and playouts choose
among them by luck.

"""


@frozen
class Pairing:
    game: str
    first: str
    second: str
    games: int
    must: bool  # whether it is promised that the first is the stronger

    @property
    def name(self) -> str:
        return f"strength-{self.game}-{self.first}-{self.second}".replace(":", "")

    @property
    def words(self) -> tuple[str, ...]:
        pair = f"{self.first},{self.second}"
        often, seed = ("--games", str(self.games)), ("--seed", str(SEED))
        return ("strength", self.game, "--pair", pair, *often, *seed, "--resume", "--json")


def pairings(easy: int = 200, hard: int = 60) -> list[Pairing]:
    found = [Pairing(game, "greedy", "random", easy, True) for game in shipped()]
    found += [Pairing(game, "mcts:50", "greedy", hard, True) for game in shipped()]
    return found + [Pairing(game, "mcts:200", "mcts:50", hard, False) for game in QUICK]


def machine_text(game: str) -> str:
    """What a game does with as few players as it allows: its compiled text without title and remarks."""
    loaded = load(game)
    text = source_of(lower(loaded.ruleset, min(loaded.players))).text
    return re.sub(r"  # .*", "", text).partition("\n")[2]


def namesakes() -> dict[str, str]:
    """Game -> the first of those that do the same."""
    first: dict[str, str] = {}
    return {game: first.setdefault(machine_text(game), game) for game in shipped()}


def figures(data: Any) -> str:
    interval = f"{data['low']:.0%} to {data['high']:.0%}"
    return f"{data['games']} games, {data['first']} wins {data['rate']:.1%} ({interval}; equals {data['even']:.0%})"


def wrong(pairing: Pairing, data: Any) -> str:
    if pairing.must and data["verdict"] != "first":
        return f"{figures(data)}: not shown to be the stronger"
    return ""


def row(data: Any) -> str:
    verdicts = {"first": data["first"], "second": data["second"], "neither": "not shown"}
    mine, theirs = data["mean_scores"]
    cells = (
        data["game"], data["players"], f"`{data['first']}` against `{data['second']}`", data["games"],
        f"{data['rate']:.1%}", f"{data['low']:.1%} to {data['high']:.1%}", f"{data['even']:.1%}",
        f"{mine:,.1f} and {theirs:,.1f}", verdicts[data["verdict"]],
    )  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def begins(pairing: Pairing) -> tuple[str, str]:
    return f"| {pairing.game} | ", f"| `{pairing.first}` against `{pairing.second}` | "


def why(line: str) -> str:
    """What a row that shows nothing tells: how many games it would take if the rate stays as it is."""
    game, _, bots, games, wins, _, equals, *_ = (cell.strip() for cell in line.strip("|").split("|"))
    rate, even = (float(cell.rstrip("%")) / 100 for cell in (wins, equals))
    told = f"- {game}, {bots}: {wins} of {games} games. "
    if rate <= even:
        return told + "No more than equals would win.\n"
    needed = 1.96**2 * rate * (1 - rate) / (rate - even) ** 2
    return told + f"If that is its rate, about {round(needed, -1):,.0f} games would show it.\n"


def write_page(rows: dict[str, str]) -> None:
    """A row for each pairing that was measured now or, as the page has it, before; and which have none."""
    page = PAGE.read_text("utf-8") if PAGE.exists() else ""
    before = page.splitlines() if page.startswith(HEAD) else []  # another seed, other rows
    lines, missing = [], []
    for pairing in pairings():
        start, bots = begins(pairing)
        old = [line for line in before if line.startswith(start) and bots in line]
        found = [rows[pairing.name]] if pairing.name in rows else old
        lines += found
        if not found:
            missing.append(f"- {pairing.game}: `{pairing.first}` against `{pairing.second}`\n")
    unclear = [why(line) for line in lines if line.endswith("| not shown |")]
    told = WHY + "".join(unclear) if unclear else ""
    told += "".join(["\nNot measured yet:\n\n", *missing]) if missing else ""
    PAGE.write_text(HEAD + "\n".join(lines) + "\n" + TAIL + told, "utf-8")


def measure(pairing: Pairing) -> Any:
    command = [sys.executable, "-m", "cambist", *pairing.words]
    ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ran.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how strong the bots are, and write docs/strength.md.")
    parser.add_argument("--only", metavar="TEXT", default="", help="only pairings with this in their name")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="pairings at once (default: 1)")
    args = parser.parse_args()
    rows: dict[str, str] = {}
    same = namesakes()
    wanted = [pairing for pairing in pairings() if args.only in pairing.name]
    played = {evolve(pairing, game=same[pairing.game]): None for pairing in wanted}
    with ThreadPoolExecutor(max(1, args.jobs)) as crew:  # each thread waits for a process
        begun = {crew.submit(measure, pairing): pairing for pairing in played}
        try:
            for done in as_completed(begun):
                ran, data = begun[done], done.result()
                for game in [game for game, first in same.items() if first == ran.game]:
                    rows[evolve(ran, game=game).name] = row({**data, "game": game})
                print(f"{ran.name}: {figures(data)}", flush=True)
                write_page(rows)
        except BaseException:
            crew.shutdown(cancel_futures=True)  # what runs is waited for, and has kept its deals anyway
            raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
