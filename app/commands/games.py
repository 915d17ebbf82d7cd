"""`cambist games`: what is shipped, and what each game can be set to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import json_option, load, write_json

if TYPE_CHECKING:
    from cambist.game import Game


@click.command("games")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """The games that come with Cambist, or all about one of them.

    NAME may also be the path of a .rules file.
    """
    if name is not None:
        one = describe(name, load(name))
        write_json(one) if as_json else show_one(one)
        return
    found, broken = every_game()
    if as_json:
        write_json(found)
    else:
        show_all(found)
    for file in broken:
        click.echo(f"{file}: has problems; `cambist check {file}` shows them", err=True)


def every_game() -> tuple[list[dict[str, Any]], list[str]]:
    """All shipped games in the order of their names, and those whose rules cannot be read."""
    from cambist.dsl.diagnostics import RulesError
    from cambist.dsl.finding import shipped

    found, broken = [], []
    for name in shipped():
        try:
            found.append(describe(name, load(name)))
        except RulesError:
            broken.append(name)
    return found, broken


def describe(name: str, game: Game) -> dict[str, Any]:
    head = game.ruleset.game
    return {
        "name": name,
        "title": game.title,
        "players": list(game.players),
        "options": [_option(game, option) for option in game.options],
        "sources": [{"name": s.name.text, "file": s.file, "language": s.language} for s in head.sources],
        "file": game.ruleset.file.name,
        "components": len(game.ruleset.components),
        "assumed": sum(bool(one.assumed) for one in game.ruleset.components),
    }


def _option(game: Game, name: str) -> dict[str, Any]:
    """What it means and can be set to; a flag's values are `yes` and `no`."""
    from cambist.dsl import settings
    from cambist.dsl.register import reasons
    from cambist.dsl.unparse_expressions import text

    option = game.options[name]
    default, ends = settings.default(option), settings.bounds(option)
    found: dict[str, Any] = {"name": name, "meaning": option.meaning}
    if ends is not None:
        found |= {"default": default, "least": ends[0], "most": ends[1]}
    else:
        values = [settings.written(value) for value in settings.allowed(option)]
        found |= {"default": settings.written(default), "values": values}
    found["conditions"] = [
        {
            "when": None if condition.when is None else text(condition.when),
            "requires": condition.requires,
            "test": text(condition.test),
            "because": reasons(condition.notes),
        }
        for condition in option.conditions
    ]
    return {**found, "because": reasons(option.notes)}


# ---- for people


def show_all(games: list[dict[str, Any]]) -> None:
    width = max((len(game["name"]) for game in games), default=0)
    for game in games:
        settings = ", ".join(option["name"] for option in game["options"])
        more = f"; options: {settings}" if settings else ""
        files = dict.fromkeys(f"{source['file']} ({source['language']})" for source in game["sources"])
        after = ", ".join(files)
        click.echo(f"{game['name']:<{width}}  {game['title']}, {_range(game['players'])} players{more}; after {after}")
    click.echo("\n`cambist games NAME` tells more, `cambist play NAME` plays.")


def show_one(game: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    click.echo(f"{printable(game['title'])} ({game['name']})")
    click.echo(f"  players  {_range(game['players'])}")
    guessed = f", {game['assumed']} of them assumed by a sheet" if game["assumed"] else ""
    click.echo(f"  cards    {game['components']}{guessed}")
    for option in game["options"]:
        _show_option(option)
    for source in game["sources"]:
        language = f", {source['language']}" if source["language"] else ""
        click.echo(f"  source   {source['name']}: {printable(source['file'])}{language}")
    click.echo(f"  rules    {printable(game['file'])}")


def _show_option(option: dict[str, Any]) -> None:
    from cambist.dsl.render import printable

    values = option.get("values") or [f"{option['least']} to {option['most']}"]
    meaning = f" ({option['meaning']})" if option["meaning"] else ""
    because = f"  [{', '.join(option['because'])}]" if option["because"] else ""
    told = f"{option['name']}{meaning}: {', '.join(values)}; usually {option['default']}{because}"
    click.echo(printable(f"  option   {told}"))
    for one in option["conditions"]:
        word = "requires" if one["requires"] else "excludes"
        because = f"  [{', '.join(one['because'])}]" if one["because"] else ""
        click.echo(printable(f"             {one['when'] + ' ' if one['when'] else ''}{word} {one['test']}{because}"))


def _range(players: list[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"
