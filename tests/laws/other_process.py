"""Run as a script: plays the jobs it reads and prints how they went, for laws about what must not depend on a process.

In, as JSON: a list of {"rules": path, "save": … or null, "players", "options", "seed", "bot"}. Out: for each the digest
of all that two equal games agree on.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import cambist


def digest(match: cambist.Match) -> str:
    told = [
        match.save(),
        match.log_lines(),
        str(match.result),
        [match.view(seat) for seat in range(len(match.seats))],
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def play(match: cambist.Match, bot: int) -> str:
    """To the end; deciders in seat order, all answers and what was offered along the way in the digest."""
    rng = cambist.Source(bot)
    offered = hashlib.sha256()
    while (choice := match.choice) is not None:
        offered.update(repr(choice.options(limit=20)).encode())
        match.answer(choice.sample(rng))
    return f"{digest(match)} {offered.hexdigest()}"


def job(games: dict[str, cambist.Game], one: dict[str, Any]) -> str:
    if one["rules"] not in games:
        games[one["rules"]] = cambist.load(one["rules"])
    game = games[one["rules"]]
    if one["save"] is not None:
        return play(game.restore(one["save"]), one["bot"])
    return play(game.start(one["players"], one["seed"], one["options"]), one["bot"])


if __name__ == "__main__":
    loaded: dict[str, cambist.Game] = {}
    json.dump([job(loaded, one) for one in json.load(sys.stdin)], sys.stdout)
