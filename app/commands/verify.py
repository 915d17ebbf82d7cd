"""`cambist verify`: looks for a game that breaks what must hold, and shows the shortest one it finds."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import (
    SEED,
    Number,
    json_option,
    load,
    read_settings,
    settings_option,
    settled_words,
    write_json,
)
from cambist.problems import FOUND, UserError

if TYPE_CHECKING:
    from cambist.game import Game
    from cambist.interpreter.verify import Broken, Tally

COVERED, COVERING = 10, 4.0  # games of each setting in which it is noted which lines run, at most; seconds for them
SHRINKING = 0.5  # the part of the time that may go into making a found game shorter
OFTEN = 4  # times that one property is broken before the search ends
STEPS = 20  # of a very long game, at its beginning and at its end
SHOWN = 12  # lines that never ran; the rest is counted
EXAMPLE = ".example.rules"  # an example to paste into the rules
ENOUGH = 100  # games after which a `reachable` that none of them reached is wrong


@click.command("verify", short_help="Look for a game that breaks what must hold.")
@click.argument("game", metavar="GAME|PATH")
@click.option("--players", type=int, metavar="N", help="Only so many players. [default: fewest, a middle number, most]")
@click.option(
    "--games", type=click.IntRange(1), default=50, metavar="M", show_default=True, help="For each number of players."
)
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same search.")
@click.option("--only", metavar="NAME", help="Report this property alone.")
@click.option("--time", "seconds", type=Number(0.1), metavar="SECONDS", help="Stop searching after so long.")
@click.option("-o", "--output", metavar="FOLDER", help="Where to write a replay and an example of what is broken.")
@settings_option
@json_option
def command(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    only: str | None,
    seconds: float | None,
    output: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play random games and test in every state all that must hold: the ruleset's own laws, and without being written
    that money and components are kept, somebody can answer, games end, saves go on, nothing hidden leaks and the rules
    never fail. What is broken is shown by the shortest game that was found. Exit code 1 if something is broken, or if
    something `reachable` is reached by none of a hundred games or more."""
    from cambist.files import may_be_a_folder

    if output is not None:
        may_be_a_folder(Path(output))
    loaded = load(game)
    report = Verification(loaded, games, seed, only, seconds, read_settings(settings), quiet=as_json)
    report.run([players] if players is not None else _spread(loaded))
    data = report.data()
    tried = bool(data["games"] or report.broken)  # what breaks at once is no whole game
    unwritten: OSError | None = None
    for number, broken in enumerate(report.broken):
        try:
            data["broken"][number]["files"] = [] if output is None else _write(loaded, game, broken, Path(output))
        except OSError as error:  # what was found is told in any case
            data["broken"][number]["files"], unwritten = [], error
    if as_json:
        write_json(data)
    elif tried:
        _show(data)
    if unwritten is not None:
        raise unwritten
    if not tried:
        raise UserError("the time was over before a game was played", "give it more time, or leave `--time` out", FOUND)
    return FOUND if report.broken or data["unreached"] else 0


def _before(until: float) -> bool:
    return time.monotonic() < until


