"""`cambist mutate`: changes one thing at a time in the rules and tells which changes nobody notices."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import SEED, Number, game_argument, json_option, load, settings_option, write_json
from cambist.problems import FOUND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cambist.dsl.mutants import Mutant
    from cambist.equivalents import Equivalents
    from cambist.mutation import Verdict
    from cambist.playthroughs import Playthrough

KEPT = ".cambist"
SHEETS = 5  # one change of so many is of a sheet, if there are sheets
Judged = list[tuple["Mutant", "Verdict"]]


@click.command("mutate", short_help="Change one thing at a time in the rules: who notices?")
@game_argument
@click.option("--sample", type=click.IntRange(1), default=50, metavar="N", show_default=True, help="How many changes.")
@click.option("--seed", type=SEED, default=0, metavar="S", show_default=True, help="The same seed, the same changes.")
@click.option("--time", "seconds", type=Number(0, min_open=True), metavar="SECONDS", help="Stop after so long.")
@click.option("--playthroughs", metavar="FOLDER", help="Recorded games. [default: `playthroughs` beside the rules]")
@click.option("--at-least", type=Number(0, 100), metavar="PERCENT", help="Exit code 1 if fewer are noticed.")
@click.option("--quick", is_flag=True, help="Ask only the examples, each once: a first impression.")
@click.option("--resume", is_flag=True, help="Keep what was found in .cambist/ and go on from there.")
@settings_option
@json_option
def command(
    game: str,
    sample: int,
    seed: int,
    seconds: float | None,
    playthroughs: str | None,
    at_least: float | None,
    quick: bool,
    resume: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Change one thing at a time in the rules, its sheets and the modules it uses (a number, a comparison, an order,
    a tie, a step left out, who sees what), and tell which changes no example, random game with its invariants, or
    recorded game notices.

    Changes that the check refuses or that leave the same game are not counted, nor those listed with a reason in
    `<rules>.equivalent.yaml` beside the rules.
    """
    from cambist.dsl import api as dsl
    from cambist.dsl.mutants import mutants
    from cambist.equivalents import read_equivalents
    from cambist.mutation import Judge
    from cambist.playthroughs import folder_of, read_folder

    loaded = load(game, settings)  # tells all that is wrong
    gathered, path = dsl.gathered(game)
    folder = folder_of(path, playthroughs)
    recorded = [] if folder is None or quick else read_folder(folder)
    candidates = mutants(gathered)
    equivalents = read_equivalents(path, candidates)
    texts = [*gathered.digested, *sorted(settings)]
    kept = _kept(candidates, texts, equivalents, recorded, seed) if resume and not quick else None
    judged: Judged = []
    done = True
    until = None if seconds is None else monotonic() + seconds
    judge = Judge(gathered, loaded, recorded, quick)
    counted = 0
    for place in _drawn(candidates, seed):
        if counted == sample:
            break
        if until is not None and monotonic() > until:
            done = False
            break
        verdict = _verdict(judge, candidates, place, equivalents, kept)
        judged.append((candidates[place], verdict))
        counted += verdict.counts
        _show_progress(counted, sample, judged)
    if kept is not None:
        kept.write()
    _end_progress()
    data = _data(gathered.game.name.text, seed, len(candidates), judged, done, equivalents, len(recorded))
    if as_json:
        write_json(data)
    else:
        _show(data)
    return FOUND if at_least is not None and (data["score"] < at_least or not data["mutants"]) else 0


def _verdict(judge: Any, candidates: list[Mutant], place: int, equivalents: Equivalents, kept: Any) -> Verdict:
    from cambist.mutation import EQUIVALENT, Verdict

    if place in equivalents.reasons:
        return Verdict(EQUIVALENT, detail=equivalents.reasons[place])
    verdict: Verdict | None = None if kept is None else kept.get(place)
    if verdict is None:
        verdict = judge.judge(candidates[place])
        if kept is not None:
            kept.put(place, verdict)
    return verdict


