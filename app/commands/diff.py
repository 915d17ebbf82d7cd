"""`cambist diff`: what is different between two rulesets, or between two settings of one, in sentences for players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import json_option, load_set, write_json
from cambist.problems import FOUND

if TYPE_CHECKING:
    from cambist.dsl.differences import Change, Differences, Side
    from cambist.game import Game

HEADINGS = {
    "players": "Who plays",
    "names": "Names",
    "components": "Components",
    "set-up": "Set-up",
    "turn": "The turn",
    "markets": "Tables and tracks",
    "scoring": "Scoring",
    "options": "Options",
    "shown": "On the screen",
}


@click.command("diff", short_help="Tell what is different between two rulesets.")
@click.argument("a", metavar="GAME")
@click.argument("b", metavar="OTHER")
@json_option
def command(a: str, b: str, as_json: bool) -> int:
    """What is different in OTHER, compared with GAME: two games, a variant and its base, two copies of one, in the
    order in which players meet it.

    Settings of options stand behind a colon: `cambist diff money money:deals=5`. Layout, comments, citations and names
    of locals are no differences; examples and laws are told apart, since they are no rules. Exit code 0 if the rules
    are the same, 1 if they differ, 2 if something cannot be read.
    """
    from cambist.dsl.diagnostics import RulesError

    try:
        ours, theirs = load_set(a), load_set(b)
    except RulesError as error:
        return _cannot_be_compared(error)
    found = compared(ours, theirs)
    if as_json:
        write_json(data(ours, theirs, found))
    else:
        _show(ours, theirs, found)
    return 0 if found.same else FOUND


def compared(a: Game, b: Game) -> Differences:
    """The differences of two games as they are set."""
    from cambist.dsl.differences import differences

    return differences(a.ruleset, b.ruleset, a.set_options, b.set_options)


def _cannot_be_compared(error: Any) -> int:
    from cambist.cli import _tell_rules
    from cambist.problems import USAGE

    _tell_rules(error.diagnostics)
    return USAGE


def data(a: Game, b: Game, found: Differences) -> dict[str, Any]:
    return {
        "a": _game(a),
        "b": _game(b),
        "same": found.same,
        "changes": [_change(one) for one in found.rules],
        "tests": [_change(one) for one in found.tests],
    }


def _game(game: Game) -> dict[str, Any]:
    return {"game": game.name, "title": game.title, "file": game.ruleset.file.name, "options": dict(game.set_to)}


def _change(one: Change) -> dict[str, Any]:
    sides = {"before": _side(one.before), "after": _side(one.after)}
    return {"group": one.group, "kind": one.kind, "part": one.part, "sentence": one.sentence, **sides}


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {"text": side.text, "file": side.span.file.name, "line": side.span.line, "because": list(side.because)}


# ---- for people


def _show(a: Game, b: Game, found: Differences) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from cambist.dsl.render import printable

    console = Console(highlight=False)

    def say(text: str, style: str = "", indent: int = 0) -> None:
        line = Text(printable(text), style)
        if console.is_terminal:
            console.print(Padding(line, (0, 0, 0, indent)))
        else:
            console.print(Text(" " * indent).append(line), soft_wrap=True)

    files = a.name == b.name and a.ruleset.file.name != b.ruleset.file.name
    say(f"{_title(a, files)} → {_title(b, files)}", "bold")
    for group, heading in HEADINGS.items():
        changes = [one for one in found.rules if one.group == group]
        if changes:
            say("")
            say(heading, "bold")
        if group == "names" and len(changes) > 1:
            say("; ".join(one.sentence for one in changes), indent=2)
            continue
        for number, one in enumerate(changes):
            say(one.sentence, indent=2)
            if number + 1 == len(changes) or _places(changes[number + 1]) != _places(one):
                say(_places(one), "dim", 4)  # several of one place share it
    if found.same:
        say("the rules are the same", indent=2)
    if found.tests:
        say("")
        say("Apart from the rules: examples, laws, what bots are told", "bold")
        for one in found.tests:
            say(one.sentence, indent=2)


def _title(game: Game, with_file: bool) -> str:
    settings = "".join(f", {name} {value}" for name, value in game.set_to.items())
    return f"{game.title} ({game.ruleset.file.name if with_file else game.name}{settings})"


def _places(one: Change) -> str:
    """Where it stands on both sides, and why."""
    sides = [side for side in (one.before, one.after) if side is not None]
    why = list(dict.fromkeys(_because(side) for side in sides))
    told = [_line(side) + (_because(side) if len(why) > 1 else "") for side in sides]
    return " → ".join(dict.fromkeys(told)) + (why[0] if len(why) == 1 else "")


def _line(side: Side) -> str:
    return f"{side.span.file.name.rpartition('/')[2]}:{side.span.line}"


def _because(side: Side) -> str:
    return f" [{', '.join(side.because)}]" if side.because else ""
