"""Whatever the rules, a person who types numbers, answers, commands and nonsense comes to the end of the game."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import cambist
from cambist.session import Session
from cambist.stored import PERSON, RANDOM, Stored

ROOT = Path(__file__).parents[2]
RULESETS = [
    *sorted(cambist.shipped()),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("examples/*.rules"))),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/laws/rulesets/*.rules"))),
]
NONSENSE = ["", "why", "log", "table", "help", "undo", "foo", "0", "-1", "99999999", "\u00b2", "9" * 5000, ":why",
            "more", "back", "1 2 /", ",", "(", "2 x"]  # fmt: skip
MOST_LINES = 150


def typist(seed: int, session: Callable[[], Session]) -> Callable[[str], str]:
    rng, left = random.Random(seed), [MOST_LINES]

    def read_line(prompt: str) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise EOFError
        kind, choice = rng.random(), session().match.choice
        if kind < 0.1:
            return rng.choice(NONSENSE)
        if kind < 0.3:
            return "done"
        if kind < 0.6 and choice is not None and 0 in choice.deciders:
            return choice.text(choice.sample(rng, 0))
        return " ".join(str(rng.randrange(1, 9)) for _ in range(rng.choice([1, 1, 2, 3])))

    return read_line


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("width", [30, 100])
def test_a_whole_game_at_the_keyboard(rules: str, width: int, tmp_path: Path) -> None:
    game = cambist.load(rules if rules in cambist.shipped() else str(ROOT / rules))
    kinds = (PERSON, *[RANDOM] * (game.players[0] - 1))
    match = game.start(len(kinds), seed=width, seats=[f"seat{n}" for n in range(len(kinds))])
    screen = io.StringIO()
    console = Console(file=screen, width=width, highlight=False, emoji=False, markup=False)
    session = Session(Stored(game, rules, kinds, match), console, lambda p: reader(p), tmp_path / "kept.json", False)
    reader = typist(width, lambda: session)
    assert session.run() == 0, screen.getvalue()[-2000:]
    assert max(len(line) for line in screen.getvalue().splitlines() if "cambist play" not in line) <= width
    if session.match.over:
        assert "the game is over" in screen.getvalue()
    else:
        assert (tmp_path / "kept.json").exists()