def _spread(game: Game) -> list[int]:
    allowed = list(game.players)
    return sorted({allowed[0], allowed[len(allowed) // 2], allowed[-1]})


class Verification:
    """One run: the games, what they broke, what was seen in them."""

    def __init__(
        self,
        game: Game,
        games: int,
        seed: int,
        only: str | None,
        seconds: float | None,
        settings: dict[str, str],
        quiet: bool,
    ) -> None:
        self.game, self.games, self.seed, self.only = game, games, seed, only
        self.settings, self.quiet = settings, quiet
        self.until = None if seconds is None else time.monotonic() + seconds
        self.seconds = seconds
        self.broken: list[Broken] = []
        self.tallies: dict[int, Tally] = {}
        self.never: list[tuple[str, int, str]] = []
        self.lines = 0
        self._known(only)

    def _known(self, only: str | None) -> None:
        from cambist.interpreter.free_laws import FREE

        laws = {p.name for p in self._properties()}
        known = sorted({*laws, *FREE, "every_game_ends", "money_is_kept", "components_stay_in_place"})
        if only is not None and only not in known and not only.startswith("no_fault_"):
            raise UserError(f"there is no property `{only}`", f"the properties are {', '.join(known)}")

    def _properties(self) -> Any:
        return self.game.machine(self.game.players[0]).program.properties

    def left(self) -> bool:
        return self.until is None or time.monotonic() < self.until

    def machine(self, players: int, options: Any) -> Any:
        return self.game.machine(players, {**self.settings, **options})

    def run(self, counts: list[int]) -> None:
        from cambist.interpreter.verify import search

        settings = [(count, self.machine(count, {}).program.options) for count in counts]
        again: dict[str, int] = {}
        stderr = sys.stderr
        total = self.games * len(settings)
        progress: Any = click.progressbar
        with progress(length=total, label="verifying", file=stderr, show_pos=True, hidden=self.quiet) as bar:
            tallies: dict[int, Tally] = {}
            for number, (tally, broken) in enumerate(search(self.machine, settings, self.games, self.seed, self.left)):
                bar.update(1)
                tallies[settings[number % len(settings)][0]] = tally
                if broken is None or self.only not in (None, broken.name):
                    continue
                again[broken.name] = again.get(broken.name, 0) + 1
                if again[broken.name] == 1:
                    self.broken.append(broken)
                elif again[broken.name] > OFTEN:
                    break  # nearly every game breaks it; what else there is shows when it is mended
        self.tallies = tallies
        self._shorten(counts)
        self._cover(counts)

    def _shorten(self, counts: list[int]) -> None:
        from cambist.interpreter.hypothesis_search import shrunken
        from cambist.interpreter.verify import shortest

        allowed = list(self.game.players) if len(counts) > 1 else counts
        share = (self.seconds or 40.0) * SHRINKING / max(1, len(self.broken))
        shorter = []
        for broken in self.broken:
            until = time.monotonic() + share
            best = shortest(broken, self.machine, allowed, partial(_before, until))
            settings = [(count, broken.game.options) for count in allowed if count <= best.game.players]
            if best.name != "every_game_ends" and len(best.game.answers) > 1:  # games of none have been tried
                until = time.monotonic() + share / 2
                best = shrunken(best, self.machine, settings, partial(_before, until), self.seed)
            shorter.append(best)
        self.broken = shorter

    def _cover(self, counts: list[int]) -> None:
        """Lines that no game ran, over all numbers of players."""
        from cambist.interpreter.coverage import Coverage
        from cambist.interpreter.explore import play_random
        from cambist.interpreter.faults import Fault

        never: set[tuple[str, int, str]] | None = None
        for count in counts:
            coverage = Coverage(self.machine(count, {}).program)
            self.lines = max(self.lines, len(coverage.lines))
            until = time.monotonic() + COVERING
            failed = 0
            for number in range(min(COVERED, self.games)):
                if failed > OFTEN or not _before(until):
                    break
                try:
                    play_random(coverage.machine, self.seed, number)
                except Fault:
                    failed += 1
            found = set(coverage.never_ran())
            never = found if never is None else never & found
        self.never = sorted(never or set())

    # ---- telling

    def data(self) -> dict[str, Any]:
        games = sum(tally.games for tally in self.tallies.values())
        facts = {p.name: p for p in self._properties() if p.word == "reachable" and self.only in (None, p.name)}
        reached = {name: sum(t.reached.get(name, 0) for t in self.tallies.values()) for name in facts}
        unreached = [name for name, count in reached.items() if count == 0 and games >= ENOUGH]
        return {
            "game": self.game.name,
            "players": sorted(self.tallies),
            "games": games,
            "decisions": sum(tally.decisions for tally in self.tallies.values()),
            "seed": self.seed,
            "broken": [self._told(broken) for broken in self.broken],
            "reachable": [
                {"name": name, "games": count, "rate": round(count / games, 4) if games else 0.0}
                for name, count in reached.items()
            ],
            "unreached": [self._at(name, facts[name].at) for name in unreached],
            "lines": self.lines,
            "never_ran": [{"file": file, "line": line, "text": text} for file, line, text in self.never],
        }

    def _told(self, broken: Broken) -> dict[str, Any]:
        from cambist.interpreter.verify import told

        match = replayed(self.machine(broken.game.players, dict(broken.game.options)), broken)
        return {
            **self._at(broken.name, broken.at),
            "reason": broken.reason,
            "players": broken.game.players,
            "options": settled_words(self.game, broken.game.options),
            "seed": broken.game.seed,
            "choices": len(broken.game.answers),
            "steps": told(match),
            "files": [],
        }

    def _at(self, name: str, at: Any) -> dict[str, Any]:
        span = at.span
        line = span.line if span.file.text else 0
        return {"property": name, "rule": str(at.because), "file": span.file.name, "line": line}


def replayed(machine: Any, broken: Broken) -> Any:
    """The match of a broken game; the last answer may have stopped it."""
    from cambist.interpreter.api import Match
    from cambist.interpreter.faults import Fault

    match = Match.start(machine, broken.game.seed)
    for seat, answer in broken.game.answers:
        try:
            match.advance(seat, answer)
        except Fault:
            break
    return match


def _write(game: Game, name: str, broken: Broken, folder: Path) -> list[str]:
    from cambist.files import write_whole
    from cambist.interpreter.faults import Fault, broken_law
    from cambist.interpreter.log import as_text
    from cambist.interpreter.replay import Recorder

    folder.mkdir(parents=True, exist_ok=True)
    machine = game.machine(broken.game.players, dict(broken.game.options))
    recorder = Recorder(machine, broken.game.seed)
    fault = Fault(broken.code, broken.reason, broken.at) if broken.code else broken_law(broken.at, broken.reason)
    for seat, answer in broken.game.answers:
        try:
            recorder.answer(seat, answer)
        except Fault as stopped:
            fault = stopped
    record = recorder.record(name, settled_words(game, machine.program.options), fault)
    path = folder / f"{broken.name}.game"
    write_whole(path, as_text(record))
    example = _example(name, machine, broken)
    if not example:
        return [str(path)]
    pasted = folder / f"{broken.name}{EXAMPLE}"
    write_whole(pasted, example)
    return [str(path), str(pasted)]


def _example(name: str, machine: Any, broken: Broken) -> str:
    """An example that fails by these rules and shows what is broken; nothing if none can be written."""
    from cambist.dsl.api import check_file
    from cambist.game import Game
    from cambist.interpreter.api import Match
    from cambist.interpreter.as_example import as_example, whole_game
    from cambist.interpreter.rule_tests import run_examples

    if not broken.game.answers:
        return ""
    title = f"{broken.name} holds"
    before = Match.start(machine, broken.game.seed)
    for seat, answer in broken.game.answers[:-1]:
        before.advance(seat, answer)
    for text in (as_example(before, *broken.game.answers[-1], title), whole_game(replayed(machine, broken), title)):
        ruleset, _ = check_file(name, more=text) if text else (None, None)
        if ruleset is not None:
            tried = Game(ruleset)
            outcomes = run_examples(tried.machine, tried.players, title)
            if any(not outcome.passed for outcome in outcomes):
                return text
    return ""


def _some(steps: list[str]) -> list[str]:
    """A game that is very long is shown by its beginning and its end."""
    if len(steps) <= 2 * STEPS:
        return steps
    return [*steps[:STEPS], f"… {len(steps) - 2 * STEPS} more …", *steps[-STEPS:]]


def _show(data: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    def say(line: str = "") -> None:
        click.echo(printable(line))

    def where(one: dict[str, Any], reason: str) -> str:
        place = f"{one['file']}:{one['line']}: " if one["line"] else ""
        return f"  {place}{reason}" + (f" ({one['rule']})" if one["rule"] else "")

    for broken in data["broken"]:
        say(f"BROKEN {broken['property']}")
        say(where(broken, broken["reason"]))
        options = "".join(f", {name}={value}" for name, value in broken["options"].items())
        say(f"  {broken['choices']} choices, {broken['players']} players{options}, seed {broken['seed']}:")
        for step in _some(broken["steps"]):
            say(f"    {step}")
        for file in broken["files"]:
            what = "paste it into the rules" if file.endswith(EXAMPLE) else f"`cambist replay {file}` plays it again"
            say(f"  written to {file}; {what}")
        if not broken["files"]:
            say("  `-o FOLDER` writes this game as a replay, and an `example` to paste into the rules")
        say()
    for fact in data["unreached"]:
        say(f"NEVER REACHED {fact['property']}")
        say(where(fact, f"in none of {data['games']} random games does it come about"))
        say("  the rules forbid it, or it is very rare: `--games` tries more, an `example` can show the way\n")
    for fact in data["reachable"]:
        say(f"reachable {fact['name']}: in {fact['games']} of {data['games']} games ({fact['rate']:.1%})")
    never = data["never_ran"]
    if never:
        say(f"{len(never)} of {data['lines']} lines never ran:")
        for line in never[:SHOWN]:
            say(f"  {line['file']}:{line['line']}: {line['text']}")
        if len(never) > SHOWN:
            say(f"  and {len(never) - SHOWN} more (`--json` lists them)")
    counts = ", ".join(str(count) for count in data["players"])
    verdict = f"{len(data['broken'])} broken" if data["broken"] else "nothing broken"
    if data["unreached"]:
        verdict += f", {len(data['unreached'])} never reached"
    played = f"{data['games']} games ({counts} players), {data['decisions']:,} decisions"
    say(f"{data['game']}: {verdict} in {played}, seed {data['seed']}")
