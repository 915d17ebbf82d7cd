"""What the laws are tried on: every shipped game, example and laboratory ruleset, with one number of players.

`cambist verify` tries the laws with the fewest and the most, and tests/proof runs it.

Nothing here names a game: a new one is taken in as soon as its file is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

import cambist
from cambist.dsl.finding import shipped
from cambist.interpreter.saves import save_state

ROOT = Path(__file__).parents[2]
LABORATORY = Path(__file__).parent / "rulesets"
SHIPPED = shipped()
TOUR = sorted((ROOT / "examples").glob("*.rules"))
RULESETS: dict[str, Path] = {
    **SHIPPED,
    **{path.stem: path for path in TOUR},
    **{path.stem: path for path in sorted(LABORATORY.glob("*.rules"))},
}


@cache
def game(name: str) -> cambist.Game:
    return cambist.load(str(RULESETS[name]))


@frozen
class Table:
    """One game with so many players, as short as its options allow."""

    name: str
    players: int

    def __str__(self) -> str:
        return f"{self.name}-{self.players}p"

    @property
    def game(self) -> cambist.Game:
        return game(self.name)

    @property
    def options(self) -> dict[str, int]:
        """The least of every option that is a number."""
        return {name: int(o.low.value) for name, o in self.game.options.items() if o.low is not None}

    def start(self, seed: int) -> cambist.Match:
        return self.game.start(self.players, seed, self.options)


def tables(names: dict[str, Path]) -> list[Table]:
    return [Table(name, count(name)) for name in names]


def count(name: str) -> int:
    """A middle number of players; of a variant, whose base is tried, and of what is small, the least."""
    allowed = list(game(name).players)
    is_small = name not in SHIPPED or is_variant(name)
    return allowed[0] if is_small else allowed[len(allowed) // 2]


def is_variant(name: str) -> bool:
    return "\nvariant " in RULESETS[name].read_text("utf-8")


TABLES = tables(RULESETS)
SHIPPED_TABLES = tables(SHIPPED)


def step(match: cambist.Match, rng: cambist.Source) -> None:
    """One random answer; where several decide secretly, they answer in any order."""
    choice = match.choice
    assert choice is not None
    by = choice.deciders[rng.below(len(choice.deciders))]
    match.answer(choice.sample(rng, by), by)


def play_on(match: cambist.Match, seed: int) -> cambist.Match:
    """To the end, at random."""
    rng = cambist.Source(seed)
    while match.choice is not None:
        step(match, rng)
    return match


def moments(match: cambist.Match, seed: int, every: int = 1) -> Iterator[cambist.Match]:
    """The match at every so-manyth choice of a random game, and at its end."""
    rng = cambist.Source(seed)
    count = 0
    while match.choice is not None:
        if count % every == 0:
            yield match
        step(match, rng)
        count += 1
    yield match


def state_bytes(match: cambist.Match) -> bytes:
    """All there is of the game, the same for equal states."""
    return json.dumps(save_state(match.program, match.state), sort_keys=True).encode()


def save_bytes(match: cambist.Match) -> bytes:
    return json.dumps(match.save(), sort_keys=True).encode()


def told(match: cambist.Match) -> tuple[bytes, list[str], cambist.Result | None]:
    """Everything two matches must agree on to be one and the same game."""
    return save_bytes(match), match.log_lines(), match.result


def canonical(match: cambist.Match, answer: Any) -> Any:
    """An answer with each component replaced by all that can be told of it: equal if they differ in nothing."""
    pending = match.state.pending
    assert pending is not None
    branch = match.program.choices[pending.choice].branches[answer[0]]
    picked = []
    for pick, value in zip(branch.picks, answer[1:], strict=True):
        card = pick.meaning.word == "card"
        if pick.shape == "in":
            picked.append(_likeness(match, card, value))
        elif pick.shape == "arrangement":
            picked.append(tuple(sorted(tuple(_likeness(match, card, v) for v in pile) for pile in value)))
        else:
            things = [_likeness(match, card, v) for v in value]
            picked.append(tuple(sorted(things) if pick.shape == "some" else things))
    return (answer[0], *picked)


def _likeness(match: cambist.Match, card: bool, value: int) -> tuple[Any, ...]:
    if not card:
        return (value,)
    one, state = match.program.components[value], match.state
    owned = [f for f in match.program.variables if [o.word for o in f.owners] == ["card"]]
    return (one.kind, one.fields, state.where[value], tuple(state.vars[f.base + value] for f in owned))
