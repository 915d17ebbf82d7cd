"""`cambist test`: runs the examples that stand in a ruleset, and its invariants over some random games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import json_option, load, settings_option, write_json
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.dsl.program import At
    from cambist.game import Game


@click.command("test", short_help="Run the examples and invariants of rulesets.")
@click.argument("games", nargs=-1, required=True, metavar="GAME|PATH...")
@click.option(
    "--games", "rounds", type=click.IntRange(0), default=5, metavar="N", show_default=True,
    help="Random games for each number of players, to test invariants in.",
)  # fmt: skip
@settings_option
@json_option
def command(games: tuple[str, ...], rounds: int, settings: tuple[str, ...], as_json: bool) -> int:
    """Run the examples of rulesets, and test their invariants in random games. Exit code 1 if something fails."""
    found = []
    for name in games:
        one = run(load(name, settings), rounds)
        found.append(one)
        if not as_json:
            _show(name, one)
    if as_json:
        write_json(found[0] if len(found) == 1 else found)
    return FOUND if any(one["failed"] for one in found) else 0


def run(game: Game, rounds: int) -> dict[str, Any]:
    """Everything is tried with the options as the game is set; an example that sets one itself keeps its own."""
    from cambist.interpreter.rule_tests import run_examples

    outcomes = run_examples(game.for_example, game.players)
    own = game.ruleset.file.name
    wrong = [o for o in outcomes if not o.passed]
    failed = [_failure(o.title, o.reason, o.at, _different(f'example "{o.title}"', o.at, own)) for o in wrong]
    passed = len(outcomes) - len(failed)
    broken, reached = _random_games(game, rounds)
    failed += broken
    return {
        "game": game.name,
        "examples": len(outcomes),
        "inherited": sum(example.span.file.name != own for example in game.ruleset.examples),
        "passed": passed,
        "invariants": sum(p.word == "invariant" for p in game.machine(game.players[0]).program.properties),
        "random_games": rounds * len(game.players),
        "reached": reached,
        "failed": failed,
    }


def _random_games(game: Game, rounds: int) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Each broken invariant, and each other fault, once; in how many games each reachable fact was seen."""
    from cambist.interpreter.api import Fault
    from cambist.interpreter.explore import play_random, reachable
    from cambist.interpreter.soundness import Soundness

    failed: dict[str, dict[str, Any]] = {}
    reached = dict.fromkeys(reachable(game.machine(game.players[0])), 0)
    for players in game.players if rounds else ():
        machine = game.machine(players)
        sound = Soundness(machine)
        for number in range(rounds):
            try:
                for name in play_random(machine, 0, number, True, sound).seen:
                    reached[name] += 1
            except Fault as fault:
                what = fault.diagnostic
                names = [p.name for p in machine.program.properties if p.at is fault.at]
                broken = what.code == "R0115" and names
                title = f"invariant {names[0]}" if broken else f"random games ({what.code})"
                moment = what.notes[-1] if what.notes else ""
                help = _different(title, fault.at, game.ruleset.file.name) if broken else ""
                failed.setdefault(title, _failure(title, f"{what.message}, {moment}", fault.at, help))
    return list(failed.values()), reached


def _different(what: str, at: At, own: str) -> str:
    """How a variant says that something which it inherits is different in it."""
    if at.span.file.name == own:
        return ""
    return f"`{own}` inherits it; `replace {what}` there says what holds instead"


def _failure(title: str, reason: str, at: At, help: str = "") -> dict[str, Any]:
    told = {"example": title, "reason": reason, "file": at.span.file.name, "line": at.span.line}
    return {**told, "help": help} if help else told


def _show(name: str, result: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    for failure in result["failed"]:
        click.echo(printable(f"FAILED {failure['example']}"))
        click.echo(printable(f"  {failure['file']}:{failure['line']}: {failure['reason']}"))
        if "help" in failure:
            click.echo(printable(f"  {failure['help']}"))
    examples, passed = result["examples"], result["passed"]
    told = [f"{passed} of {examples} examples pass" if passed < examples else f"{examples} examples pass"]
    if result["inherited"]:
        told[0] += f" ({result['inherited']} of them inherited)"
    broken = sum(failure["example"].startswith("invariant ") for failure in result["failed"])
    if result["random_games"]:
        held = result["invariants"] - broken
        told.append(f"{held} of {result['invariants']} invariants hold in {result['random_games']} random games")
        told += [f"{fact} reached in {count}" for fact, count in result["reached"].items()]
    click.echo(printable(f"{name}: {', '.join(told)}"))
