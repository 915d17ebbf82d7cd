"""From what was gathered to the numbers of a report: plain data, which `--json` prints and a page is made of.

In: a game, its program, what was gathered. Out: a dictionary of the form in `schemas/report.schema.json`. Amounts are
in units, seats count from 1, shares go from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from cambist.dsl import program as p
from cambist.dsl.register import register
from cambist.game import Game
from cambist.interpreter.describe import Words
from cambist.interpreter.gathering import (
    COVERED,
    MOST_OPTIONS,
    Gathered,
    action_name,
    card_names,
    score_scale,
    seat_names,
)
from cambist.interpreter.measures import scale_of
from cambist.report.reckoning import bins, counted_quantiles, mean, spread, wilson

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the games, at each point of a path
FORM = 1


@attrs.frozen
class Setting:
    """What was played."""

    game: Game
    program: p.Program
    options: dict[str, int | str]
    seats: tuple[str, ...]
    games: int
    seed: int


def report_data(setting: Setting, gathered: Gathered) -> dict[str, Any]:
    return {
        "report": FORM,
        "game": setting.program.game,
        "title": setting.program.title,
        "players": setting.program.players,
        "seats": list(setting.seats),
        "options": setting.options,
        "games": setting.games,
        "seed": setting.seed,
        "played": len(gathered.games),
        "failed": [{"game": number, "fault": fault} for number, fault in sorted(gathered.failed.items())],
        **Numbers(setting, gathered).all(),
    }


class Numbers:
    def __init__(self, setting: Setting, gathered: Gathered) -> None:
        self.setting = setting
        self.program = setting.program
        self.gathered = gathered
        self.count = len(gathered.games)
        self.words = Words(self.program, seat_names(self.program.players))
        self.known = gathered.names()
        self.won = [self.values(f"won/p{seat}") for seat in self.seats]

    @property
    def seats(self) -> range:
        return range(1, self.program.players + 1)

    def values(self, name: str) -> list[float]:
        return [float(value) for value in self.gathered.column(name)]

    def spread(self, name: str) -> dict[str, Any]:
        return spread_data(self.values(name))

    def named(self, group: str) -> list[str]:
        """The names of all figures of a group, without it."""
        return [name[len(group) + 1 :] for name in self.known if name.startswith(f"{group}/")]

    def all(self) -> dict[str, Any]:
        return {
            "wins": self.wins(),
            "scores": self.scores(),
            "length": {what: self.spread(f"length/{what}") for what in ("decisions", "answers", "turns")},
            "options_to_choose_from": self.options(),
            "lead": {
                "known": "score" in self.gathered.paths,
                "by": "score" if self.program.estimate < 0 else "estimate",
                "changes": self.spread("lead/changes"),
                "margin": self.spread("margin"),
                "from_first_to_last": self.spread("spread"),
                "ties": mean(self.values("tie")),
            },
            "actions": self.actions(),
            "cards": self.cards(),
            "markets": self.uses("shifted", self._tracks()),
            "phases": self.uses("phase", self._phases()),
            "events": self.uses("mark", self._marks(False)),
            "limits": self.uses("limit", self._marks(True)),
            "ends": [{"reason": r, "games": int(sum(self.values(f"ended/{r}")))} for r in self.named("ended")],
            "paths": self.paths(),
            "measures": [self.measure(m) for m in self.program.measures],
            "lines": self.lines(),
            "assumptions": self.assumptions(),
        }

    # ---- results

    def wins(self) -> list[dict[str, Any]]:
        found = []
        for seat, who, won in zip(self.seats, self.setting.seats, self.won, strict=True):
            low, high = wilson(sum(won), self.count)
            found.append({
                "seat": seat, "player": who, "wins": round(sum(won), 6), "share": mean(won), "low": low, "high": high
            })  # fmt: skip
        return found

    def scores(self) -> dict[str, Any]:
        by_seat = [self.values(f"score/p{seat}") for seat in self.seats]
        unit = self.program.score_meaning.name if self.program.score_meaning.word == "amount" else "points"
        together = [score for scores in by_seat for score in scores]
        return {"unit": unit, "all": spread_data(together), "by_seat": [spread_data(scores) for scores in by_seat]}

    def options(self) -> dict[str, Any]:
        return {
            "most_counted": MOST_OPTIONS,
            "choices": [[count, times] for count, times in sorted(self.gathered.options.items())],
            "mean": self.spread("options/mean"),
            "forced": self.spread("options/forced"),
        }

    # ---- uses

    def actions(self) -> list[dict[str, Any]]:
        places: dict[str, p.At] = {}
        for choice in self.program.choices:
            for branch in choice.branches:
                places.setdefault(action_name(choice, branch), branch.at)
        found = []
        for name, at in places.items():
            winners, others = self._by_winning(name)
            use = self._use(name, f"action/{name}")
            found.append({**use, "by_winners": winners, "by_others": others, **_place(at)})
        return sorted(found, key=lambda use: (-use["a_game"], use["name"]))

    def _by_winning(self, action: str) -> tuple[float, float]:
        """How often a winner and somebody else did it in a game, on average; who shares a win is a part of a winner."""
        done = [0.0, 0.0]
        for seat, won in zip(self.seats, self.won, strict=True):
            for times, share in zip(self.values(f"action/{action}/p{seat}"), won, strict=True):
                done[0] += times * share
                done[1] += times * (1 - share)
        return done[0] / max(self.count, 1), done[1] / max(self.count * (self.program.players - 1), 1)

    def cards(self) -> list[dict[str, Any]]:
        names = card_names(self.program, self.words)
        found = []
        for name in dict.fromkeys(names):
            copies = names.count(name)
            moved, chosen = mean(self.values(f"moved/{name}")), mean(self.values(f"chosen/{name}"))
            found.append({"card": name, "copies": copies, "moved": moved / copies, "chosen": chosen / copies})
        return sorted(found, key=lambda card: (-card["chosen"], -card["moved"], card["card"]))

    def uses(self, group: str, names: Iterable[str]) -> list[dict[str, Any]]:
        found = [self._use(name, f"{group}/{name}") for name in dict.fromkeys((*names, *self.named(group)))]
        return sorted(found, key=lambda use: (-use["a_game"], use["name"]))

    def _use(self, name: str, figure: str) -> dict[str, Any]:
        values = self.values(figure)
        return {"name": name, "a_game": mean(values), "games": mean([float(v > 0) for v in values])}

    def _phases(self) -> list[str]:
        return [x.name.partition("#")[0] for x in self.program.procedures if x.word == "phase"]

    def _tracks(self) -> list[str]:
        paths = [name.partition("/") for name in self.gathered.paths]
        return [what for group, _, what in paths if group == "track"]

    def _marks(self, limits: bool) -> list[str]:
        steps = [step for procedure in self.program.procedures for step in procedure.code]
        return sorted({step.name for step in steps if isinstance(step, p.IMark) and step.limit is limits})

    # ---- time

    def paths(self) -> list[dict[str, Any]]:
        """At each twentieth of a game, the values that a tenth, a quarter, half … of the games do not exceed."""
        found = []
        for name, path in self.gathered.paths.items():
            group, _, what = name.partition("/")
            unit, scale = self._unit_of(group, what)
            at = [[value / scale for value in counted_quantiles(counts, SHARES)] for counts in path]
            found.append({"group": group, "name": what or group, "unit": unit, "at": at})
        return found

    def _unit_of(self, group: str, what: str) -> tuple[str, int]:
        if group == "money":
            unit = what.partition(" ")[0]
            return unit, self.words.scales.get(unit, 1)
        if group == "track":
            index = self.words.variable_names.index(what)
            family = next(f for f in self.program.variables if f.base <= index < f.base + f.count)
            amount = family.meaning.word == "amount"
            return (family.meaning.name, self.words.scales.get(family.meaning.name, 1)) if amount else ("value", 1)
        if group == "measure":
            measure = next(m for m in self.program.measures if m.name == what.partition(" ")[0])
            return unit_of(measure), scale_of(measure, self.words)
        return self.scores()["unit"], score_scale(self.program)

    # ---- what the author measures

    def measure(self, measure: p.Measure) -> dict[str, Any]:
        things = []
        for name in self.named("measure"):
            first, _, rest = name.partition(" ")
            if first == measure.name:
                figure = f"measure/{name}"
                asked = [float(f[figure]) for _, f in sorted(self.gathered.games.items()) if figure in f]
                things.append({"of": rest, **spread_data(asked)})
        return {
            "name": measure.name,
            "when": when_asked(self.program, measure),
            "unit": unit_of(measure),
            "of": things,
            **_place(measure.at),
        }

    # ---- the rules

    def lines(self) -> dict[str, Any]:
        lines = self.gathered.lines
        never = [line for line in sorted(lines) if line not in self.gathered.ran]
        return {
            "games": min(COVERED, self.setting.games),
            "count": len(lines),
            "never": [{"file": file, "line": line, "text": lines[file, line]} for file, line in never],
        }

    def assumptions(self) -> list[dict[str, Any]]:
        found = register(self.setting.game.ruleset).assumptions
        return [
            {"rule": x.rule, "because": x.note.because, "file": x.span.file.name, "line": x.span.line} for x in found
        ]


def spread_data(values: Sequence[float]) -> dict[str, Any]:
    return {**attrs.asdict(spread(values)), "bins": [list(b) for b in bins(values)]}


def unit_of(measure: p.Measure) -> str:
    match measure.meaning.word:
        case "amount":
            return measure.meaning.name
        case "flag":
            return "share of the times it was asked"
        case _:
            return "value"


def when_asked(program: p.Program, measure: p.Measure) -> str:
    if measure.moment == "end":
        return "when the game is over"
    if measure.moment == "always":
        return "at every choice"
    if measure.action:
        return f"after `{measure.action}` was chosen"
    names = {program.procedures[way.procedure].name.partition("#")[0] for way in measure.ways}
    return f"after each `{', '.join(sorted(names))}`" if names else "never: its phase is not used"


def _place(at: p.At) -> dict[str, Any]:
    return {"file": at.span.file.name, "line": at.span.line}