def _drawn(candidates: list[Mutant], seed: int) -> Iterator[int]:
    """All of them in a random order, but of a sheet only every fifth: its many rows are all alike."""
    from cambist.interpreter.chance import Source

    source = Source(seed)
    rules = [place for place, mutant in enumerate(candidates) if not mutant.in_sheet]
    rows = [place for place, mutant in enumerate(candidates) if mutant.in_sheet]
    number = 0
    while rules or rows:
        number += 1
        places = rows if rows and (number % SHEETS == 0 or not rules) else rules
        yield places.pop(source.below(len(places)))


def _kept(
    candidates: list[Mutant], texts: list[str], equivalents: Equivalents, recorded: list[Playthrough], seed: int
) -> Any:
    """What a run of the same rules, tests and seed has found already; a larger sample begins with the smaller."""
    import hashlib
    from pathlib import Path

    from cambist import __version__
    from cambist.kept import Kept

    tests = [*equivalents.texts, *(one.text for one in recorded)]
    parts = [__version__, *texts, *tests, *(mutant.name for mutant in candidates)]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return Kept(Path(KEPT) / f"mutate-{digest}-{seed}.json")


# ---- telling


def _data(
    name: str, seed: int, candidates: int, judged: Judged, done: bool, equivalents: Equivalents, recorded: int
) -> dict[str, Any]:
    from cambist import mutation as m

    outcomes = [verdict.outcome for _, verdict in judged]
    killed = outcomes.count(m.KILLED)
    counted = killed + outcomes.count(m.SURVIVED)
    by = {who: sum(v.by == who for _, v in judged) for who in (m.EXAMPLE, m.RANDOM, m.PLAYTHROUGH, m.TIME)}
    return {
        "game": name,
        "seed": seed,
        "candidates": candidates,
        "mutants": counted,
        "killed": killed,
        "by": {who.replace(" ", "_"): count for who, count in by.items()},
        "survived": [_place(mutant) for mutant, v in judged if v.outcome == m.SURVIVED],
        "score": round(100 * killed / counted, 1) if counted else 100.0,
        "refused": outcomes.count(m.REFUSED),
        "changes_nothing": outcomes.count(m.SAME),
        "equivalent": [{**_place(x), "because": v.detail} for x, v in judged if v.outcome == m.EQUIVALENT],
        "stale": list(equivalents.stale),
        "playthroughs": recorded,
        "only_by_playthroughs": [
            {**_place(mutant), "where": v.detail} for mutant, v in judged if v.by == m.PLAYTHROUGH
        ],
        "complete": done,
    }


def _place(mutant: Mutant) -> dict[str, Any]:
    return {
        "file": mutant.span.file.name,
        "line": mutant.span.line,
        "rule": mutant.rule,
        "text": mutant.line,
        "kind": mutant.kind,
        "change": mutant.change,
    }


def _show(data: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    def say(text: str) -> None:
        click.echo(printable(text))

    for one in data["survived"]:
        say(f"SURVIVED {one['file']}:{one['line']} ({one['rule']})")
        say(f"  {one['text']}")
        say(f"  {one['change']}")
    for one in data["equivalent"]:
        say(f"equivalent {one['file']}:{one['line']}: {one['change']}: {one['because']}")
    for entry in data["stale"]:
        say(f"stale {entry}: there is no such change any more")
    by = data["by"]
    noticed = [
        f"{by['example']} by examples",
        f"{by['random_games']} by random games and their invariants",
        f"{by['playthrough']} only by recorded games",
        *([f"{by['time']} by going on and on"] if by["time"] else []),
    ]
    share = f"{data['score']:g} %" if data["mutants"] else "which says nothing"
    say(f"{data['game']}: {data['killed']} of {data['mutants']} changes are noticed, {share}")
    say(f"  noticed: {', '.join(noticed)}")
    said = f"{data['refused']} refused by the check, {data['changes_nothing']} change nothing"
    say(f"  not counted: {said}, {len(data['equivalent'])} listed as equivalent")
    if not data["complete"]:
        say("  the time was over before all were tried")


def _show_progress(counted: int, sample: int, judged: Judged) -> None:
    if sys.stderr.isatty():
        killed = sum(verdict.outcome == "killed" for _, verdict in judged)
        click.echo(f"\r{counted}/{sample} changes, {killed} noticed ", err=True, nl=False)


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r" + " " * 40 + "\r", err=True, nl=False)
